#include "reproduce/item.hpp"

#include <algorithm>

namespace graze::app {
namespace {

std::vector<ReproduceItem>& items_of_program() {
    static std::vector<ReproduceItem> items;
    return items;
}

void put(std::vector<ReproduceItem>& items, const ReproduceItem& item) {
    const auto same = std::find_if(items.begin(), items.end(), [&](const ReproduceItem& i) {
        return i.paper == item.paper && i.id == item.id;
    });
    if (same != items.end())
        *same = item;
    else
        items.push_back(item);
}

}  // namespace

void add_item_of_program(const ReproduceItem& item) {
    put(items_of_program(), item);
}

std::string_view name(Paper paper) noexcept {
    switch (paper) {
        case Paper::Wang2014:
            return "wang2014";
        case Paper::Buss2005:
            return "buss2005";
        case Paper::Linahan:
            return "linahan";
        case Paper::Wang2021:
            return "wang2021";
    }
    return "";
}

std::string_view citation(Paper paper) noexcept {
    switch (paper) {
        case Paper::Wang2014:
            return "Huamin Wang: Defending continuous collision detection against errors (2014)";
        case Paper::Buss2005:
            return "Samuel R. Buss: Collision detection with relative screw motion (2005)";
        case Paper::Linahan:
            return "Jeff Linahan: Improving the numerical robustness of sphere swept collision "
                   "detection";
        case Paper::Wang2021:
            return "Bolun Wang et al.: A large scale benchmark and an inclusion-based algorithm "
                   "for continuous collision detection (2021)";
    }
    return "";
}

std::vector<ReproduceItem> all_items() {
    std::vector<ReproduceItem> items;
    for (std::vector<ReproduceItem> of_paper :
         {wang2014_items(), buss2005_items(), linahan_items(), wang2021_items()}) {
        const Paper paper = of_paper.front().paper;
        for (const ReproduceItem& item : items_of_program())
            if (item.paper == paper) put(of_paper, item);
        items.insert(items.end(), of_paper.begin(), of_paper.end());
    }
    return items;
}

}  // namespace graze::app

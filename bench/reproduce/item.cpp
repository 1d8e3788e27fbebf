#include "reproduce/item.hpp"

namespace graze::app {

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
    for (const auto& of_paper :
         {wang2014_items(), buss2005_items(), linahan_items(), wang2021_items()})
        items.insert(items.end(), of_paper.begin(), of_paper.end());
    return items;
}

}  // namespace graze::app

#include "reproduce/item.hpp"

namespace graze::app {

std::vector<ReproduceItem> wang2021_items() {
    return {};
}

}  // namespace graze::app

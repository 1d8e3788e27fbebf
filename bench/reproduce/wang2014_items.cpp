#include "reproduce/item.hpp"

namespace graze::app {

std::vector<ReproduceItem> wang2014_items() {
    return {};
}

}  // namespace graze::app

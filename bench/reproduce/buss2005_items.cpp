#include "reproduce/item.hpp"

namespace graze::app {

std::vector<ReproduceItem> buss2005_items() {
    return {};
}

}  // namespace graze::app

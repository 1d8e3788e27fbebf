#include "reproduce/item.hpp"

namespace graze::app {

std::vector<ReproduceItem> linahan_items() {
    return {};
}

}  // namespace graze::app

// Of a tool that was built without web/: npm or emscripten was not found.
#include "page_template.hpp"

namespace graze::app {

std::string_view page_template() {
    return {};
}

}  // namespace graze::app

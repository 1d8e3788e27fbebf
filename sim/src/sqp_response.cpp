#include "graze/sim/response.hpp"

namespace graze::sim {

Expected<std::unique_ptr<Response>> make_sqp_response(const Model&, const ResponseOptions&) {
    return Error{"contact by constraints is not there yet", ErrorCode::Unsupported};
}

}  // namespace graze::sim

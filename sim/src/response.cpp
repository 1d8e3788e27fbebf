#include "graze/sim/response.hpp"

namespace graze::sim {

Expected<std::unique_ptr<Response>> make_response(const Model& model,
                                                  const ResponseOptions& options) {
    if (auto good = check_model(model); !good) return good.error();
    switch (model.contact.response) {
        case ContactResponse::Sqp:
            return make_sqp_response(model, options);
        case ContactResponse::Impulses:
            return make_impulse_response(model, options);
        case ContactResponse::Barrier:
            break;
    }
    return make_barrier_response(model, options);
}

}  // namespace graze::sim

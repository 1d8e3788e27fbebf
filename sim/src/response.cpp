#include "graze/sim/response.hpp"

#include <algorithm>

namespace graze::sim {

std::vector<std::uint8_t> interior_vertices(const Model& model) {
    std::vector<std::uint8_t> inside(model.rest.size(), 1);
    for (const EdgeIndices& e : model.surface.edges)
        inside[e[0]] = inside[e[1]] = 0;
    for (const std::uint32_t v : model.surface.points)
        inside[v] = 0;
    return inside;
}

StepOptions collision_options(const Model& model) {
    StepOptions options;
    options.filter.fixed = model.fixed;
    auto inside = std::make_shared<const std::vector<std::uint8_t>>(interior_vertices(model));
    if (std::find(inside->begin(), inside->end(), 1) == inside->end()) return options;
    options.filter.accepts = [inside](QueryKind kind, std::uint32_t a, std::uint32_t) {
        return kind != QueryKind::VertexFace || (*inside)[a] == 0;
    };
    return options;
}

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

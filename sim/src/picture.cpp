#include "graze/sim/picture.hpp"

#include <algorithm>

#include "graze/sim/render.hpp"

namespace graze::sim {
namespace {

// Of all edges those that no face has: strands.
std::vector<EdgeIndices> strands_of(const Model& model) {
    std::vector<EdgeIndices> strands;
    for (const StrandEdge& edge : model.strand_edges)
        strands.push_back(edge.v);
    return strands;
}

// Bodies are numbered in the order in which they were added; all strands have colours of hair.
std::vector<Colour> colours_of(const Model& model) {
    std::uint32_t bodies = 0;
    for (const std::uint32_t body : model.body)
        bodies = std::max(bodies, body + 1);
    std::vector<Colour> colours;
    for (std::uint32_t i = 0; i < bodies; ++i)
        colours.push_back(body_colour(i));
    for (const StrandEdge& edge : model.strand_edges) {
        const std::uint32_t body = model.body[edge.v[0]];
        const double shade = 0.75 + 0.25 * ((body * 7) % 5) / 4.0;
        colours[body] = {0.52 * shade, 0.33 * shade, 0.20 * shade};
    }
    for (std::size_t v = 0; v < model.fixed.size(); ++v)
        if (model.fixed[v] != 0) colours[model.body[v]] = {0.62, 0.60, 0.57};
    return colours;
}

}  // namespace

Expected<std::string> picture_png(const Model& model, std::span<const Vec3> x,
                                  const PictureOptions& options) {
    std::vector<Vec3> in_view(x.begin(), x.end());
    const std::vector<Vec3>& start = model.start.empty() ? model.rest : model.start;
    in_view.insert(in_view.end(), start.begin(), start.end());
    const std::vector<EdgeIndices> strands = strands_of(model);
    const std::vector<Colour> colours = colours_of(model);
    const DrawnMesh mesh{x, model.surface.faces, strands, model.body, colours};
    RenderOptions render_options;
    render_options.width = static_cast<std::uint32_t>(std::max(1, options.width));
    render_options.height = static_cast<std::uint32_t>(std::max(1, options.height));
    const double aspect = static_cast<double>(render_options.width) / render_options.height;
    const Camera camera = fitted_camera(in_view, {0.25, -1.0, 0.4}, {0.0, 0.0, 1.0}, aspect);
    const auto image = render(mesh, camera, render_options);
    if (!image) return image.error();
    const auto png = to_png(*image);
    if (!png) return png.error();
    return std::string(png->begin(), png->end());
}

std::string run_page(const Model&, std::span<const FrameStats>, std::span<const std::string>) {
    return {};
}

}  // namespace graze::sim

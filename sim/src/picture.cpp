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
    // Obstacles have no element of their own: those that rest are grey, figures like wood.
    std::vector<std::uint8_t> is_obstacle(bodies, 1);
    for (const Tetrahedron& t : model.tetrahedra)
        is_obstacle[model.body[t.v[0]]] = 0;
    for (const ClothTriangle& t : model.cloth_triangles)
        is_obstacle[model.body[t.v[0]]] = 0;
    for (const StrandEdge& e : model.strand_edges)
        is_obstacle[model.body[e.v[0]]] = 0;
    for (std::size_t v = 0; v < model.fixed.size(); ++v) {
        if (is_obstacle[model.body[v]] == 0) continue;
        colours[model.body[v]] =
            model.fixed[v] != 0 ? Colour{0.62, 0.60, 0.57} : Colour{0.86, 0.74, 0.60};
    }
    return colours;
}

// The start, all that scripts move and what the model names, and points beside them where all that is
// flat: cloth that lies at the start hangs later. It does not depend on the frame, so that the camera rests.
std::vector<Vec3> points_in_view(const Model& model) {
    std::vector<Vec3> points = model.start.empty() ? model.rest : model.start;
    const std::vector<Vec3> start = points;
    for (const Script& script : model.scripts) {
        for (const ScriptKey& key : script.keys) {
            std::vector<Vec3> x = start;
            apply_scripts(model, key.time, x);
            for (const std::uint32_t v : script.vertices)
                points.push_back(x[v]);
        }
    }
    points.insert(points.end(), model.in_view.begin(), model.in_view.end());
    Vec3 low = points.front();
    Vec3 high = points.front();
    for (const Vec3& p : points) {
        for (std::size_t a = 0; a < 3; ++a) {
            low[a] = std::min(low[a], p[a]);
            high[a] = std::max(high[a], p[a]);
        }
    }
    constexpr double kLeastOfLargest = 0.5;
    const double half = 0.5 * kLeastOfLargest * norm_max(high - low);
    for (std::size_t a = 0; a < 3; ++a) {
        Vec3 beside = 0.5 * (low + high);
        for (const double side : {-half, 2.0 * half}) {
            beside[a] += side;
            points.push_back(beside);
        }
    }
    return points;
}

}  // namespace

Expected<std::string> picture_png(const Model& model, std::span<const Vec3> x,
                                  const PictureOptions& options) {
    const std::vector<EdgeIndices> strands = strands_of(model);
    const std::vector<Colour> colours = colours_of(model);
    const DrawnMesh mesh{x, model.surface.faces, strands, model.body, colours};
    RenderOptions render_options;
    render_options.width = static_cast<std::uint32_t>(std::max(1, options.width));
    render_options.height = static_cast<std::uint32_t>(std::max(1, options.height));
    const double aspect = static_cast<double>(render_options.width) / render_options.height;
    const Camera camera =
        fitted_camera(points_in_view(model), {0.25, -1.0, 0.4}, {0.0, 0.0, 1.0}, aspect);
    const auto image = render(mesh, camera, render_options);
    if (!image) return image.error();
    const auto png = to_png(*image);
    if (!png) return png.error();
    return std::string(png->begin(), png->end());
}

}  // namespace graze::sim

#include "graze/sim/render.hpp"

#include <limits>
#include <string>

#include "graze/core/elementary.hpp"
#include "raster.hpp"

namespace graze::sim {
namespace {

using detail::mixed;
using detail::rasterise;
using detail::ScreenPoint;
using detail::unit;

constexpr double kNone = -std::numeric_limits<double>::infinity();

// A triangle with what its shading needs.
struct Painted {
    std::array<Vec3, 3> position;
    std::array<Vec3, 3> normal;
    Colour colour;
    bool casts_shadow = true;
};

struct Frame {
    Vec3 right, up, forward;
};

Frame frame_of(const Vec3& forward, const Vec3& up) {
    Vec3 right = unit(cross(forward, up));
    // Straight along `up`: any direction across it will do.
    if (norm_sq(right) == 0.0) right = unit(cross(forward, Vec3{up.y, up.z, up.x}));
    if (norm_sq(right) == 0.0) right = unit(cross(forward, Vec3{1.0, 0.3, 0.2}));
    return {right, cross(right, forward), forward};
}

class PerspectiveView {
public:
    PerspectiveView(const Camera& camera, std::uint32_t width, std::uint32_t height)
        : eye_(camera.eye),
          frame_(frame_of(unit(camera.target - camera.eye), camera.up)),
          focal_(0.5 * height / tangent(0.5 * camera.field_of_view)),
          middle_x_(0.5 * width),
          middle_y_(0.5 * height),
          nearest_(1e-4 * norm(camera.target - camera.eye)) {}

    [[nodiscard]] ScreenPoint operator()(const Vec3& x) const {
        const Vec3 d = x - eye_;
        const double depth = dot(d, frame_.forward);
        const bool visible = is_finite(d) && depth > nearest_;
        if (!visible) return {};
        const double scale = focal_ / depth;
        return {middle_x_ + scale * dot(d, frame_.right), middle_y_ - scale * dot(d, frame_.up),
                1.0 / depth, true};
    }
    [[nodiscard]] const Vec3& eye() const { return eye_; }

private:
    Vec3 eye_;
    Frame frame_;
    double focal_;
    double middle_x_;
    double middle_y_;
    double nearest_;
};

// What the light sees: samples that it does not are in shadow.
class ShadowMap {
public:
    static constexpr std::uint32_t kSize = 1024;

    ShadowMap(const std::vector<Painted>& triangles, const Vec3& light, const Vec3& up)
        : frame_(frame_of(-light, up)), nearness_(std::size_t{kSize} * kSize, kNone) {
        fit(triangles);
        for (const Painted& t : triangles) {
            if (!t.casts_shadow) continue;
            const std::array<ScreenPoint, 3> p = {(*this)(t.position[0]), (*this)(t.position[1]),
                                                  (*this)(t.position[2])};
            rasterise(p, kSize, kSize, [&](std::size_t x, std::size_t y, const auto& w) {
                double& slot = nearness_[y * kSize + x];
                slot = std::max(slot, mixed(w, p[0].nearness, p[1].nearness, p[2].nearness));
            });
        }
    }

    // The fraction of the light that reaches x: over 3 x 3 samples, so that borders are soft.
    [[nodiscard]] double lit(const Vec3& x) const {
        const ScreenPoint p = (*this)(x);
        if (!p.visible) return 1.0;
        int reached = 0;
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx)
                reached += is_lit(p, dx, dy) ? 1 : 0;
        }
        return reached / 9.0;
    }

private:
    void fit(const std::vector<Painted>& triangles) {
        double radius = 0.0;
        Vec3 low{1e300, 1e300, 1e300};
        Vec3 high = -low;
        for (const Painted& t : triangles) {
            if (!t.casts_shadow) continue;
            for (const Vec3& x : t.position) {
                for (std::size_t a = 0; a < 3; ++a) {
                    low[a] = std::min(low[a], x[a]);
                    high[a] = std::max(high[a], x[a]);
                }
            }
        }
        if (low.x <= high.x) {
            middle_ = 0.5 * (low + high);
            radius = 0.5 * norm(high - low);
        }
        scale_ = radius > 0.0 ? 0.5 * (kSize - 4.0) / radius : 1.0;
        bias_ = 3.0 / scale_;  // three samples: steeper surfaces would shade themselves
    }
    [[nodiscard]] ScreenPoint operator()(const Vec3& x) const {
        const Vec3 d = x - middle_;
        if (!is_finite(d)) return {};
        return {0.5 * kSize + scale_ * dot(d, frame_.right),
                0.5 * kSize - scale_ * dot(d, frame_.up), -dot(d, frame_.forward), true};
    }
    [[nodiscard]] bool is_lit(const ScreenPoint& p, int dx, int dy) const {
        const double x = std::floor(p.x) + dx;
        const double y = std::floor(p.y) + dy;
        if (!(x >= 0.0 && y >= 0.0 && x < kSize && y < kSize)) return true;
        return nearness_[static_cast<std::size_t>(y) * kSize + static_cast<std::size_t>(x)] <=
               p.nearness + bias_;
    }

    Frame frame_;
    std::vector<double> nearness_;
    Vec3 middle_;
    double scale_ = 1.0;
    double bias_ = 0.0;
};

std::uint32_t body_of(const DrawnMesh& mesh, std::uint32_t vertex) {
    return vertex < mesh.body.size() ? mesh.body[vertex] : 0;
}

Colour colour_of(const DrawnMesh& mesh, std::uint32_t vertex) {
    const std::size_t body = body_of(mesh, vertex);
    return body < mesh.colours.size() ? mesh.colours[body] : body_colour(body);
}

Vec3 area_normal(const std::span<const Vec3> x, const FaceIndices& f) {
    return cross(x[f[1]] - x[f[0]], x[f[2]] - x[f[0]]);
}

// Sums over the faces of each vertex, weighted by area.
std::vector<Vec3> vertex_normals(const DrawnMesh& mesh) {
    std::vector<Vec3> normals(mesh.positions.size());
    for (const FaceIndices& f : mesh.faces) {
        const Vec3 n = area_normal(mesh.positions, f);
        for (const std::uint32_t v : f)
            normals[v] += n;
    }
    return normals;
}

void add_faces(const DrawnMesh& mesh, std::vector<Painted>& triangles) {
    const std::vector<Vec3> smooth = vertex_normals(mesh);
    for (const FaceIndices& f : mesh.faces) {
        Painted t;
        const Vec3 flat = unit(area_normal(mesh.positions, f));
        for (std::size_t c = 0; c < 3; ++c) {
            t.position[c] = mesh.positions[f[c]];
            const Vec3 n = unit(smooth[f[c]]);
            t.normal[c] = dot(n, flat) > 0.7 ? n : flat;  // a crease of more than 45 degrees stays
        }
        t.colour = colour_of(mesh, f[0]);
        triangles.push_back(t);
    }
}

// Each edge as a ribbon across the line of sight, with normals that bend over it as over a tube.
void add_strands(const DrawnMesh& mesh, const Vec3& eye, double width,
                 std::vector<Painted>& triangles) {
    for (const EdgeIndices& e : mesh.strands) {
        const Vec3 a = mesh.positions[e[0]];
        const Vec3 b = mesh.positions[e[1]];
        const Vec3 to_eye = unit(eye - 0.5 * (a + b));
        const Vec3 across = unit(cross(b - a, to_eye));
        const Vec3 half = 0.5 * width * across;
        const Vec3 left = unit(to_eye - across);
        const Vec3 right = unit(to_eye + across);
        const Colour colour = colour_of(mesh, e[0]);
        triangles.push_back({{a - half, a + half, b + half}, {left, right, right}, colour});
        triangles.push_back({{a - half, b + half, b - half}, {left, right, left}, colour});
    }
}

// A square of many triangles, so that leaving out those behind the eye leaves out little.
void add_floor(const Camera& camera, const RenderOptions& options,
               std::vector<Painted>& triangles) {
    const Vec3 up = unit(camera.up);
    const Frame f = frame_of(unit(camera.target - camera.eye), up);
    const Vec3 ahead = cross(up, f.right);
    const Vec3 middle = camera.target + (*options.floor - dot(camera.target, up)) * up;
    constexpr int kCells = 48;
    const double half = 2.5 * norm(camera.target - camera.eye);
    const auto at = [&](int i, int j) {
        return middle + (half * (2.0 * i / kCells - 1.0)) * f.right +
               (half * (2.0 * j / kCells - 1.0)) * ahead;
    };
    for (int i = 0; i < kCells; ++i) {
        for (int j = 0; j < kCells; ++j) {
            const std::array<Vec3, 3> n = {up, up, up};
            const Colour c = options.floor_colour;
            triangles.push_back({{at(i, j), at(i + 1, j), at(i + 1, j + 1)}, n, c, false});
            triangles.push_back({{at(i, j), at(i + 1, j + 1), at(i, j + 1)}, n, c, false});
        }
    }
}

struct Light {
    Vec3 direction;
    Vec3 up;
    const ShadowMap* shadows = nullptr;
};

double power_24(double x) {
    const double cube = x * x * x;
    const double sixth = cube * cube;
    const double twelfth = sixth * sixth;
    return twelfth * twelfth;
}

Colour shaded(const Painted& t, const Vec3& x, const Vec3& smooth_normal, const Vec3& eye,
              const Light& light) {
    const Vec3 to_eye = unit(eye - x);
    Vec3 n = unit(smooth_normal);
    if (dot(n, to_eye) < 0.0) n = -n;  // both sides are lit
    const double facing = std::max(0.0, dot(n, light.direction));
    const double reached = light.shadows != nullptr && facing > 0.0 ? light.shadows->lit(x) : 1.0;
    const double sky = 0.44 + 0.14 * dot(n, light.up) + 0.10 * dot(n, to_eye);
    const double diffuse = sky + 0.50 * facing * reached;
    const Vec3 half = unit(light.direction + to_eye);
    const double gloss = 0.10 * reached * power_24(std::max(0.0, dot(n, half)));
    Colour c{};
    for (std::size_t i = 0; i < 3; ++i)
        c[i] = std::clamp(t.colour[i] * diffuse + gloss, 0.0, 1.0);
    return c;
}

// Samples of the picture: the colour of what is nearest to the eye.
struct Samples {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<double> nearness;
    std::vector<std::uint32_t> triangle;  // which one; only it is shaded
    std::vector<Colour> colour;
};

constexpr std::uint32_t kNoTriangle = std::numeric_limits<std::uint32_t>::max();

template <class Put>
void for_each_sample(const std::vector<Painted>& triangles, const PerspectiveView& view,
                     const Samples& samples, Put&& put) {
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        const auto& x = triangles[i].position;
        const std::array<ScreenPoint, 3> p = {view(x[0]), view(x[1]), view(x[2])};
        rasterise(p, samples.width, samples.height,
                  [&](std::size_t column, std::size_t row, const auto& w) {
                      put(static_cast<std::uint32_t>(i), row * samples.width + column, p, w);
                  });
    }
}

// First who is nearest, then its colour: nothing hidden is shaded.
void draw(const std::vector<Painted>& triangles, const PerspectiveView& view, const Light& light,
          Samples& samples) {
    for_each_sample(triangles, view, samples,
                    [&](std::uint32_t i, std::size_t at, const auto& p, const auto& w) {
                        const double near = mixed(w, p[0].nearness, p[1].nearness, p[2].nearness);
                        if (near <= samples.nearness[at]) return;
                        samples.nearness[at] = near;
                        samples.triangle[at] = i;
                    });
    for_each_sample(triangles, view, samples,
                    [&](std::uint32_t i, std::size_t at, const auto& p, const auto& w) {
                        if (samples.triangle[at] != i) return;
                        // Weights on the surface, not on the screen.
                        std::array<double, 3> v{};
                        for (std::size_t c = 0; c < 3; ++c)
                            v[c] = w[c] * p[c].nearness;
                        const double sum = v[0] + v[1] + v[2];
                        for (double& weight : v)
                            weight /= sum;
                        const Painted& t = triangles[i];
                        const auto blend = [&](const std::array<Vec3, 3>& a) {
                            return v[0] * a[0] + v[1] * a[1] + v[2] * a[2];
                        };
                        samples.colour[at] =
                            shaded(t, blend(t.position), blend(t.normal), view.eye(), light);
                    });
}

Image averaged(const Samples& samples, std::uint32_t per_side) {
    Image image{samples.width / per_side, samples.height / per_side, {}};
    image.rgb.reserve(std::size_t{3} * image.width * image.height);
    for (std::size_t y = 0; y < image.height; ++y) {
        for (std::size_t x = 0; x < image.width; ++x) {
            for (std::size_t c = 0; c < 3; ++c) {
                double sum = 0.0;
                for (std::size_t dy = 0; dy < per_side; ++dy) {
                    for (std::size_t dx = 0; dx < per_side; ++dx)
                        sum +=
                            samples
                                .colour[(y * per_side + dy) * samples.width + x * per_side + dx][c];
                }
                const double mean = sum / (per_side * per_side);
                image.rgb.push_back(static_cast<std::uint8_t>(std::lround(255.0 * mean)));
            }
        }
    }
    return image;
}

Expected<void> check_sizes(const RenderOptions& options) {
    const auto is_size = [](std::uint32_t size) { return size >= 1 && size <= 16384; };
    if (!is_size(options.width) || !is_size(options.height))
        return Error{"the picture is 1 to 16384 pixels wide and high", ErrorCode::InvalidOption};
    if (options.samples < 1 || options.samples > 8)
        return Error{"1 to 8 samples along each side of a pixel", ErrorCode::InvalidOption};
    return {};
}

}  // namespace

Colour body_colour(std::size_t body) noexcept {
    static constexpr std::array<Colour, 12> kColours = {{{0.36, 0.56, 0.82},
                                                         {0.85, 0.45, 0.33},
                                                         {0.45, 0.69, 0.42},
                                                         {0.88, 0.71, 0.33},
                                                         {0.60, 0.47, 0.74},
                                                         {0.40, 0.70, 0.70},
                                                         {0.82, 0.50, 0.66},
                                                         {0.62, 0.52, 0.42},
                                                         {0.55, 0.62, 0.27},
                                                         {0.30, 0.42, 0.58},
                                                         {0.75, 0.33, 0.42},
                                                         {0.58, 0.58, 0.60}}};
    return kColours[body % kColours.size()];
}

Camera fitted_camera(std::span<const Vec3> positions, const Vec3& direction, const Vec3& up,
                     double aspect) {
    Camera camera;
    camera.up = up;
    const Vec3 back = unit(direction);
    const Frame frame = frame_of(-back, up);
    Vec3 low{-1.0, -1.0, -1.0};
    Vec3 high{1.0, 1.0, 1.0};
    const std::array<Vec3, 3> axes = {frame.right, frame.up, back};
    for (std::size_t i = 0; i < positions.size(); ++i) {
        for (std::size_t a = 0; a < 3; ++a) {
            const double s = dot(positions[i], axes[a]);
            low[a] = i == 0 ? s : std::min(low[a], s);
            high[a] = i == 0 ? s : std::max(high[a], s);
        }
    }
    const Vec3 middle = 0.5 * (low + high);
    camera.target = middle.x * frame.right + middle.y * frame.up + middle.z * back;
    // As near as all points allow, with a margin at each border.
    const double across = tangent(0.5 * camera.field_of_view) / 1.1;
    double distance = positions.empty() ? 1.0 / across + 1.0 : 0.0;
    for (const Vec3& x : positions) {
        const Vec3 d = x - camera.target;
        const double off =
            std::max(std::fabs(dot(d, frame.up)), std::fabs(dot(d, frame.right)) / aspect);
        distance = std::max(distance, off / across + dot(d, back));
    }
    if (!(distance > 0.0)) distance = 1.0;  // a single point
    camera.eye = camera.target + distance * back;
    return camera;
}

Expected<Image> render(const DrawnMesh& mesh, const Camera& camera, const RenderOptions& options) {
    if (const auto fine = check_sizes(options); !fine) return fine.error();
    std::vector<Painted> triangles;
    add_faces(mesh, triangles);
    const double picture_height =
        2.0 * norm(camera.target - camera.eye) * tangent(0.5 * camera.field_of_view);
    add_strands(mesh, camera.eye,
                mesh.strand_width > 0.0 ? mesh.strand_width : picture_height / 400.0, triangles);
    if (options.floor) add_floor(camera, options, triangles);

    Samples samples{options.width * options.samples, options.height * options.samples, {}, {}, {}};
    const std::size_t count = std::size_t{samples.width} * samples.height;
    samples.nearness.assign(count, kNone);
    samples.triangle.assign(count, kNoTriangle);
    samples.colour.assign(count, options.background);

    Light light{unit(options.light), unit(camera.up), nullptr};
    std::optional<ShadowMap> shadows;
    if (options.shadows) light.shadows = &shadows.emplace(triangles, light.direction, light.up);
    draw(triangles, PerspectiveView(camera, samples.width, samples.height), light, samples);
    return averaged(samples, options.samples);
}

}  // namespace graze::sim

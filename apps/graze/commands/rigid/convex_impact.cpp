#include "convex_impact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/output.hpp"
#include "cli/poses_file.hpp"
#include "graze/core/elementary.hpp"
#include "graze/core/quaternion.hpp"
#include "graze/io/mesh_file.hpp"
#include "graze/io/polygon_mesh.hpp"
#include "graze/rigid/impact.hpp"
#include "graze/rigid/polyhedron.hpp"

namespace graze::app {
namespace {

using rigid::BodyMotion;
using rigid::BodyStep;
using rigid::ConvexShape;

constexpr std::array kMotions = {"screw", "slerp", "nlerp", "spin", "rotation-vector", "affine"};

// Numbers joined by commas, as many as wanted.
template <std::size_t N>
std::optional<std::array<double, N>> numbers_of(std::string_view text) {
    std::array<double, N> values{};
    for (std::size_t i = 0; i < N; ++i) {
        const char* end = text.data() + text.size();
        const auto [rest, failed] = std::from_chars(text.data(), end, values[i]);
        if (failed != std::errc{} || !is_finite(values[i])) return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
        if (i + 1 == N) return text.empty() ? std::optional(values) : std::nullopt;
        if (text.empty() || text.front() != ',') return std::nullopt;
        text.remove_prefix(1);
    }
    return values;
}

Expected<ConvexShape> hull_of_file(const std::string& file) {
    const auto mesh = io::read_polygon_mesh(file);
    if (!mesh) return mesh.error();
    auto shape = ConvexShape::hull(mesh->positions);
    if (!shape) return Error{file + ": " + shape.error().message};
    return shape;
}

constexpr std::string_view kSurface = "surface:";
bool is_surface(const std::string& text) {
    return text.size() > kSurface.size() && text.starts_with(kSurface);
}
Expected<rigid::RigidBody> surface_of_file(const std::string& file) {
    const auto mesh = io::read_polygon_mesh(file);
    if (!mesh) return mesh.error();
    auto surface =
        rigid::Polyhedron::build(mesh->positions, mesh->corner_counts(), mesh->corners());
    if (!surface) return Error{file + ": " + surface.error().message};
    return rigid::RigidBody(std::move(*surface));
}

// The axis times the smaller angle of a rotation.
Vec3 rotation_vector_of(const Quaternion& q) {
    const Quaternion unit = normalised(q);
    const double sign = unit.w < 0.0 ? -1.0 : 1.0;
    const Vec3 v = sign * vector_part(unit);
    const double sine = norm(v);
    if (!(sine > 0.0)) return {};
    return (2.0 * arc_tangent(sine, sign * unit.w) / sine) * v;
}

std::array<double, 12> matrix_rows(const Pose& pose) {
    const std::array<double, 16> matrix = matrix_from_pose(pose);
    std::array<double, 12> rows{};
    std::copy_n(matrix.begin(), rows.size(), rows.begin());
    return rows;
}

Expected<BodyMotion> motion_named(const ConvexRequest& request, const BodyStep& step,
                                  const std::string& spin) {
    if (request.motion == "slerp") return BodyMotion::slerp(step);
    if (request.motion == "nlerp") return BodyMotion::nlerp(step);
    if (request.motion == "affine")
        return BodyMotion::affine(matrix_rows(step.start), matrix_rows(step.end));
    if (request.motion == "rotation-vector")
        return BodyMotion::rotation_vector(
            rotation_vector_of(step.start.rotation), step.start.translation,
            rotation_vector_of(step.end.rotation), step.end.translation);
    if (request.motion == "spin") {
        Vec3 velocity =
            rotation_vector_of(product(step.end.rotation, conjugate(step.start.rotation)));
        if (!spin.empty()) {
            const auto given = numbers_of<3>(spin);
            if (!given) return Error{"--spin-a and --spin-b are three numbers, X,Y,Z"};
            velocity = {(*given)[0], (*given)[1], (*given)[2]};
        }
        return BodyMotion::spin(step.start, step.end.translation, velocity);
    }
    return BodyMotion::screw(step);
}

// What is known of the start: nothing is decided where the bodies touch exactly, or within rounding
// errors.
std::string_view start_of(const rigid::ImpactResult& found) {
    if (found.toi_lower > 0.0) return "apart";
    if (found.verdict == Verdict::Contact && found.toi_upper == 0.0) return "touching";
    return "unknown";
}

Json impact_json(const ConvexRequest& request, const rigid::ImpactResult& found) {
    const bool has_contact = norm_max(found.contact.normal) > 0.0;
    return {
        {"shape_a", request.shape_a},
        {"shape_b", request.shape_b},
        {"motion", request.motion},
        {"poses", request.poses},
        {"start", start_of(found)},
        {"first", Json{{"verdict", name(found.verdict)},
                       {"toi_lower", json_number(found.toi_lower)},
                       {"toi_upper", json_number(found.toi_upper)},
                       {"position", has_contact ? json_vector(found.contact.point) : Json(nullptr)},
                       {"normal", has_contact ? json_vector(found.contact.normal) : Json(nullptr)},
                       {"checks", found.checks}}},
        {"min_separation", request.impact.min_separation},
        {"time_width", request.impact.time_width},
        {"t_max", request.impact.t_max},
        {"build", to_json(build_info())}};
}

std::string impact_text(const rigid::ImpactResult& found) {
    std::string text = fmt::format("start       {}\n", start_of(found));
    switch (found.verdict) {
        case Verdict::Separated:
            return text + "first       separated\n";
        case Verdict::Contact:
            text +=
                fmt::format("first       contact, t in [{}, {}]", found.toi_lower, found.toi_upper);
            break;
        case Verdict::Unresolved:
            text += found.toi_lower > 0.0
                        ? fmt::format(
                              "first       unresolved, [0, {}) is free: grazing within "
                              "rounding errors, or the budget is spent",
                              found.toi_lower)
                        : std::string(
                              "first       unresolved: touching at the start, within "
                              "rounding errors, or the budget is spent");
            break;
    }
    if (norm_max(found.contact.normal) > 0.0) {
        const Vec3& p = found.contact.point;
        const Vec3& n = found.contact.normal;
        text += fmt::format(", at ({:.6g}, {:.6g}, {:.6g}), normal ({:.6g}, {:.6g}, {:.6g})", p.x,
                            p.y, p.z, n.x, n.y, n.z);
    }
    return text + "\n";
}

}  // namespace

Expected<ConvexShape> convex_shape_named(const std::string& text) {
    const std::size_t colon = text.find(':');
    const std::string kind = text.substr(0, colon);
    const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
    if (kind == "hull" && !rest.empty()) return hull_of_file(rest);
    if (kind == "sphere") {
        if (const auto r = numbers_of<1>(rest)) return ConvexShape::sphere((*r)[0]);
    } else if (kind == "box") {
        if (const auto h = numbers_of<3>(rest))
            return ConvexShape::box({(*h)[0], (*h)[1], (*h)[2]});
    } else if (kind == "capsule") {
        if (const auto s = numbers_of<2>(rest))
            return ConvexShape::capsule({0.0, 0.0, -(*s)[1]}, {0.0, 0.0, (*s)[1]}, (*s)[0]);
    } else if (kind == "cylinder") {
        if (const auto s = numbers_of<2>(rest)) return ConvexShape::cylinder((*s)[0], (*s)[1]);
    }
    return Error{
        "'" + text +
        "' is no shape: sphere:R, box:X,Y,Z, capsule:R,H, cylinder:R,H, hull:FILE or, for both "
        "bodies, surface:FILE"};
}

namespace {

// Two surfaces, or two convex shapes.
Expected<rigid::ImpactResult> impact_of(const ConvexRequest& request, const BodyMotion& motion_a,
                                        const BodyMotion& motion_b) {
    if (is_surface(request.shape_a) && is_surface(request.shape_b)) {
        const auto a = surface_of_file(request.shape_a.substr(kSurface.size()));
        if (!a) return Error{"--shape-a: " + a.error().message};
        const auto b = surface_of_file(request.shape_b.substr(kSurface.size()));
        if (!b) return Error{"--shape-b: " + b.error().message};
        return rigid::first_impact(*a, motion_a, *b, motion_b, request.impact);
    }
    const auto a = convex_shape_named(request.shape_a);
    if (!a) return Error{"--shape-a: " + a.error().message};
    const auto b = convex_shape_named(request.shape_b);
    if (!b) return Error{"--shape-b: " + b.error().message};
    return rigid::first_impact(*a, motion_a, *b, motion_b, request.impact);
}

}  // namespace

void check_convex_request(const ConvexRequest& request) {
    if (request.shape_a.empty() || request.shape_b.empty())
        fail_usage("--shape-a and --shape-b go together");
    if (request.poses.empty()) fail_usage("--poses is required");
    if (std::find(kMotions.begin(), kMotions.end(), request.motion) == kMotions.end()) {
        fail_usage("--motion is screw, slerp, nlerp, spin, rotation-vector or affine, not '" +
                   request.motion + "'");
    }
    if (is_surface(request.shape_a) && is_surface(request.shape_b) && request.motion == "affine")
        fail_usage("--motion affine is for convex shapes: surfaces keep their lengths");
}

Expected<ExitCode> run_convex_impact(const ConvexRequest& request) {
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    const auto step = read_poses(request.poses);
    if (!step) return step.error();
    const auto motion_a = motion_named(request, step->a, request.spin_a);
    if (!motion_a) return motion_a.error();
    const auto motion_b = motion_named(request, step->b, request.spin_b);
    if (!motion_b) return motion_b.error();
    if (!motion_a->is_valid() || !motion_b->is_valid())
        return Error{"the motion has numbers that cannot be worked with"};
    const auto found = impact_of(request, *motion_a, *motion_b);
    if (!found) return found.error();
    if (auto written = json->write(impact_json(request, *found)); !written) return written.error();
    const ExitCode code = exit_code_of(found->verdict, request.exit_code);
    if (json->owns_stdout()) return code;
    return succeeded(print_report(impact_text(*found)), code);
}

}  // namespace graze::app

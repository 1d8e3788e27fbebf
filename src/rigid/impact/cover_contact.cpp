// What covers decide by themselves: separation, and contact right where their parts meet. Derivation:
// docs/derivations/rigid_impact.md, RI-9.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "rigid/convex/support.hpp"
#include "rigid/impact/cover.hpp"
#include "rigid/impact/motion_search.hpp"
#include "rigid/impact/proof.hpp"
#include "rigid/impact/tree.hpp"

namespace graze::rigid::detail {

namespace {

// Pieces of a part at a point of it, the first few.
struct NearPieces {
    static constexpr std::size_t kMost = 8;
    std::array<const Piece*, kMost> pieces{};
    std::size_t count = 0;
};

// Estimates: a piece too many or too few costs time alone.
[[nodiscard]] bool is_at(const Piece& piece, const Vec3& p, double tolerance) noexcept {
    if (!(std::fabs(dot(piece.normal, p - piece.corner(0))) <= tolerance)) return false;
    const auto is_between = [&](const std::array<double, 4>& at, double x) {
        const auto [low, high] = std::minmax_element(at.begin(), at.end());
        return *low - tolerance <= x && x <= *high + tolerance;
    };
    return is_between(piece.x, p.x) && is_between(piece.y, p.y) && is_between(piece.z, p.z);
}
[[nodiscard]] NearPieces pieces_at(const BodyTree& body, std::size_t part,
                                   const Vec3& point) noexcept {
    constexpr double kNear = 0x1p-20;
    NearPieces near;
    const Vec3 p = point - body.extent.centre;
    for (const std::uint32_t i : body.cover.parts[part].pieces) {
        if (near.count == NearPieces::kMost) break;
        if (is_at(body.pieces[i], p, kNear * body.extent.radius))
            near.pieces[near.count++] = &body.pieces[i];
    }
    return near;
}

// Contact of the pieces at one time, by proof (RI-6).
struct FaceContact {
    double time = 0.0;
    std::uint32_t a = kNoFace;
    std::uint32_t b = kNoFace;
};
[[nodiscard]] std::optional<FaceContact> contact_at(const MotionPair& motion, double time,
                                                    const NearPieces& of_a, const NearPieces& of_b,
                                                    const ImpactOptions& options,
                                                    ImpactResult& result) noexcept {
    const MotionPair::ErrorFrame at = motion.frame(time);
    const double d = options.min_separation;
    for (std::size_t j = 0; j < of_b.count; ++j) {
        const Piece& b = *of_b.pieces[j];
        const Corners at_b = transformed(at.frame, b);
        for (std::size_t i = 0; i < of_a.count; ++i) {
            const Piece& a = *of_a.pieces[i];
            ++result.checks;
            if (d > 0.0 ? is_within(corners_of(a), a.triangles, at_b, b.triangles, at.error, d)
                        : is_pierced(corners_of(a), a.triangles, at_b, b.triangles, at.error))
                return FaceContact{time, a.face, b.face};
        }
    }
    return std::nullopt;
}

// Soon after the time at which the parts meet, within the width of the bracket.
[[nodiscard]] std::optional<FaceContact> contact_after(const BodyTree& a, const Motion& motion_a,
                                                       const BodyTree& b, const Motion& motion_b,
                                                       const ImpactOptions& options,
                                                       const CoverTime& covered,
                                                       ImpactResult& result) noexcept {
    const NearPieces of_a = pieces_at(a, covered.meeting.part_a, covered.meeting.on_a);
    const NearPieces of_b = pieces_at(b, covered.meeting.part_b, covered.meeting.on_b);
    if (of_a.count == 0 || of_b.count == 0) return std::nullopt;
    const MotionPair motion(a, motion_a, b, motion_b);
    for (const double fraction : {0.25, 0.875}) {
        const double time = covered.free_until + std::max(fraction * options.time_width, 0x1p-50);
        if (!(time <= options.t_max) || result.checks >= options.max_checks) return std::nullopt;
        if (const auto found = contact_at(motion, time, of_a, of_b, options, result)) return found;
    }
    return std::nullopt;
}

void set_contact(ImpactResult& result, const FaceContact& found, const Motion& motion_a,
                 const Motion& motion_b, const CoverTime& covered) noexcept {
    result.verdict = Verdict::Contact;
    result.toi_lower = covered.free_until;
    result.toi_upper = found.time;
    Contact& contact = result.contact;
    contact.a = found.a;
    contact.b = found.b;
    contact.time = contact.time_lower = covered.free_until;
    contact.time_upper = found.time;
    contact.normal = covered.meeting.normal;
    const auto in_frame = [&](const Motion& motion, const Vec3& x) {
        const PoseEnclosure pose = motion.at(covered.free_until, {});
        return linear_times(pose.linear, x) + pose.translation;
    };
    contact.point =
        0.5 * (in_frame(motion_a, covered.meeting.on_a) + in_frame(motion_b, covered.meeting.on_b));
}

}  // namespace

bool decide_by_covers(const BodyTree& a, const Motion& motion_a, const BodyTree& b,
                      const Motion& motion_b, const ImpactOptions& options,
                      const CoverTime& covered, ImpactResult& result) noexcept {
    if (!covered.is_disjoint_start || options.stop.stop_requested()) return false;
    result = {};
    result.checks = covered.checks;
    result.start = StartState::Separated;
    if (covered.all_free) {
        result.verdict = Verdict::Separated;
        result.toi_lower = kInfinity;
        return true;
    }
    const auto found = contact_after(a, motion_a, b, motion_b, options, covered, result);
    if (found) set_contact(result, *found, motion_a, motion_b, covered);
    return found.has_value();
}

}  // namespace graze::rigid::detail

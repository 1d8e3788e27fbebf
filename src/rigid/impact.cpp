// The entry points of the certified searches: they check options, bodies and motion, and fail
// closed. Whatever is refused or runs out of memory returns the default: nothing is known.
#include "graze/rigid/impact.hpp"

#include <new>
#include <optional>
#include <utility>

#include "graze/core/quaternion.hpp"
#include "graze/rigid/motion.hpp"
#include "graze/rigid/screw_motion.hpp"
#include "rigid/impact/cover.hpp"
#include "rigid/impact/event_search.hpp"
#include "rigid/impact/options.hpp"
#include "rigid/impact/relative_motion.hpp"
#include "rigid/impact/search.hpp"
#include "rigid/impact/tree.hpp"
#include "rigid/nearest_faces.hpp"

namespace graze::rigid {

// Bounds that other arithmetic rounded are none: a tree without nodes proves nothing.
RigidBody::RigidBody(Polyhedron surface)
    : tree_(with_sound_arithmetic(
          [&] { return std::make_unique<detail::BodyTree>(std::move(surface)); },
          [&] {
              auto tree = std::make_unique<detail::BodyTree>(std::move(surface));
              tree->nodes.clear();
              return tree;
          })) {}
RigidBody::~RigidBody() = default;
RigidBody::RigidBody(RigidBody&&) noexcept = default;
RigidBody& RigidBody::operator=(RigidBody&&) noexcept = default;

const Polyhedron& RigidBody::surface() const noexcept {
    return tree_->surface;
}
const detail::BodyTree& detail::tree_of(const RigidBody& body) noexcept {
    return *body.tree_;
}

Expected<RigidBody> RigidBody::create(std::span<const Vec3> vertices,
                                      std::span<const std::array<std::uint32_t, 3>> triangles) {
    std::vector<std::uint32_t> corners;
    corners.reserve(3 * triangles.size());
    for (const auto& triangle : triangles)
        corners.insert(corners.end(), triangle.begin(), triangle.end());
    const std::vector<std::uint32_t> counts(triangles.size(), 3);
    auto surface = Polyhedron::build({vertices.begin(), vertices.end()}, counts, corners);
    if (!surface) return surface.error();
    return RigidBody(std::move(*surface));
}

namespace {

// Frames between 0 and this time are not covered by the bounds of positions (RI-3).
constexpr double kEarliest = detail::RelativeMotion::kEarliest;
[[nodiscard]] bool ends_too_early(double t_max) noexcept {
    return t_max > 0.0 && t_max < kEarliest;
}

// What a search up to kEarliest proves about a step that ends before: a contact counts only if it
// is proved by then.
[[nodiscard]] ImpactResult cut(ImpactResult found, double t_max) noexcept {
    if (found.verdict == Verdict::Separated || found.toi_upper <= t_max) return found;
    found.toi_upper = found.contact.time_upper = kInfinity;
    const bool is_free = found.toi_lower > t_max;
    found.verdict = is_free ? Verdict::Separated : Verdict::Unresolved;
    if (is_free) found.toi_lower = kInfinity;
    return found;
}

// The length of a quaternion does not matter to the search, and motions want one near 1. Nothing where
// that is not exact, which it is but for parts below 2^-1022 of the length: by such a part the sense of
// half a rotation may be decided (RI-1), so that it must not be lost.
[[nodiscard]] std::optional<PairStep> with_lengths_near_one(PairStep step) noexcept {
    for (Pose* pose : {&step.a.start, &step.a.end, &step.b.start, &step.b.end}) {
        const Quaternion near = near_one(pose->rotation);
        if (!(scaled(near, length_exponent(pose->rotation)) == pose->rotation)) return std::nullopt;
        pose->rotation = near;
    }
    return step;
}

// The motions of both bodies as enclosures: where A rests that of B is its own screw, else both are seen
// from A.
struct StepMotions {
    bool a_rests;
    BodyMotion a;
    BodyMotion b;

    explicit StepMotions(const PairStep& step) noexcept
        : a_rests(step.a.start == step.a.end),
          a(BodyMotion::rest(a_rests ? step.a.start : Pose{})),
          b(a_rests ? BodyMotion::screw(step.b) : BodyMotion::relative_screw(step)) {}
    [[nodiscard]] bool are_valid() const noexcept { return a.is_valid() && b.is_valid(); }
};

// Nothing is covered where the motions are not valid: then the search refuses them, too.
struct Covered {
    detail::CoverTime time;
    ImpactResult result;
    bool is_decided = false;
};
[[nodiscard]] Covered search_covers(const RigidBody& a, const RigidBody& b, const PairStep& step,
                                    const ImpactOptions& options) {
    Covered covered;
    const std::optional<PairStep> near = with_lengths_near_one(step);
    if (!near) return covered;
    const StepMotions motions(*near);
    if (!motions.are_valid()) return covered;
    const detail::BodyTree& tree_a = detail::tree_of(a);
    const detail::BodyTree& tree_b = detail::tree_of(b);
    covered.time =
        detail::free_by_covers(tree_a.cover, motions.a, tree_b.cover, motions.b, options);
    covered.is_decided = detail::decide_by_covers(tree_a, motions.a, tree_b, motions.b, options,
                                                  covered.time, covered.result);
    Contact& contact = covered.result.contact;
    if (covered.is_decided && contact.has_features() && !motions.a_rests) {
        const Pose pose = world_pose_a(step, contact.time);
        contact.point = apply(pose, contact.point);
        contact.normal = rotate(pose.rotation, contact.normal);
    }
    return covered;
}

// `found` is set only once the search has ended: an allocation that fails in the search leaves the
// default, one that fails in the estimate of the contact leaves what is proved.
ImpactResult sound_first_impact(const RigidBody& a, const RigidBody& b, const PairStep& step,
                                const ImpactOptions& options) noexcept {
    if (!detail::is_valid(options)) return {};
    if (detail::tree_of(a).nodes.empty() || detail::tree_of(b).nodes.empty()) return {};
    if (ends_too_early(options.t_max)) {
        ImpactOptions longer = options;
        longer.t_max = kEarliest;
        return cut(sound_first_impact(a, b, step, longer), options.t_max);
    }
    ImpactResult found;
    try {
        const Covered covered = search_covers(a, b, step, options);
        if (covered.is_decided) return covered.result;
        const detail::RelativeMotion motion(step, detail::tree_of(a).extent,
                                            detail::tree_of(b).extent);
        if (!motion.is_valid()) return {};
        found = detail::Search(a, b, step, options, motion).run(covered.time);
        detail::estimate_contact(found, a.surface(), b.surface(), step);
    } catch (const std::bad_alloc&) {
        // What is proved stays.
    }
    return found;
}

// Crossings are at distance 0, and windows that end before kEarliest have no frames: both are
// refused.
AllImpacts sound_all_impacts(const RigidBody& a, const RigidBody& b, const PairStep& step,
                             const ImpactOptions& options, double min_properness) noexcept {
    if (!detail::is_valid(options)) return {};
    if (!(options.min_separation == 0.0) || !is_finite(min_properness)) return {};
    if (ends_too_early(options.t_max)) return {};
    if (detail::tree_of(a).nodes.empty() || detail::tree_of(b).nodes.empty()) return {};
    const detail::RelativeMotion motion(step, detail::tree_of(a).extent, detail::tree_of(b).extent);
    if (!motion.is_valid()) return {};
    try {
        AllImpacts all = detail::EventSearch(a, b, options, motion).run(min_properness);
        // Properness depends on normals: where these are wrong, proper contacts were dropped.
        const bool has_normals =
            a.surface().report().is_oriented() && b.surface().report().is_oriented();
        if (min_properness > -1.0 && !has_normals) all.complete = false;
        return all;
    } catch (const std::bad_alloc&) {
        return {};
    }
}

}  // namespace

ImpactResult first_impact(const RigidBody& a, const RigidBody& b, const PairStep& step,
                          const ImpactOptions& options) noexcept {
    return with_sound_arithmetic([&]() noexcept { return sound_first_impact(a, b, step, options); },
                                 []() noexcept { return ImpactResult{}; });
}

AllImpacts all_impacts(const RigidBody& a, const RigidBody& b, const PairStep& step,
                       const ImpactOptions& options, double min_properness) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept { return sound_all_impacts(a, b, step, options, min_properness); },
        []() noexcept { return AllImpacts{}; });
}

}  // namespace graze::rigid

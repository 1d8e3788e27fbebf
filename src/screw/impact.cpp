#include "graze/screw/impact.hpp"

#include <new>
#include <utility>

#include "screw/impact/event_search.hpp"
#include "screw/impact/search.hpp"
#include "screw/impact/tree.hpp"

namespace graze::screw {

RigidBody::RigidBody(Polyhedron surface)
    : tree_(std::make_unique<const Tree>(std::move(surface))) {}
RigidBody::~RigidBody() = default;
RigidBody::RigidBody(RigidBody&&) noexcept = default;
RigidBody& RigidBody::operator=(RigidBody&&) noexcept = default;

const Polyhedron& RigidBody::surface() const noexcept {
    return tree_->surface;
}
const RigidBody::Tree& RigidBody::tree() const noexcept {
    return *tree_;
}

namespace {

[[nodiscard]] bool is_valid(const ImpactOptions& options) noexcept {
    return options.min_separation >= 0.0 && options.min_separation <= 0x1p+300 &&
           options.time_width > 0.0 && options.t_max >= 0.0 && options.t_max <= 1.0 &&
           options.max_checks > 0;
}

}  // namespace

ImpactResult first_impact(const RigidBody& a, const RigidBody& b, const PairStep& step,
                          const ImpactOptions& options) noexcept {
    if (!is_valid(options) || fp_environment() != FpEnvironment::Sound) return {};
    if (a.tree().nodes.empty() || b.tree().nodes.empty()) return {};
    const detail::RelativeMotion motion(step, a.tree().extent, b.tree().extent);
    if (!motion.is_valid()) return {};
    try {
        return detail::Search(a, b, step, options, motion).run();
    } catch (const std::bad_alloc&) {
        return {};
    }
}

AllImpacts all_impacts(const RigidBody& a, const RigidBody& b, const PairStep& step,
                       const ImpactOptions& options, double min_properness) noexcept {
    if (!is_valid(options) || fp_environment() != FpEnvironment::Sound) return {};
    if (!(options.min_separation == 0.0) || !is_finite(min_properness)) return {};
    if (a.tree().nodes.empty() || b.tree().nodes.empty()) return {};
    const detail::RelativeMotion motion(step, a.tree().extent, b.tree().extent);
    if (!motion.is_valid()) return {};
    try {
        return detail::EventSearch(a, b, options, motion).run(min_properness);
    } catch (const std::bad_alloc&) {
        return {};
    }
}

}  // namespace graze::screw

// The first impact of two rigid bodies whose relative motion is an exact screw, by proof.
//
// The motion is that of the poses as they are given (graze/rigid/step.hpp): no sampling, no raster,
// no tolerance. Derivation: docs/derivations/rigid_impact.md.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/stop.hpp"
#include "graze/narrow/ccd.hpp"
#include "graze/rigid/contact.hpp"
#include "graze/rigid/polyhedron.hpp"
#include "graze/rigid/start_state.hpp"
#include "graze/rigid/step.hpp"

namespace graze::rigid {

// What a body is.
enum class BodyModel : std::uint8_t {
    // A closed surface has an inside that belongs to the body: a body within it is in contact. A
    // surface with an open edge has none.
    Solid,
    // Every surface is a sheet: bodies meet where their surfaces do.
    SurfaceOnly,
};

struct ImpactOptions {
    // [length] >= 0: contact means distance <= min_separation (Euclidean).
    double min_separation = 0.0;
    // [fraction of the step] > 0: target width of [toi_lower, toi_upper]; it is wider where
    // the bodies close in so slowly that rounding errors hide the contact for longer.
    double time_width = 1e-9;
    // Only [0, t_max] is searched; contact at t_max counts.
    double t_max = 1.0;
    // Work budget: bounds of pairs of tree nodes or triangles over a slab of time. What is not
    // decided within it is Unresolved, with the toi_lower proved so far.
    std::uint64_t max_checks = 100'000'000;
    BodyModel model = BodyModel::Solid;
    // Asked every few microseconds; after a stop the search ends as if its budget were spent.
    StopToken stop{};
    // Gets the fraction of [0, t_max] that is searched (all_impacts(): the fraction of the work).
    ProgressSink progress{};
};

// The default is the safe one: nothing is known.
struct ImpactResult {
    Verdict verdict = Verdict::Unresolved;
    double toi_lower = 0.0;        // [0, toi_lower) is proved free; infinity for Separated
    double toi_upper = kInfinity;  // contact at or before it is proved; infinity without a proof
    StartState start = StartState::Unresolved;
    // The two faces that meet in the bracket; point and normal are estimates at toi_lower, in the
    // world: the middle between the nearest points of the faces, and the direction along these or,
    // where they coincide within rounding errors, across the features.
    Contact contact;
    std::uint64_t checks = 0;
};

class Motion;
class RigidBody;
namespace detail {
struct BodyTree;
[[nodiscard]] const BodyTree& tree_of(const RigidBody& body) noexcept;
}  // namespace detail

// A body with its bounding volume tree, built once.
class RigidBody {
public:
    // From triangles alone. Errors: those of Polyhedron::build().
    [[nodiscard]] static Expected<RigidBody> create(
        std::span<const Vec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles);
    explicit RigidBody(Polyhedron surface);
    ~RigidBody();
    RigidBody(RigidBody&&) noexcept;
    RigidBody& operator=(RigidBody&&) noexcept;

    [[nodiscard]] const Polyhedron& surface() const noexcept;

private:
    friend const detail::BodyTree& detail::tree_of(const RigidBody& body) noexcept;
    std::unique_ptr<const detail::BodyTree> tree_;
};

// Guarantee: Separated and toi_lower are proved for the true curved paths; Contact with a finite
// toi_upper is proved; Unresolved only where the bodies graze each other within rounding, the
// budget is spent, or the caller asked for a stop. Surfaces that share a point at the start, and
// for solid bodies one inside the other, are Contact with toi_upper = 0; `start` is which. (Later
// no body gets into another unless the surfaces meet first.) Where it could not be decided whether
// one is inside the other nothing is claimed to be free.
// A bracket wider than the target begins where the bodies graze each other within rounding.
[[nodiscard]] ImpactResult first_impact(const RigidBody& a, const RigidBody& b,
                                        const PairStep& step,
                                        const ImpactOptions& options = {}) noexcept;

// The same of bodies under any two motions that keep lengths (Motion::is_rigid()): each on its own,
// in the world (graze/rigid/motion.hpp). Both are called from this thread.
// Guarantee: as above, for the exact motions. `start` is exact where both motions have an exact_start();
// else it is Separated where boxes around the bodies are disjoint at t = 0, and Unresolved elsewhere, so
// that of solid bodies that may be inside each other nothing is claimed to be free. A contact at the
// start or the end that bounds in doubles do not prove is Unresolved without an exact start.
// Unresolved: motions that are not valid or not rigid, besides. Slabs of time are halved, so that a
// contact costs several times what it does on a relative screw.
[[nodiscard]] ImpactResult first_impact(const RigidBody& a, const Motion& motion_a,
                                        const RigidBody& b, const Motion& motion_b,
                                        const ImpactOptions& options = {}) noexcept;

// Every crossing of a vertex with a face and of two edges in [0, t_max] that is proper enough, each
// with a bracket of its time, found by the certified search alone.
struct AllImpacts {
    // Sorted by time_lower; point and normal are in the local frame of A.
    std::vector<Contact> collisions;
    // Nothing was left out for the budget, for a stop, for grazing within rounding, for normals
    // that are wrong (SurfaceReport::is_oriented(); unless min_properness keeps everything), or for
    // a bent face that comes near (Polyhedron::bent_faces(): where its triangles meet is no edge).
    bool complete = false;
    std::uint64_t checks = 0;
};
// Surfaces alone: a body that rests inside the other crosses nothing.
// Guarantee: each collision happens within its bracket; with `complete`, there are no others with
// a change of side. Features that touch and move back, or slide in one plane, leave it false.
// Point, normal and properness are those of the middle of the bracket, to some ulps.
// min_properness: Buss 2005, section 5; what is proper and separates (the end of an overlap) is
// left out as well. At -1 and below everything is kept, in both directions through a surface.
// Not complete, and empty: invalid options, a min_separation other than 0, no memory.
// Cost: hundreds of evaluations for a pair of features that come near each other.
[[nodiscard]] AllImpacts all_impacts(const RigidBody& a, const RigidBody& b, const PairStep& step,
                                     const ImpactOptions& options = {},
                                     double min_properness = -0.1) noexcept;

}  // namespace graze::rigid

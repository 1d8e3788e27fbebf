// The first impact of two surfaces, each under a motion enclosure: slabs of time that are halved.
// Derivation: docs/derivations/rigid_impact.md, RI-8.
#pragma once

#include <vector>

#include "graze/rigid/motion.hpp"
#include "rigid/impact/slab.hpp"
#include "rigid/motion/product.hpp"

namespace graze::rigid::detail {

// B as seen from A, in the coordinates of the trees: both origins at the bodies' centres.
class MotionPair {
public:
    MotionPair(const BodyTree& a, const Motion& motion_a, const BodyTree& b,
               const Motion& motion_b) noexcept;

    // The slab between two times without a joint between them; `error`: of every position of B in it.
    struct ErrorSlab {
        Slab slab;
        double error = 0.0;
    };
    [[nodiscard]] ErrorSlab slab(double first, double last, double separation) const noexcept;
    // B at one time, and the error of every position of it then.
    struct ErrorFrame {
        Frame frame;
        double error = 0.0;
    };
    [[nodiscard]] ErrorFrame frame(double t) const noexcept;
    // Where the motions are smooth from t on, up to t_max.
    [[nodiscard]] double smooth_end(double t, double t_max) const noexcept;

private:
    // L_A transposed, and L_B with the difference of the centres.
    struct Factors {
        PoseEnclosure outer;
        PoseEnclosure inner;
    };
    [[nodiscard]] Factors at(double t) const noexcept;
    [[nodiscard]] double error_of(const PoseEnclosure& pose) const noexcept;

    const BodyTree& a_;
    const BodyTree& b_;
    const Motion& motion_a_;
    const Motion& motion_b_;
    Vec3 origin_;
};

class MotionSearch {
public:
    MotionSearch(const RigidBody& a, const Motion& motion_a, const RigidBody& b,
                 const Motion& motion_b, const ImpactOptions& options);

    // May throw std::bad_alloc.
    [[nodiscard]] ImpactResult run();

private:
    struct Pair {
        std::uint32_t a;
        std::uint32_t b;
    };
    // A slab from now to `end`, and all pairs of nodes below which pieces may meet in it.
    struct Level {
        double end;
        std::vector<Pair> pairs;
    };

    [[nodiscard]] bool begins_in_contact();
    void begin_after(const CoverTime& covered);
    [[nodiscard]] bool is_spent() noexcept;
    void descend(const Slab& slab, std::vector<Pair>& pairs);
    [[nodiscard]] bool has_contact(const MotionPair::ErrorSlab& at, const std::vector<Pair>& pairs);
    [[nodiscard]] bool has_passage(double end, const std::vector<Pair>& pairs);
    template <class Proves>
    [[nodiscard]] bool any_contact(const std::vector<Pair>& pairs, double time,
                                   const Proves& proves);
    void lower_upper_bound(const std::vector<Pair>& pairs);
    [[nodiscard]] bool leave_undecided(const MotionPair::ErrorSlab& at, const Level& level);
    [[nodiscard]] ImpactResult finished(Verdict verdict);
    void estimate();

    const BodyTree& a_;
    const BodyTree& b_;
    const Motion& motion_a_;
    const Motion& motion_b_;
    const ImpactOptions& options_;
    MotionPair motion_;
    StopPoll stop_;
    ImpactResult result_;
    std::vector<Level> levels_;
    std::vector<Pair> todo_;
    double now_ = 0.0;
    double shortest_ = 0.0;    // slabs up to 1.5 of it are not halved
    bool all_free_ = true;     // every slab up to now_ was proved free
    double free_until_ = 0.0;  // where the first that was not begins
    bool may_be_inside_ = false;
};

}  // namespace graze::rigid::detail

// What the searches of graze/screw say of a motion, held against the reference.
#pragma once

#include <cstdint>
#include <optional>

#include "graze/rigid/impact.hpp"
#include "graze/rigid/raster.hpp"
#include "graze/verify/rigid_random_motions.hpp"

namespace graze::rigid {

// A motion with what the reference knows of it; the dear numbers are found once, when asked for.
class KnownMotion {
public:
    // `pair` is set to the motion and stays so.
    KnownMotion(const reference::Pair& pair, const RandomMotion& motion)
        : pair_(pair), motion_(motion) {}
    [[nodiscard]] const reference::Pair& pair() const { return pair_; }
    [[nodiscard]] const PairStep& step() const { return motion_.step; }
    [[nodiscard]] const reference::FirstContact& truth() const { return motion_.truth; }
    [[nodiscard]] double distance();   // the least of the step, to a tenth, from below
    [[nodiscard]] double depth_est();  // the largest after the first contact

private:
    const reference::Pair& pair_;
    const RandomMotion& motion_;
    std::optional<double> distance_;
    std::optional<double> depth_est_;
};

// A motion whose truth the reference cannot tell (it grazes within 1e-17 of the sizes) is judged
// neither way.
struct RasterJudgement {
    bool refused = false;  // an error instead of an answer
    bool missed = false;
    bool false_alarm = false;
    double pixel = 0.0;
    double depth_est = 0.0;            // missed: how deep the bodies get into each other
    double distance = 0.0;             // false alarm: how near they come, from below
    double distance_then = 0.0;        // at the time of the first collision reported, in [0, 1]
    std::optional<double> time_error;  // where both see a contact: reported less true
    // The same as a path: by how much B's fastest point moves in that time.
    double path_error = 0.0;
};
[[nodiscard]] RasterJudgement judge(RasterSearch& search, const Shapes& bodies, KnownMotion& motion,
                                    const RasterOptions& options);

struct CertifiedJudgement {
    bool missed = false;       // called Separated, and is a contact
    bool false_alarm = false;  // called Contact, and is none
    bool unresolved = false;
    bool late = false;       // a time is called free after the first contact
    bool unfounded = false;  // a contact is called proved before the first one
    bool wrong_start = false;
    // The reference found no gap (to 1e-17) at a time that is called free.
    bool suspicious = false;
    double width = 0.0;  // of the bracket of a Contact
    std::uint64_t checks = 0;
};
[[nodiscard]] CertifiedJudgement judge(const RigidBody& a, const RigidBody& b,
                                       const KnownMotion& motion,
                                       const ImpactOptions& options = {});

// All events of the certified search against those of the reference, each by features and time.
struct EventsJudgement {
    std::size_t events = 0;
    std::size_t missing = 0;
    std::size_t unfounded = 0;
    bool complete = false;
};
[[nodiscard]] EventsJudgement judge_events(const RigidBody& a, const RigidBody& b,
                                           const KnownMotion& motion);

// Pixels so that a typical short edge has that many.
[[nodiscard]] double pixel_for(const Shapes& bodies, const PairStep& step, double pixels_an_edge);

}  // namespace graze::rigid

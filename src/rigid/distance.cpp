// The distance by bisection of the separation: each static query of first_impact() is a proof.
#include "graze/rigid/distance.hpp"

#include "graze/core/fp_environment.hpp"
#include "rigid/nearest_faces.hpp"

namespace graze::rigid {
namespace {

constexpr int kMaxQueries = 128;

// Invariant: lower <= distance <= upper, by the verdicts of static queries with min_separation s:
// Separated proves distance > s, Contact proves distance <= s. Everything else is a guess of s.
class DistanceSearch {
public:
    DistanceSearch(const RigidBody& a, const Pose& pose_a, const RigidBody& b, const Pose& pose_b,
                   const DistanceOptions& options)
        : a_(a), pose_a_(pose_a), b_(b), pose_b_(pose_b), options_(options) {}

    [[nodiscard]] DistanceResult run();

private:
    [[nodiscard]] Verdict ask(double separation);
    void keep_nearest(const Contact& contact);
    [[nodiscard]] bool is_done() const noexcept {
        return result_.upper - result_.lower <= options_.relative_width * result_.upper;
    }

    const RigidBody& a_;
    const Pose& pose_a_;
    const RigidBody& b_;
    const Pose& pose_b_;
    const DistanceOptions& options_;
    DistanceResult result_;
    double nearest_est_ = kInfinity;  // distance of the points in result_
};

// Keeps the faces and their nearest points if they are nearer than those before.
void DistanceSearch::keep_nearest(const Contact& contact) {
    if (!contact.has_features()) return;
    const detail::NearestPoints found = detail::nearest_of_faces(a_.surface(), contact.a, pose_a_,
                                                                 b_.surface(), contact.b, pose_b_);
    if (!(found.distance < nearest_est_)) return;
    nearest_est_ = found.distance;
    result_.face_a = contact.a;
    result_.face_b = contact.b;
    result_.on_a = found.on_a;
    result_.on_b = found.on_b;
}

// A step of length 0 with a separation: the verdict is about the poses as they are given.
Verdict DistanceSearch::ask(double separation) {
    ImpactOptions query;
    query.min_separation = separation;
    query.t_max = 0.0;
    query.max_checks = options_.max_checks;
    query.model = options_.model;
    query.stop = options_.stop;
    const PairStep still{BodyStep::rest(pose_a_), BodyStep::rest(pose_b_)};
    const ImpactResult answer = first_impact(a_, b_, still, query);
    if (answer.verdict == Verdict::Separated && separation > result_.lower)
        result_.lower = separation;
    if (answer.verdict == Verdict::Contact && answer.toi_upper == 0.0 &&
        separation < result_.upper) {
        result_.upper = separation;
        keep_nearest(answer.contact);
    }
    return answer.verdict;
}

// Bisection of [lower, upper], helped by guesses: it ends by kMaxQueries, where the bracket is
// narrow enough, and where rounding errors of the poses decide no more. The invariant holds at
// every exit.
DistanceResult DistanceSearch::run() {
    // Every point of a body is within its radius of its centre; the factor pays for rounding.
    const Vec3 centre_a = apply(pose_a_, a_.surface().centre());
    const Vec3 centre_b = apply(pose_b_, b_.surface().centre());
    const double far =
        1.001 * (norm(centre_b - centre_a) + a_.surface().radius() + b_.surface().radius());
    if (ask(far) != Verdict::Contact) return result_;
    for (int i = 0; i < kMaxQueries && !is_done() && !options_.stop.stop_requested(); ++i) {
        // A guess just below the nearest points that are known ends the search where these are the
        // nearest of all; else it finds nearer ones. Every second query halves, so that the number
        // of queries does not depend on luck.
        const double middle = result_.lower + 0.5 * (result_.upper - result_.lower);
        const double near = nearest_est_ * (1.0 + 0.25 * options_.relative_width);
        const double below = nearest_est_ * (1.0 - 0.5 * options_.relative_width);
        double guess = middle;
        if (near < result_.upper && near > result_.lower) {
            guess = near;
        } else if (i % 2 == 0 && below > result_.lower && below < result_.upper) {
            guess = below;
        }
        if (!(guess > result_.lower && guess < result_.upper)) break;
        // Neither verdict: rounding errors hide the answer at this guess; one in the middle may do.
        if (ask(guess) != Verdict::Unresolved) continue;
        if (guess == middle || ask(middle) == Verdict::Unresolved) break;
    }
    return result_;
}

}  // namespace

DistanceResult distance(const RigidBody& a, const Pose& pose_a, const RigidBody& b,
                        const Pose& pose_b, const DistanceOptions& options) {
    return with_sound_arithmetic(
        [&]() -> DistanceResult {
            if (!(options.relative_width > 0.0) || !check(pose_a, "A") || !check(pose_b, "B"))
                return {};
            DistanceResult at_once;
            at_once.state = start_state(a.surface(), pose_a, b.surface(), pose_b, options.stop);
            const StartState state = at_once.state;
            const bool is_inside = state == StartState::AInsideB || state == StartState::BInsideA;
            if (state == StartState::Unresolved) return at_once;
            if (state == StartState::Contact || (is_inside && options.model == BodyModel::Solid)) {
                at_once.upper = 0.0;
                return at_once;
            }
            DistanceResult found = DistanceSearch(a, pose_a, b, pose_b, options).run();
            found.state = state;
            return found;
        },
        [] { return DistanceResult{}; });
}

}  // namespace graze::rigid

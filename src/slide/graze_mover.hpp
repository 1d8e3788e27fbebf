// Our mover. See docs/derivations/slide_mover.md for why it keeps its gap, rests and does not snag.
#pragma once

#include <optional>

#include "graze/slide/move_trail.hpp"
#include "graze/slide/mover.hpp"
#include "slide/arrival.hpp"
#include "slide/contact_planes.hpp"
#include "slide/skin_rule.hpp"
#include "slide/surroundings.hpp"

namespace graze::slide {

// A request that can be answered: finite numbers, a valid shape, a skin that rounding cannot eat.
template <class Real>
struct MoveRequest {
    Vec<Real> start;
    Vec3 displacement;
    Real skin{};  // that of the start
    SkinRule<Real> rule;
    double reach = 0.0;  // no position of the move has a larger coordinate, unless it is too long
    double rounding = 0.0;       // [length] of a position with such coordinates
    bool too_long = false;       // it may lead to where the skin is too thin
    MoveTrail* trail = nullptr;  // of the positions that it goes through, where it is wanted
};

// One move.
//
// Stages: a move starts, iterates, and finishes, in this order; each has its file, and its
// functions are called in it alone.
//   start     (mover_start-inl.hpp)  flies(), or find_contacts() or push_out(), and fit_skin()
//   iteration (graze_mover.cpp)      iterate() until Next::End, at most kMaxMoveIterations times
//   finish    (graze_mover.cpp)      the only place where gap_proved is set
//
// Invariant I, at the begin of every iteration:
//   (a) position_ has coordinates of type Real, and the shape kept the hard radius on all of the
//       path from the start to it, but for pushes, on which its centre met no face; one-sided faces
//       count on each straight piece unless the centre was behind them at its begin;
//   (b) proved_at_ is the start or a position of that path, at which the distances of all triangles
//       near were found to be at least `kept` (at the start: `hard`); where contacts are known it
//       is position_;
//   (c) what is `known` holds at position_: Known::Contacts: near_ is all within the contact
//       distance, and its triangles are where it points (near_is_current_); Known::Planes: planes_
//       hold there;
//   (d) left_ is in [0, 1], and what is left of the path is no longer than left_ times the
//       displacement; what leaves the ball whose diameter is the displacement by more than slack_
//       (SM-4) is gathered first, or refused by covers().
//
// Transitions of an iteration, and why they keep I. Only go_to() and go_back_to() change position_.
//   make_planes()      moves nothing. Requires Known::Contacts.
//   lift               is_clear() proved its path: (a). -> FindContacts: (b) and (c) by
//                      find_contacts(), or the move ends.
//   no move, or none   -> End. stand() goes back to where the last lift began, which is a position
//   is finite          of the path: (a).
//   free path          first_obstacle() or is_clear() proved all of it: (a). accept() may go back
//                      to where it came from and a part of the same path, proved by the same test.
//                      -> End.
//   obstacle           advance_to() goes no farther than the time up to which the path is proved:
//                      (a). left_ shrinks: (d). Its planes renewed at the new position: ->
//                      KeepPlanes, (c); proved_at_ stays behind, which (b) allows. Otherwise ->
//                      FindContacts.
//   squeeze            as an obstacle, up to the time of its sweep: (a) by the same proof.
//                      -> FindContacts.
//   path not proved    position_ stays: -> End.
// finish() needs (a) and (b) alone: it proves position_ afresh, or goes back to proved_at_. So a
// mistake in planes, lifts or times can cost progress, but no gap. Where the centre has come to the
// front of a one-sided face, and the shape is not all through it, it is pushed out first.
//
// Termination: at most kMaxMoveIterations iterations, of one sweep each; kMaxPushes pushes.
//
// Moves and half-spaces are measured in the units of the frame, but with the angles of true space,
// so that ellipsoids slide as their true planes of contact demand: a move m of the centre is m
// times per_length here, and the normal n of a plane of the frame stands for n * scale /
// per_length.
template <class Real>
class GrazeMover {
public:
    // Requires: surroundings with a valid frame whose origin is the start.
    // `result`: a new one, where the answer goes.
    GrazeMover(Surroundings<Real>& around, const MoveRequest<Real>& request,
               MoveResult<Real>& result) noexcept;
    // Once.
    void run() noexcept;

private:
    // At the begin of an iteration.
    enum class Known : std::uint8_t { Contacts, Planes };
    // What an iteration leaves to be done: the invariant names the reasons.
    enum class Next : std::uint8_t {
        End,           // the move has come to its end
        FindContacts,  // at a new position of which nothing but its path is known
        KeepPlanes,    // planes_ hold at the new position
    };
    struct Obstacle {
        bool hit = false;
        bool met_at_start = false;  // or the path was not gathered: nothing is proved
        double time = 1.0;
        Direction direction;
        const NearTriangle* triangle = nullptr;  // where hit; as long as nothing else is gathered
    };
    // The last lift over a mismatch of the ground.
    struct Lift {
        Vec3 before;  // positions
        Vec3 after;
        double total = 0.0;   // of all lifts of the move, in the frame
        ContactPlane ground;  // as it counts since
        bool carried = true;  // by that ground before each lift
    };

    [[nodiscard]] Vec3 local(const Vec3& position) const noexcept {
        return around_.frame().local(position);
    }
    // The position that a move leads to, as Reals.
    [[nodiscard]] Vec3 moved(const Vec3& move) const noexcept {
        return widened(narrowed<Real>(position_ + per_unit_ * move));
    }
    // Requires: the path from position_ is proved, or a push that crosses no face.
    void go_to(const Vec3& position, bool is_pushed = false) noexcept {
        position_ = position;
        if (request_.trail != nullptr) [[unlikely]]
            request_.trail->add({position, double{request_.skin}, is_pushed});
    }
    // Requires: a position that it went through.
    void go_back_to(const Vec3& position) noexcept {
        position_ = position;
        if (request_.trail != nullptr) [[unlikely]]
            request_.trail->back_to(position);
    }

    // --- start: moves that are too long for the skin; starts that are too near
    void use_skin(double skin) noexcept;
    [[nodiscard]] bool flies() noexcept;
    [[nodiscard]] bool widen_skin() noexcept;
    [[nodiscard]] bool fit_skin(bool pushed) noexcept;
    [[nodiscard]] bool push_out() noexcept;
    [[nodiscard]] bool push_once(const Vec3& start) noexcept;
    [[nodiscard]] bool push_by(const Vec3& move, const Vec3& start) noexcept;

    // --- what is near: any time; near_ and planes_ are of position_
    void gather(double slack) noexcept;
    void see_sides() noexcept;
    // The triangles within `reach` of the position.
    void find_near(double reach, NearSet& seen) noexcept;
    [[nodiscard]] bool find_contacts() noexcept;
    // Only of shapes with a core: does that meet triangles? Then near_ is these alone.
    [[nodiscard]] bool find_crossed() noexcept;
    // Is the centre in a box that is solid? Then near_ is the sides to leave through alone.
    [[nodiscard]] bool find_solids() noexcept;
    void make_planes() noexcept;
    [[nodiscard]] HalfSpace half_space(const Vec3& normal, double least) const noexcept;
    [[nodiscard]] AllowedMove nearest(const Vec3& displacement, double fraction) const noexcept;
    [[nodiscard]] AllowedMove allowed(const Vec3& displacement) const noexcept;
    [[nodiscard]] Vec3 along_plane(const Vec3& normal, const Vec3& displacement) const noexcept;
    [[nodiscard]] double length_beside(const ContactPlane& plane,
                                       const Vec3& displacement) const noexcept;
    void keep_length(AllowedMove& move, const Vec3& displacement) noexcept;
    void find_pace(const Vec3& displacement) noexcept;
    [[nodiscard]] const NearContact* face_in_plane(const Vec3& normal, const Vec3& centre) noexcept;
    [[nodiscard]] bool renew_planes(const Obstacle& obstacle, const Direction& direction) noexcept;

    // --- iteration: paths and their proofs. `to` is a finite position of Reals
    [[nodiscard]] Next iterate(Known known) noexcept;
    [[nodiscard]] bool is_clear(const Vec3& to) noexcept;
    [[nodiscard]] Obstacle first_obstacle(const Vec3& to) noexcept;
    [[nodiscard]] Vec3 stop_on_path(const Vec3& to, double time) const noexcept;
    [[nodiscard]] bool is_in_range(const Vec3& to, const Vec3& stop) const noexcept;
    [[nodiscard]] Next advance_to(const Obstacle& obstacle, const Vec3& to, Known known) noexcept;
    [[nodiscard]] Next squeeze_to(const Obstacle& obstacle, const Vec3& to) noexcept;
    void accept(const Vec3& to, const Vec3& move, const Vec3& displacement,
                bool proved_with_room) noexcept;
    [[nodiscard]] bool is_proved_here() noexcept;

    // --- iteration: lifts. They require planes_ of position_
    [[nodiscard]] bool lift_over(const NearTriangle& t, const Direction& direction,
                                 const Vec3& displacement) noexcept;
    [[nodiscard]] bool lift_over_own_ground(const NearTriangle& t, const Direction& direction,
                                            const Vec3& displacement) noexcept;
    [[nodiscard]] bool lift_with(const ContactPlane& ground, double rise, bool carried) noexcept;
    [[nodiscard]] bool is_ahead(const Vec3& ground, const Direction& direction,
                                const Vec3& displacement) const noexcept;
    void stand() noexcept;

    void touch(const NearFace& face, const Direction& direction, double time) noexcept;
    void iterate_to_end() noexcept;
    void finish(bool pushed) noexcept;

    // The question. offsets_, slack_ and the displacement change with the skin alone: use_skin().
    Surroundings<Real>& around_;
    MoveRequest<Real> request_;
    Vec3 requested_;  // the displacement, of which request_.displacement is the fraction moved by
    Offsets offsets_;
    double per_unit_;  // [length] of a unit of the frame: 1 / per_length
    bool is_sphere_;
    Vec3 unit_;  // [length] of a unit of the frame along each axis

    // The state: see the invariant.
    Vec3 position_;
    Vec3 proved_at_;                // the last position that was proved; none yet: kNowhere
    Vec3 displacement_;             // in units of the frame
    double length_;                 // of displacement_
    double left_ = 1.0;             // fraction of displacement_ that is left
    Vec3 heading_;                  // the move of the last iteration, or along the ground below
    double pace_ = 0.0;             // its length over left_; 0 where it has no ground
    double fraction_ = 1.0;         // of what was requested that is the displacement
    double slack_ = 0.0;            // in the frame: by which a path may leave the ball of SM-4
    bool near_is_current_ = false;  // nothing was gathered since: near_ points to its triangles
    std::optional<Lift> lift_;
    NearTriangle met_;   // the last obstacle, where the list does not keep it
    NearSet near_;       // within the contact distance of the position where contacts were found
    NearSet witnesses_;  // within the witness distance: only where make_planes() or a lift asks
    ContactPlanes planes_;
    MoveResult<Real>& result_;
};

extern template class GrazeMover<float>;
extern template class GrazeMover<double>;

}  // namespace graze::slide

// Our mover. See docs/derivations/slide_mover.md for why it keeps its gap, rests and does not snag.
#pragma once

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
    Vec3 wish;
    Real skin{};  // that of the start
    SkinRule<Real> rule;
    double reach = 0.0;     // no place of the move has a larger coordinate, unless it is too long
    double rounding = 0.0;  // [length] of a place with such coordinates
    bool too_long = false;  // it may lead to where the skin is too thin
    MoveTrail* trail = nullptr;  // of the places that it goes through, where it is wanted
};

// One move. Invariant: place_ is a place of Reals, and the way from the start to it is free. What is
// handed back is proved_at_: looked at afresh, however it was come by.
//
// Moves and half-spaces are measured in the units of the frame, but with the angles of true space,
// so that ellipsoids slide as their true planes of contact say: a move m of the centre is m times
// per_length here, and the normal n of a plane of the frame stands for n * scale / per_length.
template <class Real>
class GrazeMover {
public:
    // Requires: surroundings with a valid frame whose origin is the start.
    // `result`: a new one, where the answer goes.
    GrazeMover(Surroundings<Real>& around, const MoveRequest<Real>& request,
               MoveResult<Real>& result) noexcept;
    void run() noexcept;

private:
    struct Obstacle {
        bool hit = false;
        bool met_at_start = false;
        double time = 1.0;
        Direction direction;
        const NearTriangle* triangle = nullptr;  // where hit; as long as nothing else is gathered
    };

    [[nodiscard]] Vec3 local(const Vec3& place) const noexcept {
        return around_.frame().local(place);
    }
    // The place that a move leads to, as Reals.
    [[nodiscard]] Vec3 moved(const Vec3& move) const noexcept {
        return widened(narrowed<Real>(place_ + per_unit_ * move));
    }
    // --- moves that are too long for the skin
    void use_skin(double skin) noexcept;
    [[nodiscard]] bool flies() noexcept;
    [[nodiscard]] bool widen_skin() noexcept;
    [[nodiscard]] bool fit_skin(bool pushed) noexcept;

    void go_to(const Vec3& place, bool is_pushed = false) noexcept {
        place_ = place;
        if (request_.trail != nullptr) [[unlikely]]
            request_.trail->add({place, double{request_.skin}, is_pushed});
    }
    // To a place that it went through.
    void go_back_to(const Vec3& place) noexcept {
        place_ = place;
        if (request_.trail != nullptr) [[unlikely]]
            request_.trail->back_to(place);
    }
    void gather(double slack) noexcept;
    // The triangles within `reach` of the place.
    void look_around(double reach, NearSet& seen) noexcept;
    [[nodiscard]] bool look_for_contacts() noexcept;
    void make_planes() noexcept;
    [[nodiscard]] bool is_clear(const Vec3& to) noexcept;
    [[nodiscard]] Obstacle first_obstacle(const Vec3& to) noexcept;
    [[nodiscard]] HalfSpace half_space(const Vec3& normal, double least) const noexcept;
    [[nodiscard]] AllowedMove nearest(const Vec3& wish, double part) const noexcept;
    [[nodiscard]] AllowedMove allowed(const Vec3& wish) const noexcept;
    [[nodiscard]] bool push_out() noexcept;
    [[nodiscard]] bool push_once(const Vec3& start) noexcept;
    [[nodiscard]] bool push_by(const Vec3& move, const Vec3& start) noexcept;
    // One turn: false where the move has come to its end.
    [[nodiscard]] bool turn() noexcept;
    [[nodiscard]] Vec3 stop_on_way(const Vec3& to, double time) const noexcept;
    [[nodiscard]] bool has_room(const Vec3& to, const Vec3& stop) const noexcept;
    void accept(const Vec3& to, const Vec3& move, const Vec3& wish, bool proved_with_room) noexcept;
    void stand() noexcept;
    [[nodiscard]] bool lift_over(const NearTriangle& t, const Direction& direction,
                                 const Vec3& wish) noexcept;
    [[nodiscard]] bool lift_over_own_ground(const NearTriangle& t, const Direction& direction,
                                            const Vec3& wish) noexcept;
    [[nodiscard]] bool lift_with(const ContactPlane& ground, double rise) noexcept;
    [[nodiscard]] bool is_in_the_way(const Vec3& ground, const Direction& direction,
                                     const Vec3& wish) const noexcept;
    [[nodiscard]] bool advance_to(const Obstacle& obstacle, const Vec3& to) noexcept;
    [[nodiscard]] const NearContact* face_in_plane(const Vec3& normal, const Vec3& centre) noexcept;
    [[nodiscard]] bool renew_planes(const Obstacle& obstacle, const Direction& direction) noexcept;
    void touch(const NearFace& face, const Direction& direction, double time) noexcept;
    [[nodiscard]] bool is_proved_here() noexcept;
    void take_turns() noexcept;
    void finish(bool pushed) noexcept;

    Surroundings<Real>& around_;
    MoveRequest<Real> request_;
    Vec3 asked_;  // the wish, of which request_.wish is the part that is moved by
    Offsets offsets_;
    double per_unit_;  // [length] of a unit of the frame: 1 / per_length
    bool is_sphere_;
    Vec3 unit_;  // [length] of a unit of the frame along each axis
    Vec3 place_;
    Vec3 proved_at_;  // the last place that was proved; none yet: no number
    Vec3 wish_;       // in units of the frame
    double wish_length_;
    double left_ = 1.0;            // of the wish
    double share_ = 1.0;           // of what was asked for that is the wish
    double slack_ = 0.0;           // in the frame: by which a way may leave the ball over the wish
    double lifted_ = 0.0;          // in the frame, in this move
    bool gathered_again_ = false;  // since contacts were looked for: near_ has lost its triangles
    bool planes_known_ = false;    // without looking around
    bool has_raised_ = false;
    Vec3 before_lift_;  // places
    Vec3 after_lift_;
    ContactPlane raised_;  // the ground, lifted over a mismatch
    NearTriangle met_;     // the last obstacle, where the list does not keep it
    NearSet near_;         // within the contact distance
    NearSet witnesses_;    // only where they are asked
    ContactPlanes planes_;
    MoveResult<Real>& result_;
};

extern template class GrazeMover<float>;
extern template class GrazeMover<double>;

}  // namespace graze::slide

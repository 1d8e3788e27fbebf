#include "graze/slide/mover.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graze/core/fp_environment.hpp"
#include "slide/fauerby.hpp"
#include "slide/graze_mover.hpp"
#include "slide/linahan.hpp"

namespace graze::slide {
namespace {

// Of the smallest radius.
constexpr double kDefaultSkin = 0x1p-8;

template <class Real>
bool is_answerable(const Frame& frame, const Vec3& displacement,
                   const MoveOptions<Real>& options) noexcept {
    return frame.valid && is_finite(displacement) && options.skin >= Real{0} &&
           is_finite(double{options.skin});
}

// SM-7: the skin is that of the start, the larger of what is asked for and four times the rounding
// of a position there. It does not depend on the displacement: else a longer one would make a legal
// start illegal, to be pushed out of what it does not touch.
template <class Real>
MoveRequest<Real> request_of(const Shape<Real>& shape, const Vec<Real>& start,
                             const Vec3& displacement, const MoveOptions<Real>& options) noexcept {
    const SkinRule<Real> rule(shape, options.skin > Real{0} ? options.skin : default_skin(shape));
    const double here = rule.reach_of(widened(start));
    // No position of a move has a larger coordinate: it stays within the ball over the displacement
    // but for what it is lifted, and for being pushed out.
    const double reach = here + norm(displacement) + rule.lift(rule.least());
    const double rounding = rule.rounding_at(reach);
    if (kSkinRoundingErrors * rounding <= rule.least())
        return {start, displacement, static_cast<Real>(rule.least()), rule, reach, rounding,
                false, nullptr};
    // Numbers are coarse where it is, or where it may get: the first alone decides on the skin.
    const double skin = rule.skin_for(here);
    const double farthest = here + norm(displacement) + rule.lift(skin);
    const bool too_long = is_finite(skin) && farthest >= rule.top_of(skin);
    return {start,    displacement, static_cast<Real>(skin),
            rule,     farthest,     rule.rounding_at(farthest),
            too_long, nullptr};
}

// In the frame of the shape, rounded to Reals: where the published algorithms live. Their collision
// detection is our sweep, which is never late: what they do wrong is their response. gap_proved
// stays false, whatever they do.
template <class Real, class Respond>
MoveResult<Real> respond_in_frame(Surroundings<Real>& around, const MoveRequest<Real>& request,
                                  const Respond& respond) noexcept {
    const Frame& frame = around.frame();
    const Ball<Real> ball{static_cast<Real>(frame.ball),
                          static_cast<Real>(double{request.skin} * frame.per_length)};
    // They slide in the frame: there the path stays in the ball over the displacement, but for some
    // skins. A sweep that left the box would be answered by a contact at once, and not theirs.
    const Vec3 middle = widened(request.start) + 0.5 * request.displacement;
    const double half = 0.5 * norm(frame.local_vector(request.displacement)) +
                        2.0 * double{request.skin} * frame.per_length;
    around.gather(box_around(frame, middle, middle, frame.ball + half));
    // Its own coordinates, not relative to the start: far from the origin these movers round as
    // they would in the program of a user.
    const Vec3 origin = frame.local_vector(frame.origin);
    const auto first_hit = [&](const Vec3& from, const Vec3& to) {
        struct Found {
            bool hit = false;
            double time = 1.0;
            Vec3 point;
            Vec3 normal;
            typename Surroundings<Real>::Hit of;
        };
        const auto hit = around.sweep({from - origin, to - origin}, frame.ball);
        const double length = norm(hit.direction.w);
        const Vec3 normal = length > 0.0 ? (1.0 / length) * hit.direction.w : Vec3{};
        return Found{hit.hit, hit.time, hit.direction.on_triangle + origin, normal, hit};
    };
    const auto response = respond(first_hit, ball, narrowed<Real>(origin),
                                  narrowed<Real>(frame.local_vector(request.displacement)));
    MoveResult<Real> result;
    const Vec3 end = widened(response.position);
    result.position =
        narrowed<Real>({end.x / frame.scale.x, end.y / frame.scale.y, end.z / frame.scale.z});
    result.stopped = response.stopped;
    result.skin = request.skin;
    result.iterations = response.iterations;
    result.contact_count = response.hit_count;
    for (std::size_t i = 0; i < static_cast<std::size_t>(response.hit_count); ++i) {
        const auto& hit = response.hits[i].of;
        result.contacts[i] = around.contact(hit.face, hit.direction, hit.time);
    }
    return result;
}

// On its own, so that the result is made where the caller wants it.
template <class Real>
MoveResult<Real> graze_move(Surroundings<Real>& around, const MoveRequest<Real>& request) noexcept {
    MoveResult<Real> result;
    GrazeMover<Real>(around, request, result).run();
    return result;
}

template <class Real>
MoveResult<Real> move_by(MoverKind kind, Surroundings<Real>& around,
                         const MoveRequest<Real>& request) noexcept {
    switch (kind) {
        case MoverKind::Graze:
            return graze_move(around, request);
        case MoverKind::Fauerby:
            return respond_in_frame(around, request, [](auto&&... args) noexcept {
                return fauerby_response<Real>(args...);
            });
        case MoverKind::FauerbyUncapped:
            return respond_in_frame(around, request, [](auto&&... args) noexcept {
                return fauerby_response<Real>(args..., kMaxUncappedIterations);
            });
        case MoverKind::Linahan:
            return respond_in_frame(around, request, [](auto&&... args) noexcept {
                return linahan_response<Real>(args...);
            });
        case MoverKind::LinahanTwoParameters:
            return respond_in_frame(around, request, [](auto&&... args) noexcept {
                return linahan_response<Real>(args..., Parameters::Two);
            });
    }
    return {};
}

struct NamedMover {
    MoverKind kind;
    std::string_view name;
};
constexpr std::array<NamedMover, 5> kMovers{
    {{MoverKind::Graze, "graze"},
     {MoverKind::Linahan, "linahan"},
     {MoverKind::LinahanTwoParameters, "linahan-two-parameters"},
     {MoverKind::Fauerby, "fauerby"},
     {MoverKind::FauerbyUncapped, "fauerby-uncapped"}}};

}  // namespace

std::string_view name(MoverKind kind) noexcept {
    for (const NamedMover& m : kMovers)
        if (m.kind == kind) return m.name;
    return "";
}

std::optional<MoverKind> mover_from_name(std::string_view name) noexcept {
    for (const NamedMover& m : kMovers)
        if (m.name == name) return m.kind;
    return std::nullopt;
}

std::string_view name(StopReason reason) noexcept {
    switch (reason) {
        case StopReason::Free:
            return "free";
        case StopReason::Blocked:
            return "blocked";
        case StopReason::PushedOut:
            return "pushed-out";
        case StopReason::Limit:
            return "limit";
    }
    return "";
}

// Thick enough that floats suffice up to 2^14 radii from the origin (SM-7).
template <class Real>
Real default_skin(const Shape<Real>& shape) noexcept {
    const double smallest =
        std::min({double{shape.radii.x}, double{shape.radii.y}, double{shape.radii.z}});
    return static_cast<Real>(kDefaultSkin * smallest);
}

namespace {

// Whatever cannot be answered returns the start bit for bit, Blocked, with nothing proved.
template <class Real>
MoveResult<Real> checked_move_by(MoverKind kind, const Obstacles<Real>& level,
                                 const Shape<Real>& shape, const Vec<Real>& start,
                                 const Vec<Real>& displacement, const MoveOptions<Real>& options,
                                 MoveTrail* trail) noexcept {
    const auto refused = [&]() noexcept {
        MoveResult<Real> result;
        result.position = start;
        return result;
    };
    const auto moved = [&]() noexcept {
        Surroundings<Real> around(level, shape, start, options.layers);
        if (!is_answerable(around.frame(), widened(displacement), options)) return refused();
        MoveRequest<Real> request = request_of(shape, start, widened(displacement), options);
        // So far out that there are no numbers for a skin.
        if (!is_finite(double{request.skin})) return refused();
        request.trail = trail;
        return move_by(kind, around, request);
    };
    return with_sound_arithmetic(moved, refused);
}

}  // namespace

template <class Real>
MoveResult<Real> move_and_slide_by(MoverKind kind, const Obstacles<Real>& level,
                                   const Shape<Real>& shape, const Vec<Real>& start,
                                   const Vec<Real>& displacement,
                                   const MoveOptions<Real>& options) noexcept {
    return checked_move_by(kind, level, shape, start, displacement, options, nullptr);
}

template <class Real>
MoveResult<Real> move_and_slide_traced(const Obstacles<Real>& level, const Shape<Real>& shape,
                                       const Vec<Real>& start, const Vec<Real>& displacement,
                                       const MoveOptions<Real>& options,
                                       MoveTrail& trail) noexcept {
    trail.start(widened(start));
    return checked_move_by(MoverKind::Graze, level, shape, start, displacement, options, &trail);
}

template <class Real>
MoveResult<Real> move_and_slide(const Obstacles<Real>& level, const Shape<Real>& shape,
                                const Vec<Real>& start, const Vec<Real>& displacement,
                                const MoveOptions<Real>& options) noexcept {
    return move_and_slide_by(MoverKind::Graze, level, shape, start, displacement, options);
}

template float default_skin(const Shape<float>&) noexcept;
template double default_skin(const Shape<double>&) noexcept;
template MoveResult<float> move_and_slide_by(MoverKind, const Obstacles<float>&,
                                             const Shape<float>&, const Vec<float>&,
                                             const Vec<float>&, const MoveOptions<float>&) noexcept;
template MoveResult<double> move_and_slide_by(MoverKind, const Obstacles<double>&,
                                              const Shape<double>&, const Vec<double>&,
                                              const Vec<double>&,
                                              const MoveOptions<double>&) noexcept;
template MoveResult<float> move_and_slide_traced(const Obstacles<float>&, const Shape<float>&,
                                                 const Vec<float>&, const Vec<float>&,
                                                 const MoveOptions<float>&, MoveTrail&) noexcept;
template MoveResult<double> move_and_slide_traced(const Obstacles<double>&, const Shape<double>&,
                                                  const Vec<double>&, const Vec<double>&,
                                                  const MoveOptions<double>&, MoveTrail&) noexcept;
template MoveResult<float> move_and_slide(const Obstacles<float>&, const Shape<float>&,
                                          const Vec<float>&, const Vec<float>&,
                                          const MoveOptions<float>&) noexcept;
template MoveResult<double> move_and_slide(const Obstacles<double>&, const Shape<double>&,
                                           const Vec<double>&, const Vec<double>&,
                                           const MoveOptions<double>&) noexcept;

}  // namespace graze::slide

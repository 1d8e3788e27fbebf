// Derivation: docs/derivations/rigid_convex.md, RC-6.
#include "graze/rigid/world.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "graze/broad/box.hpp"
#include "graze/broad/box_tree.hpp"
#include "graze/core/fork_join.hpp"
#include "graze/core/norm_bounds.hpp"
#include "graze/core/quaternion.hpp"

namespace graze::rigid {

namespace {

struct Shape {
    std::optional<ConvexShape> convex;
    std::optional<RigidBody> surface;
    std::optional<ConvexShape> bounds;  // a box around the surface
    double radius = 0.0;                // about the origin of the frame, at least

    Shape(std::optional<ConvexShape> solid, std::optional<RigidBody> polygons);
};

// Half sizes are rounded up about a centre that is a double: the box holds all positions.
[[nodiscard]] std::optional<ConvexShape> box_around(const Polyhedron& surface) {
    Box box;
    for (const Vec3& p : surface.positions())
        box.add(p);
    Vec3 centre;
    Vec3 half;
    for (std::size_t i = 0; i < 3; ++i) {
        centre[i] = 0.5 * box.lower[i] + 0.5 * box.upper[i];
        half[i] = std::max(sub_up(box.upper[i], centre[i]), sub_up(centre[i], box.lower[i]));
    }
    auto shape = ConvexShape::box(half, centre);
    if (!shape) return std::nullopt;
    return std::move(*shape);
}

struct Body {
    ShapeId shape = 0;
    BodyFilter filter;
    BodyStep step;
    Vec3 spin;
    bool spins = false;
    BodyMotion motion;
};

Shape::Shape(std::optional<ConvexShape> solid, std::optional<RigidBody> polygons)
    : convex(std::move(solid)), surface(std::move(polygons)) {
    if (convex) radius = add_up(convex->core_radius(), convex->rounding());
    if (!surface) return;
    const Polyhedron& polyhedron = surface->surface();
    bounds = box_around(polyhedron);
    radius = std::max(radius, add_up(norm_upper(polyhedron.centre()), polyhedron.radius()));
}

// At least the angle between the ends of a step: 2 asin |q1 - q0|, or more, by the chord of the
// quaternions; 4 where it may be large.
[[nodiscard]] double angle_upper(const BodyStep& step) noexcept {
    const Quaternion& p = step.start.rotation;
    const Quaternion& q = step.end.rotation;
    const auto chord = [&](double sign) {
        const double w = q.w - sign * p.w;
        const Vec3 v = vector_part(q) - sign * vector_part(p);
        return std::sqrt(w * w + norm_sq(v));
    };
    const double least = std::min(chord(1.0), chord(-1.0));
    // Quaternions are off unit length by 5e-7 at most; an arc is at most 1.06 of a chord below 1.
    return least < 0.9 ? 2.0 * (1.06 * least + 2e-6) : 4.0;
}

// What the broad phase knows of a body: it stays within `radius` of the line from `start` to `end` on
// its own motion.
struct SweptBall {
    Vec3 start;
    Vec3 end;
    double radius = 0.0;
    double displacement = 0.0;  // |end - start|, at least
    double angle = 0.0;         // of its step, at least
    double error = 0.0;         // of start and end
};

class CandidateSink final : public PairSink {
public:
    explicit CandidateSink(std::vector<IndexPair>& pairs) : pairs_(&pairs) {}
    void take(std::span<const IndexPair> pairs) override {
        pairs_->insert(pairs_->end(), pairs.begin(), pairs.end());
    }

private:
    std::vector<IndexPair>* pairs_;
};

[[nodiscard]] bool is_ordered(const PairImpact& a, const PairImpact& b) noexcept {
    if (a.result.toi_lower != b.result.toi_lower) return a.result.toi_lower < b.result.toi_lower;
    if (a.pair.first != b.pair.first) return a.pair.first < b.pair.first;
    return a.pair.second < b.pair.second;
}

[[nodiscard]] BodyMotion motion_of(const BodyStep& step, MotionModel model) noexcept {
    switch (model) {
        case MotionModel::Nlerp:
            return BodyMotion::nlerp(step);
        case MotionModel::Screw:
            return BodyMotion::screw(step);
        case MotionModel::Slerp:
            break;
    }
    return BodyMotion::slerp(step);
}

}  // namespace

namespace {

// Who works.
struct Crew {
    Executor executor;
    std::size_t threads;

    // body(begin, end) over [0, count). False where a thread has no sound arithmetic: then its ranges
    // are not done.
    template <class Body>
    [[nodiscard]] bool run(std::size_t count, std::size_t chunk, const Body& body) const {
        std::atomic<bool> is_sound = true;
        for_each_chunk(executor, threads, count, chunk, [&](std::size_t begin, std::size_t end) {
            with_sound_arithmetic([&] { body(begin, end); }, [&] { is_sound = false; });
        });
        return is_sound;
    }
};

}  // namespace

struct BodyWorld::State {
    std::vector<Shape> shapes;
    std::vector<std::optional<Body>> bodies;
    std::size_t count = 0;

    [[nodiscard]] ShapeId add(Shape shape) {
        shapes.push_back(std::move(shape));
        return static_cast<ShapeId>(shapes.size() - 1);
    }
    [[nodiscard]] const Shape& shape_of(const Body& body) const { return shapes[body.shape]; }
    [[nodiscard]] Body* find(BodyId id) {
        return id < bodies.size() && bodies[id] ? &*bodies[id] : nullptr;
    }
    [[nodiscard]] SweptBall swept(const Body& body, double separation) const noexcept;
    // Nothing: a thread has no sound arithmetic.
    [[nodiscard]] std::optional<std::vector<IndexPair>> candidates(std::span<const BodyId> ids,
                                                                   double separation,
                                                                   const Crew& crew) const;
    [[nodiscard]] bool may_be_searched(const Body& a, const Body& b) const noexcept;
    [[nodiscard]] ImpactResult impact(const Body& a, const Body& b,
                                      const ImpactOptions& options) const noexcept;
};

namespace {

[[nodiscard]] Error no_such_body(BodyId id) {
    return Error{"there is no body " + std::to_string(id)};
}

}  // namespace

SweptBall BodyWorld::State::swept(const Body& body, double separation) const noexcept {
    const PointEnclosure first = body.motion.origin_at(0.0, {});
    const PointEnclosure last = body.motion.origin_at(1.0, {});
    const ChordDeviation k = body.motion.deviation(0.0, 1.0);
    SweptBall ball;
    ball.start = first.point;
    ball.end = last.point;
    const double around = std::max(first.error, last.error) + 0.25 * k.translation;
    ball.radius =
        (shape_of(body).radius + around + body.filter.margin + 0.5 * separation) * (1.0 + 0x1p-40);
    ball.displacement = distance_upper(first.point, last.point) + first.error + last.error;
    ball.angle = angle_upper(body.step);
    ball.error = std::max(first.error, last.error);
    return ball;
}

namespace {

// RC-6. Boxes around the paths hold what convex pairs need. A pair with a surface is on its relative
// screw: boxes of the start positions, larger by the displacement and by the rotations, hold that; a
// body that rotates by more than half a radian meets all.
class SweptBounds {
public:
    explicit SweptBounds(std::vector<SweptBall> balls) : balls_(std::move(balls)) {
        for (const SweptBall& ball : balls_) {
            scene_.add(ball.start);
            scene_.add(ball.end);
            if (ball.angle <= kLargestAngle) angle_ = std::max(angle_, ball.angle);
        }
        grid_ = Grid(scene_);
    }

    [[nodiscard]] GridBox of_path(std::uint32_t i) const noexcept {
        const SweptBall& ball = balls_[i];
        return grid_.around(ball.start, ball.end, 1.0, ball.radius);
    }
    [[nodiscard]] GridBox of_screw(std::uint32_t i) const noexcept {
        const SweptBall& ball = balls_[i];
        const double reach =
            ball.angle <= kLargestAngle
                ? (ball.radius + ball.displacement) / (1.0 - angle_) * (1.0 + 0x1p-40)
                : 4.0 * distance_upper(scene_.lower, scene_.upper) + ball.radius;
        return grid_.around(ball.start, ball.start, 1.0, reach);
    }
    // For a pair, with the displacement of one relative to the other.
    [[nodiscard]] bool may_meet_on_screw(std::uint32_t i, std::uint32_t j) const noexcept {
        const SweptBall& a = balls_[i];
        const SweptBall& b = balls_[j];
        if (a.angle > kLargestAngle) return true;
        const double first = distance_lower(a.start, b.start) - (a.error + b.error);
        // Three roundings per component, of numbers up to four times the largest: 14u in all.
        const Vec3 change = (b.end - a.end) - (b.start - a.start);
        const double largest =
            std::max({norm_max(a.start), norm_max(b.start), norm_max(a.end), norm_max(b.end)});
        const double moved = norm_upper(change) + 0x1p-48 * largest + 2.0 * (a.error + b.error);
        return !(first * (1.0 - a.angle) * (1.0 - 0x1p-40) >
                 (a.radius + b.radius + moved) * (1.0 + 0x1p-40));
    }

private:
    static constexpr double kLargestAngle = 0.5;
    std::vector<SweptBall> balls_;
    Box scene_;
    double angle_ = 0.0;
    Grid grid_;
};

}  // namespace

namespace {

// Overlapping boxes of one tree or of two, by the numbers of their bodies: group by group of a tree, so
// that their order does not depend on the threads.
class PairLists {
public:
    explicit PairLists(const Crew& crew) : crew_(&crew) {}

    // search(group, sink) finds pairs of places in the lists `first` and `second`; keep(i, j) says which
    // stay.
    template <class Search, class Keep>
    void add(std::size_t groups, const Search& search, std::span<const std::uint32_t> first,
             std::span<const std::uint32_t> second, const Keep& keep) {
        std::vector<std::vector<IndexPair>> lists(groups);
        const auto search_groups = [&](std::size_t begin, std::size_t end) {
            std::vector<IndexPair> found;
            CandidateSink sink(found);
            for (std::size_t group = begin; group < end; ++group) {
                found.clear();
                search(group, sink);
                for (const IndexPair& pair : found) {
                    const std::uint32_t i = std::min(first[pair.first], second[pair.second]);
                    const std::uint32_t j = std::max(first[pair.first], second[pair.second]);
                    if (keep(i, j)) lists[group].push_back({i, j});
                }
            }
        };
        is_complete_ = crew_->run(groups, 2, search_groups) && is_complete_;
        for (const std::vector<IndexPair>& list : lists)
            pairs_.insert(pairs_.end(), list.begin(), list.end());
    }
    [[nodiscard]] std::optional<std::vector<IndexPair>> take() {
        if (!is_complete_) return std::nullopt;
        return std::move(pairs_);
    }

private:
    const Crew* crew_;
    bool is_complete_ = true;
    std::vector<IndexPair> pairs_;
};

}  // namespace

std::optional<std::vector<IndexPair>> BodyWorld::State::candidates(std::span<const BodyId> ids,
                                                                   double separation,
                                                                   const Crew& crew) const {
    std::vector<SweptBall> balls(ids.size());
    const bool is_sound = crew.run(ids.size(), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            balls[i] = swept(*bodies[ids[i]], separation);
    });
    if (!is_sound) return std::nullopt;
    std::vector<std::uint32_t> convex;
    std::vector<std::uint32_t> surfaces;  // and not convex
    for (std::uint32_t i = 0; i < ids.size(); ++i)
        (shape_of(*bodies[ids[i]]).convex ? convex : surfaces).push_back(i);
    const SweptBounds bounds(std::move(balls));
    const auto boxes_of = [&](std::span<const std::uint32_t> which, bool on_screw) {
        std::vector<GridBox> boxes;
        boxes.reserve(which.size());
        for (const std::uint32_t i : which)
            boxes.push_back(on_screw ? bounds.of_screw(i) : bounds.of_path(i));
        return boxes;
    };
    PairLists pairs(crew);
    BoxTree tree;
    const auto within_tree = [&tree](std::size_t group, PairSink& sink) {
        tree.search_self_group(group, sink);
    };
    tree.build(boxes_of(convex, false));
    pairs.add(tree.groups(), within_tree, convex, convex,
              [](std::uint32_t, std::uint32_t) { return true; });
    if (!surfaces.empty()) {
        const auto on_screw = [&bounds](std::uint32_t i, std::uint32_t j) {
            return bounds.may_meet_on_screw(i, j);
        };
        BoxTree others;
        others.build(boxes_of(convex, true));
        tree.build(boxes_of(surfaces, true));
        pairs.add(tree.groups(), within_tree, surfaces, surfaces, on_screw);
        const auto with_others = [&](std::size_t group, PairSink& sink) {
            tree.search_group(group, others, sink);
        };
        pairs.add(tree.groups(), with_others, surfaces, convex, on_screw);
    }
    return pairs.take();
}

bool BodyWorld::State::may_be_searched(const Body& a, const Body& b) const noexcept {
    return (a.filter.group & b.filter.mask) != 0 && (b.filter.group & a.filter.mask) != 0;
}

ImpactResult BodyWorld::State::impact(const Body& a, const Body& b,
                                      const ImpactOptions& options) const noexcept {
    ImpactOptions own = options;
    own.min_separation = add_up(add_up(a.filter.margin, b.filter.margin), options.min_separation);
    const Shape& shape_a = shape_of(a);
    const Shape& shape_b = shape_of(b);
    if (shape_a.convex && shape_b.convex)
        return first_impact(*shape_a.convex, a.motion, *shape_b.convex, b.motion, own);
    if (!shape_a.surface || !shape_b.surface || a.spins || b.spins) return {};
    const PairStep step = {a.step, b.step};
    if (shape_a.bounds && shape_b.bounds) {
        const ImpactResult boxes = first_impact(*shape_a.bounds, *shape_b.bounds, step, own);
        if (boxes.verdict == Verdict::Separated) return boxes;
    }
    return first_impact(*shape_a.surface, *shape_b.surface, step, own);
}

BodyWorld::BodyWorld() : state_(std::make_unique<State>()) {}
BodyWorld::~BodyWorld() = default;
BodyWorld::BodyWorld(BodyWorld&&) noexcept = default;
BodyWorld& BodyWorld::operator=(BodyWorld&&) noexcept = default;

ShapeId BodyWorld::add_shape(ConvexShape shape) {
    return state_->add({std::move(shape), std::nullopt});
}
ShapeId BodyWorld::add_shape(RigidBody surface) {
    return state_->add({std::nullopt, std::move(surface)});
}
ShapeId BodyWorld::add_shape(ConvexShape shape, RigidBody surface) {
    return state_->add({std::move(shape), std::move(surface)});
}

Expected<BodyId> BodyWorld::add_body(ShapeId shape, const Pose& pose, const BodyFilter& filter) {
    if (shape >= state_->shapes.size()) return Error{"there is no shape " + std::to_string(shape)};
    if (const auto good = check(pose, "the body"); !good) return good.error();
    if (!(filter.margin >= 0.0 && filter.margin <= kMaxTranslation))
        return Error{"the margin of a body must not be negative"};
    Body body;
    body.shape = shape;
    body.filter = filter;
    body.step = BodyStep::rest(pose);
    body.motion = BodyMotion::rest(pose);
    if (!body.motion.is_valid()) return Error{"the pose of the body cannot be worked with"};
    state_->bodies.emplace_back(std::move(body));
    ++state_->count;
    return static_cast<BodyId>(state_->bodies.size() - 1);
}

Expected<void> BodyWorld::remove_body(BodyId id) {
    if (state_->find(id) == nullptr) return no_such_body(id);
    state_->bodies[id].reset();
    --state_->count;
    return {};
}

Expected<void> BodyWorld::set_pose(BodyId id, const Pose& pose) {
    Body* body = state_->find(id);
    if (body == nullptr) return no_such_body(id);
    if (const auto good = check(pose, "the body"); !good) return good.error();
    body->step = BodyStep::rest(pose);
    body->motion = BodyMotion::rest(pose);
    body->spins = false;
    return {};
}

Expected<void> BodyWorld::set_target(BodyId id, const Pose& target, MotionModel model) {
    Body* body = state_->find(id);
    if (body == nullptr) return no_such_body(id);
    if (const auto good = check(target, "the target"); !good) return good.error();
    const BodyStep step = {body->step.start, target};
    const BodyMotion motion = motion_of(step, model);
    if (!motion.is_valid()) return Error{"the target cannot be worked with"};
    body->step = step;
    body->motion = motion;
    body->spins = false;
    return {};
}

Expected<void> BodyWorld::set_spin(BodyId id, const Vec3& end, const Vec3& angular_velocity) {
    Body* body = state_->find(id);
    if (body == nullptr) return no_such_body(id);
    const BodyMotion motion = BodyMotion::spin(body->step.start, end, angular_velocity);
    if (!motion.is_valid()) return Error{"the motion cannot be worked with"};
    const double angle = norm(angular_velocity);
    Pose last = body->step.start;
    last.translation = end;
    if (angle > 0.0) {
        last.rotation =
            normalised(product(rotation_about(angular_velocity, angle), body->step.start.rotation));
    }
    body->step.end = last;
    body->motion = motion;
    body->spin = angular_velocity;
    body->spins = true;
    return {};
}

std::size_t BodyWorld::size() const noexcept {
    return state_->count;
}

Expected<Pose> BodyWorld::pose(BodyId id) const {
    const Body* body = state_->find(id);
    if (body == nullptr) return no_such_body(id);
    return body->step.start;
}

Expected<WorldImpacts> BodyWorld::search(const WorldOptions& options) const {
    const ImpactOptions& impact = options.impact;
    if (!(impact.min_separation >= 0.0 && impact.min_separation <= kMaxTranslation))
        return Error{"the separation must not be negative"};
    if (!(impact.t_max >= 0.0 && impact.t_max <= 1.0)) return Error{"t_max must be in [0, 1]"};
    if (!(impact.time_width > 0.0)) return Error{"the width of the time must be positive"};
    return with_sound_arithmetic([&]() -> Expected<WorldImpacts> {
        const State& state = *state_;
        std::vector<BodyId> ids;
        for (BodyId id = 0; id < state.bodies.size(); ++id)
            if (state.bodies[id]) ids.push_back(id);
        const Crew crew = {options.executor ? options.executor : run_on_new_threads,
                           options.threads};
        auto candidates = state.candidates(ids, impact.min_separation, crew);
        if (!candidates)
            return Error{"a thread cannot be set to sound arithmetic", ErrorCode::Unsupported};
        std::vector<IndexPair> pairs = *std::move(candidates);
        std::erase_if(pairs, [&](const IndexPair& pair) {
            return !state.may_be_searched(*state.bodies[ids[pair.first]],
                                          *state.bodies[ids[pair.second]]);
        });
        // One result per pair, whoever finds it: nothing depends on the threads. One that is not searched
        // stays Unresolved.
        std::vector<ImpactResult> results(pairs.size());
        std::vector<std::uint8_t> left_out(pairs.size(), 0);
        const auto search_range = [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const BodyId first = ids[pairs[i].first];
                const BodyId second = ids[pairs[i].second];
                if (options.pair_filter && !options.pair_filter(first, second)) {
                    left_out[i] = 1;
                    continue;
                }
                results[i] = state.impact(*state.bodies[first], *state.bodies[second], impact);
            }
        };
        // Where a thread has no sound arithmetic its pairs stay Unresolved.
        (void)crew.run(pairs.size(), 32, search_range);
        if (impact.stop.stop_requested()) return Error{"cancelled"};
        WorldImpacts found;
        found.safe_fraction = kInfinity;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            if (left_out[i] != 0) continue;
            ++found.candidates;
            if (results[i].verdict == Verdict::Separated) continue;
            found.impacts.push_back(
                {{ids[pairs[i].first], ids[pairs[i].second]}, std::move(results[i])});
        }
        std::sort(found.impacts.begin(), found.impacts.end(), is_ordered);
        for (const PairImpact& one : found.impacts) {
            found.safe_fraction = std::min(found.safe_fraction, one.result.toi_lower);
            found.contact_by = std::min(found.contact_by, one.result.toi_upper);
        }
        return found;
    });
}

void BodyWorld::advance(double fraction) {
    for (std::optional<Body>& body : state_->bodies) {
        if (!body) continue;
        Pose pose = fraction >= 1.0 ? body->step.end : body->step.start;
        if (fraction > 0.0 && fraction < 1.0) {
            const PoseEnclosure at = body->motion.at(fraction, {});
            const std::array<double, 12> rows = {
                at.linear[0].x, at.linear[0].y, at.linear[0].z, at.translation.x,
                at.linear[1].x, at.linear[1].y, at.linear[1].z, at.translation.y,
                at.linear[2].x, at.linear[2].y, at.linear[2].z, at.translation.z};
            if (const auto there = pose_from_matrix(rows)) pose = *there;
        }
        body->step = BodyStep::rest(pose);
        body->motion = BodyMotion::rest(pose);
        body->spins = false;
    }
}

}  // namespace graze::rigid

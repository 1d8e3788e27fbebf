#include "robot/search.hpp"

#include <algorithm>
#include <cmath>

#include "robot/lengths.hpp"
#include "robot/winding.hpp"

namespace graze::robot::detail {

namespace {

constexpr double kSearchSlack = 1.0 + 0x1p-40;
// Pairs of nodes in all lists together: some 200 MB.
constexpr std::size_t kMostNodePairs = std::size_t{1} << 22;
// Slabs below it are not told from their ends by what times are rounded to.
constexpr double kShortestSlab = 0x1p-48;
constexpr std::size_t kMostFrames = 64;
// Slabs that were halved fewer times are long. Decides about time alone.
constexpr std::size_t kLongDepth = 4;

// || L(b) - L(a) || at most.
[[nodiscard]] double linear_change(const PoseEnclosure& a, const PoseEnclosure& b) noexcept {
    const Vec3 rows = {distance_upper(a.linear[0], b.linear[0]),
                       distance_upper(a.linear[1], b.linear[1]),
                       distance_upper(a.linear[2], b.linear[2])};
    return (norm_upper(rows) + a.linear_error + b.linear_error) * kSearchSlack;
}

[[nodiscard]] Vec3 mapped(const PoseEnclosure& pose, const Vec3& p) noexcept {
    return Vec3{dot(pose.linear[0], p), dot(pose.linear[1], p), dot(pose.linear[2], p)} +
           pose.translation;
}
[[nodiscard]] Vec3 rotated(const PoseEnclosure& pose, const Vec3& p) noexcept {
    return {dot(pose.linear[0], p), dot(pose.linear[1], p), dot(pose.linear[2], p)};
}

// The larger node is split, so that sizes stay alike. Requires: not both are leaves.
[[nodiscard]] std::array<NodeIndices, 2> children_of(const NodeIndices& at, const Body& body_a,
                                                     const Body& body_b) noexcept {
    const TreeNode& a = body_a.node(at.a);
    const TreeNode& b = body_b.node(at.b);
    if (b.is_leaf || (!a.is_leaf && a.size >= b.size))
        return {NodeIndices{a.child, at.b}, NodeIndices{a.child + 1, at.b}};
    return {NodeIndices{at.a, b.child}, NodeIndices{at.a, b.child + 1}};
}

[[nodiscard]] bool is_in_box(const Vec3& p, const TreeNode& box, double slack) noexcept {
    for (std::size_t k = 0; k < 3; ++k)
        if (std::fabs(p[k] - box.centre[k]) > (box.half[k] + slack) * kSearchSlack) return false;
    return true;
}

}  // namespace

SegmentSearch::SegmentSearch(const SceneModel& model, const Segment& segment,
                             const CheckOptions& options, std::span<const std::uint32_t> pairs)
    : model_(model),
      segment_(segment),
      options_(options),
      pairs_(pairs),
      tracks_(model.mechanism.tracks(model.robot.joints(), segment)),
      poll_(options.stop) {
    rates_.speed.resize(tracks_.size());
    rates_.acceleration.resize(tracks_.size());
    frames_.resize(2);
}

// --- Motion --------------------------------------------------------------------------------------

void SegmentSearch::set_frame(TimeFrame& frame, double t) {
    frame.t = t;
    frame.links.resize(model_.robot.links().size());
    frame.bodies.resize(model_.bodies.size());
    model_.mechanism.links_at(model_.robot.joints(), tracks_, t, frame.links);
    for (std::size_t i = 0; i < model_.bodies.size(); ++i)
        frame.bodies[i] = compose(frame.links[model_.owners[i].owner], model_.bodies[i].to_owner);
    if (segment_.base != nullptr) frame.base = segment_.base->at(t, {});
}

void SegmentSearch::set_rates(double a, double b) {
    for (std::size_t j = 0; j < tracks_.size(); ++j) {
        rates_.speed[j] = tracks_[j].speed(a, b);
        rates_.acceleration[j] = tracks_[j].acceleration();
    }
}

// Of the centre of B as seen from A, at most, in all of the segment.
void SegmentSearch::set_speeds() {
    set_rates(0.0, 1.0);
    speeds_.resize(model_.paths.size());
    for (std::size_t i = 0; i < speeds_.size(); ++i)
        speeds_[i] = speed_of(model_.paths[i], rates_, tracks_);
}

PoseEnclosure SegmentSearch::relative(const BodyPair& pair, const TimeFrame& frame) const noexcept {
    if (!pair.is_environment)
        return compose(inverse_of(frame.bodies[pair.a]), frame.bodies[pair.b]);
    return compose(model_.obstacle_bodies[pair.a].from_owner, in_world(pair.b, frame));
}

PoseEnclosure SegmentSearch::in_world(std::uint32_t body, const TimeFrame& frame) const noexcept {
    const PoseEnclosure& in_root = frame.bodies[body];
    return segment_.base == nullptr ? in_root : compose(frame.base, in_root);
}

// RB-4, and RM-8 with the base as the outer motion.
rigid::ChordDeviation SegmentSearch::deviation(const BodyPair& pair, const TimeFrame& first,
                                               const TimeFrame& last) {
    if (first.t == last.t) return {0.0, 0.0};
    if (known_.path == pair.path && known_.t_first == first.t && known_.t_last == last.t)
        return known_.deviation;
    known_ = {pair.path, first.t, last.t, new_deviation(pair, first, last)};
    return known_.deviation;
}

rigid::ChordDeviation SegmentSearch::new_deviation(const BodyPair& pair, const TimeFrame& first,
                                                   const TimeFrame& last) {
    const double length = sub_up(last.t, first.t);
    const PathEnds ends = {first.links, last.links, first.bodies[pair.b], last.bodies[pair.b],
                           length};
    const PathBounds path = bounds_of(model_.paths[pair.path], rates_, tracks_, ends, scratch_);
    const double half_sq = 0.5 * length * length * kSearchSlack;
    rigid::ChordDeviation k{path.acceleration * half_sq, path.linear_acceleration * half_sq};
    if (!pair.is_environment || segment_.base == nullptr) return k;
    const rigid::ChordDeviation base = segment_.base->deviation(first.t, last.t);
    const double change = linear_change(first.base, last.base);
    return {(change * path.speed * length + base.linear * path.distance + k.translation +
             base.translation) *
                kSearchSlack,
            (change * path.linear_speed * length + base.linear + k.linear) * kSearchSlack};
}

PairSlab SegmentSearch::slab_of(const BodyPair& pair, const TimeFrame& first,
                                const TimeFrame& last) {
    const PoseEnclosure at_first = relative(pair, first);
    const PoseEnclosure at_last = &first == &last ? at_first : relative(pair, last);
    return make_pair_slab(model_.body_a(pair).radius, model_.body_b(pair), at_first, first.t,
                          at_last, last.t, deviation(pair, first, last),
                          add_up(model_.margin, goal_.clearance));
}

// --- Pairs of nodes ------------------------------------------------------------------------------

bool SegmentSearch::is_spent() noexcept {
    return is_out_of_memory_ || result_.checks >= options_.max_checks || poll_();
}

// Of one pair of bodies in one slab.
void SegmentSearch::forget_boxes() noexcept {
    swept_.begin();
    hint_ = {};
}

// RB-8: what is seen is no more than this, so that no more than the fraction of it is to be shown.
bool SegmentSearch::lower_clearance(const BodyPair& pair, PairSlab& slab, const NodePair& leaves) {
    if (!(goal_.clearance > 0.0)) return false;
    const Body& a = model_.body_a(pair);
    const Body& b = model_.body_b(pair);
    double seen = nearest_estimate(a, b, slab, leaves, SlabEnd::First).distance;
    seen = std::min(seen, nearest_estimate(a, b, slab, leaves, SlabEnd::Last).distance);
    const double clearance = std::max(0.0, (seen - model_.margin) * goal_.clearance_fraction);
    if (!(clearance < goal_.clearance)) return false;
    goal_.clearance = clearance;
    slab.separation = add_up(model_.margin, clearance);
    slab.boxes.slack = (slab.error + slab.separation) * kSearchSlack;
    forget_boxes();
    return true;
}

// Once a long slab has to be halved, what is not separated by one test waits for that. In a short one all
// is taken down to leaves: few of them are left for the slabs below.
void SegmentSearch::keep(const NodePair& pair) {
    front_.push_back(pair);
    must_halve_ = is_long_;
}

// Pairs that their boxes do not separate go to the end of todo_, the nearest at the middle of the slab
// last, so that it is the next: what cannot be separated is found soon.
void SegmentSearch::test_boxes(const Body& body_a, const Body& body_b, const PairSlab& slab,
                               std::span<const NodeIndices> nodes) {
    double least = std::numeric_limits<double>::infinity();
    for (const NodeIndices& at : nodes) {
        ++result_.checks;
        const TreeNode& a = body_a.node(at.a);
        const SweptBox& b = swept_.of(slab.boxes, body_b, at.b);
        if (are_separated(slab.boxes, a, b)) continue;
        const double gap_sq = norm_sq(b.middle - a.centre);
        todo_.push_back(at);
        if (least < gap_sq) std::swap(todo_.back(), todo_[todo_.size() - 2]);
        least = std::min(least, gap_sq);
    }
}

void SegmentSearch::test_leaves(const BodyPair& pair, PairSlab& slab, NodePair leaves,
                                bool is_short) {
    const Body& body_a = model_.body_a(pair);
    const Body& body_b = model_.body_b(pair);
    const bool is_thorough = is_short || !must_halve_;
    if (leaves_are_free(body_a, body_b, slab, leaves, is_thorough)) return;
    if (lower_clearance(pair, slab, leaves) &&
        leaves_are_free(body_a, body_b, slab, leaves, is_thorough))
        return;
    keep(leaves);
}

// What of the pair is not proved separated in the slab goes to the end of the front.
void SegmentSearch::descend(const BodyPair& pair, PairSlab& slab, const NodePair& from,
                            bool is_short) {
    if (from.are_leaves) {
        ++result_.checks;
        return test_leaves(pair, slab, from, is_short);
    }
    const Body& body_a = model_.body_a(pair);
    const Body& body_b = model_.body_b(pair);
    todo_.clear();
    test_boxes(body_a, body_b, slab, std::array{NodeIndices{from.a, from.b}});
    while (!todo_.empty()) {
        const NodeIndices at = todo_.back();
        todo_.pop_back();
        is_out_of_memory_ = is_out_of_memory_ || front_.size() > kMostNodePairs;
        if (is_spent()) return;
        const SweptBox& swept = swept_.of(slab.boxes, body_b, at.b);
        if (leaf_and_box_are_free(body_a, body_b, slab, at.a, at.b, swept, hint_)) continue;
        const TreeNode& a = body_a.node(at.a);
        const TreeNode& b = body_b.node(at.b);
        NodePair next{from.pair, at.a, at.b, rigid::detail::Source::None, false, {}};
        if (!is_short) {
            // Too long a slab for boxes of this size.
            const double size = a.size + b.size;
            if (must_halve_ || swept.displacement_sq > size * size || swept.bulge > 2.0 * size) {
                keep(next);
                continue;
            }
        }
        if (!a.is_leaf || !b.is_leaf) {
            test_boxes(body_a, body_b, slab, children_of(at, body_a, body_b));
            continue;
        }
        next.are_leaves = true;
        test_leaves(pair, slab, next, is_short);
    }
}

// RB-6: two balls. A distance that changes by v at most is no less than (d(a) + d(b) - v (b - a)) / 2
// between.
bool SegmentSearch::balls_are_free(const BodyPair& pair, const TimeFrame& first,
                                   const TimeFrame& last) const noexcept {
    if (pair.is_environment && segment_.base != nullptr) return false;
    const Body& a = model_.body_a(pair);
    const Body& b = model_.body_b(pair);
    const auto distance = [&](const TimeFrame& frame) {
        const PoseEnclosure& at_a = pair.is_environment ? a.to_owner : frame.bodies[pair.a];
        const PoseEnclosure& at_b = frame.bodies[pair.b];
        return quick_distance_lower(at_a.translation, at_b.translation) -
               (at_a.translation_error + at_b.translation_error) * kSearchSlack;
    };
    const double travel = speeds_[pair.path] * sub_up(last.t, first.t) * kSearchSlack;
    const double reach = 2.0 * (a.radius + b.radius + model_.margin + goal_.clearance);
    return distance(first) + distance(last) > (reach + travel) * kSearchSlack;
}

// A body as seen from the world, beside the boxes of all obstacles.
PairSlab SegmentSearch::slab_in_world(const EnvironmentGroup& group, const TimeFrame& first,
                                      const TimeFrame& last) {
    const PoseEnclosure at_first = in_world(group.body, first);
    const PoseEnclosure at_last = &first == &last ? at_first : in_world(group.body, last);
    return make_pair_slab(model_.obstacle_index.reach, model_.bodies[group.body], at_first, first.t,
                          at_last, last.t, deviation(model_.pairs[group.first_pair], first, last),
                          add_up(model_.margin, goal_.clearance));
}

// RB-6: a part whose box is separated from the body's swept box is so in all of the slab.
void SegmentSearch::list_parts(const EnvironmentGroup& group, const TimeFrame& first,
                               const TimeFrame& last) {
    const ObstacleIndex& index = model_.obstacle_index;
    const PairSlab slab = slab_in_world(group, first, last);
    const SweptBox swept = swept_box(slab.boxes, model_.bodies[group.body].node(0));
    parts_.clear();
    index.fine.visit_near(
        [&](const AxisBox& box) {
            ++result_.checks;
            return !are_separated(slab.boxes, box, swept);
        },
        [&](std::uint32_t part) { parts_.push_back(index.parts[part]); });
    std::sort(parts_.begin(), parts_.end());
}

// The list that a segment, or what is between two joints of the base, begins with. Few obstacles are
// taken as they are.
void SegmentSearch::list_pairs(const TimeFrame& first, const TimeFrame& last) {
    constexpr std::size_t kFewObstacles = 4;
    const auto add = [&](std::uint32_t pair, std::uint32_t node) {
        front_.push_back({pair, node, 0, rigid::detail::Source::None, false, {}});
    };
    const std::size_t count = model_.obstacle_bodies.size();
    set_rates(first.t, last.t);
    front_.clear();
    for (const EnvironmentGroup& group : model_.environment) {
        if (count > kFewObstacles) {
            list_parts(group, first, last);
            for (const ObstacleIndex::Part& part : parts_)
                add(group.first_pair + part.obstacle, part.node);
        } else {
            for (std::uint32_t obstacle = 0; obstacle < count; ++obstacle)
                add(group.first_pair + obstacle, 0);
        }
    }
    for (const std::uint32_t pair : pairs_)
        add(pair, 0);
}

// Over a list, whose pairs of one pair of bodies follow each other.
void SegmentSearch::pass(const TimeFrame& first, const TimeFrame& last, std::size_t begin,
                         std::size_t end, bool is_short) {
    set_rates(first.t, last.t);
    must_halve_ = false;
    PairSlab slab;
    std::optional<std::uint32_t> of;
    for (std::size_t i = begin; i < end; ++i) {
        const NodePair at = front_[i];
        const BodyPair& pair = model_.pairs[at.pair];
        if (at.a == 0 && at.b == 0) {
            ++result_.checks;
            if (balls_are_free(pair, first, last)) continue;
        }
        if (of != at.pair) {
            slab = slab_of(pair, first, last);
            of = at.pair;
            forget_boxes();
        }
        descend(pair, slab, at, is_short);
        if (is_spent()) return;
    }
}

// --- Time ----------------------------------------------------------------------------------------

SegmentSearch::Progress SegmentSearch::finish(Verdict verdict, double lower,
                                              double upper) noexcept {
    result_.verdict = verdict;
    result_.toi_lower = is_undecided_ ? std::min(result_.toi_lower, lower) : lower;
    result_.toi_upper = upper;
    return Progress::Finished;
}

// The first slab that is free shows that surfaces are disjoint at the start: then nesting is decided
// before any time is called free (RB-7).
SegmentSearch::Progress SegmentSearch::accept_free_slab(const TimeFrame& first) {
    if (first.t > 0.0 || is_nesting_decided_) return Progress::Continue;
    const std::optional<bool> nested = is_nested();
    is_nesting_decided_ = true;
    if (nested && !*nested) return Progress::Continue;
    if (nested) return finish(Verdict::Contact, 0.0, 0.0);
    is_undecided_ = true;
    result_.toi_lower = 0.0;
    return Progress::Continue;
}

// The slab from one frame to the other, with the list [begin, end) of front_.
SegmentSearch::Progress SegmentSearch::solve(std::size_t first, std::size_t last, std::size_t begin,
                                             std::size_t end, std::size_t depth) {
    const double t0 = frames_[first].t;
    const double t1 = frames_[last].t;
    const bool is_short = t1 - t0 <= shortest_ || depth + 3 >= kMostFrames;
    const std::size_t left = front_.size();
    is_long_ = depth < kLongDepth;
    pass(frames_[first], frames_[last], begin, end, is_short);
    if (is_spent()) {
        if (front_.size() > left) blame(front_.back(), frames_[first], frames_[last]);
        return finish(Verdict::Unresolved, t0, std::numeric_limits<double>::infinity());
    }
    if (front_.size() == left) return accept_free_slab(frames_[first]);
    const auto try_contact = [&](SlabEnd at, double t, std::size_t most) {
        const auto found = find_contact(frames_[first], frames_[last], left, at, most);
        if (!found) return Progress::Continue;
        blame(*found, frames_[first], frames_[last]);
        return finish(Verdict::Contact, t0, t);
    };
    constexpr std::size_t kFewPairs = 64;
    if (t0 == 0.0 && try_contact(SlabEnd::First, 0.0, is_short ? front_.size() : kFewPairs) ==
                         Progress::Finished)
        return Progress::Finished;
    if (is_short) {
        if (try_contact(SlabEnd::Last, t1, front_.size()) == Progress::Finished)
            return Progress::Finished;
        if (!is_undecided_) {
            is_undecided_ = true;
            result_.toi_lower = t0;
            blame(front_[left], frames_[first], frames_[last]);
        }
        shortest_ *= 2.0;
        front_.resize(left);
        return Progress::Continue;
    }
    const std::size_t middle = depth + 2;
    const std::size_t right = front_.size();
    if (frames_.size() <= middle) frames_.resize(middle + 1);
    set_frame(frames_[middle], 0.5 * (t0 + t1));
    if (solve(first, middle, left, right, depth + 1) == Progress::Finished)
        return Progress::Finished;
    const Progress progress = solve(middle, last, left, right, depth + 1);
    front_.resize(left);
    return progress;
}

SegmentResult SegmentSearch::run(const SearchGoal& goal) {
    goal_ = goal;
    result_ = {};
    is_undecided_ = is_nesting_decided_ = false;
    shortest_ = std::max(0.5 * options_.time_width, kShortestSlab);
    front_.clear();
    if (!model_.are_all_usable) return result_;
    set_speeds();
    set_frame(frames_[0], 0.0);
    double t = 0.0;
    do {
        double next = goal.t_end;
        if (segment_.base != nullptr && t < goal.t_end) {
            const double joint = segment_.base->next_joint(t);
            next = std::isnan(joint) ? t : std::min(next, joint);
        }
        set_frame(frames_[1], next);
        list_pairs(frames_[0], frames_[1]);
        if (solve(0, 1, 0, front_.size(), 0) == Progress::Finished) return result_;
        if (!(next > t) && next != goal.t_end) return result_;  // a motion without an end
        t = next;
        std::swap(frames_[0], frames_[1]);
    } while (t < goal.t_end);
    if (is_undecided_) {
        static_cast<void>(finish(Verdict::Unresolved, result_.toi_lower,
                                 std::numeric_limits<double>::infinity()));
    } else {
        const double forever = std::numeric_limits<double>::infinity();
        static_cast<void>(finish(Verdict::Separated, forever, forever));
        result_.contact.reset();
    }
    return result_;
}

// --- Contacts ------------------------------------------------------------------------------------

// Of the list from `begin` on, `most` pairs of leaves at most.
std::optional<NodePair> SegmentSearch::find_contact(const TimeFrame& first, const TimeFrame& last,
                                                    std::size_t begin, SlabEnd end,
                                                    std::size_t most) {
    PairSlab slab;
    std::optional<std::uint32_t> of;
    for (std::size_t i = begin; i < front_.size() && most > 0; ++i) {
        const NodePair& at = front_[i];
        if (!at.are_leaves) continue;
        --most;
        ++result_.checks;
        const BodyPair& pair = model_.pairs[at.pair];
        if (of != at.pair) {
            slab = slab_of(pair, first, last);
            of = at.pair;
        }
        if (leaves_meet(model_.body_a(pair), model_.body_b(pair), slab, at, model_.margin, end))
            return at;
    }
    return std::nullopt;
}

// Point and normal are estimates at the start of the slab.
void SegmentSearch::blame(const NodePair& at, const TimeFrame& first, const TimeFrame& last) {
    const BodyPair& pair = model_.pairs[at.pair];
    const Body& a = model_.body_a(pair);
    const Body& b = model_.body_b(pair);
    const auto party_of = [&](std::uint32_t body, const Body& geometry, std::uint32_t node,
                              bool is_obstacle) {
        ContactParty party;
        if (is_obstacle) {
            party.obstacle = body;
        } else {
            party.link = model_.owners[body].owner;
            party.geometry = model_.owners[body].geometry;
        }
        if (geometry.tree != nullptr && geometry.node(node).is_leaf)
            party.triangle = geometry.piece(node).face;
        return party;
    };
    const ContactParty party_a = party_of(pair.a, a, at.a, pair.is_environment);
    const ContactParty party_b = party_of(pair.b, b, at.b, false);
    RobotContact contact;
    NearestEstimate near;
    if (a.node(at.a).is_leaf && b.node(at.b).is_leaf)
        near = nearest_estimate(a, b, slab_of(pair, first, last), at, SlabEnd::First);
    PoseEnclosure to_world = pair.is_environment ? a.to_owner : first.bodies[pair.a];
    if (!pair.is_environment && segment_.base != nullptr) to_world = compose(first.base, to_world);
    contact.point = mapped(to_world, near.point);
    const Vec3 from_a_to_b = rotated(to_world, near.direction);
    // A link comes first, and the normal points to it.
    contact.a = pair.is_environment ? party_b : party_a;
    contact.b = pair.is_environment ? party_a : party_b;
    contact.normal = pair.is_environment ? from_a_to_b : -from_a_to_b;
    result_.contact = contact;
}

// --- The start -----------------------------------------------------------------------------------

// RB-7: pairs of which the one may hold a sample of the other, by the boxes at the start.
void SegmentSearch::list_near_pairs(const TimeFrame& start) {
    const ObstacleIndex& index = model_.obstacle_index;
    near_pairs_.clear();
    for (const EnvironmentGroup& group : model_.environment) {
        const Body& body = model_.bodies[group.body];
        const PairSlab slab = slab_in_world(group, start, start);
        const SweptBox box = swept_box(slab.boxes, body.node(0));
        if (body.is_closed) {
            index.samples.visit_near(
                [&](const AxisBox& sample) { return !are_separated(slab.boxes, sample, box); },
                [&](std::uint32_t i) {
                    near_pairs_.push_back(group.first_pair + index.sample_owners[i]);
                });
        }
        for (const Component& component : body.components) {
            index.whole.visit_overlapping(box_around(body, slab.first, component.sample, {}),
                                          [&](std::uint32_t obstacle) {
                                              near_pairs_.push_back(group.first_pair + obstacle);
                                          });
        }
    }
    for (const std::uint32_t pair : pairs_)
        if (!balls_are_free(model_.pairs[pair], start, start)) near_pairs_.push_back(pair);
    std::sort(near_pairs_.begin(), near_pairs_.end());
    near_pairs_.erase(std::unique(near_pairs_.begin(), near_pairs_.end()), near_pairs_.end());
}

std::optional<bool> SegmentSearch::is_nested() {
    const TimeFrame& start = frames_[0];
    list_near_pairs(start);
    for (const std::uint32_t pair : near_pairs_) {
        const auto nested = is_nested(pair);
        if (!nested) return std::nullopt;
        if (!*nested) continue;
        blame({pair, 0, 0, rigid::detail::Source::None, false, {}}, start, start);
        return true;
    }
    return false;
}

// A point of each component of the one against the surface of the other. Points are off by no more than
// half of the error that the surfaces are proved to be disjoint with. A component whose box does not meet
// that of the outer body has no point in it.
std::optional<bool> SegmentSearch::is_nested(std::uint32_t index) {
    const BodyPair& pair = model_.pairs[index];
    const Body& a = model_.body_a(pair);
    const Body& b = model_.body_b(pair);
    if (!a.is_closed && !b.is_closed) return false;
    const PoseEnclosure to_a = relative(pair, frames_[0]);
    const PoseEnclosure to_b = inverse_of(to_a);
    const double slack = projection_error(a.radius, b, to_a);
    const auto holds_one = [&](const Body& outer, const Body& inner, const PoseEnclosure& to_outer,
                               const PoseEnclosure& to_inner) -> std::optional<bool> {
        const TreeNode& root = outer.node(0);
        const AxisBox outer_box = box_around(outer, to_inner, root.centre, root.half);
        std::optional<bool> holds = false;
        inner.component_index.visit_overlapping(outer_box, [&](std::uint32_t component) {
            if (holds != false) return;
            const Vec3 p = mapped(to_outer, inner.components[component].sample);
            ++result_.checks;
            if (is_in_box(p, outer.node(0), slack)) holds = winds_around(outer, p);
        });
        return holds;
    };
    if (a.is_closed) {
        const auto in_a = holds_one(a, b, to_a, to_b);
        if (!in_a || *in_a) return in_a;
    }
    if (!b.is_closed) return false;
    return holds_one(b, a, to_b, to_a);
}

// --- Clearance -----------------------------------------------------------------------------------

// The nearer child first; a descent to one pair of leaves.
double SegmentSearch::distance_estimate(std::uint32_t index, const TimeFrame& frame) const {
    const BodyPair& pair = model_.pairs[index];
    const Body& a = model_.body_a(pair);
    const Body& b = model_.body_b(pair);
    const PoseEnclosure to_a = relative(pair, frame);
    const auto gap_sq = [&](const NodeIndices& p) {
        return norm_sq(mapped(to_a, b.node(p.b).centre) - a.node(p.a).centre);
    };
    NodeIndices at;
    while (!a.node(at.a).is_leaf || !b.node(at.b).is_leaf) {
        const auto [one, two] = children_of(at, a, b);
        at = gap_sq(one) < gap_sq(two) ? one : two;
    }
    const PairSlab slab =
        make_pair_slab(a.radius, b, to_a, frame.t, to_a, frame.t, {0.0, 0.0}, 0.0);
    const NodePair leaves{index, at.a, at.b, rigid::detail::Source::None, false, {}};
    return nearest_estimate(a, b, slab, leaves, SlabEnd::First).distance;
}

double SegmentSearch::clearance_estimate() {
    double least = std::numeric_limits<double>::infinity();
    for (const double t : {0.0, 0.5, 1.0}) {
        set_frame(frames_[0], t);
        const auto see = [&](std::uint32_t pair) {
            least = std::min(least, distance_estimate(pair, frames_[0]));
        };
        for (const EnvironmentGroup& group : model_.environment)
            for (std::uint32_t i = 0; i < model_.obstacle_bodies.size(); ++i)
                see(group.first_pair + i);
        for (const std::uint32_t pair : pairs_)
            see(pair);
    }
    return least;
}

}  // namespace graze::robot::detail

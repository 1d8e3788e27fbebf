#include "rigid/raster/contact.hpp"

#include <algorithm>
#include <array>

namespace graze::rigid::raster {
namespace {

constexpr int kNewtonSteps = 8;
// Newton's error after a step is about its square: a step of 1/64 pixel leaves far less than a
// thousandth of it.
constexpr double kLastStep = 1.0 / 64.0;
// Entries are sought so long before and after the step at most, as a share of it, where the speed
// is not next to none.
constexpr double kBeyond = 1.0 / 16.0;

struct EdgePair {
    Vec3 a;
    Vec3 along_a;
    Vec3 b;  // at time 0
    Vec3 along_b;
};

EdgePair edges_of(const Pair& pair, std::uint32_t edge_a, std::uint32_t edge_b) noexcept {
    const PolyhedronEdge& a = pair.a.edge(edge_a);
    const PolyhedronEdge& b = pair.b.edge(edge_b);
    const Vec3& from_a = pair.a.position[a.from];
    const Vec3& from_b = pair.b.position[b.from];
    return {from_a, pair.a.position[a.to] - from_a, from_b, pair.b.position[b.to] - from_b};
}

// How far a parameter is outside [0, 1].
double excess(double u) noexcept {
    return std::max({0.0, -u, u - 1.0});
}

// The feature of an edge at a place: one of its ends where that is within the reach.
Feature feature_at(const PolyhedronEdge& edge, std::uint32_t index, double u, double length,
                   double reach) noexcept {
    if (u * length <= reach && u <= 0.5) return {Kind::Vertex, edge.from};
    if ((1.0 - u) * length <= reach) return {Kind::Vertex, edge.to};
    return {Kind::Edge, index};
}

Touch told(const Pair& pair, std::uint32_t edge_a, std::uint32_t edge_b, const EdgePair& e,
           const EdgeGuess& at, bool exact) noexcept {
    const double reach = pair.settings.coincident;
    const double u = std::clamp(at.u, 0.0, 1.0);
    const double v = std::clamp(at.v, 0.0, 1.0);
    const double length_a = std::sqrt(norm_sq(e.along_a));
    const double length_b = std::sqrt(norm_sq(e.along_b));
    return {feature_at(pair.a.edge(edge_a), edge_a, u, length_a, reach),
            feature_at(pair.b.edge(edge_b), edge_b, v, length_b, reach),
            std::clamp(at.time, 0.0, 1.0), e.a + u * e.along_a, exact};
}

// Outside the edges or the step by more than four times the last step, and by more than a pixel.
bool is_far(const Pair& pair, const EdgePair& e, const EdgeGuess& at, double step_sq) noexcept {
    const double pixel = pair.settings.pixel;
    const double limit = std::max(16.0 * step_sq, pixel * pixel);
    const double out_u = excess(at.u);
    const double out_v = excess(at.v);
    return out_u * out_u * norm_sq(e.along_a) > limit || out_v * out_v * norm_sq(e.along_b) > limit;
}

// Newton for a + u along_a = (b + v along_b) moved by the time; one step solves it exactly where
// the
// motion is straight. None where the edges are parallel or slide along each other's plane.
std::optional<EdgeGuess> meeting(const Pair& pair, const EdgePair& e, EdgeGuess at) noexcept {
    const double last = kLastStep * pair.settings.pixel;
    for (int i = 0; i < kNewtonSteps; ++i) {
        const Turn turn = pair.flow.turn(at.time);
        const Vec3 along_b = pair.flow.turned(e.along_b, turn);
        const Vec3 on_b = pair.flow.moved(e.b, turn) + at.v * along_b;
        const Vec3 gap = e.a + at.u * e.along_a - on_b;
        const Vec3 velocity = pair.flow.velocity(on_b);
        const Vec3 normal = cross(e.along_a, along_b);
        const double rate = dot(normal, velocity);
        const double n_sq = norm_sq(normal);
        if (!(std::fabs(rate) > 0.0) || !(n_sq > 0.0)) return std::nullopt;
        const double dt = dot(normal, gap) / rate;
        const Vec3 rest = gap - dt * velocity;
        const double du = -dot(cross(rest, along_b), normal) / n_sq;
        const double dv = -dot(cross(rest, e.along_a), normal) / n_sq;
        at.time += std::clamp(dt, -0.5, 0.5);
        at.u += du;
        at.v += dv;
        if (!(std::fabs(at.u) <= 8.0) || !(std::fabs(at.v) <= 8.0) ||
            !(std::fabs(at.time) <= 3.0)) {
            return std::nullopt;
        }
        const double step_sq = std::max({dt * dt * norm_sq(velocity), du * du * norm_sq(e.along_a),
                                         dv * dv * norm_sq(along_b)});
        if (step_sq <= last * last) return at;
        // Steps get shorter from one to the next: what is outside by many of them stays there.
        if (i > 0 && is_far(pair, e, at, step_sq)) return std::nullopt;
        if (!pair.flow.turns && pair.flow.angular == Vec3{}) return at;
    }
    return std::nullopt;
}

bool within(const Pair& pair, const EdgePair& e, const EdgeGuess& at, double slack) noexcept {
    const double out_u = excess(at.u);
    const double out_v = excess(at.v);
    const double out_t = excess(at.time);
    if (out_u == 0.0 && out_v == 0.0 && out_t == 0.0) return true;
    const Vec3 velocity = pair.flow.velocity(e.a + at.u * e.along_a);
    const double limit = slack * slack;
    return out_u * out_u * norm_sq(e.along_a) <= limit &&
           out_v * out_v * norm_sq(e.along_b) <= limit &&
           out_t * out_t * norm_sq(velocity) <= limit;
}

// Nearest places on the two segments at a fixed time.
void nearest(const EdgePair& e, const Vec3& b, const Vec3& along_b, EdgeGuess& at) noexcept {
    const Vec3 w = e.a - b;
    const double aa = norm_sq(e.along_a);
    const double bb = norm_sq(along_b);
    const double ab = dot(e.along_a, along_b);
    const double aw = dot(e.along_a, w);
    const double bw = dot(along_b, w);
    const double det = aa * bb - ab * ab;
    // Nearly parallel: any place of the overlap will do, the given one among them.
    if (det > 1e-12 * aa * bb) at.u = std::clamp((ab * bw - bb * aw) / det, 0.0, 1.0);
    at.u = std::clamp(at.u, 0.0, 1.0);
    at.v = bb > 0.0 ? std::clamp((ab * at.u + bw) / bb, 0.0, 1.0) : 0.0;
    at.u = aa > 0.0 ? std::clamp((ab * at.v - aw) / aa, 0.0, 1.0) : 0.0;
}

// f(t) = n . (x(t) - c), where x is the vertex as seen from the face; >= 0 outside the face's body.
// With an angle a = way theta t it is p cos a + q sin a + rate t + rest.
class PlaneFunction {
public:
    PlaneFunction(const Flow& flow, const Vec3& vertex, const FacePlane& plane, double way) noexcept
        : flow_(flow), vertex_(vertex), normal_(plane.normal), way_(way) {
        const Vec3 velocity = flow.velocity(vertex);
        speed_sq_ = norm_sq(velocity);
        if (!flow.turns) {
            rest_ = dot(plane.normal, vertex - plane.corner);
            rate_ = way * dot(plane.normal, velocity);
            return;
        }
        const Vec3& n = plane.normal;
        p_ = n.x * vertex.x + n.z * vertex.z;
        q_ = n.x * vertex.z - n.z * vertex.x;
        rate_ = way * flow.g * n.y;
        rest_ = n.y * (vertex.y - plane.corner.y) - n.x * plane.corner.x - n.z * plane.corner.z;
        turn_ = way * flow.theta;
    }

    struct Value {
        double f;
        double rate;
    };
    [[nodiscard]] Value operator()(double t) const noexcept {
        if (!flow_.turns) return {rest_ + t * rate_, rate_};
        const Turn by = fast_turn(turn_ * t, t);
        return {p_ * by.cosine + q_ * by.sine + rate_ * t + rest_,
                turn_ * (q_ * by.cosine - p_ * by.sine) + rate_};
    }
    [[nodiscard]] Vec3 place(double t) const noexcept {
        return flow_.moved(vertex_, flow_.turn(way_ * t));
    }
    [[nodiscard]] const Vec3& normal() const noexcept { return normal_; }
    // The same at all times.
    [[nodiscard]] double speed_sq() const noexcept { return speed_sq_; }

private:
    const Flow& flow_;
    const Vec3& vertex_;
    const Vec3& normal_;
    double way_;  // 1: the vertex moves along the flow; -1: against it
    double p_ = 0.0;
    double q_ = 0.0;
    double turn_ = 0.0;
    double rate_ = 0.0;
    double rest_ = 0.0;
    double speed_sq_ = 0.0;
};

struct OnFace {
    bool inside = false;
    double distance_sq = kFar;  // to the boundary
    std::uint32_t corner = 0;   // the nearest edge starts at it
    double u = 0.0;             // where on that edge
    double length = 0.0;        // of that edge
};

// The two coordinates in which a face with this normal is largest.
struct Plane2 {
    std::size_t i;
    std::size_t j;
    double shrinks;  // areas
};
Plane2 largest_view(const Vec3& normal) noexcept {
    const double nx = std::fabs(normal.x);
    const double ny = std::fabs(normal.y);
    const double nz = std::fabs(normal.z);
    if (nx >= ny && nx >= nz) return {1, 2, nx};
    return ny >= nz ? Plane2{0, 2, ny} : Plane2{0, 1, nz};
}

// Even-odd, without divisions; none where a line along an edge comes within the distance `near`.
// Twice the area of x and an edge is the edge's length times the distance from its line.
std::optional<bool> clearly_inside(const Body& body, std::uint32_t face, const Vec3& normal,
                                   const Vec3& x, double near) noexcept {
    const auto corners = body.shape->face(face);
    const Plane2 view = largest_view(normal);
    const double limit = near * near * view.shrinks * view.shrinks;
    const double xi = x[view.i];
    const double xj = x[view.j];
    bool inside = false;
    const Vec3* p = &body.position[corners.back()];
    for (const std::uint32_t corner : corners) {
        const Vec3* q = &body.position[corner];
        const double pi = (*p)[view.i] - xi;
        const double pj = (*p)[view.j] - xj;
        const double qi = (*q)[view.i] - xi;
        const double qj = (*q)[view.j] - xj;
        const double area = pi * qj - pj * qi;
        if (!(area * area > limit * norm_sq(*q - *p))) return std::nullopt;
        // A ray to larger i crosses edges that go up on its one side, those that go down on the
        // other.
        if ((pj > 0.0) != (qj > 0.0) && (area > 0.0) == (qj > 0.0)) inside = !inside;
        p = q;
    }
    return inside;
}

// Even-odd in the plane of the two coordinates in which the face is largest.
OnFace on_face(const Body& body, std::uint32_t face, const Vec3& normal, const Vec3& x) noexcept {
    const auto corners = body.shape->face(face);
    const auto [i, j, shrinks] = largest_view(normal);
    OnFace on;
    double best_length_sq = 0.0;
    Vec3 p = body.position[corners.back()];
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec3& q = body.position[corners[k]];
        const Vec3 along = q - p;
        const Vec3 w = x - p;
        const double length_sq = norm_sq(along);
        const double u = length_sq > 0.0 ? std::clamp(dot(w, along) / length_sq, 0.0, 1.0) : 0.0;
        const double d = norm_sq(w - u * along);
        if (d < on.distance_sq) {
            on.distance_sq = d;
            on.corner = static_cast<std::uint32_t>((k == 0 ? corners.size() : k) - 1);
            on.u = u;
            best_length_sq = length_sq;
        }
        if ((p[j] > x[j]) != (q[j] > x[j])) {
            const double at = p[i] + (x[j] - p[j]) / along[j] * along[i];
            if (x[i] < at) on.inside = !on.inside;
        }
        p = q;
    }
    on.length = std::sqrt(best_length_sq);
    return on;
}

std::optional<Touch> told(const Pair& pair, const VertexFace& which, const PlaneFunction& f,
                          double t, bool exact) noexcept {
    const Body& other = which.vertex_of_a ? pair.b : pair.a;
    const PlaneFunction::Value at = f(t);
    // A vertex that hardly moves makes short steps wherever it is: the plane must be there as well.
    const double off = exact ? kLastStep * pair.settings.pixel : pair.settings.slack;
    if (!(std::fabs(at.f) <= off)) return std::nullopt;
    const Vec3 x = f.place(t) - at.f * f.normal();
    const double slack = pair.settings.slack;
    const double coincident = pair.settings.coincident;
    Feature feature{Kind::Face, which.face};
    // Half as much again for what the projected normal and the roundings are off.
    const auto clearly =
        clearly_inside(other, which.face, f.normal(), x, 1.5 * std::max(slack, coincident));
    if (clearly && !*clearly) return std::nullopt;
    const OnFace on = clearly ? OnFace{true} : on_face(other, which.face, f.normal(), x);
    if (!on.inside && !(on.distance_sq <= slack * slack)) return std::nullopt;
    if (!on.inside || on.distance_sq <= coincident * coincident) {
        const std::uint32_t edge = other.shape->face_edges(which.face)[on.corner];
        const PolyhedronEdge& e = other.edge(edge);
        const bool along = e.from == other.shape->face(which.face)[on.corner];
        feature = feature_at(e, edge, along ? on.u : 1.0 - on.u, on.length, coincident);
    }
    const Feature vertex{Kind::Vertex, which.vertex};
    const double time = std::clamp(t, 0.0, 1.0);
    const Body& own = which.vertex_of_a ? pair.a : pair.b;
    const Vec3 position = which.vertex_of_a
                              ? own.position[which.vertex]
                              : pair.flow.moved(own.position[which.vertex], pair.flow.turn(time));
    return which.vertex_of_a ? Touch{vertex, feature, time, position, exact}
                             : Touch{feature, vertex, time, position, exact};
}

// A time where the vertex goes from outside to inside: safeguarded by the bracket where there is
// one.
std::optional<double> entry(const Pair& pair, const PlaneFunction& f, double t, double lower,
                            double upper, bool bracketed) noexcept {
    const double last = kLastStep * pair.settings.pixel;
    for (int i = 0; i < 4 * kNewtonSteps; ++i) {
        const PlaneFunction::Value at = f(t);
        if (bracketed) (at.f > 0.0 ? lower : upper) = t;
        if (!bracketed && !(at.rate < 0.0)) return std::nullopt;
        double next = at.rate < 0.0 ? t - at.f / at.rate : kFar;
        const bool outside = !(next >= lower) || !(next <= upper);
        if (bracketed && outside) next = 0.5 * (lower + upper);
        if (!bracketed && outside) {
            const double end = next < lower ? lower : upper;
            if (t == end) return std::nullopt;
            next = end;
        }
        const double step = next - t;
        t = next;
        if (step * step * f.speed_sq() <= last * last) return t;
        if (!bracketed && i > kNewtonSteps) return std::nullopt;
    }
    return bracketed ? std::optional(t) : std::nullopt;
}

// [0, 1] in pieces: every change from outside to inside between two of their ends. The distance to
// the plane is a sine and a linear function of time: for half a turn 8 pieces tell its waves.
constexpr int kPieces = 8;

int pieces(const Flow& flow) noexcept {
    return flow.turns ? 1 + static_cast<int>((kPieces - 1) * std::min(1.0, flow.theta / kPi)) : 1;
}

// Between two ends where the distance changes in opposite ways: a time at which it is beyond the
// plane (sense 1: inside, where it falls first; -1: outside, where it rises first), or where it
// comes nearest to that.
double turning_point(const Pair& pair, const PlaneFunction& f, double lower, double upper,
                     double sense) noexcept {
    const double last = kLastStep * pair.settings.pixel;
    double t = 0.5 * (lower + upper);
    for (int i = 0; i < 4 * kNewtonSteps; ++i) {
        const PlaneFunction::Value at = f(t);
        const double width = upper - lower;
        // Flat: from here it changes by rate times width at most.
        if (sense * at.f < 0.0 || width * width * at.rate * at.rate <= 1e-6 * last * last) break;
        (sense * at.rate < 0.0 ? lower : upper) = t;
        t = 0.5 * (lower + upper);
    }
    return t;
}

// Adds all of them.
bool search_pieces(const Pair& pair, const VertexFace& which, const PlaneFunction& f,
                   const Range& times, std::vector<Touch>& touches) {
    const std::size_t known = touches.size();
    const int count = pieces(pair.flow);
    double before_t = times.lower;
    PlaneFunction::Value before = f(before_t);
    for (int i = 1; i <= count; ++i) {
        const double t = times.lower + (times.upper - times.lower) * i / count;
        const PlaneFunction::Value now = f(t);
        double begin = before_t;
        double end = t;
        bool enters = before.f >= 0.0 && now.f <= 0.0;
        // In and out again within a piece, or out and in again.
        if (before.f >= 0.0 && now.f > 0.0 && before.rate < 0.0 && now.rate > 0.0) {
            end = turning_point(pair, f, before_t, t, 1.0);
            enters = f(end).f <= 0.0;
        } else if (before.f < 0.0 && now.f <= 0.0 && before.rate > 0.0 && now.rate < 0.0) {
            begin = turning_point(pair, f, before_t, t, -1.0);
            enters = f(begin).f >= 0.0;
        }
        if (enters) {
            const auto root = entry(pair, f, 0.5 * (begin + end), begin, end, true);
            if (root) {
                const auto touch = told(pair, which, f, *root, true);
                if (touch) touches.push_back(*touch);
            }
        }
        before = now;
        before_t = t;
    }
    return touches.size() > known;
}

// Within the slack of the face without going through it: ends of the step, pieces, and where the
// distance is least between them.
std::optional<Touch> approach_of_face(const Pair& pair, const VertexFace& which,
                                      const PlaneFunction& f, double guess) {
    const double slack = pair.settings.slack;
    std::array<double, kPieces + 2> tried{};
    tried[0] = std::clamp(guess, 0.0, 1.0);
    for (int i = 0; i <= kPieces; ++i) {
        tried[static_cast<std::size_t>(i) + 1] = static_cast<double>(i) / kPieces;
    }
    for (const double start : tried) {
        double t = start;
        PlaneFunction::Value at = f(t);
        // A step of Newton towards the plane, within [0, 1].
        for (int i = 0; i < 2 && std::fabs(at.f) > 0.25 * slack && at.rate != 0.0; ++i) {
            const double next = std::clamp(t - at.f / at.rate, 0.0, 1.0);
            const PlaneFunction::Value there = f(next);
            if (!(std::fabs(there.f) < std::fabs(at.f))) break;
            t = next;
            at = there;
        }
        if (!(std::fabs(at.f) <= slack)) continue;
        const auto touch = told(pair, which, f, t, false);
        if (touch) return touch;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Touch> touch_of_edges(const Pair& pair, std::uint32_t edge_a, std::uint32_t edge_b,
                                    const EdgeGuess& guess) {
    const EdgePair e = edges_of(pair, edge_a, edge_b);
    const auto at = meeting(pair, e, guess);
    if (at && within(pair, e, *at, pair.settings.slack)) {
        return told(pair, edge_a, edge_b, e, *at, true);
    }
    if (!pair.settings.robust) return std::nullopt;
    return approach_of_edges(pair, edge_a, edge_b, guess);
}

std::optional<Touch> approach_of_edges(const Pair& pair, std::uint32_t edge_a, std::uint32_t edge_b,
                                       const EdgeGuess& guess) {
    const EdgePair e = edges_of(pair, edge_a, edge_b);
    const double slack = pair.settings.slack;
    EdgeGuess at{std::clamp(guess.u, 0.0, 1.0), std::clamp(guess.v, 0.0, 1.0),
                 std::clamp(guess.time, 0.0, 1.0)};
    // Plain: only what touches there already is wanted, edges that slide along each other.
    const int steps = pair.settings.robust ? 2 * kNewtonSteps : 2;
    for (int i = 0; i < steps; ++i) {
        const Turn turn = pair.flow.turn(at.time);
        const Vec3 along_b = pair.flow.turned(e.along_b, turn);
        const Vec3 b = pair.flow.moved(e.b, turn);
        nearest(e, b, along_b, at);
        const Vec3 on_b = b + at.v * along_b;
        const Vec3 gap = e.a + at.u * e.along_a - on_b;
        if (norm_sq(gap) <= slack * slack) return told(pair, edge_a, edge_b, e, at, false);
        const Vec3 velocity = pair.flow.velocity(on_b);
        const double speed_sq = norm_sq(velocity);
        if (!(speed_sq > 0.0)) return std::nullopt;
        const double next = std::clamp(at.time + dot(gap, velocity) / speed_sq, 0.0, 1.0);
        const double step = next - at.time;
        at.time = next;
        if (step * step * speed_sq <= 1e-6 * slack * slack) return std::nullopt;
    }
    return std::nullopt;
}

FacePlane plane_of(const Body& body, std::uint32_t face) noexcept {
    return {body.normal(face), body.position[body.shape->face(face)[0]]};
}

PlaneEnds plane_ends(const Pair& pair, const VertexFace& which, const FacePlane& plane) noexcept {
    const Body& own = which.vertex_of_a ? pair.a : pair.b;
    const Vec3& x = own.position[which.vertex];
    const Vec3 moved = pair.flow.moved(x, which.vertex_of_a ? pair.step_back : pair.step);
    const double way = which.vertex_of_a ? -1.0 : 1.0;
    PlaneEnds e;
    e.start = dot(plane.normal, x - plane.corner);
    e.end = dot(plane.normal, moved - plane.corner);
    e.rate_start = way * dot(plane.normal, pair.flow.velocity(x));
    e.rate_end = e.rate_start;
    if (!pair.flow.turns) return e;
    e.rate_end = way * dot(plane.normal, pair.flow.velocity(moved));
    const double theta = pair.flow.theta;
    e.bend = 0.125 * theta * theta * own.point[which.vertex].r;
    e.rate_doubt = theta * e.bend + kBeyond * std::fabs(e.rate_end - e.rate_start);
    return e;
}

// Whether an edge at the vertex, turned with it, goes against the normal by more than `least` < 0.
bool is_improper(const Pair& pair, const Body& body, std::uint32_t vertex, const Vec3& normal,
                 const Turn& turn, double least) noexcept {
    const Vec3 n = pair.flow.turned(normal, {turn.cosine, -turn.sine, -turn.time});
    const Vec3& at = body.position[vertex];
    for (const std::uint32_t i : body.shape->vertex_edges(vertex)) {
        const PolyhedronEdge& e = body.edge(i);
        const Vec3 along = body.place(e.from == vertex ? e.to : e.from) - at;
        const double rise = dot(along, n);
        if (rise < 0.0 && rise * rise > least * least * norm_sq(along)) return true;
    }
    return false;
}

namespace {

// Is there one entry at most, in the step and a little beyond it? Where the vertex hardly moves, it
// is looked for too far beyond to tell.
bool enters_once(const Pair& pair, const PlaneEnds& ends, double speed) noexcept {
    return pair.settings.slack <= kBeyond * speed && !ends.may_turn_back();
}

}  // namespace

std::optional<double> entry_guess(const Pair& pair, const VertexFace& which, const FacePlane& plane,
                                  const PlaneEnds& ends, const SpaceBox& face) noexcept {
    const double slack = pair.settings.slack;
    const Body& own = which.vertex_of_a ? pair.a : pair.b;
    const Vec3& vertex = own.position[which.vertex];
    const double speed = std::sqrt(norm_sq(pair.flow.velocity(vertex)));
    if (!enters_once(pair, ends, speed)) return ends.guess();
    const double slowest = -std::max(ends.rate_start, ends.rate_end) - ends.rate_doubt;
    if (!(slowest > 0.0)) return std::nullopt;  // it rises all the time
    // In before the step, or out after it: by the slack, because no point is faster than its speed.
    if (ends.start < -slack || ends.end > slack) return std::nullopt;
    // f falls all the time, by `slowest` at least: so its value here says how far the entry is.
    const double way = which.vertex_of_a ? -1.0 : 1.0;
    const double enough = 4.0 * kLastStep * pair.settings.pixel;
    double time = std::clamp(ends.guess(), 0.0, 1.0);
    double doubt = 0.0;
    double f = 0.0;
    Turn turn;
    Vec3 x;
    for (int i = 0; i < 3; ++i) {
        turn = pair.flow.turn(way * time);
        x = pair.flow.moved(vertex, turn);
        f = dot(plane.normal, x - plane.corner);
        doubt = std::fabs(f) / slowest;
        if (speed * doubt <= enough || i == 2) break;
        const double rate = std::min(-slowest, way * dot(plane.normal, pair.flow.velocity(x)));
        const double next = std::clamp(time - f / rate, 0.0, 1.0);
        if (next == time) break;
        time = next;
    }
    const double by = slack + kLastStep * pair.settings.pixel + speed * doubt;
    const bool in_box = x.x >= face.low.x - by && x.x <= face.high.x + by &&
                        x.y >= face.low.y - by && x.y <= face.high.y + by &&
                        x.z >= face.low.z - by && x.z <= face.high.z + by;
    if (!in_box) return std::nullopt;
    const Body& other = which.vertex_of_a ? pair.b : pair.a;
    const double near = 1.5 * std::max(slack, pair.settings.coincident) + by;
    const auto inside = clearly_inside(other, which.face, plane.normal, x - f * plane.normal, near);
    if (!inside) return time;
    if (!*inside) return std::nullopt;
    // Properness hangs on directions alone, which turn by theta in the unit of time. At the
    // boundary
    // of the face there are other readings.
    const double least = pair.settings.min_properness - 0.02 - pair.flow.theta * doubt;
    const bool improper =
        least > -1.0 && is_improper(pair, own, which.vertex, plane.normal, turn, least);
    return improper ? std::nullopt : std::optional(time);
}

SpaceBox box_of(const Body& body, std::uint32_t face) noexcept {
    SpaceBox box;
    for (const std::uint32_t v : body.shape->face(face)) {
        const Vec3& x = body.position[v];
        box.low = {std::min(box.low.x, x.x), std::min(box.low.y, x.y), std::min(box.low.z, x.z)};
        box.high = {std::max(box.high.x, x.x), std::max(box.high.y, x.y),
                    std::max(box.high.z, x.z)};
    }
    return box;
}

void add_touches_of_face(const Pair& pair, const VertexFace& which, const FacePlane& plane,
                         const PlaneEnds& ends, double guess, std::vector<Touch>& touches) {
    const Body& own = which.vertex_of_a ? pair.a : pair.b;
    const PlaneFunction f(pair.flow, own.position[which.vertex], plane,
                          which.vertex_of_a ? -1.0 : 1.0);
    const double speed = std::sqrt(f.speed_sq());
    const double beyond = speed > 0.0 ? pair.settings.slack / speed : 0.0;
    const Range times = {-std::min(beyond, 1.0), 1.0 + std::min(beyond, 1.0)};
    // Of several entries Newton's iteration finds any, and others may be the ones in the face.
    if (enters_once(pair, ends, speed)) {
        const double start = std::clamp(guess, times.lower, times.upper);
        const auto t = entry(pair, f, start, times.lower, times.upper, false);
        const auto touch = t ? told(pair, which, f, *t, true) : std::nullopt;
        if (touch) touches.push_back(*touch);
        if (touch || (t && !pair.settings.robust)) return;
    }
    if (search_pieces(pair, which, f, times, touches) || !pair.settings.robust) return;
    const auto touch = approach_of_face(pair, which, f, guess);
    if (touch) touches.push_back(*touch);
}

}  // namespace graze::rigid::raster

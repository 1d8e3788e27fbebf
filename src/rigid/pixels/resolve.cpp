#include "rigid/pixels/resolve.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "graze/core/elementary.hpp"
#include "graze/rigid/pixels.hpp"
#include "rigid/raster/resolve.hpp"

namespace graze::rigid::pixels {
namespace {

constexpr int kNewtonSteps = 32;
// [fraction of the step] Newton's method ends at steps below it: quadratic, so far below a pixel.
constexpr double kTimeTolerance = 1e-12;
// The sine of an angle below which edges count as parallel: as of the search by chords.
constexpr double kParallelSquared = 1e-12;

Vec3 unit_or_zero(const Vec3& v) noexcept {
    const double length = norm(v);
    return length > 0.0 ? (1.0 / length) * v : Vec3{};
}

// A pair as it was read, in the screen's coordinates.
struct ReadPair {
    ContactType type = ContactType::EdgeEdge;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    Vec3 normal;
    double properness = -2.0;
};

class PixelResolver {
public:
    PixelResolver(const PixelBody& a, const PixelBody& b, const Flow& flow, double pixel,
                  double min_properness)
        : a_(a.body), b_(b.body), flow_(flow), pixel_(pixel), min_properness_(min_properness) {}

    void vertex_in_face(const VertexInFace& v) {
        const auto time = v.is_on_fold    ? std::optional(v.time)
                          : v.vertex_of_a ? time_of_vertex_of_a(v)
                                          : time_of_vertex_of_b(v);
        if (!time) {
            ++result.not_converged;
            return;
        }
        if (!(*time >= 0.0 && *time <= 1.0)) return;
        ReadPair pair;
        if (v.vertex_of_a) {
            read_vertex_face(v.vertex, v.face, *time, pair);
            report(pair, *time, a_.position[v.vertex]);
        } else {
            read_face_vertex(v.face, v.vertex, *time, pair);
            report(pair, *time, moved_of_b(v.vertex, *time));
        }
    }
    void vertices(const PairTable::Entry& e) {
        const double time = e.meeting.time;
        ReadPair best;
        for (const std::uint32_t f : b_.shape->vertex_faces(e.b))
            read_vertex_face(e.a, f, time, best);
        for (const std::uint32_t f : a_.shape->vertex_faces(e.a))
            read_face_vertex(f, e.b, time, best);
        report(best, time, a_.position[e.a]);
    }
    void vertex_edge(const PairTable::Entry& e) {
        const double time = e.meeting.time;
        ReadPair best;
        read_vertex_face(e.a, b_.edge(e.b).left, time, best);
        read_vertex_face(e.a, b_.edge(e.b).right, time, best);
        report(best, time, a_.position[e.a]);
    }
    void edge_vertex(const PairTable::Entry& e) {
        const double time = e.meeting.time;
        ReadPair best;
        read_face_vertex(a_.edge(e.a).left, e.b, time, best);
        read_face_vertex(a_.edge(e.a).right, e.b, time, best);
        report(best, time, moved_of_b(e.b, time));
    }
    void edges(const PairTable::Entry& e) {
        const raster::Turn turn = flow_.turn(e.meeting.time);
        const auto p = properness_by_equation_7(wedge_of(a_, e.a, {}), wedge_of(b_, e.b, turn));
        if (!p) return;
        report({ContactType::EdgeEdge, e.a, e.b, p->normal, p->value}, e.meeting.time,
               position_of(e.meeting));
    }

    Resolved result;

private:
    // Seen from B, the vertex of A goes against the flow.
    [[nodiscard]] std::optional<double> time_of_vertex_of_a(const VertexInFace& v) const noexcept {
        const Vec3& corner = b_.position[b_.shape->face(v.face).front()];
        const auto time =
            time_in_plane(flow_, a_.position[v.vertex], b_.normal(v.face), corner, -v.time, 1.0);
        return time ? std::optional(-*time) : std::nullopt;
    }
    [[nodiscard]] std::optional<double> time_of_vertex_of_b(const VertexInFace& v) const noexcept {
        const Vec3& corner = a_.position[a_.shape->face(v.face).front()];
        return time_in_plane(flow_, b_.position[v.vertex], a_.normal(v.face), corner, v.time, -1.0);
    }
    [[nodiscard]] Vec3 moved_of_b(std::uint32_t vertex, double time) const noexcept {
        return flow_.moved(b_.position[vertex], flow_.turn(time));
    }
    // The middle of the pixel, at the screen's time of A's edge, back in space: on the cylinder of
    // radius r unrolled, (r phi, y) = t (r theta, g) + h (-g, r theta) / s.
    [[nodiscard]] Vec3 position_of(const Meeting& m) const noexcept {
        const double r = (m.row + 0.5) * pixel_;
        const double h = (m.h + 0.5) * pixel_;
        if (!flow_.turns) return {r, m.t_a * flow_.g, h};
        const double arc = r * flow_.theta;
        const double s = norm(Vec3{flow_.g, arc, 0.0});
        if (!(s > 0.0)) return {0.0, h, r};
        const double phi = flow_.theta * m.t_a - flow_.g * h / (s * r);
        return {r * sine(phi), flow_.g * m.t_a + arc * h / s, r * cosine(phi)};
    }
    [[nodiscard]] EdgeWedge wedge_of(const Body& body, std::uint32_t edge,
                                     const raster::Turn& turn) const noexcept {
        const PolyhedronEdge& e = body.edge(edge);
        const auto now = [&](const Vec3& v) {
            return turn.time != 0.0 ? flow_.turned(v, turn) : v;
        };
        const auto normal = [&](std::uint32_t f) {
            return f == kNoFace ? Vec3{} : now(body.normal(f));
        };
        return {unit_or_zero(now(body.position[e.to] - body.position[e.from])), normal(e.left),
                normal(e.right)};
    }

    // Each takes the place of `best` where it is more proper.
    void read_vertex_face(std::uint32_t vertex, std::uint32_t face, double time,
                          ReadPair& best) const {
        if (face == kNoFace || b_.normal(face) == Vec3{}) return;
        const Vec3 n = flow_.turned(b_.normal(face), flow_.turn(time));
        const double p = raster::vertex_properness(a_, flow_, {}, vertex, n);
        if (p > best.properness) best = {ContactType::VertexFace, vertex, face, -n, p};
    }
    void read_face_vertex(std::uint32_t face, std::uint32_t vertex, double time,
                          ReadPair& best) const {
        if (face == kNoFace || a_.normal(face) == Vec3{}) return;
        const Vec3& n = a_.normal(face);
        const double p = raster::vertex_properness(b_, flow_, flow_.turn(time), vertex, n);
        if (p > best.properness) best = {ContactType::FaceVertex, face, vertex, n, p};
    }
    void report(const ReadPair& pair, double time, const Vec3& position) {
        if (pair.properness < -1.5 ||
            !(pair.properness >= raster::least_properness(min_properness_)))
            return;
        result.collisions.push_back({pair.type, pair.a, pair.b, time, a_.map.back(position),
                                     a_.map.direction_back(pair.normal), pair.properness});
    }

    const Body& a_;
    const Body& b_;
    const Flow& flow_;
    double pixel_;
    double min_properness_;
};

// One of each pair of features: the first in the order that they were reported, which is Newton's
// where there is one. Then by time.
void keep_first_of_each(std::vector<Contact>& collisions) {
    const auto pair = [](const Contact& c) { return std::tuple(c.type, c.a, c.b); };
    std::stable_sort(collisions.begin(), collisions.end(),
                     [&](const Contact& x, const Contact& y) { return pair(x) < pair(y); });
    const auto end =
        std::unique(collisions.begin(), collisions.end(),
                    [&](const Contact& x, const Contact& y) { return pair(x) == pair(y); });
    collisions.erase(end, collisions.end());
    std::sort(collisions.begin(), collisions.end(), [&](const Contact& x, const Contact& y) {
        return std::tuple_cat(std::tuple(x.time), pair(x)) <
               std::tuple_cat(std::tuple(y.time), pair(y));
    });
}

}  // namespace

std::optional<double> time_in_plane(const Flow& flow, const Vec3& x, const Vec3& normal,
                                    const Vec3& on_plane, double guess, double sign) noexcept {
    for (const double start : {guess, 0.5 * (guess > 0.0 ? 1.0 : -1.0), 0.0}) {
        double time = start;
        for (int i = 0; i < kNewtonSteps; ++i) {
            const Vec3 at = flow.moved(x, flow.turn(time));
            const double rate = dot(normal, flow.velocity(at));
            const double step = dot(normal, at - on_plane) / rate;
            // Far beyond the step there is nothing to find.
            if (!(std::fabs(step) <= 4.0)) break;
            time -= step;
            if (std::fabs(step) > kTimeTolerance) continue;
            // The face that is met faces the way it was chosen for.
            if (sign * rate >= 0.0) return time;
            break;
        }
    }
    return std::nullopt;
}

Resolved resolve(const PixelBody& a, const PixelBody& b, const Flow& flow, const Scan& scan,
                 double pixel, double min_properness, StopPoll& stop) {
    PixelResolver resolver(a, b, flow, pixel, min_properness);
    for (const VertexInFace& v : scan.in_faces) {
        if (stop()) return {};
        resolver.vertex_in_face(v);
    }
    for (const PairTable::Entry& e : scan.vertices.entries())
        resolver.vertices(e);
    for (const PairTable::Entry& e : scan.vertex_edges.entries())
        resolver.vertex_edge(e);
    for (const PairTable::Entry& e : scan.edge_vertices.entries())
        resolver.edge_vertex(e);
    for (const PairTable::Entry& e : scan.edges.entries()) {
        if (stop()) return {};
        resolver.edges(e);
    }
    keep_first_of_each(resolver.result.collisions);
    return std::move(resolver.result);
}

}  // namespace graze::rigid::pixels

namespace graze::rigid {

std::optional<WedgeProperness> properness_by_equation_7(const EdgeWedge& a,
                                                        const EdgeWedge& b) noexcept {
    const Vec3 across = cross(a.along, b.along);
    const double sine_sq = norm_sq(across);
    if (!(sine_sq > pixels::kParallelSquared)) return std::nullopt;
    const Vec3 n = (1.0 / std::sqrt(sine_sq)) * across;
    const Vec3 beside_a = cross(n, a.along);
    const Vec3 beside_b = cross(n, b.along);
    double plus = 1.0;
    double minus = 1.0;
    const auto term = [&](double sign, const Vec3& beside, const Vec3& normal) {
        if (normal == Vec3{}) return;
        const double value = sign * dot(beside, normal);
        plus = std::min(plus, value);
        minus = std::min(minus, -value);
    };
    term(1.0, beside_a, a.left);
    term(-1.0, beside_a, a.right);
    term(-1.0, beside_b, b.left);
    term(1.0, beside_b, b.right);
    return plus >= minus ? WedgeProperness{plus, n} : WedgeProperness{minus, -n};
}

std::optional<WedgeProperness> properness_by_equation_6(const EdgeWedge& a,
                                                        const EdgeWedge& b) noexcept {
    auto p = properness_by_equation_7(a, b);
    if (p) p->value *= norm(cross(a.along, b.along));
    return p;
}

}  // namespace graze::rigid

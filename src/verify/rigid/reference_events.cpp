// Every crossing of a vertex with a face and of two edges, pair by pair, in double.
#include <cmath>
#include <cstring>

#include "graze/verify/rigid_reference.hpp"
#include "graze/verify/rigid_reference_bodies.hpp"

namespace graze::rigid::reference {
namespace {

// Roots of f in [t0, t1] where |f'| <= slope: slabs whose ends exclude a root are dropped; a change
// of sign within the width `kCell` is one root. Roots without a change of sign are not found.
template <class F>
struct RootSearch {
    static constexpr double kCell = 1.0 / 64.0;
    static constexpr double kNarrowest = 1e-4;
    const F& f;
    double slope;
    std::vector<double> roots;

    void look(double t0, double f0, double t1, double f1) {
        const double width = t1 - t0;
        const bool changes = (f0 < 0.0) != (f1 < 0.0);
        if (!changes && (std::fabs(f0) + std::fabs(f1) > slope * width || width < kNarrowest))
            return;
        if (changes && width <= kCell) {
            roots.push_back(bisect(t0, f0, t1));
            return;
        }
        const double t = 0.5 * (t0 + t1);
        const double middle = f(t);
        look(t0, f0, t, middle);
        look(t, middle, t1, f1);
    }

    [[nodiscard]] double bisect(double t0, double f0, double t1) const {
        for (int i = 0; i < 50; ++i) {
            const double t = 0.5 * (t0 + t1);
            ((f(t) < 0.0) == (f0 < 0.0) ? t0 : t1) = t;
        }
        return 0.5 * (t0 + t1);
    }
};
template <class F>
std::vector<double> roots_of(const F& f, double slope) {
    RootSearch<F> search{f, slope, {}};
    search.look(0.0, f(0.0), 1.0, f(1.0));
    return search.roots;
}

using Polygon = std::vector<Vector64>;

Vector64 newell(const Polygon& p) {
    Vector64 n;
    for (std::size_t i = 0; i < p.size(); ++i)
        n = n + cross(p[i] - p[0], p[(i + 1) % p.size()] - p[0]);
    return 1.0 / length(n) * n;
}

// Parity in the plane, seen along the largest component of the normal.
bool is_in_polygon(const Vector64& x, const Polygon& p, const Vector64& n) {
    const int axis = std::fabs(n.x) > std::fabs(n.y) ? (std::fabs(n.x) > std::fabs(n.z) ? 0 : 2)
                                                     : (std::fabs(n.y) > std::fabs(n.z) ? 1 : 2);
    const auto u = [&](const Vector64& q) { return axis == 0 ? q.y : q.x; };
    const auto v = [&](const Vector64& q) { return axis == 2 ? q.y : q.z; };
    bool inside = false;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Vector64& s = p[i];
        const Vector64& e = p[(i + 1) % p.size()];
        if ((v(s) > v(x)) == (v(e) > v(x))) continue;
        if (u(x) < u(s) + (v(x) - v(s)) / (v(e) - v(s)) * (u(e) - u(s))) inside = !inside;
    }
    return inside;
}

Vector64 inverse_apply(const RigidMap<double>& m, const Vector64& y) {
    const Vector64 d = y - m.shift;
    return d.x * m.rows[0] + d.y * m.rows[1] + d.z * m.rows[2];
}

Polygon polygon(const Polyhedron& body, std::size_t f) {
    Polygon result;
    for (const std::uint32_t v : body.face(f))
        result.push_back(widen<double>(body.positions()[v]));
    return result;
}

Event event(const char* type, std::size_t a, std::size_t b, double t) {
    Event result{{}, static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), t};
    std::memcpy(result.type, type, 3);
    return result;
}

// The vertices of one against the faces of the other, with the vertices where `path` puts them in
// the frame of the faces.
template <class Path>
void add_vertex_events(const Polyhedron& vertices, const Polyhedron& faces, double speed,
                       const Path& path, bool vertices_of_a, std::vector<Event>& events) {
    for (std::size_t f = 0; f < faces.face_count(); ++f) {
        const Polygon p = polygon(faces, f);
        const Vector64 n = newell(p);
        for (std::size_t v = 0; v < vertices.positions().size(); ++v) {
            const Vector64 x = widen<double>(vertices.positions()[v]);
            const auto height = [&](double t) { return dot(n, path(x, t) - p[0]); };
            for (const double t : roots_of(height, speed))
                if (is_in_polygon(path(x, t), p, n))
                    events.push_back(vertices_of_a ? event("vf", v, f, t) : event("fv", f, v, t));
        }
    }
}

void add_edge_events(const Bodies& bodies, std::vector<Event>& events) {
    const auto end = [](const Polyhedron& body, std::uint32_t v) {
        return widen<double>(body.positions()[v]);
    };
    const double angle = bodies.angle;
    for (std::size_t i = 0; i < bodies.a.edges().size(); ++i)
        for (std::size_t j = 0; j < bodies.b.edges().size(); ++j) {
            const Vector64 a0 = end(bodies.a, bodies.a.edges()[i].from);
            const Vector64 a1 = end(bodies.a, bodies.a.edges()[i].to);
            const Vector64 b0 = end(bodies.b, bodies.b.edges()[j].from);
            const Vector64 b1 = end(bodies.b, bodies.b.edges()[j].to);
            // det[a1 - a0, b0 - a0, b1 - b0]: the second moves at `speed`, the third rotates.
            const double slope =
                length(a1 - a0) * length(b1 - b0) * (bodies.speed + angle * 2.0 * bodies.size);
            const auto turning = [&](double t) {
                const auto map = bodies.motion.at(t);
                return volume(a0, a1, map(b0), map(b1));
            };
            for (const double t : roots_of(turning, slope)) {
                const auto map = bodies.motion.at(t);
                const Vector64 e = a1 - a0;
                const Vector64 f = map(b1) - map(b0);
                const Vector64 r = map(b0) - a0;
                const Vector64 n = cross(e, f);
                const double s = dot(cross(r, f), n) / dot(n, n);
                const double u = dot(cross(r, e), n) / dot(n, n);
                if (s >= 0.0 && s <= 1.0 && u >= 0.0 && u <= 1.0)
                    events.push_back(event("ee", i, j, t));
            }
        }
}

}  // namespace

std::vector<Event> events(const Pair& pair) {
    const Bodies& bodies = pair.bodies();
    std::vector<Event> result;
    const auto of_a = [&](const Vector64& x, double t) {
        return inverse_apply(bodies.motion.at(t), x);
    };
    const auto of_b = [&](const Vector64& x, double t) { return bodies.motion.at(t)(x); };
    // Seen from B, points of A move by the inverse screw: as fast as B's at their positions.
    const double speed_a = length(bodies.motion.linear) + bodies.angle * bodies.size;
    add_vertex_events(bodies.a, bodies.b, speed_a, of_a, true, result);
    add_vertex_events(bodies.b, bodies.a, bodies.speed, of_b, false, result);
    add_edge_events(bodies, result);
    std::sort(result.begin(), result.end(),
              [](const Event& x, const Event& y) { return x.time < y.time; });
    return result;
}

}  // namespace graze::rigid::reference

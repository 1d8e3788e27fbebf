#include "rigid/raster/resolve.hpp"

#include <algorithm>
#include <tuple>

namespace graze::rigid::raster {
namespace {

Vec3 turned_of_b(const Pair& pair, const Turn& turn, const Vec3& v) noexcept {
    return pair.flow.turned(v, turn);
}

// Outward normals of the faces at an edge, at the time of the turn; 0 where there is none.
struct Sides {
    Vec3 left;
    Vec3 right;
    bool has_left = false;
    bool has_right = false;
};

Sides sides_of(const Body& body, const PolyhedronEdge& e) noexcept {
    Sides s;
    if (e.left != kNoFace && body.shape->normal(e.left) != Vec3{}) {
        s.left = body.normal(e.left);
        s.has_left = true;
    }
    if (e.right != kNoFace && body.shape->normal(e.right) != Vec3{}) {
        s.right = body.normal(e.right);
        s.has_right = true;
    }
    return s;
}

Vec3 unit(const Vec3& v) noexcept {
    const double length = std::sqrt(norm_sq(v));
    return length > 0.0 ? (1.0 / length) * v : Vec3{};
}

Vec3 edge_direction(const Body& body, const PolyhedronEdge& e) noexcept {
    return unit(body.place(e.to) - body.place(e.from));
}

// One way to read a touch.
struct Reading {
    ContactType type = ContactType::EdgeEdge;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    Vec3 normal;
    double properness = -2.0;
    bool approaches = false;
};

class Reader {
public:
    Reader(const Pair& pair, const Touch& touch) noexcept
        : pair_(pair), turn_(pair.flow.turn(touch.time)) {
        velocity_ = pair.flow.velocity(touch.position);
        speed_ = std::sqrt(norm_sq(velocity_));
    }

    // A vertex of A and a face of B.
    void vertex_face(std::uint32_t vertex, std::uint32_t face) noexcept {
        if (face == kNoFace || pair_.b.shape->normal(face) == Vec3{}) return;
        const Vec3 n = turned_of_b(pair_, turn_, pair_.b.normal(face));
        consider({ContactType::VertexFace, vertex, face, -n,
                  vertex_properness(pair_.a, pair_.flow, {}, vertex, n), false});
    }
    void face_vertex(std::uint32_t face, std::uint32_t vertex) noexcept {
        if (face == kNoFace || pair_.a.shape->normal(face) == Vec3{}) return;
        const Vec3 n = pair_.a.normal(face);
        consider({ContactType::FaceVertex, face, vertex, n,
                  vertex_properness(pair_.b, pair_.flow, turn_, vertex, n), false});
    }
    void edge_edge(std::uint32_t a, std::uint32_t b) noexcept {
        const auto p = edge_properness(pair_, turn_, a, b);
        if (p) consider({ContactType::EdgeEdge, a, b, p->normal, p->value, false});
    }
    [[nodiscard]] const Reading& best() const noexcept { return best_; }

private:
    // What approaches comes before what does not, then the more proper, then what came first.
    void consider(Reading r) noexcept {
        r.approaches = dot(r.normal, velocity_) <= 1e-9 * speed_;
        const bool better =
            r.approaches != best_.approaches ? r.approaches : r.properness > best_.properness;
        if (best_.properness < -1.5 || better) best_ = r;
    }

    const Pair& pair_;
    Turn turn_;
    Vec3 velocity_;
    double speed_ = 0.0;
    Reading best_;
};

void read_vertex_edge(Reader& reader, const Pair& pair, std::uint32_t vertex, std::uint32_t edge) {
    reader.vertex_face(vertex, pair.b.edge(edge).left);
    reader.vertex_face(vertex, pair.b.edge(edge).right);
    for (const std::uint32_t e : pair.a.shape->vertex_edges(vertex))
        reader.edge_edge(e, edge);
}

void read_edge_vertex(Reader& reader, const Pair& pair, std::uint32_t edge, std::uint32_t vertex) {
    reader.face_vertex(pair.a.edge(edge).left, vertex);
    reader.face_vertex(pair.a.edge(edge).right, vertex);
    for (const std::uint32_t e : pair.b.shape->vertex_edges(vertex))
        reader.edge_edge(edge, e);
}

void read_vertices(Reader& reader, const Pair& pair, std::uint32_t a, std::uint32_t b) {
    for (const std::uint32_t f : pair.b.shape->vertex_faces(b))
        reader.vertex_face(a, f);
    for (const std::uint32_t f : pair.a.shape->vertex_faces(a))
        reader.face_vertex(f, b);
    for (const std::uint32_t e : pair.a.shape->vertex_edges(a)) {
        for (const std::uint32_t d : pair.b.shape->vertex_edges(b))
            reader.edge_edge(e, d);
    }
}

Reading read(const Pair& pair, const Touch& touch) {
    Reader reader(pair, touch);
    const std::uint32_t a = touch.a.index;
    const std::uint32_t b = touch.b.index;
    if (touch.a.kind == Kind::Face) {
        reader.face_vertex(a, b);
    } else if (touch.b.kind == Kind::Face) {
        reader.vertex_face(a, b);
    } else if (touch.a.kind == Kind::Edge && touch.b.kind == Kind::Edge) {
        reader.edge_edge(a, b);
    } else if (touch.b.kind == Kind::Edge) {
        read_vertex_edge(reader, pair, a, b);
    } else if (touch.a.kind == Kind::Edge) {
        read_edge_vertex(reader, pair, a, b);
    } else {
        read_vertices(reader, pair, a, b);
    }
    return reader.best();
}

auto features(const Touch& t) noexcept {
    return std::tuple(t.a.kind, t.a.index, t.b.kind, t.b.index);
}

// One of each pair of features and time: the first. Times closer than the gap count as one; what
// only comes near is one with what comes before.
void merge(std::vector<Touch>& touches, double gap) {
    std::stable_sort(touches.begin(), touches.end(), [](const Touch& x, const Touch& y) {
        return std::tuple_cat(features(x), std::tuple(x.time)) <
               std::tuple_cat(features(y), std::tuple(y.time));
    });
    std::size_t kept = 0;
    for (const Touch& t : touches) {
        if (kept > 0 && features(touches[kept - 1]) == features(t)) {
            Touch& last = touches[kept - 1];
            if (!t.exact || !last.exact || t.time - last.time <= gap) {
                last.exact = last.exact || t.exact;
                continue;
            }
        }
        touches[kept++] = t;
    }
    touches.resize(kept);
}

void merge(std::vector<Contact>& collisions, double gap) {
    const auto key = [](const Contact& c) { return std::tuple(c.type, c.a, c.b, c.time); };
    std::stable_sort(collisions.begin(), collisions.end(),
                     [&](const Contact& x, const Contact& y) { return key(x) < key(y); });
    const auto end =
        std::unique(collisions.begin(), collisions.end(), [&](const Contact& x, const Contact& y) {
            return x.type == y.type && x.a == y.a && x.b == y.b && y.time - x.time <= gap;
        });
    collisions.erase(end, collisions.end());
    std::sort(collisions.begin(), collisions.end(), [&](const Contact& x, const Contact& y) {
        return std::tuple(x.time, x.type, x.a, x.b) < std::tuple(y.time, y.type, y.a, y.b);
    });
}

}  // namespace

double vertex_properness(const Body& body, const Flow& flow, const Turn& turn, std::uint32_t vertex,
                         const Vec3& normal) noexcept {
    double least = 1.0;
    const Vec3 at = body.place(vertex);
    for (const std::uint32_t i : body.shape->vertex_edges(vertex)) {
        const PolyhedronEdge& e = body.edge(i);
        Vec3 along = body.place(e.from == vertex ? e.to : e.from) - at;
        if (turn.time != 0.0) along = flow.turned(along, turn);
        const double length_sq = norm_sq(along);
        if (!(length_sq > 0.0)) continue;
        least = std::min(least, dot(along, normal) / std::sqrt(length_sq));
    }
    return least;
}

std::optional<EdgeProperness> edge_properness(const Pair& pair, const Turn& turn,
                                              std::uint32_t edge_a, std::uint32_t edge_b) noexcept {
    const PolyhedronEdge& a = pair.a.edge(edge_a);
    const PolyhedronEdge& b = pair.b.edge(edge_b);
    const Vec3 along_a = edge_direction(pair.a, a);
    const Vec3 along_b = turned_of_b(pair, turn, edge_direction(pair.b, b));
    const Vec3 across = cross(along_a, along_b);
    const double sine_sq = norm_sq(across);
    // Parallel within what the pixels can tell: their vertices touch.
    if (!(sine_sq > 1e-12)) return std::nullopt;
    const Vec3 n = (1.0 / std::sqrt(sine_sq)) * across;
    const Sides sa = sides_of(pair.a, a);
    const Sides sb = sides_of(pair.b, b);
    const Vec3 na = cross(n, along_a);
    const Vec3 nb = cross(n, along_b);
    double plus = 1.0;
    double minus = 1.0;
    const auto term = [&](double value) {
        plus = std::min(plus, value);
        minus = std::min(minus, -value);
    };
    if (sa.has_left) term(dot(na, sa.left));
    if (sa.has_right) term(-dot(na, sa.right));
    if (sb.has_left) term(-dot(nb, turned_of_b(pair, turn, sb.left)));
    if (sb.has_right) term(dot(nb, turned_of_b(pair, turn, sb.right)));
    EdgeProperness told = plus >= minus ? EdgeProperness{plus, n} : EdgeProperness{minus, -n};
    // In a valley the equation is not negative for the normal that points into the body.
    Vec3 out_of_a;
    Vec3 out_of_b;
    if (sa.has_left) out_of_a = out_of_a + sa.left;
    if (sa.has_right) out_of_a = out_of_a + sa.right;
    if (sb.has_left) out_of_b = out_of_b + sb.left;
    if (sb.has_right) out_of_b = out_of_b + sb.right;
    const bool into_a = dot(told.normal, out_of_a) < 0.0;
    const bool into_b = dot(told.normal, turned_of_b(pair, turn, out_of_b)) > 0.0;
    if (into_a || into_b) told.value = -std::fabs(told.value);
    return told;
}

bool may_be_proper(const Pair& pair, const Turn& turn, std::uint32_t edge_a, std::uint32_t edge_b,
                   double least) noexcept {
    const PolyhedronEdge& a = pair.a.edge(edge_a);
    const PolyhedronEdge& b = pair.b.edge(edge_b);
    const Vec3 along_a = pair.a.position[a.to] - pair.a.position[a.from];
    const Vec3 along_b = turned_of_b(pair, turn, pair.b.position[b.to] - pair.b.position[b.from]);
    const Vec3 across = cross(along_a, along_b);
    const double length_sq = norm_sq(across);
    const double a_sq = norm_sq(along_a);
    const double b_sq = norm_sq(along_b);
    if (!(length_sq > 1e-12 * a_sq * b_sq)) return true;
    // The properness is the least of some terms, or of these with the other sign.
    bool below = false;
    bool above = false;
    const auto term = [&](double value, double limit) {
        below |= value < limit;
        above |= value > -limit;
    };
    const double limit_a = least * std::sqrt(length_sq * a_sq);
    const Vec3 na = cross(across, along_a);
    if (a.left != kNoFace) term(dot(na, pair.a.normal(a.left)), limit_a);
    if (a.right != kNoFace) term(-dot(na, pair.a.normal(a.right)), limit_a);
    if (below && above) return false;
    const double limit_b = least * std::sqrt(length_sq * b_sq);
    const Vec3 nb = cross(across, along_b);
    if (b.left != kNoFace) term(-dot(nb, turned_of_b(pair, turn, pair.b.normal(b.left))), limit_b);
    if (b.right != kNoFace) term(dot(nb, turned_of_b(pair, turn, pair.b.normal(b.right))), limit_b);
    return !(below && above);
}

std::vector<Contact> resolve(const Pair& pair, std::vector<Touch>& touches, double min_properness) {
    const double gap = 2.0 * pair.settings.time_resolution;
    merge(touches, gap);
    std::vector<Contact> collisions;
    collisions.reserve(touches.size());
    for (const Touch& t : touches) {
        const Reading r = read(pair, t);
        if (!(r.properness >= least_properness(min_properness))) continue;
        // Bodies that face each other and part: the end of an overlap, no collision.
        if (t.exact && r.properness >= 0.0 && !r.approaches) continue;
        collisions.push_back({r.type, r.a, r.b, t.time, pair.a.map.back(t.position),
                              pair.a.map.direction_back(r.normal), r.properness});
    }
    merge(collisions, gap);
    return collisions;
}

}  // namespace graze::rigid::raster

// Two and three roots: motions through two chosen moments at which all four vertices are coplanar.
//
//   Let s = 64 t. At s = i the vertices are at X, at s = j at Y, i < j in 1..63. With both times
//   d = j - i, each vertex moves by W = Y - X per unit of s and stays on integers:
//     start = d X - i W,  end = d X + (64 - i) W.
//   With x = s - i and the differences e_k = d E_k + x W_k of vertices 1, 2, 3 to vertex 0, the
//   coplanarity cubic is f(x) = c1 x + c2 x^2 + c3 x^3, and f(d) = 0.
//   f(-i) f(64 - i) > 0 iff an even number of its roots, multiplicities counted, lies in the open
//   step: then two, which are simple. < 0: three, which differ iff f' is zero neither at 0 nor at
//   d. |X|, |Y| <= 8 + 16 * 3 * 2 < 2^7, so |d E|, |x W| <= 2^6 * 2^8, |e| <= 2^15, |f| < 6 * 2^45.
#include "generate/family_special.hpp"

namespace graze::generate {
namespace {

using Corners = std::array<GridVector, 4>;

// A weight in eighths of a point inside an edge, or on its line and outside.
std::int64_t edge_weight(bool inside, Random& random) noexcept {
    if (inside) return random.integer(1, kEighths - 1);
    return random.chance(2) ? random.integer(kEighths + 1, 2 * kEighths) : -random.integer(1, 8);
}

// Corners of two primitives in one plane. They touch, strictly inside both, iff `touches`; else a
// primitive and the other's plane or line meet outside it.
Corners meeting(QueryKind kind, bool touches, Random& random) noexcept {
    const GridVector p = grid_vector(random, 8);
    const GridVector e = grid_vector(random, 3);
    const GridVector g = grid_vector(random, 3);
    const std::int64_t u = edge_weight(touches, random);
    if (kind == QueryKind::VertexVertex) return {p, touches ? p : p + kEighths * e, {}, {}};
    if (kind == QueryKind::VertexEdge) return {p, p - u * e, p + (kEighths - u) * e, {}};
    if (kind == QueryKind::EdgeEdge) {
        const std::int64_t v = edge_weight(true, random);
        return {p - u * e, p + (kEighths - u) * e, p - v * g, p + (kEighths - v) * g};
    }
    const std::int64_t v = touches && u < kEighths - 1 ? random.integer(1, kEighths - 1 - u) : 0;
    const GridVector f0 = p - (u * e + v * g);
    return {p, f0, f0 + kEighths * e, f0 + kEighths * g};
}

std::int64_t det(const GridVector& a, const GridVector& b, const GridVector& c) noexcept {
    return a.c[0] * (b.c[1] * c.c[2] - b.c[2] * c.c[1]) -
           a.c[1] * (b.c[0] * c.c[2] - b.c[2] * c.c[0]) +
           a.c[2] * (b.c[0] * c.c[1] - b.c[1] * c.c[0]);
}

struct Passage {
    std::int64_t first = 0;   // i
    std::int64_t second = 0;  // j
    Corners at_first;         // d X
    Corners velocity;         // W
};

Passage random_passage(QueryKind kind, Random& random) noexcept {
    Passage passage;
    passage.first = random.integer(1, kTimeUnits - 2);
    passage.second = random.integer(passage.first + 1, kTimeUnits - 1);
    // Half touch at both moments, the others at one of them or at none. Two points that meet twice
    // never separate, so for these the second is always a miss.
    const bool both = random.chance(2);
    const bool touches_first = both || random.chance(3);
    const bool touches_second = kind != QueryKind::VertexVertex && (both || random.chance(3));
    const Corners x = meeting(kind, touches_first, random);
    const Corners y = meeting(kind, touches_second, random);
    for (std::size_t c = 0; c < 4; ++c) {
        passage.at_first[c] = (passage.second - passage.first) * x[c];
        passage.velocity[c] = y[c] - x[c];
    }
    return passage;
}

struct Cubic {  // in x = s - i, without a constant
    std::int64_t c1 = 0;
    std::int64_t c2 = 0;
    std::int64_t c3 = 0;

    [[nodiscard]] std::int64_t at(std::int64_t x) const noexcept {
        return x * (c1 + x * (c2 + x * c3));
    }
    [[nodiscard]] std::int64_t slope_at(std::int64_t x) const noexcept {
        return c1 + x * (2 * c2 + 3 * x * c3);
    }
};

Cubic coplanarity_of(const Passage& p) noexcept {
    std::array<GridVector, 3> e;
    std::array<GridVector, 3> w;
    for (std::size_t k = 0; k < 3; ++k) {
        e[k] = p.at_first[k + 1] - p.at_first[0];
        w[k] = p.velocity[k + 1] - p.velocity[0];
    }
    return {det(w[0], e[1], e[2]) + det(e[0], w[1], e[2]) + det(e[0], e[1], w[2]),
            det(e[0], w[1], w[2]) + det(w[0], e[1], w[2]) + det(w[0], w[1], e[2]),
            det(w[0], w[1], w[2])};
}

// How many distinct roots the cubic has in the open step; 0 stands for "multiple ones, one at an
// end, or all of it", which nobody asks for.
int root_count(const Passage& p) noexcept {
    const Cubic f = coplanarity_of(p);
    const std::int64_t at_start = f.at(-p.first);
    const std::int64_t at_end = f.at(kTimeUnits - p.first);
    if (at_start == 0 || at_end == 0) return 0;
    if ((at_start > 0) == (at_end > 0)) return 2;
    return f.slope_at(0) != 0 && f.slope_at(p.second - p.first) != 0 ? 3 : 0;
}

io::QueryRecord with_roots(int wanted, QueryKind kind, Random& random) noexcept {
    Passage passage = random_passage(kind, random);
    const bool has_cubic = kind == QueryKind::VertexFace || kind == QueryKind::EdgeEdge;
    // One of some three or of some ten fits: a thousand that do not are no event (0.9^1000).
    for (int tries = 0; has_cubic && tries < 1000 && root_count(passage) != wanted; ++tries)
        passage = random_passage(kind, random);
    GridMotion motion;
    for (std::size_t c = 0; c < 4; ++c) {
        motion[c][0] = passage.at_first[c] - passage.first * passage.velocity[c];
        motion[c][1] = passage.at_first[c] + (kTimeUnits - passage.first) * passage.velocity[c];
    }
    shear_all(motion, random);
    return record_of(motion, kind, random_exponent(random));
}

}  // namespace

io::QueryRecord two_roots(QueryKind kind, Random& random) noexcept {
    return with_roots(2, kind, random);
}

io::QueryRecord three_roots(QueryKind kind, Random& random) noexcept {
    return with_roots(3, kind, random);
}

}  // namespace graze::generate

// First contact, least distance and depth of two polyhedra in relative screw motion, by a search of
// its own: what src/rigid is verified by. It has only the plain types of input in common.
//
// The search walks in time. At a time t each pair of triangles has directions n in which they are
// separated by some gap; along n a vertex x of B comes closer by at most
//     -n . v(x) s + |x''| s^2 / 2
// in the time s, with |x''| constant along a screw. So each pair is proved free for a time that
// follows from a quadratic equation, the whole bodies for the least of these (pairs of balls
// around several stand for many), and t moves on by it. Near a contact this is Newton's iteration; at
// a near miss of distance m steps are of the size sqrt(m). Arithmetic is double with a margin of
// 128
// rounding errors where that suffices, else long double, else 168 bits.
// A contact is proved by an edge of one body that runs through a triangle of the other.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "graze/core/verdict.hpp"
#include "graze/rigid/polyhedron.hpp"
#include "graze/rigid/step.hpp"

namespace graze::rigid::reference {

struct Bodies;

// A pair of bodies in a step. Both polyhedra must outlive it.
class Pair {
public:
    Pair(const Polyhedron& a, const Polyhedron& b);
    ~Pair();
    Pair(Pair&&) noexcept;
    void set(const PairStep& step);
    [[nodiscard]] const Bodies& bodies() const noexcept { return *bodies_; }

private:
    std::unique_ptr<Bodies> bodies_;
};

struct FirstContact {
    Verdict answer = Verdict::Unresolved;
    double lower = 0.0;  // [0, lower) is free; 1 for Separated
    double upper = 1.0;  // Contact: at or before it
    std::uint32_t triangle_a = 0;
    std::uint32_t triangle_b = 0;
    std::uint32_t steps = 0;
    bool needed_168_bits = false;
};
// Contact means distance <= separation. With a separation > 0 there is no proof of contact: the
// answer is Separated or Unresolved, where `lower` is the time up to which it is proved free.
[[nodiscard]] FirstContact first_contact(const Pair& pair, double separation = 0.0);

// Whether one body is inside the other at the start, where the surfaces are disjoint.
[[nodiscard]] bool one_inside_other_at_start(const Pair& pair);

// Distance of the surfaces at time t, to about 1e-15 of the sizes; 0 where they cross.
[[nodiscard]] double distance_at(const Pair& pair, double t);
// The least distance of the step, in [lower, upper].
struct LeastDistance {
    double lower = 0.0;
    double upper = 0.0;
    double time = 0.0;  // of `upper`
};
[[nodiscard]] LeastDistance least_distance(const Pair& pair, double relative_width = 0.02);

// How deep the bodies get into each other: the largest distance from a point on an edge of one
// that is inside the other to the surface of that other, over `times` times in [from, to] and 9
// points of each edge. An estimate from below. For closed bodies.
[[nodiscard]] double depth_est(const Pair& pair, double from, double to, int times);

// A vertex of one body crosses a face of the other, or two edges cross each other. All those where
// the signed volume changes its sign; a feature that touches and reverses is left out.
struct Event {
    char type[3];  // "vf", "fv", "ee", the first letter is A's feature
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    double time = 0.0;
};
// Cost: some hundred evaluations for each vertex and face and for each two edges; for small bodies.
[[nodiscard]] std::vector<Event> events(const Pair& pair);

}  // namespace graze::rigid::reference

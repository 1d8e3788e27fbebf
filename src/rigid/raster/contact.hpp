// From a guess on the screen to the contact itself: Newton's iteration on the true motion, with a
// bounded number of steps.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "rigid/raster/body.hpp"

namespace graze::rigid::raster {

enum class Kind : std::uint8_t { Vertex, Edge, Face };

struct Feature {
    Kind kind = Kind::Vertex;
    std::uint32_t index = 0;
    friend bool operator==(const Feature&, const Feature&) = default;
};

// Two features that touch: vertices, edges, or a vertex and a face.
struct Touch {
    Feature a;
    Feature b;
    double time = 0.0;
    Vec3 position;       // in the screen's coordinates
    bool exact = false;  // the features meet; else they come within the slack
};

struct Pair {
    const Flow& flow;
    const Settings& settings;
    const Body& a;
    const Body& b;
    Turn step;       // all of the motion
    Turn step_back;  // and its inverse
};

// Places on two edges, in units of their lengths, and the time.
struct EdgeGuess {
    double u = 0.0;
    double v = 0.0;
    double time = 0.0;
};

// The contact of two edges near the guess. What lies within settings.coincident of an end is told
// as a vertex.
[[nodiscard]] std::optional<Touch> touch_of_edges(const Pair& pair, std::uint32_t edge_a,
                                                  std::uint32_t edge_b, const EdgeGuess& guess);
// The closest the two come in [0, 1], by turns in the places and in time from the guess on; none
// where that is farther than the slack.
[[nodiscard]] std::optional<Touch> approach_of_edges(const Pair& pair, std::uint32_t edge_a,
                                                     std::uint32_t edge_b, const EdgeGuess& guess);

struct VertexFace {
    std::uint32_t vertex = 0;
    std::uint32_t face = 0;
    bool vertex_of_a = true;
};
// Where the vertex is, above the plane of the face, at both ends of the step. The distance is a
// sine and a linear function of time: it is off the straight line between its ends by at most
// |f''| / 8 <= theta^2 r / 8.
struct PlaneEnds {
    double start = 0.0;
    double end = 0.0;
    double bend = 0.0;
    // df/dt at the ends. Between them, and a little beyond, it is off the line by at most a half of
    // the third derivative times |t (1 - t)|: theta^3 r / 8; beyond them the line itself goes on.
    double rate_start = 0.0;
    double rate_end = 0.0;
    double rate_doubt = 0.0;
    // It may fall and rise again: the ends do not tell all.
    [[nodiscard]] bool may_turn_back() const noexcept {
        return !(std::max(rate_start, rate_end) < -rate_doubt) &&
               !(std::min(rate_start, rate_end) > rate_doubt);
    }
    // False: it does not go from outside to inside, nor comes within the slack.
    [[nodiscard]] bool may_enter(double slack) const noexcept {
        const double margin = bend + slack;
        return !(start > margin && end > margin) && !(start < -margin && end < -margin);
    }
    [[nodiscard]] double guess() const noexcept {
        return start != end ? start / (start - end) : 0.5;
    }
};
struct FacePlane {
    Vec3 normal;
    Vec3 corner;
};
[[nodiscard]] FacePlane plane_of(const Body& body, std::uint32_t face) noexcept;
[[nodiscard]] PlaneEnds plane_ends(const Pair& pair, const VertexFace& which,
                                   const FacePlane& plane) noexcept;

// Around a face, in the screen's coordinates.
struct SpaceBox {
    Vec3 low{kFar, kFar, kFar};
    Vec3 high{-kFar, -kFar, -kFar};
};
[[nodiscard]] SpaceBox box_of(const Body& body, std::uint32_t face) noexcept;

// About when the vertex enters the plane of the face; none where it does not within the step, or
// not
// within the slack of the face, or clearly in it and not properly. Leaves out approaches: for the
// plain mode.
[[nodiscard]] std::optional<double> entry_guess(const Pair& pair, const VertexFace& which,
                                                const FacePlane& plane, const PlaneEnds& ends,
                                                const SpaceBox& face) noexcept;

// The contacts of a vertex of one body and a face of the other: every entry in the step, and in the
// robust mode an approach where there is none. The guess is of use where there is one at most.
void add_touches_of_face(const Pair& pair, const VertexFace& which, const FacePlane& plane,
                         const PlaneEnds& ends, double guess, std::vector<Touch>& touches);

}  // namespace graze::rigid::raster

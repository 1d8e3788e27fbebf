// All collisions of two polyhedra in relative screw motion by pixels, as published: Buss, Collision
// detection with relative screw motion, 2005, sections 7 to 9.
//
// Edges are projected along the flow of the motion to records of pixels on a screen (r, h); edges
// of the two bodies that share a pixel, and vertices whose pixel lies in a face, are collisions.
// Times and positions of edges are those of their pixels, so that cost falls and misses grow with
// the size of a pixel: the resolution is the level of detail.
//
// Guarantees: none. It may miss any collision, and may report bodies that only come within a pixel
// of each other. graze/rigid/raster.hpp searches the same screen by chords and misses far less;
// graze/rigid/impact.hpp proves. Derivation, and what the text leaves open:
// docs/derivations/rigid_pixels.md.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/stop.hpp"
#include "graze/rigid/contact.hpp"
#include "graze/rigid/polyhedron.hpp"
#include "graze/rigid/raster.hpp"
#include "graze/rigid/screw_motion.hpp"
#include "graze/rigid/step.hpp"

namespace graze::rigid {

struct PixelOptions {
    // [length] of a pixel; 0: a twelfth of a typical short edge of the two bodies (the paper's
    // medium resolution).
    double pixel = 0.0;
    // [fraction of the step] to which times are interpolated along an edge; 0: the time in which
    // the fastest point crosses a pixel.
    double time_resolution = 0.0;
    // Collisions below it are dropped; -1 keeps all.
    double min_properness = -0.1;
    // The most pixel records and straight pieces that a body may be drawn with (64 bytes each), and
    // the most pairs of features that may share a pixel (40 bytes each). More is an error that
    // names the option.
    std::size_t max_pixels = 8'000'000;
    std::size_t max_pairs = 8'000'000;
    // Asked every few microseconds; a stop is the error "cancelled".
    StopToken stop{};
};

struct PixelStatistics {
    double pixel = 0.0;            // as used
    double time_resolution = 0.0;  // as used
    std::size_t records_a = 0;     // pixel records: one for each row of r that an edge runs through
    std::size_t records_b = 0;
    std::size_t rows = 0;      // of r that both bodies may have
    std::size_t compared = 0;  // pairs of records of one row, and of a vertex and an entered face
    std::size_t pairs = 0;     // of features that share a pixel at a time within the step
    std::size_t not_converged = 0;  // of these, vertices and faces that Newton's method gave up
    bool stopped_early = false;     // the bounds in (r, h, t) exclude every contact
    bool doppeled = false;          // features of A were drawn twice
};

struct PixelResult {
    ScrewMotion screw;                // of B in the frame of A
    std::vector<Contact> collisions;  // sorted by time; each pair of features once
    PixelStatistics statistics;
};

// Buffers kept from call to call, so that a stream of steps does not allocate anew.
class PixelSearch {
public:
    PixelSearch();
    ~PixelSearch();
    PixelSearch(PixelSearch&&) noexcept;
    PixelSearch& operator=(PixelSearch&&) noexcept;

    // The same input gives the same result, bit by bit.
    // Errors: poses that check() refuses, options that are negative or not finite, a pixel too
    // small for max_pixels or for the distances (2^26 pixels), more than max_pairs pairs,
    // "cancelled".
    [[nodiscard]] Expected<PixelResult> collisions(const Polyhedron& a, const Polyhedron& b,
                                                   const PairStep& step,
                                                   const PixelOptions& options = {});

    // The pixel records of the last call: for pictures as in Buss 2005, Figure 14.
    [[nodiscard]] std::vector<RasterSearch::DrawnPixel> drawn() const;
    // Where a point of A (in its local frame) falls on the screen of the last call.
    [[nodiscard]] RasterSearch::ScreenPlace screen_place(const Vec3& position_in_a) const noexcept;

private:
    // collisions(), once the rounding mode is known to be the usual one.
    [[nodiscard]] Expected<PixelResult> sound_collisions(const Polyhedron& a, const Polyhedron& b,
                                                         const PairStep& step,
                                                         const PixelOptions& options);

    struct State;
    std::unique_ptr<State> state_;
};

// An edge at the instant of a contact: its direction (unit length) and the outward unit normals of
// the faces left and right of it, as seen from outside; 0 where there is no face.
struct EdgeWedge {
    Vec3 along;
    Vec3 left;
    Vec3 right;
};
struct WedgeProperness {
    double value = 0.0;
    Vec3 normal;  // unit length, from A to B: the sign that makes the value largest
};
// Buss 2005, equations 7 and 6: the least sine between an edge and the faces of the other one, and
// the same times |e_A x e_B|, which the paper calls the true properness. Both have its sign; for
// perpendicular edges both are equal to it; for other proper contacts it lies between the two
// (RP-6). None for parallel edges.
[[nodiscard]] std::optional<WedgeProperness> properness_by_equation_7(const EdgeWedge& a,
                                                                      const EdgeWedge& b) noexcept;
[[nodiscard]] std::optional<WedgeProperness> properness_by_equation_6(const EdgeWedge& a,
                                                                      const EdgeWedge& b) noexcept;

}  // namespace graze::rigid

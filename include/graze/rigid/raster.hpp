// All collisions of two polyhedra in relative screw motion, on a rasterised collision screen
// (Buss, Collision detection with relative screw motion, 2005, sections 4 to 10).
//
// Both surfaces are projected along the flow of the motion to a screen (r, h). Where the paper draws
// pixels, this draws edges as chords and compares chords that come near each other (RR-4); each
// candidate pair is then solved in space, so times and positions are far better than a pixel, and a
// coarser pixel saves little. Nothing is proved: in the plain mode contacts that barely happen may be
// lost, in the robust one near misses within a pixel are reported. graze/rigid/impact.hpp proves.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/stop.hpp"
#include "graze/rigid/contact.hpp"
#include "graze/rigid/polyhedron.hpp"
#include "graze/rigid/screw_motion.hpp"
#include "graze/rigid/step.hpp"

namespace graze::rigid {

struct RasterOptions {
    // [length] of a pixel; 0: a twelfth of a typical short edge of the two bodies (Buss's
    // medium resolution).
    double pixel = 0.0;
    // [fraction of the step]; 0: the time in which the fastest point crosses a pixel.
    double time_resolution = 0.0;
    // Collisions below it are dropped; -1 keeps all.
    double min_properness = -0.1;
    // Section 10: reports every approach within a pixel; [0, 1] and the tests for vertices in faces
    // are widened accordingly.
    bool robust = false;
    // Large bodies: leave out groups of faces that can meet nothing, or nothing that is reported
    // (RR-8). The same collisions either way.
    bool cull = true;
    // Asked every few microseconds; a stop is the error "cancelled".
    StopToken stop{};
};

struct RasterStatistics {
    double pixel = 0.0;            // as used
    double time_resolution = 0.0;  // as used
    std::size_t pixels_a = 0;      // length of the edges drawn, and one for each of them
    std::size_t pixels_b = 0;
    std::size_t pairs = 0;  // of pieces of edges that were compared: the m of O(n log n) + O(m)
    std::size_t candidates = 0;
    bool stopped_early = false;  // the bounds in (r, h, t) already exclude every contact
    bool doppeled = false;
};

struct RasterResult {
    ScrewMotion screw;                // of B in the frame of A
    std::vector<Contact> collisions;  // sorted by time; in the local frame of A, nothing is proved
    RasterStatistics statistics;
    // A body has faces that are wound the wrong way round, or may have (SurfaceReport::
    // is_oriented()): what they meet is not found. Polyhedron::oriented() mends it. Or it has bent
    // faces (SurfaceReport::is_flat()), which are taken for flat: cut into triangles they are not.
    bool may_miss = false;
};

// Buffers kept from call to call, so that a stream of steps does not allocate anew.
class RasterSearch {
public:
    RasterSearch();
    ~RasterSearch();
    RasterSearch(RasterSearch&&) noexcept;
    RasterSearch& operator=(RasterSearch&&) noexcept;

    // Errors: poses that check() refuses, options that are negative or not finite, a pixel so small
    // that the edges of a body are longer than kMaxPixels pixels or that rounding errors of positions are
    // larger than what the search can bear, "cancelled".
    [[nodiscard]] Expected<RasterResult> collisions(const Polyhedron& a, const Polyhedron& b,
                                                    const PairStep& step,
                                                    const RasterOptions& options = {});

    // What the last call drew: for pictures as in Buss 2005, Figure 14.
    struct DrawnPixel {
        int r;
        int h_min;
        int h_max;
        bool of_a;
        bool vertex;
        bool virtual_edge;
    };
    [[nodiscard]] std::vector<DrawnPixel> drawn() const;

    // Where a point of A (in its local frame) falls on the screen of the last call.
    struct ScreenPlace {
        double r = 0.0;  // [pixels], as in DrawnPixel
        double h = 0.0;
    };
    [[nodiscard]] ScreenPlace screen_place(const Vec3& position_in_a) const noexcept;

    static constexpr std::size_t kMaxPixels = 50'000'000;

private:
    // collisions(), once the arithmetic is as it was meant.
    [[nodiscard]] Expected<RasterResult> sound_collisions(const Polyhedron& a, const Polyhedron& b,
                                                          const PairStep& step,
                                                          const RasterOptions& options);

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace graze::rigid

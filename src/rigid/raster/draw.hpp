// Edges on the screen: curves, drawn as chords by divide and conquer (Buss 2005, section 9, third
// step), and how chords fall into rows of pixels.
#pragma once

#include <algorithm>

#include "graze/core/stop.hpp"
#include "rigid/raster/body.hpp"

namespace graze::rigid::raster {

// A straight segment in the coordinates of the screen.
struct Drawing {
    Vec3 from;
    Vec3 to;
    double length = 0.0;
    std::uint32_t edge = 0;
};

struct Brush {
    const Flow& flow;
    const Settings& settings;
    double q;        // bound of |y theta - phi g|
    double r_least;  // of the whole body
    double bend;
    double bend_t;
    std::vector<Chord>& chords;
};

// Appends chords that are within settings.flatness of the curve on the screen, and within the time
// resolution of its time, or pieces of half a pixel.
void draw(const Brush& brush, const Drawing& segment, const ScreenPoint& from, float u_from,
          const ScreenPoint& to, float u_to);

// Draws the facing parts of all wanted edges; fills chords, edge_chords and pixels. False, and not
// all drawn, where they are more than `most` pixels long. Not all are drawn after a stop.
[[nodiscard]] bool draw_edges(Body& body, const Flow& flow, const Settings& settings, double q,
                              double most, StopPoll& stop);

// Heights and times of a chord in a stretch of r.
struct Stretch {
    Range h;
    Range t;
};

// For repeated questions about one chord.
class ChordRows {
public:
    ChordRows(const ScreenPoint& from, const ScreenPoint& to) noexcept
        : from_(from), dr_(to.r - from.r), dh_(to.h - from.h), dt_(to.t - from.t) {
        inverse_ = dr_ != 0.0 ? 1.0 / dr_ : 0.0;
    }
    [[nodiscard]] Range r() const noexcept {
        return dr_ >= 0.0 ? Range{from_.r, from_.r + dr_} : Range{from_.r + dr_, from_.r};
    }
    // Requires: [lower, upper] meets r().
    [[nodiscard]] Stretch over(double lower, double upper) const noexcept {
        double s0 = 0.0;
        double s1 = 1.0;
        if (dr_ != 0.0) {
            s0 = clamped((lower - from_.r) * inverse_);
            s1 = clamped((upper - from_.r) * inverse_);
        }
        const double h0 = from_.h + s0 * dh_;
        const double h1 = from_.h + s1 * dh_;
        const double t0 = from_.t + s0 * dt_;
        const double t1 = from_.t + s1 * dt_;
        return {{std::min(h0, h1), std::max(h0, h1)}, {std::min(t0, t1), std::max(t0, t1)}};
    }

    [[nodiscard]] Stretch all() const noexcept {
        const double h = from_.h + dh_;
        const double t = from_.t + dt_;
        return {{std::min(from_.h, h), std::max(from_.h, h)},
                {std::min(from_.t, t), std::max(from_.t, t)}};
    }

private:
    static double clamped(double s) noexcept { return std::min(1.0, std::max(0.0, s)); }
    ScreenPoint from_;
    double dr_;
    double dh_;
    double dt_;
    double inverse_;
};

// Every (h, t) that a chord near the axis can have, whatever phi.
[[nodiscard]] Stretch any_angle(const Flow& flow, const Chord& chord, double reach,
                                double phi_max) noexcept;

}  // namespace graze::rigid::raster

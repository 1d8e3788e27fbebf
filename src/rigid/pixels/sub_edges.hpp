// Step two (Buss 2005, sections 4.2, 8 and 9): edges clipped to what faces along the motion and to
// the strip of angles that the screen has, and the virtual edges that close the faces again.
#pragma once

#include "graze/core/stop.hpp"
#include "rigid/pixels/pen.hpp"
#include "rigid/pixels/records.hpp"
#include "rigid/raster/facing.hpp"

namespace graze::rigid::pixels {

// The screen has the angles [-pi, pi + theta]: what lies in [-pi, -pi + theta] is drawn twice, the
// second time a whole rotation on, and faces are cut at both ends of the strip (Figures 10 and 11).
// Requires: facing parts and positions of the body.
class SubEdges {
public:
    SubEdges(const PixelBody& of, const Flow& flow, const raster::LocalTwist& twist, PixelPen& pen);

    // All edges and virtual edges of facing parts; less after a stop or when the pen is full.
    void draw_all(StopPoll& stop);
    [[nodiscard]] bool has_doppeled() const noexcept { return has_doppeled_; }

private:
    // Half of a plane through the axis, where the strip ends.
    struct Cut {
        double sine = 0.0;
        double cosine = 1.0;
        double angle = 0.0;  // of the half plane
        double drawn_at = 0.0;
        double kept_side = 1.0;  // times side() >= 0 is kept
        // r sin(phi - angle), and r cos(phi - angle), which is positive on the half plane.
        [[nodiscard]] double side(const Vec3& x) const noexcept {
            return x.z * sine - x.x * cosine;
        }
        [[nodiscard]] double ahead(const Vec3& x) const noexcept {
            return -(x.z * cosine + x.x * sine);
        }
        [[nodiscard]] Vec3 gradient() const noexcept { return {-cosine, 0.0, sine}; }
    };
    // A straight part of the surface's edges that is still to be split.
    struct Stretch {
        Vec3 from;
        Vec3 to;
        raster::Range left;  // in units of the length
        raster::Range right;
        SubEdge as;  // edge, faces and whether the ends are vertices
    };
    struct Split {
        double u = 0.0;
        double angle = 0.0;
        bool at_cut = false;
    };

    [[nodiscard]] raster::Range facing_range(std::uint32_t face, std::uint32_t edge) const noexcept;
    void draw_edge(std::uint32_t edge);
    void draw_fold(std::uint32_t face);
    void draw_cut(std::uint32_t face, const Cut& cut);
    void draw_split(const Stretch& stretch);
    void draw_piece(const Stretch& stretch, const Split& from, const Split& to);
    void add_split(const Stretch& stretch, const Cut& cut);
    [[nodiscard]] ScreenPoint point_of(const Vec3& x, const Split& split,
                                       double near) const noexcept;

    // Points where the boundary of a face crosses the zero of a linear function, sorted along d.
    template <class Value, class Inside>
    void find_crossings(std::uint32_t face, const Vec3& d, Value value, Inside inside);

    const PixelBody& of_;
    const Body& body_;
    const Flow& flow_;
    const raster::LocalTwist& twist_;
    PixelPen& pen_;
    Cut begin_;  // phi = -pi
    Cut end_;    // phi = pi + theta
    std::vector<Vec3> crossings_;
    std::vector<Split> splits_;
    bool has_doppeled_ = false;
};

// Pixels of the vertices of facing parts, doppeled like the rest.
void add_vertex_pixels(PixelBody& of, const Flow& flow, const PenSettings& settings);

}  // namespace graze::rigid::pixels

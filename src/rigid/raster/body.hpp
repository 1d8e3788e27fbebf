// One of the two bodies on the screen: buffers that are kept from call to call.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graze/rigid/polyhedron.hpp"
#include "rigid/raster/frame.hpp"
#include "rigid/raster/screen.hpp"

namespace graze::rigid::raster {

enum class Facing : std::uint8_t { None, Part, All };

// The part of an edge, in units of its length, that bounds a facing part of a face; none where
// lower > upper.
struct Part {
    float lower = 2.0F;
    float upper = -1.0F;
    [[nodiscard]] bool empty() const noexcept { return lower > upper; }
};
struct EdgeParts {
    Part left;
    Part right;
    [[nodiscard]] bool empty() const noexcept { return left.empty() && right.empty(); }
};

struct ScreenBox {
    Range r;
    Range h;
    Range t;
    void include(const ScreenBox& o) noexcept {
        r = joined(r, o.r);
        h = joined(h, o.h);
        t = joined(t, o.t);
    }
    [[nodiscard]] bool meets(const ScreenBox& o) const noexcept {
        return r.meets(o.r) && h.meets(o.h) && t.meets(o.t);
    }
    void include(const ScreenPoint& p) noexcept {
        r = joined(r, {p.r, p.r});
        h = joined(h, {p.h, p.h});
        t = joined(t, {p.t, p.t});
    }

private:
    static Range joined(const Range& a, const Range& b) noexcept {
        return {b.lower < a.lower ? b.lower : a.lower, b.upper > a.upper ? b.upper : a.upper};
    }
};

// A straight piece of an edge on the screen.
struct Chord {
    ScreenPoint from;
    ScreenPoint to;
    float u_from = 0.0F;  // on its edge
    float u_to = 1.0F;
    std::uint32_t edge = 0;
    bool near_axis = false;  // phi is no guide: any may be met
};

struct ChordRange {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};

// What the chords of an edge cover.
struct EdgeBox {
    ScreenBox box;
    bool loose = false;  // it comes near the axis or crosses the cut: its face may cover more
};

struct Body {
    const Polyhedron* shape = nullptr;
    RigidMap map;           // to the screen's coordinates
    double sign = 1.0;      // 1: forward facing parts (B); -1: backward facing ones (A)
    double phi_near = 0.0;  // vertices are drawn at the phi nearest to it
    double r_least = 0.0;   // from its ball
    double bend = 0.0;      // of all of the body, from there on
    double bend_t = 0.0;

    std::vector<Vec3> normals;
    std::vector<Facing> faces;
    std::vector<EdgeParts> edges;
    std::vector<std::uint8_t> projected;  // vertices that any facing part needs
    std::vector<std::uint8_t> candidate;  // vertices of facing parts
    std::vector<Vec3> position;
    std::vector<ScreenPoint> point;
    std::vector<ScreenBox> face_box;
    std::vector<std::uint8_t> wanted_face;
    std::vector<std::uint8_t> wanted_edge;
    std::vector<std::uint32_t> facing_faces;
    ScreenBox box;
    ScreenBox partner;    // where the other body can be met
    double pixels = 0.0;  // that the edges drawn are long
    std::vector<Chord> chords;
    std::vector<ChordRange> edge_chords;
    std::vector<EdgeBox> edge_box;
    std::vector<Chord> virtual_chords;

    // In the screen's coordinates.
    [[nodiscard]] const Vec3& normal(std::uint32_t f) const noexcept { return normals[f]; }
    [[nodiscard]] const PolyhedronEdge& edge(std::uint32_t e) const noexcept {
        return shape->edges()[e];
    }
    // In the screen's coordinates, of any vertex.
    [[nodiscard]] Vec3 place(std::uint32_t v) const noexcept {
        return projected[v] != 0 ? position[v] : map(shape->positions()[v]);
    }
};

// What a search works with.
struct Settings {
    double pixel = 0.0;
    double time_resolution = 0.0;
    bool robust = false;
    double slack = 0.0;       // [length] how far apart still counts as contact
    double coincident = 0.0;  // [length] so near to a vertex or edge counts as on it
    double flatness = 0.0;    // [length] of chords on the screen
    double reach = 0.0;       // [length] between chords of features that may be within the slack
    double near_axis = 0.0;   // [length] closer to the axis phi is no guide
    double min_properness = -1.0;
    bool cull = true;
};

}  // namespace graze::rigid::raster

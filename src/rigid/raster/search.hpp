// What is kept from call to call, and the steps of a search in their order.
#pragma once

#include "graze/core/stop.hpp"
#include "rigid/raster/body.hpp"
#include "rigid/raster/contact.hpp"
#include "rigid/raster/cull.hpp"
#include "rigid/raster/facing.hpp"
#include "rigid/raster/grid.hpp"

namespace graze::rigid::raster {

// Part of a chord in a row, from the origins of blocks and slabs on.
struct ChordRecord {
    float h_lower;
    float h_upper;
    float t_lower;
    float t_upper;
    std::uint32_t chord;
};

// Boxes of chords, by coordinate so that four are compared at once.
struct ChordBoxes {
    std::vector<float> r_lower;
    std::vector<float> r_upper;
    std::vector<float> h_lower;
    std::vector<float> h_upper;
    std::vector<float> t_lower;
    std::vector<float> t_upper;
    std::vector<int> meets;
    void resize(std::size_t count) {
        for (auto* of : {&r_lower, &r_upper, &h_lower, &h_upper, &t_lower, &t_upper})
            of->resize(count);
        meets.resize(count);
    }
};

struct VertexRecord {
    float r;
    float h;
    float t;
    std::uint32_t vertex;
};

struct Counts {
    std::size_t pairs = 0;
    std::size_t candidates = 0;
    bool doppeled = false;
};

struct Search {
    Frame frame;
    Turn step;
    Turn step_back;
    Settings settings;
    Body a;
    Body b;
    Bending slopes;  // where bodies can meet at all
    Culling culling;
    Grid<ChordRecord> chords_b;
    ChordBoxes boxes_b;
    std::vector<std::uint32_t> seen;  // by chord of B: the last chord of A it was compared with
    std::vector<std::uint32_t> seen_near_axis;  // by edge of B: the last edge of A, near the axis
    Grid<VertexRecord> vertices;
    std::vector<VertexRecord> found_vertices;
    bool few_vertices = false;  // found_vertices are not brought into order
    std::vector<std::uint32_t> vertices_near_axis;
    std::vector<Chord> outline;  // of the face at hand
    std::vector<Touch> touches;
    Counts counts;
    bool drawn = false;       // the edges are there
    double rounding_r = 0.0;  // [length] what floats lose of r
    StopPoll stop;            // after a stop the rest of every loop is left out

    [[nodiscard]] Pair pair() const noexcept {
        return {frame.flow, settings, a, b, step, step_back};
    }
};

// |grad h| and |grad t| within the reach of places at the distance r from the axis or farther, with
// heights up to |h|.
[[nodiscard]] Bending slopes_at(const Search& search, double r, double h) noexcept;

// Crossings of edges (step six).
void cross_edges(Search& search);

// Vertices of either body in faces of the other (step five).
void scan_faces(Search& search, const LocalTwist& twist_a, const LocalTwist& twist_b);

// Fills the virtual chords of all wanted faces, for pictures.
void draw_virtual_edges(Search& search);

}  // namespace graze::rigid::raster

// Step six: where edges of A and of B cross on the screen.
#include <array>

#include "rigid/raster/draw.hpp"
#include "rigid/raster/resolve.hpp"
#include "rigid/raster/search.hpp"

namespace graze::rigid::raster {
namespace {

// Up to so many pairs of chords all are looked at: that is less work than to bring them into order.
constexpr std::size_t kFewPairs = 1 << 13;
constexpr int kMostCells = 1 << 24;
constexpr int kMostSlabs = 1 << 12;

double phi_max(const Search& s) noexcept {
    return std::max(std::fabs(s.frame.phi_b.lower), std::fabs(s.frame.phi_b.upper)) +
           s.frame.flow.theta + kPi;
}

// Bounds of what B's chords cover, and sums over them.
struct Cover {
    Range h;
    Range t;
    double chords = 0.0;
    double rise = 0.0;  // in r
    double width = 0.0;
    double duration = 0.0;
};

// Where a chord is within the common rows, whatever its angle if it is near the axis.
Stretch stretch_of(const Search& s, const Chord& chord, const ChordRows& rows) {
    return chord.near_axis ? any_angle(s.frame.flow, chord, 0.0, phi_max(s))
                           : rows.over(s.frame.common_r.lower, s.frame.common_r.upper);
}

Cover cover_of(const Search& s) {
    Cover c;
    for (const Chord& chord : s.b.chords) {
        const ChordRows rows(chord.from, chord.to);
        const Range r = rows.r();
        if (!r.meets(s.frame.common_r)) continue;
        const Stretch all = stretch_of(s, chord, rows);
        c.h = {std::min(c.h.lower, all.h.lower), std::max(c.h.upper, all.h.upper)};
        c.t = {std::min(c.t.lower, all.t.lower), std::max(c.t.upper, all.t.upper)};
        c.chords += 1.0;
        c.rise +=
            std::min(r.upper, s.frame.common_r.upper) - std::max(r.lower, s.frame.common_r.lower);
        c.width += all.h.upper - all.h.lower;
        c.duration += all.t.upper - all.t.lower;
    }
    return c;
}

// Cells as large as a typical chord, so that it falls into few of them, and not many more cells
// than chords. Pixels only say how exactly chords follow their edges: finer cells would find the
// same pairs. Slabs of time where there are many unit times to tell apart (section 9.1).
GridShape grid_shape(const Search& s, const Cover& c) {
    GridShape shape;
    const double pixel = s.settings.pixel;
    const double budget = std::min(2.0 * c.chords + 64.0, static_cast<double>(kMostCells));
    const double slab = std::max(1.0, 2.0 * c.duration / c.chords);
    if (c.t.upper - c.t.lower > 2.0 * slab) {
        shape.slabs =
            Axis::make(c.t, slab, static_cast<int>(std::min(budget / 4.0, 1.0 * kMostSlabs)));
    }
    const double left = std::max(1.0, budget / shape.slabs.count);
    const double row = std::max(pixel, c.rise / c.chords);
    const double rows = (s.frame.common_r.upper - s.frame.common_r.lower) / row + 1.0;
    const double block = std::max(pixel, c.width / c.chords);
    const double blocks = (c.h.upper - c.h.lower) / block + 1.0;
    // Coarser both ways alike where these would be too many.
    const double coarser = std::max(1.0, std::sqrt(rows * blocks / left));
    const double most_rows = std::max(1.0, std::min(left, rows / coarser));
    shape.rows = Axis::make(s.frame.common_r, row * coarser, static_cast<int>(most_rows));
    const double most_blocks = std::max(1.0, left / shape.rows.count);
    shape.blocks = Axis::make(c.h, block * coarser, static_cast<int>(most_blocks));
    return shape;
}

void add_stretch(Search& s, const Stretch& part, int row, std::uint32_t chord) {
    const GridShape& shape = s.chords_b.shape;
    const int slab_last = shape.slabs.cell(part.t.upper);
    const int block_last = shape.blocks.cell(part.h.upper);
    const auto t0 = static_cast<float>(part.t.lower - shape.slabs.origin);
    const auto t1 = static_cast<float>(part.t.upper - shape.slabs.origin);
    for (int block = shape.blocks.cell(part.h.lower); block <= block_last; ++block) {
        // Cut at blocks: what a probe meets lies in one of the probe's own blocks.
        const double lower = std::max(part.h.lower, shape.blocks.lower(block));
        const double upper = block == block_last ? part.h.upper : shape.blocks.lower(block + 1);
        const ChordRecord record{static_cast<float>(lower - shape.blocks.origin),
                                 static_cast<float>(upper - shape.blocks.origin), t0, t1, chord};
        for (int slab = shape.slabs.cell(part.t.lower); slab <= slab_last; ++slab) {
            s.chords_b.add(shape.cell(row, slab, block), record);
        }
    }
}

void add_chord(Search& s, std::uint32_t index) {
    const Chord& chord = s.b.chords[index];
    const Axis& axis = s.chords_b.shape.rows;
    const ChordRows rows(chord.from, chord.to);
    const Range r = rows.r();
    if (!r.meets(s.frame.common_r)) return;
    const int last = axis.cell(r.upper);
    for (int row = axis.cell(r.lower); row <= last; ++row) {
        const double lower = axis.lower(row);
        const Stretch part =
            chord.near_axis ? any_angle(s.frame.flow, chord, 0.0, phi_max(s))
                            : rows.over(lower, row == axis.count - 1 ? kFar : axis.lower(row + 1));
        add_stretch(s, part, row, index);
    }
}

// A chord of A, k turns on, with its reach.
struct Probe {
    const Chord& chord;
    ScreenPoint from;
    ScreenPoint to;
    std::uint32_t mark;
    double reach_h;
    double reach_t;
    double length_sq;  // on the screen
};

// Places on both chords where they are nearest on the screen, in units of the chords.
struct Nearest {
    double on_a = 0.0;
    double on_b = 0.0;
};

EdgeGuess guess_at(const Probe& a, const Chord& b, const Nearest& n) noexcept {
    const double t_a = a.from.t + n.on_a * (a.to.t - a.from.t);
    const double t_b = b.from.t + n.on_b * (b.to.t - b.from.t);
    return {a.chord.u_from + n.on_a * (a.chord.u_to - a.chord.u_from),
            b.u_from + n.on_b * (b.u_to - b.u_from), t_a - t_b};
}

// At least 5/4 of a pixel from both ends: farther than a touch may be told as one of a vertex.
bool inside(const Body& body, std::uint32_t edge, double u, double pixel) {
    const PolyhedronEdge& e = body.edge(edge);
    const double length_sq = norm_sq(body.position[e.to] - body.position[e.from]);
    const double place = std::min(u, 1.0 - u);
    return place > 0.0 && place * place * length_sq > 1.5625 * pixel * pixel;
}

// Properness hangs on directions alone, which differ between the guess and the contact by the turn
// in the time between. A touch at a vertex may be read in other ways, and is let through.
bool may_be_proper(const Search& s, const Pair& pair, std::uint32_t a, std::uint32_t b,
                   const EdgeGuess& guess) {
    if (s.settings.min_properness <= -1.0) return true;
    if (!inside(pair.a, a, guess.u, s.settings.pixel)) return true;
    if (!inside(pair.b, b, guess.v, s.settings.pixel)) return true;
    const double time = std::clamp(guess.time, 0.0, 1.0);
    const double doubt = 0.02 + pair.flow.theta * std::min(1.0, 8.0 * s.settings.time_resolution);
    const double least = std::min(0.0, s.settings.min_properness - doubt);
    return may_be_proper(pair, pair.flow.turn(time), a, b, least);
}

void try_guess(Search& s, const Probe& a, const Chord& b, const EdgeGuess& guess, bool parallel) {
    const Pair pair = s.pair();
    if (!may_be_proper(s, pair, a.chord.edge, b.edge, guess)) return;
    ++s.counts.candidates;
    auto touch = touch_of_edges(pair, a.chord.edge, b.edge, guess);
    if (!touch && parallel && !s.settings.robust) {
        touch = approach_of_edges(pair, a.chord.edge, b.edge, guess);
    }
    if (touch) s.touches.push_back(*touch);
}

bool time_fits(const Probe& a, double time) noexcept {
    return time >= -a.reach_t && time <= 1.0 + a.reach_t;
}

// Chords in one direction: both ends of the overlap, and where the times are 0 and 1 apart on it.
void compare_parallel(Search& s, const Probe& a, const Chord& b, double length_sq) {
    const double dr = a.to.r - a.from.r;
    const double dh = a.to.h - a.from.h;
    const auto place = [&](const ScreenPoint& p) {
        if (!(length_sq > 0.0)) return 0.0;
        return std::clamp(((p.r - a.from.r) * dr + (p.h - a.from.h) * dh) / length_sq, 0.0, 1.0);
    };
    std::array<Nearest, 2> ends = {Nearest{place(b.from), 0.0}, Nearest{place(b.to), 1.0}};
    if (ends[0].on_a == ends[1].on_a) ends = {Nearest{0.0, 0.5}, Nearest{1.0, 0.5}};
    const EdgeGuess first = guess_at(a, b, ends[0]);
    const EdgeGuess second = guess_at(a, b, ends[1]);
    const auto between = [&](double x) {
        return EdgeGuess{first.u + x * (second.u - first.u), first.v + x * (second.v - first.v),
                         first.time + x * (second.time - first.time)};
    };
    const double change = second.time - first.time;
    for (const double x : {0.0, 1.0, -first.time / change, (1.0 - first.time) / change}) {
        if (!(x >= 0.0) || !(x <= 1.0)) continue;
        const EdgeGuess guess = between(x);
        if (time_fits(a, guess.time)) try_guess(s, a, b, guess, true);
    }
}

double distance_sq(const ScreenPoint& p, const ScreenPoint& from, double dr, double dh,
                   double length_sq, double& place) noexcept {
    const double r = p.r - from.r;
    const double h = p.h - from.h;
    place = length_sq > 0.0 ? std::clamp((r * dr + h * dh) / length_sq, 0.0, 1.0) : 0.0;
    const double er = r - place * dr;
    const double eh = h - place * dh;
    return er * er + eh * eh;
}

void compare(Search& s, const Probe& a, const Chord& b) {
    if (s.stop()) return;
    if (a.chord.near_axis || b.near_axis) {
        // Pieces of half a pixel, many of each edge: once for two edges will do.
        if (s.seen_near_axis[b.edge] == a.chord.edge) return;
        s.seen_near_axis[b.edge] = a.chord.edge;
        for (const double time : {0.0, 0.25, 0.5, 0.75, 1.0}) {
            try_guess(s, a, b,
                      {0.5 * (a.chord.u_from + a.chord.u_to), 0.5 * (b.u_from + b.u_to), time},
                      true);
        }
        return;
    }
    const double ar = a.to.r - a.from.r;
    const double ah = a.to.h - a.from.h;
    const double br = b.to.r - b.from.r;
    const double bh = b.to.h - b.from.h;
    const double wr = b.from.r - a.from.r;
    const double wh = b.from.h - a.from.h;
    const double det = ar * bh - ah * br;
    // Both ends on one side of A's line, farther than the reach: squares, for want of roots.
    const double aa = a.length_sq;
    const double side = wr * ah - wh * ar;
    const double other_side = side - det;
    const double least_side = std::min(side * side, other_side * other_side);
    if (side * other_side > 0.0 && least_side > a.reach_h * a.reach_h * aa) return;
    const double bb = br * br + bh * bh;
    Nearest n{(wr * bh - wh * br) / det, (wr * ah - wh * ar) / det};
    const bool crossing = n.on_a >= 0.0 && n.on_a <= 1.0 && n.on_b >= 0.0 && n.on_b <= 1.0;
    // A sine below 1/10: curves that are bent by a quarter of a pixel may cross twice, or
    // elsewhere.
    const bool parallel = !(det * det > 1e-2 * aa * bb);
    if (!crossing || parallel) {
        std::array<Nearest, 4> places{};
        places[1].on_a = 1.0;
        places[3].on_b = 1.0;
        const std::array<double, 4> d = {distance_sq(a.from, b.from, br, bh, bb, places[0].on_b),
                                         distance_sq(a.to, b.from, br, bh, bb, places[1].on_b),
                                         distance_sq(b.from, a.from, ar, ah, aa, places[2].on_a),
                                         distance_sq(b.to, a.from, ar, ah, aa, places[3].on_a)};
        const auto least = std::min_element(d.begin(), d.end());
        if (!crossing && *least > a.reach_h * a.reach_h) return;
        if (parallel) return compare_parallel(s, a, b, aa);
        n = places[static_cast<std::size_t>(least - d.begin())];
    }
    const EdgeGuess guess = guess_at(a, b, n);
    if (time_fits(a, guess.time)) try_guess(s, a, b, guess, false);
}

// What a probe may meet, from the origins of blocks and slabs on.
struct Window {
    float h_lower;
    float h_upper;
    float t_lower;
    float t_upper;
};

Window window_of(const Probe& a, const Stretch& part, const GridShape& shape) noexcept {
    return {static_cast<float>(part.h.lower - a.reach_h - shape.blocks.origin),
            static_cast<float>(part.h.upper + a.reach_h - shape.blocks.origin),
            static_cast<float>(part.t.lower - a.reach_t - 1.0 - shape.slabs.origin),
            static_cast<float>(part.t.upper + a.reach_t - shape.slabs.origin)};
}

void probe_cells(Search& s, const Probe& a) {
    const GridShape& shape = s.chords_b.shape;
    const ChordRows rows(a.from, a.to);
    const Range r = rows.r().widened(s.settings.reach);
    if (!r.meets(s.frame.common_r)) return;
    const int last = shape.rows.cell(r.upper);
    for (int row = shape.rows.cell(r.lower); row <= last; ++row) {
        const double lower = shape.rows.lower(row) - s.settings.reach;
        const double upper =
            row == shape.rows.count - 1 ? kFar : shape.rows.lower(row + 1) + s.settings.reach;
        const Stretch part = a.chord.near_axis
                                 ? any_angle(s.frame.flow, a.chord, s.settings.reach, phi_max(s))
                                 : rows.over(lower, upper);
        const Window w = window_of(a, part, shape);
        const int first_block = shape.blocks.cell(part.h.lower - a.reach_h);
        const int last_block = shape.blocks.cell(part.h.upper + a.reach_h);
        const int last_slab = shape.slabs.cell(part.t.upper + a.reach_t);
        for (int slab = shape.slabs.cell(part.t.lower - a.reach_t - 1.0); slab <= last_slab;
             ++slab) {
            for (const ChordRecord& b : s.chords_b.records(row, slab, first_block, last_block)) {
                if (b.h_upper < w.h_lower || b.h_lower > w.h_upper || b.t_upper < w.t_lower ||
                    b.t_lower > w.t_upper) {
                    continue;
                }
                ++s.counts.pairs;
                if (s.seen[b.chord] == a.mark) continue;
                s.seen[b.chord] = a.mark;
                compare(s, a, s.b.chords[b.chord]);
            }
        }
    }
}

// All of B's chords by their boxes, without cells.
void list_boxes(Search& s) {
    ChordBoxes& boxes = s.boxes_b;
    boxes.resize(s.b.chords.size());
    const GridShape& shape = s.chords_b.shape;
    for (std::size_t i = 0; i < s.b.chords.size(); ++i) {
        const Chord& chord = s.b.chords[i];
        const ChordRows rows(chord.from, chord.to);
        const Range r = rows.r();
        const Stretch all =
            chord.near_axis ? any_angle(s.frame.flow, chord, 0.0, phi_max(s)) : rows.all();
        boxes.r_lower[i] = static_cast<float>(r.lower - shape.rows.origin);
        boxes.r_upper[i] = static_cast<float>(r.upper - shape.rows.origin);
        boxes.h_lower[i] = static_cast<float>(all.h.lower - shape.blocks.origin);
        boxes.h_upper[i] = static_cast<float>(all.h.upper - shape.blocks.origin);
        boxes.t_lower[i] = static_cast<float>(all.t.lower - shape.slabs.origin);
        boxes.t_upper[i] = static_cast<float>(all.t.upper - shape.slabs.origin);
    }
}

void probe_boxes(Search& s, const Probe& a) {
    ChordBoxes& boxes = s.boxes_b;
    const GridShape& shape = s.chords_b.shape;
    const ChordRows rows(a.from, a.to);
    const Range r = rows.r();
    const Stretch all = a.chord.near_axis
                            ? any_angle(s.frame.flow, a.chord, s.settings.reach, phi_max(s))
                            : rows.all();
    const Window w = window_of(a, all, shape);
    const double reach_r = s.settings.reach + s.rounding_r;
    const auto r_lower = static_cast<float>(r.lower - reach_r - shape.rows.origin);
    const auto r_upper = static_cast<float>(r.upper + reach_r - shape.rows.origin);
    const std::size_t count = boxes.meets.size();
    for (std::size_t i = 0; i < count; ++i) {
        const int in_r = static_cast<int>(boxes.r_upper[i] >= r_lower) &
                         static_cast<int>(boxes.r_lower[i] <= r_upper);
        const int in_h = static_cast<int>(boxes.h_upper[i] >= w.h_lower) &
                         static_cast<int>(boxes.h_lower[i] <= w.h_upper);
        const int in_t = static_cast<int>(boxes.t_upper[i] >= w.t_lower) &
                         static_cast<int>(boxes.t_lower[i] <= w.t_upper);
        boxes.meets[i] = in_r & in_h & in_t;
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (boxes.meets[i] == 0) continue;
        ++s.counts.pairs;
        compare(s, a, s.b.chords[i]);
    }
}

// Whether the copy of a chord, k turns on, can meet B's angles at all.
bool wanted(const Search& s, const Chord& chord, int k) noexcept {
    const double low = std::min(chord.from.phi, chord.to.phi) + kTurn * k;
    const double high = std::max(chord.from.phi, chord.to.phi) + kTurn * k;
    const double r = std::min(chord.from.r, chord.to.r);
    const double reach = 2.0 * s.settings.reach;
    const double by = r > reach ? reach / r : kPi;
    return low - by <= s.frame.phi_b.upper + s.frame.flow.theta && high + by >= s.frame.phi_b.lower;
}

// What the floats of the records lose at most: they hold seven digits.
struct Rounding {
    double h = 0.0;
    double t = 0.0;
};

// Slopes along an edge of A, kept for its chords where they are hardly steeper than theirs.
class EdgeSlopes {
public:
    Bending of(const Search& s, const Chord& chord, const Probe& a, int k) noexcept {
        if (k == 0 && chord.edge != edge_) {
            edge_ = chord.edge;
            const ScreenBox& box = s.a.edge_box[edge_].box;
            slopes_ =
                slopes_at(s, box.r.lower, std::max(std::fabs(box.h.lower), std::fabs(box.h.upper)));
        }
        if (k == 0 && slopes_.slope_h < 1.5) return slopes_;
        const double r = std::min(chord.from.r, chord.to.r);
        return slopes_at(s, r, std::max(std::fabs(a.from.h), std::fabs(a.to.h)));
    }

private:
    std::uint32_t edge_ = kNoFace;
    Bending slopes_;
};

Probe probe_of(const Search& s, const Chord& chord, int k, std::uint32_t mark,
               const Rounding& rounding, EdgeSlopes& slopes) noexcept {
    const double reach = s.settings.reach;
    Probe a{chord,
            doppeled(s.frame.flow, chord.from, k),
            doppeled(s.frame.flow, chord.to, k),
            mark,
            reach + rounding.h,
            kFar,
            0.0};
    if (!chord.near_axis) {
        const Bending slope = slopes.of(s, chord, a, k);
        a.reach_h = reach * slope.slope_h + rounding.h;
        a.reach_t = 2.0 * (s.settings.time_resolution + reach * slope.slope_t) + rounding.t;
    }
    const double dr = a.to.r - a.from.r;
    const double dh = a.to.h - a.from.h;
    a.length_sq = dr * dr + dh * dh;
    return a;
}

void probe_all(Search& s, const Rounding& rounding, bool few) {
    const Copies copies = s.frame.copies;
    const bool single = copies.first == copies.last;
    std::uint32_t mark = 0;
    EdgeSlopes slopes;
    for (const Chord& chord : s.a.chords) {
        if (s.stop()) return;
        for (int k = copies.first; k <= copies.last; ++k) {
            // Near the axis one copy stands for all angles.
            if (chord.near_axis && k != copies.first) break;
            if (!single && !chord.near_axis && !wanted(s, chord, k)) continue;
            if (k != 0) s.counts.doppeled = true;
            const Probe a = probe_of(s, chord, k, mark++, rounding, slopes);
            if (few) {
                probe_boxes(s, a);
            } else {
                probe_cells(s, a);
            }
        }
    }
}

}  // namespace

Bending slopes_at(const Search& s, double r, double h) noexcept {
    if (s.slopes.slope_h < 1.5) return s.slopes;
    const Flow& flow = s.frame.flow;
    const double reach = s.settings.reach;
    const double near = r - reach;
    if (!flow.turns || !(near > 0.0)) return bending(flow, near, s.frame.q);
    // |y theta - phi g| = |h| s / r, which falls with r; on the way of the reach it changes by the
    // reach times theta + g / r.
    const double speed = std::sqrt(flow.g * flow.g + r * r * flow.theta * flow.theta);
    const double q = std::fabs(h) * speed / r + reach * (flow.theta + std::fabs(flow.g) / near);
    return bending(flow, near, std::min(q, s.frame.q));
}

void cross_edges(Search& s) {
    const Cover cover = cover_of(s);
    if (!(cover.chords > 0.0)) return;
    const bool few = s.a.chords.size() * s.b.chords.size() <= kFewPairs;
    if (s.frame.flow.turns) s.seen_near_axis.assign(s.b.edges.size(), 0xffff'ffffU);
    GridShape& shape = s.chords_b.shape;
    if (few) {
        shape = {};
        shape.rows.origin = s.frame.common_r.lower;
        shape.slabs.origin = cover.t.lower;
        shape.blocks.origin = cover.h.lower;
        list_boxes(s);
    } else {
        s.chords_b.clear();
        shape = grid_shape(s, cover);
        for (std::uint32_t c = 0; c < s.b.chords.size() && !s.stop(); ++c)
            add_chord(s, c);
        s.chords_b.sort();
        s.seen.assign(s.b.chords.size(), 0xffff'ffffU);
    }
    const Rounding rounding{2e-7 * (cover.h.upper - cover.h.lower),
                            2e-7 * (cover.t.upper - cover.t.lower + 1.0)};
    probe_all(s, rounding, few);
}

}  // namespace graze::rigid::raster

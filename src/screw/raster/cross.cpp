// Step six: where edges of A and of B cross on the screen.
#include <array>

#include "screw/raster/draw.hpp"
#include "screw/raster/resolve.hpp"
#include "screw/raster/search.hpp"

namespace graze::screw::raster {
namespace {

constexpr double kBlock = 8.0;  // [pixels] width of a block of h, and of the widest record
constexpr int kMostCells = 1 << 24;
constexpr int kMostSlabs = 1 << 12;

double phi_max(const Search& s) noexcept {
    return std::max(std::fabs(s.frame.phi_b.lower), std::fabs(s.frame.phi_b.upper)) +
           s.frame.flow.theta + kPi;
}

// Bounds of what B's chords cover, and how many records that makes.
struct Cover {
    Range h;
    Range t;
    double records = 0.0;
    double duration = 0.0;  // of all records together
};

Cover cover_of(const Search& s) {
    Cover c;
    const double inverse = 1.0 / s.settings.pixel;
    const double most = phi_max(s);
    for (const Chord& chord : s.b.chords) {
        const ChordRows rows(chord.from, chord.to);
        if (!rows.r().meets(s.frame.common_r)) continue;
        const Stretch all = chord.near_axis
                                ? any_angle(s.frame.flow, chord, 0.0, most)
                                : rows.over(s.frame.common_r.lower, s.frame.common_r.upper);
        c.h = {std::min(c.h.lower, all.h.lower), std::max(c.h.upper, all.h.upper)};
        c.t = {std::min(c.t.lower, all.t.lower), std::max(c.t.upper, all.t.upper)};
        const Range r = rows.r();
        const double dr =
            std::min(r.upper, s.frame.common_r.upper) - std::max(r.lower, s.frame.common_r.lower);
        c.records += 1.0 + inverse * (dr + (all.h.upper - all.h.lower) / kBlock);
        c.duration += all.t.upper - all.t.lower;
    }
    return c;
}

// Slabs of time where there are many unit times to tell apart (section 9.1); blocks wide enough that
// cells are not many more than records.
GridShape grid_shape(const Search& s, const Cover& c) {
    GridShape shape;
    shape.rows = Axis::make(s.frame.common_r, s.settings.pixel, kMostCells / 64);
    const double budget = std::min(c.records + 64.0, static_cast<double>(kMostCells));
    const double for_slabs = std::max(1.0, budget / (4.0 * shape.rows.count));
    const double slab = std::max(1.0, 4.0 * c.duration / c.records);
    const int slabs = static_cast<int>(std::min<double>(kMostSlabs, for_slabs));
    if (c.t.upper - c.t.lower > 2.0 * slab && slabs > 1) {
        shape.slabs = Axis::make(c.t, slab, slabs);
    }
    const double blocks = budget / (static_cast<double>(shape.rows.count) * shape.slabs.count);
    shape.blocks =
        Axis::make(c.h, kBlock * s.settings.pixel, static_cast<int>(std::max(1.0, blocks)));
    return shape;
}

// Widths of blocks may be more than kBlock pixels where cells are dear.
double block_width(const GridShape& shape) noexcept {
    return shape.blocks.width > 0.0 ? shape.blocks.width : kFar;
}

void add_stretch(Search& s, const Stretch& part, int row, std::uint32_t chord) {
    const GridShape& shape = s.chords_b.shape;
    const int slab_last = shape.slabs.cell(part.t.upper);
    const int block_last = shape.blocks.cell(part.h.upper);
    const auto t0 = static_cast<float>(part.t.lower - shape.slabs.origin);
    const auto t1 = static_cast<float>(part.t.upper - shape.slabs.origin);
    for (int block = shape.blocks.cell(part.h.lower); block <= block_last; ++block) {
        // Wide records are cut at blocks, so that looking one block back finds all.
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
    if (s.min_properness <= -1.0) return true;
    if (!inside(pair.a, a, guess.u, s.settings.pixel)) return true;
    if (!inside(pair.b, b, guess.v, s.settings.pixel)) return true;
    const double time = std::clamp(guess.time, 0.0, 1.0);
    const auto p = edge_properness(pair, pair.flow.turn(time), a, b);
    const double doubt = 0.02 + pair.flow.theta * std::min(1.0, 8.0 * s.settings.time_resolution);
    return !p || p->value >= s.min_properness - doubt;
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
    if (a.chord.near_axis || b.near_axis) {
        // Pieces of half a pixel, many of each edge: once for two edges will do.
        if (s.seen_near_axis[b.edge] == a.chord.edge) return;
        s.seen_near_axis[b.edge] = a.chord.edge;
        for (const double time : {0.0, 0.5, 1.0}) {
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
    const double aa = ar * ar + ah * ah;
    const double bb = br * br + bh * bh;
    Nearest n{(wr * bh - wh * br) / det, (wr * ah - wh * ar) / det};
    const bool crossing = n.on_a >= 0.0 && n.on_a <= 1.0 && n.on_b >= 0.0 && n.on_b <= 1.0;
    // A sine below 1/10: curves that are bent by a quarter of a pixel may cross twice, or elsewhere.
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

void probe(Search& s, const Probe& a) {
    const GridShape& shape = s.chords_b.shape;
    const ChordRows rows(a.from, a.to);
    const Range r = rows.r().widened(s.settings.reach);
    if (!r.meets(s.frame.common_r)) return;
    const double back = block_width(shape);
    const int last = shape.rows.cell(r.upper);
    for (int row = shape.rows.cell(r.lower); row <= last; ++row) {
        ++s.counts.records_a;
        const double lower = shape.rows.lower(row) - s.settings.reach;
        const double upper =
            row == shape.rows.count - 1 ? kFar : shape.rows.lower(row + 1) + s.settings.reach;
        Stretch part = a.chord.near_axis
                           ? any_angle(s.frame.flow, a.chord, s.settings.reach, phi_max(s))
                           : rows.over(lower, upper);
        part.h = {part.h.lower - a.reach_h - shape.blocks.origin,
                  part.h.upper + a.reach_h - shape.blocks.origin};
        part.t = {part.t.lower - a.reach_t - 1.0 - shape.slabs.origin,
                  part.t.upper + a.reach_t - shape.slabs.origin};
        const int first_block = shape.blocks.cell(part.h.lower - back + shape.blocks.origin);
        const int last_block = shape.blocks.cell(part.h.upper + shape.blocks.origin);
        const int last_slab = shape.slabs.cell(part.t.upper + shape.slabs.origin);
        const auto h0 = static_cast<float>(part.h.lower);
        const auto h1 = static_cast<float>(part.h.upper);
        const auto t0 = static_cast<float>(part.t.lower);
        const auto t1 = static_cast<float>(part.t.upper);
        for (int slab = shape.slabs.cell(part.t.lower + shape.slabs.origin); slab <= last_slab;
             ++slab) {
            for (const ChordRecord& b : s.chords_b.records(row, slab, first_block, last_block)) {
                if (b.h_upper < h0 || b.h_lower > h1 || b.t_upper < t0 || b.t_lower > t1) continue;
                ++s.counts.pairs;
                if (s.seen[b.chord] == a.mark) continue;
                s.seen[b.chord] = a.mark;
                compare(s, a, s.b.chords[b.chord]);
            }
        }
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

void probe_copy(Search& s, const Chord& chord, int k, std::uint32_t mark,
                const Rounding& rounding) {
    const double reach = s.settings.reach;
    Probe a{chord,
            doppeled(s.frame.flow, chord.from, k),
            doppeled(s.frame.flow, chord.to, k),
            mark,
            reach + rounding.h,
            kFar};
    if (!chord.near_axis) {
        const double r = std::min(chord.from.r, chord.to.r);
        const double h = std::max(std::fabs(a.from.h), std::fabs(a.to.h));
        const Bending slope = slopes_at(s, r, h);
        a.reach_h = reach * slope.slope_h + rounding.h;
        a.reach_t = 2.0 * (s.settings.time_resolution + reach * slope.slope_t) + rounding.t;
    }
    if (k != 0) s.counts.doppeled = true;
    probe(s, a);
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

bool cross_edges(Search& s, double most) {
    const Cover cover = cover_of(s);
    s.chords_b.clear();
    s.counts.records_b = 0;
    if (!(cover.records > 0.0)) return true;
    if (!(cover.records <= most)) return false;
    s.chords_b.shape = grid_shape(s, cover);
    for (std::uint32_t c = 0; c < s.b.chords.size(); ++c)
        add_chord(s, c);
    s.chords_b.sort();
    s.counts.records_b = s.chords_b.size();
    s.seen.assign(s.b.chords.size(), 0xffff'ffffU);
    if (s.frame.flow.turns) s.seen_near_axis.assign(s.b.edges.size(), 0xffff'ffffU);
    const Rounding rounding{2e-7 * (cover.h.upper - cover.h.lower),
                            2e-7 * (cover.t.upper - cover.t.lower + 1.0)};
    const Copies copies = s.frame.copies;
    const bool single = copies.first == copies.last;
    std::uint32_t mark = 0;
    for (const Chord& chord : s.a.chords) {
        for (int k = copies.first; k <= copies.last; ++k) {
            // Near the axis one copy stands for all angles.
            if (chord.near_axis && k != copies.first) break;
            if (!single && !chord.near_axis && !wanted(s, chord, k)) continue;
            probe_copy(s, chord, k, mark++, rounding);
        }
    }
    return true;
}

}  // namespace graze::screw::raster

// Step five: vertices of one body that project into faces of the other.
#include "rigid/raster/doppel.hpp"
#include "rigid/raster/draw.hpp"
#include "rigid/raster/search.hpp"

namespace graze::rigid::raster {
namespace {

constexpr int kMostCells = 1 << 22;
constexpr std::size_t kLongOutline = 64;
// Up to so many vertices each face looks at all of them: that is less work than to order them.
constexpr std::size_t kFewVertices = 48;

struct Side {
    const Body& vertices;
    Body& faces;
    const LocalTwist& twist;  // of the faces' body
    bool vertices_of_a;
};

bool copy_wanted(const Search& s, double phi, double r) noexcept {
    const double reach = s.settings.reach;
    const double by = r > 2.0 * reach ? 2.0 * reach / r : kPi;
    return phi + by >= s.frame.phi_b.lower && phi - by <= s.frame.phi_b.upper + s.frame.flow.theta;
}

// About one vertex to a cell. Slabs of time where there are many unit times to tell apart (9.1).
GridShape vertex_grid(const Range& r, const Range& h, const Range& t, double count) {
    GridShape shape;
    count = std::min(count, static_cast<double>(kMostCells));
    const double times = t.upper - t.lower;
    const double slabs = times > 4.0 ? std::floor(std::min(times, std::sqrt(count))) + 1.0 : 1.0;
    if (slabs > 1.0) shape.slabs = Axis::make(t, times / slabs, static_cast<int>(slabs));
    const double sides = std::sqrt(count / slabs) + 1.0;
    shape.rows = Axis::make(r, (r.upper - r.lower) / sides, static_cast<int>(sides));
    shape.blocks = Axis::make(h, (h.upper - h.lower) / sides, static_cast<int>(sides));
    return shape;
}

// All copies of the vertices that are within the other body's box.
void sort_vertices(Search& s, const Side& side) {
    Grid<VertexRecord>& grid = s.vertices;
    grid.clear();
    s.vertices_near_axis.clear();
    const Copies copies = side.vertices_of_a ? s.frame.copies : Copies{};
    const bool single = copies.first == copies.last;
    const bool turns = s.frame.flow.turns;
    const Range r_range = side.faces.box.r.widened(s.settings.reach);
    const ScreenBox& near = side.vertices.partner;
    std::vector<VertexRecord>& found = s.found_vertices;
    found.clear();
    Range r;
    Range h;
    Range t;
    for (std::uint32_t v = 0; v < side.vertices.candidate.size(); ++v) {
        if (side.vertices.candidate[v] == 0) continue;
        const ScreenPoint& base = side.vertices.point[v];
        if (base.r < r_range.lower || base.r > r_range.upper) continue;
        if (base.h < near.h.lower || base.h > near.h.upper) continue;
        if (turns && base.r < s.settings.near_axis) {
            s.vertices_near_axis.push_back(v);
            continue;
        }
        for (int k = copies.first; k <= copies.last; ++k) {
            const ScreenPoint p = doppeled(s.frame.flow, base, k);
            if (!single && !copy_wanted(s, p.phi, p.r)) continue;
            if (k != 0) s.counts.doppeled = true;
            found.push_back(
                {static_cast<float>(p.r), static_cast<float>(p.h), static_cast<float>(p.t), v});
            r = {std::min(r.lower, p.r), std::max(r.upper, p.r)};
            h = {std::min(h.lower, p.h), std::max(h.upper, p.h)};
            t = {std::min(t.lower, p.t), std::max(t.upper, p.t)};
        }
    }
    s.few_vertices = found.size() <= kFewVertices;
    if (s.few_vertices) return;
    grid.shape = vertex_grid(r, h, t, static_cast<double>(found.size()));
    const GridShape& shape = grid.shape;
    for (const VertexRecord& v : found) {
        grid.add(shape.cell(shape.rows.cell(v.r), shape.slabs.cell(v.t), shape.blocks.cell(v.h)),
                 v);
    }
    grid.sort();
}

// The outline's h at a distance r from the axis: least and largest, each with its time.
struct Span {
    double h_lower = kFar;
    double t_lower = 0.0;
    double h_upper = -kFar;
    double t_upper = 0.0;
    bool any_time = false;
    void include(double h, double t) noexcept {
        if (h < h_lower) {
            h_lower = h;
            t_lower = t;
        }
        if (h > h_upper) {
            h_upper = h;
            t_upper = t;
        }
    }
};

Span span_at(const Search& s, double r) {
    Span span;
    const double reach = s.settings.reach;
    for (const Chord& c : s.outline) {
        const double dr = c.to.r - c.from.r;
        const double low = std::min(c.from.r, c.to.r) - reach;
        const double high = std::max(c.from.r, c.to.r) + reach;
        if (r < low || r > high) continue;
        if (c.near_axis) {
            span.h_lower = -kFar;
            span.h_upper = kFar;
            span.any_time = true;
            return span;
        }
        if (std::fabs(dr) <= 2.0 * reach) {
            span.include(c.from.h, c.from.t);
            span.include(c.to.h, c.to.t);
            continue;
        }
        // Both ends of the stretch within the reach.
        for (const double at : {r - reach, r + reach}) {
            const double x = std::clamp((at - c.from.r) / dr, 0.0, 1.0);
            span.include(c.from.h + x * (c.to.h - c.from.h), c.from.t + x * (c.to.t - c.from.t));
        }
    }
    return span;
}

// Times of the face at the height h lie between those of the span's ends, or beyond them by less
// than the length of the arc between: a quarter of a circle is 1.6 times its chord at most.
constexpr double kArc = 0.8;

// By the outline whether the vertex is in the face on the screen at all.
bool in_outline(const Search& s, const Side& side, const VertexRecord& v, const Bending& slope) {
    const Span span = span_at(s, v.r);
    // Floats: seven digits.
    const double reach_h = s.settings.reach * slope.slope_h + 2e-7 * std::fabs(v.h);
    if (!(v.h >= span.h_lower - reach_h) || !(v.h <= span.h_upper + reach_h)) return false;
    if (span.any_time) return true;
    const double width = span.h_upper - span.h_lower;
    const double change = span.t_upper - span.t_lower;
    const double x = width > 0.0 ? std::clamp((v.h - span.h_lower) / width, 0.0, 1.0) : 0.5;
    const double t = span.t_lower + x * change;
    const double doubt =
        kArc * std::sqrt(width * width * slope.slope_t * slope.slope_t + change * change) +
        std::fabs(change) + 2.0 * (s.settings.time_resolution + s.settings.reach * slope.slope_t) +
        2e-7 * std::fabs(v.t);
    const double time = side.vertices_of_a ? v.t - t : t - v.t;
    return time >= -doubt && time <= 1.0 + doubt;
}

void hold_against(Search& s, const VertexFace& which, const FacePlane& plane, const PlaneEnds& ends,
                  double guess) {
    ++s.counts.candidates;
    add_touches_of_face(s.pair(), which, plane, ends, guess, s.touches);
}

void add_fold(Search& s, const Side& side, std::uint32_t face, int k) {
    const FacingFunction value = facing_function(side.twist, side.faces.shape->normal(face));
    const auto line = fold(*side.faces.shape, face, value);
    if (!line) return;
    const Flow& flow = s.frame.flow;
    const Vec3 from = side.faces.map(line->from);
    const Vec3 to = side.faces.map(line->to);
    const ScreenPoint first =
        project(flow, from, side.faces.point[side.faces.shape->face(face)[0]].phi);
    const std::size_t start = s.outline.size();
    const Brush brush{
        flow,     s.settings, s.frame.q, side.faces.r_least, side.faces.bend, side.faces.bend_t,
        s.outline};
    draw(brush, {from, to, norm(to - from), kNoFace}, first, 0.0F, project(flow, to, first.phi),
         1.0F);
    side.faces.virtual_chords.insert(side.faces.virtual_chords.end(),
                                     s.outline.begin() + static_cast<std::ptrdiff_t>(start),
                                     s.outline.end());
    for (std::size_t i = start; i < s.outline.size() && k != 0; ++i) {
        s.outline[i].from = doppeled(flow, s.outline[i].from, k);
        s.outline[i].to = doppeled(flow, s.outline[i].to, k);
    }
}

// The angles of B's vertices are met by A's face while B turns on; A's vertices come in copies.
Range pierced_angles(const Search& s, const Side& side) noexcept {
    if (side.vertices_of_a) return {-kPi - 0.1, kPi + 0.1};
    const Range phi = s.frame.b.around ? Range{-kPi, kPi} : s.frame.b.phi;
    return {phi.lower - 0.1, phi.upper + s.frame.flow.theta + 0.1};
}

// Where the axis runs through the face, the outline holds all copies that are wanted.
void make_outline(Search& s, const Side& side, std::uint32_t face, int k) {
    s.outline.clear();
    const int winds = append_outline(s.outline, side.faces, s.frame.flow, face, k);
    if (winds == 0) {
        if (side.faces.faces[face] == Facing::Part) add_fold(s, side, face, k);
        return;
    }
    s.outline.clear();
    for (int turn = -2; turn <= 2; ++turn) {
        append_outline(s.outline, side.faces, s.frame.flow, face, turn);
        if (side.faces.faces[face] == Facing::Part) add_fold(s, side, face, turn);
    }
    const PiercedFace pierced{face, pierced_angles(s, side), side.faces.face_box[face].r.upper};
    const std::vector<Chord> edges =
        axis_edges(side.faces, s.frame.flow, s.settings, s.frame.q, pierced);
    s.outline.insert(s.outline.end(), edges.begin(), edges.end());
    side.faces.virtual_chords.insert(side.faces.virtual_chords.end(), edges.begin(), edges.end());
    s.counts.doppeled = true;
}

double face_size(const Body& body, std::uint32_t face) noexcept {
    Range x;
    Range y;
    Range z;
    for (const std::uint32_t v : body.shape->face(face)) {
        x.include(body.position[v].x);
        y.include(body.position[v].y);
        z.include(body.position[v].z);
    }
    return norm(Vec3{x.upper - x.lower, y.upper - y.lower, z.upper - z.lower});
}

// Whether the copy of a face, k turns on, can meet the angles of B's vertices. Faces across the cut
// have corners a turn apart: for these it cannot be told so easily.
bool face_copy_wanted(const Search& s, const Body& faces, std::uint32_t face, int k) noexcept {
    Range phi;
    for (const std::uint32_t v : faces.shape->face(face))
        phi.include(faces.point[v].phi);
    if (phi.upper - phi.lower > kPi) return true;
    const double r = faces.face_box[face].r.lower;
    const double reach = 2.0 * s.settings.reach;
    const double by = r > reach ? reach / r : kPi;
    return phi.lower + kTurn * k - by <= s.frame.phi_b.upper + s.frame.flow.theta &&
           phi.upper + kTurn * k + by >= s.frame.phi_b.lower;
}

// The chords' own box is smaller than what the corners promised. A face that the axis does not
// pierce
// has its least and largest r on its boundary (r^2 is convex on its plane), and so with h, which
// is monotone where a cylinder about the axis cuts a facing part.
ScreenBox drawn_box(const Search& s, const Side& side, std::uint32_t face, const Bending& slope) {
    const Body& body = side.faces;
    const ScreenBox& promised = body.face_box[face];
    ScreenBox box;
    for (const std::uint32_t e : body.shape->face_edges(face)) {
        if (body.edges[e].empty()) continue;
        if (body.edge_box[e].loose) return promised;
        box.include(body.edge_box[e].box);
    }
    if (body.faces[face] == Facing::Part && s.frame.flow.turns) {
        // The fold runs between points of the boundary, and is bent like any segment.
        const double size = face_size(body, face);
        const double r = box.r.lower - 0.5 * size;
        if (r < s.settings.near_axis) return promised;
        const double by = 0.125 * size * size * bending(s.frame.flow, r, s.frame.q).bend;
        box.r = box.r.widened(by);
        box.h = box.h.widened(by);
    }
    const double width = (box.h.upper - box.h.lower) * slope.slope_t;
    const double change = box.t.upper - box.t.lower;
    box.t = box.t.widened(kArc * std::sqrt(width * width + change * change));
    return box;
}

// Vertices on the screen within the box of a face.
class FaceScan {
public:
    FaceScan(Search& s, const Side& side, std::uint32_t face, int k, const Bending& slope) noexcept
        : s_(s), side_(side), face_(face), k_(k), slope_(slope) {}

    void visit(const VertexRecord& v) {
        if (s_.stop()) return;
        if (!begun_) begin();
        const VertexFace which{v.vertex, face_, side_.vertices_of_a};
        const PlaneEnds ends = plane_ends(s_.pair(), which, plane_);
        if (!ends.may_enter(s_.settings.slack)) return;
        if (s_.settings.robust) {
            if (maybe_in_outline(v)) hold_against(s_, which, plane_, ends, ends.guess());
            return;
        }
        const auto guess = entry_guess(s_.pair(), which, plane_, ends, box_);
        if (guess) hold_against(s_, which, plane_, ends, *guess);
    }

private:
    void begin() noexcept {
        begun_ = true;
        plane_ = plane_of(side_.faces, face_);
        box_ = box_of(side_.faces, face_);
    }
    bool maybe_in_outline(const VertexRecord& v) {
        if (!outlined_) make_outline(s_, side_, face_, k_);
        outlined_ = true;
        return s_.outline.size() > kLongOutline || in_outline(s_, side_, v, slope_);
    }

    Search& s_;
    const Side& side_;
    std::uint32_t face_;
    int k_;
    const Bending& slope_;
    FacePlane plane_;
    SpaceBox box_;
    bool begun_ = false;
    bool outlined_ = false;
};

void scan_face(Search& s, const Side& side, std::uint32_t face, int k) {
    const GridShape& shape = s.vertices.shape;
    const ScreenBox& promised = side.faces.face_box[face];
    const double turn_h = k == 0 ? 0.0 : kTurn * std::abs(k) * promised.r.upper;
    const double h_most = std::max(std::fabs(promised.h.lower), std::fabs(promised.h.upper));
    const Bending slope = slopes_at(s, promised.r.lower, h_most + turn_h);
    const ScreenBox box = doppeled(s.frame.flow, drawn_box(s, side, face, slope), k);
    const Range r = box.r.widened(s.settings.reach + 2e-7 * std::fabs(box.r.upper));
    const double h_size = std::max(std::fabs(box.h.lower), std::fabs(box.h.upper));
    const Range h = box.h.widened(s.settings.reach * slope.slope_h + 2e-7 * h_size);
    const double doubt_t = 2.0 * (s.settings.time_resolution + s.settings.reach * slope.slope_t) +
                           2e-7 * std::max(std::fabs(box.t.lower), std::fabs(box.t.upper));
    const Range t = side.vertices_of_a ? Range{box.t.lower - doubt_t, box.t.upper + 1.0 + doubt_t}
                                       : Range{box.t.lower - 1.0 - doubt_t, box.t.upper + doubt_t};
    FaceScan scan{s, side, face, k, slope};
    const auto visit = [&](const VertexRecord& v) {
        const bool outside = v.r < r.lower || v.r > r.upper || v.h < h.lower || v.h > h.upper ||
                             v.t < t.lower || v.t > t.upper;
        if (!outside) scan.visit(v);
    };
    if (s.few_vertices) {
        for (const VertexRecord& v : s.found_vertices)
            visit(v);
        return;
    }
    const int last = shape.rows.cell(r.upper);
    const int first_block = shape.blocks.cell(h.lower);
    const int last_block = shape.blocks.cell(h.upper);
    const int first_slab = shape.slabs.cell(t.lower);
    const int last_slab = shape.slabs.cell(t.upper);
    for (int row = shape.rows.cell(r.lower); row <= last; ++row) {
        for (int slab = first_slab; slab <= last_slab; ++slab) {
            for (const VertexRecord& v : s.vertices.records(row, slab, first_block, last_block)) {
                visit(v);
            }
        }
    }
}

// A vertex near the axis has no angle to go by: it is held against every face that comes near.
void scan_near_axis(Search& s, const Side& side) {
    for (const std::uint32_t v : s.vertices_near_axis) {
        const double r = side.vertices.point[v].r;
        for (const std::uint32_t face : side.faces.facing_faces) {
            if (s.stop()) return;
            if (side.faces.face_box[face].r.lower > r + s.settings.reach) continue;
            const VertexFace which{v, face, side.vertices_of_a};
            const FacePlane plane = plane_of(side.faces, face);
            const PlaneEnds ends = plane_ends(s.pair(), which, plane);
            if (ends.may_enter(s.settings.slack)) hold_against(s, which, plane, ends, ends.guess());
        }
    }
}

void scan(Search& s, const Side& side) {
    sort_vertices(s, side);
    const bool turns = s.frame.flow.turns;
    const Copies copies = side.vertices_of_a || !turns ? Copies{} : s.frame.copies;
    const bool single = copies.first == copies.last;
    for (const std::uint32_t face : side.faces.facing_faces) {
        if (s.stop()) return;
        if (side.faces.wanted_face[face] == 0 || s.found_vertices.empty()) continue;
        for (int k = copies.first; k <= copies.last; ++k) {
            if (single || face_copy_wanted(s, side.faces, face, k)) scan_face(s, side, face, k);
        }
    }
    if (!s.vertices_near_axis.empty()) scan_near_axis(s, side);
}

}  // namespace

void draw_virtual_edges(Search& s) {
    const LocalTwist twist_a = local_twist(s.a, s.frame.flow);
    const LocalTwist twist_b = local_twist(s.b, s.frame.flow);
    for (const Side& side : {Side{s.a, s.b, twist_b, true}, Side{s.b, s.a, twist_a, false}}) {
        side.faces.virtual_chords.clear();
        for (const std::uint32_t face : side.faces.facing_faces) {
            if (side.faces.wanted_face[face] != 0) make_outline(s, side, face, 0);
        }
    }
}

void scan_faces(Search& s, const LocalTwist& twist_a, const LocalTwist& twist_b) {
    s.a.virtual_chords.clear();
    s.b.virtual_chords.clear();
    scan(s, {s.a, s.b, twist_b, true});
    scan(s, {s.b, s.a, twist_a, false});
}

}  // namespace graze::rigid::raster

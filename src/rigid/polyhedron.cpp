// A surface as it is given: nothing is welded, mended or left out, and what is odd is counted.
//
// Sides of all faces are sorted by their two vertices, so that those of one edge come together
// (graze/surface/faces.hpp); who is at a vertex is found by counting sorts. Faces are cut into
// triangles by exact signs: a closed surface of polygons is a closed surface of triangles.
#include "graze/rigid/polyhedron.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "graze/broad/float_box.hpp"
#include "graze/broad/wide_tree.hpp"
#include "graze/core/norm_bounds.hpp"
#include "graze/surface/defects.hpp"
#include "graze/surface/local_face.hpp"
#include "graze/surface/orientation.hpp"
#include "graze/surface/triangulation.hpp"
#include "rigid/face_cones.hpp"

namespace graze::rigid {
namespace {

// Corners off their plane by more than this fraction of the face's size count as bent.
constexpr double kBent = 1e-6;

std::string of_face(std::size_t f) {
    return "face " + std::to_string(f) + ": ";
}

// What cannot be built is named by its vertex or face; nothing is guessed.
std::optional<Error> position_error(std::span<const Vec3> positions) {
    if (positions.size() >= kNoFace)
        return Error{"more vertices than 32 bits can number", ErrorCode::WrongSize};
    for (std::size_t v = 0; v < positions.size(); ++v) {
        if (!is_finite(positions[v])) {
            return Error{"vertex " + std::to_string(v) + ": a coordinate is not finite",
                         ErrorCode::NotFinite, v};
        }
    }
    return std::nullopt;
}

std::optional<Error> face_error(std::span<const std::uint32_t> face, std::size_t f,
                                std::size_t vertex_count) {
    if (face.size() < 3) {
        return Error{of_face(f) + std::to_string(face.size()) + " corners, and 3 is the least",
                     ErrorCode::WrongSize, f};
    }
    for (std::size_t i = 0; i < face.size(); ++i) {
        if (face[i] >= vertex_count) {
            return Error{of_face(f) + "corner " + std::to_string(i) + " names vertex " +
                             std::to_string(face[i]) + " of " + std::to_string(vertex_count),
                         ErrorCode::IndexOutOfRange, f};
        }
        if (face[i] == face[(i + 1) % face.size()]) {
            return Error{of_face(f) + "vertex " + std::to_string(face[i]) + " twice in a row",
                         ErrorCode::InvalidInput, f};
        }
    }
    return std::nullopt;
}

std::optional<Error> corner_error(std::size_t vertex_count, std::span<const std::size_t> ends,
                                  std::span<const std::uint32_t> corners) {
    if (ends.empty()) return Error{"no face", ErrorCode::WrongSize};
    if (ends.size() >= kNoFace || corners.size() >= kNoFace) {
        return Error{"more faces or corners than 32 bits can number", ErrorCode::WrongSize};
    }
    if (ends.back() != corners.size()) {
        return Error{"the faces have " + std::to_string(ends.back()) + " corners, but " +
                         std::to_string(corners.size()) + " are given",
                     ErrorCode::WrongSize};
    }
    for (std::size_t f = 0; f < ends.size(); ++f) {
        const std::size_t first = f == 0 ? 0 : ends[f - 1];
        if (auto error = face_error(corners.subspan(first, ends[f] - first), f, vertex_count)) {
            return error;
        }
    }
    return std::nullopt;
}

// Two faces of one edge have opposite senses on a surface that is oriented. The edges of the sides
// of one key. The i-th side that runs forward is paired with the i-th that
// runs backward; what is left over stays alone.
void append_edges(std::span<const FaceSide> group, std::vector<PolyhedronEdge>& edges,
                  std::span<std::uint32_t> face_edges) {
    const auto from = static_cast<std::uint32_t>(group[0].key >> 32);
    const auto to = static_cast<std::uint32_t>(group[0].key);
    const std::size_t first = edges.size();
    std::size_t forward = 0;
    std::size_t backward = 0;
    for (const FaceSide& side : group) {
        const std::size_t index = first + (side.forward ? forward++ : backward++);
        if (index == edges.size()) edges.push_back({from, to, kNoFace, kNoFace});
        (side.forward ? edges[index].left : edges[index].right) = side.face;
        face_edges[side.slot] = static_cast<std::uint32_t>(index);
    }
}

// One face: open. More than two, or two with the same sense: non-manifold.
void count_edge(std::span<const FaceSide> group, SurfaceReport& report) {
    if (group.size() == 1) ++report.open_edges;
    if (group.size() > 2 || (group.size() == 2 && group[0].forward == group[1].forward)) {
        ++report.non_manifold_edges;
    }
}

// Lists of a counting sort: for each vertex the items that name it, in order, each once.
struct Incidence {
    std::vector<std::size_t> ends;
    std::vector<std::uint32_t> items;
};

// for_each_pair(visit) calls visit(vertex, item) for all pairs, by ascending item, both times
// in the same order. Linear: one pass counts the items of each vertex, the other writes them.
template <class ForEachPair>
Incidence incidence(std::size_t vertex_count, const ForEachPair& for_each_pair) {
    std::vector<std::uint32_t> last(vertex_count, kNoFace);
    const auto once = [&](auto&& visit) {
        std::fill(last.begin(), last.end(), kNoFace);
        for_each_pair([&](std::uint32_t vertex, std::uint32_t item) {
            if (last[vertex] == item) return;
            last[vertex] = item;
            visit(vertex, item);
        });
    };
    Incidence result;
    result.ends.assign(vertex_count, 0);
    once([&](std::uint32_t vertex, std::uint32_t) { ++result.ends[vertex]; });
    result.items.resize(std::reduce(result.ends.begin(), result.ends.end()));
    std::exclusive_scan(result.ends.begin(), result.ends.end(), result.ends.begin(),
                        std::size_t{0});
    once([&](std::uint32_t vertex, std::uint32_t item) {
        result.items[result.ends[vertex]++] = item;
    });
    return result;  // each end has moved from the first of its vertex past the last
}

Vec3 box_middle(std::span<const Vec3> positions) noexcept {
    Vec3 low = positions[0];
    Vec3 high = positions[0];
    for (const Vec3& p : positions) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], p[axis]);
            high[axis] = std::max(high[axis], p[axis]);
        }
    }
    return 0.5 * low + 0.5 * high;
}

// List i of lists that lie end to end.
std::span<const std::uint32_t> items_of(const std::vector<std::size_t>& ends,
                                        const std::vector<std::uint32_t>& items,
                                        std::size_t i) noexcept {
    const std::size_t first = i == 0 ? 0 : ends[i - 1];
    return std::span(items).subspan(first, ends[i] - first);
}

void append_count(std::string& text, std::size_t count, const char* one, const char* many) {
    if (count == 0) return;
    if (!text.empty()) text += ", ";
    text += counted(count, one, many);
}

}  // namespace

std::string SurfaceReport::text() const {
    std::string text;
    append_count(text, open_edges, "open edge", "open edges");
    append_count(text, non_manifold_edges, "edge of more than two faces or of faces that disagree",
                 "edges of more than two faces or of faces that disagree");
    append_count(text, bent_faces, "bent face", "bent faces");
    append_count(text, flat_faces, "face without area", "faces without area");
    append_count(text, repeated_vertices, "repeated vertex", "repeated vertices");
    append_count(text, unused_vertices, "unused vertex", "unused vertices");
    append_count(text, inside_out_parts, "part inside out", "parts inside out");
    append_count(text, wrong_faces, "face wound the wrong way round",
                 "faces wound the wrong way round");
    append_count(text, undecided_parts, "part whose outside is not known",
                 "parts whose outside is not known");
    return text;
}

Expected<Polyhedron> Polyhedron::build(std::vector<Vec3> positions,
                                       std::span<const std::uint32_t> corner_counts,
                                       std::span<const std::uint32_t> corners) {
    Polyhedron body;
    body.ends_ = face_ends(corner_counts);
    if (auto error = position_error(positions)) return *error;
    if (auto error = corner_error(positions.size(), body.ends_, corners)) return *error;
    body.positions_ = std::move(positions);
    body.corners_.assign(corners.begin(), corners.end());
    const Expected<void> good = with_sound_arithmetic([&]() -> Expected<void> {
        body.find_edges();
        body.find_neighbours();
        if (auto error = body.find_faces()) return *error;
        body.find_wrong_faces();
        body.find_ball();
        body.find_order();
        body.cones_ = face_cones(body);
        return {};
    });
    if (!good) return good.error();
    return body;
}

Polyhedron Polyhedron::oriented() const {
    std::vector<std::uint32_t> counts(face_count());
    std::vector<std::uint32_t> corners = corners_;
    for (std::size_t f = 0; f < counts.size(); ++f)
        counts[f] = static_cast<std::uint32_t>(face(f).size());
    for (const std::uint32_t f : wrong_faces_)
        reverse_face(std::span(corners).subspan(ends_[f] - counts[f], counts[f]));
    // What could be built can be built again, save for a polygon that is no simple one: the other
    // way round it may take too long to cut. It stays as it is then, and its report has the wrong
    // faces.
    auto body = build(positions_, counts, corners);
    return body ? std::move(*body) : *this;
}

// Edges in the order of their sorted vertices (i < j, by i, then j): the order of the command line.
void Polyhedron::find_edges() {
    face_edges_.resize(corners_.size());
    for_each_edge(sorted_sides({ends_, corners_}), [&](std::span<const FaceSide> group) {
        count_edge(group, report_);
        append_edges(group, edges_, face_edges_);
    });
}

void Polyhedron::find_neighbours() {
    Incidence edges = incidence(positions_.size(), [&](auto&& visit) {
        for (std::uint32_t e = 0; e < edges_.size(); ++e) {
            visit(edges_[e].from, e);
            visit(edges_[e].to, e);
        }
    });
    Incidence faces = incidence(positions_.size(), [&](auto&& visit) {
        for (std::uint32_t f = 0; f < face_count(); ++f)
            for (const std::uint32_t v : face(f))
                visit(v, f);
    });
    vertex_edge_ends_ = std::move(edges.ends);
    vertex_edges_ = std::move(edges.items);
    vertex_face_ends_ = std::move(faces.ends);
    vertex_faces_ = std::move(faces.items);
    for (std::size_t v = 0; v < positions_.size(); ++v)
        if (vertex_faces(v).empty()) ++report_.unused_vertices;
    report_.repeated_vertices = weld(positions_).repeated();
}

// Normals, bent faces and triangles of all faces. The normal is that of Newell's sum, which is
// defined for any polygon; a face is seen along its largest component to be cut.
std::optional<Error> Polyhedron::find_faces() {
    LocalFace local;
    EarClipper clipper;
    normals_.resize(face_count());
    triangles_.reserve(corners_.size() - 2 * face_count());
    for (std::size_t f = 0; f < face_count(); ++f) {
        const std::span<const std::uint32_t> corners = face(f);
        local.set(positions_, corners);
        const Vec3 area = local.area_vector();
        if (area == Vec3{}) {
            ++report_.flat_faces;
        } else {
            normals_[f] = (1.0 / norm(area)) * area;
            if (local.is_bent(normals_[f], kBent))
                bent_faces_.push_back(static_cast<std::uint32_t>(f));
        }
        if (!clipper.cut(corners, positions_, normals_[f], EarOrder::Alternating, triangles_)) {
            return Error{of_face(f) + std::to_string(corners.size()) +
                             " corners that are too far from convex to cut into triangles",
                         ErrorCode::Unsupported, f};
        }
        triangle_faces_.resize(triangles_.size(), static_cast<std::uint32_t>(f));
    }
    report_.bent_faces = bent_faces_.size();
    return std::nullopt;
}

// By the exact sign of the volume of each closed component, and how deep it is nested
// (graze/surface/orientation.hpp).
void Polyhedron::find_wrong_faces() {
    Orientation orientation =
        orientation_of(positions_, {ends_, corners_}, triangles_, triangle_faces_);
    report_.inside_out_parts = orientation.inside_out;
    report_.wrong_faces = orientation.wrong_faces.size();
    report_.undecided_parts = orientation.undecided;
    wrong_faces_ = std::move(orientation.wrong_faces);
}

// About the middle of the box, with the radius rounded up: it holds every vertex.
void Polyhedron::find_ball() {
    centre_ = box_middle(positions_);
    for (const Vec3& p : positions_)
        radius_ = std::max(radius_, distance_upper(centre_, p));
}

void Polyhedron::find_order() {
    Box all;
    for (const Vec3& p : positions_)
        all.add(p);
    const FloatMap<3> map = float_map_around(all);
    std::vector<FloatBox<3>> boxes(face_count());
    for (std::size_t f = 0; f < boxes.size(); ++f) {
        Box box;
        for (const std::uint32_t v : face(f))
            box.add(positions_[v]);
        boxes[f] = map.map(box);
    }
    MortonOrder order;
    SortBuffers buffers;
    order.sort(
        boxes.size(), [&](std::size_t f) -> const FloatBox<3>& { return boxes[f]; }, buffers);
    spatial_order_.assign(order.last().begin(), order.last().end());
}

std::span<const std::uint32_t> Polyhedron::vertex_edges(std::size_t v) const noexcept {
    return items_of(vertex_edge_ends_, vertex_edges_, v);
}

std::span<const std::uint32_t> Polyhedron::vertex_faces(std::size_t v) const noexcept {
    return items_of(vertex_face_ends_, vertex_faces_, v);
}

}  // namespace graze::rigid

#include "graze/io/frames.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "graze/io/ply.hpp"
#include "io/checked_stream.hpp"
#include "io/frame_stream.hpp"
#include "io/json_lists.hpp"

namespace graze::io {
namespace {

Expected<std::vector<std::array<std::uint32_t, 3>>> triangles_of(
    const PolygonList& polygons, const std::filesystem::path& path) {
    std::vector<std::array<std::uint32_t, 3>> triangles(polygons.size());
    for (std::size_t i = 0; i < polygons.size(); ++i) {
        if (polygons[i].size() != 3) {
            return Error{path.string() + ": face " + std::to_string(i) + ": has " +
                         std::to_string(polygons[i].size()) +
                         " corners, and boxes are of triangles"};
        }
        std::copy_n(polygons[i].begin(), 3, triangles[i].begin());
    }
    return triangles;
}

std::array<std::uint32_t, 2> sorted_edge(std::uint32_t a, std::uint32_t b) {
    return {std::min(a, b), std::max(a, b)};
}

bool precedes(const std::array<std::uint32_t, 2>& a, const std::array<std::uint32_t, 2>& b) {
    return std::pair(a[1], a[0]) < std::pair(b[1], b[0]);
}

enum class BoxSort : std::uint8_t { Vertex, Edge, Face };

std::array<BoxSort, 2> sorts_of(QueryKind kind) {
    switch (kind) {
        case QueryKind::VertexFace:
            return {BoxSort::Vertex, BoxSort::Face};
        case QueryKind::EdgeEdge:
            return {BoxSort::Edge, BoxSort::Edge};
        case QueryKind::VertexVertex:
            return {BoxSort::Vertex, BoxSort::Vertex};
        case QueryKind::VertexEdge:
            break;
    }
    return {BoxSort::Vertex, BoxSort::Edge};
}

// The vertices of a box, or none if the number is not of that sort.
std::vector<std::uint32_t> corners_of(const FramePair& frames, BoxSort sort, std::uint64_t box) {
    const std::uint64_t first_edge = frames.start.size();
    const std::uint64_t first_face = first_edge + frames.edges.size();
    if (sort == BoxSort::Vertex) {
        if (box >= first_edge) return {};
        return {static_cast<std::uint32_t>(box)};
    }
    if (sort == BoxSort::Edge) {
        if (box < first_edge || box >= first_face) return {};
        const auto& edge = frames.edges[box - first_edge];
        return {edge.begin(), edge.end()};
    }
    if (box < first_face || box - first_face >= frames.faces.size()) return {};
    const auto& face = frames.faces[box - first_face];
    return {face.begin(), face.end()};
}

std::string_view name_of(BoxSort sort) {
    return sort == BoxSort::Vertex ? "a vertex" : sort == BoxSort::Edge ? "an edge" : "a face";
}

class FrameStream final : public CheckedStream {
public:
    FrameStream(FramePair frames, ByteReader boxes, QueryKind kind)
        : CheckedStream(kind), frames_(std::move(frames)), boxes_(std::move(boxes)) {}

private:
    Expected<std::optional<QueryRecord>> advance() override {
        const Expected<std::optional<BoxPair>> pair = boxes_.next();
        if (!pair) return pair.error();
        if (!*pair) return std::optional<QueryRecord>();
        const Expected<QueryRecord> record = query_of_boxes(frames_, kind(), **pair);
        if (!record) return boxes_.element_error(record.error().message);
        return std::optional(*record);
    }

    FramePair frames_;
    BoxPairReader boxes_;
};

}  // namespace

Expected<FramePair> read_frame_pair(const std::filesystem::path& start,
                                    const std::filesystem::path& end) {
    Expected<PlyMesh> mesh_t0 = read_ply(start);
    if (!mesh_t0) return mesh_t0.error();
    Expected<PlyMesh> mesh_t1 = read_ply(end);
    if (!mesh_t1) return mesh_t1.error();
    const std::string differs = end.string() + ": differs from " + start.string() + " in its ";
    if (mesh_t0->vertices.size() != mesh_t1->vertices.size()) {
        return Error{differs + "number of vertices"};
    }
    if (mesh_t0->polygons != mesh_t1->polygons) return Error{differs + "faces"};
    if (mesh_t0->edges != mesh_t1->edges) return Error{differs + "edges"};
    auto faces = triangles_of(mesh_t0->polygons, start);
    if (!faces) return faces.error();
    auto edges = box_edges(*faces, mesh_t0->edges);
    return FramePair{std::move(mesh_t0->vertices), std::move(mesh_t1->vertices), std::move(edges),
                     std::move(*faces)};
}

std::vector<std::array<std::uint32_t, 2>> box_edges(
    const std::vector<std::array<std::uint32_t, 3>>& faces,
    const std::vector<std::array<std::uint32_t, 2>>& loose_edges) {
    std::vector<std::array<std::uint32_t, 2>> edges;
    edges.reserve(3 * faces.size() + loose_edges.size());
    for (const auto& face : faces) {
        for (std::size_t i = 0; i < 3; ++i) {
            edges.push_back(sorted_edge(face[i], face[(i + 1) % 3]));
        }
    }
    for (const auto& edge : loose_edges)
        edges.push_back(sorted_edge(edge[0], edge[1]));
    std::erase_if(edges, [](const auto& edge) { return edge[0] == edge[1]; });
    std::sort(edges.begin(), edges.end(), precedes);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

Expected<QueryRecord> query_of_boxes(const FramePair& frames, QueryKind kind,
                                     const std::array<std::uint64_t, 2>& boxes) {
    QueryRecord record;
    std::size_t corner = 0;
    for (std::size_t side = 0; side < 2; ++side) {
        const BoxSort sort = sorts_of(kind)[side];
        const std::vector<std::uint32_t> vertices = corners_of(frames, sort, boxes[side]);
        if (vertices.empty()) {
            return Error{"box " + std::to_string(boxes[side]) + " is not " +
                         std::string(name_of(sort))};
        }
        for (const std::uint32_t vertex : vertices) {
            record.corners[corner++] = {frames.start[vertex], frames.end[vertex]};
        }
    }
    return record;
}

Expected<std::unique_ptr<QueryStream>> frame_stream(const QuerySource& source) {
    if (source.frames.size() != 2 || !source.boxes) {
        return Error{"a query source needs a query file, or two frames and a list of boxes"};
    }
    auto frames = read_frame_pair(source.frames[0], source.frames[1]);
    if (!frames) return frames.error();
    auto boxes = ByteReader::open(*source.boxes);
    if (!boxes) return boxes.error();
    return std::unique_ptr<QueryStream>(
        std::make_unique<FrameStream>(std::move(*frames), std::move(*boxes), source.kind));
}

}  // namespace graze::io

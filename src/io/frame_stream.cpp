#include "io/frame_stream.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "graze/surface/triangulation.hpp"
#include "io/checked_stream.hpp"
#include "io/json_lists.hpp"
#include "io/mesh_reader.hpp"

namespace graze::io {
namespace {

Expected<void> check_triangles(const PolygonList& polygons) {
    for (std::size_t i = 0; i < polygons.size(); ++i) {
        if (polygons[i].size() == 3) continue;
        return Error{"face " + std::to_string(i) + ": has " + std::to_string(polygons[i].size()) +
                         " corners, and boxes are of triangles",
                     ErrorCode::Unsupported, i};
    }
    return {};
}

enum class BoxSort : std::uint8_t { Vertex, Edge, Face };

std::array<BoxSort, 2> sorts_of(QueryKind kind) {
    const bool has_two_edges = kind == QueryKind::EdgeEdge;
    const BoxSort second = kind == QueryKind::VertexFace     ? BoxSort::Face
                           : kind == QueryKind::VertexVertex ? BoxSort::Vertex
                                                             : BoxSort::Edge;
    return {has_two_edges ? BoxSort::Edge : BoxSort::Vertex, second};
}

// Boxes: vertices [0, V), edges [V, V + E), faces [V + E, V + E + F). Numbers are 64-bit and come from
// a file, so that each bound is checked before a difference is taken.
// The vertices of an edge's or a face's box, or none if the number is not of that sort.
std::span<const std::uint32_t> vertices_of(const BoxedStep& step, BoxSort sort, std::uint64_t box) {
    const std::uint64_t first_edge = step.mesh.start.size();
    const std::uint64_t first_face = first_edge + step.edges.size();
    if (sort == BoxSort::Edge) {
        if (box < first_edge || box >= first_face) return {};
        return step.edges[box - first_edge];
    }
    if (box < first_face || box - first_face >= step.mesh.faces.size()) return {};
    return step.mesh.faces[box - first_face];
}

std::string_view name_of(BoxSort sort) {
    return sort == BoxSort::Vertex ? "a vertex" : sort == BoxSort::Edge ? "an edge" : "a face";
}

class FrameStream final : public CheckedStream {
public:
    FrameStream(BoxedStep step, ByteReader boxes, QueryKind kind)
        : CheckedStream(kind), step_(std::move(step)), boxes_(std::move(boxes)) {}

private:
    Expected<std::optional<QueryRecord>> advance() override {
        const Expected<std::optional<BoxPair>> pair = boxes_.next();
        if (!pair) return pair.error();
        if (!*pair) return std::optional<QueryRecord>();
        const Expected<QueryRecord> record = query_of_boxes(step_, kind(), **pair);
        if (!record) return boxes_.element_error(record.error().message, record.error().code);
        return std::optional(*record);
    }

    BoxedStep step_;
    BoxPairReader boxes_;
};

}  // namespace

Expected<BoxedStep> read_boxed_step(const std::filesystem::path& start,
                                    const std::filesystem::path& end) {
    auto pair = read_polygon_pair(start, end);
    if (!pair) return pair.error();
    auto& [mesh_t0, mesh_t1] = *pair;
    if (const auto good = check_triangles(mesh_t0.polygons); !good)
        return located(start.string(), good.error());
    auto faces = triangulate(mesh_t0.polygons.faces(), mesh_t0.positions);
    if (!faces) return located(start.string(), faces.error());
    std::vector<EdgeIndices> edges = box_edges(*faces, mesh_t0.edges);
    return BoxedStep{{std::move(mesh_t0.positions), std::move(mesh_t1.positions), std::move(*faces),
                      std::move(mesh_t0.edges)},
                     std::move(edges)};
}

Expected<QueryRecord> query_of_boxes(const BoxedStep& step, QueryKind kind,
                                     const std::array<std::uint64_t, 2>& boxes) {
    QueryRecord record;
    std::size_t count = 0;
    for (std::size_t side = 0; side < 2; ++side) {
        const BoxSort sort = sorts_of(kind)[side];
        const std::uint64_t box = boxes[side];
        const auto add = [&](std::uint64_t vertex) {
            record.corners[count++] = {step.mesh.start[vertex], step.mesh.end[vertex]};
        };
        const std::size_t before = count;
        if (sort == BoxSort::Vertex) {
            if (box < step.mesh.start.size()) add(box);
        } else {
            for (const std::uint32_t vertex : vertices_of(step, sort, box))
                add(vertex);
        }
        if (count == before) {
            return Error{"box " + std::to_string(box) + " is not " + std::string(name_of(sort)),
                         ErrorCode::IndexOutOfRange};
        }
    }
    return record;
}

Expected<std::unique_ptr<QueryStream>> frame_stream(const QuerySource& source) {
    if (source.frames.size() != 2 || !source.boxes) {
        return Error{"a query source needs a query file, or two frames and a list of boxes",
                     ErrorCode::InvalidInput};
    }
    auto step = read_boxed_step(source.frames[0], source.frames[1]);
    if (!step) return step.error();
    auto boxes = ByteReader::open(*source.boxes);
    if (!boxes) return boxes.error();
    return std::unique_ptr<QueryStream>(
        std::make_unique<FrameStream>(std::move(*step), std::move(*boxes), source.kind));
}

}  // namespace graze::io

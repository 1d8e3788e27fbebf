// MeshStepper::intersections(): what meets where nothing moves, exactly (MESH-5 in
// docs/derivations/mesh.md). Two faces intersect iff an edge of one meets the other, so edges with
// faces, edges with edges, and points without an edge with everything are all there is.
#include <algorithm>
#include <array>

#include "mesh/pair_search.hpp"
#include "mesh/step_check.hpp"
#include "mesh/stepper_state.hpp"
#include "mesh/with_positions.hpp"

namespace graze {
using namespace mesh_detail;
namespace {

Intersection::Kind kind_of(QueryKind kind) noexcept {
    switch (kind) {
        case QueryKind::VertexFace:
            return Intersection::Kind::VertexFace;
        case QueryKind::EdgeEdge:
            return Intersection::Kind::EdgeEdge;
        case QueryKind::VertexVertex:
            return Intersection::Kind::VertexVertex;
        case QueryKind::VertexEdge:
            break;
    }
    return Intersection::Kind::VertexEdge;
}

// Found by several threads, given in one order.
class Found {
public:
    struct Local {
        std::vector<Intersection> all;

        // Queries of things at rest: contact is contact at once.
        template <class Motion>
        void see(const StepQuery& step, const PairVertices<Motion>& vertices, std::uint32_t a,
                 std::uint32_t b) {
            if (certify(motion_of(step, vertices)).verdict != Verdict::Separated)
                all.push_back({kind_of(Motion::kKind), a, b});
        }
    };

    [[nodiscard]] Local& local() { return locals_.local(); }
    [[nodiscard]] std::vector<Intersection> sorted() const {
        std::vector<Intersection> all;
        for (const Local& local : locals_)
            all.insert(all.end(), local.all.begin(), local.all.end());
        std::sort(all.begin(), all.end());
        return all;
    }

private:
    PerThread<Local> locals_{[] { return Local{}; }};
};

// Edges that meet faces. An edge is the path of a point from its one end to the other: where that
// path meets the face, at rest, the edge does. So a query about motion decides, exactly.
class EdgeFacePairs final : public PairSink {
public:
    EdgeFacePairs(const StepQuery& step, Found::Local& found, Progress& progress)
        : step_(step), found_(found), progress_(progress) {}

    void take(std::span<const IndexPair> pairs) override {
        for (const auto& [edge, face] : pairs) {
            if (progress_.is_cancelled()) return;
            const EdgeIndices& e = step_.mesh.edges[edge];
            const FaceIndices& f = step_.mesh.faces[face];
            const auto in_face = [&](std::uint32_t v) {
                return v == f[0] || v == f[1] || v == f[2];
            };
            if (in_face(e[0]) || in_face(e[1])) continue;
            if (!is_admitted(e, face)) continue;
            const PairVertices<VertexFaceMotion> vertices(step_.mesh, e[0], face);
            VertexFaceMotion motion = motion_of(step_, vertices);
            // x(t) = (1 - t) p + t q runs through every point of the edge p q, and no other.
            motion.vertex.end = step_.vertices[e[1]].start;
            if (certify(motion).verdict != Verdict::Separated)
                found_.all.push_back({Intersection::Kind::EdgeFace, edge, face});
        }
    }

private:
    // The filter knows no such pair: it counts as those of the edge's ends with the face, of which
    // one suffices.
    [[nodiscard]] bool is_admitted(const EdgeIndices& edge, std::uint32_t face) const {
        const PairFilter& filter = step_.options.filter;
        if (!admits_vertices(filter, edge, step_.mesh.faces[face])) return false;
        return !filter.accepts || filter.accepts(QueryKind::VertexFace, edge[0], face) ||
               filter.accepts(QueryKind::VertexFace, edge[1], face);
    }

    const StepQuery& step_;
    Found::Local& found_;
    Progress& progress_;
};

void find_edge_face(const StepQuery& step, const StepBoxes& boxes, Found& found,
                    Progress& progress) {
    const BoxTree& edges = boxes.edges();
    for_each_group(edges.groups(), progress, [&](std::size_t begin, std::size_t end) {
        EdgeFacePairs pairs(step, found.local(), progress);
        for (std::size_t group = begin; group < end; ++group) {
            if (progress.is_cancelled()) return;
            edges.search_group(group, boxes.faces(), pairs);
        }
    });
}

Expected<std::vector<Intersection>> find_intersections(const StepQuery& step, StepBoxes& boxes) {
    // Boxes of the start alone, without margin: closed, so that touching ones meet.
    boxes.set(Trees::Build, step.mesh, step.vertices, 0.0, {}, 0.0);
    Found found;
    StepWork work;
    Progress progress(step.options, 2 * boxes.edges().groups() + boxes.points().groups());
    const std::span<const std::uint32_t> points = step.mesh.points;
    find_edge_face(step, boxes, found, progress);
    ask_kind<EdgeEdgeMotion>(step, found, progress, work, boxes.edges(), nullptr);
    if (!points.empty()) {
        ask_kind<VertexFaceMotion>(step, found, progress, work, boxes.points(), &boxes.faces(),
                                   points);
        ask_kind<VertexVertexMotion>(step, found, progress, work, boxes.points(), nullptr, points,
                                     points);
        ask_kind<VertexEdgeMotion>(step, found, progress, work, boxes.points(), &boxes.edges(),
                                   points);
    }
    if (progress.is_cancelled()) return Error{"cancelled", ErrorCode::Cancelled};
    return found.sorted();
}

}  // namespace

Expected<std::vector<Intersection>> MeshStepper::intersections(const Positions& positions,
                                                               const StepOptions& options) {
    const auto find = [&](std::span<const Vec3> at) -> Expected<std::vector<Intersection>> {
        const MeshTopology& mesh = state_->topology;
        if (const auto good = check_positions(at, mesh.vertex_count, "positions"); !good)
            return good.error();
        if (const auto good = check_options(mesh, options); !good) return good.error();
        if (StepBackend* const other = state_->backend_for(options))
            return other->intersections(at, options);
        const StepQuery step{mesh, state_->set_vertices(at, at), options};
        return in_arena(options, [&] { return find_intersections(step, state_->boxes); });
    };
    return with_positions(find, positions);
}

}  // namespace graze

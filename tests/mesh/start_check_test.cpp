// Intersections of a mesh at rest, against every pair asked of the oracle.
// Defends G-MESH-4 (docs/GUARANTEES.md).
#include "graze/mesh/step.hpp"

#include "random_scene.hpp"

namespace graze {
namespace {

TEST(Intersections, AreThoseOfEdgesWithFacesAndOfWhatHasNone) {
    int found = 0;
    for (const bool integers : {false, true}) {
        for (std::uint64_t seed = 0; seed < 15; ++seed) {
            const Scene scene =
                SceneMaker({.faces = 5, .loose_edges = 2, .points = 2, .integers = integers}, seed)
                    .make();
            std::vector<Intersection> exact;
            Scene still = {scene.mesh, scene.start, scene.start};
            for (const Contact& c : exact_contacts(still, {})) {
                const bool is_point =
                    std::count(scene.mesh.points.begin(), scene.mesh.points.end(), c.a) != 0;
                using Kind = Intersection::Kind;
                if (c.kind == QueryKind::EdgeEdge) exact.push_back({Kind::EdgeEdge, c.a, c.b});
                if (c.kind == QueryKind::VertexFace && is_point)
                    exact.push_back({Kind::VertexFace, c.a, c.b});
                if (c.kind == QueryKind::VertexVertex)
                    exact.push_back({Kind::VertexVertex, c.a, c.b});
                if (c.kind == QueryKind::VertexEdge) exact.push_back({Kind::VertexEdge, c.a, c.b});
            }
            for (std::uint32_t e = 0; e < scene.mesh.edges.size(); ++e) {
                for (std::uint32_t f = 0; f < scene.mesh.faces.size(); ++f) {
                    const auto& [p, q] = scene.mesh.edges[e];
                    const FaceIndices& face = scene.mesh.faces[f];
                    if (std::count(face.begin(), face.end(), p) != 0 ||
                        std::count(face.begin(), face.end(), q) != 0)
                        continue;
                    verify::Question question{QueryKind::VertexFace, {}, {}};
                    question.record.corners[0] = {scene.start[p], scene.start[q]};
                    for (std::size_t i = 0; i < 3; ++i)
                        question.record.corners[i + 1] = {scene.start[face[i]],
                                                          scene.start[face[i]]};
                    if (verify::exact_answer(question).verdict == Verdict::Contact)
                        exact.push_back({Intersection::Kind::EdgeFace, e, f});
                }
            }
            std::sort(exact.begin(), exact.end());
            MeshStepper stepper(scene.mesh);
            EXPECT_EQ(*stepper.intersections(scene.start), exact) << "seed " << seed;
            found += static_cast<int>(exact.size());
        }
    }
    EXPECT_GT(found, 100);
}

// An edge through a face: the edge's first vertex and the face are fixed, its second is not.
TEST(Intersections, LeaveOutOnlyThoseOfWhichEveryVertexIsFixed) {
    const std::vector<FaceIndices> faces = {{0, 1, 2}};
    const std::vector<EdgeIndices> edges = {{3, 4}};
    MeshStepper stepper(*make_topology(5, faces, edges));
    const std::vector<Vec3> positions = {
        {0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0x1p+0, 0x1p+0, 0x1p-1}, {0x1p+0, 0x1p+0, -0x1p-1}};
    const auto found = [&](const std::vector<std::uint8_t>& fixed) {
        StepOptions options;
        options.filter.fixed = fixed;
        return stepper.intersections(positions, options)->size();
    };
    EXPECT_EQ(found({1, 1, 1, 1, 1}), 0U);
    for (std::size_t free = 0; free < 5; ++free) {
        std::vector<std::uint8_t> fixed(5, 1);
        fixed[free] = 0;
        EXPECT_EQ(found(fixed), 1U) << free;
    }
}

// An edge against a face is left out if both of its ends against the face are.
TEST(Intersections, OfAnEdgeCountAsEitherOfItsEnds) {
    const std::vector<FaceIndices> faces = {{0, 1, 2}};
    const std::vector<EdgeIndices> edges = {{3, 4}};
    MeshStepper stepper(*make_topology(5, faces, edges));
    const std::vector<Vec3> positions = {
        {0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0x1p+0, 0x1p+0, 0x1p-1}, {0x1p+0, 0x1p+0, -0x1p-1}};
    const auto found = [&](std::uint32_t first, std::uint32_t second) {
        StepOptions options;
        options.filter.accepts = [=](QueryKind, std::uint32_t a, std::uint32_t) {
            return a == first || a == second;
        };
        return stepper.intersections(positions, options)->size();
    };
    EXPECT_EQ(found(3, 4), 1U);
    EXPECT_EQ(found(3, 3), 1U);
    EXPECT_EQ(found(4, 4), 1U);
    EXPECT_EQ(found(9, 9), 0U);
}

}  // namespace
}  // namespace graze

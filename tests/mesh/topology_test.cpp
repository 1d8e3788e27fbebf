#include "graze/mesh/topology.hpp"

#include <gtest/gtest.h>

namespace graze {
namespace {

TEST(Topology, HasEachEdgeOnceInTheOrderOfItsVertices) {
    const std::vector<FaceIndices> faces = {{2, 1, 0}, {1, 2, 3}};
    const Expected<MeshTopology> mesh = make_topology(6, faces, std::vector<EdgeIndices>{{5, 0}});
    ASSERT_TRUE(mesh);
    const std::vector<EdgeIndices> edges = {{0, 1}, {0, 2}, {0, 5}, {1, 2}, {1, 3}, {2, 3}};
    EXPECT_EQ(mesh->edges, edges);
    EXPECT_EQ(mesh->points, std::vector<std::uint32_t>{4});
}

TEST(Topology, KeepsFacesWithoutArea) {
    const std::vector<FaceIndices> faces = {{0, 0, 1}, {2, 2, 2}};
    const Expected<MeshTopology> mesh = make_topology(3, faces);
    ASSERT_TRUE(mesh);
    EXPECT_EQ(mesh->edges, (std::vector<EdgeIndices>{{0, 1}}));
    EXPECT_EQ(mesh->faces, faces);
    EXPECT_EQ(mesh->points, std::vector<std::uint32_t>{2});
}

TEST(Topology, NamesTheElementThatIsOutOfRange) {
    const std::vector<FaceIndices> faces = {{0, 1, 2}, {0, 1, 3}};
    const Expected<MeshTopology> mesh = make_topology(3, faces);
    ASSERT_FALSE(mesh);
    EXPECT_EQ(mesh.error().message, "face 1: an index is not below 3, the number of vertices");
    EXPECT_FALSE(make_topology(2, {}, std::vector<EdgeIndices>{{0, 2}}));
}

}  // namespace
}  // namespace graze

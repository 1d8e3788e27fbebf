// Positions and indices as callers have them: the same answers, no copies where none are needed.
#include "graze/mesh/input.hpp"

#include <gtest/gtest.h>

#include "graze/mesh.hpp"
#include "random_scene.hpp"

namespace graze {
namespace {

std::vector<double> coordinates_of(std::span<const Vec3> positions) {
    std::vector<double> xyz;
    for (const Vec3& p : positions)
        xyz.insert(xyz.end(), {p.x, p.y, p.z});
    return xyz;
}

template <class Index, class Rows>
std::vector<Index> list_of(const Rows& rows) {
    std::vector<Index> list;
    for (const auto& row : rows)
        for (const std::uint32_t index : row)
            list.push_back(static_cast<Index>(index));
    return list;
}

template <class T>
std::string message_of(const Expected<T>& value) {
    return value ? "no error" : value.error().message;
}

TEST(MeshInput, PositionsOfDoublesAreViewsOfTheSameMemory) {
    const std::vector<double> xyz = {1, 2, 3, 4, 5, 6};
    const Positions positions(xyz);
    ASSERT_FALSE(positions.error());
    EXPECT_TRUE(positions.is_view());
    ASSERT_EQ(positions.view().size(), 2U);
    EXPECT_EQ(static_cast<const void*>(positions.view().data()), xyz.data());
    EXPECT_EQ(positions.view()[1], (Vec3{4, 5, 6}));
    const std::vector<Vec3> points = {{1, 2, 3}};
    EXPECT_EQ(Positions(points).view().data(), points.data());
}

TEST(MeshInput, ACopyStaysWhereItIsWhenMoved) {
    Positions copy = Positions::of_copy({{1, 2, 3}, {4, 5, 6}});
    const Positions moved = std::move(copy);
    EXPECT_FALSE(moved.is_view());
    EXPECT_EQ(moved.view()[1], (Vec3{4, 5, 6}));
}

template <class Index>
class MeshIndices : public ::testing::Test {};
using SpanIndexTypes =
    ::testing::Types<std::int32_t, std::uint32_t, std::size_t, std::int64_t, short>;
TYPED_TEST_SUITE(MeshIndices, SpanIndexTypes);

TYPED_TEST(MeshIndices, OfListsGiveTheSameStepperAndTheSameAnswers) {
    const Scene scene = SceneMaker({.faces = 12, .loose_edges = 3, .points = 2}, 5).make();
    const std::vector<double> start = coordinates_of(scene.start);
    const std::vector<double> end = coordinates_of(scene.end);
    const std::vector<TypeParam> faces = list_of<TypeParam>(scene.mesh.faces);
    const std::vector<TypeParam> edges = list_of<TypeParam>(scene.mesh.edges);
    auto stepper = MeshStepper::create(start, edges, faces);
    ASSERT_TRUE(stepper) << stepper.error().message;
    EXPECT_EQ(stepper->topology().edges, scene.mesh.edges);
    EXPECT_EQ(stepper->topology().faces, scene.mesh.faces);
    EXPECT_EQ(stepper->topology().points, scene.mesh.points);
    MeshStepper expected(scene.mesh);
    EXPECT_EQ(stepper->all_impacts(start, end)->impacts,
              expected.all_impacts(scene.start, scene.end)->impacts);
    const auto step = largest_safe_step(*stepper, std::span<const double>(start), end);
    ASSERT_TRUE(step);
    EXPECT_EQ(step->positions, largest_safe_step(expected, scene.start, scene.end)->positions);
}

TEST(MeshInput, RefusesListsOfAnotherLengthAndIndicesThatNameNothing) {
    const std::vector<double> xyz(12, 0.0);
    const std::vector<int> face = {0, 1, 2};
    const std::span<const int> none;
    EXPECT_EQ(message_of(MeshStepper::create(std::span(xyz).first(11), none, face)),
              "11 coordinates are not three for each vertex");
    EXPECT_EQ(message_of(MeshStepper::create(xyz, none, std::vector{0, 1})),
              "2 indices are not 3 for each face");
    EXPECT_EQ(message_of(MeshStepper::create(xyz, std::vector{0, 1, 2}, face)),
              "3 indices are not 2 for each edge");
    EXPECT_EQ(message_of(MeshStepper::create(xyz, {}, std::vector{0, 1, -1})),
              "face 0: index -1 is negative");
    EXPECT_EQ(message_of(MeshStepper::create(4, {}, std::vector<std::int64_t>{0, 1, 1LL << 32})),
              "face 0: index 4294967296 is too large");
    EXPECT_EQ(message_of(MeshStepper::create(4, {}, std::vector{0, 1, 4})),
              "face 0: an index is not below 4, the number of vertices");
    auto stepper = MeshStepper::create(xyz, {}, face);
    ASSERT_TRUE(stepper);
    const std::span<const double> cut = std::span(xyz).first(7);
    EXPECT_EQ(message_of(stepper->first_impact(xyz, cut)),
              "7 coordinates are not three for each vertex");
    EXPECT_EQ(stepper->first_impact(cut, xyz).error().code, ErrorCode::WrongSize);
    EXPECT_FALSE(stepper->all_impacts(cut, xyz));
    EXPECT_FALSE(stepper->intersections(cut));
    EXPECT_FALSE(stepper->clearance(cut, 1.0));
    EXPECT_FALSE(stepper->candidates(cut, xyz));
    EXPECT_FALSE(largest_safe_step(*stepper, xyz, cut));
    EXPECT_FALSE(free_radii(*stepper, cut, 1.0));
    EXPECT_FALSE(free_fractions(*stepper, cut, xyz));
    EXPECT_FALSE(active_set(*stepper, cut, xyz));
}

TEST(MeshInput, ResultsComeBackIntoTheCallersMemory) {
    const Scene scene = SceneMaker({.faces = 6}, 2).make();
    MeshStepper stepper(scene.mesh);
    std::vector<double> x = coordinates_of(scene.start);
    const auto step = largest_safe_step(stepper, x, scene.end);
    ASSERT_TRUE(step);
    ASSERT_TRUE(write_positions(*step, x));
    EXPECT_EQ(x, coordinates_of(step->positions));
    const auto fractions = free_fractions(stepper, scene.start, scene.end);
    ASSERT_TRUE(fractions);
    std::vector<double> by_vertex(scene.start.size(), -1.0);
    ASSERT_TRUE(write_values(fractions->fraction, std::span(by_vertex)));
    EXPECT_EQ(by_vertex, fractions->fraction);
    std::vector<Vec3> points(scene.start.size());
    ASSERT_TRUE(write_values(fractions->positions, std::span(points)));
    EXPECT_EQ(points, fractions->positions);
    x.pop_back();
    EXPECT_FALSE(write_positions(*step, x));
    by_vertex.push_back(0.0);
    EXPECT_EQ(write_values(fractions->fraction, std::span(by_vertex)).error().code,
              ErrorCode::WrongSize);
}

// --- Faces that come and go ----------------------------------------------------------------------

TEST(MeshTopologyChange, GivesTheAnswersOfANewStepper) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        MeshStepper kept(SceneMaker({.faces = 20}, seed).make().mesh);
        std::mt19937_64 random(seed);
        for (std::uint64_t change = 0; change < 6; ++change) {
            const Scene scene = SceneMaker({.faces = 2 + random() % 30,
                                            .loose_edges = random() % 4,
                                            .points = random() % 4,
                                            .integers = random() % 3 == 0},
                                           random())
                                    .make();
            kept.set_topology(scene.mesh);
            // What is asked first decides what trees there are: none of another mesh may be used.
            const bool candidates_first = random() % 2 == 0;
            MeshStepper fresh(scene.mesh);
            if (candidates_first) {
                Candidates refitted;
                ASSERT_TRUE(kept.refit(refitted, scene.start, scene.end));
                EXPECT_EQ(refitted.size(), fresh.candidates(scene.start, scene.end)->size());
            }
            EXPECT_EQ(kept.all_impacts(scene.start, scene.end)->impacts,
                      fresh.all_impacts(scene.start, scene.end)->impacts);
            EXPECT_EQ(kept.first_impact(scene.start, scene.end)->impact,
                      fresh.first_impact(scene.start, scene.end)->impact);
            EXPECT_EQ(*kept.intersections(scene.start), *fresh.intersections(scene.start));
            EXPECT_EQ(largest_safe_step(kept, scene.start, scene.end)->positions,
                      largest_safe_step(fresh, scene.start, scene.end)->positions);
        }
    }
}

TEST(MeshTopologyChange, RefusesCandidatesOfBeforeAndKeepsTheMeshAfterAnError) {
    const Scene scene = SceneMaker({.faces = 8}, 1).make();
    MeshStepper stepper(scene.mesh);
    const auto candidates = stepper.candidates(scene.start, scene.end);
    ASSERT_TRUE(candidates);
    StepOptions options;
    options.candidates = &*candidates;
    ASSERT_TRUE(stepper.first_impact(scene.start, scene.end, options));
    EXPECT_FALSE(stepper.set_topology(scene.start.size(), {}, std::vector{0, 1, 1000000}));
    EXPECT_TRUE(stepper.first_impact(scene.start, scene.end, options));  // nothing has changed
    stepper.set_topology(scene.mesh);
    EXPECT_EQ(stepper.first_impact(scene.start, scene.end, options).error().code,
              ErrorCode::InvalidOption);
    ASSERT_TRUE(stepper.set_topology(scene.start.size(), {}, std::vector{0, 1, 2}));
    EXPECT_EQ(stepper.topology().faces.size(), 1U);
}

}  // namespace
}  // namespace graze

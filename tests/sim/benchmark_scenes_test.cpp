// The scenes that the queries of a benchmark come from: simulated, checked, and written as queries.
#include <gtest/gtest.h>

#include <algorithm>

#include "checked_run.hpp"
#include "graze/sim/runner.hpp"
#include "graze/sim/scene.hpp"
#include "io/files.hpp"
#include "written_queries.hpp"

namespace graze::sim {
namespace {

class BenchmarkSceneTest : public testing::TestWithParam<std::string_view> {};

TEST_P(BenchmarkSceneTest, TouchesInItsFirstFramesAndNeverIntersects) {
    const Model model = *make_scene(GetParam());
    State state = start_state(model);
    const FrameStats stats = checked_run(model, 12, state);
    EXPECT_GT(stats.contacts, 0u);
    EXPECT_GT(stats.positive, 0u);
    EXPECT_EQ(stats.crossings, 0u);
    EXPECT_EQ(stats.intersections, 0u);
    EXPECT_EQ(stats.stuck, 0u);
    EXPECT_EQ(stats.unfinished, 0u);
    EXPECT_EQ(inverted_tetrahedra(model, state.x), 0u);
}

TEST_P(BenchmarkSceneTest, WritesQueriesOfWhichSomeTouch) {
    const io::test::TempFolder folder;
    RunOptions options;
    options.frames = 12;
    options.queries = folder.path();
    ASSERT_TRUE(run(*make_scene(GetParam()), options));
    const WrittenQueries written = written_queries(folder.path());
    EXPECT_GT(written.contacts, 0u);
    EXPECT_GT(written.count, written.contacts);
}

std::vector<std::string_view> scene_names() {
    std::vector<std::string_view> names;
    for (const NamedScene& scene : benchmark_scenes())
        names.push_back(scene.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(All, BenchmarkSceneTest, testing::ValuesIn(scene_names()),
                         [](const testing::TestParamInfo<std::string_view>& scene) {
                             std::string name(scene.param);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(BenchmarkScenesTest, GrowWithTheResolution) {
    for (const NamedScene& scene : benchmark_scenes())
        EXPECT_GT(scene.make({4.0}).tetrahedra.size(), 2 * scene.make({}).tetrahedra.size())
            << scene.name;
}

}  // namespace
}  // namespace graze::sim

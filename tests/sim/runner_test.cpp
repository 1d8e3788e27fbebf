#include "graze/sim/runner.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <limits>
#include <thread>

#include "graze/io/crc64.hpp"
#include "graze/io/mesh_file.hpp"
#include "graze/sim/motion_check.hpp"
#include "graze/sim/shapes.hpp"
#include "written_queries.hpp"

namespace graze::sim {
namespace {

namespace fs = std::filesystem;

class RunTest : public testing::Test {
protected:
    void SetUp() override {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::path(testing::TempDir()) / (std::string("graze_sim_") + info->name());
        fs::remove_all(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    fs::path folder_;
};

Model small_drop() {
    ModelBuilder builder("small drop");
    builder.add_obstacle(plane_surface(1.0, 1.0, 2, 2));
    ElasticMaterial soft;
    soft.young = 1e4;
    builder.add_elastic(
        placed(solid_block({0.2, 0.2, 0.2}, {2, 2, 2}), {{0.6, 0.8, 0}, 0.4, {0.1, 0.05, 0.4}}),
        soft);
    Model model = builder.finish();
    for (std::size_t i = 0; i < model.rest.size(); ++i)
        model.start_velocity.push_back(model.fixed[i] != 0 ? Vec3{} : Vec3{0, 0, -4.0});
    model.contact.friction = 0.2;
    return model;
}

std::vector<char> bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(MotionCheckTest, CountsContactsOfMotionsAndForgetsThoseOfStepsThatFailed) {
    const Model model = small_drop();
    const State state = start_state(model);
    std::vector<Vec3> low = state.x;
    for (std::size_t i = 0; i < low.size(); ++i)
        if (model.fixed[i] == 0) low[i].z -= 0.4;  // half through the plane
    MotionCheck check(model, 1, {});
    EXPECT_TRUE(check.start(state.x));
    const auto refused = check.start(low);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::InvalidInput);
    FrameStats stats;
    ASSERT_TRUE(check.motion(state.x, low));
    check.discard_step();
    ASSERT_TRUE(check.end_of_step(state.x, stats));
    EXPECT_EQ(stats.crossings + stats.intersections, 0U);
    ASSERT_TRUE(check.motion(state.x, low));
    ASSERT_TRUE(check.end_of_step(low, stats));
    EXPECT_GT(stats.crossings, 0U);
    EXPECT_GT(stats.intersections, 0U);
    const std::uint64_t crossings = stats.crossings;
    ASSERT_TRUE(check.end_of_step(state.x, stats));  // those are counted
    EXPECT_EQ(stats.crossings, crossings);
}

TEST_F(RunTest, WritesFramesThatAreWholeAndFreeOfIntersections) {
    const Model model = small_drop();
    RunOptions options;
    options.frames = 8;
    options.out = folder_;
    options.check = true;
    const auto report = run(model, options);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->frames.size(), 8u);
    EXPECT_EQ(report->total.intersections + report->total.crossings + report->total.stuck, 0u);
    EXPECT_GT(report->total.contacts, 0u);
    EXPECT_GT(report->total.tested, 0u);
    EXPECT_LE(report->total.seconds_detection, report->total.seconds);
    const auto mesh = io::read_mesh(folder_ / "frame_000008.obj");
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->faces.size(), model.surface.faces.size());
    // The one vertex inside of the block is not on the surface.
    EXPECT_EQ(mesh->positions.size(), model.rest.size() - 1);
}

TEST_F(RunTest, ResumedGivesTheBitsOfARunThatWasNotEnded) {
    const Model model = small_drop();
    RunOptions options;
    options.frames = 8;
    options.out = folder_ / "whole";
    const auto whole = run(model, options);
    ASSERT_TRUE(whole) << whole.error().message;

    options.out = folder_ / "parts";
    options.frames = 3;
    options.resume = true;
    ASSERT_TRUE(run(model, options));
    // Ended while it wrote: a state that is cut short does not count.
    std::ofstream(folder_ / "parts" / "frame_000004.state") << "\x89GZS";
    options.frames = 8;
    const auto resumed = run(model, options);
    ASSERT_TRUE(resumed) << resumed.error().message;
    EXPECT_EQ(resumed->resumed_at, 3u);
    EXPECT_EQ(resumed->end, whole->end);
    EXPECT_EQ(resumed->frames.size(), 8u);
    EXPECT_EQ(resumed->total.iterations, whole->total.iterations);
    EXPECT_EQ(bytes_of(folder_ / "parts" / "frame_000008.obj"),
              bytes_of(folder_ / "whole" / "frame_000008.obj"));
}

TEST_F(RunTest, ResumesBeforeTheFirstStateThatIsMissingOrDamaged) {
    const Model model = small_drop();
    RunOptions options;
    options.frames = 6;
    options.out = folder_;
    const auto whole = run(model, options);
    ASSERT_TRUE(whole) << whole.error().message;
    options.resume = true;
    const auto expect_the_same = [&](std::uint64_t resumed_at) {
        const auto resumed = run(model, options);
        ASSERT_TRUE(resumed) << resumed.error().message;
        EXPECT_EQ(resumed->resumed_at, resumed_at);
        EXPECT_EQ(resumed->end, whole->end);
        ASSERT_EQ(resumed->frames.size(), 6U);
        for (std::size_t i = 0; i < 6; ++i)
            EXPECT_EQ(resumed->frames[i].frame, i + 1);
        EXPECT_EQ(resumed->total.steps, whole->total.steps);
        EXPECT_EQ(resumed->total.iterations, whole->total.iterations);
    };
    fs::remove(folder_ / "frame_000003.state");
    expect_the_same(2);
    std::ofstream(folder_ / "frame_000002.state") << "\x89GZS";
    expect_the_same(1);
    // Of another frame than its name says.
    fs::copy_file(folder_ / "frame_000001.state", folder_ / "frame_000005.state",
                  fs::copy_options::overwrite_existing);
    expect_the_same(4);
    expect_the_same(6);
}

TEST_F(RunTest, RefusesToResumeWithoutTheStartAndKeepsTheOtherStates) {
    const Model model = small_drop();
    RunOptions options;
    options.frames = 2;
    options.out = folder_;
    ASSERT_TRUE(run(model, options));
    options.resume = true;
    const fs::path start = folder_ / "frame_000000.state";
    const auto expect_refused = [&] {
        const auto refused = run(model, options);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::CannotRead);
        EXPECT_NE(refused.error().message.find(start.string()), std::string::npos);
        EXPECT_TRUE(fs::exists(folder_ / "frame_000001.state"));
        EXPECT_TRUE(fs::exists(folder_ / "frame_000002.state"));
    };
    std::ofstream(start) << "damaged";
    expect_refused();
    fs::remove(start);
    expect_refused();
    options.frames = 0;  // those of later frames count as well
    expect_refused();
    // Nothing is lost where there is no other state.
    fs::remove(folder_ / "frame_000001.state");
    fs::remove(folder_ / "frame_000002.state");
    std::ofstream(start) << "damaged";
    EXPECT_TRUE(run(model, options));
}

TEST_F(RunTest, DoesNotTakeStepsForCheckedThatAnEarlierRunDidNotCheck) {
    const Model model = small_drop();
    RunOptions options;
    options.frames = 2;
    options.out = folder_;
    const auto without = run(model, options);
    ASSERT_TRUE(without);
    EXPECT_EQ(without->total.checked, 0U);
    options.frames = 5;
    options.resume = true;
    options.check = true;
    const auto mixed = run(model, options);
    ASSERT_TRUE(mixed);
    EXPECT_EQ(mixed->total.steps, 5U);
    EXPECT_EQ(mixed->total.checked, 3U);
    options.resume = false;
    const auto whole = run(model, options);
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->total.checked, 5U);
}

TEST_F(RunTest, RefusesToResumeAnotherVersionOfTheFile) {
    const Model model = small_drop();
    RunOptions options;
    options.frames = 1;
    options.out = folder_;
    ASSERT_TRUE(run(model, options));
    const fs::path path = folder_ / "frame_000001.state";
    std::vector<char> text = bytes_of(path);
    std::vector<unsigned char> bytes(text.begin(), text.end() - 8);
    bytes[8] = 77;
    io::Crc64 crc;
    crc.add(bytes);
    for (int i = 0; i < 8; ++i)
        bytes.push_back(static_cast<unsigned char>(crc.value() >> (8 * i)));
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    options.resume = true;
    const auto other = run(model, options);
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("another version"), std::string::npos);
    EXPECT_TRUE(fs::exists(path));
}

TEST_F(RunTest, RefusesToResumeAnotherScene) {
    Model model = small_drop();
    RunOptions options;
    options.frames = 1;
    options.out = folder_;
    ASSERT_TRUE(run(model, options));
    model.contact.friction = 0.9;
    options.resume = true;
    const auto other = run(model, options);
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("another scene"), std::string::npos);
}

TEST_F(RunTest, RefusesASceneThatStartsInContact) {
    Model model = small_drop();
    model.start = model.rest;
    for (std::size_t i = 9; i < model.start.size(); ++i)
        model.start[i].z -= 0.4;
    RunOptions options;
    options.frames = 1;
    options.out = folder_;
    const auto report = run(model, options);
    ASSERT_FALSE(report);
    EXPECT_NE(report.error().message.find("cannot start"), std::string::npos);
    EXPECT_FALSE(fs::exists(folder_ / "frame_000000.obj"));
}

// Answers that nothing ever meets.
template <class Motion>
CcdResult never_in_contact(const void*, const Motion&, const CcdOptions&) noexcept {
    CcdResult result;
    result.verdict = Verdict::Separated;
    result.toi_lower = kInfinity;
    return result;
}

TEST_F(RunTest, TakesAMethodThatNoRegistryHasAndTheCheckSeesWhatItMisses) {
    RunOptions options;
    options.frames = 8;
    options.check = true;
    options.method.emplace();
    options.method->name = "blind";
    options.method->vertex_face.query = &never_in_contact<VertexFaceMotion>;
    options.method->edge_edge.query = &never_in_contact<EdgeEdgeMotion>;
    const auto report = run(small_drop(), options);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_GT(report->total.crossings, 0u);
}

TEST_F(RunTest, SecondsOfStepsLeaveOutWhatObservesThem) {
    RunOptions options;
    options.frames = 2;
    double observed = 0.0;
    options.proposals = [&](std::span<const Vec3>, std::span<const Vec3>) -> Expected<void> {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        observed += 0.3;
        return {};
    };
    const auto report = run(small_drop(), options);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_GT(observed, 0.0);
    EXPECT_GE(report->total.seconds, 0.0);
    EXPECT_LT(report->total.seconds, observed);
}

TEST_F(RunTest, WritesQueriesWithTheirGroundTruth) {
    Model model = small_drop();
    RunOptions options;
    options.frames = 8;
    options.queries = folder_;
    ASSERT_TRUE(run(model, options));
    const WrittenQueries written = written_queries(folder_);
    EXPECT_GT(written.count, 0u);
    EXPECT_GT(written.contacts, 0u);
}

TEST(StateFileTest, NoticesEveryChangedByte) {
    StoredState stored;
    stored.state.x = {{1, 2, 3}, {4, 5, 6}};
    stored.state.v = {{-1, 0, 1}, {0.5, 0.25, 0.125}};
    stored.state.time = 0.5;
    stored.state.frame = 7;
    stored.stats.iterations = 12;
    stored.stats.checked = 5;
    stored.stats.inverted = 3;
    stored.stats.unfinished = 2;
    const auto bytes = to_bytes(stored, 42);
    const auto read = state_from_bytes(bytes, 42, 2);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->state, stored.state);
    EXPECT_EQ(read->stats.iterations, 12u);
    EXPECT_EQ(read->stats.checked, 5u);
    EXPECT_EQ(read->stats.inverted, 3u);
    EXPECT_EQ(read->stats.unfinished, 2u);
    EXPECT_FALSE(state_from_bytes(bytes, 43, 2));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        auto changed = bytes;
        changed[i] ^= 0x10;
        EXPECT_FALSE(state_from_bytes(changed, 42, 2)) << i;
        EXPECT_FALSE(state_from_bytes(std::span(bytes).first(i), 42, 2)) << i;
    }
}

TEST(StateFileTest, TakesNoNumberThatIsNotFinite) {
    StoredState stored;
    stored.state.x = {{1, 2, 3}};
    stored.state.v = {{4, 5, 6}};
    ASSERT_TRUE(state_from_bytes(to_bytes(stored, 42), 42, 1));
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (double* number : {&stored.state.time, &stored.state.x[0].y, &stored.state.v[0].z}) {
        const double kept = *number;
        for (const double bad : {kInfinity, -kInfinity, kInfinity - kInfinity}) {
            *number = bad;
            EXPECT_FALSE(state_from_bytes(to_bytes(stored, 42), 42, 1));
        }
        *number = kept;
    }
}

}  // namespace
}  // namespace graze::sim

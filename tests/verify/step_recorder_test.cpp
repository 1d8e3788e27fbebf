// Recorded steps of a MeshStepper are answered again to the same bits.
#include "graze/verify/step_recorder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "graze/verify/methods.hpp"
#include "mesh/random_scene.hpp"

namespace graze::verify {
namespace {

// Removed at the end.
class RecordingPath {
public:
    RecordingPath()
        : path_(std::filesystem::temp_directory_path() /
                ("graze-recorder-" + std::to_string(::getpid()) + ".gzr")) {}
    ~RecordingPath() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& operator*() const { return path_; }

private:
    std::filesystem::path path_;
};

Scene crowded_scene(std::uint64_t seed) {
    const Recipe recipe{.faces = 12, .loose_edges = 2, .points = 2, .integers = seed % 2 == 0};
    return SceneMaker(recipe, seed).make();
}

std::vector<io::RecordedStep> steps_of(io::Recording& recording) {
    std::vector<io::RecordedStep> steps;
    while (true) {
        auto event = recording.next();
        EXPECT_TRUE(event) << event.error().message;
        if (!event || !*event) return steps;
        if (auto* step = std::get_if<io::RecordedStep>(&**event)) steps.push_back(*step);
    }
}

// Both searches, there and back again, with thickness and layers the second time.
void record_scene(const Scene& scene, const std::filesystem::path& path, KeptImpacts kept) {
    MeshStepper stepper(scene.mesh);
    auto recorder = StepRecorder::create(path, scene.mesh, "test", kept);
    ASSERT_TRUE(recorder) << recorder.error().message;
    ASSERT_TRUE(recorder->all_impacts(stepper, scene.start, scene.end));
    ASSERT_TRUE(recorder->first_impact(stepper, scene.end, scene.start));
    StepOptions options;
    const std::vector<double> radius(scene.start.size(), 0.125);
    const std::vector<std::uint32_t> layers(scene.start.size(), 1);
    options.radius = radius;
    options.filter.layers = layers;
    options.filter.mask = layers;
    options.query.min_separation = 0.25;
    ASSERT_TRUE(recorder->all_impacts(stepper, scene.start, scene.end, options));
    ASSERT_TRUE(recorder->finish());
}

TEST(StepRecorder, StepsAreAnsweredAgainToTheSameBitsForAnyNumberOfThreads) {
    const RecordingPath path;
    std::uint64_t impacts = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const Scene scene = crowded_scene(seed);
        record_scene(scene, *path, seed % 3 == 0 ? KeptImpacts::First : KeptImpacts::All);
        auto recording = io::Recording::open(*path);
        ASSERT_TRUE(recording) << recording.error().message;
        auto topology = topology_of(recording->mesh());
        ASSERT_TRUE(topology);
        EXPECT_EQ(topology->edges, scene.mesh.edges);
        EXPECT_EQ(topology->points, scene.mesh.points);
        MeshStepper stepper(*topology);
        const auto steps = steps_of(*recording);
        EXPECT_EQ(steps.size(), 3u);
        EXPECT_FALSE(recording->is_cut());
        for (const io::RecordedStep& step : steps) {
            auto options = options_of(*step.settings, builtin_methods());
            ASSERT_TRUE(options);
            for (const int threads : {1, 3}) {
                options->threads = threads;
                const auto again = answered_again(stepper, step, *options);
                ASSERT_TRUE(again) << again.error().message;
                EXPECT_EQ(again->hash, step.answer.hash);
                EXPECT_FALSE(difference_of(step.answer, *again));
            }
            impacts += step.answer.count;
        }
    }
    EXPECT_GT(impacts, 100u);
}

io::RecordedAnswer answer_of_scene() {
    const Scene scene = crowded_scene(0);
    MeshStepper stepper(scene.mesh);
    const auto all = stepper.all_impacts(scene.start, scene.end);
    return recorded(*all);
}

io::RecordedAnswer with_new_hash(io::RecordedAnswer answer) {
    answer.count = answer.impacts.size();
    answer.hash = io::hash_of(answer);
    return answer;
}

TEST(StepRecorder, NamesThePairInWhichAnswersDiffer) {
    const io::RecordedAnswer was = answer_of_scene();
    ASSERT_GT(was.impacts.size(), 4u);
    EXPECT_FALSE(difference_of(was, was));

    io::RecordedAnswer changed = was;
    changed.impacts[3].result.toi_lower = std::nextafter(changed.impacts[3].result.toi_lower, -1.0);
    auto difference = difference_of(was, with_new_hash(changed));
    ASSERT_TRUE(difference && difference->was && difference->is);
    EXPECT_EQ(*difference->was, was.impacts[3]);

    io::RecordedAnswer missed = was;
    missed.impacts.erase(missed.impacts.begin() + 2);
    missed.first = 0;
    difference = difference_of(was, with_new_hash(missed));
    ASSERT_TRUE(difference && difference->was);
    EXPECT_EQ(*difference->was, was.impacts[2]);
    EXPECT_FALSE(difference->is);
    difference = difference_of(with_new_hash(missed), was);
    ASSERT_TRUE(difference && difference->is);
    EXPECT_EQ(*difference->is, was.impacts[2]);

    io::RecordedAnswer later = was;
    later.toi_lower = std::nextafter(later.toi_lower, 2.0);
    difference = difference_of(was, with_new_hash(later));
    ASSERT_TRUE(difference);
    EXPECT_FALSE(difference->was || difference->is);
    EXPECT_TRUE(difference_of(io::with_first_alone(was), with_new_hash(missed)));
}

TEST(StepRecorder, RefusesWhatCannotBeRecorded) {
    const RecordingPath path;
    const Scene scene = crowded_scene(1);
    MeshStepper stepper(scene.mesh);
    auto recorder = StepRecorder::create(*path, scene.mesh, "test");
    ASSERT_TRUE(recorder);
    StepOptions options;
    options.filter.accepts = [](QueryKind, std::uint32_t, std::uint32_t) { return true; };
    const auto first = recorder->first_impact(stepper, scene.start, scene.end, options);
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().code, ErrorCode::Unsupported);
    io::RecordedSettings unknown;
    unknown.method = "no-such-method";
    EXPECT_EQ(options_of(unknown, builtin_methods()).error().code, ErrorCode::Unsupported);
}

}  // namespace
}  // namespace graze::verify

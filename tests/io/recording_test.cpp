// Recordings come back to the bit, or say that they do not.
#include "graze/io/recording.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "files.hpp"
#include "io/recording_form.hpp"

namespace graze::io {
namespace {

using test::Bytes;
using test::TempFolder;

RecordedMesh small_mesh() {
    return {6, {{0, 1, 2}, {2, 1, 3}}, {{3, 4}}};  // vertex 5 is a point
}

double any_double(std::mt19937_64& rng) {
    constexpr std::array<double, 6> kOdd = {0.0,
                                            -0.0,
                                            std::numeric_limits<double>::denorm_min(),
                                            std::numeric_limits<double>::max(),
                                            std::numeric_limits<double>::infinity(),
                                            -std::numeric_limits<double>::quiet_NaN()};
    if (rng() % 4 == 0) return kOdd[rng() % kOdd.size()];
    return std::bit_cast<double>(rng());
}

std::vector<Vec3> any_positions(std::size_t count, std::mt19937_64& rng) {
    std::vector<Vec3> positions;
    for (std::size_t i = 0; i < count; ++i) {
        const double x = any_double(rng);
        const double y = any_double(rng);
        positions.push_back({x, y, any_double(rng)});
    }
    return positions;
}

RecordedAnswer any_answer(std::mt19937_64& rng, std::size_t count) {
    RecordedAnswer answer;
    answer.verdict = Verdict::Contact;
    answer.toi_lower = any_double(rng);
    answer.toi_upper = any_double(rng);
    for (std::size_t i = 0; i < count; ++i) {
        RecordedImpact impact;
        impact.kind = kAllQueryKinds[rng() % 4];
        impact.a = static_cast<std::uint32_t>(rng());
        impact.b = static_cast<std::uint32_t>(rng());
        impact.result.verdict = rng() % 2 == 0 ? Verdict::Contact : Verdict::Unresolved;
        impact.result.toi_lower = any_double(rng);
        impact.result.toi_upper = any_double(rng);
        impact.result.tolerance = any_double(rng);
        answer.impacts.push_back(impact);
    }
    answer.count = count;
    if (count > 0) answer.first = rng() % count;
    answer.hash = hash_of(answer);
    return answer;
}

RecordedSettings any_settings(std::mt19937_64& rng, std::size_t vertices) {
    RecordedSettings settings;
    settings.method = "certified";
    settings.query.min_separation = any_double(rng);
    settings.query.norm = Norm::Max;
    settings.query.max_checks = rng();
    settings.bounds = BoundSource::Scene;
    settings.declared = QueryBounds{SceneBounds{{1, 2, 3}, {-0.0, 5, 6}}, 7, 8, 9, true};
    for (std::size_t i = 0; i < vertices; ++i) {
        settings.radius.push_back(any_double(rng));
        settings.body.push_back(static_cast<std::uint32_t>(rng()));
        settings.fixed.push_back(static_cast<std::uint8_t>(rng()));
        settings.layers.push_back(static_cast<std::uint32_t>(rng()));
        settings.mask.push_back(static_cast<std::uint32_t>(rng()));
    }
    settings.rest = any_positions(vertices, rng);
    settings.within_bodies = false;
    return settings;
}

// A step that was recorded, to compare with.
struct Original {
    std::vector<Vec3> start;
    std::vector<Vec3> end;
    RecordedSettings settings;
    RecordedAnswer answer;
};

// Three steps: one with all there is, one from its end with the same settings, one from elsewhere.
std::vector<Original> originals() {
    std::mt19937_64 rng(7);
    const std::size_t count = small_mesh().vertex_count;
    std::vector<Original> steps(3);
    steps[0] = {any_positions(count, rng), any_positions(count, rng), any_settings(rng, count),
                any_answer(rng, 3)};
    steps[1] = {steps[0].end, any_positions(count, rng), steps[0].settings, any_answer(rng, 0)};
    steps[2] = {any_positions(count, rng), any_positions(count, rng), RecordedSettings{},
                any_answer(rng, 2)};
    steps[2].settings.method = "safe-cubic";
    return steps;
}

void expect_same(const RecordedStep& step, const Original& original, const std::string& where) {
    using recording_form::bytes_of;
    SCOPED_TRACE(where);
    EXPECT_TRUE(recording_form::same_bits(step.start, original.start));
    EXPECT_TRUE(recording_form::same_bits(step.end, original.end));
    EXPECT_EQ(bytes_of(*step.settings), bytes_of(original.settings));
    recording_form::Content was;
    recording_form::Content is;
    recording_form::append_answer(was, original.answer);
    recording_form::append_answer(is, step.answer);
    EXPECT_EQ(is, was);
}

Bytes recorded(const std::vector<Original>& steps) {
    const TempFolder folder;
    auto recorder = Recorder::create(folder / "a.gzr", small_mesh(), "0.1.0");
    if (!recorder) ADD_FAILURE() << recorder.error().message;
    const std::vector<std::pair<std::string, double>> numbers = {{"energy", -0.0}, {"", 2.5}};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_TRUE(recorder->add(steps[i].start, steps[i].end, steps[i].settings,
                                  i == 1 ? RecordedSearch::FirstImpact : RecordedSearch::AllImpacts,
                                  steps[i].answer));
        EXPECT_TRUE(recorder->mark("frame", numbers));
    }
    EXPECT_TRUE(recorder->finish());
    return test::read_file(folder / "a.gzr");
}

struct ReadBack {
    std::vector<RecordedStep> steps;
    std::size_t marks = 0;
    bool is_cut = false;
    std::optional<Error> error;
};

ReadBack read_back(const Bytes& bytes, std::size_t piece = 1u << 20) {
    ReadBack result;
    auto recording = Recording::read(std::make_unique<test::Trickle>(bytes, piece), "in");
    if (!recording) {
        result.error = recording.error();
        return result;
    }
    EXPECT_EQ(recording->mesh(), small_mesh());
    while (true) {
        auto event = recording->next();
        if (!event) {
            result.error = event.error();
            EXPECT_EQ(recording->next().error().message, result.error->message);
            break;
        }
        if (!*event) break;
        if (auto* step = std::get_if<RecordedStep>(&**event))
            result.steps.push_back(*step);
        else
            ++result.marks;
    }
    result.is_cut = recording->is_cut();
    return result;
}

void expect_clear(const Error& error) {
    EXPECT_TRUE(error.message.starts_with("in: ")) << error.message;
    EXPECT_EQ(error.message.find('\n'), std::string::npos);
    EXPECT_LT(error.message.size(), 200u);
}

void expect_prefix(const ReadBack& read, const std::vector<Original>& steps,
                   const std::string& where) {
    ASSERT_LE(read.steps.size(), steps.size()) << where;
    for (std::size_t i = 0; i < read.steps.size(); ++i)
        expect_same(read.steps[i], steps[i], where);
}

TEST(Recording, GivesBackEveryBit) {
    const std::vector<Original> steps = originals();
    const Bytes bytes = recorded(steps);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 20}) {
        const ReadBack read = read_back(bytes, piece);
        ASSERT_FALSE(read.error) << read.error->message;
        EXPECT_FALSE(read.is_cut);
        ASSERT_EQ(read.steps.size(), steps.size());
        EXPECT_EQ(read.marks, 3u);
        expect_prefix(read, steps, "all");
        EXPECT_EQ(read.steps[1].search, RecordedSearch::FirstImpact);
        EXPECT_EQ(read.steps[2].search, RecordedSearch::AllImpacts);
        EXPECT_EQ(read.steps[0].settings, read.steps[1].settings) << "stored once";
    }
}

TEST(Recording, GivesBackTheNumbersOfMarks) {
    const Bytes bytes = recorded(originals());
    auto recording = Recording::read(std::make_unique<test::Trickle>(bytes, 100), "in");
    ASSERT_TRUE(recording);
    EXPECT_EQ(recording->version(), "0.1.0");
    ASSERT_TRUE(recording->next());
    const auto event = recording->next();
    ASSERT_TRUE(event && *event);
    const auto& mark = std::get<RecordedMark>(**event);
    EXPECT_EQ(mark.steps_before, 1u);
    EXPECT_EQ(mark.name, "frame");
    ASSERT_EQ(mark.numbers.size(), 2u);
    EXPECT_EQ(mark.numbers[0].first, "energy");
    EXPECT_TRUE(std::signbit(mark.numbers[0].second));
    EXPECT_EQ(mark.numbers[1].second, 2.5);
}

TEST(Recording, CutAtAnyByteIsReadUpToItsLastWholeStep) {
    const std::vector<Original> steps = originals();
    const Bytes bytes = recorded(steps);
    std::size_t before = 0;
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        const ReadBack read = read_back(test::first_bytes(bytes, length));
        const std::string where = "cut at " + std::to_string(length);
        if (read.error) {
            expect_clear(*read.error);
            EXPECT_EQ(before, 0u) << where;  // only before the first step
            continue;
        }
        EXPECT_TRUE(read.is_cut) << where;
        EXPECT_GE(read.steps.size(), before) << where;
        before = read.steps.size();
        expect_prefix(read, steps, where);
    }
    EXPECT_EQ(before, steps.size());
}

TEST(Recording, NoticesEveryChangedByte) {
    const std::vector<Original> steps = originals();
    const Bytes bytes = recorded(steps);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        for (const unsigned char flip : Bytes{0x01, 0xff}) {
            Bytes damaged = bytes;
            damaged[i] ^= flip;
            const ReadBack read = read_back(damaged);
            const std::string where = "byte " + std::to_string(i);
            ASSERT_TRUE(read.error) << where;
            expect_clear(*read.error);
            expect_prefix(read, steps, where);
        }
    }
}

TEST(Recording, RefusesBlocksThatAreMovedOrMissing) {
    const std::vector<Original> steps = originals();
    const Bytes three = recorded(steps);
    const Bytes other = recorded({steps[2], steps[1]});
    // The last block of another recording in the place of its own.
    Bytes mixed = three;
    std::copy(other.end() - 40, other.end(), mixed.end() - 40);
    EXPECT_TRUE(read_back(mixed).error);
    Bytes longer = three;
    longer.push_back(0);
    EXPECT_TRUE(read_back(longer).error);
    EXPECT_EQ(read_back(longer).steps.size(), 3u);
    EXPECT_TRUE(read_back(test::bytes_of("v 0 0 0\n")).error);
    EXPECT_TRUE(read_back(test::gzip(three)).error);
}

TEST(Recorder, RefusesWhatDoesNotFitTheMesh) {
    const TempFolder folder;
    const std::vector<Vec3> few(3);
    const std::vector<Vec3> enough(6);
    auto recorder = Recorder::create(folder / "a.gzr", small_mesh(), "0");
    ASSERT_TRUE(recorder);
    const auto add = [&](std::span<const Vec3> start, const RecordedSettings& settings) {
        return recorder->add(start, enough, settings, RecordedSearch::AllImpacts, {});
    };
    EXPECT_EQ(add(few, {}).error().code, ErrorCode::WrongSize);
    RecordedSettings settings;
    settings.radius = {1.0, 2.0};
    EXPECT_EQ(add(enough, settings).error().code, ErrorCode::WrongSize);
    EXPECT_TRUE(add(enough, {}));
    EXPECT_TRUE(recorder->finish());
    EXPECT_FALSE(add(enough, {}));
    EXPECT_EQ(recorder->steps(), 1u);

    EXPECT_EQ(Recorder::create(folder / "b.gzr", {2, {{0, 1, 2}}, {}}, "0").error().code,
              ErrorCode::IndexOutOfRange);
    EXPECT_EQ(Recorder::create(folder / "none" / "c.gzr", {}, "0").error().code,
              ErrorCode::CannotWrite);
    EXPECT_EQ(Recording::open(folder / "d.gzr").error().code, ErrorCode::CannotRead);
}

TEST(Recorder, SaysThatTheDiskIsFullAndKeepsSayingIt) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
    const auto recorder = Recorder::create("/dev/full", small_mesh(), "0");
    ASSERT_FALSE(recorder);
    EXPECT_EQ(recorder.error().code, ErrorCode::DiskFull);
}

TEST(Recorder, TakesLittleSpaceForVerticesThatRest) {
    const TempFolder folder;
    RecordedMesh mesh;
    mesh.vertex_count = 3000;
    for (std::uint32_t i = 0; i + 2 < 3000; ++i)
        mesh.faces.push_back({i, i + 1, i + 2});
    std::mt19937_64 rng(3);
    const std::vector<Vec3> still = any_positions(mesh.vertex_count, rng);
    auto recorder = Recorder::create(folder / "a.gzr", mesh, "0");
    ASSERT_TRUE(recorder);
    const auto add = [&] {
        return recorder->add(still, still, {}, RecordedSearch::AllImpacts, {});
    };
    ASSERT_TRUE(add());
    const auto size = std::filesystem::file_size(folder / "a.gzr");
    for (int i = 0; i < 10; ++i)
        ASSERT_TRUE(add());
    const auto more = std::filesystem::file_size(folder / "a.gzr") - size;
    EXPECT_LT(more, 10u * 24 * 3000 / 50);
}

TEST(Recorder, ListsOnlyWhatReadersTakeForARecording) {
    const TempFolder folder;
    test::write_file(folder / "a.obj", "v 0 0 0\n");
    test::write_file(folder / "b.gzr", recorded(originals()));
    EXPECT_FALSE(is_recording(folder / "a.obj"));
    EXPECT_FALSE(is_recording(folder / "none"));
    EXPECT_TRUE(is_recording(folder / "b.gzr"));
}

TEST(RecordedAnswer, HasAHashOfAllItsBits) {
    std::mt19937_64 rng(11);
    RecordedAnswer answer = any_answer(rng, 4);
    answer.impacts[1].result.toi_lower = 0.0;
    const std::uint64_t hash = hash_of(answer);
    RecordedAnswer other = answer;
    other.impacts[1].result.toi_lower = -0.0;
    EXPECT_NE(hash_of(other), hash);
    other = answer;
    other.impacts[3].b ^= 1;
    EXPECT_NE(hash_of(other), hash);
    other = answer;
    other.first = (*answer.first + 1) % 4;
    EXPECT_NE(hash_of(other), hash);
    const RecordedAnswer first = with_first_alone(answer);
    EXPECT_EQ(first.hash, answer.hash);
    EXPECT_EQ(first.count, 4u);
    ASSERT_EQ(first.impacts.size(), 1u);
    EXPECT_EQ(first.impacts[0].a, answer.impacts[*answer.first].a);
}

}  // namespace
}  // namespace graze::io

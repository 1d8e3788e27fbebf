#include "graze/generate/scenes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "graze/oracle/oracle.hpp"

namespace graze::generate {
namespace {

class EveryScene : public ::testing::TestWithParam<SceneId> {};

INSTANTIATE_TEST_SUITE_P(Scenes, EveryScene, ::testing::ValuesIn(kAllScenes), [](const auto& test) {
    std::string text(name(test.param));
    std::replace(text.begin(), text.end(), '-', '_');
    return text;
});

bool equal(const QueryScene& a, const QueryScene& b) {
    return a.faces == b.faces && a.edges == b.edges && a.body == b.body && a.bends == b.bends &&
           std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(),
                      [](const SceneStep& x, const SceneStep& y) {
                          return x.start == y.start && x.end == y.end;
                      });
}

bool touches(const io::QueryRecord& record, QueryKind kind) {
    oracle::Query query;
    query.kind = static_cast<oracle::Kind>(kind);
    for (std::size_t c = 0; c < 4; ++c) {
        for (std::size_t k = 0; k < 3; ++k) {
            query.start[c][k] = record.corners[c].start[k];
            query.end[c][k] = record.corners[c].end[k];
        }
    }
    return oracle::first_contact(query).state == oracle::State::Contact;
}

TEST_P(EveryScene, IsTheSameForTheSameSeedAndAnotherForAnother) {
    const SceneId id = GetParam();
    EXPECT_EQ(scene_from_name(name(id)), id);
    const QueryScene scene = make_scene(id, {.seed = 3, .queries = 100});
    EXPECT_TRUE(equal(scene, make_scene(id, {.seed = 3, .queries = 100})));
    EXPECT_FALSE(equal(scene, make_scene(id, {.seed = 4, .queries = 100})));
}

void expect_sound(const QueryScene& scene) {
    const std::size_t vertices = scene.body.size();
    ASSERT_FALSE(scene.steps.empty());
    for (const SceneStep& step : scene.steps) {
        ASSERT_EQ(step.start.size(), vertices);
        ASSERT_EQ(step.end.size(), vertices);
        for (std::size_t i = 0; i < vertices; ++i) {
            // A world of springs that blows up would leave this box first.
            ASSERT_LT(norm_max(step.start[i]), 20.0);
            ASSERT_LT(norm_max(step.end[i]), 20.0);
        }
    }
    for (const auto& face : scene.faces) {
        for (const std::uint32_t corner : face)
            ASSERT_LT(corner, vertices);
        ASSERT_EQ(scene.body[face[0]], scene.body[face[1]]);
        ASSERT_EQ(scene.body[face[0]], scene.body[face[2]]);
    }
    for (const std::uint32_t body : scene.body)
        ASSERT_LT(body, scene.bends.size());
}

TEST_P(EveryScene, HasMeshesThatStayInTheirBoxWhateverTheSize) {
    for (const std::uint64_t queries : {1U, 500U, 10'000U})
        expect_sound(make_scene(GetParam(), {.seed = 0, .queries = queries}));
}

// Corners of a primitive, as pairs are compared by the definition.
std::vector<std::uint32_t> corners_of(const QueryScene& scene, QueryKind kind, bool is_first,
                                      std::uint32_t index) {
    if (kind == QueryKind::EdgeEdge) return {scene.edges[index].begin(), scene.edges[index].end()};
    if (is_first) return {index};
    return {scene.faces[index].begin(), scene.faces[index].end()};
}

bool boxes_overlap(const SceneStep& step, const std::vector<std::uint32_t>& a,
                   const std::vector<std::uint32_t>& b) {
    for (std::size_t k = 0; k < 3; ++k) {
        const auto range = [&](const std::vector<std::uint32_t>& corners) {
            double low = step.start[corners[0]][k];
            double high = low;
            for (const std::uint32_t c : corners) {
                low = std::min({low, step.start[c][k], step.end[c][k]});
                high = std::max({high, step.start[c][k], step.end[c][k]});
            }
            return std::pair(low, high);
        };
        const auto [low_a, high_a] = range(a);
        const auto [low_b, high_b] = range(b);
        if (high_a < low_b || high_b < low_a) return false;
    }
    return true;
}

std::vector<ScenePair> pairs_by_definition(const QueryScene& scene, QueryKind kind,
                                           std::uint32_t step) {
    const bool are_edges = kind == QueryKind::EdgeEdge;
    const std::size_t firsts = are_edges ? scene.edges.size() : scene.body.size();
    const std::size_t seconds = are_edges ? scene.edges.size() : scene.faces.size();
    std::vector<ScenePair> pairs;
    for (std::uint32_t i = 0; i < firsts; ++i) {
        for (std::uint32_t k = are_edges ? i + 1 : 0; k < seconds; ++k) {
            const auto a = corners_of(scene, kind, true, i);
            const auto b = corners_of(scene, kind, false, k);
            const bool one_rigid_body =
                scene.body[a[0]] == scene.body[b[0]] && scene.bends[scene.body[a[0]]] == 0;
            const bool shares =
                std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
            if (one_rigid_body || shares || !boxes_overlap(scene.steps[step], a, b)) continue;
            pairs.push_back({step, i, k});
        }
    }
    return pairs;
}

TEST_P(EveryScene, PairsAllThatIsInReachAndNothingElse) {
    const QueryScene scene = make_scene(GetParam(), {.seed = 1, .queries = 50});
    std::size_t pairs = 0;
    for (const QueryKind kind : kSceneKinds) {
        for (const std::size_t step : evenly_spread(3, scene.steps.size())) {
            const auto found = pairs_in_reach(scene, kind, static_cast<std::uint32_t>(step));
            EXPECT_EQ(found, pairs_by_definition(scene, kind, static_cast<std::uint32_t>(step)));
        }
        for (std::uint32_t step = 0; step < scene.steps.size(); ++step)
            pairs += pairs_in_reach(scene, kind, step).size();
    }
    EXPECT_GT(pairs, 0U);
}

struct ClassCounts {
    std::size_t far = 0;
    std::size_t near = 0;
    std::size_t touching = 0;
};

// Of up to 20 pairs of each step; what is not near is held to the oracle.
ClassCounts classes_of(const QueryScene& scene, QueryKind kind) {
    ClassCounts counts;
    for (std::uint32_t step = 0; step < scene.steps.size(); ++step) {
        const auto pairs = pairs_in_reach(scene, kind, step);
        for (const std::size_t i : evenly_spread(20, pairs.size())) {
            const io::QueryRecord record = query_of(scene, kind, pairs[i]);
            const bool near = is_near(record, kind);
            const bool contact = touches(record, kind);
            EXPECT_TRUE(near || !contact);
            ++(contact ? counts.touching : near ? counts.near : counts.far);
        }
    }
    return counts;
}

TEST_P(EveryScene, HasTouchingNearAndFarPairsAndWhatIsNotNearDoesNotTouch) {
    const QueryScene scene = make_scene(GetParam(), {.seed = 0, .queries = 100});
    for (const QueryKind kind : kSceneKinds) {
        const ClassCounts counts = classes_of(scene, kind);
        EXPECT_GT(counts.touching, 0U) << short_name(kind);
        EXPECT_GT(counts.near, 0U) << short_name(kind);
        // A vertex that slides over the two triangles of a large floor is never far from them.
        const bool is_large_floor =
            (GetParam() == SceneId::SlidingSpike || GetParam() == SceneId::SlidingWedge) &&
            kind == QueryKind::VertexFace;
        EXPECT_TRUE(counts.far > 0U || is_large_floor) << short_name(kind);
    }
}

TEST(CliffEdges, BeginsExactlyAlignedAndComesNearerByFifths) {
    const QueryScene scene = make_scene(SceneId::CliffEdges, {.seed = 0, .queries = 1});
    constexpr std::size_t kTop = 4;   // of the block that rests
    constexpr std::size_t kCube = 8;  // the cube's first corner, which lies over kTop
    std::vector<double> gaps;
    for (const SceneStep& step : scene.steps) {
        if (step.start[kCube].x != 0.0 || step.end[kCube].y > 0.0) continue;
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_EQ(step.start[kTop + i].x, step.start[kCube + i].x);
            EXPECT_EQ(step.start[kTop + i].z, step.start[kCube + i].z);
        }
        gaps.push_back(step.start[kCube].y - step.start[kTop].y);
        if (gaps.size() == 5) break;
    }
    ASSERT_EQ(gaps.size(), 5U);
    for (std::size_t i = 1; i < gaps.size(); ++i)
        EXPECT_NEAR(gaps[i] / gaps[i - 1], 0.2, 1e-12);
    EXPECT_GT(gaps.back(), 0.0);
}

std::int64_t ulps_between(double a, double b) {
    return std::bit_cast<std::int64_t>(a) - std::bit_cast<std::int64_t>(b);
}

TEST(ContactScenes, HaveVariantsWithNoiseOfOneUlpAndVariantsWithout) {
    const QueryScene scene = make_scene(SceneId::Wedges, {.seed = 0, .queries = 200});
    int noisy = 0;
    for (const SceneStep& step : scene.steps) {
        bool differs = false;
        for (std::size_t i = 0; i < step.start.size(); ++i) {
            if (scene.body[i] != 0) continue;  // the body that rests
            for (std::size_t k = 0; k < 3; ++k) {
                const std::int64_t ulps = ulps_between(step.start[i][k], step.end[i][k]);
                EXPECT_LE(std::abs(ulps), 2);
                differs = differs || ulps != 0;
            }
        }
        noisy += differs ? 1 : 0;
    }
    EXPECT_GT(noisy, 0);
    EXPECT_LT(noisy, static_cast<int>(scene.steps.size()));
}

TEST(EvenlySpread, PicksTheWishedNumberOnceEachFromEndToEnd) {
    for (const std::size_t total : {0U, 1U, 2U, 7U, 100U, 1000U}) {
        for (const std::size_t wanted : {0U, 1U, 3U, 99U, 100U, 5000U}) {
            const auto picked = evenly_spread(wanted, total);
            EXPECT_EQ(picked.size(), std::min(wanted, total));
            EXPECT_EQ(std::set(picked.begin(), picked.end()).size(), picked.size());
            EXPECT_TRUE(std::is_sorted(picked.begin(), picked.end()));
            if (!picked.empty()) {
                EXPECT_EQ(picked.front(), 0U);
                EXPECT_LT(picked.back(), total);
                EXPECT_GE(picked.back() + total / picked.size() + 1, total);
            }
        }
    }
}

std::vector<PairClass> candidates(std::size_t far, std::size_t near, std::size_t touching) {
    std::vector<PairClass> all(far, PairClass::Far);
    all.insert(all.end(), near, PairClass::Near);
    all.insert(all.end(), touching, PairClass::Touching);
    return all;
}

ClassCounts counts_of(const std::vector<PairClass>& all, std::size_t wanted) {
    const auto kept = thinned(all, wanted);
    EXPECT_EQ(kept.size(), std::min(wanted, all.size()));
    EXPECT_EQ(std::set(kept.begin(), kept.end()).size(), kept.size());
    EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
    ClassCounts counts;
    for (const std::size_t i : kept)
        ++(all[i] == PairClass::Far    ? counts.far
           : all[i] == PairClass::Near ? counts.near
                                       : counts.touching);
    return counts;
}

TEST(Thinned, KeepsAnEighthOfContactsAndMostOfWhatIsNear) {
    const ClassCounts counts = counts_of(candidates(9000, 9000, 9000), 800);
    EXPECT_EQ(counts.touching, 100U);
    EXPECT_EQ(counts.near, 500U);
    EXPECT_EQ(counts.far, 200U);
}

TEST(Thinned, KeepsAllThatAreFewAndFillsUpWithTheOthers) {
    const ClassCounts few = counts_of(candidates(9000, 30, 20), 800);
    EXPECT_EQ(few.touching, 20U);
    EXPECT_EQ(few.near, 30U);
    EXPECT_EQ(few.far, 750U);
    const ClassCounts no_far = counts_of(candidates(0, 9000, 9000), 800);
    EXPECT_EQ(no_far.touching, 100U);
    EXPECT_EQ(no_far.near, 700U);
    const ClassCounts all_touch = counts_of(candidates(0, 0, 9000), 800);
    EXPECT_EQ(all_touch.touching, 800U);
    const ClassCounts everything = counts_of(candidates(5, 6, 7), 800);
    EXPECT_EQ(everything.far + everything.near + everything.touching, 18U);
}

}  // namespace
}  // namespace graze::generate

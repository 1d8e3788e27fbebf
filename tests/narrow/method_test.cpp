// Defends G-ALL-1 (docs/GUARANTEES.md).
#include "graze/narrow/method.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <vector>

#include "graze/core/fp_environment.hpp"

namespace graze {
namespace {

CcdResult say_contact(const void*, const VertexVertexMotion&, const CcdOptions&) noexcept {
    return {Verdict::Contact, 0.25, 0.5, 7};
}

Method talkative() {
    return {.name = "talkative",
            .summary = "always contact",
            .guarantee = {},
            .vertex_vertex = {say_contact}};
}

TEST(MethodRegistry, KeepsTheOrderInWhichMethodsWereAdded) {
    MethodRegistry registry;
    Method second = talkative();
    second.name = "another";
    ASSERT_TRUE(registry.add(talkative()));
    ASSERT_TRUE(registry.add(second));
    EXPECT_EQ(registry.names(), "talkative, another");
    ASSERT_NE(registry.find("another"), nullptr);
    EXPECT_EQ(registry.find("another")->name, "another");
    EXPECT_EQ(registry.find("nobody"), nullptr);
}

TEST(MethodRegistry, RefusesANameTwiceNoNameAndAMethodThatAnswersNothing) {
    MethodRegistry registry;
    ASSERT_TRUE(registry.add(talkative()));
    EXPECT_FALSE(registry.add(talkative()));
    Method nameless = talkative();
    nameless.name = "";
    EXPECT_FALSE(registry.add(nameless));
    Method silent = talkative();
    silent.name = "silent";
    silent.vertex_vertex = {};
    EXPECT_FALSE(registry.add(silent));
    EXPECT_EQ(registry.all().size(), 1U);
}

TEST(Run, IsUnresolvedWhereTheMethodHasNoSuchTest) {
    EXPECT_EQ(run(talkative(), VertexFaceMotion{}), CcdResult{});
    EXPECT_EQ(run(talkative(), VertexVertexMotion{}).verdict, Verdict::Contact);
}

TEST(Run, IsUnresolvedForOptionsTheMethodDoesNotHonour) {
    EXPECT_EQ(run(talkative(), VertexVertexMotion{}, {.min_separation = 0.1}), CcdResult{});
    EXPECT_EQ(run(talkative(), VertexVertexMotion{}, {.t_max = 2.0}), CcdResult{});
    Method round = talkative();
    round.guarantee.min_separation_euclidean = true;
    EXPECT_EQ(run(round, VertexVertexMotion{}, {.min_separation = 0.1}).verdict, Verdict::Contact);
    EXPECT_EQ(run(round, VertexVertexMotion{}, {.min_separation = 0.1, .norm = Norm::Max}),
              CcdResult{});
}

TEST(Run, IsUnresolvedForInputThatIsNotFinite) {
    VertexVertexMotion motion;
    motion.b.end.z = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(run(talkative(), motion), CcdResult{});
}

// Says whether the arithmetic is that of the proofs.
CcdResult say_whether_sound(const void*, const VertexVertexMotion&, const CcdOptions&) noexcept {
    return has_sound_arithmetic() ? separated() : CcdResult{Verdict::Contact, 0.0, 0.0, 1};
}

TEST(Run, GivesAMethodTheArithmeticOfTheProofsWhateverTheThreadHas) {
    Method method = talkative();
    method.vertex_vertex = {say_whether_sound};
    const std::vector<VertexVertexMotion> motions(3);
    std::vector<CcdResult> results(3);
    ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
    const CcdResult single = run(method, motions[0]);
    run_batch<VertexVertexMotion>(method, motions, {}, results);
    const int after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(after, FE_UPWARD);
    EXPECT_EQ(single, separated());
    for (const CcdResult& result : results)
        EXPECT_EQ(result, separated());
}

TEST(RunBatch, AnswersEachQueryLikeASingleCallAndSkipsNoneAfterABadOne) {
    std::vector<VertexVertexMotion> motions(5);
    motions[1].a.start.x = kInfinity;
    std::vector<CcdResult> results(5);
    run_batch<VertexVertexMotion>(talkative(), motions, {}, results);
    for (std::size_t i = 0; i < motions.size(); ++i) {
        EXPECT_EQ(results[i], run(talkative(), motions[i])) << i;
    }
    EXPECT_EQ(results[1].verdict, Verdict::Unresolved);
    EXPECT_EQ(results[4].verdict, Verdict::Contact);
}

// A method with a scene of its own: contact up to the number that its context holds.
struct Scene {
    double reach = 0.0;
};
CcdResult by_scene(const void* context, const VertexVertexMotion& motion,
                   const CcdOptions&) noexcept {
    const bool touches = motion.a.start.x <= static_cast<const Scene*>(context)->reach;
    return touches ? CcdResult{Verdict::Contact, 0.0, 1.0, 1} : separated();
}
int batches = 0;
void by_scene_batch(const void* context, std::span<const VertexVertexMotion> motions,
                    std::span<CcdResult> results, const CcdOptions& options) noexcept {
    ++batches;
    for (std::size_t i = 0; i < motions.size(); ++i) {
        // As run() guards a single call.
        if (!is_finite_motion(motions[i]) || !has_sound_arithmetic()) batches = -1000;
        results[i] = by_scene(context, motions[i], options);
    }
}
Method scenic(const Scene& scene) {
    return {.name = "scenic",
            .summary = "",
            .guarantee = {},
            .context = &scene,
            .vertex_vertex = {.query = by_scene, .batch = by_scene_batch}};
}

TEST(Run, HandsTheContextToTheMethod) {
    const Scene wide{2.0};
    const Scene narrow{0.5};
    VertexVertexMotion motion;
    motion.a.start.x = 1.0;
    EXPECT_EQ(run(scenic(wide), motion).verdict, Verdict::Contact);
    EXPECT_EQ(run(scenic(narrow), motion).verdict, Verdict::Separated);
}

TEST(RunBatch, CallsTheBatchFunctionWithFiniteMotionsAndSoundArithmeticOnly) {
    const Scene scene{2.5};
    std::vector<VertexVertexMotion> motions(7);
    for (std::size_t i = 0; i < motions.size(); ++i)
        motions[i].a.start.x = static_cast<double>(i);
    for (const std::size_t bad : {0U, 3U, 4U, 6U})
        motions[bad].b.end.y = kInfinity;
    std::vector<CcdResult> results(7, separated());
    batches = 0;
    ASSERT_EQ(std::fesetround(FE_DOWNWARD), 0);
    run_batch<VertexVertexMotion>(scenic(scene), motions, {}, results);
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(batches, 2);
    for (std::size_t i = 0; i < motions.size(); ++i)
        EXPECT_EQ(results[i], run(scenic(scene), motions[i])) << i;
}

TEST(RunBatch, AsksNoBatchFunctionWhereOptionsOrSizesAreWrong) {
    const Scene scene{2.5};
    const std::vector<VertexVertexMotion> motions(3);
    std::vector<CcdResult> results(3, separated());
    batches = 0;
    run_batch<VertexVertexMotion>(scenic(scene), motions, {.t_max = 2.0}, results);
    EXPECT_EQ(results, std::vector<CcdResult>(3));
    results.assign(2, separated());
    run_batch<VertexVertexMotion>(scenic(scene), motions, {}, results);
    EXPECT_EQ(results, std::vector<CcdResult>(2));
    EXPECT_EQ(batches, 0);
}

TEST(BuiltinMethods, AreAllNamedAndDescribed) {
    const MethodRegistry registry = builtin_methods();
    ASSERT_FALSE(registry.all().empty());
    for (const Method& method : registry.all()) {
        EXPECT_FALSE(method.summary.empty()) << method.name;
        EXPECT_EQ(method.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"),
                  std::string_view::npos)
            << method.name;
    }
}

}  // namespace
}  // namespace graze

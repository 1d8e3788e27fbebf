#include "graze/narrow/method.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <vector>

namespace graze {
namespace {

CcdResult say_contact(const VertexVertexMotion&, const CcdOptions&) noexcept {
    return {Verdict::Contact, 0.25, 0.5, 7};
}

Method talkative() {
    return {.name = "talkative",
            .summary = "always contact",
            .guarantee = {},
            .vertex_vertex = say_contact};
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
    silent.vertex_vertex = nullptr;
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
CcdResult say_whether_sound(const VertexVertexMotion&, const CcdOptions&) noexcept {
    return has_sound_arithmetic() ? separated() : CcdResult{Verdict::Contact, 0.0, 0.0, 1};
}

TEST(Run, GivesAMethodTheArithmeticOfTheProofsWhateverTheThreadHas) {
    Method method = talkative();
    method.vertex_vertex = say_whether_sound;
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

#include "graze/sim/response.hpp"

#include <gtest/gtest.h>

#include "checked_run.hpp"
#include "graze/sim/shapes.hpp"

namespace graze::sim {
namespace {

// A soft block that falls on a plate.
Model drop(double speed) {
    ModelBuilder builder("drop");
    builder.add_obstacle(plane_surface(1.0, 1.0, 2, 2));
    ElasticMaterial soft;
    soft.young = 1e4;
    builder.add_elastic(
        placed(solid_block({0.2, 0.2, 0.1}, {2, 2, 1}), {{0.6, 0.8, 0}, 0.3, {0.1, 0.05, 0.3}}),
        soft);
    Model model = builder.finish();
    for (std::size_t i = 0; i < model.rest.size(); ++i)
        model.start_velocity.push_back(model.fixed[i] != 0 ? Vec3{} : Vec3{0.5, 0, -speed});
    model.solver.dt = 0.02;
    return model;
}

TEST(BarrierResponseTest, FreeFallKeepsMomentum) {
    Model model = drop(0.0);
    model.start_velocity.assign(model.rest.size(), Vec3{});
    State state = start_state(model);
    const FrameStats stats = checked_run(model, 4, state);
    EXPECT_EQ(stats.stuck, 0u);
    for (std::size_t i = 9; i < state.v.size(); ++i) {
        EXPECT_NEAR(state.v[i].z, -9.81 * 4 * 0.02, 1e-6);
        EXPECT_NEAR(state.v[i].x, 0.0, 1e-6);
    }
}

TEST(BarrierResponseTest, NeverIntersectsWhereABodyHitsAPlate) {
    const Model model = drop(3.0);
    State state = start_state(model);
    const FrameStats stats = checked_run(model, 12, state);
    EXPECT_EQ(stats.intersections, 0u);
    EXPECT_EQ(stats.crossings, 0u);
    EXPECT_EQ(stats.stuck, 0u);
    EXPECT_GT(stats.contacts, 0u);
    EXPECT_GT(stats.positive, 0u);
    double lowest = 1.0;
    for (std::size_t i = 9; i < state.x.size(); ++i)
        lowest = std::min(lowest, state.x[i].z);
    EXPECT_GT(lowest, 0.0);
}

TEST(ResponseTest, CountsStepsThatEndBeforeTheyConverge) {
    for (const ContactResponse response : {ContactResponse::Barrier, ContactResponse::Sqp}) {
        Model model = drop(3.0);
        model.contact.response = response;
        State state = start_state(model);
        EXPECT_EQ(checked_run(model, 6, state).unfinished, 0U);
        model.solver.max_iterations = 1;
        state = start_state(model);
        EXPECT_GT(checked_run(model, 6, state).unfinished, 0U);
    }
}

TEST(BarrierResponseTest, HasTheSameBitsForAnyNumberOfThreads) {
    const Model model = drop(4.0);
    State one = start_state(model);
    State three = one;
    (void)checked_run(model, 6, one, 1);
    (void)checked_run(model, 6, three, 3);
    EXPECT_EQ(one, three);
}

TEST(BarrierResponseTest, KeepsThicknessAndWorksWithAlgorithmFourAndOtherMethods) {
    for (const char* method : {"certified", "tight-inclusion", "safe-cubic"}) {
        SCOPED_TRACE(method);
        Model model = drop(3.0);
        model.contact.method = method;
        State state = start_state(model);
        const FrameStats stats = checked_run(model, 6, state);
        EXPECT_EQ(stats.intersections, 0u);
        EXPECT_EQ(stats.stuck, 0u);
    }
    Model thick = drop(3.0);
    thick.radius.assign(thick.rest.size(), 0.01);
    State state = start_state(thick);
    const FrameStats stats = checked_run(thick, 8, state);
    EXPECT_EQ(stats.intersections + stats.crossings + stats.stuck, 0u);
    EXPECT_GT(stats.contacts, 0u);
    double lowest = 1.0;
    for (std::size_t i = 9; i < state.x.size(); ++i)
        lowest = std::min(lowest, state.x[i].z);
    EXPECT_GT(lowest, 0.02);
}

TEST(BarrierResponseTest, FrictionSlowsSliding) {
    const auto slide = [](double coefficient) {
        Model model = drop(1.0);
        model.contact.friction = coefficient;
        State state = start_state(model);
        const FrameStats stats = checked_run(model, 14, state);
        EXPECT_EQ(stats.intersections + stats.crossings, 0u);
        double momentum = 0.0;
        for (std::size_t i = 0; i < state.v.size(); ++i)
            momentum += model.mass[i] * state.v[i].x;
        return momentum;
    };
    const double smooth = slide(0.0);
    const double rough = slide(0.8);
    EXPECT_GT(smooth, 0.0);
    EXPECT_LT(rough, 0.9 * smooth);
}

TEST(BarrierResponseTest, ScriptedVerticesArriveWhereTheirScriptPutsThem) {
    Model model = drop(0.0);
    Script script;
    for (std::uint32_t v = 9; v < model.rest.size(); ++v)
        if (model.rest[v].x > 0.25) script.vertices.push_back(v);
    ASSERT_FALSE(script.vertices.empty());
    script.keys = {{0.0, {}, 0.0}, {0.1, {0.0, 0.0, -0.1}, 0.0}};
    model.scripts = {script};
    State state = start_state(model);
    const FrameStats stats = checked_run(model, 5, state);
    EXPECT_EQ(stats.intersections + stats.crossings + stats.stuck + stats.fail_safes, 0u);
    std::vector<Vec3> expected = model.rest;
    apply_scripts(model, state.time, expected);
    for (const std::uint32_t v : script.vertices)
        EXPECT_EQ(state.x[v], expected[v]);
}

TEST(SqpResponseTest, KeepsABodyAboveAPlate) {
    for (const double friction : {0.0, 0.5}) {
        Model model = drop(3.0);
        model.contact.response = ContactResponse::Sqp;
        model.contact.friction = friction;
        State state = start_state(model);
        const FrameStats stats = checked_run(model, 12, state);
        EXPECT_EQ(stats.intersections, 0u);
        EXPECT_EQ(stats.crossings, 0u);
        EXPECT_EQ(stats.stuck, 0u);
        EXPECT_GT(stats.contacts, 0u);
        EXPECT_GT(stats.positive, 0u);
    }
}

TEST(SqpResponseTest, HasTheSameBitsForAnyNumberOfThreads) {
    Model model = drop(4.0);
    model.contact.response = ContactResponse::Sqp;
    State one = start_state(model);
    State three = one;
    (void)checked_run(model, 6, one, 1);
    (void)checked_run(model, 6, three, 3);
    EXPECT_EQ(one, three);
}

TEST(ResponseTest, NamesAnUnknownMethod) {
    Model model = drop(1.0);
    model.contact.method = "magic";
    const auto response = make_response(model, {});
    ASSERT_FALSE(response);
    EXPECT_NE(response.error().message.find("contact.method"), std::string::npos);
}

}  // namespace
}  // namespace graze::sim

// A stepper whose steps are computed elsewhere: everything that asks it for impacts asks there, and
// nothing changes.
// Defends G-MESH-12 (docs/GUARANTEES.md).
#include "graze/mesh/backend.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "graze/mesh/active_set.hpp"
#include "graze/mesh/line_search.hpp"
#include "graze/mesh/safe_step.hpp"
#include "graze/mesh/vertex_bounds.hpp"
#include "random_scene.hpp"

namespace graze {
namespace {

struct Calls {
    int first = 0;
    int all = 0;
    int intersections = 0;
    int clearance = 0;
    int topologies = 0;
};

// Another stepper as the other machine.
class CountingBackend final : public StepBackend {
public:
    CountingBackend(MeshTopology topology, Calls& calls)
        : stepper_(std::move(topology)), calls_(calls) {}

    [[nodiscard]] bool supports(const StepOptions& options) const override {
        return options.candidates == nullptr;
    }
    [[nodiscard]] Expected<FirstImpact> first_impact(std::span<const Vec3> start,
                                                     std::span<const Vec3> end,
                                                     const StepOptions& options) override {
        ++calls_.first;
        return stepper_.first_impact(start, end, options);
    }
    [[nodiscard]] Expected<StepImpacts> all_impacts(std::span<const Vec3> start,
                                                    std::span<const Vec3> end,
                                                    const StepOptions& options) override {
        ++calls_.all;
        return stepper_.all_impacts(start, end, options);
    }
    [[nodiscard]] Expected<std::vector<Intersection>> intersections(
        std::span<const Vec3> positions, const StepOptions& options) override {
        ++calls_.intersections;
        return stepper_.intersections(positions, options);
    }
    [[nodiscard]] Expected<Clearance> clearance(std::span<const Vec3> positions, double reach,
                                                const StepOptions& options) override {
        ++calls_.clearance;
        return stepper_.clearance(positions, reach, options);
    }
    void set_topology(const MeshTopology& topology) override {
        ++calls_.topologies;
        stepper_.set_topology(topology);
    }

private:
    MeshStepper stepper_;
    Calls& calls_;
};

// Answers nothing.
class LostBackend final : public StepBackend {
public:
    [[nodiscard]] bool supports(const StepOptions&) const override { return true; }
    [[nodiscard]] Expected<FirstImpact> first_impact(std::span<const Vec3>, std::span<const Vec3>,
                                                     const StepOptions&) override {
        return lost();
    }
    [[nodiscard]] Expected<StepImpacts> all_impacts(std::span<const Vec3>, std::span<const Vec3>,
                                                    const StepOptions&) override {
        return lost();
    }
    [[nodiscard]] Expected<std::vector<Intersection>> intersections(std::span<const Vec3>,
                                                                    const StepOptions&) override {
        return lost();
    }
    [[nodiscard]] Expected<Clearance> clearance(std::span<const Vec3>, double,
                                                const StepOptions&) override {
        return lost();
    }
    void set_topology(const MeshTopology&) override {}

private:
    static Error lost() { return {"the device is lost", ErrorCode::Unsupported}; }
};

// Keeps the mesh of before, for want of memory.
class ForgetfulBackend final : public StepBackend {
public:
    explicit ForgetfulBackend(MeshTopology topology) : stepper_(std::move(topology)) {}

    [[nodiscard]] bool supports(const StepOptions&) const override { return true; }
    [[nodiscard]] Expected<FirstImpact> first_impact(std::span<const Vec3> start,
                                                     std::span<const Vec3> end,
                                                     const StepOptions& options) override {
        return stepper_.first_impact(start, end, options);
    }
    [[nodiscard]] Expected<StepImpacts> all_impacts(std::span<const Vec3> start,
                                                    std::span<const Vec3> end,
                                                    const StepOptions& options) override {
        return stepper_.all_impacts(start, end, options);
    }
    [[nodiscard]] Expected<std::vector<Intersection>> intersections(
        std::span<const Vec3> positions, const StepOptions& options) override {
        return stepper_.intersections(positions, options);
    }
    [[nodiscard]] Expected<Clearance> clearance(std::span<const Vec3> positions, double reach,
                                                const StepOptions& options) override {
        return stepper_.clearance(positions, reach, options);
    }
    void set_topology(const MeshTopology&) override { throw std::bad_alloc(); }

private:
    MeshStepper stepper_;
};

MeshStepper with_backend(const Scene& scene, Calls& calls) {
    MeshStepper stepper(scene.mesh);
    stepper.set_backend(std::make_unique<CountingBackend>(scene.mesh, calls));
    return stepper;
}

Scene some_scene(std::uint64_t seed) {
    return SceneMaker({.faces = 20, .loose_edges = 3, .points = 4}, seed).make();
}

TEST(StepBackend, AnswersWhatTheStepperIsAskedForToTheBit) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const Scene scene = some_scene(seed);
        Calls calls;
        MeshStepper there = with_backend(scene, calls);
        MeshStepper here(scene.mesh);
        const auto all = there.all_impacts(scene.start, scene.end);
        const auto expected = here.all_impacts(scene.start, scene.end);
        ASSERT_TRUE(all && expected);
        EXPECT_EQ(all->impacts, expected->impacts);
        const auto meeting = there.intersections(scene.start);
        ASSERT_TRUE(meeting);
        EXPECT_EQ(*meeting, *here.intersections(scene.start));
        EXPECT_EQ(calls.all, 1);
        EXPECT_EQ(calls.intersections, 1);
    }
}

TEST(StepBackend, ServesSafeStepsFractionsSearchesAndActiveSets) {
    const Scene scene = some_scene(3);
    Calls calls;
    MeshStepper there = with_backend(scene, calls);
    MeshStepper here(scene.mesh);
    const auto safe = largest_safe_step(there, scene.start, scene.end);
    ASSERT_TRUE(safe);
    EXPECT_EQ(safe->positions, largest_safe_step(here, scene.start, scene.end)->positions);
    EXPECT_EQ(calls.first, safe->proofs);
    const auto fractions = free_fractions(there, scene.start, scene.end);
    ASSERT_TRUE(fractions);
    EXPECT_EQ(fractions->fraction, free_fractions(here, scene.start, scene.end)->fraction);
    EXPECT_GT(calls.all, 0);
    const int before = calls.first;
    const auto energy = [](std::span<const Vec3> at) { return -at[0].x; };
    const auto found = line_search(there, scene.start, scene.end, energy);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->positions, line_search(here, scene.start, scene.end, energy)->positions);
    EXPECT_GE(calls.first, found->distance > 0.0 ? before + 1 : before);
    const int all_before = calls.all;
    ASSERT_TRUE(active_set(there, scene.start, scene.end));
    EXPECT_EQ(calls.all, all_before + 1);
}

TEST(StepBackend, IsNotAskedForWhatItDoesNotSupport) {
    const Scene scene = some_scene(5);
    Calls calls;
    MeshStepper stepper = with_backend(scene, calls);
    const auto candidates = stepper.candidates(scene.start, scene.end);
    ASSERT_TRUE(candidates);
    StepOptions options;
    options.candidates = &*candidates;
    ASSERT_TRUE(stepper.first_impact(scene.start, scene.end, options));
    EXPECT_EQ(calls.first, 0);
}

TEST(StepBackend, IsNotAskedAboutInputThatIsNoStep) {
    Scene scene = some_scene(6);
    Calls calls;
    MeshStepper stepper = with_backend(scene, calls);
    scene.end[2].y = std::nan("");
    const auto first = stepper.first_impact(scene.start, scene.end);
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().code, ErrorCode::NotFinite);
    EXPECT_EQ(calls.first, 0);
}

TEST(StepBackend, FollowsTheTopology) {
    const Scene scene = some_scene(7);
    const Scene other = some_scene(8);
    Calls calls;
    MeshStepper stepper = with_backend(scene, calls);
    stepper.set_topology(other.mesh);
    EXPECT_EQ(calls.topologies, 1);
    MeshStepper fresh(other.mesh);
    EXPECT_EQ(stepper.all_impacts(other.start, other.end)->impacts,
              fresh.all_impacts(other.start, other.end)->impacts);
}

TEST(StepBackend, ThatCannotTakeATopologyAnswersNothingForIt) {
    const auto edge = make_topology(6, {}, std::vector<EdgeIndices>{{3, 4}});
    const auto two = make_topology(6, std::vector<FaceIndices>{{0, 1, 2}, {3, 4, 5}});
    ASSERT_TRUE(edge && two);
    const std::vector<Vec3> start{{0, 0, 0},     {1, 0, 0},     {0, 1, 0},
                                  {.2, .2, 1.0}, {.3, .2, 1.0}, {.2, .3, 1.0}};
    std::vector<Vec3> end = start;
    for (std::size_t i = 3; i < 6; ++i)
        end[i].z = -1.0;
    MeshStepper stepper(*edge);
    stepper.set_backend(std::make_unique<ForgetfulBackend>(*edge));
    ASSERT_EQ(stepper.first_impact(start, end)->verdict, Verdict::Separated);
    EXPECT_THROW(stepper.set_topology(*two), std::bad_alloc);
    const auto first = stepper.first_impact(start, end);
    ASSERT_TRUE(first);
    // For whichever of the two meshes it has now.
    EXPECT_EQ(*first, *MeshStepper(stepper.topology()).first_impact(start, end));
    EXPECT_EQ(stepper.topology().faces.size(), 2U);
    EXPECT_EQ(first->verdict, Verdict::Contact);
}

TEST(StepBackend, ThatFailsIsAnErrorOfTheCallAndCanBeTakenAway) {
    const Scene scene = some_scene(9);
    MeshStepper stepper(scene.mesh);
    stepper.set_backend(std::make_unique<LostBackend>());
    const auto first = stepper.first_impact(scene.start, scene.end);
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().message, "the device is lost");
    EXPECT_FALSE(largest_safe_step(stepper, scene.start, scene.end));
    stepper.set_backend(nullptr);
    EXPECT_TRUE(stepper.first_impact(scene.start, scene.end));
}

}  // namespace
}  // namespace graze

#include "graze/sim/scene.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "graze/sim/response.hpp"
#include "graze/sim/shapes.hpp"

namespace graze::sim {
namespace {

double least_volume(const TetrahedralMesh& mesh) {
    double least = kInfinity;
    const auto& x = mesh.positions;
    for (const auto& t : mesh.tetrahedra)
        least =
            std::min(least, dot(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]), x[t[3]] - x[t[0]]));
    return least;
}

TEST(ShapesTest, HaveTetrahedraOfPositiveVolume) {
    for (int n = 1; n < 6; ++n) {
        EXPECT_GT(least_volume(solid_block({1, 2, 3}, {n, n, n})), 0.0);
        EXPECT_GT(least_volume(solid_ball(1.0, n)), 0.0) << n;
        EXPECT_GT(least_volume(solid_torus(1.0, 0.3, 5 + n, n)), 0.0) << n;
        EXPECT_GT(least_volume(solid_figure(8 + 2 * n)), 0.0) << n;
        EXPECT_GT(least_volume(solid_head(8 + 2 * n)), 0.0) << n;
    }
    for (const double height : {1.0, -1.0}) {
        EXPECT_GT(least_volume(solid_spike(0.2, height)), 0.0);
        EXPECT_GT(least_volume(solid_wedge(0.3, 0.2, height)), 0.0);
    }
}

TEST(ShapesTest, RefuseGridsBeyondWhatCanBeNumbered) {
    EXPECT_THROW((void)solid_block({1, 1, 1}, {2000, 2000, 2000}), std::length_error);
    EXPECT_THROW((void)solid_ball(1.0, 1'000'000), std::length_error);
    EXPECT_THROW((void)solid_torus(1.0, 0.2, 1'000'000'000, 1000), std::length_error);
    EXPECT_NO_THROW((void)solid_block({1, 1, 1}, {1, 1, 2000}));
}

TEST(ShapesTest, KeepTheirVolumeAndSurfaceWhenTheyAreRefined) {
    const auto volume = [](const TetrahedralMesh& mesh) {
        const auto& x = mesh.positions;
        double six = 0.0;
        for (const auto& t : mesh.tetrahedra)
            six += dot(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]), x[t[3]] - x[t[0]]);
        return six / 6.0;
    };
    const TetrahedralMesh spike = solid_spike(0.5, 3.0);
    EXPECT_NEAR(volume(spike), 1.0, 1e-14);
    const TetrahedralMesh wedge = solid_wedge(1.0, 0.5, 1.0);
    EXPECT_NEAR(volume(wedge), 1.0, 1e-14);
    for (const TetrahedralMesh& mesh : {spike, wedge}) {
        const TetrahedralMesh fine = refined(mesh, 2);
        EXPECT_EQ(fine.tetrahedra.size(), 64 * mesh.tetrahedra.size());
        EXPECT_NEAR(volume(fine), 1.0, 1e-14);
        EXPECT_GT(least_volume(fine), 0.0);
        EXPECT_EQ(boundary_faces(fine.tetrahedra).size(),
                  16 * boundary_faces(mesh.tetrahedra).size());
    }
}

TEST(ScenesTest, CanStart) {
    for (const NamedScene& scene : all_scenes()) {
        SCOPED_TRACE(scene.name);
        const Model model = scene.make({});
        const auto good = check_model(model);
        ASSERT_TRUE(good) << good.error().message;
        EXPECT_EQ(model.name, scene.name);
        MeshStepper stepper(model.surface);
        const StepOptions options = collision_options(model);
        const auto found = stepper.intersections(start_state(model).x, options);
        ASSERT_TRUE(found);
        EXPECT_TRUE(found->empty());
    }
}

TEST(ScenesTest, AreNamedInTheErrorForAnUnknownOne) {
    const auto scene = make_scene("torus");
    ASSERT_FALSE(scene);
    EXPECT_NE(scene.error().message.find("torus-on-cone"), std::string::npos);
}

TEST(SceneJsonTest, ReadsBodiesOfEveryKind) {
    const auto model = scene_from_json(R"({
        "name": "mixed", "frames": 3, "gravity": [0, 0, -1],
        "solver": {"dt": 0.005, "steps_per_frame": 2},
        "contact": {"response": "barrier", "friction": 0.25, "distance": 0.002},
        "bodies": [
            {"type": "obstacle", "shape": "plane", "radius": 2},
            {"type": "elastic", "shape": "torus", "radius": 0.4, "tube_radius": 0.1, "cells": 2,
             "position": [0, 0, 1], "velocity": [0, 0, -1],
             "material": {"model": "st-venant-kirchhoff", "young": 3e4, "poisson": 0.2},
             "script": {"box": [[0.3, -1, 0], [1, 1, 2]],
                        "keys": [{"time": 0}, {"time": 1, "angle": 3}], "axis": [0, 0, 2]}},
            {"type": "cloth", "cells": 3, "radius": 0.3, "position": [0, 0, 2],
             "thickness": 0.001, "fixed": [[-1, -1, 1], [-0.25, 1, 3]]},
            {"type": "strand", "points": [[3, 0, 1], [3, 0, 1.1], [3, 0, 1.2]]}]})");
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ(model->name, "mixed");
    EXPECT_EQ(model->frames, 3);
    EXPECT_EQ(model->solver.steps_per_frame, 2);
    EXPECT_EQ(model->contact.friction, 0.25);
    EXPECT_EQ(model->elastic_materials.at(0).model, Elasticity::StVenantKirchhoff);
    EXPECT_FALSE(model->tetrahedra.empty());
    EXPECT_FALSE(model->cloth_triangles.empty());
    EXPECT_EQ(model->strand_edges.size(), 2u);
    EXPECT_EQ(model->scripts.size(), 1u);
    EXPECT_DOUBLE_EQ(model->scripts[0].axis.z, 1.0);
    EXPECT_FALSE(model->radius.empty());
}

TEST(SceneJsonTest, ChangesBuiltInScenes) {
    const auto model = scene_from_json(
        R"({"scene": "stack", "resolution": 2, "contact": {"method": "tight-inclusion"}})");
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ(model->contact.method, "tight-inclusion");
    EXPECT_GT(model->rest.size(), make_scene("stack")->rest.size());
}

TEST(SceneJsonTest, NamesTheMemberThatIsWrong) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"{", "not JSON"},
        {"[]", "not an object"},
        {"{}", "neither 'scene' nor 'bodies'"},
        {R"({"scene": "nothing"})", "'scene'"},
        {R"({"scene": "stack", "bodies": []})", "both"},
        {R"({"scene": "stack", "resolution": -1})", "'resolution'"},
        {R"({"scene": "stack", "resolution": 1e9})", "'resolution'"},
        {R"({"scene": "stack", "frames": 1.5})", "'frames'"},
        {R"({"scene": "stack", "gravity": [0, 1]})", "'gravity'"},
        {R"({"scene": "stack", "contact": {"friction": "high"}})", "'contact.friction'"},
        {R"({"scene": "stack", "contact": {"friction": -1}})", "contact.friction"},
        {R"({"scene": "stack", "contact": {"response": "magic"}})", "'contact.response'"},
        {R"({"scene": "stack", "contact": {"fricton": 1}})", "'contact.fricton'"},
        {R"({"scene": "stack", "solver": {"dt": 0}})", "solver.dt"},
        {R"({"scene": "stack", "colour": 1})", "'colour'"},
        {R"({"bodies": []})", "'bodies'"},
        {R"({"bodies": [7]})", "'bodies[0]'"},
        {R"({"bodies": [{"type": "gas"}]})", "'bodies[0].type'"},
        {R"({"bodies": [{"shape": "teapot"}]})", "'bodies[0].shape'"},
        {R"({"bodies": [{"cells": 0}]})", "'bodies[0].cells'"},
        {R"({"bodies": [{"cells": 100000}]})", "'bodies[0].cells'"},
        {R"({"bodies": [{"cells": 1000}]})", "'bodies[0]': a solid has more than 10^8 vertices"},
        {R"({"bodies": [{"shape": "torus", "cells": 1000}]})", "more than 10^8 vertices"},
        {R"({"bodies": [{"shape": "figure", "cells": 1000}]})", "more than 10^8 vertices"},
        {R"({"bodies": [{"cells": 1000, "shape": "ball", "radius": 0}]})", "'bodies[0].radius'"},
        {R"({"resolution": 100, "bodies": [{"cells": 100}]})", "'bodies[0].cells'"},
        {R"({"resolution": 100, "scene": "figure-on-plane"})",
         "'scene': a solid has more than 10^8 vertices"},
        {R"({"bodies": [{"material": {"young": null}}]})", "'bodies[0].material.young'"},
        {R"({"bodies": [{"type": "obstacle", "shape": "mesh", "file": "none.obj"}]})",
         "'bodies[0].file'"},
        {R"({"bodies": [{"type": "obstacle", "shape": "mesh", "file": "no\nname"}]})",
         "'bodies[0].file' is not the name of a file"},
        {R"({"bodies": [{"fixed": [[9, 9, 9], [10, 10, 10]]}]})", "'bodies[0].fixed'"},
        {R"({"bodies": [{"script": {"keys": []}}]})", "'bodies[0].script.keys'"},
        {R"({"bodies": [{"type": "strand", "points": [[0, 0, 0]]}]})", "'bodies[0].points'"}};
    for (const auto& wrong : cases) {
        const auto model = scene_from_json(wrong.first);
        ASSERT_FALSE(model) << wrong.first;
        EXPECT_NE(model.error().message.find(wrong.second), std::string::npos)
            << wrong.first << ": " << model.error().message;
    }
}

}  // namespace
}  // namespace graze::sim

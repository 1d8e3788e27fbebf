#include <gtest/gtest.h>

#include <limits>

#include <numbers>

#include "graze/sim/scene.hpp"

namespace graze::sim {
namespace {

SurfaceMesh square() {
    return {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};
}
TetrahedralMesh two_tetrahedra() {
    return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, {{0, 1, 2, 3}, {1, 4, 2, 3}}};
}

TEST(ModelBuilderTest, GivesEachBodyItsMassSurfaceAndHinges) {
    ModelBuilder builder("all");
    ElasticMaterial soft;
    soft.density = 6.0;
    EXPECT_EQ(builder.add_elastic(two_tetrahedra(), soft), 0u);
    EXPECT_EQ(builder.add_obstacle(square()), 5u);
    ClothMaterial cloth;
    cloth.area_density = 2.0;
    EXPECT_EQ(builder.add_cloth(square(), cloth, 0.01), 9u);
    const std::vector<Vec3> line = {{0, 0, 2}, {1, 0, 2}, {2, 0, 2}};
    EXPECT_EQ(builder.add_strand(line, {}), 13u);
    const Model model = builder.finish();
    ASSERT_TRUE(check_model(model)) << check_model(model).error().message;
    double cloth_mass = 0.0;
    for (std::size_t i = 9; i < 13; ++i)
        cloth_mass += model.mass[i];
    EXPECT_DOUBLE_EQ(cloth_mass, 2.0);
    EXPECT_EQ(model.hinges.size(), 1u);
    EXPECT_EQ(model.strand_bends.size(), 1u);
    EXPECT_EQ(model.surface.faces.size(), 6u + 2u + 2u);
    EXPECT_EQ(model.radius[9], 0.01);
    EXPECT_EQ(model.body[13], 3u);
}

TEST(ModelBuilderTest, OrientsTheBoundaryOutward) {
    const TetrahedralMesh mesh = two_tetrahedra();
    double six_volumes = 0.0;
    for (const FaceIndices& f : boundary_faces(mesh.tetrahedra)) {
        const auto& x = mesh.positions;
        six_volumes += dot(x[f[0]], cross(x[f[1]], x[f[2]]));
    }
    double expected = 0.0;
    for (const auto& t : mesh.tetrahedra) {
        const auto& x = mesh.positions;
        expected += dot(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]), x[t[3]] - x[t[0]]);
    }
    EXPECT_NEAR(six_volumes, expected, 1e-14);
    EXPECT_GT(expected, 0.0);
}

TEST(ModelTest, FollowsScriptsUntilTheyRelease) {
    ModelBuilder builder("script");
    builder.add_cloth(square(), {});
    Model model = builder.finish();
    Script script;
    script.vertices = {1};
    script.keys = {{0.0, {}, 0.0}, {1.0, {0, 0, 2}, std::numbers::pi}};
    script.release = 1.5;
    model.scripts = {script};
    ASSERT_TRUE(check_model(model));
    std::vector<Vec3> x = model.rest;
    apply_scripts(model, 0.5, x);
    EXPECT_NEAR(x[1].x, 0.0, 1e-15);
    EXPECT_NEAR(x[1].y, 1.0, 1e-15);
    EXPECT_NEAR(x[1].z, 1.0, 1e-15);
    EXPECT_EQ(prescribed(model, 1.0)[1], 1);
    EXPECT_EQ(prescribed(model, 2.0)[1], 0);
    model.fixed[1] = 1;
    EXPECT_FALSE(check_model(model));
}

TEST(ModelTest, CountsTetrahedraThatAreInsideOut) {
    ModelBuilder builder("two");
    const TetrahedralMesh one{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}};
    builder.add_elastic(one, {});
    builder.add_elastic(one, {});
    const Model model = builder.finish();
    std::vector<Vec3> x = model.rest;
    EXPECT_EQ(inverted_tetrahedra(model, x), 0U);
    x[3].z = -0.1;
    EXPECT_EQ(inverted_tetrahedra(model, x), 1U);
    x[7].z = 0.0;
    EXPECT_EQ(inverted_tetrahedra(model, x), 2U);
    x[7].z = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(inverted_tetrahedra(model, x), 2U);
}

TEST(ModelTest, NamesTheFieldThatIsWrong) {
    const auto wrong = [](auto change, const std::string& field) {
        ModelBuilder builder("bad");
        builder.add_elastic(two_tetrahedra(), {});
        Model model = builder.finish();
        change(model);
        const auto checked = check_model(model);
        ASSERT_FALSE(checked) << field;
        EXPECT_NE(checked.error().message.find(field), std::string::npos)
            << checked.error().message;
    };
    wrong([](Model& m) { m.mass[1] = 0.0; }, "mass");
    wrong([](Model& m) { m.mass.pop_back(); }, "mass");
    wrong([](Model& m) { m.rest[0].x = std::nan(""); }, "rest");
    wrong([](Model& m) { m.tetrahedra[0].v[2] = 99; }, "tetrahedra");
    wrong([](Model& m) { m.tetrahedra[0].material = 7; }, "tetrahedra");
    wrong([](Model& m) { m.elastic_materials[0].poisson = 0.5; }, "poisson");
    wrong([](Model& m) { m.solver.dt = -1.0; }, "solver.dt");
    wrong([](Model& m) { m.contact.friction = std::nan(""); }, "contact.friction");
}

}  // namespace
}  // namespace graze::sim

// Pictures of bodies and meshes: what they draw, in which order, from where, and how large they
// get.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/html_checks.hpp"
#include "commands/mesh/mesh_pictures.hpp"
#include "graze/generate/models.hpp"
#include "pictures/rigid_pictures.hpp"
#include "pictures/scene_svg.hpp"

namespace graze::app {
namespace {

using test::loader_in;
using test::nesting_error;

// The name of the format is no address that anybody fetches.
std::string without_namespace(std::string svg) {
    const std::string name = " xmlns=\"http://www.w3.org/2000/svg\"";
    const std::size_t at = svg.find(name);
    EXPECT_NE(at, std::string::npos);
    return at == std::string::npos ? svg : svg.erase(at, name.size());
}

void expect_good_picture(const std::string& svg) {
    EXPECT_TRUE(svg.starts_with("<svg "));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_EQ(nesting_error(svg), "");
    EXPECT_EQ(loader_in(without_namespace(svg)), "");
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf "), std::string::npos);
    EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
    EXPECT_NE(svg.find("max-width:100%"), std::string::npos);
    EXPECT_LT(svg.size(), 2'000'000U);
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(RoundTicks, AreRoundAndFew) {
    const RoundTicks ticks = round_ticks(-0.3, 1.2, 6);
    EXPECT_EQ(ticks.values.size(), 3U);
    EXPECT_NEAR(ticks.step, 0.5, 1e-12);
    for (const auto& [low, high] : {std::pair(0.0, 1e-300), std::pair(-7e200, 3e200),
                                    std::pair(1e6, 1e6 + 1e-3), std::pair(-1.0, 1.0)}) {
        for (const std::size_t most : {1U, 2U, 5U, 9U}) {
            const RoundTicks found = round_ticks(low, high, most);
            EXPECT_LE(found.values.size(), most);
            for (const double tick : found.values) {
                EXPECT_GE(tick, low - 1e-6 * (high - low));
                EXPECT_LE(tick, high + 1e-6 * (high - low));
            }
        }
    }
}

TEST(RoundTicks, OfNothingAreNone) {
    for (const auto& [low, high] :
         {std::pair(1.0, 1.0), std::pair(2.0, 1.0), std::pair(1.0, std::nextafter(1.0, 2.0)),
          std::pair(-1e308, 1e308), std::pair(std::nan(""), 1.0)})
        EXPECT_TRUE(round_ticks(low, high, 5).values.empty());
}

TEST(RoundTicks, NeighboursReadDifferently) {
    EXPECT_EQ(tick_text(0.5, 0.5), "0.5");
    EXPECT_EQ(tick_text(1.0, 0.5), "1.0");
    EXPECT_EQ(tick_text(20.0, 10.0), "20");
    EXPECT_EQ(tick_text(-0.0, 10.0), "0");
    EXPECT_NE(tick_text(1e6, 1e-3), tick_text(1e6 + 1e-3, 1e-3));
    EXPECT_EQ(tick_text(2e-9, 1e-9), "2e-09");
}

// A sheet of n x n squares, each of two triangles, z up by `height`.
struct Sheet {
    std::vector<Vec3> positions;
    std::vector<std::array<std::uint32_t, 3>> faces;
};
Sheet sheet(std::uint32_t n, double height) {
    Sheet made;
    for (std::uint32_t i = 0; i <= n; ++i) {
        for (std::uint32_t k = 0; k <= n; ++k)
            made.positions.push_back(
                {static_cast<double>(i) / n, height, static_cast<double>(k) / n});
    }
    const auto at = [n](std::uint32_t i, std::uint32_t k) { return i * (n + 1) + k; };
    for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t k = 0; k < n; ++k) {
            made.faces.push_back({at(i, k), at(i, k + 1), at(i + 1, k)});
            made.faces.push_back({at(i + 1, k), at(i, k + 1), at(i + 1, k + 1)});
        }
    }
    return made;
}

SceneShape shape_from(const Sheet& sheet) {
    SceneShape shape;
    for (const auto& face : sheet.faces)
        shape.faces.add(face);
    return shape;
}

TEST(Coarsened, KeepsTheLookWithFewerFaces) {
    const Sheet fine = sheet(60, 0.0);
    const SceneShape coarse = coarsened(shape_from(fine), fine.positions, 500);
    EXPECT_LE(coarse.faces.size(), 500U);
    EXPECT_GE(coarse.faces.size(), 100U);
    ASSERT_EQ(coarse.origin.size(), coarse.faces.size());
    double area = 0.0;
    for (std::size_t f = 0; f < coarse.faces.size(); ++f) {
        const auto face = coarse.faces[f];
        const Vec3& a = fine.positions[face[0]];
        area += 0.5 * norm(cross(fine.positions[face[1]] - a, fine.positions[face[2]] - a));
        EXPECT_LT(coarse.origin[f], fine.faces.size());
    }
    EXPECT_GT(area, 0.8);
    EXPECT_LT(area, 1.1);
}

TEST(Coarsened, LeavesSmallShapesAlone) {
    const Sheet small = sheet(4, 0.0);
    EXPECT_EQ(coarsened(shape_from(small), small.positions, 500).faces.size(), 32U);
}

// Long triangles do not vanish into cells; then only some of them are drawn.
TEST(Coarsened, BoundsASoupToo) {
    std::vector<Vec3> positions;
    SceneShape soup;
    for (std::uint32_t i = 0; i < 3000; ++i) {
        const double angle = 0.37 * i;
        positions.push_back({std::cos(angle), std::sin(angle), std::sin(3.1 * angle)});
        positions.push_back({-std::cos(angle), std::sin(1.7 * angle), 0.1});
        positions.push_back({0.2, -std::sin(angle), std::cos(angle)});
        soup.faces.add(std::array<std::uint32_t, 3>{3 * i, 3 * i + 1, 3 * i + 2});
        soup.lines.push_back({3 * i, 3 * i + 1});
        soup.dots.push_back(3 * i);
    }
    const SceneShape some = coarsened(soup, positions, 100);
    EXPECT_LE(some.faces.size(), 100U);
    EXPECT_GE(some.faces.size(), 50U);
    EXPECT_LE(some.lines.size(), 100U);
    EXPECT_LE(some.dots.size(), 100U);
}

TEST(Coarsened, HoldsWhatHasNoExtent) {
    SceneShape shape;
    const std::vector<Vec3> positions(300, Vec3{1, 1, 1});
    for (std::uint32_t i = 0; i < 100; ++i)
        shape.faces.add(std::array<std::uint32_t, 3>{3 * i, 3 * i + 1, 3 * i + 2});
    EXPECT_LE(coarsened(shape, positions, 10).faces.size(), 10U);
}

SeenFace seen(std::vector<Vec3> corners, std::string name) {
    const std::vector<bool> sides(corners.size(), true);
    return {std::move(corners), sides, std::move(name), false};
}

std::string order_of(std::vector<SeenFace> faces, double size) {
    std::string names;
    for (const SeenFace& face : in_paint_order(std::move(faces), size))
        names += face.css_class;
    return names;
}

// The middle of the floor is nearer to the eye than the small face that stands on its far part.
TEST(PaintOrder, ALargeFloorDoesNotHideWhatStandsOnIt) {
    const SeenFace floor = seen({{0, 0, 0}, {10, 0, 0}, {10, 5, -10}, {0, 5, -10}}, "f");
    const SeenFace small = seen({{5, 4.6, -9}, {6, 4.6, -9}, {6, 5.5, -9}}, "s");
    EXPECT_EQ(order_of({small, floor}, 10.0), "fs");
    EXPECT_EQ(order_of({floor, small}, 10.0), "fs");
}

// Two faces that run through each other: each is in front on one side.
TEST(PaintOrder, CutsFacesThatCrossEachOther) {
    const SeenFace flat = seen({{0, 0, 0}, {10, 0, 0}, {10, 10, 0}, {0, 10, 0}}, "a");
    const SeenFace leaning = seen({{0, 0, -5}, {10, 0, 5}, {10, 10, 5}, {0, 10, -5}}, "b");
    const std::string order = order_of({flat, leaning}, 10.0);
    EXPECT_TRUE(order == "aba" || order == "bab") << order;
    for (const SeenFace& face : in_paint_order({flat, leaning}, 10.0)) {
        ASSERT_EQ(face.corners.size(), face.is_side.size());
        if (face.corners.size() < 4) continue;
        const auto cuts = std::count(face.is_side.begin(), face.is_side.end(), false);
        EXPECT_LE(cuts, 1);
    }
}

TEST(PaintOrder, SmallFacesGoByDepthAndNothingIsLost) {
    std::vector<SeenFace> faces;
    for (int i = 0; i < 50; ++i) {
        const double z = (i * 7) % 50;
        faces.push_back(seen({{0.0, 0.0, z}, {0.1, 0.0, z}, {0.0, 0.1, z}}, "x"));
    }
    const std::vector<SeenFace> ordered = in_paint_order(std::move(faces), 100.0);
    ASSERT_EQ(ordered.size(), 50U);
    for (std::size_t i = 1; i < ordered.size(); ++i)
        EXPECT_LE(ordered[i - 1].corners[0].z, ordered[i].corners[0].z);
}

TEST(PaintOrder, HoldsFacesWithoutArea) {
    const SeenFace sliver = seen({{0, 0, 0}, {10, 0, 0}, {5, 0, 0}}, "s");
    const SeenFace point = seen({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, "p");
    const SeenFace line = seen({{0, 0, 2}, {9, 9, 2}}, "l");
    EXPECT_EQ(order_of({sliver, point, line, sliver}, 10.0).size(), 4U);
}

TEST(Clipped, KeepsWhatIsInsideTheSquare) {
    const SeenFace face = seen({{-100, -100, 1}, {100, -100, 1}, {0, 100, 1}}, "x");
    const SeenFace part = clipped(face, 0.0, 0.0, 2.0);
    ASSERT_GE(part.corners.size(), 3U);
    for (const Vec3& x : part.corners) {
        EXPECT_LE(std::abs(x.x), 2.0 + 1e-9);
        EXPECT_LE(std::abs(x.y), 2.0 + 1e-9);
    }
    EXPECT_TRUE(clipped(face, 900.0, 0.0, 2.0).corners.empty());
}

TEST(BestEye, LooksAtAContactFromTheSide) {
    for (const Vec3& normal : {Vec3{1, 0, 0}, Vec3{0, 0, 1}, Vec3{0.5, 0.0, 0.8660254037844386}}) {
        const Eye eye =
            best_eye({.place = {}, .across = {normal}, .size = 1.0, .has_place = false}, {});
        EXPECT_LT(std::abs(dot(eye.towards(), normal)), 0.6);
    }
}

// A wall stands between the usual place of the eye and the contact.
TEST(BestEye, LooksPastAWall) {
    const Eye usual;
    const Vec3 towards = usual.towards();
    const Vec3 right{std::cos(std::numbers::pi / 6), 0.0, -std::sin(std::numbers::pi / 6)};
    const Vec3 up{0, 1, 0};
    std::vector<Vec3> wall;
    FaceList faces;
    for (std::uint32_t layer = 0; layer < 3; ++layer) {
        const Vec3 middle = (0.5 + 0.1 * layer) * towards;
        for (const auto& [u, v] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}})
            wall.push_back(middle + 0.4 * u * right + 0.4 * v * up);
        faces.add(
            std::array<std::uint32_t, 4>{4 * layer, 4 * layer + 1, 4 * layer + 2, 4 * layer + 3});
    }
    const std::array<SightBody, 1> bodies = {SightBody{wall, &faces}};
    const Eye eye = best_eye({.place = {}, .across = {}, .size = 1.0, .has_place = true}, bodies);
    EXPECT_LT(dot(eye.towards(), towards), 0.95);
}

rigid::Polyhedron body_of(const io::PolygonMesh& mesh) {
    auto body = rigid::Polyhedron::build(mesh.positions, mesh.corner_counts(), mesh.corners());
    EXPECT_TRUE(body);
    return std::move(*body);
}

// B comes down on A.
const rigid::PairStep kFalling = {{{}, {}}, {{{}, {0.25, 3.0, 0.125}}, {{}, {0.25, 0.0, 0.125}}}};

rigid::ImpactResult found_between(const rigid::Polyhedron& a, const rigid::Polyhedron& b) {
    return first_impact(rigid::RigidBody(a), rigid::RigidBody(b), kFalling);
}

TEST(BodiesPicture, ShowsTheFirstContactAndSaysWhatIsWhat) {
    const rigid::Polyhedron cube = body_of(generate::cube());
    const rigid::Polyhedron torus = body_of(generate::torus());
    const std::string svg =
        bodies_svg({cube, torus, "c<ube.obj", "torus.obj", kFalling, found_between(cube, torus)},
                   panels_of({}, {}, 4));
    expect_good_picture(svg);
    for (const char* part : {"A: c&lt;ube.obj, 6 faces", "B: torus.obj, 300 faces",
                             "first contact, proved: t = ", ">start<", ">end<", "from near",
                             "normal of the contact", ">x<", ">y<", ">z<", "The eye is"})
        EXPECT_TRUE(holds(svg, part)) << part;
    EXPECT_FALSE(holds(svg, "coarser"));
}

TEST(BodiesPicture, SaysThatNothingTouches) {
    const rigid::Polyhedron cube = body_of(generate::cube());
    const rigid::PairStep apart = {{{}, {}}, {{{}, {5, 0, 0}}, {{}, {4, 0, 0}}}};
    const rigid::ImpactResult none =
        first_impact(rigid::RigidBody(cube), rigid::RigidBody(cube), apart);
    const std::string svg =
        bodies_svg({cube, cube, "a.obj", "b.obj", apart, none}, panels_of({}, {}, 4));
    expect_good_picture(svg);
    EXPECT_TRUE(holds(svg, "do not touch in the whole step"));
    EXPECT_FALSE(holds(svg, "from near"));
}

// What is undecided is not drawn as proved; and nothing is known of where it is.
TEST(BodiesPicture, SaysWhatIsNotDecided) {
    const rigid::Polyhedron cube = body_of(generate::cube());
    rigid::ImpactResult unresolved;
    unresolved.toi_lower = 0.5;
    DrawnBodies bodies{cube, cube, "a.obj", "b.obj", kFalling, unresolved};
    const std::string without_faces = bodies_svg(bodies, panels_of({}, {}, 4));
    expect_good_picture(without_faces);
    EXPECT_TRUE(holds(without_faces, "not decided"));
    bodies.first.contact.a = 3;
    bodies.first.contact.b = 2;
    const std::string with_faces = bodies_svg(bodies, panels_of({}, {}, 4));
    expect_good_picture(with_faces);
    EXPECT_TRUE(holds(with_faces, "unresolved from t = 0.5 on"));
    EXPECT_FALSE(holds(with_faces, "first contact, proved"));
}

TEST(BodiesPicture, OfManyFacesStaysSmallAndSaysSo) {
    const rigid::Polyhedron torus = body_of(generate::torus_of(100'000));
    rigid::ImpactResult touch;
    touch.verdict = Verdict::Contact;
    touch.toi_lower = touch.toi_upper = 0.4;
    touch.contact.a = 70;
    touch.contact.b = 90'000;
    std::vector<BodyPanel> panels = panels_of({}, {}, 4);
    for (int i = 0; i < 16; ++i)
        panels.insert(panels.end() - 1, {"more", 0.5, {}});
    const std::string svg = bodies_svg({torus, torus, "a.obj", "b.obj", kFalling, touch}, panels);
    expect_good_picture(svg);
    EXPECT_TRUE(holds(svg, "drawn coarser"));
}

TEST(ScreenPicture, OfManyPixelsStaysSmallAndSaysSo) {
    std::vector<rigid::RasterSearch::DrawnPixel> pixels;
    for (int r = 0; r < 1500; ++r) {
        for (int h = 0; h < 400; ++h)
            pixels.push_back({r, -3 * h, -3 * h, h % 2 == 0, false, false});
    }
    const std::string svg = screen_svg(pixels, {{10.0, -20.0, "a < b"}}, 0.01);
    expect_good_picture(svg);
    EXPECT_TRUE(holds(svg, "pixels as one"));
    EXPECT_TRUE(holds(svg, "a &lt; b"));
}

TEST(ScreenPicture, HasALegendAndLengthsAlongItsAxes) {
    const std::string svg =
        screen_svg({{0, 0, 4, true, false, false}, {99, -50, -50, false, true, false}}, {}, 0.01);
    expect_good_picture(svg);
    for (const char* part : {"edges of A", "vertices of B", "virtual edges",
                             "distance from the "
                             "axis",
                             ">0.4<", "A pixel is 0.01 long"})
        EXPECT_TRUE(holds(svg, part)) << part;
    EXPECT_FALSE(holds(svg, "pixels as one"));
    expect_good_picture(screen_svg({}, {}, 0.0));
}

// A sheet falls onto another one, corner first.
struct FallingSheet {
    explicit FallingSheet(std::uint32_t n) {
        const Sheet low = sheet(n, 0.0);
        pair.start = low.positions;
        pair.faces = low.faces;
        const auto count = static_cast<std::uint32_t>(low.positions.size());
        for (const auto& face : low.faces)
            pair.faces.push_back({face[0] + count, face[1] + count, face[2] + count});
        pair.end = pair.start;
        for (const Vec3& x : low.positions) {
            pair.start.push_back({x.x + 0.3, 0.7 + 0.5 * x.x, x.z + 0.2});
            pair.end.push_back({x.x + 0.3, -0.4 + 0.5 * x.x, x.z + 0.2});
        }
        mesh = *make_topology(pair.start.size(), pair.faces);
    }
    io::MeshPair pair;
    MeshTopology mesh;
};

MeshOutcome outcome_of(const FallingSheet& scene) {
    MeshStepper stepper(scene.mesh);
    MeshOutcome outcome;
    outcome.impacts = stepper.all_impacts(scene.pair.start, scene.pair.end)->impacts;
    const auto first = stepper.first_impact(scene.pair.start, scene.pair.end);
    outcome.first = first->impact;
    outcome.toi_lower = first->toi_lower;
    outcome.toi_upper = first->impact->result.toi_upper;
    return outcome;
}

TEST(StepPicture, ShowsWhatTouchesFirst) {
    const FallingSheet scene(3);
    const MeshOutcome outcome = outcome_of(scene);
    const std::string svg =
        step_svg({scene.pair, scene.mesh, outcome, 1.0, "start.obj", "e&nd.obj"});
    expect_good_picture(svg);
    for (const std::string& part :
         {std::string("from start.obj to e&amp;nd.obj"), std::string(">start<"),
          std::string(">end<"), std::string("first contact: t = 0.63"), std::string("from near"),
          impact_text(*outcome.first), std::string("class=\"p"), std::string("class=\"gh\""),
          std::string("pairs touch in the step")})
        EXPECT_TRUE(holds(svg, part)) << part;
    EXPECT_FALSE(holds(svg, "coarser"));
}

TEST(StepPicture, SaysThatNothingTouches) {
    const FallingSheet scene(2);
    const std::string svg = step_svg({scene.pair, scene.mesh, {}, 1.0, "s", "e"});
    expect_good_picture(svg);
    EXPECT_TRUE(holds(svg, "Nothing touches"));
    EXPECT_FALSE(holds(svg, "from near"));
}

TEST(StepPicture, OfManyFacesStaysSmallAndSaysSo) {
    const FallingSheet scene(160);
    MeshOutcome outcome;
    Impact impact;
    impact.kind = QueryKind::VertexFace;
    impact.a = static_cast<std::uint32_t>(scene.pair.start.size()) - 1;
    impact.b = 17;
    impact.result = {Verdict::Contact, 0.6, 0.6, 0};
    outcome.impacts = {impact};
    outcome.first = impact;
    outcome.toi_lower = outcome.toi_upper = 0.6;
    const std::string svg = step_svg({scene.pair, scene.mesh, outcome, 1.0, "s", "e"});
    expect_good_picture(svg);
    EXPECT_TRUE(holds(svg, "drawn coarser"));
}

// Lengths overflow; there is not much to see, and nothing that is no number.
TEST(StepPicture, HoldsTheLargestNumbers) {
    FallingSheet scene(2);
    for (const double factor : {1e-320, 1e155, 1.2e308}) {
        io::MeshPair pair = scene.pair;
        for (std::vector<Vec3>* positions : {&pair.start, &pair.end}) {
            for (Vec3& x : *positions)
                x = factor * x;
        }
        MeshOutcome outcome;
        outcome.first = Impact{QueryKind::EdgeEdge, 0, 20, {Verdict::Contact, 0.5, 0.5, 0}};
        outcome.impacts = {*outcome.first};
        expect_good_picture(step_svg({pair, scene.mesh, outcome, 1.0, "s", "e"}));
    }
}

// Thousands of triangles that all run through each other.
TEST(StepPicture, OfASoupStaysSmall) {
    io::MeshPair pair;
    for (std::uint32_t i = 0; i < 9000; ++i) {
        const double angle = 0.37 * i;
        pair.start.push_back({std::cos(angle), std::sin(angle), std::sin(3.1 * angle)});
        pair.start.push_back({-std::cos(angle), std::sin(1.7 * angle), 0.1});
        pair.start.push_back({0.2, -std::sin(angle), std::cos(angle)});
        pair.faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    pair.end = pair.start;
    const MeshTopology mesh = *make_topology(pair.start.size(), pair.faces);
    expect_good_picture(step_svg({pair, mesh, {}, 1.0, "s", "e"}));
}

// Loose edges and points have no face, and all may lie in one place.
TEST(StepPicture, DrawsEdgesAndPointsAndWhatHasNoExtent) {
    io::MeshPair pair;
    pair.start = {{0, 0, 0}, {1, 1, 0}, {0.5, 0.5, 1}};
    pair.end = {{0, 0, 0}, {1, 1, 0}, {0.5, 0.5, -1}};
    pair.edges = {{0, 1}};
    const MeshTopology mesh = *make_topology(3, pair.faces, pair.edges);
    MeshOutcome outcome;
    Impact impact;
    impact.kind = QueryKind::VertexEdge;
    impact.a = 2;
    impact.b = 0;
    impact.result = {Verdict::Contact, 0.5, 0.5, 0};
    outcome.first = impact;
    outcome.impacts = {impact};
    const std::string svg = step_svg({pair, mesh, outcome, 1.0, "s", "e"});
    expect_good_picture(svg);
    EXPECT_TRUE(holds(svg, "vertex 2, edge 0"));
    pair.start = pair.end = std::vector<Vec3>(3, Vec3{7, 7, 7});
    expect_good_picture(step_svg({pair, mesh, outcome, 1.0, "s", "e"}));
}

}  // namespace
}  // namespace graze::app

// Defends G-RIGID-2 (docs/GUARANTEES.md).
#include "graze/rigid/polyhedron.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graze/core/orientation.hpp"
#include "rigid/bodies.hpp"

namespace graze::rigid {
namespace {

using test::body_of;
using test::RandomPoses;

using Corners = std::vector<std::uint32_t>;

Expected<Polyhedron> triangles_of(std::vector<Vec3> positions, const Corners& corners) {
    return Polyhedron::build(std::move(positions), Corners(corners.size() / 3, 3), corners);
}

std::string message_of(std::vector<Vec3> positions, const Corners& counts, const Corners& corners) {
    const auto body = Polyhedron::build(std::move(positions), counts, corners);
    return body ? "" : body.error().message;
}

const std::vector<Vec3> kFour = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

TEST(Polyhedron, KnowsTheNeighboursOfACube) {
    const Polyhedron cube = body_of(generate::cube());
    EXPECT_EQ(cube.face_count(), 6U);
    EXPECT_EQ(cube.edges().size(), 12U);
    EXPECT_EQ(cube.triangles().size(), 12U);
    EXPECT_TRUE(cube.report().is_closed());
    EXPECT_EQ(cube.report().text(), "");
    for (std::size_t v = 0; v < 8; ++v) {
        EXPECT_EQ(cube.vertex_edges(v).size(), 3U);
        EXPECT_EQ(cube.vertex_faces(v).size(), 3U);
    }
    // Unit normals that point away from the middle.
    for (std::size_t f = 0; f < 6; ++f) {
        const Vec3& corner = cube.positions()[cube.face(f)[0]];
        EXPECT_EQ(norm(cube.normal(f)), 1.0);
        EXPECT_EQ(dot(cube.normal(f), corner), 0.5);
    }
}

// Everything that can be asked of a surface fits together, on surfaces of many kinds.
TEST(Polyhedron, EdgesFacesAndVerticesAgree) {
    for (const std::string_view name : generate::model_names()) {
        const Polyhedron body = body_of(*generate::model(name));
        for (std::size_t f = 0; f < body.face_count(); ++f) {
            const auto face = body.face(f);
            for (std::size_t i = 0; i < face.size(); ++i) {
                const PolyhedronEdge& edge = body.edges()[body.face_edges(f)[i]];
                const std::uint32_t from = face[i];
                const std::uint32_t to = face[(i + 1) % face.size()];
                EXPECT_EQ(edge.from, std::min(from, to));
                EXPECT_EQ(edge.to, std::max(from, to));
                EXPECT_EQ(from < to ? edge.left : edge.right, f);
                const auto faces = body.vertex_faces(from);
                EXPECT_EQ(std::count(faces.begin(), faces.end(), f), 1);
            }
        }
        const auto edges = body.edges();
        for (std::uint32_t e = 0; e < edges.size(); ++e) {
            for (const std::uint32_t v : {edges[e].from, edges[e].to}) {
                const auto at = body.vertex_edges(v);
                EXPECT_EQ(std::count(at.begin(), at.end(), e), 1);
            }
            if (e > 0) {
                EXPECT_LT(std::pair(edges[e - 1].from, edges[e - 1].to),
                          std::pair(edges[e].from, edges[e].to));
            }
        }
        std::size_t at_vertices = 0;
        for (std::size_t v = 0; v < body.positions().size(); ++v)
            at_vertices += body.vertex_edges(v).size();
        EXPECT_EQ(at_vertices, 2 * edges.size());
    }
}

TEST(Polyhedron, TrianglesCutFacesWithoutGapsAndTurnAsTheyDo) {
    for (const std::string_view name : generate::model_names()) {
        const Polyhedron body = body_of(*generate::model(name));
        const auto p = body.positions();
        std::vector<double> area(body.face_count(), 0.0);
        for (std::size_t i = 0; i < body.triangles().size(); ++i) {
            const auto& [a, b, c] = body.triangles()[i];
            const std::uint32_t f = body.face_of_triangle(i);
            const double part = 0.5 * dot(body.normal(f), cross(p[b] - p[a], p[c] - p[a]));
            EXPECT_GT(part, 0.0) << name;
            area[f] += part;
        }
        for (std::size_t f = 0; f < body.face_count(); ++f) {
            Vec3 sum;
            const auto face = body.face(f);
            for (std::size_t i = 0; i < face.size(); ++i)
                sum = sum + 0.5 * cross(p[face[i]], p[face[(i + 1) % face.size()]]);
            EXPECT_NEAR(area[f], dot(sum, body.normal(f)), 1e-12) << name;
        }
    }
}

TEST(Polyhedron, CountsOpenEdges) {
    const auto body = triangles_of(kFour, {0, 1, 2, 0, 3, 1});
    ASSERT_TRUE(body);
    EXPECT_EQ(body->report().open_edges, 4U);
    EXPECT_EQ(body->report().non_manifold_edges, 0U);
    EXPECT_FALSE(body->report().is_closed());
    for (const PolyhedronEdge& edge : body->edges()) {
        const bool inner = edge.from == 0 && edge.to == 1;
        EXPECT_EQ(edge.left == kNoFace || edge.right == kNoFace, !inner);
    }
    EXPECT_NE(body->report().text().find("4 open edges"), std::string::npos);
}

// Three triangles at one edge: two make a pair, the third stays alone.
TEST(Polyhedron, CountsEdgesOfMoreThanTwoFaces) {
    auto positions = kFour;
    positions.push_back({0, -1, 0});
    const auto body = triangles_of(positions, {0, 1, 2, 1, 0, 3, 1, 0, 4});
    ASSERT_TRUE(body);
    EXPECT_EQ(body->report().non_manifold_edges, 1U);
    EXPECT_EQ(body->report().open_edges, 6U);
    std::vector<PolyhedronEdge> shared;
    for (const PolyhedronEdge& edge : body->edges())
        if (edge.from == 0 && edge.to == 1) shared.push_back(edge);
    ASSERT_EQ(shared.size(), 2U);
    EXPECT_EQ(shared[0].left, 0U);
    EXPECT_EQ(shared[0].right, 1U);
    EXPECT_EQ(shared[1].left, kNoFace);
    EXPECT_EQ(shared[1].right, 2U);
    EXPECT_EQ(body->edges()[body->face_edges(2)[0]].right, 2U);
}

TEST(Polyhedron, CountsEdgesWhoseFacesDisagree) {
    const auto body = triangles_of(kFour, {0, 1, 2, 0, 1, 3});
    ASSERT_TRUE(body);
    EXPECT_EQ(body->report().non_manifold_edges, 1U);
    EXPECT_EQ(body->report().open_edges, 4U);
    EXPECT_EQ(body->edges().size(), 6U);
}

// Two cubes that share an edge: four faces there, in two pairs.
TEST(Polyhedron, PairsTheFacesOfAnEdgeOfFour) {
    auto mesh = test::joined(generate::cube(), test::moved(generate::cube(), 1.0, {1, 1, 0}));
    Corners corners = mesh.corners();
    for (std::uint32_t& corner : corners) {  // (0.5, 0.5, z): 3 and 7 of the first
        if (corner == 8) corner = 3;
        if (corner == 12) corner = 7;
    }
    const auto body = Polyhedron::build(mesh.positions, mesh.corner_counts(), corners);
    ASSERT_TRUE(body);
    EXPECT_EQ(body->report().non_manifold_edges, 1U);
    EXPECT_EQ(body->report().open_edges, 0U);
    EXPECT_EQ(body->report().repeated_vertices, 2U);
    EXPECT_EQ(body->report().unused_vertices, 2U);
    EXPECT_EQ(body->edges().size(), 24U);
    for (const PolyhedronEdge& edge : body->edges()) {
        EXPECT_NE(edge.left, kNoFace);
        EXPECT_NE(edge.right, kNoFace);
    }
}

TEST(Polyhedron, CountsBentAndFlatFacesAndOddVertices) {
    const std::vector<Vec3> positions = {{0, 0, 0}, {1, 0, 0},   {1, 1, 1e-5}, {0, 1, 0},
                                         {2, 0, 0}, {0.5, 0, 0}, {0, 0, -0.0}, {1, 1, 1e-7}};
    const auto bent = Polyhedron::build(positions, Corners{4, 3}, Corners{0, 1, 2, 3, 0, 4, 5});
    ASSERT_TRUE(bent);
    EXPECT_EQ(bent->report().bent_faces, 1U);
    EXPECT_EQ(bent->report().flat_faces, 1U);
    EXPECT_EQ(bent->normal(1), Vec3{});
    EXPECT_EQ(bent->report().repeated_vertices, 1U);
    EXPECT_EQ(bent->report().unused_vertices, 2U);
    const auto nearly = Polyhedron::build(positions, Corners{4}, Corners{0, 1, 7, 3});
    EXPECT_EQ(nearly->report().bent_faces, 0U);
}

io::PolygonMesh reversed(const io::PolygonMesh& mesh) {
    return test::joined({}, mesh, true);
}

TEST(Polyhedron, KnowsBodiesThatAreInsideOutAndTurnsThem) {
    const io::PolygonMesh cube = *generate::model("cube");
    EXPECT_TRUE(body_of(cube).report().is_oriented());
    const Polyhedron wrong = body_of(reversed(cube));
    EXPECT_TRUE(wrong.report().is_closed());
    EXPECT_FALSE(wrong.report().is_oriented());
    EXPECT_EQ(wrong.report().inside_out_parts, 1U);
    EXPECT_EQ(wrong.report().wrong_faces, 6U);
    EXPECT_EQ(wrong.report().text(), "1 part inside out, 6 faces wound the wrong way round");
    const Polyhedron right = wrong.oriented();
    EXPECT_EQ(right.report().text(), "");
    ASSERT_EQ(right.face_count(), 6U);
    for (std::size_t f = 0; f < 6; ++f) {
        EXPECT_EQ(right.normal(f), -1.0 * wrong.normal(f));
        EXPECT_EQ(right.face(f)[0], wrong.face(f)[0]);
    }
    EXPECT_TRUE(std::equal(right.edges().begin(), right.edges().end(), wrong.edges().begin(),
                           [](const PolyhedronEdge& a, const PolyhedronEdge& b) {
                               return a.from == b.from && a.to == b.to && a.left == b.right;
                           }));
}

TEST(Polyhedron, TurnsOnlyWhatIsWrong) {
    const io::PolygonMesh cube = *generate::model("cube");
    const io::PolygonMesh shell = test::moved(cube, 4.0);
    const io::PolygonMesh hollow = test::joined(shell, cube, true);
    EXPECT_EQ(body_of(hollow).report().text(), "");
    const Polyhedron solid = body_of(test::joined(shell, cube));
    EXPECT_EQ(solid.report().inside_out_parts, 1U);
    EXPECT_EQ(std::vector<std::uint32_t>(solid.wrong_faces().begin(), solid.wrong_faces().end()),
              (std::vector<std::uint32_t>{6, 7, 8, 9, 10, 11}));
    EXPECT_EQ(solid.oriented().report().text(), "");
}

TEST(Polyhedron, NormalsDoNotDependOnSizeOrPlace) {
    const double size[] = {0x1p-1060, 1e-200, 1e-10, 1.0, 1e10, 1e200, 0x1p+1022};
    for (const double s : size) {
        const auto body = triangles_of({{0, 0, 0}, {s, 0, 0}, {0, s, s}}, {0, 1, 2});
        EXPECT_EQ(body->report().flat_faces, 0U) << s;
        EXPECT_NEAR(body->normal(0).y, -std::sqrt(0.5), 1e-15) << s;
        EXPECT_NEAR(body->normal(0).z, std::sqrt(0.5), 1e-15) << s;
    }
    // From end to end of the range: the differences would overflow.
    const double most = std::numeric_limits<double>::max();
    const auto widest =
        triangles_of({{-most, -most, 0}, {most, -most, 0}, {most, most, 0}}, {0, 1, 2});
    EXPECT_EQ(widest->normal(0), (Vec3{0.0, 0.0, 1.0}));
    const auto far = triangles_of({{1e8, 0, 0}, {1e8 + 1, 0, 0}, {1e8, 1, 0}}, {0, 1, 2});
    EXPECT_EQ(far->normal(0), (Vec3{0.0, 0.0, 1.0}));
}

TEST(Polyhedron, TheBallHoldsAllPositions) {
    RandomPoses random(20);
    for (const std::string_view name : generate::model_names()) {
        const Polyhedron body = body_of(
            test::moved(*generate::model(name), random.uniform(0.1, 10.0), random.vector()));
        double farthest = 0.0;
        for (const Vec3& p : body.positions()) {
            const long double x = static_cast<long double>(p.x) - body.centre().x;
            const long double y = static_cast<long double>(p.y) - body.centre().y;
            const long double z = static_cast<long double>(p.z) - body.centre().z;
            const long double radius = body.radius();
            EXPECT_LE(x * x + y * y + z * z, radius * radius);
            farthest = std::max(farthest, static_cast<double>(std::sqrt(x * x + y * y + z * z)));
        }
        EXPECT_LE(body.radius(), farthest * (1.0 + 1e-15));
    }
}

TEST(Polyhedron, RefusesWhatIsNoSurfaceAndNamesThePlace) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(message_of(kFour, {3}, {0, 1, 2}), "");
    EXPECT_EQ(message_of(kFour, {}, {}), "no face");
    EXPECT_NE(message_of(kFour, {3, 2}, {0, 1, 2, 0, 1}).find("face 1: 2 corners"),
              std::string::npos);
    EXPECT_NE(message_of(kFour, {3, 3}, {0, 1, 2, 0, 1, 4}).find("face 1: corner 2 names vertex 4"),
              std::string::npos);
    EXPECT_NE(message_of(kFour, {3}, {0, 1, 1}).find("face 0: vertex 1 twice"), std::string::npos);
    EXPECT_NE(message_of(kFour, {3}, {0, 1, 0}).find("face 0: vertex 0 twice"), std::string::npos);
    EXPECT_NE(message_of(kFour, {3}, {0, 1, 2, 3}).find("3 corners, but 4"), std::string::npos);
    EXPECT_NE(message_of(kFour, {4}, {0, 1, 2}).find("4 corners, but 3"), std::string::npos);
    EXPECT_NE(message_of({{0, 0, 0}, {1, kNan, 0}}, {3}, {0, 1, 0}).find("vertex 1"),
              std::string::npos);
}

// 300,000 faces; a map of maps or a quadratic search would not end in a test.
TEST(Polyhedron, BuildsLargeSurfaces) {
    const io::PolygonMesh mesh = generate::torus_of(150'000);
    const Polyhedron body = body_of(mesh);
    EXPECT_EQ(body.edges().size(), 2 * body.face_count());
    EXPECT_TRUE(body.report().is_closed());
}

// --- Exact orientation ---------------------------------------------------------------------------

// Points on a line, and one ulp off it: no rounding may hide which.
TEST(Turn, IsExactNextToALine) {
    RandomPoses random(21);
    for (int i = 0; i < 20000; ++i) {
        const double s = std::ldexp(1.0, random.integer(-500, 500));
        // a + k d with integers: exact.
        const auto whole = [&](int low, int high) { return s * random.integer(low, high); };
        const Point2 a{whole(-1000000, 1000000), whole(-1000000, 1000000)};
        const double dx = whole(1, 1000);
        const double dy = whole(1, 1000);
        const int j = random.integer(1, 1000);
        const int k = random.integer(1001, 2000);
        const Point2 b{a.x + j * dx, a.y + j * dy};
        Point2 c{a.x + k * dx, a.y + k * dy};
        EXPECT_EQ(turn(a, b, c), 0);
        c.y = std::nextafter(c.y, 1e300);
        EXPECT_EQ(turn(a, b, c), 1);
        EXPECT_EQ(turn(b, a, c), -1);
        EXPECT_EQ(turn(c, a, b), 1);
    }
    EXPECT_EQ(turn({-1e308, -1e308}, {1e308, 1e308}, {0.0, 0.0}), 0);
    EXPECT_EQ(turn({-1e308, -1e308}, {1e308, 1e308}, {0.0, 5e-324}), 1);
    EXPECT_EQ(turn({0.0, 0.0}, {5e-324, 0.0}, {0.0, 5e-324}), 1);
}

// Corners drawn at random cross themselves all over: hardly an ear, and all corners to look at.
TEST(Polyhedron, GivesUpOnPolygonsThatWouldTakeMinutes) {
    RandomPoses random(24);
    std::vector<Vec3> positions;
    Corners corners;
    for (std::uint32_t i = 0; i < 40000; ++i) {
        positions.push_back({random.normal(), random.normal(), 0.0});
        corners.push_back(i);
    }
    const std::string message = message_of(positions, {40000}, corners);
    EXPECT_NE(message.find("face 0: 40000 corners that are too far from convex"),
              std::string::npos);
}

TEST(Polyhedron, ErrorsHaveACodeAndTheVertexOrFaceAtFault) {
    const std::vector<Vec3> positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    using Code = std::pair<ErrorCode, std::optional<std::size_t>>;
    const auto code_of = [](const std::vector<Vec3>& at, const Corners& counts,
                            const Corners& corners) {
        const auto body = Polyhedron::build(at, counts, corners);
        EXPECT_FALSE(body);
        return body ? Code() : Code(body.error().code, body.error().index);
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(code_of({{0, 0, 0}, {nan, 0, 0}}, {3}, {0, 1, 1}), Code(ErrorCode::NotFinite, 1));
    EXPECT_EQ(code_of(positions, {3, 2}, {0, 1, 2, 0, 1}), Code(ErrorCode::WrongSize, 1));
    EXPECT_EQ(code_of(positions, {3}, {0, 1, 3}), Code(ErrorCode::IndexOutOfRange, 0));
    EXPECT_EQ(code_of(positions, {3}, {0, 1, 1}), Code(ErrorCode::InvalidInput, 0));
    EXPECT_EQ(code_of(positions, {}, {}), Code(ErrorCode::WrongSize, std::nullopt));
}

// --- Cones of faces (docs/derivations/rigid_raster.md, RR-8) --------------------------------------

double angle_either_way(const Vec3& a, const Vec3& b) {
    return std::asin(std::min(1.0, norm(cross(a, b))));
}

// By random directions: normals that a vertex can have, with all its edges above `least`, and those
// of faces at its vertices.
void expect_cones_hold(const Polyhedron& body, double least, unsigned seed) {
    test::RandomPoses random(seed);
    for (std::size_t f = 0; f < body.face_count(); ++f) {
        const FaceCone& cone = body.cone(f);
        if (!(cone.faces < 3.0F)) continue;
        const double sine = (std::max(0.0, -least) + double{cone.slope}) * double{cone.gain};
        const double limit = sine < 1.0 ? cone.tilt + std::asin(sine) : 2.0;
        for (const std::uint32_t v : body.face(f)) {
            for (const std::uint32_t g : body.vertex_faces(v))
                EXPECT_LE(angle_either_way(body.normal(f), body.normal(g)), cone.faces);
            for (int i = 0; i < 40; ++i) {
                const Vec3 d = body.normal(f) + random.uniform(0.0, 1.0) * random.vector();
                const Vec3 n = (1.0 / norm(d)) * d;
                double lowest = 1.0;
                for (const std::uint32_t e : body.vertex_edges(v)) {
                    const PolyhedronEdge& edge = body.edges()[e];
                    const std::uint32_t other = edge.from == v ? edge.to : edge.from;
                    const Vec3 along = body.positions()[other] - body.positions()[v];
                    lowest = std::min(lowest, dot(along, n) / norm(along));
                }
                if (lowest < least) continue;
                EXPECT_LE(angle_either_way(body.normal(f), n), limit + 1e-9);
            }
        }
    }
}

TEST(FaceCones, HoldEveryNormalThatAVertexCanMeetNotTooImproperly) {
    for (const double least : {-0.5, -0.1, 0.0}) {
        expect_cones_hold(test::body_of(generate::torus_of(300)), least, 1);
        expect_cones_hold(test::body_of(generate::sphere(2)), least, 2);
        expect_cones_hold(test::body_of(generate::screw_thread()), least, 3);
        expect_cones_hold(test::body_of(generate::car()), least, 4);
    }
}

TEST(FaceCones, AreNarrowOnASmoothBody) {
    const Polyhedron torus = test::body_of(generate::torus_of(10'000));
    for (std::size_t f = 0; f < torus.face_count(); ++f) {
        EXPECT_LT(torus.cone(f).faces, 0.2F);
        EXPECT_LT(torus.cone(f).gain, 2.0F);
    }
}

TEST(FaceCones, KnowNothingWhereTheSurfaceIsOpen) {
    const auto sheet =
        Polyhedron::build({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, std::vector<std::uint32_t>{3},
                          std::vector<std::uint32_t>{0, 1, 2});
    ASSERT_TRUE(sheet);
    EXPECT_GE(sheet->cone(0).faces, 3.14F);
}

TEST(Polyhedron, SpatialOrderListsEveryFaceOnce) {
    const Polyhedron torus = test::body_of(generate::torus_of(1'000));
    std::vector<std::uint32_t> order(torus.spatial_order().begin(), torus.spatial_order().end());
    std::sort(order.begin(), order.end());
    ASSERT_EQ(order.size(), torus.face_count());
    for (std::uint32_t f = 0; f < order.size(); ++f)
        EXPECT_EQ(order[f], f);
}

}  // namespace
}  // namespace graze::rigid

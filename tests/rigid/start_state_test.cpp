// Defends G-RIGID-1 (docs/GUARANTEES.md).
#include "graze/rigid/start_state.hpp"

#include <atomic>
#include <cfenv>
#include <cmath>
#include <limits>

#include "rigid/bodies.hpp"
#include "rigid/exact_frame.hpp"
#include "rigid/near_frame.hpp"

namespace graze::rigid {
namespace {

using generate::cube;
using test::body_of;
using test::joined;
using test::moved;
using test::RandomPoses;

using Triangle = std::array<Vec3, 3>;

// Both orders of the bodies, and the surfaces alone, must agree.
StartState state_of(const Polyhedron& a, const Pose& pose_a, const Polyhedron& b,
                    const Pose& pose_b) {
    const StartState state = start_state(a, pose_a, b, pose_b);
    StartState mirrored = start_state(b, pose_b, a, pose_a);
    if (mirrored == StartState::AInsideB) {
        mirrored = StartState::BInsideA;
    } else if (mirrored == StartState::BInsideA) {
        mirrored = StartState::AInsideB;
    }
    EXPECT_EQ(state, mirrored);
    const auto shares = surfaces_share_a_point(a, pose_a, b, pose_b);
    EXPECT_EQ(shares.has_value(), state != StartState::Unresolved);
    EXPECT_EQ(shares.value_or(false), state == StartState::Contact);
    return state;
}

Pose at(double x, double y, double z, const Quaternion& q = {}) {
    return {q, {x, y, z}};
}

// --- Cubes that touch exactly --------------------------------------------------------------------

// Quaternions that turn a cube into itself, of several lengths.
const std::vector<Quaternion> kCubeTurns = {
    {1, 0, 0, 0}, {0.5, 0.5, 0.5, 0.5}, {1, 1, 1, 1},        {-3, 3, 3, -3},          {1, 1, 0, 0},
    {0, 0, 1, 0}, {0, 1, 1, 0},         {0.25, 0, 0, -0.25}, {0x1p-30, 0, 0x1p-30, 0}};

TEST(StartState, CubesThatShareAFaceAnEdgeOrACornerTouch) {
    const Polyhedron body = body_of(cube());
    for (const Quaternion& q : kCubeTurns) {
        for (const Quaternion& p : kCubeTurns) {
            const Pose fixed = {p, {}};
            EXPECT_EQ(state_of(body, fixed, body, at(1, 0, 0, q)), StartState::Contact);
            EXPECT_EQ(state_of(body, fixed, body, at(0, -1, 0.25, q)), StartState::Contact);
            EXPECT_EQ(state_of(body, fixed, body, at(1, 1, 0.5, q)), StartState::Contact);
            EXPECT_EQ(state_of(body, fixed, body, at(1, -1, 1, q)), StartState::Contact);
        }
    }
}

TEST(StartState, OneUlpDecides) {
    const Polyhedron body = body_of(cube());
    const double more = std::nextafter(1.0, 2.0);
    const double less = std::nextafter(1.0, 0.0);
    for (const Quaternion& q : kCubeTurns) {
        EXPECT_EQ(state_of(body, {}, body, at(more, 0, 0, q)), StartState::Separated);
        EXPECT_EQ(state_of(body, {}, body, at(less, 0, 0, q)), StartState::Contact);
        EXPECT_EQ(state_of(body, {}, body, at(1, more, 0, q)), StartState::Separated);
        EXPECT_EQ(state_of(body, {}, body, at(1, 1, more, q)), StartState::Separated);
        EXPECT_EQ(state_of(body, {}, body, at(less, 1, 1, q)), StartState::Contact);
        // Far away from the origin, where an ulp is larger.
        const Pose far = at(1e6, 1e6, 1e6, q);
        EXPECT_EQ(state_of(body, far, body, at(1e6 + 1, 1e6 + 1, 1e6 - 1)), StartState::Contact);
        EXPECT_EQ(state_of(body, far, body, at(std::nextafter(1e6 + 1, 1e7), 1e6, 1e6)),
                  StartState::Separated);
        // Less than any box in floating point tells, about 1: 2^-80.
        EXPECT_EQ(state_of(body, at(0x1p-80, 0, 0, q), body, at(1, 0, 0)), StartState::Contact);
        EXPECT_EQ(state_of(body, at(-0x1p-80, 0, 0, q), body, at(1, 0, 0)), StartState::Separated);
    }
}

// (4 +- 3k) / 5: a turn whose matrix has the entries 7/25 and 24/25. The corner that is farthest
// along x is at (7 + 24) / 50 = 0.62, which no double is: the double next to it decides.
TEST(StartState, ARationalTurnIsNotRounded) {
    const Polyhedron body = body_of(cube());
    const Quaternion q = {4, 0, 0, 3};
    const Quaternion mirrored = {4, 0, 0, -3};
    const Polyhedron wall = body_of(moved(cube(), 1.0, {-0.5, 0, 0}));  // up to x = 0
    const double nearest = 0.62;
    const bool is_below = static_cast<long double>(nearest) < 31.0L / 50.0L;
    for (const Quaternion& turn : {q, mirrored}) {
        EXPECT_EQ(state_of(wall, {}, body, at(nearest, 0, 0, turn)),
                  is_below ? StartState::Contact : StartState::Separated);
        EXPECT_EQ(state_of(wall, {}, body, at(std::nextafter(nearest, 0.0), 0, 0, turn)),
                  StartState::Contact);
        EXPECT_EQ(state_of(wall, {}, body, at(std::nextafter(nearest, 1.0), 0, 0, turn)),
                  StartState::Separated);
    }
}

// --- Inside --------------------------------------------------------------------------------------

TEST(StartState, ABodyInsideAnotherIsToldFromOneBeside) {
    const Polyhedron large = body_of(cube());
    const Polyhedron small = body_of(moved(cube(), 0.25));
    RandomPoses random(30);
    for (int i = 0; i < 200; ++i) {
        const Pose frame = {random.rotation(), random.vector()};
        const Vec3 inside = {random.uniform(-0.25, 0.25), random.uniform(-0.25, 0.25),
                             random.uniform(-0.25, 0.25)};
        const Pose there = compose(frame, {random.rotation(), inside});
        EXPECT_EQ(state_of(small, there, large, frame), StartState::AInsideB);
        const Pose beside = compose(frame, {random.rotation(), inside + Vec3{0.0, 1.25, 0.0}});
        EXPECT_EQ(state_of(small, beside, large, frame), StartState::Separated);
    }
}

// Rays through corners and edges: the octahedron's and the cube's own vertices are in line with the
// middle along x, and the cut of the cube's faces runs through it.
TEST(StartState, RaysThroughCornersAndEdgesCountOnce) {
    io::PolygonMesh octahedron;
    octahedron.positions = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (const auto& [a, b, c] : std::vector<std::array<std::uint32_t, 3>>{{0, 2, 4},
                                                                           {2, 1, 4},
                                                                           {1, 3, 4},
                                                                           {3, 0, 4},
                                                                           {2, 0, 5},
                                                                           {1, 2, 5},
                                                                           {3, 1, 5},
                                                                           {0, 3, 5}}) {
        for (const std::uint32_t v : {a, b, c})
            octahedron.polygons.add_corner(v);
        octahedron.polygons.close();
    }
    const Polyhedron outer = body_of(octahedron);
    ASSERT_TRUE(outer.report().is_closed());
    for (const double s : {0.125, 0.25}) {
        // Each vertex in turn is the first, from which the ray starts.
        for (std::size_t first = 0; first < 6; ++first) {
            auto mesh = moved(octahedron, s);
            const Vec3 offset = -1.0 * mesh.positions[first];
            for (Vec3& p : mesh.positions)
                p = p + offset;
            const Polyhedron inner = body_of(mesh);
            EXPECT_EQ(state_of(inner, {}, outer, {}), StartState::AInsideB) << first;
            for (const Vec3& shift : {Vec3{-2, 0, 0}, Vec3{-2, 0.5, 0}, Vec3{2, 0, 0},
                                      Vec3{-1.5, 0, 1}, Vec3{-1.5, 1, 0}, Vec3{-2, 0.25, 0.25}})
                EXPECT_EQ(state_of(inner, {{}, shift}, outer, {}), StartState::Separated) << first;
        }
    }
    const Polyhedron body = body_of(cube());
    const Polyhedron small = body_of(moved(cube(), 0.5));
    EXPECT_EQ(state_of(small, {}, body, {}), StartState::AInsideB);
    for (const double x : {-1.0, 1.0})
        for (const double y : {-0.75, -0.25, 0.0, 0.25, 0.75})
            EXPECT_EQ(state_of(small, at(x, y, 0), body, {}), StartState::Separated);
}

TEST(StartState, TheHoleOfATorusIsOutsideAndItsTubeInside) {
    const Polyhedron torus = body_of(generate::torus());
    const Polyhedron small = body_of(moved(cube(), 0.125));
    EXPECT_EQ(state_of(torus, {}, small, {}), StartState::Separated);
    EXPECT_EQ(state_of(torus, {}, small, at(1, 0, 0)), StartState::BInsideA);
    EXPECT_EQ(state_of(torus, {}, small, at(-0.7, 0, 0.7)), StartState::BInsideA);
    EXPECT_EQ(state_of(torus, {}, small, at(0, 0.39, 1)), StartState::Contact);
    EXPECT_EQ(state_of(torus, {}, torus, at(1, 0, 0, {1, 1, 0, 0})),
              StartState::Separated);  // linked
}

TEST(StartState, ACavityIsOutsideAndOverlappingShellsAreInside) {
    const Polyhedron small = body_of(moved(cube(), 0.125));
    const Polyhedron hollow = body_of(joined(cube(), moved(cube(), 0.5), true));
    EXPECT_EQ(state_of(hollow, {}, small, {}), StartState::Separated);
    EXPECT_EQ(state_of(hollow, {}, small, at(0.375, 0, 0)), StartState::BInsideA);
    const Polyhedron twice = body_of(joined(cube(), moved(cube(), 0.5)));
    EXPECT_EQ(state_of(twice, {}, small, {}), StartState::BInsideA);
}

// More shells than are looked at one by one: a tree of rays must say the same. Stones lie in the
// hole of a torus, where none is inside and all rays go through the tube, and one within the tube.
TEST(StartState, EveryShellIsLookedAt) {
    const Polyhedron torus = body_of(generate::torus());
    for (const int count : {1, 2, 8, 9, 40}) {
        for (int hidden = -1; hidden < count; hidden += 3) {
            io::PolygonMesh gravel;
            for (int i = 0; i < count; ++i) {
                const Vec3 place = i == hidden ? Vec3{-0.7, 0.01 * i, 0.7}
                                               : Vec3{0.2 - 0.01 * i, 0.005 * i, 0.3 - 0.01 * i};
                const auto stone = moved(generate::tetrahedron(), 0x1p-10, place);
                gravel = i == 0 ? stone : joined(gravel, stone);
            }
            const Polyhedron stones = body_of(gravel);
            EXPECT_EQ(state_of(stones, {}, torus, {}),
                      hidden >= 0 ? StartState::AInsideB : StartState::Separated)
                << count << " " << hidden;
        }
    }
}

TEST(StartState, AnOpenSurfaceHasNoInsideButCanTouch) {
    const io::PolygonMesh whole = cube();
    const Polyhedron small = body_of(moved(cube(), 0.25));
    for (std::size_t left_out = 0; left_out < 6; ++left_out) {
        io::PolygonMesh mesh;
        mesh.positions = whole.positions;
        for (std::size_t f = 0; f < 6; ++f) {
            if (f == left_out) continue;
            for (const std::uint32_t v : whole.polygons[f])
                mesh.polygons.add_corner(v);
            mesh.polygons.close();
        }
        const Polyhedron box = body_of(mesh);
        ASSERT_FALSE(box.report().is_closed());
        EXPECT_EQ(state_of(box, {}, small, {}), StartState::Separated) << left_out;
        // The last two faces are at x = -1/2 and 1/2.
        EXPECT_EQ(state_of(box, {}, small, at(-0.5, 0, 0)),
                  left_out == 4 ? StartState::Separated : StartState::Contact);
        EXPECT_EQ(state_of(box, {}, small, at(0.5, 0, 0)),
                  left_out == 5 ? StartState::Separated : StartState::Contact);
    }
}

TEST(StartState, CrossingBodiesTouch) {
    RandomPoses random(31);
    const Polyhedron car = body_of(generate::car());
    const Polyhedron comb = body_of(generate::comb(6));
    for (int i = 0; i < 100; ++i) {
        const Vec3 middle = {random.uniform(-2.0, 2.0), 0.5, random.uniform(-0.8, 0.8)};
        EXPECT_EQ(state_of(car, {}, comb, {random.rotation(), middle}), StartState::Contact);
    }
}

TEST(StartState, CombsFitBetweenEachOthersTeeth) {
    const Polyhedron comb = body_of(generate::comb(6));
    // Turned over about z, and moved so that tooth meets gap: teeth are 0.4375 wide.
    const Quaternion over = {0, 0, 0, 1};
    const double width = 0.4375;
    for (const double side : {-0.0625, 0.0, 0.0625}) {
        const Pose pose = at(5.5 + width + side, 2.25, 0, over);
        EXPECT_EQ(state_of(comb, {}, comb, pose),
                  side == 0.0 ? StartState::Separated : StartState::Contact);
    }
}

TEST(StartState, AScrewTurnsFreelyInItsHoleAndOnlyByItsOwnLead) {
    const Polyhedron bolt = body_of(generate::screw_thread());
    const Polyhedron nut = body_of(generate::threaded_hole());
    const double lead = generate::ThreadShape{}.lead;
    for (const double angle : {-2.0, -0.5, 0.01, 0.1, 0.7, 1.9, 3.1}) {
        const Quaternion turn = rotation_about({0, 1, 0}, angle);
        const double rise = lead * angle / (2.0 * M_PI);
        EXPECT_EQ(state_of(bolt, at(0, rise, 0, turn), nut, {}), StartState::Separated) << angle;
        if (std::fabs(angle) < 0.4) continue;
        EXPECT_EQ(state_of(bolt, at(0, 0, 0, turn), nut, {}), StartState::Contact) << angle;
        EXPECT_EQ(state_of(bolt, at(0, rise, 0), nut, {}), StartState::Contact) << angle;
        if (std::fabs(angle) > 2.5) continue;  // two halves of a turn make a whole one
        EXPECT_EQ(state_of(bolt, at(0, -rise, 0, turn), nut, {}), StartState::Contact) << angle;
    }
}

TEST(StartState, LargeBodiesAreDecidedInNearlyLinearTime) {
    const Polyhedron torus = body_of(generate::torus_of(30'000));
    EXPECT_EQ(start_state(torus, {}, torus, at(0.1, 0.05, 0)), StartState::Contact);
    EXPECT_EQ(start_state(torus, {}, torus, at(1, 0, 0, {1, 1, 0, 0})), StartState::Separated);
    EXPECT_EQ(start_state(torus, {}, torus, at(0, 0.9, 0)), StartState::Separated);
}

// --- What cannot be decided ----------------------------------------------------------------------

TEST(StartState, IsUnknownWhereNothingCanBeProved) {
    const Polyhedron body = body_of(cube());
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInf = std::numeric_limits<double>::infinity();
    for (const double x : {kNan, kInf, -kInf}) {
        EXPECT_EQ(state_of(body, {}, body, at(x, 0, 0)), StartState::Unresolved);
        EXPECT_EQ(state_of(body, {}, body, at(0, 0, 0, {1, 0, x, 0})), StartState::Unresolved);
    }
    EXPECT_EQ(state_of(body, {}, body, at(0, 0, 0, {0, 0, 0, 0})), StartState::Unresolved);
}

TEST(StartState, DoesNotDependOnTheRoundingModeOfTheThread) {
    const Polyhedron body = body_of(cube());
    std::fesetround(FE_UPWARD);
    const StartState upward = start_state(body, {}, body, at(0.5, 0, 0));
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(upward, StartState::Contact);
}

TEST(StartState, TheLengthOfQuaternionsDoesNotMatter) {
    const Polyhedron body = body_of(cube());
    const auto times = [](const Quaternion& q, double s) {
        return Quaternion{s * q.w, s * q.x, s * q.y, s * q.z};
    };
    const Quaternion p = {1, 1, -1, -1};
    const Quaternion q = {1, 0, -1, 1};
    EXPECT_EQ(
        state_of(body, at(0, 0, 0, times(p, 0x1p+161)), body, at(0.5, 0, 0, times(q, 0x1p+360))),
        StartState::Contact);
    for (const double s : {0x1p+161, 0x1p-161, 0x1p+1020, 0x1p-1020, 0x1p-1074}) {
        for (const double r : {0x1p+360, 0x1p-700, 1.0, 0x1p-1074}) {
            const Quaternion a = times(p, s);
            const Quaternion b = times(q, r);
            for (const double x : {0.1, 0.9, 1.3, 1.9, 40.0}) {
                EXPECT_EQ(state_of(body, at(0, 0, 0, a), body, at(x, 0.1, 0.2, b)),
                          state_of(body, at(0, 0, 0, p), body, at(x, 0.1, 0.2, q)))
                    << s << " " << r << " " << x;
            }
        }
    }
    // Parts that are 2^2000 apart: no double holds both at any one scale.
    const Quaternion odd = {0x1p+1000, 0x1p-1000, 0.0, 0.0};
    EXPECT_EQ(state_of(body, at(0, 0, 0, odd), body, at(2.5, 0, 0)), StartState::Separated);
    EXPECT_EQ(state_of(body, at(0, 0, 0, odd), body, at(0.5, 0, 0)), StartState::Contact);
}

TEST(StartState, IsUnknownAfterAStop) {
    const Polyhedron ball = body_of(generate::sphere(3));
    const std::atomic<bool> stop = true;
    EXPECT_EQ(start_state(ball, {}, ball, at(0.5, 0, 0), StopToken(stop)), StartState::Unresolved);
    EXPECT_EQ(start_state(ball, {}, ball, at(5, 0, 0), StopToken(stop)), StartState::Separated);
}

TEST(StartState, HasNames) {
    EXPECT_EQ(name(StartState::Separated), "apart");
    EXPECT_EQ(name(StartState::Contact), "touching");
    EXPECT_EQ(name(StartState::AInsideB), "a-inside-b");
    EXPECT_EQ(name(StartState::BInsideA), "b-inside-a");
    EXPECT_EQ(name(StartState::Unresolved), "unknown");
}

// --- Two triangles, against another algorithm ----------------------------------------------------

// Whole numbers that are small enough for 64 bits.
using Whole = std::array<long long, 3>;

Whole minus(const Whole& a, const Whole& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Whole cross(const Whole& a, const Whole& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
long long dot(const Whole& a, const Whole& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
bool is_zero(const Whole& a) {
    return a == Whole{};
}
int sign(long long x) {
    return (x > 0) - (x < 0);
}

// The origin in the convex hull of two points, of three, of four.
bool holds_origin(const Whole& a, const Whole& b) {
    return is_zero(cross(a, b)) && dot(a, b) <= 0;
}
bool holds_origin(const Whole& a, const Whole& b, const Whole& c) {
    const Whole n = cross(minus(b, a), minus(c, a));
    if (is_zero(n) || dot(n, a) != 0) return false;
    const int ab = sign(dot(n, cross(a, b)));
    const int bc = sign(dot(n, cross(b, c)));
    const int ca = sign(dot(n, cross(c, a)));
    return ab >= 0 && bc >= 0 && ca >= 0;
}
bool holds_origin(const Whole& a, const Whole& b, const Whole& c, const Whole& d) {
    const int volume = sign(dot(minus(b, a), cross(minus(c, a), minus(d, a))));
    if (volume == 0) return false;
    // The same sign with each corner replaced by the origin.
    return volume * sign(dot(b, cross(c, d))) >= 0 && volume * sign(dot(a, cross(c, d))) <= 0 &&
           volume * sign(dot(a, cross(b, d))) >= 0 && volume * sign(dot(a, cross(b, c))) <= 0;
}

// Convex sets meet iff the hull of all differences holds the origin; and a hull holds a point iff
// the hull of at most four of its corners that are no closer related does (Caratheodory).
bool hulls_meet(const std::array<Whole, 3>& a, const std::array<Whole, 3>& b) {
    std::vector<Whole> d;
    for (const Whole& p : a)
        for (const Whole& q : b)
            d.push_back(minus(p, q));
    for (std::size_t i = 0; i < 9; ++i) {
        if (is_zero(d[i])) return true;
        for (std::size_t j = 0; j < i; ++j) {
            if (holds_origin(d[i], d[j])) return true;
            for (std::size_t k = 0; k < j; ++k) {
                if (holds_origin(d[i], d[j], d[k])) return true;
                for (std::size_t l = 0; l < k; ++l)
                    if (holds_origin(d[i], d[j], d[k], d[l])) return true;
            }
        }
    }
    return false;
}

Whole times_matrix(const std::array<int, 4>& q, const Whole& v) {
    const long long w = q[0], x = q[1], y = q[2], z = q[3];
    return {(w * w + x * x - y * y - z * z) * v[0] + 2 * (x * y - w * z) * v[1] +
                2 * (x * z + w * y) * v[2],
            2 * (x * y + w * z) * v[0] + (w * w - x * x + y * y - z * z) * v[1] +
                2 * (y * z - w * x) * v[2],
            2 * (x * z - w * y) * v[0] + 2 * (y * z + w * x) * v[1] +
                (w * w - x * x - y * y + z * z) * v[2]};
}

struct WholeBody {
    std::array<int, 4> q;
    Whole t;
    std::array<Whole, 3> corners;

    [[nodiscard]] long long length_sq() const {
        return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    }
    // In the world, times the squared lengths of both quaternions.
    [[nodiscard]] std::array<Whole, 3> placed(long long other_length_sq) const {
        std::array<Whole, 3> result;
        for (std::size_t i = 0; i < 3; ++i) {
            const Whole turned = times_matrix(q, corners[i]);
            for (std::size_t axis = 0; axis < 3; ++axis)
                result[i][axis] = other_length_sq * (turned[axis] + length_sq() * t[axis]);
        }
        return result;
    }
    // In doubles, shrunk by a power of two, which changes nothing.
    [[nodiscard]] Pose pose(double s) const {
        return {{double(q[0]), double(q[1]), double(q[2]), double(q[3])},
                {s * double(t[0]), s * double(t[1]), s * double(t[2])}};
    }
    [[nodiscard]] Triangle triangle(double s) const {
        Triangle result;
        for (std::size_t i = 0; i < 3; ++i)
            result[i] = {s * double(corners[i][0]), s * double(corners[i][1]),
                         s * double(corners[i][2])};
        return result;
    }
};

WholeBody random_whole(RandomPoses& random, int size, bool turned) {
    WholeBody body;
    do {
        for (int& part : body.q)
            part = turned ? random.integer(-2, 2) : 0;
        if (!turned) body.q[0] = 1;
    } while (body.length_sq() == 0);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        body.t[axis] = random.integer(-1, 1);
        for (Whole& corner : body.corners)
            corner[axis] = random.integer(-size, size);
    }
    return body;
}

// Small numbers make all kinds of degenerate cases frequent: equal corners, corners on sides, sides
// on sides, one plane, segments, points.
TEST(TrianglesShareAPoint, AgreesWithTheHullOfDifferences) {
    RandomPoses random(40);
    int met = 0;
    int total = 0;
    for (int i = 0; i < 40000; ++i) {
        const int size = 1 + i % 4;
        const WholeBody a = random_whole(random, size, i % 3 != 0);
        WholeBody b = random_whole(random, size, i % 3 == 1);
        if (i % 5 == 0)  // in one plane
            for (Whole& corner : b.corners)
                corner[2] = a.corners[0][2];
        const bool expected = hulls_meet(a.placed(b.length_sq()), b.placed(a.length_sq()));
        const double s = std::ldexp(1.0, random.integer(-1000, 900));
        const auto found =
            triangles_share_a_point(a.triangle(s), a.pose(s), b.triangle(s), b.pose(s));
        ASSERT_TRUE(found.has_value());
        ASSERT_EQ(*found, expected) << i;
        // Without the filter, too.
        detail::ExactFrame::Pair pair;
        detail::ExactFrame(a.pose(s), b.pose(s)).transform(a.triangle(s), b.triangle(s), pair);
        ASSERT_EQ(detail::have_common_point(pair.a, pair.b), expected) << i;
        met += expected;
        ++total;
    }
    EXPECT_GT(met, total / 10);
    EXPECT_LT(met, total * 9 / 10);
}

// From end to end of the range of doubles: as wide as the integers get.
TEST(TrianglesShareAPoint, HasRoomForTheWidestNumbers) {
    const double most = std::numeric_limits<double>::max();
    const double least = std::numeric_limits<double>::denorm_min();
    const Triangle a = {Vec3{most, least, -most}, {-most, most, least}, {least, -most, most}};
    const Quaternion wide = {most, -least, most, least};
    const Pose pose_a = {wide, {most, -least, -most}};
    const Pose pose_b = {{-least, most, least, -most}, {most, -least, -most}};
    const auto same = triangles_share_a_point(a, pose_a, a, pose_a);
    EXPECT_EQ(same, std::optional(true));
    EXPECT_TRUE(triangles_share_a_point(a, pose_a, a, pose_b).has_value());
    const Triangle dot_at_origin = {};
    EXPECT_EQ(triangles_share_a_point(dot_at_origin, pose_a, dot_at_origin, pose_b),
              std::optional(true));
    Pose off = pose_b;
    off.translation.y = least;
    EXPECT_EQ(triangles_share_a_point(dot_at_origin, pose_a, dot_at_origin, off),
              std::optional(false));
    const Triangle infinite = {Vec3{std::numeric_limits<double>::infinity(), 0, 0}, {}, {}};
    EXPECT_FALSE(triangles_share_a_point(infinite, {}, a, {}).has_value());
}

// --- The filter's bounds -------------------------------------------------------------------------

TEST(NearFrame, StaysWithinItsErrorAndIsNotWastefulWithIt) {
    RandomPoses random(41);
    double worst = 0.0;
    for (int i = 0; i < 20000; ++i) {
        const double s = std::pow(10.0, random.uniform(-6.0, 6.0));
        Pose pose_a = {random.rotation(), s * random.vector()};
        Pose pose_b = {random.rotation(), s * random.vector()};
        // Each part of the bound alone: no turn, so that the sums alone round; and quaternions so
        // short that squares lose their digits, so that the matrix is the error.
        if (i % 4 == 1) pose_a.rotation = pose_b.rotation = {};
        if (i % 4 == 2) {
            const double tiny = std::pow(10.0, random.uniform(-80.0, -77.0));
            for (Quaternion* q : {&pose_a.rotation, &pose_b.rotation})
                *q = {tiny * q->w, tiny * q->x, tiny * q->y, tiny * q->z};
            pose_a.translation = pose_b.translation = {};
        }
        const Vec3 b = random.vector();
        const detail::NearFrame frame(pose_a, pose_b, norm_one(b) * (1.0 + 1e-15));
        if (i % 4 == 2 && !frame.is_valid()) continue;
        ASSERT_TRUE(frame.is_valid());
        const Vec3 at = frame.transform(b);
        // In 64 bits: q_a^-1 (q_b b + T_b - T_a).
        using Wide = std::array<long double, 3>;
        const auto turned = [](const Quaternion& q, double way, const Wide& v) {
            const long double w = q.w, x = way * q.x, y = way * q.y, z = way * q.z;
            const long double n = w * w + x * x + y * y + z * z;
            const Wide c = {y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]};
            return Wide{v[0] + 2.0L * (w * c[0] + y * c[2] - z * c[1]) / n,
                        v[1] + 2.0L * (w * c[1] + z * c[0] - x * c[2]) / n,
                        v[2] + 2.0L * (w * c[2] + x * c[1] - y * c[0]) / n};
        };
        Wide v = turned(pose_b.rotation, 1.0, {b.x, b.y, b.z});
        for (std::size_t axis = 0; axis < 3; ++axis) {
            v[axis] += static_cast<long double>(pose_b.translation[axis]) -
                       static_cast<long double>(pose_a.translation[axis]);
        }
        v = turned(pose_a.rotation, -1.0, v);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double off = static_cast<double>(std::fabs(v[axis] - at[axis]));
            EXPECT_LE(off, frame.error());
            worst = std::max(worst, off / frame.error());
        }
    }
    EXPECT_GT(worst, 0.02);
}

// Triangles with a common point, at any scale: no direction may part them.
TEST(NearFrame, NeverPartsTrianglesThatTouch) {
    RandomPoses random(42);
    for (int i = 0; i < 100000; ++i) {
        // Corners on a grid, so that a + (b - a) k / 8 is exact.
        const double s = std::ldexp(1.0, random.integer(-1000, 900));
        const auto corner = [&] {
            return Vec3{s * random.integer(-1 << 20, 1 << 20),
                        s * random.integer(-1 << 20, 1 << 20),
                        s * random.integer(-1 << 20, 1 << 20)};
        };
        const Triangle a = {corner(), corner(), corner()};
        const double k = 0.125 * random.integer(0, 8);
        const double l = 0.125 * random.integer(0, 8);
        const Vec3 on_side = a[0] + k * (a[1] - a[0]);
        const Vec3 common = i % 2 == 0 ? on_side : on_side + l * (a[2] - on_side);
        // B has it as a corner, or within a side.
        const Vec3 way = corner();
        const Triangle b = {i % 3 == 0 ? common : common - way, common + way, corner()};
        const Vec3 middle = 0.5 * (b[0] + b[1]);
        if (i % 3 != 0 && middle != common) continue;
        EXPECT_FALSE(detail::certainly_disjoint(a, b, 0.0)) << i;
        // An error as large as the distance forbids a proof, too.
        const Vec3 shift = std::ldexp(1.0, random.integer(-40, 5)) * way;
        const Triangle off = {b[0] + shift, b[1] + shift, b[2] + shift};
        EXPECT_FALSE(detail::certainly_disjoint(a, off, 1.001 * norm_max(shift) + 0x1p-30 * s))
            << i;
    }
}

TEST(NearFrame, PartsTrianglesThatAreClearlyApart) {
    RandomPoses random(43);
    int proved = 0;
    int apart = 0;
    for (int i = 0; i < 20000; ++i) {
        const Triangle a = {random.vector(), random.vector(), random.vector()};
        const Triangle b = {random.vector(), random.vector(), random.vector()};
        const auto shares = triangles_share_a_point(a, {}, b, {});
        ASSERT_TRUE(shares.has_value());
        apart += !*shares;
        proved += detail::certainly_disjoint(a, b, 1e-15);
    }
    EXPECT_EQ(proved, apart);
}

}  // namespace
}  // namespace graze::rigid

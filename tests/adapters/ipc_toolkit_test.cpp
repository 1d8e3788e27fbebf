// The adapter for ipc-toolkit: what its callers rely on.
// Defends G-ADAPT-1, G-ADAPT-2 (docs/GUARANTEES.md).
#include "graze/adapters/ipc_toolkit.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "graze/adapters/ipc_toolkit_step.hpp"

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using graze::adapters::IpcNarrowPhase;

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Answer {
    bool hit;
    double toi;
};

// Four points at both ends: a vertex and a face, or two edges.
struct Pair {
    std::array<Vector3d, 4> start;
    std::array<Vector3d, 4> end;
    bool is_face = true;

    Answer ask(const ipc::NarrowPhaseCCD& ccd, double min_distance = 0.0, double tmax = 1.0) const {
        double toi = -1.0;
        const auto& s = start;
        const auto& e = end;
        const bool hit = is_face ? ccd.point_triangle_ccd(s[0], s[1], s[2], s[3], e[0], e[1], e[2],
                                                          e[3], toi, min_distance, tmax)
                                 : ccd.edge_edge_ccd(s[0], s[1], s[2], s[3], e[0], e[1], e[2], e[3],
                                                     toi, min_distance, tmax);
        return {hit, toi};
    }
    graze::MovingPoint moving(std::size_t i) const {
        return {{start[i][0], start[i][1], start[i][2]}, {end[i][0], end[i][1], end[i][2]}};
    }
    template <class Use>
    auto with_motion(Use use) const {
        if (is_face)
            return use(graze::VertexFaceMotion{moving(0), {moving(1), moving(2), moving(3)}});
        return use(graze::EdgeEdgeMotion{{moving(0), moving(1)}, {moving(2), moving(3)}});
    }
    graze::CcdResult exact(double min_distance = 0.0) const {
        return with_motion([&](const auto& motion) {
            return graze::ccd(motion,
                              {.min_separation = min_distance, .distance_tolerance = 1e-10});
        });
    }
    // A lower bound of the distance at that time.
    double distance(double t) const {
        Pair at = *this;
        for (std::size_t i = 0; i < 4; ++i)
            at.start[i] = (1.0 - t) * start[i] + t * end[i];
        return at.with_motion([](const auto& motion) { return graze::distance_lower(motion); });
    }
};

// A vertex that falls from height 1 on a face at height 0, to -depth.
Pair falling(double depth) {
    return {{Vector3d(0.25, 0.25, 1), Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 1, 0)},
            {Vector3d(0.25, 0.25, -depth), Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 1, 0)},
            true};
}

std::vector<Pair> random_pairs(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> coordinate(-1.0, 1.0);
    std::vector<Pair> pairs(count);
    for (std::size_t i = 0; i < count; ++i) {
        pairs[i].is_face = i % 2 == 0;
        for (std::size_t k = 0; k < 4; ++k) {
            for (int axis = 0; axis < 3; ++axis) {
                pairs[i].start[k][axis] = coordinate(random);
                pairs[i].end[k][axis] = coordinate(random);
            }
        }
    }
    return pairs;
}

// 1: the exact verdict decides what is no collision, and takes no work that a budget counts.
TEST(IpcAdapter, AsksTheExactVerdictFirst) {
    IpcNarrowPhase ccd;
    ccd.max_checks = 1;
    int misses = 0;
    for (const Pair& pair : random_pairs(500, 1)) {
        const bool touches = pair.exact().verdict == graze::Verdict::Contact;
        EXPECT_EQ(pair.ask(ccd).hit, touches);
        misses += touches ? 0 : 1;
    }
    EXPECT_GT(misses, 100);
    // A near approach, far within the distance that would be kept.
    EXPECT_FALSE(falling(-1e-9).ask(ccd).hit);
}

// 2: the gap is kept and the step is the same whatever the order of pairs.
TEST(IpcAdapter, StepsDoNotDependOnTheOrderOfPairs) {
    const IpcNarrowPhase ccd;
    std::vector<Pair> pairs = random_pairs(200, 2);
    std::erase_if(pairs, [](const Pair& pair) { return pair.distance(0.0) < 0.05; });
    const auto step_of = [&](const std::vector<Pair>& all) {
        double step = 1.0;
        for (const Pair& pair : all) {
            const Answer answer = pair.ask(ccd, 0.0, step);
            if (answer.hit) step = std::min(step, answer.toi);
        }
        return step;
    };
    const double wanted = step_of(pairs);
    EXPECT_LT(wanted, 1.0);
    std::mt19937 random(3);
    for (int i = 0; i < 20; ++i) {
        std::shuffle(pairs.begin(), pairs.end(), random);
        EXPECT_NEAR(step_of(pairs), wanted, 1e-3 * wanted);
    }
    // One that uses up its distance before another touches, and touches after that.
    const Pair slow = falling(0.2);  // touches at 1 / 1.2, has used up 0.8 of its distance at 2 / 3
    Answer answer = slow.ask(ccd, 0.0, 0.7);
    EXPECT_TRUE(answer.hit);
    EXPECT_NEAR(answer.toi, 2.0 / 3.0, 1e-3);
    answer = slow.ask(ccd, 0.0, 0.6);
    EXPECT_FALSE(answer.hit);
    for (const Pair& pair : pairs)
        EXPECT_TRUE(pair.exact().verdict != graze::Verdict::Contact ||
                    pair.distance(wanted) >= 0.199 * pair.distance(0.0));
}

// 3: a time > 0 where they are separated, by however little.
TEST(IpcAdapter, ReturnsATimeAboveZeroWhereTheStartIsSeparated) {
    const IpcNarrowPhase ccd;
    for (const double gap : {1.0, 1e-6, 1e-12, 1e-100, 0x1p-1000}) {
        for (const double speed : {1.0, 1e6, 1e100}) {
            Pair pair = falling(speed);
            pair.start[0][2] = gap;
            const Answer answer = pair.ask(ccd);
            EXPECT_TRUE(answer.hit);
            EXPECT_TRUE(answer.toi > 0.0 || gap / speed == 0.0) << gap << " " << speed;
            EXPECT_LE(answer.toi, gap / speed);
            pair.end[0][2] = gap * 0.9;  // no contact
            EXPECT_FALSE(pair.ask(ccd).hit);
        }
    }
    // The distance is below the rounding of the coordinates.
    Pair far = falling(1.0);
    for (std::size_t i = 0; i < 4; ++i) {
        far.start[i] += Vector3d(1e8, 1e8, 1e8);
        far.end[i] += Vector3d(1e8, 1e8, 1e8);
    }
    far.start[0][2] = std::nextafter(1e8, 2e8);
    EXPECT_GT(far.ask(ccd).toi, 0.0);
    // In contact at the start.
    EXPECT_EQ(far.start[1][2], 1e8);
    far.start[0][2] = 1e8;
    const Answer touching = far.ask(ccd);
    EXPECT_TRUE(touching.hit);
    EXPECT_EQ(touching.toi, 0.0);
}

// A time that is below the violation of a minimum distance, however soon that comes.
TEST(IpcAdapter, IsNeverLaterThanAMinimumDistance) {
    const Vector3d origin(0, 0, 0);
    const Vector3d one(1, 0, 0);
    for (const auto mode : {IpcNarrowPhase::Mode::Exact, IpcNarrowPhase::Mode::DropIn}) {
        const IpcNarrowPhase ccd(mode);
        for (const double left : {1e-9, 1e-12, 1e-14, 0x1p-52, 0x1p-53}) {
            double toi = -1.0;
            const double d = 1.0 - left;
            EXPECT_TRUE(ccd.point_point_ccd(origin, one, one, origin, toi, d));
            EXPECT_GT(toi, 0.0) << left;
            EXPECT_LT(toi, 0.5 * (1.0 - d));  // when they are d from each other, exactly
            const graze::VertexVertexMotion motion{{{0, 0, 0}, {1, 0, 0}}, {{1, 0, 0}, {0, 0, 0}}};
            const double free = graze::adapters::detail::free_time(motion, d);
            EXPECT_LT(free, 0.5 * (1.0 - d));
            EXPECT_GE(free, 0.49 * (1.0 - d) - 0x1p-47);  // some ulps of distance_lower()
        }
    }
}

// 4: small minimum distances are decided finely.
TEST(IpcAdapter, RaisesNoFalseAlarmForASmallMinimumDistance) {
    const IpcNarrowPhase ccd;
    for (const double d : {1e-3, 1e-6, 1e-8, 1e-10}) {
        EXPECT_FALSE(falling(-2.0 * d).ask(ccd, d).hit) << d;
        EXPECT_TRUE(falling(-0.5 * d).ask(ccd, d).hit) << d;
        EXPECT_FALSE(falling(-0.5 * d).ask(ccd).hit) << d;
    }
    for (const Pair& pair : random_pairs(300, 4)) {
        const graze::CcdResult exact = pair.exact(1e-8);
        if (exact.verdict == graze::Verdict::Separated) {
            EXPECT_FALSE(pair.ask(ccd, 1e-8).hit);
        }
        if (exact.verdict == graze::Verdict::Contact) {
            const Answer answer = pair.ask(ccd, 1e-8);
            EXPECT_TRUE(answer.hit);
            EXPECT_LE(answer.toi, exact.toi_upper);
        }
    }
}

// The same for a distance just below that of the start, which most motions never violate.
TEST(IpcAdapter, TellsTheStartFromAViolation) {
    const IpcNarrowPhase ccd;
    int misses = 0;
    int hits = 0;
    for (const Pair& pair : random_pairs(1000, 6)) {
        for (const double left : {1e-1, 1e-3, 1e-6, 1e-13, 1e-15}) {
            const double d = (1.0 - left) * pair.distance(0.0);
            if (d == 0.0) continue;
            const Answer answer = pair.ask(ccd, d);
            const bool stays = left > 1e-10 && pair.exact(d).verdict == graze::Verdict::Separated;
            EXPECT_FALSE(answer.hit && stays);
            EXPECT_GT(answer.toi, 0.0);
            ++(answer.hit ? hits : misses);
        }
    }
    EXPECT_GT(misses, 100);
    EXPECT_GT(hits, 100);
}

// Two motions that come within a tolerance of the order of the minimum distance, but not within that distance: an
// answer that is not asked again more finely is a false alarm.
TEST(IpcAdapter, AsksAgainMoreFinelyWhatIsNear) {
    const Pair face = {{Vector3d(-0x1.53dac74f6ffd2p-2, 0x1.5201d39952728p-1, 0x1.5a0221f69975ep-1),
                        Vector3d(0x1.2de11126da098p-3, 0x1.3db698aea746p-5, -0x1.5cb4d2a848e9bp-1),
                        Vector3d(0x1.3032a099ca298p-2, -0x1.0e45b01cc993fp-1, -0x1.3cd839fb2badp-5),
                        Vector3d(-0x1.74156d38bdecp-5, 0x1.f80bdb299b082p-1, 0x1.b923fe325199ap-1)},
                       {Vector3d(0x1.fc6b164e55f4cp-3, -0x1.924239f8d61dcp-3, 0x1.2ff070b5bbe67p+0),
                        Vector3d(-0x1.a1edbc46d5c4p-5, 0x1.03ec412eee2b3p+0, -0x1.0d0eb74e7a549p-1),
                        Vector3d(-0x1.d9a619247fff8p-3, -0x1.a23dd9d52942p-1, 0x1.0a76828e6fca7p-1),
                        Vector3d(0x1.13eb2fe44dfeep-1, 0x1.f25d04e8efe67p-1, 0x1.e6b951085942ap-1)},
                       true};
    const Pair edge = {
        {Vector3d(-0x1.758fc8f9a4154p-1, -0x1.87a497dd93736p-1, -0x1.e462f8edb0773p-1),
         Vector3d(0x1.db0686a88e3bcp-2, -0x1.b73410dffb6a8p-2, 0x1.3e068ac90b8ecp-1),
         Vector3d(-0x1.fc4dfdc972512p-2, -0x1.a36c668fdf43bp-1, 0x1.a03cad3c2d55cp-1),
         Vector3d(-0x1.1d5cb9494ad5cp-1, -0x1.ca382b77a826p-6, -0x1.5e2ec26506a59p-1)},
        {Vector3d(-0x1.b1cc9442a1e27p-1, -0x1.9c80981318bdep+0, -0x1.5d9ba474dc41p+0),
         Vector3d(0x1.32d0824d457fp-3, -0x1.1cf957a34f3d2p+0, 0x1.cc6dda5257d04p-2),
         Vector3d(-0x1.65e1b008076eap-1, -0x1.f042729c4701cp-3, 0x1.85692f064a8f7p+0),
         Vector3d(0x1.b338c5692aba8p-3, -0x1.fb9bbe576d60bp-1, -0x1.f46eb1a267fcp-1)},
        false};
    const IpcNarrowPhase ccd;
    for (const Pair& pair : {face, edge}) {
        const double d = 0.99 * pair.distance(0.0);
        ASSERT_EQ(pair.exact(d).verdict, graze::Verdict::Separated);
        EXPECT_FALSE(pair.ask(ccd, d).hit);
    }
}

// 5: what is not known is a collision; what is no question is refused.
TEST(IpcAdapter, TakesWhatIsNotKnownForACollision) {
    const IpcNarrowPhase ccd;
    for (const double odd : {std::nan(""), kInf, -kInf}) {
        Pair pair = falling(1.0);
        pair.end[2][1] = odd;
        const Answer answer = pair.ask(ccd);
        EXPECT_TRUE(answer.hit);
        EXPECT_EQ(answer.toi, 0.0);
    }
    IpcNarrowPhase hasty;
    hasty.max_checks = 1;
    const Pair grazing = falling(-0.1);
    const Answer undecided = grazing.ask(hasty, 0.0999999);
    EXPECT_GE(undecided.toi, 0.0);
    EXPECT_TRUE(!undecided.hit || undecided.toi <= 1.0);

    EXPECT_THROW((void)grazing.ask(ccd, -1e-3), std::invalid_argument);
    EXPECT_THROW((void)grazing.ask(ccd, std::nan("")), std::invalid_argument);
    EXPECT_EQ(grazing.ask(ccd).toi, kInf);
    // tmax beyond the step, before it, and none at all.
    EXPECT_TRUE(falling(0.2).ask(ccd, 0.0, 7.0).hit);
    EXPECT_FALSE(falling(0.2).ask(ccd, 0.0, -1.0).hit);
    EXPECT_TRUE(falling(0.2).ask(ccd, 0.0, std::nan("")).hit);
    EXPECT_FALSE(falling(-0.5).ask(ccd, 0.0, 7.0).hit);
}

// 6: both modes; the rescaling is read at each call.
TEST(IpcAdapter, HasAnExactModeAndOneToDropIn) {
    IpcNarrowPhase ccd;
    const Pair near = falling(-1e-5);
    EXPECT_FALSE(near.ask(ccd).hit);
    ccd.mode = IpcNarrowPhase::Mode::DropIn;
    EXPECT_TRUE(near.ask(ccd).hit);             // within 1e-4
    EXPECT_FALSE(falling(-1e-3).ask(ccd).hit);  // the cap: not within 0.2 of the distance
    const Answer capped = falling(1.0).ask(ccd);
    EXPECT_NEAR(capped.toi, 0.5 * (1.0 - 1e-4), 1e-6);

    ccd.mode = IpcNarrowPhase::Mode::Exact;
    EXPECT_NEAR(falling(1.0).ask(ccd).toi, 0.4, 1e-3);
    ccd.conservative_rescaling = 0.5;
    EXPECT_NEAR(falling(1.0).ask(ccd).toi, 0.25, 1e-3);
    ccd.conservative_rescaling = 1.0;
    EXPECT_EQ(falling(1.0).ask(ccd).toi, falling(1.0).exact().toi_lower);
    ccd.conservative_rescaling = 0.0;
    EXPECT_THROW((void)falling(1.0).ask(ccd), std::invalid_argument);
}

// 7: times are proved, and the distance is kept, for pairs of all kinds.
TEST(IpcAdapter, KeepsTheDistanceThatItIsAskedTo) {
    for (const double rescaling : {0.5, 0.8, 0.95}) {
        const IpcNarrowPhase ccd(IpcNarrowPhase::Mode::Exact, rescaling);
        int hits = 0;
        for (const Pair& pair : random_pairs(300, 5)) {
            const Answer answer = pair.ask(ccd);
            const graze::CcdResult exact = pair.exact();
            EXPECT_EQ(answer.hit, exact.verdict == graze::Verdict::Contact);
            if (!answer.hit) continue;
            ++hits;
            EXPECT_LE(answer.toi, exact.toi_upper);
            EXPECT_GE(pair.distance(answer.toi), 0.999 * (1.0 - rescaling) * pair.distance(0.0));
        }
        EXPECT_GT(hits, 10);
    }
}

TEST(IpcAdapter, AnswersInThePlane) {
    const IpcNarrowPhase ccd;
    double toi = -1.0;
    // A point that falls on an edge.
    EXPECT_TRUE(ccd.point_edge_ccd(Vector2d(0.5, 1), Vector2d(0, 0), Vector2d(1, 0),
                                   Vector2d(0.5, -1), Vector2d(0, 0), Vector2d(1, 0), toi));
    EXPECT_NEAR(toi, 0.4, 1e-3);
    EXPECT_FALSE(ccd.point_edge_ccd(Vector2d(0.5, 1), Vector2d(0, 0), Vector2d(1, 0),
                                    Vector2d(2.5, -1), Vector2d(0, 0), Vector2d(1, 0), toi));
    EXPECT_EQ(toi, kInf);
    EXPECT_TRUE(
        ccd.point_point_ccd(Vector2d(0, 0), Vector2d(1, 0), Vector2d(1, 0), Vector2d(0, 0), toi));
    EXPECT_NEAR(toi, 0.4, 1e-3);
    // And in space.
    EXPECT_TRUE(ccd.point_edge_ccd(Vector3d(0.5, 1, 2), Vector3d(0, 0, 2), Vector3d(1, 0, 2),
                                   Vector3d(0.5, -1, 2), Vector3d(0, 0, 2), Vector3d(1, 0, 2),
                                   toi));
}

// --- whole steps ---------------------------------------------------------------------------------

// What the adapter asks of an ipc::CollisionMesh.
struct StubMesh {
    Eigen::MatrixXi edge_rows;
    Eigen::MatrixXi face_rows;
    bool all_collide = true;
    const Eigen::MatrixXi& edges() const { return edge_rows; }
    const Eigen::MatrixXi& faces() const { return face_rows; }
    bool can_collide(std::size_t, std::size_t) const { return all_collide; }
};

struct TwoTriangles {
    StubMesh mesh;
    Eigen::MatrixXd start{6, 3};
    Eigen::MatrixXd end{6, 3};
    TwoTriangles() {
        mesh.face_rows.resize(2, 3);
        mesh.face_rows << 0, 1, 2, 3, 4, 5;
        mesh.edge_rows.resize(6, 2);
        mesh.edge_rows << 0, 1, 1, 2, 2, 0, 3, 4, 4, 5, 5, 3;
        start << 0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1, 2, 1, 1, 1, 2, 1;
        end = start;
        end.bottomRows(3).col(2).setConstant(-1.0);
    }
};

TEST(IpcAdapterStep, FindsTheStepThatIsFree) {
    TwoTriangles scene;
    EXPECT_FALSE(graze::adapters::is_step_collision_free(scene.mesh, scene.start, scene.end));
    const double step =
        graze::adapters::compute_collision_free_stepsize(scene.mesh, scene.start, scene.end);
    EXPECT_NEAR(step, 0.4, 1e-6);
    const double with_distance =
        graze::adapters::compute_collision_free_stepsize(scene.mesh, scene.start, scene.end, 0.5);
    EXPECT_NEAR(with_distance, 0.2, 1e-6);
    const Eigen::MatrixXd reached = scene.start + step * (scene.end - scene.start);
    EXPECT_TRUE(graze::adapters::is_step_collision_free(scene.mesh, scene.start, reached));
    scene.mesh.all_collide = false;
    EXPECT_EQ(graze::adapters::compute_collision_free_stepsize(scene.mesh, scene.start, scene.end),
              1.0);
}

TEST(IpcAdapterStep, AnswersForTheWholeStepWhateverItsOptionsSay) {
    const TwoTriangles scene;
    graze::adapters::IpcStep<StubMesh> step(scene.mesh, 6);
    step.options.query.t_max = 0.25;  // contact at 0.5
    EXPECT_FALSE(step.is_step_collision_free(scene.start, scene.end));
    EXPECT_NEAR(step.compute_collision_free_stepsize(scene.start, scene.end), 0.4, 1e-6);
}

TEST(IpcAdapterStep, KeepsItsTreesFromStepToStep) {
    const TwoTriangles scene;
    graze::adapters::IpcStep<StubMesh> step(scene.mesh, 6);
    step.conservative_rescaling = 0.5;
    Eigen::MatrixXd at = scene.start;
    for (int i = 0; i < 30; ++i) {
        const double fraction = step.compute_collision_free_stepsize(at, scene.end);
        ASSERT_GT(fraction, 0.0);
        const Eigen::MatrixXd next = at + fraction * (scene.end - at);
        ASSERT_TRUE(step.is_step_collision_free(at, next));
        at = next;
    }
    EXPECT_GT(at(3, 2), 0.0);
    EXPECT_LT(at(3, 2), 1e-6);
}

TEST(IpcAdapterStep, AnswersInThePlaneAndRefusesWhatDoesNotFit) {
    StubMesh mesh;
    mesh.edge_rows.resize(1, 2);
    mesh.edge_rows << 0, 1;
    Eigen::MatrixXd start(3, 2);
    start << 0, 0, 1, 0, 0.5, 1;
    Eigen::MatrixXd end = start;
    end(2, 1) = -1.0;
    EXPECT_NEAR(graze::adapters::compute_collision_free_stepsize(mesh, start, end), 0.4, 1e-6);
    EXPECT_THROW((void)graze::adapters::is_step_collision_free(mesh, start, end.topRows(2)),
                 std::invalid_argument);
    EXPECT_THROW((void)graze::adapters::is_step_collision_free(mesh, start, end, -1.0),
                 std::invalid_argument);
    end(1, 1) = kInf;
    EXPECT_THROW((void)graze::adapters::is_step_collision_free(mesh, start, end),
                 std::invalid_argument);
    mesh.edge_rows << 0, 9;
    EXPECT_THROW((void)graze::adapters::is_step_collision_free(mesh, start, start),
                 std::invalid_argument);
}

}  // namespace

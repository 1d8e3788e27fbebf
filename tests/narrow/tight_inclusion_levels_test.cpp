// The search of `tight-inclusion` where its levels are wide, and where boxes of one level differ.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <random>
#include <vector>

#include "narrow/inclusion_truth.hpp"
#include "narrow/tight_inclusion/search.hpp"
#include "narrow/tight_inclusion/tight_arithmetic.hpp"

namespace graze {
namespace {

using inclusion::Axis;
using inclusion::kMaxLanes;
using inclusion::Search;
using inclusion::Split;
using inclusion::TightArithmetic;
using inclusion::Widths;
using inclusion::Workspace;
using testing::ask;
using testing::expect_sound;
using testing::Question;
using testing::truth_within;

TightInclusionOptions options_with(double delta, std::uint64_t max_checks) {
    TightInclusionOptions options;
    options.query.distance_tolerance = delta;
    options.query.max_checks = max_checks;
    options.query.norm = Norm::Max;
    return options;
}

MovingPoint path(const Vec3& start, const Vec3& end) {
    return {start, end};
}
MovingPoint rest(const Vec3& at) {
    return {at, at};
}

Question question_of(QueryKind kind, const std::array<MovingPoint, 4>& corners) {
    Question question;
    question.kind = kind;
    question.record.corners = corners;
    return question;
}

// --- Wide levels
// ----------------------------------------------------------------------------------

// Along a line that no axis is parallel to.
Vec3 on_line(double s, double lift = 0.0) {
    return {s, 0.3 * s, 0.7 * s + lift};
}

// A vertex that slides in the plane of a face, which is no plane of two axes.
Question sliding_in_the_plane(double lift) {
    const auto at = [](double x, double y, double above) {
        return Vec3{x, y, 0.3 * x - 0.2 * y + above};
    };
    return question_of(QueryKind::VertexFace,
                       {path(at(-0.3, 0.1, lift), at(0.9, 0.15, lift)), rest(at(0, 0, 0)),
                        rest(at(1, 0, 0)), rest(at(0.1, 1, 0))});
}
// Edges on one line, or side by side, that come from afar and slide along each other.
Question sliding_edges(double lift) {
    return question_of(QueryKind::EdgeEdge, {rest(on_line(0)), rest(on_line(1)),
                                             path(on_line(1.5, lift), on_line(0.25, lift)),
                                             path(on_line(2.5, lift), on_line(1.25, lift))});
}
// The same, coming nearer until they touch late in the step.
Question closing_edges(double lift) {
    return question_of(QueryKind::EdgeEdge, {rest(on_line(0)), rest(on_line(1)),
                                             path(on_line(1.5, lift), on_line(0.25, -lift / 8)),
                                             path(on_line(2.5, lift), on_line(1.25, -lift / 8))});
}
// A vertex along a face that has no area.
Question along_a_line_face(double lift) {
    return question_of(QueryKind::VertexFace,
                       {path(on_line(-1.5, lift), on_line(0.5, lift)), rest(on_line(0)),
                        rest(on_line(1)), rest(on_line(-0.7))});
}

struct WideQuery {
    const char* what;
    Question question;
    double delta;
};
std::vector<WideQuery> wide_queries() {
    return {{"slides in the plane", sliding_in_the_plane(0.0), 1e-7},
            {"slides above the plane", sliding_in_the_plane(0x1p-15), 1e-7},
            {"slides a little above the plane", sliding_in_the_plane(0x1p-15), 0x1p-14},
            {"edges on one line", sliding_edges(0.0), 1e-4},
            {"edges side by side", sliding_edges(0x1p-8), 1e-4},
            {"edges side by side, nearly", sliding_edges(0x1p-8), 0x1p-7},
            {"edges that close", closing_edges(0x1p-5), 1e-4},
            {"edges that close, coarsely", closing_edges(0x1p-6), 1e-2},
            {"along a line", along_a_line_face(0.0), 1e-5},
            {"beside a line", along_a_line_face(0x1p-9), 1e-5}};
}

// Does the search leave later halves of levels behind? The list of them then has had room.
bool parks(const Question& question, const TightInclusionOptions& options) {
    Workspace workspace;
    const auto search = [&](const auto& motion) {
        const TightArithmetic arithmetic = TightArithmetic::of(motion, options);
        return Search<TightArithmetic>(arithmetic, options.query, workspace).run();
    };
    static_cast<void>(testing::with_motion(question, search));
    return workspace.parked.capacity() > 0;
}

TEST(TightInclusionLevels, WideLevelsAreSearchedInPartsAndStillProved) {
    int parked = 0;
    for (const WideQuery& wide : wide_queries()) {
        SCOPED_TRACE(wide.what);
        const oracle::Truth truth = truth_within(wide.question, 0.0);
        const TightInclusionOptions options = options_with(wide.delta, kUnlimitedChecks);
        const CcdResult found = ask(wide.question, options);
        const bool in_parts = parks(wide.question, options);
        std::printf("%s: %s from %.6g, within %.3g, %llu checks%s\n", wide.what,
                    std::string(graze::name(found.verdict)).c_str(), found.toi_lower,
                    found.tolerance, static_cast<unsigned long long>(found.checks),
                    in_parts ? ", in parts" : "");
        expect_sound(wide.question, options, truth, found);
        EXPECT_TRUE(found.verdict == Verdict::Separated || found.tolerance < wide.delta + 0x1p-43);
        parked += in_parts ? 1 : 0;
    }
    EXPECT_GE(parked, 8);
}

// Edges that slide along each other for a while, a little apart, on a line of any direction, and
// that may close: many boxes of many levels come near the origin.
Question random_sliding_edges(std::mt19937_64& rng) {
    const auto random = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(rng);
    };
    const Vec3 along{1.0, random(-1, 1), random(-1, 1)};
    const double gap = std::exp2(random(-9.0, -5.0));
    const auto at = [&](double s, double apart) {
        return Vec3{along.x * s, along.y * s + apart * random(0.9, 1.1),
                    along.z * s - apart * random(0.9, 1.1)};
    };
    const double start = random(1.1, 2.0);
    const double end = random(-0.5, 0.5);
    const double last_gap = gap * random(-0.5, 1.0);
    // One after the other: the order in which a compiler evaluates arguments must not choose them.
    const Vec3 first_start = at(start, gap);
    const Vec3 first_end = at(end, last_gap);
    const Vec3 second_start = at(start + 1, gap);
    const Vec3 second_end = at(end + 1, last_gap);
    return question_of(QueryKind::EdgeEdge,
                       {rest(at(0, 0)), rest(at(1, 0)), path(first_start, first_end),
                        path(second_start, second_end)});
}

TEST(TightInclusionLevels, PartsOfLevelsAreSoundForEveryBudget) {
    std::mt19937_64 rng(20250104);
    std::array<int, 3> verdicts{};
    int parked = 0;
    for (int i = 0; i < 120; ++i) {
        const Question question = random_sliding_edges(rng);
        SCOPED_TRACE(testing::to_text(question));
        const double d = i % 3 == 0 ? 0x1p-7 : 0.0;
        const oracle::Truth truth = truth_within(question, d);
        const double delta = std::exp2(std::uniform_real_distribution<double>(-11.0, -5.0)(rng));
        CcdResult before;
        for (const std::uint64_t max_checks : {(1U << 20U) + 1, 1'500'000U, 4'000'000U}) {
            SCOPED_TRACE(max_checks);
            TightInclusionOptions options = options_with(delta, max_checks);
            options.query.min_separation = d;
            const CcdResult found = ask(question, options);
            expect_sound(question, options, truth, found);
            EXPECT_GE(found.toi_lower, before.toi_lower);
            ++verdicts[static_cast<std::size_t>(found.verdict)];
            before = found;
        }
        parked += parks(question, options_with(delta, 1'500'000)) ? 1 : 0;
    }
    std::printf("separated %d, contact %d, queries in parts %d\n", verdicts[0], verdicts[1],
                parked);
    EXPECT_GT(parked, 20);
    EXPECT_GT(verdicts[0], 10);
    EXPECT_GT(verdicts[1], 10);
}

// What was left behind may begin before what is being searched when the checks are spent.
TEST(TightInclusionLevels, ChecksThatAreSpentAmongPartsProveNoTimeThatMoreChecksTakeBack) {
    int spent = 0;
    for (const WideQuery& wide : wide_queries()) {
        SCOPED_TRACE(wide.what);
        const oracle::Truth truth = truth_within(wide.question, 0.0);
        double before = 0.0;
        for (std::uint64_t max_checks = (1U << 20U) + 1; max_checks < 8'000'000;
             max_checks += 333'333) {
            const TightInclusionOptions options = options_with(wide.delta / 16, max_checks);
            const CcdResult found = ask(wide.question, options);
            expect_sound(wide.question, options, truth, found);
            EXPECT_GE(found.toi_lower, before) << max_checks;
            before = found.toi_lower;
            if (found.verdict == Verdict::Separated || found.checks < max_checks) break;
            ++spent;
        }
    }
    std::printf("answers with all checks spent: %d\n", spent);
    EXPECT_GT(spent, 20);
}

// --- Small boxes that are not the first of their level
// ----------------------------------------------

// A vertex above a face that shrinks and is slanted. It keeps above one point of the face and comes
// down on it late in the step: boxes around that point are large early on, when they are near
// misses, and small at the contact.
Question near_miss_before_contact(std::mt19937_64& rng) {
    const auto random = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(rng);
    };
    const double large = random(2.0, 16.0);
    const double small = random(0.05, 0.5);
    const double u = random(0.1, 0.4);
    const double v = random(0.1, 0.4);
    const Vec3 slope{random(0.2, 1.0), random(0.2, 1.0), 0.0};
    const auto on_face = [&](double size, double x, double y, double above) {
        return Vec3{size * x, size * y, size * (slope.x * x + slope.y * y) + above};
    };
    const auto corner = [&](double x, double y) {
        return path(on_face(large, x, y, 0.0), on_face(small, x, y, 0.0));
    };
    const double height = random(0.01, 0.2);
    const double hit = random(0.6, 0.95);
    return question_of(
        QueryKind::VertexFace,
        {path(on_face(large, u, v, height), on_face(small, u, v, height * (hit - 1.0) / hit)),
         corner(0, 0), corner(1, 0), corner(0, 1)});
}

struct Corner {
    double t;
    double u;
    double v;
};

double& along(Corner& corner, Axis axis) {
    return axis == Axis::Time ? corner.t : axis == Axis::U ? corner.u : corner.v;
}
double& along(Widths& widths, Axis axis) {
    return axis == Axis::Time ? widths.t : axis == Axis::U ? widths.u : widths.v;
}

// The halves of one box that are not excluded.
std::vector<Corner> halves_left(const TightArithmetic& f, const Split& split, const Corner& box) {
    const std::array<double, kMaxLanes> t{box.t};
    const std::array<double, kMaxLanes> u{box.u};
    const std::array<double, kMaxLanes> v{box.v};
    std::array<std::int64_t, kMaxLanes> first{};
    std::array<std::int64_t, kMaxLanes> second{};
    f.check_halves({t.data(), u.data(), v.data(), 1}, split, first.data(), second.data());
    Corner other = box;
    Widths widths = split.halves;
    along(other, split.axis) += along(widths, split.axis);
    std::vector<Corner> left;
    if (first[0] == 1) left.push_back(box);
    if (second[0] == 1) left.push_back(other);
    return left;
}

// Algorithm 2 as it is printed, where a small box that is not the first of its level is dropped.
// False: it says that there is no contact.
bool literal_reading_finds_contact(const VertexFaceMotion& motion,
                                   const TightInclusionOptions& options) {
    const TightArithmetic f = TightArithmetic::of(motion, options);
    std::vector<Corner> level = {{0.0, 0.0, 0.0}};
    Split split{Axis::Time, {1.0, 1.0, 1.0}, 1.0};
    const auto is_small = [&](const Corner& box) {
        return f.is_small({box.t, box.t + split.halves.t, box.u, box.v, split.halves});
    };
    while (!level.empty()) {
        if (is_small(level[0])) return true;
        std::erase_if(level, is_small);
        const double cost_t = split.halves.t * f.rates().t;
        const double cost_u = split.halves.u * f.rates().u;
        const double cost_v = split.halves.v * f.rates().v;
        split.axis = cost_u > cost_v ? Axis::U : Axis::V;
        if (cost_t >= std::max(cost_u, cost_v)) split.axis = Axis::Time;
        along(split.halves, split.axis) *= 0.5;
        std::vector<Corner> next;
        for (const Corner& box : level)
            std::ranges::copy(halves_left(f, split, box), std::back_inserter(next));
        std::ranges::stable_sort(next, {}, &Corner::t);
        level = std::move(next);
    }
    return false;
}

TEST(TightInclusionLevels, ANearMissBeforeTheContactHidesNothing) {
    std::mt19937_64 rng(20250105);
    int contacts = 0;
    int lost_by_the_literal_reading = 0;
    for (int i = 0; i < 400; ++i) {
        const Question question = near_miss_before_contact(rng);
        const oracle::Truth truth = truth_within(question, 0.0);
        if (truth.state != oracle::State::Contact) continue;
        ++contacts;
        SCOPED_TRACE(testing::to_text(question));
        for (const double delta : {0.5, 0.2, 0.05, 0.01, 1e-3}) {
            const TightInclusionOptions options = options_with(delta, 200'000);
            const CcdResult found = ask(question, options);
            EXPECT_EQ(found.verdict, Verdict::Contact);
            expect_sound(question, options, truth, found);
            const auto motion = io::motion_of<VertexFaceMotion>(question.record);
            lost_by_the_literal_reading += literal_reading_finds_contact(motion, options) ? 0 : 1;
        }
    }
    std::printf("contacts %d; lost by the literal reading, over five tolerances: %d\n", contacts,
                lost_by_the_literal_reading);
    EXPECT_GT(contacts, 100);
    EXPECT_GT(lost_by_the_literal_reading, 10);
}

}  // namespace
}  // namespace graze

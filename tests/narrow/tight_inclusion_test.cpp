// Defends G-TIGHT-3, G-TIGHT-6 (docs/GUARANTEES.md).
#include "graze/narrow/tight_inclusion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

#include "narrow/inclusion_truth.hpp"

namespace graze {
namespace {

using generate::Family;
using testing::ask;
using testing::ask_all_sets;
using testing::expect_sound;
using testing::for_each_generated;
using testing::kBothFilters;
using testing::Question;
using testing::truth_within;

TightInclusionOptions options_with(double d, std::uint64_t max_checks = 20'000) {
    TightInclusionOptions options;
    options.query.min_separation = d;
    options.query.norm = Norm::Max;
    options.query.max_checks = max_checks;
    return options;
}

// --- The whole method
// -----------------------------------------------------------------------------

void expect_sound_answers(int count) {
    int contacts = 0;
    int misses = 0;
    int false_positives = 0;
    for_each_generated(0, static_cast<std::uint64_t>(count), [&](Family, const Question& question) {
        for (const double d : {0.0, 0x1p-8}) {
            const oracle::Truth truth = truth_within(question, d);
            (truth.state == oracle::State::Contact ? contacts : misses) += 1;
            for (const InclusionFilter filter : kBothFilters) {
                SCOPED_TRACE(testing::name(filter));
                TightInclusionOptions options = options_with(d);
                options.filter = filter;
                const CcdResult found = ask_all_sets(question, options);
                expect_sound(question, options, truth, found);
                false_positives +=
                    truth.state == oracle::State::Separated && found.verdict == Verdict::Contact;
            }
        }
    });
    std::printf("contacts %d, misses %d, false positives of both filters %d\n", contacts, misses,
                false_positives);
    EXPECT_GT(contacts, 500 * count / 40);
    EXPECT_GT(misses, 300 * count / 40);
    EXPECT_LT(false_positives, misses);
}

TEST(TightInclusion, ItsAnswersAreSoundAndTheSameBitsOnEveryInstructionSet) {
    expect_sound_answers(8);
}

TEST(TightInclusionAttack, ItsAnswersAreSoundAndTheSameBitsOnEveryInstructionSet) {
    expect_sound_answers(40);
}

// --- Units
// ----------------------------------------------------------------------------------------

// Coordinates, separation and tolerance in other units, exactly.
TEST(TightInclusion, OursGivesTheSameTimesInUnitsThatArePowersOfTwo) {
    for_each_generated(700, 10, [&](Family family, const Question& question) {
        if (family == Family::Wild) return;  // whose smallest numbers would be rounded
        for (const double d : {0.0, 0x1p-8}) {
            const CcdResult found = ask(question, options_with(d, 2000));
            // With a separation, up to where d counts as beyond everything on an axis of zeros.
            for (const double unit : {0x1p-300, 0x1p-20, 0x1p+40, d > 0.0 ? 0x1p+60 : 0x1p+900}) {
                Question scaled = question;
                for (MovingPoint& corner : scaled.record.corners) {
                    for (std::size_t k = 0; k < 3; ++k) {
                        corner.start[k] *= unit;
                        corner.end[k] *= unit;
                    }
                }
                TightInclusionOptions options = options_with(d * unit, 2000);
                options.query.distance_tolerance *= unit;
                CcdResult expected = found;
                expected.tolerance *= unit;
                EXPECT_EQ(ask(scaled, options), expected) << unit;
            }
        }
    });
}

// --- Budgets
// --------------------------------------------------------------------------------------

// More than four filters of either kind, and more than the rounding of widths: with |x| <= m and
// gamma = max(1, m) they are at most 4 x 8u x 12 m and 2 x 60u gamma^3.
double filters_of(const Question& question) {
    double gamma = 1.0;
    for (const MovingPoint& corner : question.record.corners) {
        for (std::size_t k = 0; k < 3; ++k)
            gamma = std::max({gamma, std::fabs(corner.start[k]), std::fabs(corner.end[k])});
    }
    return 0x1p-43 * gamma * gamma * gamma;
}

// A part of a box of F is not wider than the whole; the box of fewest checks is the whole.
void expect_more_checks_prove_more(const Question& question, TightInclusionOptions options,
                                   int& spent) {
    constexpr std::array<std::uint64_t, 8> kBudgets = {1, 2, 3, 7, 30, 100, 1000, 20'000};
    const oracle::Truth truth = truth_within(question, 0.0);
    std::vector<CcdResult> found;
    for (const std::uint64_t max_checks : kBudgets) {
        SCOPED_TRACE(max_checks);
        options.query.max_checks = max_checks;
        found.push_back(ask(question, options));
        expect_sound(question, options, truth, found.back());
        const CcdResult& before = found[found.size() < 2 ? 0 : found.size() - 2];
        EXPECT_GE(found.back().toi_lower, before.toi_lower);
        if (found.back().verdict != Verdict::Contact) continue;
        EXPECT_LE(found.back().tolerance, found[0].tolerance + filters_of(question));
        spent += found.back().checks == max_checks ? 1 : 0;
    }
}

TEST(TightInclusion, MoreChecksNeverTakeBackWhatFewerHaveProved) {
    int spent = 0;
    for_each_generated(100, 20, [&](Family, const Question& question) {
        for (const InclusionFilter filter : kBothFilters) {
            SCOPED_TRACE(testing::name(filter));
            TightInclusionOptions options = options_with(0.0);
            options.filter = filter;
            expect_more_checks_prove_more(question, options, spent);
        }
    });
    EXPECT_GT(spent, 1000);
}

TEST(TightInclusion, ReachesTheToleranceUnlessItsChecksAreSpent) {
    int reached = 0;
    for (const double delta : {1e-2, 1e-6, 1e-9}) {
        for_each_generated(200, 10, [&](Family family, const Question& question) {
            if (family == Family::Wild) return;  // where doubles end before
            for (const InclusionFilter filter : kBothFilters) {
                TightInclusionOptions options = options_with(0.0);
                options.filter = filter;
                options.query.distance_tolerance = delta;
                const CcdResult found = ask(question, options);
                if (found.verdict != Verdict::Contact) continue;
                if (found.checks == options.query.max_checks) continue;
                EXPECT_LT(found.tolerance, delta + filters_of(question));
                ++reached;
            }
        });
    }
    EXPECT_GT(reached, 1000);
}

// Sound would be a time of zero, too.
TEST(TightInclusion, FindsTheTimeOfOrdinaryContactsToTheTolerance) {
    int contacts = 0;
    int close = 0;
    for (const QueryKind kind : {QueryKind::VertexFace, QueryKind::EdgeEdge}) {
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            const Question question{kind, generate::query(Family::Ordinary, kind, seed)};
            const oracle::Truth truth = truth_within(question, 0.0);
            if (truth.state != oracle::State::Contact) continue;
            for (const InclusionFilter filter : kBothFilters) {
                TightInclusionOptions options = options_with(0.0, 1'000'000);
                options.filter = filter;
                ++contacts;
                close += ask(question, options).toi_lower > truth.toi_lower - 1e-4 ? 1 : 0;
            }
        }
    }
    EXPECT_GT(contacts, 200);
    EXPECT_GT(close, contacts * 9 / 10);
}

// --- The end of time
// ------------------------------------------------------------------------------

// At the exact first time, one double before and one after; at both ends; nearly at both ends.
std::vector<double> ends_of_time(const oracle::Truth& truth) {
    std::vector<double> ends = {0.0, std::numeric_limits<double>::denorm_min(), 0x1p-1022,
                                0x1.fffffffffffffp-1, 1.0};
    if (truth.state != oracle::State::Contact) return ends;
    for (const double t : {truth.toi_lower, truth.toi_upper}) {
        for (const double end : {std::nextafter(t, 0.0), t, std::nextafter(t, 2.0)})
            if (end <= 1.0) ends.push_back(end);
    }
    return ends;
}

void expect_contacts_up_to_the_end(int count) {
    int contacts_at_the_end = 0;
    int separated_before = 0;
    for_each_generated(
        300, static_cast<std::uint64_t>(count), [&](Family, const Question& question) {
            const oracle::Truth truth = truth_within(question, 0.0);
            for (const double t_max : ends_of_time(truth)) {
                SCOPED_TRACE(t_max);
                for (const InclusionFilter filter : kBothFilters) {
                    TightInclusionOptions options = options_with(0.0, 2000);
                    options.query.t_max = t_max;
                    options.filter = filter;
                    const CcdResult found = ask_all_sets(question, options);
                    expect_sound(question, options, truth, found);
                    contacts_at_the_end += truth.toi_upper == t_max ? 1 : 0;
                    separated_before +=
                        found.verdict == Verdict::Separated && truth.state == oracle::State::Contact
                            ? 1
                            : 0;
                }
            }
        });
    EXPECT_GT(contacts_at_the_end, 20 * count);
    EXPECT_GT(separated_before, 20 * count);
}

TEST(TightInclusion, ContactCountsUpToTheEndOfTimeAndNotBeyond) {
    expect_contacts_up_to_the_end(2);
}

TEST(TightInclusionAttack, ContactCountsUpToTheEndOfTimeAndNotBeyond) {
    expect_contacts_up_to_the_end(10);
}

bool gap_below_a_filter(Question question) {
    for (MovingPoint& corner : question.record.corners)
        corner.end = corner.start;
    return truth_within(question, 0x1p-50).state == oracle::State::Contact;
}

// Nothing is left of the step, so that the start alone decides, and no filter does.
TEST(TightInclusion, AGapAtTheStartIsSeparatedWhereTimeEndsThere) {
    int near = 0;
    for_each_generated(400, 40, [&](Family family, const Question& question) {
        if (family == Family::Wild) return;  // where the gap may close before 2^-1074
        TightInclusionOptions options = options_with(0.0);
        options.query.t_max = 0.0;
        const bool touches = testing::happens_by(truth_within(question, 0.0), 0.0);
        near += !touches && gap_below_a_filter(question) ? 1 : 0;
        for (const InclusionFilter filter : kBothFilters) {
            options.filter = filter;
            EXPECT_EQ(ask(question, options).verdict,
                      touches ? Verdict::Contact : Verdict::Separated);
        }
    });
    EXPECT_GT(near, 3) << "gaps that are below a filter";
}

// --- Scenes
// ---------------------------------------------------------------------------------------

// The box of the motion, with a margin on each side of so many times its own side.
SceneBounds scene_around(const Question& question, double margin) {
    SceneBounds scene{question.record.corners[0].start, question.record.corners[0].start};
    for (std::size_t c = 0; c < vertex_count(question.kind); ++c) {
        for (const Vec3& at : {question.record.corners[c].start, question.record.corners[c].end}) {
            for (std::size_t k = 0; k < 3; ++k) {
                scene.lower[k] = std::min(scene.lower[k], at[k]);
                scene.upper[k] = std::max(scene.upper[k], at[k]);
            }
        }
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const double more = margin * (scene.upper[k] - scene.lower[k]);
        scene.lower[k] -= more;
        scene.upper[k] += more;
    }
    return scene;
}

TEST(TightInclusion, TheFilterOfASceneIsSound) {
    int separated_by_own_filter_alone = 0;
    for_each_generated(500, 10, [&](Family, const Question& question) {
        const oracle::Truth truth = truth_within(question, 0.0);
        for (const InclusionFilter filter : kBothFilters) {
            for (const double margin : {0.0, 1e3, 0x1p+40, 0x1p+600}) {
                TightInclusionOptions options = options_with(0.0, 2000);
                options.filter = filter;
                const CcdResult alone = ask(question, options);
                options.scene = scene_around(question, margin);
                const CcdResult found = ask_all_sets(question, options);
                expect_sound(question, options, truth, found);
                separated_by_own_filter_alone +=
                    alone.verdict == Verdict::Separated && found.verdict == Verdict::Contact ? 1
                                                                                             : 0;
            }
        }
    });
    EXPECT_GT(separated_by_own_filter_alone, 10) << "the scene's filter is used";
}

// What is no box around the motion is as if it had not been given.
std::vector<SceneBounds> no_scenes(const Question& question) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr Vec3 kNans{kNan, kNan, kNan};
    constexpr Vec3 kHuge{1e200, 1e200, 1e200};
    constexpr Vec3 kMinusHuge{-1e200, -1e200, -1e200};
    constexpr Vec3 kInfinite{kInfinity, kInfinity, kInfinity};
    constexpr Vec3 kMinusInfinite{-kInfinity, -kInfinity, -kInfinity};
    SceneBounds beside = scene_around(question, 0.0);
    for (std::size_t k = 0; k < 3; ++k) {
        beside.lower[k] = std::nextafter(beside.upper[k], kInfinity);
        beside.upper[k] = 1e200;
    }
    return {{kNans, kNans},
            {kMinusHuge, kNans},
            {kNans, kHuge},
            {kHuge, kMinusHuge},
            {kMinusInfinite, kInfinite},
            {kInfinite, kMinusInfinite},
            beside};
}

TEST(TightInclusion, ASceneThatIsNoBoxAroundTheMotionChangesNothing) {
    for_each_generated(600, 5, [&](Family family, const Question& question) {
        if (family == Family::Wild) return;  // may reach beyond the scenes' numbers
        for (const InclusionFilter filter : kBothFilters) {
            SCOPED_TRACE(testing::name(filter));
            TightInclusionOptions options = options_with(0.0, 2000);
            options.filter = filter;
            const CcdResult alone = ask(question, options);
            for (const SceneBounds& scene : no_scenes(question)) {
                options.scene = scene;
                EXPECT_EQ(ask(question, options), alone) << scene.lower.x << " " << scene.upper.x;
            }
        }
    });
}

// --- What it refuses
// ------------------------------------------------------------------------------

// A vertex that rests 1e-8 above a face, with a tolerance of 1e-6: as published nothing is known of
// the time, and the start itself could not be excluded.
TEST(TightInclusion, AsPublishedNothingIsAskedOfTheStart) {
    const Vec3 p{0.25, 0.25, 1e-8};
    const VertexFaceMotion motion{
        {p, {0.25, 0.25, -1.0}},
        {MovingPoint{{0, 0, 0}, {0, 0, 0}}, MovingPoint{{1, 0, 0}, {1, 0, 0}},
         MovingPoint{{0, 1, 0}, {0, 1, 0}}}};
    const CcdResult published = run(make_tight_inclusion_paper(), motion);
    EXPECT_EQ(published.verdict, Verdict::Contact);
    EXPECT_EQ(published.toi_lower, 0.0);
    EXPECT_FALSE(make_tight_inclusion_paper().guarantee.progress_when_separated);
    const CcdResult ours = run(make_tight_inclusion(), motion);
    EXPECT_EQ(ours.verdict, Verdict::Contact);
    EXPECT_GT(ours.toi_lower, 0.0);
    TightInclusionOptions options;
    options.filter = InclusionFilter::Paper;
    EXPECT_EQ(tight_inclusion(motion, options).toi_lower, ours.toi_lower);
    options.proves_start = false;
    EXPECT_EQ(tight_inclusion(motion, options), published);
}

TEST(TightInclusion, IsUnresolvedForWhatItDoesNotHonour) {
    const Question question{QueryKind::EdgeEdge,
                            generate::query(Family::Ordinary, QueryKind::EdgeEdge, 1)};
    for (const InclusionFilter filter : kBothFilters) {
        TightInclusionOptions euclidean = options_with(0.5);
        euclidean.query.norm = Norm::Euclidean;
        TightInclusionOptions no_checks = options_with(0.0, 0);
        TightInclusionOptions no_tolerance = options_with(0.0);
        no_tolerance.query.distance_tolerance = 0.0;
        for (TightInclusionOptions options : {euclidean, no_checks, no_tolerance}) {
            options.filter = filter;
            EXPECT_EQ(ask(question, options), CcdResult{});
        }
        Question not_finite = question;
        not_finite.record.corners[3].end.z = kInfinity;
        TightInclusionOptions options = options_with(0.0);
        options.filter = filter;
        EXPECT_EQ(ask(not_finite, options), CcdResult{});
    }
}

}  // namespace
}  // namespace graze

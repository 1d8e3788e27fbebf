#include "graze/baselines/min_separation_cubic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "baselines/probes.hpp"
#include "baselines/sample_counts.hpp"
#include "graze/generate/families.hpp"
#include "graze/verify/oracle_method.hpp"

namespace graze {
namespace {

using generate::Family;
using io::QueryRecord;

constexpr MinSeparationCubicOptions kCorrected{.looks_at_start = true,
                                               .looks_at_edge_corners = true};

template <class Motion>
Verdict verdict_of(const Motion& motion, const MinSeparationCubicOptions& options = {}) {
    return min_separation_cubic(motion, options).verdict;
}

TEST(MinSeparationCubicProbes, ContactsAreFoundAShortTimeBeforeThem) {
    const auto expect_near = [](const auto& motion, double first) {
        const MinSeparationCubicAnswer answer = min_separation_cubic(motion);
        EXPECT_EQ(answer.verdict, Verdict::Contact);
        EXPECT_NEAR(answer.time_est, first, 1e-6);
        EXPECT_LT(answer.time_est, first);
    };
    expect_near(testing::kProbe1, 0.9);
    expect_near(testing::kProbe3, 7.0 / 29.0);
    expect_near(testing::kProbe9, 0.1);
    expect_near(testing::kProbe11, 0.5);
    // 1 - 2 t = 1e-8; the sextic's rounding is as large as d^2, which leaves half of d.
    EXPECT_NEAR(min_separation_cubic(testing::kProbe11).time_est, 0.499999995, 2.5e-9);
}

TEST(MinSeparationCubicProbes, MissesThatAreFarAreSeparated) {
    EXPECT_EQ(verdict_of(testing::kProbe2), Verdict::Separated);
    EXPECT_EQ(verdict_of(testing::kProbe4), Verdict::Separated);
    EXPECT_EQ(verdict_of(testing::kProbe7), Verdict::Separated);
    EXPECT_EQ(verdict_of(testing::descent_probe(.05)), Verdict::Separated);
    EXPECT_EQ(verdict_of(testing::descent_probe(.2)), Verdict::Separated);
}

// Parallel edges have no common normal, hence no sextic; the published method has nothing else.
TEST(MinSeparationCubicProbes, ParallelEdgesAreMissedUnlessTheirCornersAreLookedAt) {
    for (const auto& motion : {testing::kProbe5, testing::kProbe5Oblique}) {
        EXPECT_EQ(verdict_of(motion), Verdict::Separated);
        const auto answer = min_separation_cubic(motion, {.looks_at_edge_corners = true});
        EXPECT_EQ(answer.verdict, Verdict::Contact);
        EXPECT_NEAR(answer.time_est, 0.5, 1e-6);
    }
}

// A distance that does not change is never exactly d.
TEST(MinSeparationCubicProbes, ContactAtRestIsMissedUnlessTheStartIsLookedAt) {
    EXPECT_EQ(verdict_of(testing::kProbe6), Verdict::Separated);
    const auto answer = min_separation_cubic(testing::kProbe6, {.looks_at_start = true});
    EXPECT_EQ(answer.verdict, Verdict::Contact);
    EXPECT_EQ(answer.time_est, 0.0);
    EXPECT_EQ(verdict_of(testing::kProbe7, kCorrected), Verdict::Separated);
}

// sqrt(1e-16 + 0.1 * 1e-8) = 3.16e-5.
TEST(MinSeparationCubicProbes, TheSlackMixesUnits) {
    for (const double e : {1e-8, 1e-7, 1e-6, 1e-5, 3e-5}) {
        EXPECT_EQ(verdict_of(testing::passing_probe(e)), Verdict::Contact) << e;
    }
    EXPECT_EQ(verdict_of(testing::passing_probe(4e-5)), Verdict::Separated);
    for (const double e : {1e-7, 1e-6, 3e-5}) {
        EXPECT_EQ(verdict_of(testing::passing_probe(e), {.slack = SeparationSlack::SameUnits}),
                  Verdict::Separated)
            << e;
    }
}

TEST(MinSeparationCubic, HonoursTheSeparationAndTheEndOfTheStep) {
    const MinSeparationCubicOptions tenth{.min_separation = 0.1};
    const auto answer = min_separation_cubic(testing::descent_probe(.05), tenth);
    EXPECT_EQ(answer.verdict, Verdict::Contact);
    EXPECT_NEAR(answer.time_est, 0.9 / 0.95, 1e-12);
    EXPECT_EQ(verdict_of(testing::descent_probe(.2), tenth), Verdict::Separated);
    EXPECT_EQ(verdict_of(testing::descent_probe(.05), {.min_separation = 0.1, .t_max = 0.94}),
              Verdict::Separated);
    const Method method = make_min_separation_cubic();
    EXPECT_EQ(run(method, testing::descent_probe(.05), {.min_separation = 0.1}).verdict,
              Verdict::Contact);
    EXPECT_EQ(run(method, testing::descent_probe(.05), {.min_separation = 0.01}).verdict,
              Verdict::Separated);
    EXPECT_EQ(run(method, testing::kProbe11, {}).verdict, Verdict::Contact);
}

TEST(MinSeparationCubic, ItsTimesProveNothingAndAreNotGivenAsProofs) {
    const CcdResult contact = run(make_min_separation_cubic(), testing::kProbe11);
    EXPECT_EQ(contact.toi_lower, 0.0);
    EXPECT_EQ(contact.toi_upper, kInfinity);
}

TEST(MinSeparationCubic, IsUnresolvedWhereItCannotCalculate) {
    EXPECT_EQ(verdict_of(testing::kProbe2, {.min_separation = 0.0}), Verdict::Unresolved);
    EXPECT_EQ(verdict_of(testing::kProbe2, {.min_separation = kInfinity}), Verdict::Unresolved);
    EXPECT_EQ(verdict_of(testing::kProbe2, {.t_max = std::nan("")}), Verdict::Unresolved);
    auto motion = testing::kProbe2;
    motion.vertex.end.x = std::nan("");
    EXPECT_EQ(verdict_of(motion), Verdict::Unresolved);
    EXPECT_EQ(verdict_of(testing::against_unit_triangle({0, 0, 1e300}, {0, 0, 1e299})),
              Verdict::Unresolved);
}

template <class Motion>
void expect_oracle_times(const MinSeparationCubicOptions& options, double least_share) {
    int asked = 0;
    int right = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const QueryRecord record = generate::query(Family::Ordinary, Motion::kKind, seed);
        const auto truth = oracle::first_within(verify::oracle_query(record, Motion::kKind),
                                                options.min_separation, oracle::Norm::Euclidean);
        if (truth.toi_lower == 0.0) continue;  // starts nearer than d
        const auto answer = min_separation_cubic(io::motion_of<Motion>(record), options);
        ++asked;
        const bool contact = truth.state == oracle::State::Contact;
        right += contact ? answer.verdict == Verdict::Contact &&
                               std::fabs(answer.time_est - truth.toi_lower) < 1e-9
                         : answer.verdict == Verdict::Separated;
    }
    EXPECT_GT(asked, 40);
    EXPECT_GE(right, least_share * asked) << right << " of " << asked;
}

// With a separation that doubles resolve well, all features looked at and the right slack, the
// method is right about nearly every ordinary query, time included. The others pass d by less than
// the slack at a candidate of another feature, and come out early.
TEST(MinSeparationCubic, FindsTheExactTimesOfOrdinaryQueries) {
    MinSeparationCubicOptions options = kCorrected;
    options.min_separation = 1.0 / 32.0;
    options.slack = SeparationSlack::SameUnits;
    expect_oracle_times<VertexFaceMotion>(options, 0.95);
    expect_oracle_times<EdgeEdgeMotion>(options, 0.95);
    expect_oracle_times<VertexEdgeMotion>(options, 0.95);
    expect_oracle_times<VertexVertexMotion>(options, 0.95);
}

// Counts of the study: within a factor of three, which is what the choice of a solver makes; false
// negatives may be fewer, since the solver here keeps what the published one takes for complex.
// Without the slack of mixed units there are few false positives: the published counts depend on
// it.
TEST(MinSeparationCubicSamples, ErrorsAreOfThePublishedKindAndNumber) {
    const std::map<std::string, std::array<testing::PublishedCount, 2>> published = {
        {"handcrafted vf", {{{155, 3085 - 248}, {0, 248}}}},
        {"handcrafted ee", {{{172, 4194 - 187}, {13, 187}}}},
        {"simulation vf", {{{77, 34039 - 33933}, {2175, 33933}}}},
        {"simulation ee", {{{192, 159807 - 159447}, {7037, 159447}}}}};
    const auto counts = testing::count_on_samples(1.0, [](const auto& m) { return verdict_of(m); });
    if (counts.empty()) GTEST_SKIP() << "no benchmark samples";
    for (const auto& [group, found] : counts) {
        SCOPED_TRACE(group);
        const double positives = published.at(group)[0].share_of(found.queries - found.hits);
        const double negatives = published.at(group)[1].share_of(found.hits);
        EXPECT_GE(found.false_positives, positives / 3.0);
        EXPECT_LE(found.false_positives, positives * 3.0);
        EXPECT_LE(found.false_negatives, std::max(5.0, negatives * 3.0));
    }
    EXPECT_GT(counts.at("handcrafted ee").false_negatives, 0);
    const auto in_units = testing::count_on_samples(
        1.0, [](const auto& m) { return verdict_of(m, {.slack = SeparationSlack::SameUnits}); });
    EXPECT_LT(in_units.at("simulation vf").false_positives, 77 / 3);
    EXPECT_LT(in_units.at("simulation ee").false_positives, 192 / 3);
}

// As d shrinks, the two roots around a contact drown in rounding.
TEST(MinSeparationCubicSamples, FalseNegativesGrowAsTheSeparationShrinks) {
    const auto missed_at = [](double d) {
        const auto counts = testing::count_on_samples(
            1.0, [d](const auto& m) { return verdict_of(m, {.min_separation = d}); });
        return counts.empty() ? -1 : counts.at("handcrafted vf").false_negatives;
    };
    const int at_default = missed_at(1e-8);
    if (at_default < 0) GTEST_SKIP() << "no benchmark samples";
    const int at_1e_16 = missed_at(1e-16);
    const int at_1e_100 = missed_at(1e-100);
    EXPECT_LT(at_default, at_1e_16);
    EXPECT_LT(at_1e_16, at_1e_100);
}

}  // namespace
}  // namespace graze

// Every method, the oracle included, against the exact truth of generated queries: what it declares
// in its Guarantee must hold, and what it does not support must be Unresolved.
// Defends G-ALL-1, G-ALL-6, G-ALL-7, G-CERTIFIED-1, G-CERTIFIED-2, G-CERTIFIED-3, G-CERTIFIED-4,
// G-TIGHT-1, G-TIGHT-2, G-TIGHT-3, G-TIGHT-4, G-SAFE-1, G-SAFE-2, G-PARITY-1, G-INTERVAL-1,
// G-INTERVAL-2, G-INTERVAL-3 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <algorithm>

#include "graze/generate/families.hpp"
#include "graze/generate/numbered.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/narrow/method.hpp"
#include "graze/verify/answers.hpp"
#include "graze/verify/exact_check.hpp"
#include "graze/verify/methods.hpp"

namespace graze {
namespace {

using generate::Family;
using io::QueryRecord;

constexpr std::uint64_t kQueriesPerFamily = 40;
constexpr std::uint64_t kWildQueries = 8;  // exact truth is slow there
// Promises hold whatever the budget. This one lets a method that refines without end, as degenerate
// queries make it, come to its end thousands of times in a second; `graze verify` spends more.
constexpr CcdOptions kOptions{.max_checks = 10000};

std::vector<std::string> method_names() {
    std::vector<std::string> names;
    const MethodRegistry registry = verify::all_methods();
    for (const Method& method : registry.all())
        names.emplace_back(method.name);
    return names;
}

class MethodContract : public ::testing::TestWithParam<std::string> {
protected:
    MethodContract() : registry_(verify::all_methods()), method_(*registry_.find(GetParam())) {}

    [[nodiscard]] const Method& method() const { return method_; }

private:
    MethodRegistry registry_;
    Method method_;
};

// The method's answer, held to what the method declares.
void expect_keeps_its_word(const Method& method, const verify::Question& question) {
    const CcdResult truth = verify::exact_answer(question);
    if (verify::is_finite(question)) {
        ASSERT_NE(truth.verdict, Verdict::Unresolved) << "the oracle has no answer";
    }
    const CcdResult found =
        verify::answer_of(method, question.kind, question.record, question.options);
    const Guarantee declared = guarantee_for(method.guarantee, question.options);
    const verify::ClaimSet broken =
        verify::claims_of(declared) & verify::faults_of(question, truth, found);
    EXPECT_TRUE(broken.empty()) << verify::breach_of(*broken.first());
}

void expect_unresolved(const Method& method, const verify::Question& question) {
    EXPECT_EQ(verify::answer_of(method, question.kind, question.record, question.options),
              CcdResult{});
}

// Calls check(kind, record) for every family and kind, with the fraction 1 / share of the queries.
template <class Check>
void for_each_generated(std::uint64_t share, const Check& check) {
    for (const Family family : generate::kAllFamilies) {
        const std::uint64_t count =
            (family == Family::Wild ? kWildQueries : kQueriesPerFamily) / share;
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::uint64_t seed = 0; seed < count; ++seed) {
                const QueryRecord record = generate::query(family, kind, seed);
                SCOPED_TRACE(std::string(generate::name(family)) + " #" + std::to_string(seed) +
                             " " + std::string(short_name(kind)) + "\n" + io::to_hex(record, kind));
                check(kind, record);
            }
        }
    }
}

TEST_P(MethodContract, ItsVerdictsAndTimesProveWhatItDeclares) {
    for_each_generated(1, [&](QueryKind kind, const QueryRecord& record) {
        if (supports(method(), kind)) expect_keeps_its_word(method(), {kind, record, kOptions});
    });
}

// Scaled, a query is as hard as before for a method without units, and another one for a method
// with a tolerance; shifted, its differences are rounded, so that coincidences are lost and near
// ones made. Where a coordinate overflows, the answer must be Unresolved.
TEST_P(MethodContract, ItKeepsItsWordOnQueriesThatAreLargeSmallOrFarOut) {
    for (const generate::Placement placement :
         {generate::Placement{.scale = 20}, generate::Placement{.scale = -20},
          generate::Placement{.shift = 1000.0},
          generate::Placement{.scale = -20, .shift = 1000.0}}) {
        SCOPED_TRACE(placement.scale);
        SCOPED_TRACE(placement.shift);
        for_each_generated(4, [&](QueryKind kind, const QueryRecord& record) {
            if (!supports(method(), kind)) return;
            const QueryRecord moved = generate::placed(record, kind, placement);
            expect_keeps_its_word(method(), {kind, moved, kOptions});
        });
    }
}

TEST_P(MethodContract, ItKeepsItsWordForEveryBudgetAndTolerance) {
    for (const std::uint64_t max_checks : {1U, 2U, 3U, 17U, 300U}) {
        for (const double tolerance : {0x1p-1074, 1e-12, 0.25, 1e300}) {
            const CcdOptions options{.distance_tolerance = tolerance, .max_checks = max_checks};
            for_each_generated(8, [&](QueryKind kind, const QueryRecord& record) {
                if (supports(method(), kind)) {
                    expect_keeps_its_word(method(), {kind, record, options});
                }
            });
        }
    }
}

TEST_P(MethodContract, ItHonoursTheEndOfTheTimeInterval) {
    for (const double t_max : {0.0, 0.5, 0x1.fffffffffffffp-1}) {
        CcdOptions options = kOptions;
        options.t_max = t_max;
        for_each_generated(4, [&](QueryKind kind, const QueryRecord& record) {
            if (supports(method(), kind)) expect_keeps_its_word(method(), {kind, record, options});
        });
    }
}

bool touches(const verify::Question& question) {
    return verify::exact_answer(question).verdict == Verdict::Contact;
}

// Separations at which small integers are exactly d apart, and one that is no such number: a method
// that ignored d, or rounded the wrong way, would call a contact separated.
TEST_P(MethodContract, ItHonoursAMinimumSeparationOrIsUnresolved) {
    int contacts_by_separation_alone = 0;
    for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
        for (const double d : {0x1p-8, 1.0, 2.0}) {
            CcdOptions options = kOptions;
            options.min_separation = d;
            options.norm = norm;
            for (const QueryKind kind : kAllQueryKinds) {
                for (std::uint64_t seed = 0; seed < kQueriesPerFamily / 4; ++seed) {
                    const QueryRecord record = generate::query(Family::SmallIntegers, kind, seed);
                    SCOPED_TRACE(io::to_hex(record, kind));
                    const bool asked = supports(method(), kind) && supports(method(), options);
                    if (asked) expect_keeps_its_word(method(), {kind, record, options});
                    if (!asked) expect_unresolved(method(), {kind, record, options});
                    contacts_by_separation_alone +=
                        touches({kind, record, options}) && !touches({kind, record, {}}) ? 1 : 0;
                }
            }
        }
    }
    EXPECT_GT(contacts_by_separation_alone, 20);
}

TEST_P(MethodContract, ItIsUnresolvedWithoutABudget) {
    const QueryRecord record = generate::query(Family::Ordinary, QueryKind::VertexFace, 1);
    expect_unresolved(method(), {QueryKind::VertexFace, record, {.max_checks = 0}});
}

TEST_P(MethodContract, ItIsUnresolvedForEveryCoordinateThatIsNotFinite) {
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity}) {
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::size_t corner = 0; corner < vertex_count(kind); ++corner) {
                QueryRecord record = generate::query(Family::Ordinary, kind, 1);
                record.corners[corner].end.y = bad;
                expect_unresolved(method(), {kind, record, {}});
            }
        }
    }
}

TEST_P(MethodContract, ItAnswersTheSameQueryWithTheSameBits) {
    for_each_generated(1, [&](QueryKind kind, const QueryRecord& record) {
        EXPECT_EQ(verify::answer_of(method(), kind, record, kOptions),
                  verify::answer_of(method(), kind, record, kOptions));
    });
}

INSTANTIATE_TEST_SUITE_P(AllMethods, MethodContract, ::testing::ValuesIn(method_names()),
                         [](const auto& test) {
                             std::string name = test.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace graze

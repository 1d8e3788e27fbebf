// Every method, the oracle included, against the exact truth of generated queries: what it declares
// in its Guarantee must hold, and what it does not support must be Unresolved.
#include <gtest/gtest.h>

#include "contract/promises.hpp"
#include "graze/dataset/generate.hpp"
#include "graze/dataset/hex_float.hpp"
#include "graze/narrow/method.hpp"
#include "methods.hpp"
#include "oracle_method.hpp"

namespace graze {
namespace {

using dataset::Family;
using dataset::QueryRecord;

constexpr std::uint64_t kQueriesPerFamily = 40;
constexpr std::uint64_t kWildQueries = 8;  // exact truth is slow there

std::vector<std::string> method_names() {
    std::vector<std::string> names;
    const MethodRegistry registry = tools::tool_methods();
    for (const Method& method : registry.all())
        names.emplace_back(method.name);
    return names;
}

class MethodContract : public ::testing::TestWithParam<std::string> {
protected:
    MethodContract() : registry_(tools::tool_methods()), method_(*registry_.find(GetParam())) {}

    [[nodiscard]] const Method& method() const { return method_; }

private:
    MethodRegistry registry_;
    Method method_;
};

CcdResult run_record(const Method& method, QueryKind kind, const QueryRecord& record,
                     const CcdOptions& options) {
    switch (kind) {
        case QueryKind::VertexFace:
            return run(method, dataset::motion_of<VertexFaceMotion>(record), options);
        case QueryKind::EdgeEdge:
            return run(method, dataset::motion_of<EdgeEdgeMotion>(record), options);
        case QueryKind::VertexVertex:
            return run(method, dataset::motion_of<VertexVertexMotion>(record), options);
        case QueryKind::VertexEdge:
            break;
    }
    return run(method, dataset::motion_of<VertexEdgeMotion>(record), options);
}

void expect_keeps_its_word(const Guarantee& guarantee, const CcdResult& truth,
                           const CcdResult& found) {
    const auto broken = testing::broken_promise(guarantee, truth, found);
    EXPECT_FALSE(broken.has_value()) << *broken;
}

template <class Check>
void for_each_generated(const Check& check) {
    for (const Family family : dataset::kAllFamilies) {
        const std::uint64_t count = family == Family::Wild ? kWildQueries : kQueriesPerFamily;
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::uint64_t seed = 0; seed < count; ++seed) {
                const QueryRecord record = dataset::generate(family, kind, seed);
                SCOPED_TRACE(std::string(dataset::name(family)) + " #" + std::to_string(seed) +
                             " " + std::string(short_name(kind)) + "\n" +
                             dataset::to_hex(record, kind));
                check(kind, record);
            }
        }
    }
}

TEST_P(MethodContract, ItsVerdictsAndTimesProveWhatItDeclares) {
    const Method truth = tools::make_oracle();
    for_each_generated([&](QueryKind kind, const QueryRecord& record) {
        if (!supports(method(), kind)) return;
        expect_keeps_its_word(method().guarantee, run_record(truth, kind, record, {}),
                              run_record(method(), kind, record, {}));
    });
}

TEST_P(MethodContract, ItHonoursTheEndOfTheTimeInterval) {
    const Method truth = tools::make_oracle();
    for (const double t_max : {0.0, 0.5, 0x1.fffffffffffffp-1}) {
        for (std::uint64_t seed = 0; seed < kQueriesPerFamily; ++seed) {
            for (const Family family : {Family::Boundary, Family::SmallIntegers}) {
                const QueryRecord record = dataset::generate(family, QueryKind::VertexFace, seed);
                if (!supports(method(), QueryKind::VertexFace)) continue;
                const CcdOptions options{.t_max = t_max};
                SCOPED_TRACE(dataset::to_hex(record, QueryKind::VertexFace));
                expect_keeps_its_word(method().guarantee,
                                      run_record(truth, QueryKind::VertexFace, record, options),
                                      run_record(method(), QueryKind::VertexFace, record, options));
            }
        }
    }
}

// Separations at which small integers are exactly d apart, and one that is no such number: a method
// that ignored d, or rounded the wrong way, would call a contact separated.
TEST_P(MethodContract, ItHonoursAMinimumSeparationOrIsUnresolved) {
    const Method truth = tools::make_oracle();
    int contacts_by_separation_alone = 0;
    for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
        for (const double d : {0x1p-8, 1.0, 2.0}) {
            const CcdOptions options{.min_separation = d, .norm = norm};
            for (const QueryKind kind : kAllQueryKinds) {
                for (std::uint64_t seed = 0; seed < kQueriesPerFamily / 4; ++seed) {
                    const QueryRecord record = dataset::generate(Family::SmallIntegers, kind, seed);
                    SCOPED_TRACE(dataset::to_hex(record, kind));
                    const CcdResult exact = run_record(truth, kind, record, options);
                    const CcdResult found = run_record(method(), kind, record, options);
                    if (!supports(method(), kind) || !supports(method(), options)) {
                        EXPECT_EQ(found, CcdResult{});
                    } else {
                        expect_keeps_its_word(method().guarantee, exact, found);
                    }
                    const bool touches =
                        run_record(truth, kind, record, {}).verdict == Verdict::Contact;
                    contacts_by_separation_alone +=
                        exact.verdict == Verdict::Contact && !touches ? 1 : 0;
                }
            }
        }
    }
    EXPECT_GT(contacts_by_separation_alone, 20);
}

TEST_P(MethodContract, ItIsUnresolvedWithoutABudget) {
    const QueryRecord record = dataset::generate(Family::Ordinary, QueryKind::VertexFace, 1);
    EXPECT_EQ(run_record(method(), QueryKind::VertexFace, record, {.max_checks = 0}), CcdResult{});
}

TEST_P(MethodContract, ItIsUnresolvedForEveryCoordinateThatIsNotFinite) {
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity}) {
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::size_t corner = 0; corner < corner_count(kind); ++corner) {
                QueryRecord record = dataset::generate(Family::Ordinary, kind, 1);
                record.corners[corner].end.y = bad;
                EXPECT_EQ(run_record(method(), kind, record, {}), CcdResult{});
            }
        }
    }
}

TEST_P(MethodContract, ItAnswersTheSameQueryWithTheSameBits) {
    for_each_generated([&](QueryKind kind, const QueryRecord& record) {
        if (!supports(method(), kind)) return;
        EXPECT_EQ(run_record(method(), kind, record, {}), run_record(method(), kind, record, {}));
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

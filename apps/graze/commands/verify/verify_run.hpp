// Holds methods to what they declare, query by query, and counts where they do not keep it.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/query_list.hpp"
#include "cluster/payload.hpp"
#include "graze/verify/exact_check.hpp"
#include "graze/verify/parallel.hpp"

namespace graze::app {
using namespace verify;

// What one method answered to queries of one kind. Faults are counted whether or not the method
// claims that there are none.
struct VerifyCounts {
    std::uint64_t queries = 0;
    std::uint64_t contacts = 0;         // by the oracle
    std::uint64_t false_positives = 0;  // unresolved counts as contact here
    std::uint64_t unresolved = 0;
    std::uint64_t over_budget = 0;
    std::array<std::uint64_t, kAllClaims.size()> faults{};
    std::uint64_t broken = 0;             // queries on which some claim that was made is broken
    std::optional<double> max_tolerance;  // the largest finite one

    [[nodiscard]] std::uint64_t count(Claim claim) const { return faults[index_of(claim)]; }
};

struct VerifyRow {
    Method method;
    QueryKind kind = QueryKind::VertexFace;
    VerifyCounts counts;

    // How often a claim that was made is broken; zero for one that was not made.
    [[nodiscard]] std::uint64_t broken(Claim claim) const;
};

// An answer that breaks a claim.
struct BrokenAnswer {
    std::uint64_t number = 0;  // of the query
    std::string place;
    Question question;
    Method method;
    CcdResult found;
    CcdResult truth;
    ClaimSet broken;  // not empty
};

struct VerifyReport {
    std::vector<VerifyRow> rows;  // methods in their order, each with the kinds that it has
    std::uint64_t queries = 0;
    std::uint64_t next = 0;        // number of the first query that has not been judged
    std::uint64_t not_finite = 0;  // no truth: methods must leave them unresolved
    std::uint64_t unjudged = 0;    // finite, and yet the oracle has no answer: memory ran out
    std::uint64_t broken = 0;      // answers that break a claim
    std::optional<BrokenAnswer> first_broken;
};

// The counts of a report as bytes, and back into one of the same rows, to which they are added. The first
// broken answer is not among them: who has the block finds it again.
[[nodiscard]] Payload counts_payload(const VerifyReport& report);
// Error: bytes that are not those of such a report.
[[nodiscard]] Expected<void> add_counts(VerifyReport& report, const Payload& payload);

// Which separation is asked about.
enum class SeparationChoice : std::uint8_t {
    Given,  // that of the options
    // The least distance of each query over the step, exact to the last bit, moved by a number of
    // ulps that follows from the number of the query; that of the options where it touches.
    LeastDistance,
};

class VerifyRun {
public:
    // `first` is the number of the first query.
    VerifyRun(std::vector<Method> methods, const CcdOptions& options,
              const generate::Placement& placement, std::uint64_t first,
              SeparationChoice separation = SeparationChoice::Given);

    // Judges the queries in parallel and counts them in their order, so that the report is the same
    // for every number of threads. After a stop: only those before the first that was not judged.
    void add(std::span<const ListedQuery> queries, const Workers& workers);
    [[nodiscard]] const VerifyReport& report() const noexcept { return report_; }

private:
    struct Answered {
        CcdResult found;
        ClaimSet faults;
    };
    // A query with the answers of all methods that have its kind, in their order.
    struct Judged {
        bool is_done = false;
        Question question;
        CcdResult truth;
        std::vector<Answered> answers;
    };
    // Of methods for batches, by method: one for each of the queries, or none.
    using BatchAnswers = std::vector<std::vector<CcdResult>>;
    [[nodiscard]] BatchAnswers batch_answers(std::span<const ListedQuery> queries) const;
    // The query at this index of those that were batched.
    [[nodiscard]] Judged judge(const ListedQuery& query, std::uint64_t number, std::size_t index,
                               const BatchAnswers& batched) const;
    void count(const ListedQuery& query, const Judged& judged);
    void count_answer(VerifyRow& row, const ListedQuery& query, const Judged& judged,
                      const Answered& answer);

    std::vector<Method> methods_;
    CcdOptions options_;
    generate::Placement placement_;
    SeparationChoice separation_;
    VerifyReport report_;
};

}  // namespace graze::app

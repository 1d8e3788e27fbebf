#include "verify_run.hpp"

#include <algorithm>
#include <utility>

#include "graze/core/rounding.hpp"
#include "graze/verify/answers.hpp"
#include "graze/verify/oracle_method.hpp"

namespace graze::app {
using namespace verify;
namespace {

void count_tolerance(VerifyCounts& counts, double tolerance) {
    if (!(tolerance < kInfinity)) return;
    counts.max_tolerance = std::max(counts.max_tolerance.value_or(tolerance), tolerance);
}

double moved_by_ulps(double x, int ulps) noexcept {
    for (; ulps > 0; --ulps)
        x = next_up(x);
    for (; ulps < 0; ++ulps)
        x = next_down(x);
    return x;
}

// The least distance of the step, or some ulps beside it: where rounding errors count.
double worst_separation(const Question& question, std::uint64_t number, double otherwise) {
    constexpr std::array<int, 9> kUlps = {0, -1, 1, -2, 3, -12, 30, -300, 300};
    const oracle::DistanceBracket least = oracle::minimum_distance(
        oracle_query(question.record, question.kind), oracle_norm(question.options.norm));
    if (!least.valid || !(least.lower > 0.0 && least.upper < kInfinity)) return otherwise;
    const double moved = moved_by_ulps(least.upper, kUlps[number % kUlps.size()]);
    return moved > 0.0 && moved < kInfinity ? moved : otherwise;
}

}  // namespace

std::uint64_t VerifyRow::broken(Claim claim) const {
    return claims_of(method.guarantee).has(claim) ? counts.count(claim) : 0;
}

Payload counts_payload(const VerifyReport& report) {
    PayloadWriter bytes;
    for (const std::uint64_t count :
         {report.queries, report.not_finite, report.unjudged, report.broken})
        bytes.natural(count);
    for (const VerifyRow& row : report.rows) {
        const VerifyCounts& counts = row.counts;
        for (const std::uint64_t count : {counts.queries, counts.contacts, counts.false_positives,
                                          counts.unresolved, counts.over_budget, counts.broken})
            bytes.natural(count);
        for (const std::uint64_t count : counts.faults)
            bytes.natural(count);
        bytes.number(counts.max_tolerance);
    }
    return bytes.take();
}

Expected<void> add_counts(VerifyReport& report, const Payload& payload) {
    PayloadReader bytes(payload);
    const std::uint64_t queries = bytes.natural();
    report.queries += queries;
    report.next += queries;
    for (std::uint64_t* count : {&report.not_finite, &report.unjudged, &report.broken})
        *count += bytes.natural();
    for (VerifyRow& row : report.rows) {
        VerifyCounts& counts = row.counts;
        for (std::uint64_t* count : {&counts.queries, &counts.contacts, &counts.false_positives,
                                     &counts.unresolved, &counts.over_budget, &counts.broken})
            *count += bytes.natural();
        for (std::uint64_t& count : counts.faults)
            count += bytes.natural();
        if (const auto tolerance = bytes.optional_number()) count_tolerance(counts, *tolerance);
    }
    if (!bytes.is_finished()) return Error{"the counts of a block are not whole"};
    return {};
}

VerifyRun::VerifyRun(std::vector<Method> methods, const CcdOptions& options,
                     const generate::Placement& placement, std::uint64_t first,
                     SeparationChoice separation)
    : methods_(std::move(methods)),
      options_(options),
      placement_(placement),
      separation_(separation) {
    report_.next = first;
    for (Method& method : methods_) {
        method.guarantee = guarantee_for(method.guarantee, options);
        for (const QueryKind kind : kAllQueryKinds) {
            if (supports(method, kind)) report_.rows.push_back({method, kind, {}});
        }
    }
}

VerifyRun::BatchAnswers VerifyRun::batch_answers(std::span<const ListedQuery> queries) const {
    BatchAnswers all(methods_.size());
    // One batch has one separation.
    if (separation_ != SeparationChoice::Given) return all;
    for (std::size_t m = 0; m < methods_.size(); ++m) {
        for (const QueryKind kind : kAllQueryKinds) {
            if (!answers_batches(methods_[m], kind)) continue;
            std::vector<std::size_t> places;
            std::vector<io::QueryRecord> records;
            for (std::size_t i = 0; i < queries.size(); ++i) {
                if (queries[i].kind != kind) continue;
                places.push_back(i);
                records.push_back(generate::placed(queries[i].record, kind, placement_));
            }
            const std::vector<Answer> answers =
                answers_of({methods_[m], kind, options_, {}}, records);
            all[m].resize(queries.size());
            for (std::size_t i = 0; i < places.size(); ++i)
                all[m][places[i]] = answers[i].result;
        }
    }
    return all;
}

VerifyRun::Judged VerifyRun::judge(const ListedQuery& query, std::uint64_t number,
                                   std::size_t index, const BatchAnswers& batched) const {
    Judged judged;
    judged.question = {query.kind, generate::placed(query.record, query.kind, placement_),
                       options_};
    CcdOptions& options = judged.question.options;
    if (separation_ == SeparationChoice::LeastDistance) {
        options.min_separation = worst_separation(judged.question, number, options.min_separation);
    }
    judged.truth = exact_answer(judged.question);
    for (std::size_t m = 0; m < methods_.size(); ++m) {
        if (!supports(methods_[m], query.kind)) continue;
        const bool is_batched = !batched[m].empty() && answers_batches(methods_[m], query.kind);
        const CcdResult found =
            is_batched ? batched[m][index]
                       : answer_of(methods_[m], query.kind, judged.question.record, options);
        judged.answers.push_back({found, faults_of(judged.question, judged.truth, found)});
    }
    judged.is_done = true;
    return judged;
}

void VerifyRun::add(std::span<const ListedQuery> queries, const Workers& workers) {
    std::vector<Judged> judged(queries.size());
    const std::uint64_t first = report_.next;
    const BatchAnswers batched = batch_answers(queries);
    for_each_index(workers, queries.size(),
                   [&](std::size_t i) { judged[i] = judge(queries[i], first + i, i, batched); });
    for (std::size_t i = 0; i < queries.size() && judged[i].is_done; ++i)
        count(queries[i], judged[i]);
}

void VerifyRun::count(const ListedQuery& query, const Judged& judged) {
    const bool finite = is_finite(judged.question);
    const bool has_truth = judged.truth.verdict != Verdict::Unresolved;
    report_.not_finite += finite ? 0 : 1;
    report_.unjudged += finite && !has_truth ? 1 : 0;
    std::size_t next_answer = 0;
    for (VerifyRow& row : report_.rows) {
        if (row.kind != query.kind) continue;
        const Answered& answer = judged.answers[next_answer++];
        // Without a truth nothing can be said of a finite query.
        if (has_truth || !finite) count_answer(row, query, judged, answer);
    }
    ++report_.queries;
    ++report_.next;
}

void VerifyRun::count_answer(VerifyRow& row, const ListedQuery& query, const Judged& judged,
                             const Answered& answer) {
    VerifyCounts& counts = row.counts;
    const bool says_contact = answer.found.verdict != Verdict::Separated;
    ++counts.queries;
    counts.contacts += judged.truth.verdict == Verdict::Contact ? 1 : 0;
    counts.false_positives += says_contact && judged.truth.verdict == Verdict::Separated ? 1 : 0;
    counts.unresolved += answer.found.verdict == Verdict::Unresolved ? 1 : 0;
    counts.over_budget += is_over_budget(options_, answer.found) ? 1 : 0;
    count_tolerance(counts, answer.found.tolerance);
    for (const Claim claim : kAllClaims)
        counts.faults[index_of(claim)] += answer.faults.has(claim) ? 1 : 0;
    const ClaimSet broken = claims_of(row.method.guarantee) & answer.faults;
    if (broken.empty()) return;
    ++counts.broken;
    ++report_.broken;
    if (report_.first_broken) return;
    report_.first_broken = BrokenAnswer{report_.next, query.place,  judged.question, row.method,
                                        answer.found, judged.truth, broken};
}

}  // namespace graze::app

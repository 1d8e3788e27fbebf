// The experiments of the study that graze compares itself with (Wang et al., ACM TOG 2021), on any
// query sets: one option of the queries is varied, and all else stays as it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench_sample.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "graze/verify/tally.hpp"

namespace graze::app {
using namespace verify;

enum class Experiment : std::uint8_t {
    Table,       // all methods, as they are: Table 1, and Figure 7
    Separation,  // minimum separation: Table 2, Figure 11
    Tolerance,   // distance tolerance: Figures 8 and 15
    Checks,      // work budget of a query: Figure 9
    Claims,      // ratios of times that the study states
};
inline constexpr std::array<Experiment, 5> kAllExperiments = {
    Experiment::Table, Experiment::Separation, Experiment::Tolerance, Experiment::Checks,
    Experiment::Claims};
// "table", "separation", "tolerance", "checks", "claims".
[[nodiscard]] std::string_view name(Experiment experiment) noexcept;
[[nodiscard]] std::optional<Experiment> experiment_from_name(std::string_view name) noexcept;

// What a sweep varies, for headings and axes.
struct SweepSubject {
    std::string_view heading;
    std::string_view axis;       // what the values are, with their unit
    std::string_view reference;  // where the study has it
    std::string_view symbol;     // of the study
};
[[nodiscard]] SweepSubject subject_of(Experiment sweep) noexcept;

// Against the exact answer to the question with that separation, where the oracle had time for it.
struct SeparationErrors {
    std::uint64_t judged = 0;
    std::uint64_t contacts = 0;
    std::uint64_t false_positives = 0;
    std::uint64_t false_negatives = 0;
};

// One method on one group and kind, with one value of the option.
struct SweepRow {
    Method method;
    std::string group;
    QueryKind kind = QueryKind::VertexFace;
    double value = 0.0;
    Norm norm = Norm::Euclidean;
    // False positives and negatives are against the stored truth, which is about touching, whatever
    // the separation: so the study's tables seem to be counted.
    Tally tally;
    std::optional<SeparationErrors> exact;  // of the sweep of separations
    std::uint64_t stride = 1;               // of the group
    bool complete = true;
};

struct Sweep {
    Experiment experiment = Experiment::Separation;
    std::vector<double> values;
    std::vector<SweepRow> rows;
    bool complete = true;
};

// How much faster one way is than another, on the same queries.
struct ClaimRow {
    std::string_view claim;
    std::string_view slow;
    std::string_view fast;
    std::optional<double> published;  // the study's figure, on its machine and data
    std::string group;
    QueryKind kind = QueryKind::VertexFace;
    std::uint64_t queries = 0;
    // Mean of a query, and its median where queries are timed one by one.
    double slow_ns = 0.0;
    double fast_ns = 0.0;
    std::optional<double> slow_median_ns;
    std::optional<double> fast_median_ns;

    [[nodiscard]] double ratio() const noexcept { return fast_ns > 0.0 ? slow_ns / fast_ns : 0.0; }
    [[nodiscard]] std::optional<double> median_ratio() const noexcept {
        if (!slow_median_ns || !fast_median_ns || *fast_median_ns == 0.0) return std::nullopt;
        return *slow_median_ns / *fast_median_ns;
    }
};

struct StudyOptions {
    CcdOptions query;
    // For one method, value, group and kind.
    AskOptions ask;
    unsigned threads = 1;
    // At most so many queries of a group and kind, evenly spread.
    std::uint64_t sample = 256;
    // True iff the user named the methods: then all of them are in every sweep that they can be in.
    bool methods_are_named = false;
    // Of the swept option; empty: sweep_values().
    std::vector<double> values = {};
};

struct Study {
    StudyOptions options;
    std::vector<Sweep> sweeps;
    std::vector<ClaimRow> claims;
    bool has_claims = false;
    bool complete = true;  // false after an interrupt
};

// Vertex-face and edge-edge groups; others take no part.
[[nodiscard]] std::vector<QueryGroup> study_groups(const std::vector<QueryInput>& inputs);
// The methods that take part in a sweep.
[[nodiscard]] std::vector<Method> sweep_methods(const std::vector<Method>& methods,
                                                Experiment sweep, bool are_named);
[[nodiscard]] std::vector<double> sweep_values(Experiment sweep);
// Those at which the study shows the distribution of times (Figures 8 and 11).
[[nodiscard]] std::vector<double> distribution_values(Experiment sweep);
// The method whose range and distributions are drawn: the study's, or the first of the sweep. Empty
// without rows.
[[nodiscard]] std::string distribution_method(const Sweep& sweep);
// Of all answers of a row.
[[nodiscard]] TimeHistogram times_histogram(const Tally& tally);
// The norm of separations in which a method is asked: the max-norm where it has the choice, as the
// study's own method; nothing for one that honours no separation.
[[nodiscard]] std::optional<Norm> separation_norm(const Method& method) noexcept;

// One experiment after the other; after an interrupt what was measured, marked.
[[nodiscard]] Expected<Study> run_study(const std::vector<Experiment>& experiments,
                                        const std::vector<Method>& methods,
                                        const std::vector<QueryGroup>& groups,
                                        const StudyOptions& options);

// The claims on one portion of a group.
[[nodiscard]] std::vector<ClaimRow> claims_on(const QueryGroup& group, const Portion& portion,
                                              const StudyOptions& options);

}  // namespace graze::app

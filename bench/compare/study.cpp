#include "study.hpp"

#include <algorithm>

#include "cli/interrupt.hpp"
#include "cli/workers.hpp"
#include "graze/verify/oracle_method.hpp"

namespace graze::app {
using namespace verify;
namespace {

// What the oracle says of a portion, for one separation and norm; nothing where it was not asked.
using Truths = std::vector<std::optional<bool>>;

// The exact answer takes long where the separation has many bits: as many as the budget allows.
Truths truths_of(const QueryGroup& group, const Portion& portion, const CcdOptions& query,
                 const StudyOptions& options) {
    static const Method oracle = make_oracle();
    const Run run{oracle, group.kind, query, workers(options.threads)};
    const Asked asked = ask(run, portion.records, options.ask);
    Truths truths(portion.records.size());
    for (std::size_t i = 0; i < asked.places.size(); ++i) {
        const Verdict verdict = asked.answers[i].result.verdict;
        if (verdict != Verdict::Unresolved) truths[asked.places[i]] = verdict == Verdict::Contact;
    }
    return truths;
}

SeparationErrors errors_of(const Asked& asked, const Truths& truths) {
    SeparationErrors errors;
    for (std::size_t i = 0; i < asked.places.size(); ++i) {
        const std::optional<bool> touch = truths[asked.places[i]];
        if (!touch) continue;
        const bool says_contact = asked.answers[i].result.verdict != Verdict::Separated;
        ++errors.judged;
        errors.contacts += *touch ? 1 : 0;
        errors.false_positives += says_contact && !*touch ? 1 : 0;
        errors.false_negatives += !says_contact && *touch ? 1 : 0;
    }
    return errors;
}

// One sweep over one group.
class GroupSweep {
public:
    GroupSweep(Sweep& sweep, const QueryGroup& group, const Portion& portion,
               const StudyOptions& options)
        : sweep_(sweep), group_(group), portion_(portion), options_(options) {}

    void run(const std::vector<Method>& methods, Progress& progress) {
        for (const double value : sweep_.values) {
            truths_[0].reset();
            truths_[1].reset();
            for (const Method& method : methods) {
                if (stop_requested()) return;
                if (supports(method, group_.kind)) add(method, value);
                progress.advance(1);
            }
        }
    }

private:
    [[nodiscard]] CcdOptions options_with(const Method& method, double value) const {
        CcdOptions options = options_.query;
        if (sweep_.experiment == Experiment::Tolerance) options.distance_tolerance = value;
        if (sweep_.experiment == Experiment::Checks)
            options.max_checks = static_cast<std::uint64_t>(value);
        if (sweep_.experiment != Experiment::Separation) return options;
        options.min_separation = value;
        options.norm = separation_norm(method).value_or(Norm::Euclidean);
        return options;
    }

    [[nodiscard]] const Truths& truths(const CcdOptions& query) {
        std::optional<Truths>& known = truths_[query.norm == Norm::Max ? 1 : 0];
        if (!known) known = truths_of(group_, portion_, query, options_);
        return *known;
    }

    void add(const Method& method, double value) {
        const CcdOptions query = options_with(method, value);
        const Run run{method, group_.kind, query, workers(options_.threads)};
        const Asked asked = ask(run, portion_.records, options_.ask);
        if (asked.answers.empty()) return;
        SweepRow row{.method = method,
                     .group = group_.name,
                     .kind = group_.kind,
                     .value = value,
                     .norm = query.norm,
                     .tally = {},
                     .exact = {},
                     .stride = asked.stride * portion_.stride,
                     .complete = asked.complete};
        for (std::size_t i = 0; i < asked.places.size(); ++i)
            row.tally.add(portion_.records[asked.places[i]], asked.answers[i]);
        if (sweep_.experiment == Experiment::Separation) {
            row.exact = errors_of(asked, truths(query));
        }
        sweep_.rows.push_back(std::move(row));
    }

    Sweep& sweep_;
    const QueryGroup& group_;
    const Portion& portion_;
    const StudyOptions& options_;
    std::array<std::optional<Truths>, 2> truths_;  // by norm
};

Expected<Portion> portion_of(const QueryGroup& group, const StudyOptions& options) {
    PortionReader reader(group,
                         {.limit = options.sample, .thin_out = true, .stride = 1, .is_wanted = {}});
    return reader.next();
}

Expected<Sweep> run_sweep(Experiment experiment, const std::vector<Method>& all,
                          const std::vector<QueryGroup>& groups, const StudyOptions& options) {
    Sweep sweep{.experiment = experiment,
                .values = options.values.empty() ? sweep_values(experiment) : options.values,
                .rows = {}};
    const auto methods = sweep_methods(all, experiment, options.methods_are_named);
    Progress progress(ProgressTotal{groups.size() * sweep.values.size() * methods.size()},
                      terminal_screen("experiments"));
    for (const QueryGroup& group : groups) {
        const Expected<Portion> portion = portion_of(group, options);
        if (stop_requested()) break;
        if (!portion) return portion.error();
        GroupSweep(sweep, group, *portion, options).run(methods, progress);
    }
    sweep.complete = !stop_requested();
    return sweep;
}

Expected<std::vector<ClaimRow>> run_claims(const std::vector<QueryGroup>& groups,
                                           const StudyOptions& options) {
    std::vector<ClaimRow> rows;
    Progress progress(ProgressTotal{groups.size()}, terminal_screen("experiments"));
    for (const QueryGroup& group : groups) {
        const Expected<Portion> portion = portion_of(group, options);
        if (stop_requested()) break;
        if (!portion) return portion.error();
        const std::vector<ClaimRow> more = claims_on(group, *portion, options);
        rows.insert(rows.end(), more.begin(), more.end());
        progress.advance(1);
    }
    return rows;
}

}  // namespace

std::string_view name(Experiment experiment) noexcept {
    switch (experiment) {
        case Experiment::Table:
            return "table";
        case Experiment::Separation:
            return "separation";
        case Experiment::Tolerance:
            return "tolerance";
        case Experiment::Checks:
            return "checks";
        case Experiment::Claims:
            break;
    }
    return "claims";
}

std::optional<Experiment> experiment_from_name(std::string_view text) noexcept {
    for (const Experiment experiment : kAllExperiments) {
        if (name(experiment) == text) return experiment;
    }
    return std::nullopt;
}

SweepSubject subject_of(Experiment sweep) noexcept {
    switch (sweep) {
        case Experiment::Separation:
            return {"Minimum separation", "minimum separation d", "Table 2, Figure 11", "d"};
        case Experiment::Tolerance:
            return {"Distance tolerance", "tolerance", "Figures 8 and 15", "delta"};
        case Experiment::Checks:
            return {"Work budget of a query", "checks at most", "Figure 9", "m_I"};
        case Experiment::Table:
        case Experiment::Claims:
            break;
    }
    return {};
}

std::vector<double> sweep_values(Experiment sweep) {
    switch (sweep) {
        case Experiment::Separation:
            return {1.0, 1e-2, 1e-4, 1e-8, 1e-16, 1e-30, 1e-50, 1e-100};
        case Experiment::Tolerance:
            return {1.0, 1e-2, 1e-4, 1e-6, 1e-8};
        case Experiment::Checks:
            return {1e2, 1e3, 1e4, 1e5, 1e6};
        case Experiment::Table:
        case Experiment::Claims:
            break;
    }
    return {};
}

std::vector<double> distribution_values(Experiment sweep) {
    if (sweep == Experiment::Separation) return {1.0, 1e-8, 1e-50};
    if (sweep == Experiment::Tolerance) return {1.0, 1e-4, 1e-8};
    return {};
}

std::string distribution_method(const Sweep& sweep) {
    constexpr std::string_view kStudyMethod = "tight-inclusion-paper";
    const bool has_it = std::any_of(sweep.rows.begin(), sweep.rows.end(), [&](const SweepRow& row) {
        return row.method.name == kStudyMethod;
    });
    if (has_it) return std::string(kStudyMethod);
    return sweep.rows.empty() ? "" : std::string(sweep.rows.front().method.name);
}

TimeHistogram times_histogram(const Tally& tally) {
    TimeHistogram bins = tally.positive_times().histogram();
    for (std::size_t i = 0; i < kTimeBins; ++i)
        bins[i] += tally.negative_times().histogram()[i];
    return bins;
}

std::optional<Norm> separation_norm(const Method& method) noexcept {
    if (method.guarantee.min_separation_max_norm) return Norm::Max;
    if (method.guarantee.min_separation_euclidean) return Norm::Euclidean;
    return std::nullopt;
}

std::vector<Method> sweep_methods(const std::vector<Method>& methods, Experiment sweep,
                                  bool are_named) {
    std::vector<Method> chosen;
    for (const Method& method : methods) {
        const bool detects = method.role == MethodRole::Detector;
        const bool fits = sweep == Experiment::Separation
                              ? separation_norm(method).has_value() && (are_named || detects)
                              : are_named || method.bisects;
        if (fits) chosen.push_back(method);
    }
    return chosen;
}

std::vector<QueryGroup> study_groups(const std::vector<QueryInput>& inputs) {
    std::vector<QueryGroup> groups = groups_of(inputs);
    std::erase_if(groups, [](const QueryGroup& group) {
        return group.kind != QueryKind::VertexFace && group.kind != QueryKind::EdgeEdge;
    });
    return groups;
}

Expected<Study> run_study(const std::vector<Experiment>& experiments,
                          const std::vector<Method>& methods, const std::vector<QueryGroup>& groups,
                          const StudyOptions& options) {
    Study study{.options = options, .sweeps = {}, .claims = {}};
    for (const Experiment experiment : experiments) {
        if (experiment == Experiment::Table || stop_requested()) continue;
        if (experiment == Experiment::Claims) {
            auto claims = run_claims(groups, options);
            if (!claims) return claims.error();
            study.claims = std::move(*claims);
            study.has_claims = true;
            continue;
        }
        Expected<Sweep> sweep = run_sweep(experiment, methods, groups, options);
        if (!sweep) return sweep.error();
        study.sweeps.push_back(std::move(*sweep));
    }
    study.complete = !stop_requested();
    return study;
}

}  // namespace graze::app

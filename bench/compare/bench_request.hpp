// What `graze bench` was asked to do.
#pragma once

#include <string>
#include <vector>

#include "bench_run.hpp"
#include "cli/options.hpp"
#include "study.hpp"

namespace graze::app {

struct BenchRequest {
    std::vector<std::string> method_names;
    std::vector<std::string> data;
    std::vector<std::string> experiment_names;
    BenchOptions options;
    std::uint64_t sample = StudyOptions{}.sample;
    std::string device = "cpu";
    std::string csv;
    std::string html;
    // Seconds a method, group and kind as typed; the default depends on the data.
    std::optional<double> budget_s;
    JournalOptions journal;
    CommonOptions common;
    // Filled once the command line is understood.
    MethodChoice choice;
    std::vector<Experiment> experiments;

    [[nodiscard]] bool has(Experiment experiment) const;
    [[nodiscard]] std::vector<std::string> results() const { return {common.json, csv, html}; }
    [[nodiscard]] StudyOptions study_options() const;
};

void add_bench_options(App& app, BenchRequest& request);
// Fills in what follows from the options. Wrong use: options that do not go together.
void check_request(BenchRequest& request);

// The query sets that were named, or the embedded ones.
[[nodiscard]] Expected<std::vector<QueryInput>> inputs_of(const BenchRequest& request);

// What a reader types to get one of the experiments, or all that were made.
[[nodiscard]] std::string command_of(const BenchRequest& request, Experiment experiment);
[[nodiscard]] std::string command_of(const BenchRequest& request);

// How times were taken, and of which queries.
[[nodiscard]] std::string opening_text(const BenchRequest& request);

}  // namespace graze::app

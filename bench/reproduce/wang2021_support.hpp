// What the items of Wang et al. 2021 share: the queries, the paper's names of methods, tables and
// pictures of sweeps.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/study.hpp"
#include "graze/generate/scenes.hpp"
#include "reproduce/item.hpp"

namespace graze::app {

// The groups that stand for the paper's two sets, vertex-face and edge-edge each.
//   "handcrafted", "simulation"  of ReproduceOptions::data
//   "embedded"                   without it: the queries inside the program, most of them degenerate
//   "scenes"                     always: pairs that a broad phase gives, of four moving meshes
struct PaperQueries {
    std::vector<QueryGroup> groups;
    bool are_published = false;

    // Those beside the paper's handcrafted set, and those beside its simulation set.
    [[nodiscard]] std::vector<QueryGroup> handcrafted() const;
    [[nodiscard]] std::vector<QueryGroup> simulated() const;
};
[[nodiscard]] Expected<PaperQueries> paper_queries(const ReproduceOptions& options);
[[nodiscard]] bool is_like_simulation(const QueryGroup& group);
// "handcrafted, vertex-face"
[[nodiscard]] std::string label_of(const QueryGroup& group);
// At most so many, evenly spread.
[[nodiscard]] Expected<Portion> paper_sample(const QueryGroup& group, std::uint64_t limit);

// Moving meshes like those of the paper's simulations: two that bend, a mat that is twisted, a fast
// ball and a wall.
struct PaperScene {
    std::string name;
    generate::QueryScene scene;
};
[[nodiscard]] std::vector<PaperScene> paper_scenes();
// Pairs of a broad phase over all steps, evenly spread. Their truth is the verdict of `certified`,
// which is exact.
[[nodiscard]] std::vector<io::QueryRecord> scene_queries(const generate::QueryScene& scene,
                                                         QueryKind kind);

// The methods of the paper by its own names ("IRF", ..., "Ours"); nothing for one that is not there.
[[nodiscard]] std::optional<Method> paper_method(std::string_view acronym);

// Reports the fraction of the item that is done; an error after a stop.
[[nodiscard]] Expected<void> reached(const ReproduceOptions& options, double fraction);

// One answer per query of a portion, as many as the budget allows.
struct PaperRun {
    Tally tally;
    std::uint64_t stride = 1;
};
[[nodiscard]] PaperRun paper_run(const Method& method, const QueryGroup& group,
                                 const Portion& portion, const CcdOptions& query, double budget_s);

// "3.1 ms, 14 FP, 0 FN of 1125"
[[nodiscard]] std::string run_text(const PaperRun& run);
[[nodiscard]] std::string percent_text(std::uint64_t count, std::uint64_t total);

// A sweep over one option, over some groups, for the methods with these names.
struct PaperSweep {
    Experiment experiment = Experiment::Tolerance;
    std::vector<double> values;
    std::vector<std::string_view> methods;
    std::vector<QueryGroup> groups;
    std::uint64_t sample = 256;
    double budget_s = 0.1;  // of one method, value, group and kind
};
[[nodiscard]] Expected<Sweep> run_paper_sweep(const PaperSweep& what,
                                              const ReproduceOptions& options);
[[nodiscard]] const SweepRow* sweep_row(const Sweep& sweep, const QueryGroup& group,
                                        std::string_view method, double value);
[[nodiscard]] DataTable sweep_table(const Sweep& sweep, std::string table_name,
                                    std::string caption);
// How the times are distributed: one row per method, group, kind and value, one column per bin.
[[nodiscard]] DataTable distribution_table(const Sweep& sweep, std::string table_name,
                                           std::string caption);
// A curve per method over the values, with the range shaded where it is asked for.
enum class SweepCurve : std::uint8_t { MeanWithRange, Mean, FalsePositives, OverBudget, Tolerance };
[[nodiscard]] std::string sweep_chart(const Sweep& sweep, const QueryGroup& group,
                                      SweepCurve curve);
// Bars of the times at distribution_values().
[[nodiscard]] std::vector<std::string> distribution_plots(const Sweep& sweep,
                                                          const QueryGroup& group,
                                                          std::string_view method);

// --- The items -----------------------------------------------------------------------------------

[[nodiscard]] Expected<Reproduction> reproduce_figure_1(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_table_1(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_figure_7(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_section_5_2(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_section_5_3(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_figure_8(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_figure_9(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_section_6(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_table_2(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_figure_11(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_section_7(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_algorithm_3(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_algorithm_4(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_appendix_a(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_figure_15(const ReproduceOptions& options);

}  // namespace graze::app

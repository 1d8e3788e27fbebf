#include "reproduce/wang2021_floating_point.hpp"
#include "reproduce/wang2021_support.hpp"

namespace graze::app {
namespace {

ReproduceItem wang2021_reproduced(std::string_view id, std::string_view title,
                                  Expected<Reproduction> (*run)(const ReproduceOptions&)) {
    return {Paper::Wang2021, id, title, ItemStatus::Reproduced, "", run};
}

ReproduceItem wang2021_waiting(std::string_view id, std::string_view title,
                               std::string_view reason) {
    return {Paper::Wang2021, id, title, ItemStatus::WaitsForSimulator, reason, nullptr};
}

ReproduceItem wang2021_not_reproduced(std::string_view id, std::string_view title,
                                      std::string_view reason) {
    return {Paper::Wang2021, id, title, ItemStatus::NotReproducible, reason, nullptr};
}

constexpr std::string_view kWang2021Diagram =
    "a diagram that explains the method: nothing is measured";

}  // namespace

std::vector<ReproduceItem> wang2021_items() {
    return {
        reproduced("figure-1", "All methods: false positives, false negatives and mean time",
                   reproduce_figure_1),
        not_reproduced("figure-2", "Scenes of the handcrafted queries",
                       "renderings of scenes by others; queries of theirs are read with --data"),
        not_reproduced("figure-3", "Scenes of the simulated queries",
                       "renderings of the authors' simulations, of which only queries are "
                       "published"),
        not_reproduced("section-4.1", "Sixty million queries with ground truth",
                       "the whole set is not available here: --data takes any part of it, and "
                       "`graze truth` decides the truth of each query exactly"),
        reproduced("table-1", "Time, false positives and false negatives of all methods",
                   reproduce_table_1),
        reproduced("section-4.2", "Methods as published beside their mended forms",
                   reproduce_published_methods),
        not_reproduced("figure-4", "Inclusion function in one dimension", kDiagram),
        not_reproduced("figure-5", "Levels of the bisection", kDiagram),
        not_reproduced("figure-6", "Boxes of the domain and the codomain", kDiagram),
        reproduced("section-5.2", "Ratios of times: 4x, 250x, 8x and 3x", reproduce_section_5_2),
        reproduced("section-5.3", "Early termination and the tolerance that is reached",
                   reproduce_section_5_3),
        reproduced("figure-7", "Histograms of run times, positive and negative queries",
                   reproduce_figure_7),
        reproduced("figure-8", "Run time by tolerance delta: mean, range and distributions",
                   reproduce_figure_8),
        reproduced("figure-9", "Early termination and tolerance by the number of checks",
                   reproduce_figure_9),
        reproduced("section-6", "Minimum separation in the Euclidean norm", reproduce_section_6),
        not_reproduced("figure-10", "Minimum separation in one dimension", kDiagram),
        reproduced("table-2", "Minimum separation: MSRF and ours", reproduce_table_2),
        reproduced("figure-11", "Run time by minimum separation d: mean, range and distributions",
                   reproduce_figure_11),
        reproduced("section-7", "One error filter for a whole scene", reproduce_section_7),
        reproduced("algorithm-3", "Active set of a step (section 7.1)", reproduce_algorithm_3),
        waiting("figure-12", "Elastic torus on a cone with three values of delta",
                "needs an elastic simulation with constraints (SQP)"),
        reproduced("algorithm-4",
                   "Line search with minimum separation; stuck with F = 0 "
                   "(section 7.2)",
                   reproduce_algorithm_4),
        waiting("figure-13", "Octocat on a plane with three values of delta",
                "needs an elastic simulation with a contact barrier (IPC)"),
        waiting("section-7.2-artefact", "A false negative leads to an artefact (video)",
                "needs an elastic simulation with a contact barrier (IPC)"),
        reproduced("appendix-a", "The format of the queries, written and read back",
                   reproduce_appendix_a),
        not_reproduced("appendix-a-viewer", "Query viewer",
                       "`graze repro` prints a query as text and code; the viewer is not there "
                       "yet"),
        reproduced("figure-14", "The hourglass that root parity misses (appendix B)",
                   reproduce_appendix_b),
        reproduced("appendix-c", "Two examples that Bernstein sign classification fails on",
                   reproduce_appendix_c),
        reproduced("figure-15", "Interval methods by tolerance delta (appendix D)",
                   reproduce_figure_15),
        reproduced("table-3", "The thickness eta of FPRF, and minimum separations (appendix E)",
                   reproduce_table_3),
    };
}

}  // namespace graze::app

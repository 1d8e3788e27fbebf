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
        wang2021_reproduced("figure-1",
                            "All methods: false positives, false negatives and mean time",
                            reproduce_figure_1),
        wang2021_not_reproduced(
            "figure-2", "Scenes of the handcrafted queries",
            "renderings of scenes by others; queries of theirs are read with --data"),
        wang2021_not_reproduced("figure-3", "Scenes of the simulated queries",
                                "renderings of the authors' simulations, of which only queries are "
                                "published"),
        wang2021_not_reproduced(
            "section-4.1", "Sixty million queries with ground truth",
            "the whole set is not available here: --data takes any part of it, and "
            "`graze truth` decides the truth of each query exactly"),
        wang2021_reproduced("table-1", "Time, false positives and false negatives of all methods",
                            reproduce_table_1),
        // Here the published forms of the methods (section 4.2): reproduce_published_methods of
        // wang2021_floating_point.hpp.
        wang2021_not_reproduced("figure-4", "Inclusion function in one dimension",
                                kWang2021Diagram),
        wang2021_not_reproduced("figure-5", "Levels of the bisection", kWang2021Diagram),
        wang2021_not_reproduced("figure-6", "Boxes of the domain and the codomain",
                                kWang2021Diagram),
        wang2021_reproduced("section-5.2", "Ratios of times: 4x, 250x, 8x and 3x",
                            reproduce_section_5_2),
        wang2021_reproduced("section-5.3", "Early termination and the tolerance that is reached",
                            reproduce_section_5_3),
        wang2021_reproduced("figure-7", "Histograms of run times, positive and negative queries",
                            reproduce_figure_7),
        wang2021_reproduced("figure-8",
                            "Run time by tolerance delta: mean, range and distributions",
                            reproduce_figure_8),
        wang2021_reproduced("figure-9", "Early termination and tolerance by the number of checks",
                            reproduce_figure_9),
        wang2021_reproduced("section-6", "Minimum separation in the Euclidean norm",
                            reproduce_section_6),
        wang2021_not_reproduced("figure-10", "Minimum separation in one dimension",
                                kWang2021Diagram),
        wang2021_reproduced("table-2", "Minimum separation: MSRF and ours", reproduce_table_2),
        wang2021_reproduced("figure-11",
                            "Run time by minimum separation d: mean, range and distributions",
                            reproduce_figure_11),
        wang2021_reproduced("section-7", "One error filter for a whole scene", reproduce_section_7),
        wang2021_reproduced("algorithm-3", "Active set of a step (section 7.1)",
                            reproduce_algorithm_3),
        wang2021_waiting("figure-12", "Elastic torus on a cone with three values of delta",
                         "needs an elastic simulation with constraints (SQP)"),
        wang2021_reproduced("algorithm-4",
                            "Line search with minimum separation; stuck with F = 0 "
                            "(section 7.2)",
                            reproduce_algorithm_4),
        wang2021_waiting("figure-13", "Octocat on a plane with three values of delta",
                         "needs an elastic simulation with a contact barrier (IPC)"),
        wang2021_waiting("section-7.2-artefact", "A false negative leads to an artefact (video)",
                         "needs an elastic simulation with a contact barrier (IPC)"),
        wang2021_reproduced("appendix-a", "The format of the queries, written and read back",
                            reproduce_appendix_a),
        wang2021_not_reproduced(
            "appendix-a-viewer", "Query viewer",
            "`graze repro` prints a query as text and code; the viewer is not there "
            "yet"),
        // Here figure-14 and appendix-b, appendix-c: reproduce_appendix_b and reproduce_appendix_c
        // of wang2021_floating_point.hpp.
        wang2021_reproduced("figure-15", "Interval methods by tolerance delta (appendix D)",
                            reproduce_figure_15),
        // Here table-3 (appendix E): reproduce_table_3 of wang2021_floating_point.hpp.
    };
}

}  // namespace graze::app

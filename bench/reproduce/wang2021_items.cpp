#include "reproduce/wang2021_floating_point.hpp"
#include "reproduce/wang2021_support.hpp"

namespace graze::app {
std::vector<ReproduceItem> wang2021_items() {
    const ItemsOf paper{Paper::Wang2021};
    return {
        paper.reproduced("figure-1", "All methods: false positives, false negatives and mean time",
                         reproduce_figure_1),
        paper.left_out(
            "figure-2", "Scenes of the handcrafted queries",
            "renderings of scenes by others; queries of theirs are read with --data, and "
            "`graze sim spikes --queries` and the like make some from scenes of ours"),
        paper.left_out("figure-3", "Scenes of the simulated queries",
                       "renderings of the authors' simulations, of which only queries are "
                       "published; `graze sim colliding-heads` and the like are ours"),
        paper.left_out("section-4.1", "Sixty million queries with ground truth",
                       "the whole set is not available here: --data takes any part of it, and "
                       "`graze truth` decides the truth of each query exactly"),
        paper.reproduced("table-1", "Time, false positives and false negatives of all methods",
                         reproduce_table_1),
        paper.reproduced("section-4.2", "Methods as published beside their mended forms",
                         reproduce_published_methods),
        paper.diagram("figure-4", "Inclusion function in one dimension"),
        paper.diagram("figure-5", "Levels of the bisection"),
        paper.diagram("figure-6", "Boxes of the domain and the codomain"),
        paper.reproduced("section-5.2", "Ratios of times: 4x, 250x, 8x and 3x",
                         reproduce_section_5_2),
        paper.reproduced("section-5.3", "Early termination and the tolerance that is reached",
                         reproduce_section_5_3),
        paper.reproduced("figure-7", "Histograms of run times, positive and negative queries",
                         reproduce_figure_7),
        paper.reproduced("figure-8", "Run time by tolerance delta: mean, range and distributions",
                         reproduce_figure_8),
        paper.reproduced("figure-9", "Early termination and tolerance by the number of checks",
                         reproduce_figure_9),
        paper.reproduced("section-6", "Minimum separation in the Euclidean norm",
                         reproduce_section_6),
        paper.diagram("figure-10", "Minimum separation in one dimension"),
        paper.reproduced("table-2", "Minimum separation: MSRF and ours", reproduce_table_2),
        paper.reproduced("figure-11",
                         "Run time by minimum separation d: mean, range and distributions",
                         reproduce_figure_11),
        paper.reproduced("section-7", "One error filter for a whole scene", reproduce_section_7),
        paper.reproduced("algorithm-3", "Active set of a step (section 7.1)",
                         reproduce_algorithm_3),
        paper.simulated("figure-12", "Elastic torus on a cone with three values of delta"),
        paper.reproduced("algorithm-4",
                         "Line search with minimum separation; stuck with F = 0 "
                         "(section 7.2)",
                         reproduce_algorithm_4),
        paper.simulated("figure-13", "Octocat on a plane with three values of delta"),
        paper.simulated("section-7.2-artefact", "A false negative leads to an artefact (video)"),
        paper.simulated("section-7-sliding", "Sliding contact, which section 7 leaves open"),
        paper.reproduced("appendix-a", "The format of the queries, written and read back",
                         reproduce_appendix_a),
        paper.left_out(
            "appendix-a-viewer", "Query viewer",
            "nothing is measured in it; ours is `graze view`, and `graze repro` prints a "
            "query as text and code"),
        paper.reproduced("figure-14", "The hourglass that root parity misses (appendix B)",
                         reproduce_appendix_b),
        paper.reproduced("appendix-c", "Two examples that Bernstein sign classification fails on",
                         reproduce_appendix_c),
        paper.reproduced("figure-15", "Interval methods by tolerance delta (appendix D)",
                         reproduce_figure_15),
        paper.reproduced("table-3",
                         "The thickness eta of FPRF, and minimum separations (appendix E)",
                         reproduce_table_3),
    };
}

}  // namespace graze::app

// Constants of Wang 2014 as the compiler derives them, and for other formats of numbers.
#include <fmt/format.h>

#include "graze/narrow/safe_cubic.hpp"
#include "reproduce/wang2014_items.hpp"

namespace graze::app::wang2014 {
namespace {

ComparedRow equal_number(std::string what, double published, double ours) {
    return {std::move(what), fmt::format("{:g}", published), fmt::format("{:g}", ours),
            published == ours ? "agrees" : "differs"};
}
ComparedRow smaller_number(std::string what, double published, double ours) {
    return {std::move(what), fmt::format("{:g}", published), fmt::format("{:g}", ours),
            ours <= published ? "better" : "differs"};
}

}  // namespace

Expected<Reproduction> tolerances(const ReproduceOptions&) {
    const SafeCubicConstants c = safe_cubic_constants();
    Reproduction result;
    result.rows = {
        equal_number("mu: residual of the cubic, in B^3 eps^(3/4)", 64, c.mu),
        equal_number("tau: area, in B^2 eps^(1/2)", 64, c.tau),
        equal_number("eta: height, in B eps^(1/4)", 4, c.eta),
        equal_number("R: vertex-edge distance, in B eps^(1/4)", 6, c.radius),
        equal_number("rho: component that counts as zero, in B^2 eps^(1/2)", 3, c.rho),
        equal_number("psi: F0ij, in B^2 eps^(1/2)", 725, c.psi),
        equal_number("lambda^2: edge length, in B^2 eps^(1/2)", 2080, c.lambda_sq),
        equal_number("delta: vertex-vertex, in B^2 eps", 311, static_cast<double>(c.vertex_vertex)),
        equal_number("distance of a false positive, in B eps^(1/4)", 41, c.distance),
        {"plane culling, in B^3 eps", "-", fmt::format("{}", c.plane_culling),
         "added: the paper has such a tolerance and does not print it"}};
    result.conclusion =
        "The values compiled in are those of the paper. Each is checked by static assertions "
        "against the conditions of its proof, which also cover rounding errors of the relative "
        "vectors that the paper leaves out.";
    return result;
}

Expected<Reproduction> error_constants(const ReproduceOptions&) {
    const SafeCubicConstants c = safe_cubic_constants();
    const auto number = [](std::uint64_t n) { return static_cast<double>(n); };
    Reproduction result;
    result.rows = {
        equal_number("coefficients of the cubic, in B^3 eps", 313, number(c.coefficients)),
        equal_number("value of the cubic, in B^3 eps", 746, number(c.cubic)),
        equal_number("component of the normal, in B^2 eps", 13, number(c.normal)),
        equal_number("square of a length, in B^2 eps", 22, number(c.square)),
        equal_number("barycentric weight, in B^4 eps", 181, number(c.weight)),
        equal_number("criterion of edges, in B^4 eps", 362, number(c.edge_criterion)),
        equal_number("criterion of a face, in B^4 eps", 565, number(c.face_criterion)),
        {"coefficients, rounding errors of the vectors included", "-",
         fmt::format("{}", c.coefficients_here),
         "larger; what counts is the value, in the next row"},
        smaller_number("value of the cubic, the same", 746, number(c.cubic_here)),
        smaller_number("criterion of a face, the same", 565, number(c.face_criterion_here))};
    result.conclusion =
        "Theorem 4.1, run by the compiler over the expressions that are executed, gives the "
        "paper's integers. Counting half an eps for one rounding, which is what it costs, leaves "
        "room for the rounding errors of differences and velocities.";
    return result;
}

Expected<Reproduction> precisions(const ReproduceOptions&) {
    Reproduction result;
    DataTable table{"precisions",
                    "Conditions of the proof by format. Distances are fractions of B.",
                    {"format", "eps", "eps^(1/4)", "constants hold", "least mu (paper)",
                     "least mu (here)", "mu = 64 proved", "mu", "tau", "eta", "R", "distance / B"},
                    {}};
    std::vector<LabelledBar> bars;
    const auto yes = [](bool b) { return std::string(b ? "yes" : "no"); };
    for (const SafeCubicPrecision& p : safe_cubic_precisions()) {
        table.rows.push_back(
            {std::string(p.name), fmt::format("2^-{}", p.spacing_exponent),
             fmt::format("{:.3g}", p.fourth_root), yes(p.errors_hold),
             fmt::format("{:.3g}", p.solver_threshold_needed),
             fmt::format("{:.3g}", p.solver_threshold_needed_here), yes(p.paper_values_hold),
             fmt::format("{:.4g}", p.mu), fmt::format("{:g}", p.tau), fmt::format("{:g}", p.eta),
             fmt::format("{:g}", p.radius), fmt::format("{:.3g}", p.relative_distance())});
        bars.push_back({std::string(p.name), p.relative_distance(),
                        fmt::format("{:.2g} B", p.relative_distance())});
    }
    const auto all = safe_cubic_precisions();
    const SafeCubicPrecision& in_float = all[0];
    const SafeCubicPrecision& in_double = all[1];
    result.rows = {
        {"double: distance of a false positive", "41 B eps^(1/4), 0.5 % of the longest edge",
         fmt::format("{:g} B eps^(1/4) = {:.2f} % of B", in_double.distance,
                     100.0 * in_double.relative_distance()),
         "agrees"},
        {"float, the paper's values as they stand", "half of the longest edge",
         fmt::format("41 B eps^(1/4) = {:.0f} % of B, and not proved: mu must be {:.0f}, not 64",
                     4100.0 * in_float.fourth_root, in_float.solver_threshold_needed),
         "agrees: a bad idea"},
        {"float, values that are proved", "-",
         fmt::format("R = {:g} B eps^(1/4), false positives up to {:.2f} B", in_float.radius,
                     in_float.relative_distance()),
         "more than B: every near pair is a contact"},
        {"float, our bound of the solver", "-",
         fmt::format("mu must be {:.1f}, not 64", in_float.solver_threshold_needed_here),
         "fails by a little, not tenfold"},
        {"extended (80 bits)", "named as future work",
         fmt::format("the same values are proved; {:.2g} B", all[2].relative_distance()),
         "answered"},
        {"binary128", "-",
         fmt::format("the same values are proved; {:.2g} B", all[3].relative_distance()),
         "answered"}};
    result.conclusion =
        "The integers of the error analysis hold for every format. The conditions on mu fail for "
        "float and hold for all wider ones with the paper's values, where only eps^(1/4) changes: "
        "seven times smaller false positives in extended precision, 33,000 times in binary128.";
    result.drawings = {{"precisions", "How far off a false positive may be, as a fraction of B",
                        labelled_bars("False-positive distance by format (log scale)", bars,
                                      BarAxis::Logarithmic)}};
    result.tables = {std::move(table)};
    return result;
}

Expected<Reproduction> solvers(const ReproduceOptions&) {
    const SafeCubicConstants c = safe_cubic_constants();
    Reproduction result;
    result.rows = {
        {"A.1: error of a root of a quadratic", "2 eps^(1/2)", "1.001 eps^(1/2) (SCS-1)", "better"},
        {"A.2: residual of a root", "16 max(|a|, |b|, |c|) eps",
         "7.6 max(|a|, |b|, |c|) eps (SCS-1)", "better"},
        smaller_number("B: least threshold of the cubic solver, in B^3 eps", 32746,
                       c.solver_threshold),
        {"B: values of F for one root", "no bound",
         fmt::format("at most {}, 5.1 as a rule (SCS-4)", c.solver_iterations), "better"},
        {"B: |F| between a root and its candidate, in B^3 eps^(3/4)", "128",
         fmt::format("{:g} and 4096 eps^(1/4)", c.mu), "better"},
        {"C: rise of F0ij from a contact to a candidate, in B^2 eps^(1/2)", "725",
         "255 proved; 725 kept (SC-5)", "better"}};
    result.conclusion =
        "The appendix's solvers with other proofs (docs/derivations/safe_cubic_solvers.md and "
        "safe_cubic.md), smaller constants, and a bound of the iterations. The proofs are attacked "
        "in rationals by the tests of the solvers.";
    return result;
}

}  // namespace graze::app::wang2014

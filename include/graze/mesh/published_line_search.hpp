// The line search of Wang et al. 2021 (Algorithm 4) with its own query: the minimum separation in the
// max-norm by inclusion, for those who compare. For simulations: line_search(), which keeps Euclidean
// distances, has a tolerance that follows the distance, and proves the positions that it returns.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "graze/mesh/step.hpp"
#include "graze/narrow/tight_inclusion.hpp"

namespace graze {

// Which text is followed where the printed lines and the explanation below them differ.
enum class Algorithm4 : std::uint8_t {
    // The explanation. With err = delta_i + epsilon_i + eta_i (tolerance, rounding of the query,
    // error of the distance): d = min(p d_i, delta), and p is valid iff d_i - err > d.
    Corrected,
    // The lines as printed: d = max(p d_i, delta) without a cap once p was halved, and p is halved
    // while p < (d - err) / d. With d_i <= delta the search begins within d: steps of zero length.
    Printed,
};

struct PublishedLineSearchOptions {
    // The method honours separations in the max-norm and proves its separations and free times:
    // `tight-inclusion-paper` or `tight-inclusion`. query.distance_tolerance is delta and
    // query.max_checks m_I; norm, min_separation and t_max are chosen by the search, and `threads`
    // is taken as 1: each query is asked up to the earliest time so far, in a fixed order.
    StepOptions step = [] {
        StepOptions options;
        options.method = make_tight_inclusion_paper();
        return options;
    }();
    // p in [0, 1): the fraction of the least distance that is kept. 0 is the query F = 0.
    double p = 0.5;
    // d = min(p d_i, delta), as section 7.2 suggests for speed; a step then ends within 2 delta of the
    // contact, about as near as the errors. False: d = p d_i, for those pairs alone whose swept boxes
    // come within delta of each other. (Printed has no cap.)
    bool caps_separation = true;
    // eta: [length] >= 0. 0, since d_i is a proved lower bound here; the paper takes 1e-9.
    double distance_error = 0.0;
    Algorithm4 reading = Algorithm4::Corrected;
    int max_passes = 16;    // >= 1: how often lines 8 to 18 are gone through
    int max_halvings = 60;  // of p in all, and of the backtracking
    // Lines 20 to 24 end with positions that are rounded and were never tested. True: the motion to
    // them is tested by `certified` before they are taken (which the paper does not).
    bool tests_positions = true;
};

struct PublishedLineSearchResult {
    // positions = start + alpha (end - start), rounded. 0, and the start: stuck.
    double alpha = 0.0;
    std::vector<Vec3> positions;
    double energy = 0.0;  // at the positions
    // The step of which the queries proved that it is free, before the backtracking.
    double alpha_free = 0.0;
    // d_i: a lower bound of the least max-norm distance of the candidates at the start, proved;
    // infinity without candidates.
    double distance = kInfinity;
    double p = 0.0;           // as validated
    double separation = 0.0;  // d of the last pass
    double tolerance = 0.0;  // delta_i: the largest that a query of the last pass reached, or delta
    // d_i - (delta_i + epsilon_i + eta_i) > d held at the end (Corrected) or line 16 did not ask for
    // another pass (Printed). Otherwise the step may be 0 although the start is separated.
    bool is_validated = false;
    int passes = 0;       // over the candidates
    int halvings = 0;     // of p
    int evaluations = 0;  // of the energy
    StepWork work;        // candidates: over all passes
};

// Guarantee: the motion along [0, alpha_free] is free of contact, proved by the method; with
// tests_positions that to `positions`, as they are returned, too. At most max_passes passes, each of
// one query per candidate, and as many evaluations of the energy as halvings, and one.
// Not guaranteed: alpha > 0 for a separated start (that is what `is_validated` is about).
// Errors as of line_search(); a method that does not honour the max-norm (Unsupported) or proves
// neither separations nor free times (InvalidOption).
[[nodiscard]] Expected<PublishedLineSearchResult> published_line_search(
    MeshStepper& stepper, std::span<const Vec3> start, std::span<const Vec3> end,
    const std::function<double(std::span<const Vec3>)>& energy,
    const PublishedLineSearchOptions& options = {});

// epsilon_i of Eq. 8 for a whole scene: the largest over axes and kinds of query.
[[nodiscard]] double published_separation_filter(std::span<const Vec3> start,
                                                 std::span<const Vec3> end) noexcept;

}  // namespace graze

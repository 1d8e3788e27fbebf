#include "graze/oracle/self_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "default_arithmetic.hpp"
#include "exact_motion.hpp"

namespace graze::oracle {
namespace {

using Failure = std::optional<std::string>;

std::string to_text(const Truth& truth) {
    if (truth.state == State::Invalid) return "invalid";
    if (truth.state == State::Separated) return "separated";
    char text[96];
    std::snprintf(text, sizeof text, "contact in [%a, %a]", truth.toi_lower, truth.toi_upper);
    return text;
}

Failure expect_same(const char* what, const Truth& expected, const Truth& found) {
    if (found == expected) return std::nullopt;
    return std::string(what) + ": " + to_text(found) + " instead of " + to_text(expected);
}

Failure expect_state(const char* what, State expected, const Truth& found) {
    if (found.state == expected) return std::nullopt;
    return std::string(what) + ": " + to_text(found);
}

Query with_corners_swapped(Query query, std::size_t i, std::size_t j) {
    std::swap(query.start[i], query.start[j]);
    std::swap(query.end[i], query.end[j]);
    return query;
}

// Pairs of corners whose exchange changes nothing.
std::vector<std::pair<std::size_t, std::size_t>> exchangeable_corners(Kind kind) {
    switch (kind) {
        case Kind::VertexVertex:
            return {{0, 1}};
        case Kind::VertexEdge:
            return {{1, 2}};
        case Kind::VertexFace:
            return {{1, 2}, {2, 3}, {1, 3}};
        case Kind::EdgeEdge:
            break;
    }
    return {{0, 1}, {2, 3}};
}

template <class Change>
Query with_axes_changed(Query query, const Change& change) {
    for (std::size_t c = 0; c < corner_count(query.kind); ++c) {
        change(query.start[c]);
        change(query.end[c]);
    }
    return query;
}

// Scales one axis by 2^exponent, or leaves it alone where that would not be exact.
Query with_axis_scaled(const Query& query, std::size_t axis, int exponent) {
    bool exact = true;
    const Query scaled = with_axes_changed(query, [&](std::array<double, 3>& point) {
        const double before = point[axis];
        point[axis] = std::ldexp(before, exponent);
        exact = exact && std::isfinite(point[axis]) && std::ldexp(point[axis], -exponent) == before;
    });
    return exact ? scaled : query;
}

Failure check_ways(const Query& query, const Truth& truth) {
    if (auto failure = expect_same("decomposition", truth, first_contact_by_decomposition(query))) {
        return failure;
    }
    if (auto failure =
            expect_same("Euclidean, d = 0", truth, first_within(query, 0.0, Norm::Euclidean))) {
        return failure;
    }
    return expect_same("max-norm, d = 0", truth, first_within(query, 0.0, Norm::Max));
}

Failure check_corner_symmetry(const Query& query, const Truth& truth) {
    for (const auto& [i, j] : exchangeable_corners(query.kind)) {
        if (auto failure = expect_same("exchanged corners", truth,
                                       first_contact(with_corners_swapped(query, i, j)))) {
            return failure;
        }
    }
    if (query.kind != Kind::EdgeEdge) return std::nullopt;
    const Query swapped = with_corners_swapped(with_corners_swapped(query, 0, 2), 1, 3);
    return expect_same("exchanged edges", truth, first_contact(swapped));
}

Failure check_axis_symmetry(const Query& query, const Truth& truth) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Query mirrored =
            with_axes_changed(query, [&](std::array<double, 3>& p) { p[axis] = -p[axis]; });
        if (auto failure = expect_same("mirrored", truth, first_contact(mirrored))) return failure;
    }
    const Query rotated = with_axes_changed(query, [](std::array<double, 3>& p) {
        p = {p[1], p[2], p[0]};
    });
    return expect_same("permuted axes", truth, first_contact(rotated));
}

Failure check_scaling(const Query& query, const Truth& truth) {
    constexpr std::array<std::array<int, 3>, 3> kExponents = {
        {{20, 20, 20}, {-300, 0, 300}, {-31, 700, -700}}};
    for (const auto& exponents : kExponents) {
        Query scaled = query;
        for (std::size_t k = 0; k < 3; ++k)
            scaled = with_axis_scaled(scaled, k, exponents[k]);
        if (auto failure = expect_same("scaled by powers of two", truth, first_contact(scaled))) {
            return failure;
        }
    }
    return std::nullopt;
}

Failure check_time_reversal(const Query& query, const Truth& truth) {
    Query reversed = query;
    std::swap(reversed.start, reversed.end);
    return expect_state("reversed in time", truth.state, first_contact(reversed));
}

// The exact first time t* is in [lower, upper]; before = the largest double < t*.
Failure check_cuts(const Query& query, const Truth& truth) {
    if (truth.state != State::Contact || truth.toi_upper == 0.0) return std::nullopt;
    const bool is_double = truth.toi_lower == truth.toi_upper;
    const double before = is_double ? std::nextafter(truth.toi_lower, 0.0) : truth.toi_lower;
    if (before > 0.0) {
        if (auto failure = expect_state("cut before the first time", State::Separated,
                                        first_contact_in(query, 0.0, before))) {
            return failure;
        }
    }
    const Truth cut = first_contact_in(query, 0.0, truth.toi_upper);
    if (auto failure = expect_state("cut at the first time", State::Contact, cut)) return failure;
    // What is left of the motion is before/upper long at least, so contact comes at its very end.
    if (is_double && !(cut.toi_lower == 1.0 && cut.toi_upper == 1.0)) {
        return "cut at the first time, not touching at the end: " + to_text(cut);
    }
    if (!is_double && before > 0.0 && cut.toi_upper < before / truth.toi_upper) {
        return "cut after the first time, touching too early: " + to_text(cut);
    }
    return std::nullopt;
}

// A separation of the size of the query: a power of two near a sixteenth of the largest coordinate.
double typical_separation(const Query& query) {
    double largest = 0.0;
    for (std::size_t c = 0; c < corner_count(query.kind); ++c) {
        for (std::size_t k = 0; k < 3; ++k) {
            largest = std::max({largest, std::fabs(query.start[c][k]), std::fabs(query.end[c][k])});
        }
    }
    return largest == 0.0 ? 1.0 : std::ldexp(1.0, std::max(std::ilogb(largest) - 4, -1074));
}

// What must hold of first_within for one separation > 0 and one norm.
Failure check_separation_in(const Query& query, double d, Norm norm) {
    const Truth truth = first_within(query, d, norm);
    for (const auto& [i, j] : exchangeable_corners(query.kind)) {
        const Query swapped = with_corners_swapped(query, i, j);
        if (auto failure = expect_same("separation, exchanged corners", truth,
                                       first_within(swapped, d, norm))) {
            return failure;
        }
    }
    const Query turned = with_axes_changed(query, [](std::array<double, 3>& p) {
        p = {p[1], -p[2], p[0]};
    });
    if (auto failure = expect_same("separation, turned", truth, first_within(turned, d, norm))) {
        return failure;
    }
    Query reversed = query;
    std::swap(reversed.start, reversed.end);
    if (auto failure = expect_state("separation, reversed in time", truth.state,
                                    first_within(reversed, d, norm))) {
        return failure;
    }
    // A larger separation is reached no later.
    const Truth doubled = first_within(query, 2.0 * d, norm);
    if (doubled.toi_lower <= truth.toi_lower && doubled.toi_upper <= truth.toi_upper) return {};
    return "twice the separation is reached later: " + to_text(doubled);
}

// |x|_max <= |x| <= sqrt(3) |x|_max <= 2 |x|_max, and contact is within every separation.
Failure check_separation(const Query& query, const Truth& truth) {
    const double d = typical_separation(query);
    for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
        if (auto failure = check_separation_in(query, d, norm)) return failure;
    }
    const Truth round = first_within(query, d, Norm::Euclidean);
    const Truth cube = first_within(query, d, Norm::Max);
    const Truth wide = first_within(query, 2.0 * d, Norm::Euclidean);
    if (!(round.toi_lower <= truth.toi_lower))
        return "contact before separation: " + to_text(round);
    if (!(cube.toi_lower <= round.toi_lower)) return "ball before cube: " + to_text(cube);
    if (!(wide.toi_lower <= cube.toi_lower)) return "cube before wider ball: " + to_text(wide);
    return std::nullopt;
}

Failure failed_check(const Query& query) {
    const Truth truth = first_contact(query);
    for (const auto check : {check_ways, check_corner_symmetry, check_axis_symmetry, check_scaling,
                             check_time_reversal, check_cuts, check_separation}) {
        if (auto failure = check(query, truth)) return failure;
    }
    return std::nullopt;
}

}  // namespace

Failure self_check(const Query& query) {
    return with_default_arithmetic([&] { return failed_check(query); },
                                   Failure("the floating-point environment cannot be set"));
}

}  // namespace graze::oracle

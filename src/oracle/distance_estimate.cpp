#include "graze/oracle/distance_estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace graze::oracle {
namespace {

using Point = std::array<double, 3>;
using Triangle = std::array<Point, 3>;  // smaller simplices repeat a point

Point minus(const Point& a, const Point& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
double times(const Point& a, const Point& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Point crossed(const Point& a, const Point& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Which corners differ in each point of a simplex: corner `plus` less corner `minus`.
struct Difference {
    std::size_t plus;
    std::size_t minus;
};
using Simplex = std::array<Difference, 3>;

std::vector<Simplex> simplices_of(Kind kind) {
    switch (kind) {
        case Kind::VertexFace:
            return {{{{1, 0}, {2, 0}, {3, 0}}}};
        case Kind::EdgeEdge:
            return {{{{0, 2}, {1, 2}, {1, 3}}}, {{{0, 2}, {0, 3}, {1, 3}}}};
        case Kind::VertexVertex:
            return {{{{0, 1}, {0, 1}, {0, 1}}}};
        case Kind::VertexEdge:
            break;
    }
    return {{{{1, 0}, {2, 0}, {2, 0}}}};
}

double segment_distance(const Point& a, const Point& b) {
    const Point e = minus(b, a);
    const double length = times(e, e);
    const double s = length > 0.0 ? std::clamp(-times(a, e) / length, 0.0, 1.0) : 0.0;
    const Point p = {a[0] + s * e[0], a[1] + s * e[1], a[2] + s * e[2]};
    return std::sqrt(times(p, p));
}
double euclidean_distance(const Triangle& d) {
    const Point a = minus(d[1], d[0]);
    const Point b = minus(d[2], d[0]);
    const Point n = crossed(a, b);
    const double square = times(n, n);
    // Without area, or nearly so, the normal is noise, and the edges are as near.
    bool is_inside = square > 1e-8 * times(a, a) * times(b, b);
    double nearest = segment_distance(d[0], d[0]);
    for (std::size_t i = 0; i < 3; ++i) {
        const Point& next = d[(i + 1) % 3];
        is_inside = is_inside && times(n, crossed(d[i], next)) >= 0.0;
        nearest = std::min(nearest, segment_distance(d[i], next));
    }
    return is_inside ? std::min(nearest, std::fabs(times(n, d[0])) / std::sqrt(square)) : nearest;
}

// By how much the direction separates the triangle from the origin; negative where it does not.
double separated_along(const Point& n, const Triangle& d) {
    const double size = std::fabs(n[0]) + std::fabs(n[1]) + std::fabs(n[2]);
    if (!(size > 0.0)) return 0.0;
    const std::array<double, 3> heights = {times(n, d[0]), times(n, d[1]), times(n, d[2])};
    const auto [least, most] = std::minmax_element(heights.begin(), heights.end());
    return std::max(*least, -*most) / size;
}
// One of these directions is the best: the axes, edges across axes, the normal.
double max_norm_distance(const Triangle& d) {
    constexpr std::array<Point, 3> kAxes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    double best = separated_along(crossed(minus(d[1], d[0]), minus(d[2], d[0])), d);
    for (const Point& axis : kAxes) {
        best = std::max(best, separated_along(axis, d));
        for (std::size_t i = 0; i < 3; ++i)
            best = std::max(best, separated_along(crossed(minus(d[(i + 1) % 3], d[i]), axis), d));
    }
    return std::max(best, 0.0);
}

class MovingDistance {
public:
    MovingDistance(const Query& query, Norm norm)
        : query_(query), norm_(norm), simplices_(simplices_of(query.kind)) {}

    [[nodiscard]] double at(double t) const {
        double nearest = std::numeric_limits<double>::infinity();
        for (const Simplex& simplex : simplices_) {
            Triangle d{};
            for (std::size_t i = 0; i < 3; ++i)
                d[i] = difference_at(simplex[i], t);
            nearest = std::min(
                nearest, norm_ == Norm::Euclidean ? euclidean_distance(d) : max_norm_distance(d));
        }
        return nearest;
    }

private:
    [[nodiscard]] Point difference_at(const Difference& pair, double t) const {
        const Point start = minus(query_.start[pair.plus], query_.start[pair.minus]);
        const Point end = minus(query_.end[pair.plus], query_.end[pair.minus]);
        Point d{};
        for (std::size_t k = 0; k < 3; ++k)
            d[k] = (1.0 - t) * start[k] + t * end[k];
        return d;
    }

    const Query& query_;
    Norm norm_;
    std::vector<Simplex> simplices_;
};

// The golden section.
double least_between(const MovingDistance& distance, double low, double high) {
    constexpr double kRatio = 0.6180339887498949;
    double a = high - kRatio * (high - low);
    double b = low + kRatio * (high - low);
    double at_a = distance.at(a);
    double at_b = distance.at(b);
    double least = std::min(at_a, at_b);
    for (int i = 0; i < 60; ++i) {
        if (at_a < at_b) {
            high = b;
            b = a;
            at_b = at_a;
            a = high - kRatio * (high - low);
            at_a = distance.at(a);
        } else {
            low = a;
            a = b;
            at_a = at_b;
            b = low + kRatio * (high - low);
            at_b = distance.at(b);
        }
        least = std::min({least, at_a, at_b});
    }
    return least;
}

}  // namespace

// From the three nearest of some times on.
double estimated_minimum_distance(const Query& query, Norm norm, double end) {
    constexpr std::size_t kTimes = 65;
    const MovingDistance distance(query, norm);
    std::array<double, kTimes> at{};
    std::array<std::size_t, kTimes> order{};
    const auto time = [&](std::size_t i) { return end * static_cast<double>(i) / (kTimes - 1); };
    for (std::size_t i = 0; i < kTimes; ++i) {
        at[i] = distance.at(time(i));
        if (!(at[i] < std::numeric_limits<double>::infinity())) return at[i];
        order[i] = i;
    }
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return at[a] < at[b]; });
    double least = at[order[0]];
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t i = order[k];
        least = std::min(least, least_between(distance, time(i == 0 ? 0 : i - 1),
                                              time(std::min(i + 1, kTimes - 1))));
    }
    return least;
}

}  // namespace graze::oracle

// The centre line of a loose bow.
//
// K is an open overhand knot: (t^3 - 3t, 0.62 (t^4 - 4t^2)) in its plane, continued straight, with
// heights that alternate at its three crossings, which lie at t^2 = 3 and t^2 = 2 +- sqrt(3). The bow
// follows K twice, one layer above the other: from a tail, which leaves the upper layer near the
// middle of K, along the upper layer to one end of K, around the bend of an ear into the lower
// layer, along all of K to the other ear, and back in the upper layer to the other tail.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "graze/core/elementary.hpp"
#include "graze/sim/cloth_shapes.hpp"

namespace graze::sim {
namespace {

constexpr double kFlat = 0.62;       // of the heights of the curve: bends of about the same radius
constexpr double kEarFrom = 2.1;     // t from which K goes straight on
constexpr double kEarLength = 4.0;   // in units of the curve
constexpr double kTailFrom = 0.35;   // |t| at which the tails leave
constexpr double kTailBend = 0.9;    // radius of their bend
constexpr double kTailLength = 3.5;  // after it
constexpr double kWidthInUnits = 0.36;  // of the ribbon

double smooth(double f) {
    f = std::clamp(f, 0.0, 1.0);
    return f * f * (3.0 - 2.0 * f);
}

// -1 below, +1 above, at the crossings in the order in which K passes them; 0 beyond.
double side_at(double t) {
    struct Knot {
        double t;
        double side;
    };
    static constexpr std::array<Knot, 5> kKnots = {
        {{0.0, 0.0}, {0.5176380902, 1.0}, {1.7320508076, -1.0}, {1.9318516526, 1.0}, {2.6, 0.0}}};
    const double sign = t < 0.0 ? -1.0 : 1.0;  // K is symmetric about the axis through t = 0
    const double at = std::fabs(t);
    for (std::size_t i = 1; i < kKnots.size(); ++i) {
        if (at > kKnots[i].t) continue;
        const double f = smooth((at - kKnots[i - 1].t) / (kKnots[i].t - kKnots[i - 1].t));
        return sign * (kKnots[i - 1].side + f * (kKnots[i].side - kKnots[i - 1].side));
    }
    return 0.0;
}

struct PlanePoint {
    double x = 0.0;
    double y = 0.0;
};
PlanePoint curve(double t) {
    const auto inside = [](double s) {
        return PlanePoint{s * s * s - 3.0 * s, kFlat * (s * s * s * s - 4.0 * s * s)};
    };
    if (std::fabs(t) <= kEarFrom) return inside(t);
    // Beyond: straight, t counted in units of the curve.
    const double sign = t < 0.0 ? -1.0 : 1.0;
    const PlanePoint end = inside(sign * kEarFrom);
    const double dx = 3.0 * kEarFrom * kEarFrom - 3.0;
    const double dy = kFlat * (4.0 * kEarFrom * kEarFrom * kEarFrom - 8.0 * kEarFrom);
    const double length = norm(Vec3{dx, dy, 0.0});
    const double on = std::fabs(t) - kEarFrom;
    return {end.x + sign * on * dx / length, end.y + on * dy / length};
}

class BowLine {
public:
    explicit BowLine(const BowShape& shape) : shape_(shape), unit_(shape.width / kWidthInUnits) {}

    // From tail to tail, finely.
    [[nodiscard]] std::vector<Vec3> points() {
        add_tail(1.0, true);
        along(-kTailFrom, -kTip, 1.0);
        bend(-kTip);
        along(-kTip, kTip, 0.0);
        bend(kTip);
        along(kTip, kTailFrom, 1.0);
        add_tail(-1.0, false);
        return line_;
    }
    [[nodiscard]] static Vec3 tip_direction(double sign) {
        const PlanePoint a = curve(sign * (kTip - 1.0));
        const PlanePoint b = curve(sign * kTip);
        const double length = norm(Vec3{b.x - a.x, b.y - a.y, 0.0});
        return {(b.x - a.x) / length, (b.y - a.y) / length, 0.0};
    }

private:
    static constexpr double kTip = kEarFrom + kEarLength;

    // Height of the upper layer above the lower one.
    [[nodiscard]] double gap(double t) const {
        const double f = smooth((std::fabs(t) - kEarFrom - 0.6) / (kEarLength - 0.6));
        return shape_.layer_gap + f * (shape_.ear_opening - shape_.layer_gap);
    }
    [[nodiscard]] Vec3 at(double t, double layer) const {
        const PlanePoint p = curve(t);
        return {unit_ * p.x, unit_ * p.y, shape_.crossing * side_at(t) + layer * gap(t)};
    }
    void along(double from, double to, double layer) {
        constexpr int kSamples = 4000;
        for (int i = 0; i <= kSamples; ++i)
            line_.push_back(at(from + (to - from) * i / kSamples, layer));
    }
    // A half circle from the layer in which the line ends to the other one.
    void bend(double t) {
        const Vec3 low = at(t, 0.0);
        const double radius = 0.5 * gap(t);
        const Vec3 out = tip_direction(t < 0.0 ? -1.0 : 1.0);
        const bool downward = t < 0.0;
        constexpr int kSamples = 200;
        for (int i = 1; i < kSamples; ++i) {
            const double f = static_cast<double>(i) / kSamples;
            const double angle = std::numbers::pi * (downward ? 0.5 - f : f - 0.5);
            line_.push_back(low + (radius * cosine(angle)) * out +
                            Vec3{0.0, 0.0, radius * (1.0 + sine(angle))});
        }
    }
    // From the upper layer at t = -+ kTailFrom around into the direction of +y.
    void add_tail(double sign, bool reversed) {
        const double t = -sign * kTailFrom;
        const Vec3 from = at(t, 1.0);
        const double heading =
            arc_tangent(kFlat * (4.0 * t * t * t - 8.0 * t) * sign, (3.0 * t * t - 3.0) * sign);
        const double bend =
            std::remainder(0.5 * std::numbers::pi - heading, 2.0 * std::numbers::pi);
        const double arc = kTailBend * std::fabs(bend);
        const double total = arc + kTailLength;
        std::vector<Vec3> tail;
        constexpr int kSamples = 2000;
        Vec3 p = from;
        for (int i = 1; i <= kSamples; ++i) {
            const double s = total * (i - 0.5) / kSamples;
            const double angle = heading + bend * std::min(1.0, s / arc);
            p += (unit_ * total / kSamples) * Vec3{cosine(angle), sine(angle), 0.0};
            Vec3 raised = p;
            raised.z += shape_.crossing * smooth(s / (0.6 * total));
            tail.push_back(raised);
        }
        if (reversed) std::reverse(tail.begin(), tail.end());
        line_.insert(line_.end(), tail.begin(), tail.end());
    }

    BowShape shape_;
    double unit_;
    std::vector<Vec3> line_;
};

struct LineSample {
    Vec3 point;
    Vec3 tangent;
};

// At equal distances along the line.
std::vector<LineSample> resampled(const std::vector<Vec3>& line, double spacing, double& length) {
    std::vector<double> along = {0.0};
    for (std::size_t i = 1; i < line.size(); ++i)
        along.push_back(along.back() + norm(line[i] - line[i - 1]));
    length = along.back();
    const auto cells = std::max(1, static_cast<int>(std::lround(length / spacing)));
    std::vector<LineSample> samples;
    std::size_t i = 1;
    for (int k = 0; k <= cells; ++k) {
        const double s = length * k / cells;
        while (i + 1 < line.size() && along[i] < s)
            ++i;
        const double f = std::clamp((s - along[i - 1]) / (along[i] - along[i - 1]), 0.0, 1.0);
        const std::size_t before = i > 20 ? i - 20 : 0;
        const std::size_t after = std::min(line.size() - 1, i + 20);
        samples.push_back({line[i - 1] + f * (line[i] - line[i - 1]), line[after] - line[before]});
    }
    return samples;
}

// Knot coordinates to those of the scene: tails, which go along +y there, hang down.
Vec3 upright(const Vec3& p) {
    return {p.x, p.z, -p.y};
}

}  // namespace

Bow loose_bow(const BowShape& shape) {
    BowLine line(shape);
    double length = 0.0;
    const double cell = shape.width / shape.columns;
    const std::vector<LineSample> samples = resampled(line.points(), cell, length);
    Bow bow;
    bow.rows = static_cast<int>(samples.size());
    Vec3 across{};
    std::array<double, 2> reach = {0.0, 0.0};  // how far out the ears go
    for (const LineSample& s : samples) {
        reach[0] = std::min(reach[0], s.point.x);
        reach[1] = std::max(reach[1], s.point.x);
    }
    for (std::size_t row = 0; row < samples.size(); ++row) {
        const LineSample& s = samples[row];
        // Across the ribbon, in the plane of the knot; at the very bend of an ear as before it.
        const Vec3 flat{-s.tangent.y, s.tangent.x, 0.0};
        if (norm(flat) > 0.2 * norm(s.tangent)) {
            const double sign = dot(flat, across) < 0.0 ? -1.0 : 1.0;
            across = (sign / norm(flat)) * flat;
        }
        for (int i = 0; i <= shape.columns; ++i) {
            const double w = shape.width * (static_cast<double>(i) / shape.columns - 0.5);
            const auto vertex = static_cast<std::uint32_t>(bow.start.size());
            bow.rest.push_back({length * static_cast<double>(row) / (bow.rows - 1), w, 0.0});
            bow.start.push_back(upright(s.point + w * across));
            if (s.point.x < reach[0] + 0.5 * shape.ear_opening) bow.left_tip.push_back(vertex);
            if (s.point.x > reach[1] - 0.5 * shape.ear_opening) bow.right_tip.push_back(vertex);
        }
    }
    bow.faces = sheet_faces(shape.columns, bow.rows - 1, Diagonals::Alternating);
    return bow;
}

}  // namespace graze::sim

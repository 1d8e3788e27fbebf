// Motions and boxes that are chosen to make rounding errors of F large, or its sign hard.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "core/exact_reference.hpp"
#include "graze/io/query_file.hpp"
#include "narrow/exact_inclusion.hpp"
#include "narrow/tight_inclusion/extent.hpp"
#include "narrow/tight_inclusion/paper_arithmetic.hpp"
#include "narrow/tight_inclusion/tight_arithmetic.hpp"

namespace graze::testing {

// How the coordinates of one axis are chosen.
enum class Attack : std::uint8_t {
    LogUniform,      // one scale for the axis, 2^-1000 to 2^1000
    Offset,          // a common offset, up to 2^52 times the size
    NearDegenerate,  // all corners within a few units in the last place of two of them
    Degenerate,      // copies of two corners
    Subnormal,       // a few thousand times 2^-1074 at most
    Largest,         // within a few units in the last place of +-DBL_MAX, or anywhere below
    Roundings,       // just above powers of two, where roundings are relatively largest
    AnyDouble,       // every coordinate of its own size
};
inline constexpr std::array<Attack, 8> kAllAttacks = {
    Attack::LogUniform, Attack::Offset,  Attack::NearDegenerate, Attack::Degenerate,
    Attack::Subnormal,  Attack::Largest, Attack::Roundings,      Attack::AnyDouble};

[[nodiscard]] inline const char* name(Attack attack) {
    constexpr std::array<const char*, 8> kNames = {"log-uniform", "offset",    "near-degenerate",
                                                   "degenerate",  "subnormal", "largest",
                                                   "roundings",   "any double"};
    return kNames[static_cast<std::size_t>(attack)];
}

class AttackSource {
public:
    explicit AttackSource(std::uint64_t seed) : doubles_(seed) {}

    [[nodiscard]] exact::DoubleSource& doubles() { return doubles_; }
    [[nodiscard]] int integer(int low, int high) { return doubles_.integer(low, high); }
    [[nodiscard]] bool coin() { return (doubles_.bits() & 1) != 0; }
    // In [-1, 1), of full precision.
    [[nodiscard]] double uniform() {
        return std::ldexp(static_cast<double>(static_cast<std::int64_t>(doubles_.bits()) >> 10),
                          -53);
    }

    // A number in (-1, 1) times 2^-n, 0 <= n <= depth. One draw after the other: the order in which
    // a compiler evaluates arguments must not choose the motion.
    [[nodiscard]] double small(int depth) {
        const double x = uniform();
        return std::ldexp(x, -integer(0, depth));
    }

    [[nodiscard]] io::QueryRecord motion(const std::array<Attack, 3>& attacks) {
        io::QueryRecord record;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::array<double, 8> x = coordinates(attacks[axis]);
            for (std::size_t c = 0; c < 4; ++c) {
                record.corners[c].start[axis] = x[c];
                record.corners[c].end[axis] = x[4 + c];
            }
        }
        return record;
    }

    // Dyadic, of a depth up to 52 in each dimension; often at the far end, where the parameters are
    // largest. Times up to t_max, which cuts the box.
    [[nodiscard]] Domain box(double t_max) {
        const std::array<double, 2> t = interval();
        if (t[0] >= t_max) return {{0.0, std::min(t[1] - t[0], t_max)}, interval(), interval()};
        return {{t[0], std::min(t[1], t_max)}, interval(), interval()};
    }

    [[nodiscard]] std::array<double, 2> interval() {
        const int depth = integer(0, 3) == 0 ? integer(0, 3) : integer(0, 52);
        const double width = std::ldexp(1.0, -depth);
        const std::uint64_t count = std::uint64_t{1} << depth;
        std::uint64_t index = doubles_.bits() % count;
        if (integer(0, 3) == 0) index = count - 1;
        if (integer(0, 7) == 0) index = 0;
        const double lower = static_cast<double>(index) * width;
        return {lower, lower + width};
    }

    // A multiple of width, >= 0 and < end; often the last one.
    [[nodiscard]] double multiple_below(double width, double end) {
        const double last = std::ceil(end / width) - 1.0;
        const double any = std::floor(std::fabs(uniform()) * (last + 1.0));
        return std::min(integer(0, 3) == 0 ? last : any, last) * width;
    }

    // Coordinates of size 1 at most.
    [[nodiscard]] io::QueryRecord unit_motion() {
        io::QueryRecord record;
        for (MovingPoint& corner : record.corners) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                corner.start[axis] = uniform();
                corner.end[axis] = uniform();
            }
        }
        return record;
    }
    // One or two coordinates along x become others, or lose or gain last bits.
    [[nodiscard]] io::QueryRecord changed(io::QueryRecord record) {
        for (int times = integer(1, 2); times > 0; --times) {
            MovingPoint& corner = record.corners[static_cast<std::size_t>(integer(0, 3))];
            double& x = coin() ? corner.start.x : corner.end.x;
            x = coin() ? uniform() : std::clamp(x + small(54), -1.0, 1.0);
        }
        return record;
    }
    [[nodiscard]] Domain changed(Domain box) {
        std::array<double, 2>& side = integer(0, 2) == 0 ? box.t : coin() ? box.u : box.v;
        side = interval();
        return box;
    }

private:
    // Four coordinates at the start, four at the end.
    [[nodiscard]] std::array<double, 8> coordinates(Attack attack) {
        std::array<double, 8> x;
        const int exponent = integer(-1000, 1000);
        const double offset = std::ldexp(small(52), 52);
        const std::array<double, 2> pair = {any_size(), any_size()};
        for (double& coordinate : x) {
            const std::size_t which = coin() ? 1 : 0;
            switch (attack) {
                case Attack::LogUniform:
                    coordinate = std::ldexp(uniform(), exponent);
                    break;
                case Attack::Offset:
                    coordinate = std::ldexp(uniform() + offset, exponent / 2);
                    break;
                case Attack::NearDegenerate:
                    coordinate = doubles_.near(pair[which]);
                    break;
                case Attack::Degenerate:
                    coordinate = pair[which];
                    break;
                case Attack::Subnormal:
                    coordinate = std::ldexp(static_cast<double>(integer(-4000, 4000)), -1074);
                    break;
                case Attack::Largest:
                    coordinate = largest();
                    break;
                case Attack::Roundings:
                    coordinate = above_one();
                    coordinate = std::ldexp(coordinate, exponent / 2 - integer(0, 1));
                    break;
                case Attack::AnyDouble:
                    coordinate = doubles_.any();
                    break;
            }
        }
        return x;
    }
    [[nodiscard]] double above_one() {
        const double x = 1.0 + std::ldexp(static_cast<double>(integer(0, 99)), -52);
        return coin() ? x : -x;
    }
    [[nodiscard]] double any_size() { return doubles_.with_exponent(integer(-1000, 1000)); }
    [[nodiscard]] double largest() {
        const double size = coin() ? doubles_.near(exact::kMax) : exact::kMax * uniform();
        return coin() ? size : -size;
    }

    exact::DoubleSource doubles_;
};

// The power of two that one unit of an axis is.
[[nodiscard]] inline int unit_of(const inclusion::TightArithmetic& arithmetic, std::size_t axis) {
    return arithmetic.exponent(axis);
}
[[nodiscard]] inline int unit_of(const inclusion::PaperArithmetic& /*arithmetic*/,
                                 std::size_t /*axis*/) {
    return 0;
}

template <class Arithmetic>
[[nodiscard]] Arithmetic arithmetic_of(QueryKind kind, const io::QueryRecord& record,
                                       const TightInclusionOptions& options) {
    return visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        return Arithmetic::of(io::motion_of<Motion>(record), options);
    });
}

[[nodiscard]] inline std::string to_text(const Domain& box) {
    std::string text;
    for (const auto& side : {box.t, box.u, box.v})
        text += "[" + exact::hex(side[0]) + ", " + exact::hex(side[1]) + "] ";
    return text;
}

[[nodiscard]] inline inclusion::BoxOfDomain box_of_domain(const Domain& box) {
    return {box.t[0],
            box.t[1],
            box.u[0],
            box.v[0],
            {box.t[1] - box.t[0], box.u[1] - box.u[0], box.v[1] - box.v[0]}};
}

}  // namespace graze::testing

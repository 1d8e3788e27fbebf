#include "graze/baselines/interval.hpp"

#include "baselines/interval/bisection.hpp"
#include "baselines/interval/inclusion.hpp"
#include "graze/core/fp_environment.hpp"

namespace graze {
namespace {

using interval::BoxStack;
using interval::DomainBox;
using interval::Enclosure;
using interval::Inclusion;
using interval::kParameters;

// How far each parameter moves a point of F; infinity where it cannot be told.
template <class Motion>
std::array<double, 3> lengths_est(const Motion& motion) noexcept {
    const auto c = vertices(motion);
    const auto edge = [&](std::size_t from, std::size_t to) {
        return std::max(interval::length_est(c[to].start - c[from].start),
                        interval::length_est(c[to].end - c[from].end));
    };
    std::array<double, 3> lengths{interval::largest_displacement_est(motion), 0.0, 0.0};
    if constexpr (Motion::kKind == QueryKind::EdgeEdge) {
        lengths[1] = edge(0, 1);
        lengths[2] = edge(2, 3);
    } else {
        if constexpr (kParameters < Motion >> 1) lengths[1] = edge(1, 2);
        if constexpr (kParameters < Motion >> 2) lengths[2] = edge(1, 3);
    }
    return lengths;
}

template <class Motion>
class Search {
public:
    // Requires: a RoundingUp that outlives it.
    Search(const Motion& motion, const CcdOptions& options) noexcept
        : f_(motion), max_checks_(options.max_checks) {
        const std::array<double, 3> lengths = lengths_est(motion);
        const std::array<double, 3> ends{options.t_max, 1.0, 1.0};
        DomainBox whole;
        for (std::size_t k = 0; k < 3; ++k) {
            finest_[k] = interval::finest_width(options.distance_tolerance, lengths[k], ends[k]);
            whole[k] = Enclosure(0.0, ends[k]);
        }
        boxes_.push({whole, 0});
    }

    IntervalAnswer answer() noexcept {
        while (!boxes_.empty()) {
            if (checks_ == max_checks_) return {contact(kInfinity, kInfinity)};
            const Box box = boxes_.pop();
            ++checks_;
            const std::optional<double> reach = reach_of(box.domain);
            if (reach && !push_halves(box)) {
                const double time = box.domain[0].lower();
                return {contact(time, *reach), time};
            }
        }
        return {separated(checks_)};
    }

private:
    struct Box {
        DomainBox domain;
        std::size_t next = 0;  // the parameter whose turn it is
    };

    // An upper bound of |F| over the box, in the max-norm; nothing where F cannot be 0.
    std::optional<double> reach_of(const DomainBox& box) noexcept {
        double reach = 0.0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Enclosure f = f_.component(box, axis);
            if (interval::excludes_zero(f)) return std::nullopt;
            reach = std::max({reach, -f.lower(), f.upper()});
        }
        return reach;
    }

    // False where no side is left to halve.
    bool push_halves(const Box& box) noexcept {
        for (std::size_t i = 0; i < kParameters<Motion>; ++i) {
            const std::size_t k = (box.next + i) % kParameters<Motion>;
            const auto halves = interval::halves(box.domain[k], finest_[k]);
            if (!halves) continue;
            push({box.domain, k + 1}, k, (*halves)[1]);
            push({box.domain, k + 1}, k, (*halves)[0]);
            return true;
        }
        return false;
    }

    // Boxes outside the triangle are left out. Ends of u and v are multiples of 2^-49, so that
    // their sums are exact.
    void push(Box box, std::size_t k, const Enclosure& half) noexcept {
        box.domain[k] = half;
        if constexpr (Motion::kKind == QueryKind::VertexFace) {
            if (box.domain[1].lower() + box.domain[2].lower() > 1.0) return;
        }
        boxes_.push(box);
    }

    // Every contact is in the box that ended the search, which begins at `time`, or in one that is
    // left. F at the corner of smallest parameters, which is in the domain, is within `reach`.
    [[nodiscard]] CcdResult contact(double time, double reach) const noexcept {
        for (const Box& left : boxes_)
            time = std::min(time, left.domain[0].lower());
        return {Verdict::Contact, time, kInfinity, checks_, reach};
    }

    Inclusion<Motion> f_;
    std::array<double, 3> finest_{};
    BoxStack<Box, kParameters<Motion>> boxes_;
    std::uint64_t checks_ = 0;
    std::uint64_t max_checks_;
};

template <class Motion>
IntervalAnswer answer_of(const Motion& motion, const CcdOptions& options) noexcept {
    if (!is_valid(options) || options.min_separation > 0.0 || !is_finite_motion(motion)) return {};
    const interval::RoundingUp rounding;
    return Search<Motion>(motion, options).answer();
}

template <class Motion>
CcdResult as_method(const void*, const Motion& motion, const CcdOptions& options) noexcept {
    return answer_of(motion, options).result;
}

}  // namespace

template <QueryMotion Motion>
IntervalAnswer interval_search(const Motion& motion, const CcdOptions& options) noexcept {
    return with_sound_arithmetic([&]() noexcept { return answer_of(motion, options); },
                                 []() noexcept { return IntervalAnswer{}; });
}
template IntervalAnswer interval_search(const VertexFaceMotion&, const CcdOptions&) noexcept;
template IntervalAnswer interval_search(const EdgeEdgeMotion&, const CcdOptions&) noexcept;
template IntervalAnswer interval_search(const VertexVertexMotion&, const CcdOptions&) noexcept;
template IntervalAnswer interval_search(const VertexEdgeMotion&, const CcdOptions&) noexcept;

Method make_interval() noexcept {
    return {.name = "interval",
            .summary = "bisection of (t, u, v) with interval arithmetic (IRF)",
            .guarantee = {.no_false_negatives = true,
                          .proved_toi_lower = true,
                          .proved_tolerance = true,
                          .always_resolves = true},
            .bisects = true,
            .vertex_face = {&as_method<VertexFaceMotion>},
            .edge_edge = {&as_method<EdgeEdgeMotion>},
            .vertex_vertex = {&as_method<VertexVertexMotion>},
            .vertex_edge = {&as_method<VertexEdgeMotion>}};
}

}  // namespace graze

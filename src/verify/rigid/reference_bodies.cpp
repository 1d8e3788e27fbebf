#include "graze/verify/rigid_reference_bodies.hpp"

#include <numeric>

#include "graze/verify/rigid_reference.hpp"

namespace graze::rigid::reference {
namespace {

double norm_bound(const Polyhedron& body) {
    double result = 0.0;
    for (const Vec3& p : body.positions())
        result = std::max(result, length(widen<double>(p)));
    return result;
}

class TreeBuilder {
public:
    explicit TreeBuilder(const Polyhedron& body) : body_(body), order_(body.triangles().size()) {
        std::iota(order_.begin(), order_.end(), 0U);
        for (const auto& t : body.triangles())
            middles_.push_back(corner(t[0]) + corner(t[1]) + corner(t[2]));
    }
    std::vector<Ball> build() {
        add(0, order_.size());
        return std::move(balls_);
    }

private:
    [[nodiscard]] Vector64 corner(std::uint32_t v) const {
        return widen<double>(body_.positions()[v]);
    }
    static double along(const Vector64& v, int axis) {
        return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
    }

    // A ball around the box of all vertices; the factor covers rounding errors.
    [[nodiscard]] Ball around(std::size_t from, std::size_t to) const {
        const double inf = std::numeric_limits<double>::infinity();
        Vector64 low{inf, inf, inf};
        Vector64 high{-inf, -inf, -inf};
        for (std::size_t i = from; i < to; ++i)
            for (const std::uint32_t v : body_.triangles()[order_[i]]) {
                const Vector64 p = corner(v);
                low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
                high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
            }
        Ball ball;
        ball.centre = 0.5 * (low + high);
        for (std::size_t i = from; i < to; ++i)
            for (const std::uint32_t v : body_.triangles()[order_[i]])
                ball.radius = std::max(ball.radius, length(corner(v) - ball.centre));
        ball.radius *= 1.0 + 1e-12;
        return ball;
    }

    [[nodiscard]] int longest_axis(std::size_t from, std::size_t to) const {
        int best = 0;
        double widest = -1.0;
        for (int axis = 0; axis < 3; ++axis) {
            double low = std::numeric_limits<double>::infinity();
            double high = -low;
            for (std::size_t i = from; i < to; ++i) {
                low = std::min(low, along(middles_[order_[i]], axis));
                high = std::max(high, along(middles_[order_[i]], axis));
            }
            if (high - low > widest) {
                widest = high - low;
                best = axis;
            }
        }
        return best;
    }

    std::uint32_t add(std::size_t from, std::size_t to) {
        const auto self = static_cast<std::uint32_t>(balls_.size());
        balls_.push_back(around(from, to));
        if (to - from == 1) {
            balls_[self].triangle = order_[from];
            return self;
        }
        const int axis = longest_axis(from, to);
        const std::size_t middle = from + (to - from) / 2;
        const auto at = [&](std::size_t i) {
            return order_.begin() + static_cast<std::ptrdiff_t>(i);
        };
        std::nth_element(at(from), at(middle), at(to), [&](std::uint32_t i, std::uint32_t j) {
            return along(middles_[i], axis) < along(middles_[j], axis);
        });
        const std::uint32_t left = add(from, middle);
        const std::uint32_t right = add(middle, to);
        balls_[self].left = left;
        balls_[self].right = right;
        return self;
    }

    const Polyhedron& body_;
    std::vector<std::uint32_t> order_;
    std::vector<Vector64> middles_;
    std::vector<Ball> balls_;
};

}  // namespace

std::vector<Ball> ball_tree(const Polyhedron& body) {
    return TreeBuilder(body).build();
}

Bodies::Bodies(const Polyhedron& first, const Polyhedron& second)
    : a(first), b(second), tree_a(ball_tree(first)), tree_b(ball_tree(second)) {
    set({});
}

void Bodies::set(const PairStep& step) {
    motion_168_bits = relative_motion<Real50>(step);
    motion_extended = convert<Extended>(motion_168_bits);
    motion = convert<double>(motion_168_bits);
    angle = 2.0 * motion.half_angle;
    const double reach_b = norm_bound(b) + length(motion.start_shift);
    size = 1.001 * (norm_bound(a) + reach_b + length(motion.along) + length(motion.across));
    speed = 1.001 * (length(motion.linear) + angle * reach_b);
}

MapAtTime Bodies::map_at(Extended t) const {
    const RigidMap<Extended> map = motion_extended.at(t);
    return {t, convert<double>(map), map};
}

Pair::Pair(const Polyhedron& a, const Polyhedron& b) : bodies_(std::make_unique<Bodies>(a, b)) {}
Pair::~Pair() = default;
Pair::Pair(Pair&&) noexcept = default;
void Pair::set(const PairStep& step) {
    bodies_->set(step);
}

}  // namespace graze::rigid::reference

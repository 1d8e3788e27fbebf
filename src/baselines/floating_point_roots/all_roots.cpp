#include "baselines/floating_point_roots/all_roots.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "graze/core/assert.hpp"
#include "graze/core/elementary.hpp"
#include "graze/narrow/ccd.hpp"

namespace graze::baselines {
namespace {

// Notation (Jenkins and Traub)
//   P             the polynomial that is left, of degree n; coefficients from z^n down
//   K             of degree n - 1; by and by nearly P without the factor that is searched for
//   sigma         z^2 + u z + v, the estimate of a quadratic factor
//   a, b          P = Qp sigma + b (z + u) + a
//   c, d          K = Qk sigma + d (z + u) + c
constexpr double kEps = 0x1p-52;
// A quotient by something that is smaller than this fraction of its own terms is all noise.
constexpr double kNoise = 10 * kEps;
// A value within so many of its error bounds is as near to 0 as rounding lets it come.
constexpr double kErrorBounds = 20;
constexpr int kShifts = 20;
constexpr int kStepsWithoutShift = 5;

using Coefficients = std::array<double, kMaxDegree + 1>;
using Complex = std::complex<double>;

struct Quadratic {
    double u = 0.0;
    double v = 0.0;
};
// The coefficients of (z + u) and of 1.
struct Remainder {
    double of_z = 0.0;
    double constant = 0.0;
};
struct RootPair {
    Complex small;
    Complex large;
};

// Roots of a z^2 + b z + c without cancellation, the larger in modulus from the sum of two numbers
// of one sign. Requires: a not 0.
RootPair roots_of_quadratic(double a, double b, double c) noexcept {
    const double half = 0.5 * b;
    const double discriminant = half * half - a * c;
    if (discriminant < 0.0) {
        const Complex root(-half / a, std::sqrt(-discriminant) / a);
        return {root, std::conj(root)};
    }
    const double sum = -(half + std::copysign(std::sqrt(discriminant), half));
    if (sum == 0.0) return {};
    return {c / sum, sum / a};
}

// The quotient into `quotient` (the entries beyond it are the remainder's).
Remainder divide(const Coefficients& p, std::size_t degree, const Quadratic& sigma,
                 Coefficients& quotient) noexcept {
    double last = 0.0;
    double before = 0.0;
    for (std::size_t i = 0; i <= degree; ++i) {
        quotient[i] = p[i] - sigma.u * last - sigma.v * before;
        before = last;
        last = quotient[i];
    }
    return {before, last};
}

// By z - s; returns the value at s.
double divide(const Coefficients& p, std::size_t degree, double s,
              Coefficients& quotient) noexcept {
    double value = 0.0;
    for (std::size_t i = 0; i <= degree; ++i) {
        value = value * s + p[i];
        quotient[i] = value;
    }
    return value;
}

// Horner's rule on the moduli of coefficients 0 to `last`.
double size_at(const Coefficients& p, std::size_t last, double z) noexcept {
    double size = 0.0;
    for (std::size_t i = 0; i <= last; ++i)
        size = size * z + std::fabs(p[i]);
    return size;
}

// One root, or two, of P, and P without them.
class ThreeStages {
public:
    // Requires: degree >= 3, first and last coefficient not 0.
    ThreeStages(const Coefficients& p, std::size_t degree) noexcept : p_(p), n_(degree) {}

    // The number of roots found; 0 where every shift has failed.
    int search(ComplexRoots& roots) noexcept {
        start_without_shift();
        const Coefficients k = k_;
        const double radius = smallest_modulus();
        // Each shift is turned by 94 degrees from the one before, beginning at -45.
        constexpr double kTurn = 94.0 * 3.14159265358979323846 / 180.0;
        double angle = -3.14159265358979323846 / 4.0;
        for (int shift = 1; shift <= kShifts; ++shift) {
            angle += kTurn;
            const double real = radius * cosine(angle);
            sigma_ = {-2.0 * real, radius * radius};
            const int found = with_fixed_shift(20 * shift, real, roots);
            if (found != 0) return found;
            k_ = k;
        }
        return 0;
    }
    // After a success: P without the roots that were found.
    [[nodiscard]] const Coefficients& deflated() const noexcept { return qp_; }

private:
    // Stage 1: K = P', then (P + t K) / z with t = -P(0) / K(0). Favours the smallest roots.
    void start_without_shift() noexcept {
        for (std::size_t i = 0; i < n_; ++i)
            k_[i] = static_cast<double>(n_ - i) * p_[i] / static_cast<double>(n_);
        const double at_0 = p_[n_];
        for (int step = 0; step < kStepsWithoutShift; ++step) {
            const double k_0 = k_[n_ - 1];
            const bool noise = std::fabs(k_0) <= std::fabs(p_[n_ - 1]) * kNoise;
            const double t = noise ? 1.0 : -at_0 / k_0;
            for (std::size_t i = n_ - 1; i > 0; --i)
                k_[i] = t * k_[i - 1] + (noise ? 0.0 : p_[i]);
            k_[0] = noise ? 0.0 : p_[0];
        }
    }

    // A lower bound of all moduli, to half a per cent: the positive root of
    // |p_0| x^n + ... + |p_(n-1)| x - |p_n|.
    [[nodiscard]] double smallest_modulus() const noexcept {
        Coefficients bound = p_;
        for (double& c : bound)
            c = std::fabs(c);
        bound[n_] = -bound[n_];
        double x =
            exponential((logarithm(-bound[n_]) - logarithm(bound[0])) / static_cast<double>(n_));
        if (bound[n_ - 1] != 0.0) x = std::min(x, -bound[n_] / bound[n_ - 1]);
        Coefficients ignored{};
        for (int i = 0; i < 400 && divide(bound, n_, 0.1 * x, ignored) > 0.0; ++i)
            x *= 0.1;
        for (int i = 0; i < 100; ++i) {
            Coefficients quotient{};
            const double value = divide(bound, n_, x, quotient);
            const double step = value / divide(quotient, n_ - 1, x, ignored);
            x -= step;
            if (!(std::fabs(step) > 0.005 * std::fabs(x))) break;
        }
        return x;
    }

    // Stage 2: K with sigma fixed, until the estimates of v or of a real root settle.
    int with_fixed_shift(int most, double real, ComplexRoots& roots) noexcept {
        Settling quadratic{.last = sigma_.v};
        Settling linear{.last = real};
        p_rest_ = divide(p_, n_, sigma_, qp_);
        k_rest_ = divide(k_, n_ - 1, sigma_, qk_);
        for (int step = 0; step < most; ++step) {
            next_k();
            const std::optional<Quadratic> next = next_sigma();
            const double root = k_[n_ - 1] != 0.0 ? -p_[n_] / k_[n_ - 1] : 0.0;
            const double v_change = quadratic.change(next ? next->v : 0.0);
            const double root_change = linear.change(root);
            if (step == 0) continue;
            const bool tries_quadratic = next && v_change < quadratic.limit;
            const bool tries_linear = root_change < linear.limit;
            if (!tries_quadratic && !tries_linear) continue;
            const ThreeStages saved = *this;
            const bool linear_first = tries_linear && (!tries_quadratic || root_change < v_change);
            if (linear_first) {
                const int found = from_linear(root, roots);
                if (found != 0) return found;
                linear.limit *= 0.25;
                *this = saved;
            }
            if (tries_quadratic) {
                if (with_quadratic(*next, roots)) return 2;
                quadratic.limit *= 0.25;
                *this = saved;
            }
            if (tries_linear && !linear_first) {
                const int found = from_linear(root, roots);
                if (found != 0) return found;
                linear.limit *= 0.25;
                *this = saved;
            }
        }
        return 0;
    }

    // How a sequence of estimates settles: the product of two relative changes that become smaller.
    struct Settling {
        double last = 0.0;
        double last_change = 1.0;
        double limit = 0.25;
        [[nodiscard]] double change(double now) noexcept {
            const double relative = now != 0.0 ? std::fabs((now - last) / now) : 1.0;
            const double product = relative < last_change ? relative * last_change : 1.0;
            last = now;
            last_change = relative;
            return product;
        }
    };

    // Stage 3, quadratic: sigma follows its own estimates. True: its roots are added.
    bool with_quadratic(const Quadratic& start, ComplexRoots& roots) noexcept {
        sigma_ = start;
        double last_size = 0.0;
        double change = 1.0;
        bool has_shaken = false;
        for (int step = 0; step < 20; ++step) {
            const auto [small, large] = roots_of_quadratic(1.0, sigma_.u, sigma_.v);
            // Real roots of different moduli are for the linear iteration.
            if (std::fabs(std::abs(small) - std::abs(large)) > 0.01 * std::abs(large)) return false;
            p_rest_ = divide(p_, n_, sigma_, qp_);
            const Complex value = p_rest_.constant - small * p_rest_.of_z;
            const double size = std::fabs(value.real()) + std::fabs(value.imag());
            // Nine roundings in each coefficient of the division, at most.
            const double modulus = std::sqrt(std::fabs(sigma_.v));
            const double error = 9 * kEps * size_at(qp_, n_, modulus);
            if (size <= kErrorBounds * error) {
                roots.add(small);
                roots.add(large);
                return true;
            }
            if (!(size < kInfinity)) return false;
            if (step > 0 && change <= 0.01 && size >= last_size && !has_shaken) {
                shake(std::sqrt(std::max(change, kEps)));
                has_shaken = true;
            }
            last_size = size;
            k_rest_ = divide(k_, n_ - 1, sigma_, qk_);
            next_k();
            const std::optional<Quadratic> next = next_sigma();
            if (!next) return false;
            change = std::fabs((next->v - sigma_.v) / next->v);
            sigma_ = *next;
        }
        return false;
    }

    // Stalled at a cluster: a small move and a few fixed shifts.
    void shake(double by) noexcept {
        sigma_ = {sigma_.u - sigma_.u * by, sigma_.v + sigma_.v * by};
        p_rest_ = divide(p_, n_, sigma_, qp_);
        for (int i = 0; i < 5; ++i) {
            k_rest_ = divide(k_, n_ - 1, sigma_, qk_);
            next_k();
        }
    }

    // Stage 3, linear; a cluster near the real axis goes on as a quadratic.
    int from_linear(double start, ComplexRoots& roots) noexcept {
        double s = start;
        double step = 0.0;
        double last_size = 0.0;
        for (int i = 0; i < 10; ++i) {
            const double value = divide(p_, n_, s, qp_);
            const double size = std::fabs(value);
            const double error = kEps * (2.0 * size_at(qp_, n_, std::fabs(s)) - size);
            if (size <= kErrorBounds * error) {
                roots.add(s);
                return 1;
            }
            if (!(size < kInfinity)) return 0;
            if (i > 0 && std::fabs(step) <= 0.001 * std::fabs(s - step) && size > last_size) {
                return with_quadratic({-2.0 * s, s * s}, roots) ? 2 : 0;
            }
            last_size = size;
            step = linear_step(s, value);
            s += step;
        }
        return 0;
    }

    // K = Qp + t Qk with t = -P(s) / K(s), and Newton's step of P / K.
    double linear_step(double s, double value) noexcept {
        const double k_at_s = divide(k_, n_ - 1, s, qk_);
        const bool noise = std::fabs(k_at_s) <= std::fabs(k_[n_ - 1]) * kNoise;
        const double t = noise ? 1.0 : -value / k_at_s;
        k_[0] = noise ? 0.0 : qp_[0];
        for (std::size_t i = 1; i < n_; ++i)
            k_[i] = t * qk_[i - 1] + (noise ? 0.0 : qp_[i]);
        Coefficients ignored{};
        const double next = divide(k_, n_ - 1, s, ignored);
        return std::fabs(next) > std::fabs(k_[n_ - 1]) * kNoise ? -value / next : 0.0;
    }

    // K = ((z - e) P + g K) / sigma, with e and g such that nothing remains: from
    //   z P = a (z + u) - (a u + b v)  modulo sigma
    // the coefficients of (z + u) and of 1 are a - e b + g d = 0 and -(a u + b v) - e a + g c = 0.
    // Requires: qp_, qk_ and the remainders for the present sigma.
    void next_k() noexcept {
        const auto [b, a] = p_rest_;
        const auto [d, c] = k_rest_;
        const double determinant = b * c - a * d;
        const bool divides_k = std::fabs(c) <= 10 * kNoise * std::fabs(k_[n_ - 1]) &&
                               std::fabs(d) <= 10 * kNoise * std::fabs(k_[n_ - 2]);
        if (divides_k || determinant == 0.0) {
            // sigma is nearly a factor of K: the quotient alone.
            k_ = {};
            for (std::size_t i = 2; i < n_; ++i)
                k_[i] = qk_[i - 2];
        } else {
            const double g = (a * a + sigma_.u * a * b + sigma_.v * b * b) / determinant;
            const double e = (a * c + sigma_.u * a * d + sigma_.v * b * d) / determinant;
            k_[0] = qp_[0];
            k_[1] = qp_[1] - e * qp_[0];
            for (std::size_t i = 2; i < n_; ++i)
                k_[i] = qp_[i] - e * qp_[i - 1] + g * qk_[i - 2];
        }
        k_rest_ = divide(k_, n_ - 1, sigma_, qk_);
    }

    // With K_0 = K, K_(m+1) = (K_m - (K_m(0) / P(0)) P) / z: at a root s of P, K_m(s) = K(s) s^-m.
    // So for two roots, and D_ij = K_i(s1) K_j(s2) - K_i(s2) K_j(s1),
    //   D_12 z^2 + D_20 z + D_01   is a multiple of (z - s1)(z - s2).
    // At the roots of sigma instead, it is the next estimate. There K_m = c_m + d_m (z + u), and
    // D_ij is [K_i, K_j] = c_i d_j - d_i c_j times s2 - s1. Let Z be the division by z modulo sigma:
    // c' = d, d' = -(c + d u) / v, since z (c' + d' (z + u)) = c' (z + u) - (c' u + d' v). From
    // [Z x, Z y] = [x, y] / v and v Z^2 + u Z + 1 = 0, with f_m = K_m(0) / P(0),
    //   v' - v = (f_1 [K, P] + f_0 [P, K_1]) / [K_1, K_2]
    //   u' - u = (f_0 [P, K] / v - f_1 [Z P, K] + (u / v) (v' - v) [K_1, K_2]) / [K_1, K_2]:
    // corrections that vanish with the remainder of P, however near the two roots are.
    [[nodiscard]] std::optional<Quadratic> next_sigma() const noexcept {
        const double u = sigma_.u;
        const double v = sigma_.v;
        const auto over_z = [&](const Remainder& x) -> Remainder {
            return {-(x.constant + x.of_z * u) / v, x.of_z};
        };
        const auto without = [&](const Remainder& x, double fraction) -> Remainder {
            return {x.of_z - fraction * p_rest_.of_z, x.constant - fraction * p_rest_.constant};
        };
        const auto bracket = [](const Remainder& x, const Remainder& y) {
            return x.constant * y.of_z - x.of_z * y.constant;
        };
        const double f_0 = k_[n_ - 1] / p_[n_];
        const double f_1 = (k_[n_ - 2] - f_0 * p_[n_ - 1]) / p_[n_];
        const Remainder k1 = over_z(without(k_rest_, f_0));
        const Remainder k2 = over_z(without(k1, f_1));
        const double scale = bracket(k1, k2);
        const double of_v = f_1 * bracket(k_rest_, p_rest_) + f_0 * bracket(p_rest_, k1);
        const double of_u = f_0 * bracket(p_rest_, k_rest_) / v -
                            f_1 * bracket(over_z(p_rest_), k_rest_) + u / v * of_v;
        const Quadratic next{u + of_u / scale, v + of_v / scale};
        if (!(std::fabs(next.u) < kInfinity) || !(std::fabs(next.v) < kInfinity) || next.v == 0.0)
            return std::nullopt;
        return next;
    }

    Coefficients p_;
    std::size_t n_;
    Coefficients k_{};
    Coefficients qp_{};
    Coefficients qk_{};
    Quadratic sigma_;
    Remainder p_rest_;
    Remainder k_rest_;
};

}  // namespace

ComplexRoots all_roots(std::span<const double> coefficients) noexcept {
    GRAZE_ASSERT(coefficients.size() <= kMaxDegree + 1);
    ComplexRoots roots;
    if (coefficients.empty()) return roots;
    std::size_t n = std::min(coefficients.size() - 1, kMaxDegree);
    Coefficients p{};
    std::copy_n(coefficients.begin(), n + 1, p.begin());
    std::reverse(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(n + 1));
    for (; n > 0 && p[n] == 0.0; --n)
        roots.add(0.0);
    while (n > 2) {
        ThreeStages stages(p, n);
        const int found = stages.search(roots);
        if (found == 0) return roots;
        n -= static_cast<std::size_t>(found);
        p = stages.deflated();
        for (; n > 0 && p[n] == 0.0; --n)
            roots.add(0.0);
    }
    if (n == 2) {
        const auto [small, large] = roots_of_quadratic(p[0], p[1], p[2]);
        roots.add(small);
        roots.add(large);
    } else if (n == 1) {
        roots.add(-p[1] / p[0]);
    }
    return roots;
}

}  // namespace graze::baselines

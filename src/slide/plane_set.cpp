#include "slide/plane_set.hpp"

#include <algorithm>
#include <cmath>

namespace graze::slide {
namespace {

// |n_i x n_j|^2 below this: one plane stands for both. The angle is then below 2^-30, and a move
// along the one violates the other by at most 2^-30 of its length, which kLoosest admits.
constexpr double kParallelSq = 0x1p-60;
static_assert(kParallelSq <= kLoosest * kLoosest, "a plane left out must not be missed");
// |n_i . (n_j x n_k)| below this: two of the planes (a crease) stand for the three.
constexpr double kFlat = 0x1p-32;
static_assert(kFlat <= kLoosest, "a plane left out must not be missed");

// Tries sets of planes in the order of their size and takes the first that fits; where none does,
// it goes through them again for the one that fits best.
class Search {
public:
    // `best`: where the answer goes.
    Search(std::span<const HalfSpace> planes, const Vec3& displacement, AllowedMove& best) noexcept
        : planes_(planes),
          count_(std::min(static_cast<int>(planes.size()), kMostPlanes)),
          wish_(displacement),
          best_(best) {
        double size = norm_max(displacement);
        double most_held = 0.0;
        for (int i = 0; i < count_; ++i) {
            size = std::max(size, std::fabs(plane(i).least));
            held_[index(i)] = plane(i).least - dot(plane(i).normal, displacement);
            most_held = std::max(most_held, held_[index(i)]);
        }
        most_held_ = most_held;
        size_ = size;
        limit_ = kTightest * size;
    }

    // Two passes: the first takes a set that violates no plane by more than kTightest. Where
    // rounding leaves none (planes that nearly contradict each other), the second takes the one
    // that violates them least, if that is below kLoosest; otherwise there is no move, and the ball
    // stays.
    void run() noexcept {
        best_ = {true, wish_, 0, {}};
        if (most_held_ <= limit_ || fits_some_set()) return;
        is_choosing_ = true;
        limit_ = most_held_;
        // Goes through all of them, since none is the last word, and lowers the limit.
        if (!fits_some_set() && !(limit_ <= kLoosest * size_)) best_ = {};
    }

private:
    static constexpr std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }
    [[nodiscard]] const HalfSpace& plane(int i) const noexcept { return planes_[index(i)]; }

    // The minimiser of |d - w|^2 under n_i . d >= b_i is w + sum l_i n_i over at most three planes
    // with l_i >= 0 (Karush, Kuhn, Tucker; independent normals span three dimensions). So all sets
    // of one, two and three are tried: 8 + 28 + 56 = 92 at most for eight planes. Small sets first:
    // the first that fits is the minimiser, since the problem is convex.
    [[nodiscard]] bool fits_some_set() noexcept {
        for (int i = 0; i < count_; ++i)
            if (single(i)) return true;
        for (int i = 0; i < count_; ++i)
            for (int j = i + 1; j < count_; ++j)
                if (pair(i, j)) return true;
        for (int i = 0; i < count_; ++i)
            for (int j = i + 1; j < count_; ++j)
                for (int k = j + 1; k < count_; ++k)
                    if (triple(i, j, k)) return true;
        return false;
    }

    // Does the move keep every plane, within the limit?
    // True: nothing better is to be found.
    [[nodiscard]] bool consider(const Vec3& move, int active_count,
                                const std::array<int, 3>& active) noexcept {
        double violation = 0.0;
        for (int i = 0; i < count_; ++i) {
            violation = std::max(violation, plane(i).least - dot(plane(i).normal, move));
            if (violation > limit_) return false;
        }
        if (is_choosing_) {
            if (!(violation < limit_)) return false;
            limit_ = violation;
        }
        best_ = {true, move, active_count, active};
        return !is_choosing_;
    }

    // A plane that pulls instead of pushing is not one of the answer.
    [[nodiscard]] bool pushes(double multiplier) const noexcept {
        return multiplier >= -kTightest * size_;
    }

    // d = w + (b_i - n_i . w) n_i: normals are unit vectors, so the multiplier is what w lacks.
    [[nodiscard]] bool single(int i) noexcept {
        const double push = held_[index(i)];
        if (!(push > 0.0)) return false;
        return consider(wish_ + push * plane(i).normal, 1, {i, 0, 0});
    }

    // d = e (e.w) + (b_i (n_i - c n_j) + b_j (n_j - c n_i)) / (1 - c^2) with e along the crease and
    // c = n_i.n_j: for b = 0 the move is along the crease to the last bit, however acute it is.
    [[nodiscard]] bool pair(int i, int j) noexcept {
        const Vec3& a = plane(i).normal;
        const Vec3& b = plane(j).normal;
        const double cosine = dot(a, b);
        const double held_i = held_[index(i)];
        const double held_j = held_[index(j)];
        const double share_i = held_i - cosine * held_j;
        const double share_j = held_j - cosine * held_i;
        // The square of the sine is at most one, but for rounding.
        if (!pushes(0.5 * share_i) || !pushes(0.5 * share_j)) return false;
        const Vec3 crease = cross(a, b);
        const double sine_sq = norm_sq(crease);
        if (!(sine_sq > kParallelSq)) return false;
        if (!pushes(share_i / sine_sq) || !pushes(share_j / sine_sq)) return false;
        const Vec3 across = plane(i).least * (a - cosine * b) + plane(j).least * (b - cosine * a);
        return consider((1.0 / sine_sq) * (dot(crease, wish_) * crease + across), 2, {i, j, 0});
    }

    // The vertex of three planes, by Cramer: d = sum b_i (n_j x n_k) / (n_i . (n_j x n_k)). The
    // same products give the multipliers, since d - w = sum l_i n_i and (n_j x n_k) . n_j = 0.
    [[nodiscard]] bool triple(int i, int j, int k) noexcept {
        const Vec3 over_i = cross(plane(j).normal, plane(k).normal);
        const Vec3 over_j = cross(plane(k).normal, plane(i).normal);
        const Vec3 over_k = cross(plane(i).normal, plane(j).normal);
        const double volume = dot(plane(i).normal, over_i);
        if (!(std::fabs(volume) > kFlat)) return false;
        const double scale = 1.0 / volume;
        const Vec3 vertex =
            scale * (plane(i).least * over_i + plane(j).least * over_j + plane(k).least * over_k);
        const Vec3 push = vertex - wish_;
        if (!pushes(scale * dot(push, over_i)) || !pushes(scale * dot(push, over_j)) ||
            !pushes(scale * dot(push, over_k)))
            return false;
        return consider(vertex, 3, {i, j, k});
    }

    std::span<const HalfSpace> planes_;
    int count_;
    Vec3 wish_;
    double size_ = 0.0;
    std::array<double, kMostPlanes> held_;  // b_i - n_i.w: what the displacement lacks
    double most_held_ = 0.0;
    double limit_ = 0.0;  // of what a set may violate to be taken
    bool is_choosing_ = false;
    AllowedMove& best_;
};

}  // namespace

AllowedMove nearest_allowed(std::span<const HalfSpace> planes, const Vec3& displacement) noexcept {
    AllowedMove best;
    Search(planes, displacement, best).run();
    return best;
}

}  // namespace graze::slide

// Support functions of convex shapes, and two shapes at one time. Derivation:
// docs/derivations/rigid_convex.md, RC-1 and RC-2.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "graze/core/rounding.hpp"
#include "graze/rigid/convex.hpp"
#include "rigid/convex/hull_points.hpp"

namespace graze::rigid::detail {

[[nodiscard]] inline Vec3 linear_times(const Matrix3& m, const Vec3& v) noexcept {
    return {dot(m[0], v), dot(m[1], v), dot(m[2], v)};
}
[[nodiscard]] inline Vec3 transposed_linear_times(const Matrix3& m, const Vec3& v) noexcept {
    return {m[0].x * v.x + m[1].x * v.y + m[2].x * v.z, m[0].y * v.x + m[1].y * v.y + m[2].y * v.z,
            m[0].z * v.x + m[1].z * v.y + m[2].z * v.z};
}

// max m . x over the core, off by 6u |m| core_radius() at most (RC-1).
[[nodiscard]] inline double core_extent(const ConvexShape& shape, const Vec3& m) noexcept {
    const Vec3& c = shape.centre();
    const Vec3& h = shape.size();
    switch (shape.core()) {
        case ConvexShape::Core::Point:
            return dot(m, c);
        case ConvexShape::Core::Segment:
            return std::max(dot(m, c), dot(m, h));
        case ConvexShape::Core::Box:
            return dot(m, c) +
                   ((std::fabs(m.x) * h.x + std::fabs(m.y) * h.y) + std::fabs(m.z) * h.z);
        case ConvexShape::Core::Cylinder:
            return dot(m, c) + (h.x * std::sqrt(m.x * m.x + m.y * m.y) + std::fabs(m.z) * h.z);
        case ConvexShape::Core::Hull:
            break;
    }
    // Where m is no number, this is none, and proves nothing.
    return largest_along(hull_points(shape), m);
}

// A point of the core, within 4u core_radius() of it, that is nearly extreme in the direction m.
[[nodiscard]] inline Vec3 core_support(const ConvexShape& shape, const Vec3& m) noexcept {
    const Vec3& c = shape.centre();
    const Vec3& h = shape.size();
    switch (shape.core()) {
        case ConvexShape::Core::Point:
            return c;
        case ConvexShape::Core::Segment:
            return dot(m, c) >= dot(m, h) ? c : h;
        case ConvexShape::Core::Box:
            return {c.x + std::copysign(h.x, m.x), c.y + std::copysign(h.y, m.y),
                    c.z + std::copysign(h.z, m.z)};
        case ConvexShape::Core::Cylinder: {
            const double across = std::sqrt(m.x * m.x + m.y * m.y);
            const double z = c.z + std::copysign(h.z, m.z);
            if (!(across > 0x1p-500)) return {c.x, c.y, z};
            return {c.x + h.x * (m.x / across), c.y + h.x * (m.y / across), z};
        }
        case ConvexShape::Core::Hull:
            break;
    }
    const HullPoints& hull = hull_points(shape);
    return hull.points[extreme_along(hull, m).point];
}

// A shape with its motion: what is rounded about the core moves with a rigid motion as it is, and is
// taken into the core, as radius |m| more in every direction, where the motion is not rigid.
struct MovingShape {
    const ConvexShape& shape;
    const Motion& motion;
    double inflation = 0.0;  // radius that is taken into the core
    double reach = 0.0;      // of the core, with it

    MovingShape(const ConvexShape& s, const Motion& m) noexcept
        : shape(s),
          motion(m),
          inflation(m.is_rigid() ? 0.0 : s.rounding()),
          reach((s.core_radius() + inflation) * (1.0 + 0x1p-40)) {}

    [[nodiscard]] double separate_rounding() const noexcept {
        return motion.is_rigid() ? shape.rounding() : 0.0;
    }
    [[nodiscard]] double extent(const Vec3& m) const noexcept {
        const double extent = core_extent(shape, m);
        return inflation == 0.0 ? extent : extent + inflation * std::sqrt(norm_sq(m));
    }
    [[nodiscard]] Vec3 support(const Vec3& m) const noexcept {
        const Vec3 point = core_support(shape, m);
        if (inflation == 0.0) return point;
        const double size = std::sqrt(norm_sq(m));
        return size > 0x1p-500 ? point + (inflation / size) * m : point;
    }
};

// Both bodies at one time, in coordinates relative to one origin.
struct PairFrame {
    double t = 0.0;
    PoseEnclosure a;
    PoseEnclosure b;
    Vec3 offset;  // translation of B less that of A
    // For a unit direction n (within 2^-45): |computed gap - exact| <= error; the same for the
    // coordinates of every difference of support points, as a vector (RC-2).
    double error = 0.0;
};

// Sets the offset and the error of a frame with both poses.
inline void set_offset(const MovingShape& a, const MovingShape& b, PairFrame& f) noexcept {
    constexpr double kU = 0x1p-53;
    f.offset = f.b.translation - f.a.translation;
    // Below kLeastNorm squares of directions underflow, by less than 16 u of it (RC-2). What is no number
    // stays: std::max() returns its first argument then.
    constexpr double kLeastNorm = 0x1p-480;
    const double norm_a = std::max(f.a.linear_norm, kLeastNorm);
    const double norm_b = std::max(f.b.linear_norm, kLeastNorm);
    const double reach_a = a.reach * (f.a.linear_error + 16.0 * kU * norm_a);
    const double reach_b = b.reach * (f.b.linear_error + 16.0 * kU * norm_b);
    f.error = (f.a.translation_error + f.b.translation_error + reach_a + reach_b +
               8.0 * kU * norm_one(f.offset)) *
                  (1.0 + 0x1p-40) +
              0x1p-1000;
}

// Poses of a time that were computed before, relative to the same origin, or nothing.
struct KnownPoses {
    const PoseEnclosure* a = nullptr;
    const PoseEnclosure* b = nullptr;
};

// The frames of two bodies in one step. Of a body at rest one pose is that of all times.
class PairFrames {
public:
    // known_a: a pose of A.
    PairFrames(const MovingShape& a, const MovingShape& b, const Vec3& origin,
               const PoseEnclosure* known_a = nullptr) noexcept
        : a_(a), b_(b), origin_(origin), a_rests_(a.motion.is_at_rest()) {
        if (a_rests_) pose_a_ = known_a ? *known_a : a.motion.at(0.0, origin);
    }
    [[nodiscard]] PairFrame at(double t, const KnownPoses& known = {}) const noexcept {
        PairFrame f{.t = t,
                    .a = a_rests_  ? pose_a_
                         : known.a ? *known.a
                                   : a_.motion.at(t, origin_),
                    .b = known.b ? *known.b : b_.motion.at(t, origin_),
                    .offset = {}};
        set_offset(a_, b_, f);
        return f;
    }
    [[nodiscard]] bool a_rests() const noexcept { return a_rests_; }
    // RC-3: K of a slab.
    [[nodiscard]] double bulge(double begin, double end) const noexcept {
        const ChordDeviation a =
            a_rests_ ? ChordDeviation{0.0, 0.0} : a_.motion.deviation(begin, end);
        const ChordDeviation b = b_.motion.deviation(begin, end);
        return ((a.translation + b.translation) + a.linear * a_.reach + b.linear * b_.reach) *
               (1.0 + 0x1p-40);
    }

private:
    const MovingShape& a_;
    const MovingShape& b_;
    Vec3 origin_;
    bool a_rests_;
    PoseEnclosure pose_a_;
};

// Room for the frames that a search works with, so that it passes them on without copies.
class FrameSlots {
public:
    // Of time t, in a slot that none of `in_use` is in. Requires: those are at most four.
    template <class... Frames>
    [[nodiscard]] const PairFrame* make(const PairFrames& frames, double t, const KnownPoses& known,
                                        const Frames*... in_use) noexcept {
        static_assert(sizeof...(in_use) < kCount);
        Slot* slot = slots_.data();
        while (((&slot->frame == in_use) || ...))
            ++slot;
        return ::new (&slot->frame) PairFrame(frames.at(t, known));
    }

private:
    static constexpr std::size_t kCount = 5;
    // Not initialised: most searches end with few frames.
    union Slot {
        Slot() noexcept {}
        PairFrame frame;
    };
    static_assert(std::is_trivially_destructible_v<PairFrame>);
    std::array<Slot, kCount> slots_;
};

// min over B less max over A of n . x, of the cores; less f.error it is a lower bound. extent_a is that of
// A along n.
[[nodiscard]] inline double extent_along(const MovingShape& a, const PairFrame& f,
                                         const Vec3& n) noexcept {
    return a.extent(transposed_linear_times(f.a.linear, n));
}
[[nodiscard]] inline double gap_along(const MovingShape& b, const PairFrame& f, const Vec3& n,
                                      double extent_a) noexcept {
    return dot(n, f.offset) - b.extent(transposed_linear_times(f.b.linear, -n)) - extent_a;
}
[[nodiscard]] inline double gap_along(const MovingShape& a, const MovingShape& b,
                                      const PairFrame& f, const Vec3& n) noexcept {
    return gap_along(b, f, n, extent_along(a, f, n));
}

// Lower bounds of gaps in the frames of a search. The last ones are kept: ends of slabs are asked again
// along the same direction; and so is what A, where it rests, reaches along the last direction.
class PairGaps {
public:
    // margin: what gaps have to exceed beside their errors.
    PairGaps(const MovingShape& a, const MovingShape& b, double margin, bool a_rests) noexcept
        : a_(a), b_(b), margin_(margin), a_rests_(a_rests) {}

    // `computed` counts those that were not known.
    [[nodiscard]] double at(const PairFrame& f, const Vec3& n, std::uint64_t& computed) noexcept {
        for (const Known& known : last_)
            if (known.t == f.t && known.n == n) return known.gap;
        ++computed;
        if (!(a_rests_ && n == n_)) {
            extent_a_ = extent_along(a_, f, n);
            n_ = n;
        }
        const double gap = gap_along(b_, f, n, extent_a_) - (f.error + margin_) * (1.0 + 0x1p-40);
        last_[oldest_] = {f.t, n, gap};
        oldest_ = oldest_ + 1 == last_.size() ? 0 : oldest_ + 1;
        return gap;
    }

private:
    struct Known {
        double t = -1.0;  // no time
        Vec3 n;
        double gap = 0.0;
    };
    const MovingShape& a_;
    const MovingShape& b_;
    double margin_;
    bool a_rests_;
    Vec3 n_;  // extent_a_ is along it
    double extent_a_ = 0.0;
    std::array<Known, 3> last_{};
    std::size_t oldest_ = 0;
};

}  // namespace graze::rigid::detail

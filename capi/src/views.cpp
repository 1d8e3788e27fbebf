#include "views.hpp"

#include <limits>

#include "graze/core/wide_integer.hpp"

namespace graze::capi {
namespace {

// from + factor * stride, and whether it is a distance that memory can have.
bool add_product(std::int64_t factor, std::int64_t stride, std::int64_t& from) noexcept {
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const WideLimb product = signed_product(factor, stride);
    const auto low = static_cast<std::int64_t>(static_cast<std::uint64_t>(product));
    const auto high = static_cast<std::int64_t>(static_cast<std::uint64_t>(product >> 64));
    if (high != (low < 0 ? -1 : 0)) return false;
    if (low < 0 ? from < kLeast - low : from > kMost - low) return false;
    from += low;
    return true;
}

std::int64_t or_default(std::int64_t stride, std::int64_t contiguous) noexcept {
    return stride == 0 ? contiguous : stride;
}

graze_status check_numbers(const graze_view& view, const char* name) noexcept {
    if (view.scalar != GRAZE_FLOAT64 && view.scalar != GRAZE_FLOAT32)
        return fail(GRAZE_OUT_OF_RANGE, "%s: there is no scalar %d", name, view.scalar);
    if (view.reserved != 0) return fail(GRAZE_INVALID_INPUT, "%s: reserved is not 0", name);
    return Checks().list(view.data, view.count, name).status();
}

}  // namespace

graze_status CheckedView::set(const graze_view* view, std::uint64_t points,
                              const char* name) noexcept {
    if (view == nullptr) return fail(GRAZE_NULL_POINTER, "%s is NULL", name);
    if (const graze_status status = check_numbers(*view, name)) return status;
    is_float_ = view->scalar == GRAZE_FLOAT32;
    data_ = static_cast<const std::byte*>(view->data);
    count_ = view->count;
    coordinate_stride_ =
        or_default(view->coordinate_stride,
                   is_float_ ? std::int64_t{sizeof(float)} : std::int64_t{sizeof(double)});
    // Offsets of every sign are bounded by those of magnitudes, which must not overflow.
    const auto count = static_cast<std::int64_t>(count_);
    const auto width = static_cast<std::int64_t>(points);
    std::int64_t point = 0;
    std::int64_t element = 0;
    std::int64_t farthest = 0;
    bool fits = add_product(3, coordinate_stride_, point);
    point_stride_ = points == 1 ? point : or_default(view->point_stride, point);
    fits = fits && add_product(width, point_stride_, element);
    stride_ = or_default(view->stride, element);
    for (const auto& [factor, stride] : {std::pair(count, stride_), std::pair(width, point_stride_),
                                         std::pair(std::int64_t{3}, coordinate_stride_)}) {
        std::int64_t magnitude = 0;
        fits = fits && add_product(stride < 0 ? -1 : 1, stride, magnitude) &&
               add_product(factor, magnitude, farthest);
    }
    if (fits) return GRAZE_OK;
    return fail(GRAZE_WRONG_SIZE, "%s: count and strides span more than there is memory", name);
}

void CheckedView::copy_to(std::vector<Vec3>& points) const {
    points.resize(static_cast<std::size_t>(count_));
    for (std::uint64_t i = 0; i < count_; ++i)
        points[static_cast<std::size_t>(i)] = point(i);
}

graze_status read_pose(const graze_pose* given, const char* name, Pose& pose) {
    if (given == nullptr) return fail(GRAZE_NULL_POINTER, "%s is NULL", name);
    const double* q = given->rotation;
    pose = {{q[0], q[1], q[2], q[3]}, read_vector(given->translation)};
    const Expected<void> valid = check(pose, name);
    return valid ? GRAZE_OK : fail("", valid.error());
}

void write_positions(std::span<const Vec3> positions, double* output) noexcept {
    for (const Vec3& p : positions) {
        *output++ = p.x;
        *output++ = p.y;
        *output++ = p.z;
    }
}

graze_result to_c(const CcdResult& result) noexcept {
    return {result.toi_lower,
            result.toi_upper,
            result.tolerance,
            result.checks,
            static_cast<graze_verdict>(result.verdict),
            0};
}

graze_contact to_c(const ContactPoint& contact) noexcept {
    graze_contact c{};
    c.u = contact.u;
    c.v = contact.v;
    write_vector(contact.on_a, c.on_a);
    write_vector(contact.on_b, c.on_b);
    write_vector(contact.normal, c.normal);
    c.distance_upper = contact.distance_upper;
    c.feature_a = static_cast<std::int32_t>(contact.feature_a.type);
    c.index_a = contact.feature_a.index;
    c.feature_b = static_cast<std::int32_t>(contact.feature_b.type);
    c.index_b = contact.feature_b.index;
    return c;
}

graze_contact no_contact() noexcept {
    graze_contact c{};
    c.distance_upper = kInfinity;
    return c;
}

}  // namespace graze::capi

// The input is a level of up to four triangles and a sweep through it, judged in rationals.
//   byte 0    bit 0: float, else double; bit 1: an ellipsoid; bit 2: a margin; bit 3: one-sided;
//             bit 7: raw numbers, else bytes on a grid of eighths
//   byte 1    the radius in eighths
//   the rest  start, move, then corners; missing ones are zero
// Raw numbers reach NaN, infinities and subnormals: there the sweep must answer, and fail closed.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "fuzz_input.hpp"
#include "graze/slide/sweep.hpp"
#include "graze/verify/exact_segment.hpp"

namespace {

namespace fuzz = graze::io::fuzz;
namespace exact = graze::slide::test;
using graze::Vec;
using graze::slide::FaceMarks;
using graze::slide::Level;
using graze::slide::Shape;
using graze::slide::SweepQuery;
using graze::slide::SweepResult;
using graze::slide::widened;

constexpr std::size_t kNumbers = 6 + 4 * 9;

template <class Real>
struct Numbers {
    std::array<Real, kNumbers> value{};
    std::size_t count = 0;

    [[nodiscard]] Vec<Real> point(std::size_t i) const {
        return {value[3 * i], value[3 * i + 1], value[3 * i + 2]};
    }
    [[nodiscard]] std::size_t triangles() const { return count < 6 ? 0 : (count - 6 + 8) / 9; }
};

template <class Real>
Numbers<Real> numbers_of(fuzz::Input input, bool raw) {
    Numbers<Real> numbers;
    if (raw) {
        numbers.count = std::min(input.size() / sizeof(Real), kNumbers);
        std::memcpy(numbers.value.data(), input.data(), numbers.count * sizeof(Real));
        return numbers;
    }
    numbers.count = std::min(input.size(), kNumbers);
    for (std::size_t i = 0; i < numbers.count; ++i)
        numbers.value[i] = static_cast<Real>(static_cast<std::int8_t>(input[i])) / Real(8);
    return numbers;
}

// Numbers of a size whose rationals stay short.
template <class Real>
bool is_judged(const Numbers<Real>& numbers) {
    return std::all_of(numbers.value.begin(), numbers.value.end(), [](Real x) {
        return x == Real(0) || (std::abs(x) > Real(1e-30) && std::abs(x) < Real(1e30));
    });
}

template <class Real>
exact::ExactTriangle in_ball_space(const Numbers<Real>& numbers, std::size_t triangle,
                                   const exact::Exact& radii) {
    const std::size_t first = 2 + 3 * triangle;
    return {exact::divided(exact::exact(numbers.point(first)), radii),
            exact::divided(exact::exact(numbers.point(first + 1)), radii),
            exact::divided(exact::exact(numbers.point(first + 2)), radii)};
}

template <class Real>
void judge(const Numbers<Real>& numbers, const Shape<Real>& shape, const SweepQuery<Real>& query,
           const SweepResult<Real>& found) {
    const exact::Exact radii = exact::exact(shape.radii);
    const exact::Exact from = exact::divided(exact::exact(query.start), radii);
    const exact::Exact move = exact::divided(exact::exact(query.displacement), radii);
    const exact::Exact to = exact::at(from, mpq_class(double{found.toi_lower}), move);
    const mpq_class smallest = std::min({radii[0], radii[1], radii[2]});
    const mpq_class grown = 1 + mpq_class(double{query.margin}) / smallest;
    for (std::size_t i = 0; i < numbers.triangles(); ++i) {
        const mpq_class distance_sq =
            exact::segment_triangle_sq(from, to, in_ball_space(numbers, i, radii));
        fuzz::require(distance_sq >= grown * grown, "a sweep is not late");
    }
}

template <class Real>
void check(fuzz::Input input, std::uint8_t flags, std::uint8_t size) {
    const Numbers<Real> numbers = numbers_of<Real>(input, (flags & 0x80U) != 0);
    std::vector<Vec<Real>> positions;
    std::vector<std::array<std::uint32_t, 3>> faces;
    for (std::size_t i = 0; i < numbers.triangles(); ++i) {
        const auto first = static_cast<std::uint32_t>(positions.size());
        for (std::size_t k = 0; k < 3; ++k)
            positions.push_back(numbers.point(2 + 3 * i + k));
        faces.push_back({first, first + 1, first + 2});
    }
    const FaceMarks marks{.one_sided = (flags & 8U) != 0};
    Level<Real> level;
    if (!level.add_part(positions, faces, std::span(&marks, 1))) return;
    const Real radius = static_cast<Real>(size) / Real(8);
    const Real tall = (flags & 2U) != 0 ? radius * Real(2.25) : radius;
    const Shape<Real> shape{{radius, tall, radius}};
    const SweepQuery<Real> query{numbers.point(0), numbers.point(1),
                                 (flags & 4U) != 0 ? radius / Real(7) : Real(0)};
    const SweepResult<Real> found = first_contact(level, shape, query);
    fuzz::require(found.toi_lower >= Real(0) && found.toi_lower <= Real(1), "a time is in [0, 1]");
    fuzz::require(found.verdict != graze::Verdict::Separated || found.toi_lower == Real(1),
                  "without a hit all of the move is free");
    const bool finite = graze::is_finite(widened(query.start)) &&
                        graze::is_finite(widened(query.displacement)) && size > 0;
    if (!finite) {
        fuzz::require(found.verdict == graze::Verdict::Unresolved && found.toi_lower == Real(0),
                      "bad numbers fail closed");
    } else if (!found.met_at_start && !marks.one_sided && is_judged(numbers)) {
        judge(numbers, shape, query, found);
    }
    static_cast<void>(smallest_gap(level, shape, query.start, radius));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const fuzz::Input input(data + 2, size - 2);
    if ((data[0] & 1U) != 0) {
        check<float>(input, data[0], data[1]);
    } else {
        check<double>(input, data[0], data[1]);
    }
    return 0;
}

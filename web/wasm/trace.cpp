// The boxes of (t, u, v) that `tight-inclusion` looks at, in its order.
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "exports.hpp"
#include "graze/narrow/tight_inclusion.hpp"
#include "narrow/tight_inclusion/search.hpp"
#include "narrow/tight_inclusion/tight_arithmetic.hpp"
#include "query_buffer.hpp"

namespace graze::wasm {
namespace {

// Numbers of one box: lower corner, widths, level, and 1 where it could not be excluded.
constexpr std::size_t kBoxNumbers = 8;

struct Recording {
    double* to = nullptr;
    std::size_t capacity = 0;
    std::size_t count = 0;
    double level = 0.0;

    void add(double t, double u, double v, const inclusion::Widths& w, std::int64_t kept) noexcept {
        if (count == capacity) return;
        double* box = to + kBoxNumbers * count++;
        const double numbers[kBoxNumbers] = {t, u, v, w.t, w.u, w.v, level, kept != 0 ? 1.0 : 0.0};
        std::copy(numbers, numbers + kBoxNumbers, box);
    }
};

// The arithmetic of the search, which also writes down what it is asked: the search itself is the
// library's, and decides the same.
class RecordingArithmetic {
public:
    RecordingArithmetic(const inclusion::TightArithmetic& arithmetic, Recording& recording) noexcept
        : arithmetic_(arithmetic), recording_(recording) {}

    void check_halves(const inclusion::BoxView& boxes, const inclusion::Split& split,
                      std::int64_t* first, std::int64_t* second) const noexcept {
        arithmetic_.check_halves(boxes, split, first, second);
        // The whole domain is asked for as the first half of a box of twice its length.
        const bool whole = recording_.count == 0;
        const double dt = split.axis == inclusion::Axis::Time ? split.halves.t : 0.0;
        const double du = split.axis == inclusion::Axis::U ? split.halves.u : 0.0;
        const double dv = split.axis == inclusion::Axis::V ? split.halves.v : 0.0;
        for (std::size_t i = 0; i < boxes.count; ++i) {
            recording_.add(boxes.t[i], boxes.u[i], boxes.v[i], split.halves, first[i]);
            if (whole) break;
            recording_.add(boxes.t[i] + dt, boxes.u[i] + du, boxes.v[i] + dv, split.halves,
                           second[i]);
        }
        recording_.level += 1.0;
    }
    [[nodiscard]] inclusion::Extent extent(const inclusion::BoxOfDomain& box) const noexcept {
        return arithmetic_.extent(box);
    }
    [[nodiscard]] bool is_small(const inclusion::BoxOfDomain& box) const noexcept {
        return arithmetic_.is_small(box);
    }
    [[nodiscard]] const inclusion::Rates& rates() const noexcept { return arithmetic_.rates(); }
    [[nodiscard]] double delta() const noexcept { return arithmetic_.delta(); }
    [[nodiscard]] double tolerance(const inclusion::Extent& extent) const noexcept {
        return arithmetic_.tolerance(extent);
    }

private:
    const inclusion::TightArithmetic& arithmetic_;
    Recording& recording_;
};

}  // namespace

// Writes the first `capacity` boxes, and returns how many it has written. Where the boxes of the
// whole step are disjoint `tight-inclusion` asks for none; here the search is shown all the same.
GRAZE_WASM_EXPORT(graze_trace)
std::size_t graze_trace(std::uint32_t kind, const double* query, const double* options,
                        std::size_t capacity, double* to) {
    TightInclusionOptions with;
    with.query = options_from(options);
    if (kind >= kAllQueryKinds.size() || !is_valid(with.query)) return 0;
    Recording recording{to, capacity};
    visit(static_cast<QueryKind>(kind), [&]<class Motion>(std::type_identity<Motion>) {
        const Motion motion = motion_from<Motion>(query);
        if (!is_finite_motion(motion)) return;
        const auto arithmetic = inclusion::TightArithmetic::of(motion, with);
        const RecordingArithmetic recorder(arithmetic, recording);
        inclusion::Workspace workspace;
        // The answer is that of graze_run(): only the boxes are of interest here.
        static_cast<void>(
            inclusion::Search<RecordingArithmetic>(recorder, with.query, workspace).run());
    });
    return recording.count;
}

}  // namespace graze::wasm

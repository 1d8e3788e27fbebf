// The first byte chooses the kind, the rest is a CSV file, plain or gzip. What is read must be
// finite, and must read back from its own fractions.
#include <cmath>

#include "fuzz_input.hpp"
#include "io/csv_stream.hpp"
#include "io/rational.hpp"

namespace graze::io::fuzz {
namespace {

void check_point(const Vec3& point) {
    require(is_finite(point), "coordinates are finite");
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Fraction fraction = exact_fraction(point[axis]);
        const auto read = exact_quotient(*parse_integer(fraction.numerator),
                                         *parse_integer(fraction.denominator));
        require(read == point[axis], "a double reads back from its fraction");
    }
}

void check_record(const QueryRecord& record) {
    for (const MovingPoint& corner : record.corners) {
        check_point(corner.start);
        check_point(corner.end);
    }
}

}  // namespace
}  // namespace graze::io::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace graze::io;
    if (size == 0) return 0;
    const auto kind = graze::kAllQueryKinds[data[0] % graze::kAllQueryKinds.size()];
    const auto stream = csv_stream(fuzz::reader_over({data + 1, size - 1}), kind);
    fuzz::drain(*stream, fuzz::check_record);
    return 0;
}

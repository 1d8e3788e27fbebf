// The input is a number in text, as the command line takes it; or its first eight bytes a double.
#include <bit>
#include <cmath>
#include <cstring>

#include "fuzz_input.hpp"
#include "graze/io/hex_float.hpp"

namespace {

bool same_bits(std::optional<double> a, double b) {
    return a && std::bit_cast<std::uint64_t>(*a) == std::bit_cast<std::uint64_t>(b);
}

void check_round_trips(double value) {
    using namespace graze::io;
    fuzz::require(same_bits(parse_double(to_hex(value)), value), "hex reads back");
    fuzz::require(same_bits(parse_double(to_shortest(value)), value), "decimal reads back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto parsed = graze::io::parse_double(text);
    if (parsed) check_round_trips(*parsed);
    double value = 0.0;
    if (size >= sizeof value) std::memcpy(&value, data, sizeof value);
    if (!std::isnan(value)) check_round_trips(value);
    return 0;
}

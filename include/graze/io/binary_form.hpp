// The bytes of the binary form (docs/FORMATS.md), shared by its reader and its writer.
//
//   header   magic[8]  version u32  kind u8  zero[3]
//   record   tag u8  corners at t=0, then at t=1: x y z f64 each  [lower f64  upper f64]
//   footer   tag u8 = kEndTag  records u64  CRC-64 u64 of every byte before it
// All numbers are little-endian. The number of records stands at the end so that a file can be
// written, packed and read in one pass.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "graze/io/query_file.hpp"

namespace graze::io::binary_form {

// Not text, and damaged by transfers that touch line ends, 8th bits or the DOS end-of-file.
inline constexpr std::array<unsigned char, 8> kMagic = {0x89, 'G',  'Z',  'Q',
                                                        '\r', '\n', 0x1a, '\n'};
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::size_t kHeaderSize = kMagic.size() + 4 + 1 + 3;
inline constexpr std::size_t kFooterSize = 8 + 8;

// A record's tag: bits 0-1 the truth (0 not known, 1 separated, 2 contact), bit 2 a time bracket.
inline constexpr unsigned char kTruthMask = 3;
inline constexpr unsigned char kSeparatedTag = 1;
inline constexpr unsigned char kContactTag = 2;
inline constexpr unsigned char kTimesTag = 4;
inline constexpr unsigned char kEndTag = 0xff;

static_assert(std::numeric_limits<double>::is_iec559 && sizeof(double) == 8);
static_assert(static_cast<int>(QueryKind::VertexFace) == 0 &&
                  static_cast<int>(QueryKind::EdgeEdge) == 1 &&
                  static_cast<int>(QueryKind::VertexVertex) == 2 &&
                  static_cast<int>(QueryKind::VertexEdge) == 3,
              "kinds are stored as these numbers");

// Appends and takes little-endian numbers on any machine.
template <class Unsigned>
void append(std::vector<unsigned char>& bytes, Unsigned value) {
    for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
        bytes.push_back(static_cast<unsigned char>(value >> (8 * i)));
    }
}
inline void append(std::vector<unsigned char>& bytes, double value) {
    append(bytes, std::bit_cast<std::uint64_t>(value));
}
template <class Unsigned>
[[nodiscard]] Unsigned take(std::span<const unsigned char> bytes) {
    Unsigned value = 0;
    for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
        value = static_cast<Unsigned>(value | (static_cast<Unsigned>(bytes[i]) << (8 * i)));
    }
    return value;
}
[[nodiscard]] inline double take_double(std::span<const unsigned char> bytes) {
    return std::bit_cast<double>(take<std::uint64_t>(bytes));
}

// What is wrong with a record, if anything: the readers and the writers hold to the same rules.
//   coordinates are finite; times are both inf, or equal or neighbouring doubles in [0, 1]; the
//   truth, if known, is contact iff the times are finite.
[[nodiscard]] std::optional<Error> defect(const QueryRecord& record, QueryKind kind);

// Do the primitives touch, by these times? Requires: times without defect.
[[nodiscard]] inline bool says_contact(const TimeBracket& time) noexcept {
    return time.lower < std::numeric_limits<double>::infinity();
}

// The truth, or else the one that follows from the times. Requires: a record without defect.
[[nodiscard]] inline std::optional<bool> stated_truth(const QueryRecord& record) noexcept {
    if (record.truth || !record.first_time) return record.truth;
    return says_contact(*record.first_time);
}

}  // namespace graze::io::binary_form

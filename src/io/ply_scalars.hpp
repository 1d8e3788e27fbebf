// The numbers of a PLY body, one after the other, in any of its encodings.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "graze/core/expected.hpp"
#include "graze/io/byte_reader.hpp"
#include "io/ply_header.hpp"

namespace graze::io {

// Every PLY type is exact in a double. Errors have no location.
class PlyScalars {
public:
    PlyScalars(ByteReader& reader, PlyEncoding encoding) : reader_(reader), encoding_(encoding) {}

    [[nodiscard]] Expected<double> next(PlyType type);
    // The length of a list. Requires: an integer type.
    [[nodiscard]] Expected<std::size_t> next_length(PlyType type);
    [[nodiscard]] Expected<void> skip(PlyType type, std::size_t count);
    // In ascii each element of the body has its own line; these find its first word and check that
    // nothing is left on it. In binary both do nothing.
    void begin_line();
    [[nodiscard]] Expected<void> end_line();
    // Only white space (ascii) or nothing (binary) may follow the last element.
    [[nodiscard]] Expected<void> end_body();

private:
    [[nodiscard]] Expected<std::string_view> word();
    [[nodiscard]] Expected<double> next_ascii(PlyType type);
    [[nodiscard]] Expected<double> next_binary(PlyType type);
    void skip_blanks();

    ByteReader& reader_;
    PlyEncoding encoding_;
    std::string word_;
};

}  // namespace graze::io

// The header of a PLY file: what the body holds, and in which encoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/io/byte_reader.hpp"

namespace graze::io {

enum class PlyEncoding : std::uint8_t { Ascii, LittleEndian, BigEndian };
enum class PlyType : std::uint8_t { Int8, UInt8, Int16, UInt16, Int32, UInt32, Float32, Float64 };

[[nodiscard]] constexpr bool is_integer(PlyType type) noexcept {
    return type < PlyType::Float32;
}
[[nodiscard]] constexpr std::size_t byte_size(PlyType type) noexcept {
    constexpr std::size_t kSizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    return kSizes[static_cast<std::size_t>(type)];
}

// What is wrong with a header or a body, without its location: the caller adds file and element.
[[nodiscard]] inline Error malformed(const char* message) {
    return {message, ErrorCode::Malformed};
}

struct PlyProperty {
    std::string name;
    PlyType type = PlyType::Float64;
    std::optional<PlyType> length_type;  // set for lists
};

struct PlyElement {
    std::string name;
    std::uint64_t count = 0;
    std::vector<PlyProperty> properties;
};

struct PlyHeader {
    PlyEncoding encoding = PlyEncoding::Ascii;
    std::vector<PlyElement> elements;

    // nullptr if there is no element of that name.
    [[nodiscard]] const PlyElement* find(std::string_view name) const noexcept;
};

// Bounds on what a header may declare; real ones have a handful.
inline constexpr std::size_t kMaxPlyElements = 64;
inline constexpr std::size_t kMaxPlyProperties = 1024;

// Reads up to and including the line "end_header". Errors name the line, counted from 1.
[[nodiscard]] Expected<PlyHeader> read_ply_header(ByteReader& reader);

}  // namespace graze::io

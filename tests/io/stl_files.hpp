// STL files in memory.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/files.hpp"

namespace graze::io::test {

inline void put_bits(Bytes& bytes, std::uint32_t bits) {
    for (int i = 0; i < 4; ++i)
        bytes.push_back(static_cast<unsigned char>(bits >> 8 * i));
}

// Binary STL of loose corners, three a triangle.
inline Bytes binary_stl(const std::vector<std::array<float, 3>>& corners,
                        std::string_view header = "binary") {
    Bytes bytes(80, ' ');
    std::copy(header.begin(), header.end(), bytes.begin());
    put_bits(bytes, static_cast<std::uint32_t>(corners.size() / 3));
    for (std::size_t i = 0; i < corners.size(); ++i) {
        if (i % 3 == 0) bytes.insert(bytes.end(), 12, 0xFF);  // a normal that is NaN
        for (const float x : corners[i])
            put_bits(bytes, std::bit_cast<std::uint32_t>(x));
        if (i % 3 == 2) bytes.insert(bytes.end(), 2, 0);
    }
    return bytes;
}

inline std::string ascii_stl(const std::vector<std::string>& corners) {
    std::string text = "solid a name of facet\n";
    for (std::size_t i = 0; i < corners.size(); ++i) {
        if (i % 3 == 0) text += "  facet normal 0 0 nan\n    outer loop\n";
        text += "      vertex " + corners[i] + "\n";
        if (i % 3 == 2) text += "    endloop\n  endfacet\n";
    }
    return text + "endsolid a name\n";
}

inline const std::vector<std::array<float, 3>> kTwoTriangles = {
    {0.0F, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F}, {0.1F, 1.0F, 0.0F},
    {0.1F, 1.0F, 0.0F}, {1.0F, 0.0F, 0.0F}, {1.0F, 1.0F, 0.5F}};

}  // namespace graze::io::test

// XML as tinyxml reads it, behind checks of what tinyxml and urdfdom would not survive.
#pragma once

#include <tinyxml.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "graze/core/expected.hpp"

namespace graze::urdf {

// tinyxml descends by recursion, and compares each attribute of an element with all before it.
inline constexpr std::size_t kMaxDepth = 64;
inline constexpr std::size_t kMaxAttributes = 256;

// One line of printable characters, cut to a length that people read.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t longest = 120);

// The unpacked bytes of a regular file. Errors name it.
[[nodiscard]] Expected<std::string> read_text(const std::filesystem::path& path);

// Errors have no name of a file: a byte 0, no UTF-8, too large, too deep, too many attributes, what tinyxml
// would take to end elsewhere than XML does, and those of tinyxml with their line.
[[nodiscard]] Expected<std::unique_ptr<TiXmlDocument>> parse_xml(std::string_view text);

// The value of an attribute, or nothing.
[[nodiscard]] std::string attribute_of(const TiXmlElement& element, const char* attribute);

}  // namespace graze::urdf

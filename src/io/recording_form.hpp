// The bytes of recordings (docs/FORMATS.md), shared by their writer and their reader.
//
//   file     magic[8]  version u32  zero u32  block...
//   block    tag u8  zero[7]  packed u64  unpacked u64  CRC  packed bytes (zlib)  CRC
// A CRC is that of every byte of the file before it but other CRCs: whatever is changed, moved or
// missing fails the next one.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "graze/io/binary_form.hpp"
#include "graze/io/recording.hpp"

namespace graze::io::recording_form {

using binary_form::append;
using binary_form::take;

using Content = std::vector<unsigned char>;

inline constexpr std::array<unsigned char, 8> kMagic = {0x89, 'G',  'Z',  'R',
                                                        '\r', '\n', 0x1a, '\n'};
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::size_t kFileHeadSize = kMagic.size() + 4 + 4;
inline constexpr std::size_t kBlockHeadSize = 8 + 8 + 8;

inline constexpr unsigned char kMeshTag = 1;
inline constexpr unsigned char kStepTag = 2;
inline constexpr unsigned char kMarkTag = 3;
inline constexpr unsigned char kEndTag = 4;

// Flags of a step.
inline constexpr unsigned char kHasStart = 1;
inline constexpr unsigned char kHasSettings = 2;
inline constexpr unsigned char kIsAllImpacts = 4;

inline constexpr std::uint64_t kNone = ~std::uint64_t{0};

// Values of 4 or 8 bytes, as planes: all lowest bytes, then all second ones, and so on. Bytes that
// change little come together, which is what deflate packs.
template <class Unsigned>
void append_planes(Content& bytes, std::span<const Unsigned> values) {
    const std::size_t first = bytes.size();
    const std::size_t count = values.size();
    bytes.resize(first + sizeof(Unsigned) * count);
    for (std::size_t plane = 0; plane < sizeof(Unsigned); ++plane) {
        unsigned char* to = bytes.data() + first + plane * count;
        for (std::size_t i = 0; i < count; ++i)
            to[i] = static_cast<unsigned char>(values[i] >> (8 * plane));
    }
}

// Takes values off the front of a content. After the first that is not there all are zero and
// is_whole() is false: who reads tests that once, at the end.
class ContentReader {
public:
    explicit ContentReader(std::span<const unsigned char> bytes) : rest_(bytes) {}

    template <class Unsigned>
    [[nodiscard]] Unsigned number() {
        const auto bytes = block(sizeof(Unsigned));
        return bytes.empty() ? Unsigned{0} : take<Unsigned>(bytes);
    }
    [[nodiscard]] double real() { return std::bit_cast<double>(number<std::uint64_t>()); }
    // A count of elements of at least so many bytes each: never more than there are bytes for.
    [[nodiscard]] std::size_t count(std::size_t element_size) {
        const auto stated = number<std::uint64_t>();
        if (stated > rest_.size() / element_size) fail();
        return is_whole_ ? static_cast<std::size_t>(stated) : 0;
    }
    [[nodiscard]] std::string text() {
        const auto bytes = block(count(1));
        return {bytes.begin(), bytes.end()};
    }
    template <class Unsigned>
    [[nodiscard]] std::vector<Unsigned> planes(std::size_t size) {
        if (size > rest_.size() / sizeof(Unsigned)) fail();
        if (!is_whole_) return {};
        const auto bytes = block(sizeof(Unsigned) * size);
        std::vector<Unsigned> values(size, 0);
        for (std::size_t plane = 0; plane < sizeof(Unsigned); ++plane) {
            for (std::size_t i = 0; i < size; ++i) {
                values[i] = static_cast<Unsigned>(
                    values[i] | (static_cast<Unsigned>(bytes[plane * size + i]) << (8 * plane)));
            }
        }
        return values;
    }
    void fail() noexcept { is_whole_ = false; }
    // Everything was there, and nothing is left.
    [[nodiscard]] bool is_whole() const noexcept { return is_whole_; }
    [[nodiscard]] bool is_used_up() const noexcept { return is_whole_ && rest_.empty(); }

private:
    std::span<const unsigned char> block(std::size_t size) {
        if (size > rest_.size()) fail();
        if (!is_whole_) return {};
        const auto bytes = rest_.first(size);
        rest_ = rest_.subspan(size);
        return bytes;
    }

    std::span<const unsigned char> rest_;
    bool is_whole_ = true;
};

// --- Lists ---------------------------------------------------------------------------------------

inline void append_text(Content& bytes, std::string_view text) {
    append(bytes, std::uint64_t{text.size()});
    bytes.insert(bytes.end(), text.begin(), text.end());
}

// Indices as differences to those before: neighbours in a mesh have near numbers.
inline void append_indices(Content& bytes, std::span<const std::uint32_t> indices) {
    std::vector<std::uint32_t> steps(indices.begin(), indices.end());
    for (std::size_t i = steps.size(); i-- > 1;)
        steps[i] -= steps[i - 1];
    append_planes<std::uint32_t>(bytes, steps);
}
[[nodiscard]] inline std::vector<std::uint32_t> take_indices(ContentReader& from,
                                                             std::size_t count) {
    std::vector<std::uint32_t> indices = from.planes<std::uint32_t>(count);
    for (std::size_t i = 1; i < indices.size(); ++i)
        indices[i] += indices[i - 1];
    return indices;
}

[[nodiscard]] inline std::vector<std::uint64_t> bits_of(std::span<const double> values) {
    std::vector<std::uint64_t> bits(values.size());
    std::transform(values.begin(), values.end(), bits.begin(),
                   [](double value) { return std::bit_cast<std::uint64_t>(value); });
    return bits;
}
[[nodiscard]] inline std::vector<double> doubles_of(std::span<const std::uint64_t> bits) {
    std::vector<double> values(bits.size());
    std::transform(bits.begin(), bits.end(), values.begin(),
                   [](std::uint64_t value) { return std::bit_cast<double>(value); });
    return values;
}

// Positions as the exclusive or of their bits with those of others, or with zeros: signs, exponents
// and leading digits that stay become zero bytes.
inline void append_positions(Content& bytes, std::span<const Vec3> positions,
                             std::span<const Vec3> others) {
    std::vector<std::uint64_t> bits(3 * positions.size());
    for (std::size_t i = 0; i < bits.size(); ++i) {
        bits[i] = std::bit_cast<std::uint64_t>(positions[i / 3][i % 3]);
        if (!others.empty()) bits[i] ^= std::bit_cast<std::uint64_t>(others[i / 3][i % 3]);
    }
    append_planes<std::uint64_t>(bytes, bits);
}
[[nodiscard]] inline std::vector<Vec3> take_positions(ContentReader& from, std::size_t count,
                                                      std::span<const Vec3> others) {
    std::vector<std::uint64_t> bits = count > kNone / 3
                                          ? (from.fail(), std::vector<std::uint64_t>())
                                          : from.planes<std::uint64_t>(3 * count);
    if (!from.is_whole()) return {};
    for (std::size_t i = 0; i < bits.size() && !others.empty(); ++i)
        bits[i] ^= std::bit_cast<std::uint64_t>(others[i / 3][i % 3]);
    std::vector<Vec3> positions(count);
    for (std::size_t i = 0; i < count; ++i) {
        positions[i] = {std::bit_cast<double>(bits[3 * i]), std::bit_cast<double>(bits[3 * i + 1]),
                        std::bit_cast<double>(bits[3 * i + 2])};
    }
    return positions;
}

// By bits: 0 is not -0, and a NaN is itself.
[[nodiscard]] inline bool same_bits(std::span<const Vec3> a, std::span<const Vec3> b) noexcept {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

// --- Parts of blocks -----------------------------------------------------------------------------

[[nodiscard]] Content bytes_of(const RecordedMesh& mesh);
[[nodiscard]] std::optional<RecordedMesh> take_mesh(ContentReader& from);

[[nodiscard]] Content bytes_of(const RecordedSettings& settings);
[[nodiscard]] std::optional<RecordedSettings> take_settings(ContentReader& from,
                                                            std::size_t vertex_count);

void append_impacts(Content& bytes, std::span<const RecordedImpact> impacts);
void append_answer(Content& bytes, const RecordedAnswer& answer);
[[nodiscard]] std::optional<RecordedAnswer> take_answer(ContentReader& from);

// A list by vertex that has neither no value nor one for each, if there is one: its name.
[[nodiscard]] const char* list_of_wrong_size(const RecordedSettings& settings,
                                             std::size_t vertex_count) noexcept;

}  // namespace graze::io::recording_form

// What the tests of the readers share: a folder of their own, bytes, packed bytes, random records.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graze/io/byte_reader.hpp"
#include "graze/io/query_file.hpp"

namespace graze::io::test {

// Removed with all it holds.
class TempFolder {
public:
    TempFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "graze-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) std::abort();
        path_ = name;
    }
    ~TempFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    [[nodiscard]] std::filesystem::path operator/(std::string_view name) const {
        return path_ / name;
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::size_t entries() const {
        using Walk = std::filesystem::directory_iterator;
        return static_cast<std::size_t>(std::distance(Walk(path_), Walk()));
    }

private:
    std::filesystem::path path_;
};

using Bytes = std::vector<unsigned char>;

inline Bytes bytes_of(std::string_view text) {
    return {text.begin(), text.end()};
}

inline std::filesystem::path write_file(const std::filesystem::path& path, const Bytes& bytes) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return path;
}
inline std::filesystem::path write_file(const std::filesystem::path& path, std::string_view text) {
    return write_file(path, bytes_of(text));
}

inline Bytes read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(file), {});
}

inline Bytes first_bytes(const Bytes& bytes, std::size_t count) {
    const auto first = std::span(bytes).first(count);
    return {first.begin(), first.end()};
}

// One gzip member, packed by zlib's one-shot interface.
inline Bytes gzip(const Bytes& bytes) {
    z_stream state{};
    deflateInit2(&state, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    Bytes packed(deflateBound(&state, bytes.size()) + 64);
    state.next_in = const_cast<unsigned char*>(bytes.data());
    state.avail_in = static_cast<uInt>(bytes.size());
    state.next_out = packed.data();
    state.avail_out = static_cast<uInt>(packed.size());
    deflate(&state, Z_FINISH);
    const std::size_t size = packed.size() - state.avail_out;
    deflateEnd(&state);
    return first_bytes(packed, size);
}

// Gives the bytes in small pieces, to move every boundary of the readers over every byte.
class Trickle final : public ByteStream {
public:
    Trickle(Bytes bytes, std::size_t piece) : bytes_(std::move(bytes)), piece_(piece) {}
    Expected<std::size_t> read(std::span<unsigned char> room) override {
        const std::size_t count = std::min({room.size(), piece_, bytes_.size() - used_});
        std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(used_), count, room.begin());
        used_ += count;
        return count;
    }

private:
    Bytes bytes_;
    std::size_t piece_;
    std::size_t used_ = 0;
};

// A reader over text or bytes, called "in".
inline ByteReader reader_of(Bytes bytes, std::size_t piece = 1u << 20) {
    return {unpack_gzip(std::make_unique<Trickle>(std::move(bytes), piece)), "in"};
}
inline ByteReader reader_of(std::string_view text) {
    return reader_of(bytes_of(text));
}

// All finite doubles are equally likely by their bits: log-uniform, with subnormals; now and then a
// zero, a power of two, or an end of the range.
inline double any_finite(std::mt19937_64& rng) {
    constexpr std::array<double, 9> kSpecial = {0.0,
                                                1.0,
                                                -1.0,
                                                std::numeric_limits<double>::max(),
                                                std::numeric_limits<double>::lowest(),
                                                std::numeric_limits<double>::min(),
                                                std::numeric_limits<double>::denorm_min(),
                                                -std::numeric_limits<double>::denorm_min(),
                                                0x1p+63};
    if (rng() % 8 == 0) return kSpecial[rng() % kSpecial.size()];
    while (true) {
        const double value = std::bit_cast<double>(rng());
        if (std::isfinite(value)) return value;
    }
}

inline Vec3 any_point(std::mt19937_64& rng) {
    const double x = any_finite(rng);
    const double y = any_finite(rng);
    return {x, y, any_finite(rng)};
}

inline QueryRecord any_corners(QueryKind kind, std::mt19937_64& rng) {
    QueryRecord record;
    for (std::size_t i = 0; i < vertex_count(kind); ++i) {
        record.corners[i].start = any_point(rng);
        record.corners[i].end = any_point(rng);
    }
    return record;
}

// Everything a stream gives, or its error.
inline Expected<std::vector<QueryRecord>> drain(QueryStream& stream) {
    std::vector<QueryRecord> records;
    while (true) {
        const auto record = stream.next();
        if (!record) return record.error();
        if (!*record) return records;
        records.push_back(**record);
    }
}

}  // namespace graze::io::test

#include "graze/io/manifest.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace graze::io {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

std::uint32_t big_endian(const unsigned char* p) noexcept {
    return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 |
           std::uint32_t{p[3]};
}

// Words 16 to 63 of the message schedule, from the 16 of a block.
std::array<std::uint32_t, 64> schedule(const unsigned char* bytes) noexcept {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 16; ++i)
        w[i] = big_endian(bytes + 4 * i);
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t a = w[i - 15];
        const std::uint32_t b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
    }
    return w;
}

}  // namespace

void Sha256::block(const unsigned char* bytes) noexcept {
    const std::array<std::uint32_t, 64> w = schedule(bytes);
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
        const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    const std::array<std::uint32_t, 8> added = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i)
        state_[i] += added[i];
}

void Sha256::add(const unsigned char* bytes, std::size_t count) noexcept {
    std::size_t filled = length_ % rest_.size();
    length_ += count;
    while (count > 0) {
        const std::size_t part = std::min(count, rest_.size() - filled);
        std::memcpy(rest_.data() + filled, bytes, part);
        bytes += part;
        count -= part;
        filled += part;
        if (filled < rest_.size()) break;
        block(rest_.data());
        filled = 0;
    }
}

std::string Sha256::finish() noexcept {
    const std::uint64_t bits = length_ * 8;
    constexpr std::array<unsigned char, 64> kPadding = {0x80};
    const std::size_t filled = length_ % 64;
    add(kPadding.data(), filled < 56 ? 56 - filled : 120 - filled);
    std::array<unsigned char, 8> length{};
    for (std::size_t i = 0; i < 8; ++i)
        length[i] = static_cast<unsigned char>(bits >> (56 - 8 * i));
    add(length.data(), length.size());
    std::string hex;
    for (const std::uint32_t word : state_) {
        for (int shift = 28; shift >= 0; shift -= 4)
            hex += "0123456789abcdef"[word >> shift & 0xf];
    }
    return hex;
}

Expected<FileStamp> stamp_of_file(const std::filesystem::path& path) {
    const auto failed = [&path] {
        return Error{path.string() + ": cannot be read: " + std::strerror(errno),
                     ErrorCode::CannotRead};
    };
    const auto close = [](std::FILE* file) { std::fclose(file); };
    const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
    if (!file) return failed();
    Sha256 sha;
    FileStamp stamp;
    std::vector<unsigned char> buffer(std::size_t{1} << 16);
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
        sha.add(buffer.data(), count);
        stamp.bytes += count;
    }
    if (std::ferror(file.get()) != 0) return failed();
    stamp.sha256 = sha.finish();
    return stamp;
}

}  // namespace graze::io

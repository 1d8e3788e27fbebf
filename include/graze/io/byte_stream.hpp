// Where bytes come from: a file or memory, plain or gzip, detected by the first two bytes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "graze/core/expected.hpp"

namespace graze::io {

// A pull source of bytes. Messages of its errors do not name the file: ByteReader adds the name.
class ByteStream {
public:
    virtual ~ByteStream() = default;
    // Fills the first bytes of `buffer` and returns how many; 0 is the end, and only the end.
    // Requires: the buffer is not empty.
    [[nodiscard]] virtual Expected<std::size_t> read(std::span<unsigned char> buffer) = 0;
};

// Opens a file. gzip files of one or more members are unpacked; one that is cut short,
// fails its checksum, or is followed by anything but another member is an error at that byte.
// (zlib's own gzread() takes what follows a member for padding when it is not a member itself, and
// so ends early in silence on a file whose second member is damaged; hence inflate() directly.)
[[nodiscard]] Expected<std::unique_ptr<ByteStream>> open_bytes(const std::filesystem::path& path);

// The same over memory that outlives the stream.
[[nodiscard]] std::unique_ptr<ByteStream> bytes_in_memory(std::span<const unsigned char> bytes);

// Unpacks `raw` if it is gzip, passes it on if not.
[[nodiscard]] std::unique_ptr<ByteStream> unpack_gzip(std::unique_ptr<ByteStream> raw);

}  // namespace graze::io

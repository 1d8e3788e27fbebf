// The input is a file, gzip or not; the first byte chooses the sizes in which it is read and whether the rest is packed
// first. Whether it can be read, and what is read, does not depend on these sizes, and what is packed reads back as it was.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz_input.hpp"
#include "graze/io/byte_stream.hpp"

namespace {

using Bytes = std::vector<unsigned char>;
using graze::io::fuzz::Input;
using graze::io::fuzz::require;

// As much as is compared: a thousandfold expansion is what gzip does.
constexpr std::size_t kMost = std::size_t{1} << 20;

struct Content {
    Bytes bytes;
    std::string error;  // or none
};

Content content_of(Input input, std::size_t block_size) {
    const auto stream = graze::io::bytes_in_memory(input);
    Content content;
    Bytes block(block_size);
    while (content.bytes.size() < kMost) {
        const auto count = stream->read(block);
        if (!count) {
            content.error = count.error().message;
            require(!content.error.empty() && content.error.find('\n') == std::string::npos,
                    "an error is one line");
            break;
        }
        require(*count <= block.size(), "a block is not overrun");
        if (*count == 0) {
            require(*stream->read(block) == 0, "ends are final");
            break;
        }
        content.bytes.insert(content.bytes.end(), block.begin(),
                             block.begin() + static_cast<std::ptrdiff_t>(*count));
    }
    content.bytes.resize(std::min(content.bytes.size(), kMost));
    return content;
}

Bytes packed(Input input) {
    z_stream stream{};
    require(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK,
            "zlib begins");
    Bytes bytes(deflateBound(&stream, input.size()));
    stream.next_in = const_cast<unsigned char*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = bytes.data();
    stream.avail_out = static_cast<uInt>(bytes.size());
    require(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib packs");
    bytes.resize(stream.total_out);
    deflateEnd(&stream);
    return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const Input rest(data + 1, size - 1);
    constexpr std::array<std::size_t, 4> kSizes = {1, 7, 1000, 1 << 16};
    const std::size_t block_size = kSizes[data[0] % kSizes.size()];
    const Content whole = content_of(rest, kMost);
    const Content pieces = content_of(rest, block_size);
    // What comes before an error is not promised; behind kMost nothing was looked at.
    const bool is_all = std::max(whole.bytes.size(), pieces.bytes.size()) < kMost;
    require(!is_all || whole.error.empty() == pieces.error.empty(),
            "the size of blocks does not decide");
    require(!is_all || !whole.error.empty() || whole.bytes == pieces.bytes,
            "the size of blocks does not change what is read");
    if (data[0] < 128) return 0;
    const Content again = content_of(packed(rest), block_size);
    require(again.error.empty() &&
                std::equal(again.bytes.begin(), again.bytes.end(), rest.begin(), rest.end()),
            "what is packed reads back the same");
    return 0;
}

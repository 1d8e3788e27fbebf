// The input is what follows the head of a state of `graze sim`, for a scene of two vertices, and gets the head and the
// checksum that fit: so the fuzzer gets past both. The first byte may leave out either.
#include "fuzz_input.hpp"
#include "graze/io/binary_form.hpp"
#include "graze/io/crc64.hpp"
#include "graze/sim/response.hpp"
#include "graze/sim/runner.hpp"

namespace {

using Bytes = std::vector<unsigned char>;
constexpr std::uint64_t kModel = 42;
constexpr std::size_t kVertices = 2;
constexpr std::size_t kHeadSize = 8 + 4 + 3 * 8;  // magic, version, frame, model, vertices

Bytes with_head(graze::io::fuzz::Input input) {
    graze::sim::StoredState any;
    any.state.x.resize(kVertices);
    any.state.v.resize(kVertices);
    Bytes bytes = to_bytes(any, kModel);
    bytes.resize(kHeadSize);
    bytes.insert(bytes.end(), input.begin(), input.end());
    return bytes;
}

void append_checksum(Bytes& bytes) {
    graze::io::Crc64 crc;
    crc.add(bytes);
    graze::io::binary_form::append(bytes, crc.value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using graze::io::fuzz::require;
    if (size == 0) return 0;
    const graze::io::fuzz::Input input(data + 1, size - 1);
    Bytes bytes = (data[0] & 1) != 0 ? with_head(input) : Bytes(input.begin(), input.end());
    if ((data[0] & 2) != 0) append_checksum(bytes);
    const auto stored = graze::sim::state_from_bytes(bytes, kModel, kVertices);
    if (!stored) {
        require(stored.error().message.find('\n') == std::string::npos, "an error is one line");
        return 0;
    }
    require(stored->state.x.size() == kVertices && stored->state.v.size() == kVertices,
            "every vertex has a position and a velocity");
    for (std::size_t i = 0; i < kVertices; ++i)
        require(is_finite(stored->state.x[i]) && is_finite(stored->state.v[i]), "all are finite");
    require(to_bytes(*stored, kModel) == bytes, "a state is written as it was read");
    return 0;
}

// The first byte chooses whether the input is a recording, or the contents of one (cut into blocks by
// its own first bytes) that get the sizes and checksums that fit: so the fuzzer gets past both.
#include <zlib.h>

#include "fuzz_input.hpp"
#include "graze/io/recording.hpp"
#include "io/recording_form.hpp"

namespace graze::io::fuzz {
namespace {

using namespace recording_form;

void append_block(Content& file, Crc64& crc, unsigned char tag, Input content) {
    Content packed(compressBound(content.size()));
    uLong size = packed.size();
    require(compress2(packed.data(), &size, content.data(), content.size(), 1) == Z_OK, "packs");
    packed.resize(size);
    Content head;
    append(head, tag);
    head.resize(8, 0);
    append(head, std::uint64_t{size});
    append(head, std::uint64_t{content.size()});
    crc.add(head);
    append(head, crc.value());
    file.insert(file.end(), head.begin(), head.end());
    crc.add(packed);
    file.insert(file.end(), packed.begin(), packed.end());
    append(file, crc.value());
}

Content recording_around(Input input) {
    Content file(kMagic.begin(), kMagic.end());
    append(file, kVersion);
    append(file, std::uint32_t{0});
    Crc64 crc;
    crc.add(file);
    const RecordedMesh mesh{4, {{0, 1, 2}}, {{2, 3}}};
    Content content;
    append_text(content, "1");
    append(content, hash_of(mesh));
    const Content connectivity = bytes_of(mesh);
    content.insert(content.end(), connectivity.begin(), connectivity.end());
    append_block(file, crc, kMeshTag, content);
    // A tag and a length before each content.
    while (input.size() >= 3) {
        const std::size_t length = std::min<std::size_t>(
            input.size() - 3, static_cast<std::size_t>(input[1] + 256 * input[2]));
        append_block(file, crc, input[0], input.subspan(3, length));
        input = input.subspan(3 + length);
    }
    return file;
}

class PlainInput final : public ByteStream {
public:
    explicit PlainInput(Input bytes) : rest_(bytes) {}
    Expected<std::size_t> read(std::span<unsigned char> buffer) override {
        const std::size_t count = std::min(buffer.size(), rest_.size());
        std::copy_n(rest_.begin(), count, buffer.begin());
        rest_ = rest_.subspan(count);
        return count;
    }

private:
    Input rest_;
};

void read_all_of(const Content& file) {
    auto recording =
        Recording::read(std::make_unique<PlainInput>(std::span<const unsigned char>(file)), "in");
    if (!recording) return require_clear(recording.error());
    std::uint64_t steps = 0;
    while (true) {
        const auto event = recording->next();
        if (!event) return require_clear(event.error());
        if (!*event) return;
        const auto* step = std::get_if<RecordedStep>(&**event);
        if (step == nullptr) continue;
        require(step->index == steps++, "steps are in order");
        require(step->settings != nullptr, "a step has settings");
        require(step->start.size() == recording->mesh().vertex_count &&
                    step->end.size() == step->start.size(),
                "a step has a position for each vertex");
        require(!step->answer.first || *step->answer.first < step->answer.impacts.size(),
                "the first impact is there");
    }
}

}  // namespace
}  // namespace graze::io::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace graze::io;
    if (size == 0) return 0;
    const fuzz::Input rest(data + 1, size - 1);
    fuzz::read_all_of((data[0] & 1) != 0 ? fuzz::recording_around(rest)
                                         : recording_form::Content(rest.begin(), rest.end()));
    return 0;
}

#include "graze/io/recording.hpp"

#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "io/recording_form.hpp"

namespace graze::io {
namespace {

using namespace recording_form;

// Of what a block states to hold, so much at a time is believed before it is there.
constexpr std::size_t kPiece = std::size_t{1} << 18;

struct BlockHead {
    unsigned char tag = 0;
    bool is_padded_with_zeros = false;
    std::uint64_t packed = 0;
    std::uint64_t unpacked = 0;
};

BlockHead head_of(std::span<const unsigned char> bytes) {
    return {bytes[0],
            std::all_of(bytes.begin() + 1, bytes.begin() + 8,
                        [](unsigned char byte) { return byte == 0; }),
            take<std::uint64_t>(bytes.subspan(8)), take<std::uint64_t>(bytes.subspan(16))};
}

// So many bytes, or as many as there are.
Content bytes_from(ByteReader& reader, std::uint64_t count) {
    Content bytes;
    while (bytes.size() < count) {
        const std::size_t had = bytes.size();
        const auto more = static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, count - had));
        bytes.resize(had + more);
        const std::size_t got = reader.read(std::span(bytes).subspan(had));
        bytes.resize(had + got);
        if (got < more) break;
    }
    return bytes;
}

// As many as the magic has; none of what is no regular file, which could be read once only.
Content first_bytes_of(const std::filesystem::path& path) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed)) return {};
    std::ifstream file(path, std::ios::binary);
    Content bytes(kMagic.size());
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

// Exactly `size` bytes out of exactly these.
std::optional<Content> unpacked(std::span<const unsigned char> packed, std::uint64_t size) {
    if (size > std::numeric_limits<uLong>::max() / 2) return std::nullopt;
    // One byte more: an empty content has an address, and one that is too long shows.
    Content content(static_cast<std::size_t>(size) + 1);
    auto got = static_cast<uLong>(content.size());
    auto used = static_cast<uLong>(packed.size());
    if (::uncompress2(content.data(), &got, packed.data(), &used) != Z_OK || got != size ||
        used != packed.size()) {
        return std::nullopt;
    }
    content.resize(static_cast<std::size_t>(size));
    return content;
}

}  // namespace

Error Recording::damage(std::string_view what) const {
    return reader_.error(std::string(what) + "; " + std::to_string(steps_) +
                         (steps_ == 1 ? " step before it is whole" : " steps before it are whole"));
}

Expected<Recording> Recording::open(const std::filesystem::path& path) {
    const Content first = first_bytes_of(path);
    if (first.size() >= 2 && first[0] == 0x1f && first[1] == 0x8b)
        return Error{path.string() + ": is gzip: unpack it first", ErrorCode::Unsupported};
    auto stream = open_bytes(path);
    if (!stream) return located(path.string(), stream.error());
    return read(*std::move(stream), path.string());
}

Expected<Recording> Recording::read(std::unique_ptr<ByteStream> stream, std::string name) {
    Recording recording(std::move(stream), std::move(name));
    if (auto good = recording.read_head(); !good) return good.error();
    return recording;
}

Expected<void> Recording::read_head() {
    const Content head = bytes_from(reader_, kFileHeadSize);
    const bool is_recording =
        head.size() >= kMagic.size() && std::equal(kMagic.begin(), kMagic.end(), head.begin());
    if (!is_recording) return reader_.error("is not a recording");
    if (head.size() < kFileHeadSize) return reader_.error("is cut within its head");
    const auto version = take<std::uint32_t>(std::span(head).subspan(kMagic.size()));
    if (version != kVersion) {
        return reader_.error("is a recording of version " + std::to_string(version) +
                                 "; this program reads version " + std::to_string(kVersion),
                             ErrorCode::Unsupported);
    }
    crc_.add(head);
    bytes_ = head.size();
    const auto block = next_block();
    if (!block) return block.error();
    if (!*block) return reader_.error("is cut within its mesh");
    ContentReader content((*block)->content);
    version_ = content.text();
    const auto hash = content.number<std::uint64_t>();
    auto mesh = take_mesh(content);
    if ((*block)->tag != kMeshTag || !mesh || !content.is_used_up() || hash_of(*mesh) != hash)
        return reader_.error("the mesh is damaged");
    mesh_ = *std::move(mesh);
    return {};
}

// Nothing where the file ends within the block or before it.
Expected<std::optional<Recording::Block>> Recording::next_block() {
    const auto ended = [&]() -> Expected<std::optional<Block>> {
        if (reader_.failure()) return *reader_.failure();
        is_cut_ = true;
        return std::optional<Block>();
    };
    const Content head_bytes = bytes_from(reader_, kBlockHeadSize + sizeof(std::uint64_t));
    if (head_bytes.size() < kBlockHeadSize + sizeof(std::uint64_t)) return ended();
    crc_.add(std::span(head_bytes).first(kBlockHeadSize));
    if (take<std::uint64_t>(std::span(head_bytes).subspan(kBlockHeadSize)) != crc_.value())
        return damage("the head of a block fails its checksum");
    const BlockHead head = head_of(head_bytes);
    if (!head.is_padded_with_zeros || head.unpacked / kMostUnpacked > head.packed)
        return damage("a block states impossible sizes");
    const Content packed = bytes_from(reader_, head.packed);
    const Content checksum =
        packed.size() < head.packed ? Content() : bytes_from(reader_, sizeof(std::uint64_t));
    if (checksum.size() < sizeof(std::uint64_t)) return ended();
    crc_.add(packed);
    if (take<std::uint64_t>(checksum) != crc_.value()) return damage("a block fails its checksum");
    auto content = unpacked(packed, head.unpacked);
    if (!content) return damage("a block cannot be unpacked");
    bytes_ += head_bytes.size() + packed.size() + checksum.size();
    return std::optional(Block{head.tag, *std::move(content)});
}

Expected<std::optional<RecordedEvent>> Recording::next() {
    if (failure_) return *failure_;
    if (is_at_end_) return std::optional<RecordedEvent>();
    auto event = next_event();
    if (!event)
        failure_ = event.error();
    else if (!*event)
        is_at_end_ = true;
    return event;
}

Expected<std::optional<RecordedEvent>> Recording::next_event() {
    auto block = next_block();
    if (!block) return block.error();
    if (!*block) return std::optional<RecordedEvent>();
    const Content& content = (*block)->content;
    if ((*block)->tag == kStepTag) {
        auto step = step_of(content);
        if (!step) return step.error();
        return std::optional<RecordedEvent>(*std::move(step));
    }
    if ((*block)->tag == kMarkTag) {
        auto mark = mark_of(content);
        if (!mark) return mark.error();
        return std::optional<RecordedEvent>(*std::move(mark));
    }
    ContentReader from(content);
    const auto stated = from.number<std::uint64_t>();
    if ((*block)->tag != kEndTag || !from.is_used_up() || stated != steps_)
        return damage("a block is not of this format");
    if (reader_.peek() != ByteReader::kEnd) return damage("bytes follow the end");
    if (reader_.failure()) return *reader_.failure();
    return std::optional<RecordedEvent>();
}

Expected<RecordedStep> Recording::step_of(std::span<const unsigned char> content) {
    constexpr unsigned char kKnownFlags = kHasStart | kHasSettings | kIsAllImpacts;
    ContentReader from(content);
    RecordedStep step;
    step.index = from.number<std::uint64_t>();
    const auto flags = from.number<unsigned char>();
    const bool has_start = (flags & kHasStart) != 0;
    const bool has_settings = (flags & kHasSettings) != 0;
    const bool lacks_past = (!has_start && last_end_.size() != mesh_.vertex_count) ||
                            (!has_settings && settings_ == nullptr);
    if (step.index != steps_ || (flags & ~kKnownFlags) != 0 || lacks_past)
        return damage("a step is not of this format");
    step.search =
        (flags & kIsAllImpacts) != 0 ? RecordedSearch::AllImpacts : RecordedSearch::FirstImpact;
    if (has_settings) {
        auto settings = take_settings(from, mesh_.vertex_count);
        if (!settings) return damage("the settings of a step are not of this format");
        settings_ = std::make_shared<const RecordedSettings>(*std::move(settings));
    }
    step.settings = settings_;
    step.start = has_start ? take_positions(from, mesh_.vertex_count, last_end_) : last_end_;
    if (from.is_whole()) step.end = take_positions(from, mesh_.vertex_count, step.start);
    auto answer = take_answer(from);
    if (!answer || !from.is_used_up()) return damage("a step is not of this format");
    step.answer = *std::move(answer);
    last_end_ = step.end;
    ++steps_;
    return step;
}

Expected<RecordedMark> Recording::mark_of(std::span<const unsigned char> content) {
    constexpr std::size_t kLeastNumber = 8 + 8;  // an empty name, and the number
    ContentReader from(content);
    RecordedMark mark;
    mark.steps_before = from.number<std::uint64_t>();
    mark.name = from.text();
    const std::size_t count = from.count(kLeastNumber);
    for (std::size_t i = 0; i < count && from.is_whole(); ++i) {
        std::string name = from.text();
        mark.numbers.emplace_back(std::move(name), from.real());
    }
    if (!from.is_used_up() || mark.steps_before != steps_)
        return damage("a mark is not of this format");
    return mark;
}

bool is_recording(const std::filesystem::path& path) {
    const Content first = first_bytes_of(path);
    return std::equal(first.begin(), first.end(), kMagic.begin(), kMagic.end());
}

}  // namespace graze::io

// The readers' promise that memory does not grow with the file, checked by counting allocations:
// its own program, because it replaces operator new.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include "graze/io/recording.hpp"
#include "io/query_streams.hpp"
#include "io/recording_form.hpp"

namespace {

std::atomic<std::size_t> live_bytes = 0;
std::atomic<std::size_t> peak_bytes = 0;

// Each block is preceded by its size, in a header that keeps the alignment of malloc.
constexpr std::size_t kHeader = alignof(std::max_align_t);

void* counted(std::size_t size) {
    auto* block = static_cast<unsigned char*>(std::malloc(size + kHeader));
    if (block == nullptr) throw std::bad_alloc();
    *reinterpret_cast<std::size_t*>(block) = size;
    const std::size_t live = live_bytes += size;
    if (live > peak_bytes) peak_bytes = live;
    return block + kHeader;
}

void discount(void* pointer) noexcept {
    if (pointer == nullptr) return;
    auto* block = static_cast<unsigned char*>(pointer) - kHeader;
    live_bytes -= *reinterpret_cast<std::size_t*>(block);
    std::free(block);
}

}  // namespace

void* operator new(std::size_t size) {
    return counted(size);
}
void* operator new[](std::size_t size) {
    return counted(size);
}
void operator delete(void* pointer) noexcept {
    discount(pointer);
}
void operator delete[](void* pointer) noexcept {
    discount(pointer);
}
void operator delete(void* pointer, std::size_t) noexcept {
    discount(pointer);
}
void operator delete[](void* pointer, std::size_t) noexcept {
    discount(pointer);
}

namespace graze::io {
namespace {

// The same text over and over between a beginning and an end, made as it is read.
class Repeated final : public ByteStream {
public:
    Repeated(std::string first, std::string text, std::size_t times, std::string last)
        : rest_(std::move(first)), text_(std::move(text)), last_(std::move(last)), times_(times) {}

    Expected<std::size_t> read(std::span<unsigned char> room) override {
        while (used_ == rest_.size() && !is_last_) {
            is_last_ = times_ == 0;
            if (!is_last_) --times_;
            rest_ = is_last_ ? last_ : text_;
            used_ = 0;
        }
        const std::size_t count = std::min(room.size(), rest_.size() - used_);
        std::copy_n(rest_.begin() + static_cast<std::ptrdiff_t>(used_), count, room.begin());
        used_ += count;
        return count;
    }

private:
    std::string rest_;
    std::string text_;
    std::string last_;
    std::size_t times_;
    std::size_t used_ = 0;
    bool is_last_ = false;
};

// The most memory alive at once while `queries` queries and their truths are read.
std::size_t peak_of_reading(std::size_t queries) {
    const std::string row = "4674326482701753,9007199254740992,1,2,-3,4\n";
    const std::size_t before = live_bytes;
    peak_bytes = before;
    const auto stream = join_truth(
        std::move(*query_stream(
            ByteReader(std::make_unique<Repeated>("", row + row + row + row, queries, ""),
                       "queries"),
            QueryKind::VertexVertex)),
        ByteReader(std::make_unique<Repeated>("[true", ",true", queries - 1, "]"), "truth"),
        TruthConflict::IsError);
    std::size_t read = 0;
    while (true) {
        const auto record = stream->next();
        if (!record) ADD_FAILURE() << record.error().message;
        if (!record || !*record) break;
        ++read;
    }
    EXPECT_EQ(read, queries);
    return peak_bytes - before;
}

TEST(Memory, OfAReaderDoesNotGrowWithTheStream) {
    const std::size_t few = peak_of_reading(10);
    const std::size_t many = peak_of_reading(100'000);  // 17 MB of text
    EXPECT_LE(many, few + 1024);
    EXPECT_LE(many, 3 * ByteReader::kBufferSize);
}

// A recording that states whatever it likes, with checksums that fit.
class StatedRecording {
public:
    StatedRecording() : bytes_(recording_form::kMagic.begin(), recording_form::kMagic.end()) {
        recording_form::append(bytes_, recording_form::kVersion);
        recording_form::append(bytes_, std::uint32_t{0});
        crc_.add(bytes_);
    }
    void add_block(unsigned char tag, std::span<const unsigned char> packed, std::uint64_t stated,
                   std::uint64_t unpacked) {
        recording_form::Content head = {tag, 0, 0, 0, 0, 0, 0, 0};
        recording_form::append(head, stated);
        recording_form::append(head, unpacked);
        crc_.add(head);
        recording_form::append(head, crc_.value());
        bytes_.insert(bytes_.end(), head.begin(), head.end());
        crc_.add(packed);
        bytes_.insert(bytes_.end(), packed.begin(), packed.end());
        recording_form::append(bytes_, crc_.value());
    }
    // The memory that reading it to its end takes, as a multiple of its size.
    [[nodiscard]] std::uint64_t memory_of_reading() const {
        const std::size_t before = live_bytes;
        peak_bytes = before;
        const std::string text(bytes_.begin(), bytes_.end());
        auto recording =
            Recording::read(std::make_unique<Repeated>(text, "", std::size_t{0}, ""), "in");
        while (recording) {
            const auto event = recording->next();
            if (!event || !*event) break;
        }
        const std::size_t taken = peak_bytes - before;
        constexpr std::size_t kFixed = std::size_t{1} << 20;
        return taken < kFixed ? 0 : (taken - kFixed) / bytes_.size();
    }

private:
    recording_form::Content bytes_;
    Crc64 crc_;
};

recording_form::Content packed_by_zlib(const recording_form::Content& content) {
    recording_form::Content packed(::compressBound(content.size()));
    auto size = static_cast<uLong>(packed.size());
    EXPECT_EQ(::compress2(packed.data(), &size, content.data(), content.size(), 9), Z_OK);
    packed.resize(size);
    return packed;
}

TEST(Memory, OfARecordingIsBoundedByItsSizeWhateverItStates) {
    StatedRecording endless;
    endless.add_block(recording_form::kMeshTag, {}, std::uint64_t{1} << 62, std::uint64_t{1} << 62);
    EXPECT_EQ(endless.memory_of_reading(), 0u);

    // As much as deflate can hold: a mesh of points alone, then a step in which nothing moves.
    const RecordedMesh points{200'000, {}, {}};
    recording_form::Content mesh;
    recording_form::append_text(mesh, "1");
    recording_form::append(mesh, hash_of(points));
    const auto connectivity = recording_form::bytes_of(points);
    mesh.insert(mesh.end(), connectivity.begin(), connectivity.end());
    recording_form::Content step;
    recording_form::append(step, std::uint64_t{0});
    step.push_back(recording_form::kHasStart | recording_form::kHasSettings);
    const auto settings = recording_form::bytes_of(RecordedSettings{});
    step.insert(step.end(), settings.begin(), settings.end());
    step.resize(step.size() + 2 * 24 * points.vertex_count, 0);
    recording_form::append_answer(step, {});
    StatedRecording dense;
    for (const auto* block : {&mesh, &step}) {
        const auto packed = packed_by_zlib(*block);
        dense.add_block(block == &mesh ? recording_form::kMeshTag : recording_form::kStepTag,
                        packed, packed.size(), block->size());
    }
    const std::uint64_t multiple = dense.memory_of_reading();
    EXPECT_GT(multiple, Recording::kMostUnpacked);  // it was unpacked
    EXPECT_LE(multiple, Recording::kMostMemory);
}

}  // namespace
}  // namespace graze::io

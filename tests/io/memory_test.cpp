// The readers' promise that memory does not grow with the file, checked by counting allocations:
// its own program, because it replaces operator new.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include "io/query_streams.hpp"

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

}  // namespace
}  // namespace graze::io

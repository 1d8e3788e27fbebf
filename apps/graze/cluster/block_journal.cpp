#include "cluster/block_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "graze/core/shown_text.hpp"

namespace graze::app {
namespace {

// Not text, and damaged by transfers that touch line ends.
constexpr std::array<unsigned char, 8> kJournalMagic = {0x89, 'G',  'Z',  'J',
                                                        '\r', '\n', 0x1a, '\n'};
constexpr std::uint32_t kJournalVersion = 1;
constexpr std::size_t kHeadSize = kJournalMagic.size() + 4 + 8;
constexpr std::size_t kRecordHead = 3 * 8;
constexpr std::size_t kChecksumSize = 8;
constexpr std::chrono::seconds kSyncStep{1};

Error block_journal_error(const std::string& path, int number) {
    const ErrorCode code = number == ENOSPC || number == EDQUOT || number == EFBIG
                               ? ErrorCode::DiskFull
                               : ErrorCode::CannotWrite;
    return {fmt::format("{}: {}", path, std::strerror(number)), code};
}

void append_checksum(Payload& bytes) {
    io::Crc64 crc;
    crc.add(bytes);
    io::binary_form::append(bytes, crc.value());
}

// Does the record end in the checksum of what is before it?
bool has_good_checksum(std::span<const unsigned char> bytes) {
    if (bytes.size() < kChecksumSize) return false;
    io::Crc64 crc;
    crc.add(bytes.first(bytes.size() - kChecksumSize));
    return crc.value() == io::binary_form::take<std::uint64_t>(bytes.last(kChecksumSize));
}

// All of the bytes, or false.
bool read_at(int file, std::uint64_t offset, std::span<unsigned char> bytes) {
    while (!bytes.empty()) {
        const ssize_t got = ::pread(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        offset += static_cast<std::uint64_t>(got);
        bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
    return true;
}

std::uint64_t size_of(int file) {
    struct stat status = {};
    return ::fstat(file, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

}  // namespace

BlockJournal::BlockJournal(BlockJournal&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      end_(other.end_),
      kept_(other.kept_),
      entries_(std::move(other.entries_)),
      synced_(other.synced_) {}

BlockJournal::~BlockJournal() {
    if (file_ >= 0) ::close(file_);
}

Expected<void> BlockJournal::open(bool anew) {
    const int flags = O_RDWR | O_CREAT | O_CLOEXEC | (anew ? O_TRUNC : 0);
    file_ = ::open(path_.c_str(), flags, 0666);
    return file_ < 0 ? Expected<void>(block_journal_error(path_, errno)) : Expected<void>();
}

Expected<BlockJournal> BlockJournal::create(const std::string& path, const std::string& settings) {
    BlockJournal journal(path);
    if (auto opened = journal.open(true); !opened) return opened.error();
    if (auto begun = journal.begin(settings); !begun) return begun.error();
    return journal;
}

Expected<BlockJournal> BlockJournal::resume(const std::string& path, const std::string& settings) {
    BlockJournal journal(path);
    if (auto opened = journal.open(false); !opened) return opened.error();
    if (auto scanned = journal.scan(settings); !scanned) return scanned.error();
    return journal;
}

Expected<void> BlockJournal::begin(const std::string& settings) {
    end_ = 0;
    if (::ftruncate(file_, 0) != 0) return block_journal_error(path_, errno);
    Payload head(kJournalMagic.begin(), kJournalMagic.end());
    io::binary_form::append(head, kJournalVersion);
    io::binary_form::append(head, static_cast<std::uint64_t>(settings.size()));
    head.insert(head.end(), settings.begin(), settings.end());
    append_checksum(head);
    return append(head);
}

Expected<void> BlockJournal::scan(const std::string& settings) {
    const std::uint64_t size = size_of(file_);
    Payload head(kHeadSize);
    const bool has_head = read_at(file_, 0, head);
    // A run that was ended while it wrote the head had done nothing yet.
    const std::size_t known = static_cast<std::size_t>(std::min<std::uint64_t>(size, kHeadSize));
    Payload beginning(std::min(known, kJournalMagic.size()));
    if (!read_at(file_, 0, beginning) ||
        !std::equal(beginning.begin(), beginning.end(), kJournalMagic.begin()))
        return Error{path_ + ": is no journal of graze; name another file", ErrorCode::Malformed};
    if (!has_head) return begin(settings);
    const auto length = io::binary_form::take<std::uint64_t>(std::span(head).last(8));
    const bool fits = length < size && size - length >= kHeadSize + kChecksumSize;
    Payload whole(fits ? kHeadSize + static_cast<std::size_t>(length) + kChecksumSize : 0);
    if (!fits || !read_at(file_, 0, whole) || !has_good_checksum(whole)) return begin(settings);
    const std::string found(whole.begin() + kHeadSize, whole.end() - kChecksumSize);
    if (found != settings)
        return Error{
            fmt::format("{}: is the journal of another command: {}", path_, shown_text(found, 120)),
            ErrorCode::InvalidInput};
    end_ = whole.size();
    while (scan_record()) {
    }
    kept_ = entries_.size();
    // What follows is half a record: new ones go in its place.
    if (::ftruncate(file_, static_cast<off_t>(end_)) != 0) return block_journal_error(path_, errno);
    return {};
}

bool BlockJournal::scan_record() {
    const std::uint64_t left = size_of(file_) - end_;
    Payload record(kRecordHead);
    if (left < kRecordHead + kChecksumSize || !read_at(file_, end_, record)) return false;
    PayloadReader head(record);
    const std::uint64_t index = head.natural();
    const std::uint64_t key = head.natural();
    const std::uint64_t length = head.natural();
    if (length > left - kRecordHead - kChecksumSize) return false;
    record.resize(kRecordHead + static_cast<std::size_t>(length) + kChecksumSize);
    if (!read_at(file_, end_, record) || !has_good_checksum(record)) return false;
    entries_[index] = {key, end_ + kRecordHead, length};
    end_ += record.size();
    return true;
}

bool BlockJournal::has(std::uint64_t index, std::uint64_t key) const {
    const auto found = entries_.find(index);
    return found != entries_.end() && found->second.key == key;
}

Expected<Payload> BlockJournal::read(std::uint64_t index) const {
    const Entry& entry = entries_.at(index);
    Payload payload(static_cast<std::size_t>(entry.length));
    if (!read_at(file_, entry.offset, payload))
        return Error{path_ + ": cannot be read", ErrorCode::CannotRead};
    return payload;
}

Expected<void> BlockJournal::add(std::uint64_t index, std::uint64_t key, const Payload& payload) {
    Payload record;
    io::binary_form::append(record, index);
    io::binary_form::append(record, key);
    io::binary_form::append(record, static_cast<std::uint64_t>(payload.size()));
    record.insert(record.end(), payload.begin(), payload.end());
    append_checksum(record);
    const std::uint64_t offset = end_ + kRecordHead;
    if (auto appended = append(record); !appended) return appended;
    entries_[index] = {key, offset, payload.size()};
    return {};
}

Expected<void> BlockJournal::append(const Payload& bytes) {
    std::span<const unsigned char> rest = bytes;
    while (!rest.empty()) {
        const ssize_t written = ::pwrite(file_, rest.data(), rest.size(), static_cast<off_t>(end_));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return block_journal_error(path_, errno);
        end_ += static_cast<std::uint64_t>(written);
        rest = rest.subspan(static_cast<std::size_t>(written));
    }
    const auto now = std::chrono::steady_clock::now();
    if (now - synced_ < kSyncStep) return {};
    synced_ = now;
    return ::fdatasync(file_) == 0 ? Expected<void>()
                                   : Expected<void>(block_journal_error(path_, errno));
}

void BlockJournal::remove() {
    if (file_ >= 0) ::close(std::exchange(file_, -1));
    ::unlink(path_.c_str());
}

}  // namespace graze::app

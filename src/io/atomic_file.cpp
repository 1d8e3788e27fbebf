#include "graze/io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

namespace graze::io {
namespace {

// gzip with no name and no time in its header: the same queries give the same bytes.
class Deflater {
public:
    Deflater()
        : is_ready_(deflateInit2(&state_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
                                 Z_DEFAULT_STRATEGY) == Z_OK) {}
    ~Deflater() {
        if (is_ready_) deflateEnd(&state_);
    }
    Deflater(const Deflater&) = delete;
    Deflater& operator=(const Deflater&) = delete;

    // Packs all of `bytes` and passes the output to `sink`, which returns whether it took it.
    template <class Sink>
    [[nodiscard]] bool pack(std::span<const unsigned char> bytes, int flush, Sink sink) {
        if (!is_ready_ || bytes.size() > std::numeric_limits<uInt>::max()) return false;
        std::array<unsigned char, 1 << 14> packed;
        state_.next_in = const_cast<unsigned char*>(bytes.data());
        state_.avail_in = static_cast<uInt>(bytes.size());
        do {
            state_.next_out = packed.data();
            state_.avail_out = static_cast<uInt>(packed.size());
            if (deflate(&state_, flush) == Z_STREAM_ERROR) return false;
            if (!sink(std::span(packed).first(packed.size() - state_.avail_out))) return false;
        } while (state_.avail_out == 0);
        return true;
    }

private:
    z_stream state_{};
    bool is_ready_;
};

// --- Names for a signal handler ------------------------------------------------------------------

// A slot for one name. Slots are never freed, only used again, so that a handler can walk
// along them at any time. Who exchanges a name for null owns it: the handler removes that file, and
// its owner finds nothing to do any more.
struct KnownPart {
    std::atomic<char*> name = nullptr;
    KnownPart* next = nullptr;
};
static_assert(std::atomic<char*>::is_always_lock_free, "a signal handler may not lock");
std::atomic<KnownPart*> known_parts = nullptr;

// Keeps a name of its own until forget().
KnownPart* remember(const std::filesystem::path& path) {
    char* name = ::strdup(path.c_str());
    if (name == nullptr) throw std::bad_alloc();
    for (KnownPart* known = known_parts.load(); known != nullptr; known = known->next) {
        char* free_slot = nullptr;
        if (known->name.compare_exchange_strong(free_slot, name)) return known;
    }
    auto* known = new KnownPart{};
    known->name = name;
    known->next = known_parts.load();
    while (!known_parts.compare_exchange_weak(known->next, known)) {
    }
    return known;
}

void forget(KnownPart* known) noexcept {
    if (known != nullptr) std::free(known->name.exchange(nullptr));
}

// --- Files ---------------------------------------------------------------------------------------

struct PartFile {
    std::FILE* file = nullptr;
    std::filesystem::path path;
    KnownPart* known = nullptr;
};

// The permissions of the file that is to be replaced; nothing where there is none.
std::optional<mode_t> mode_of(const std::filesystem::path& path) {
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    return status.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
}

// From the first byte on no one may read it who may not read what it replaces.
std::FILE* create_new(const std::filesystem::path& path, std::optional<mode_t> mode) {
    constexpr mode_t kUsual = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
    const mode_t first = mode ? S_IRUSR | S_IWUSR : kUsual;
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, first);
    if (descriptor < 0) return nullptr;
    std::FILE* file = ::fdopen(descriptor, "wb");
    if (file != nullptr && (!mode || ::fchmod(descriptor, *mode) == 0)) return file;
    const int reason = errno;
    if (file != nullptr) {
        std::fclose(file);
    } else {
        ::close(descriptor);
    }
    ::unlink(path.c_str());
    errno = reason;
    return nullptr;
}

// A new file beside `path`; names that exist, from this or another process, are passed over.
PartFile create_part(const std::filesystem::path& path) {
    constexpr int kTries = 1000;
    const std::string stem = "." + path.filename().string() + ".part" + std::to_string(getpid());
    const std::optional<mode_t> mode = mode_of(path);
    for (int i = 0; i < kTries; ++i) {
        const auto part = path.parent_path() / (stem + "-" + std::to_string(i));
        // Known before it is there: a signal between the two finds nothing to remove.
        KnownPart* known = remember(part);
        std::FILE* file = create_new(part, mode);
        if (file != nullptr) return {file, part, known};
        const int reason = errno;
        forget(known);
        errno = reason;
        if (reason != EEXIST) return {};
    }
    return {};
}

}  // namespace

// Link by link, as opening the file would: a link's target is relative to the link's own folder.
std::filesystem::path final_target(const std::filesystem::path& path) {
    constexpr int kMaxLinks = 40;  // as many as Linux itself follows
    std::filesystem::path target = path;
    std::error_code failed;
    for (int i = 0; i < kMaxLinks; ++i) {
        if (!std::filesystem::is_symlink(target, failed)) return target;
        target = target.parent_path() / std::filesystem::read_symlink(target, failed);
        if (failed) return path;
    }
    return path;
}

void remove_part_files() noexcept {
    for (KnownPart* known = known_parts.load(); known != nullptr; known = known->next) {
        // Not freed: that is not safe within a handler, and the process is about to end.
        if (const char* name = known->name.exchange(nullptr)) ::unlink(name);
    }
}

struct AtomicFile::Impl {
    std::filesystem::path path;    // as it was asked for
    std::filesystem::path target;  // where that leads to
    PartFile part;
    std::optional<Deflater> deflater;

    [[nodiscard]] Error failure(int code) const {
        // No space; a quota; the limit on the size of files (SIGXFSZ being ignored).
        const bool is_full = code == ENOSPC || code == EDQUOT || code == EFBIG;
        return Error{
            path.string() + ": cannot be written: " + std::generic_category().message(code),
            is_full ? ErrorCode::DiskFull : ErrorCode::CannotWrite};
    }
    [[nodiscard]] bool put(std::span<const unsigned char> bytes) const {
        // An empty span may have no address, which fwrite must not be given.
        return bytes.empty() ||
               std::fwrite(bytes.data(), 1, bytes.size(), part.file) == bytes.size();
    }
    [[nodiscard]] bool put_packed(std::span<const unsigned char> bytes, int flush) {
        return deflater->pack(bytes, flush, [this](auto packed) { return put(packed); });
    }
};

AtomicFile::AtomicFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Expected<std::unique_ptr<AtomicFile>> AtomicFile::create(const std::filesystem::path& path,
                                                         Packing packing) {
    auto impl = std::make_unique<Impl>();
    impl->path = path;
    impl->target = final_target(path);
    std::error_code ignored;
    if (std::filesystem::is_symlink(impl->target, ignored)) return impl->failure(ELOOP);
    const auto status = std::filesystem::status(impl->target, ignored);
    if (exists(status) && !is_regular_file(status)) {
        return Error{path.string() + ": is not a regular file, and is not replaced",
                     ErrorCode::CannotWrite};
    }
    if (exists(status) && ::access(impl->target.c_str(), W_OK) != 0) return impl->failure(errno);
    impl->part = create_part(impl->target);
    if (impl->part.file == nullptr) return impl->failure(errno);
    if (packing == Packing::Gzip) impl->deflater.emplace();
    return std::unique_ptr<AtomicFile>(new AtomicFile(std::move(impl)));
}

AtomicFile::~AtomicFile() {
    if (impl_->part.file != nullptr) std::fclose(impl_->part.file);
    std::error_code ignored;
    if (!impl_->part.path.empty()) std::filesystem::remove(impl_->part.path, ignored);
    forget(impl_->part.known);
}

Expected<void> AtomicFile::write(std::span<const unsigned char> bytes) {
    errno = 0;
    const bool done = impl_->deflater ? impl_->put_packed(bytes, Z_NO_FLUSH) : impl_->put(bytes);
    if (!done) return impl_->failure(errno);
    return {};
}

Expected<void> AtomicFile::prepare() {
    if (impl_->part.file == nullptr) return {};
    errno = 0;
    if (impl_->deflater && !impl_->put_packed({}, Z_FINISH)) return impl_->failure(errno);
    // Delayed allocation reports a full disk only here: before the rename, so that the old file stays.
    if (std::fflush(impl_->part.file) != 0 || fsync(fileno(impl_->part.file)) != 0) {
        return impl_->failure(errno);
    }
    if (std::fclose(std::exchange(impl_->part.file, nullptr)) != 0) return impl_->failure(errno);
    return {};
}

Expected<void> AtomicFile::commit() {
    if (auto prepared = prepare(); !prepared) return prepared;
    std::error_code failed;
    std::filesystem::rename(impl_->part.path, impl_->target, failed);
    if (failed) return impl_->failure(failed.value());
    impl_->part.path.clear();
    return {};
}

}  // namespace graze::io

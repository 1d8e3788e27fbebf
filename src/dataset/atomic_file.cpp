#include "dataset/atomic_file.hpp"

#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

namespace graze::dataset {
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

    // Packs all of `bytes` and hands what comes out to `sink`, which says whether it took it.
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

struct PartFile {
    std::FILE* file = nullptr;
    std::filesystem::path path;
};

// A new file beside `path`; names that exist, from this or another process, are passed over.
PartFile create_part(const std::filesystem::path& path) {
    constexpr int kTries = 1000;
    const std::string stem = "." + path.filename().string() + ".part" + std::to_string(getpid());
    for (int i = 0; i < kTries; ++i) {
        const auto part = path.parent_path() / (stem + "-" + std::to_string(i));
        std::FILE* file = std::fopen(part.c_str(), "wbx");
        if (file != nullptr || errno != EEXIST) return {file, part};
    }
    return {};
}

}  // namespace

struct AtomicFile::Impl {
    std::filesystem::path path;
    PartFile part;
    std::optional<Deflater> deflater;

    [[nodiscard]] Error failure(int code) const {
        return Error{path.string() +
                     ": cannot be written: " + std::generic_category().message(code)};
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
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    if (exists(status) && !is_regular_file(status)) {
        return Error{path.string() + ": is not a regular file, and is not replaced"};
    }
    impl->part = create_part(path);
    if (impl->part.file == nullptr) return impl->failure(errno);
    if (packing == Packing::Gzip) impl->deflater.emplace();
    return std::unique_ptr<AtomicFile>(new AtomicFile(std::move(impl)));
}

AtomicFile::~AtomicFile() {
    if (impl_->part.file != nullptr) std::fclose(impl_->part.file);
    std::error_code ignored;
    if (!impl_->part.path.empty()) std::filesystem::remove(impl_->part.path, ignored);
}

Expected<void> AtomicFile::write(std::span<const unsigned char> bytes) {
    errno = 0;
    const bool done = impl_->deflater ? impl_->put_packed(bytes, Z_NO_FLUSH) : impl_->put(bytes);
    if (!done) return impl_->failure(errno);
    return {};
}

Expected<void> AtomicFile::commit() {
    errno = 0;
    if (impl_->deflater && !impl_->put_packed({}, Z_FINISH)) return impl_->failure(errno);
    if (std::fflush(impl_->part.file) != 0 || fsync(fileno(impl_->part.file)) != 0) {
        return impl_->failure(errno);
    }
    if (std::fclose(std::exchange(impl_->part.file, nullptr)) != 0) return impl_->failure(errno);
    std::error_code failed;
    std::filesystem::rename(impl_->part.path, impl_->path, failed);
    if (failed) return impl_->failure(failed.value());
    impl_->part.path.clear();
    return {};
}

}  // namespace graze::dataset

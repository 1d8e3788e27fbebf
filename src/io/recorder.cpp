#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <system_error>

#include "graze/io/recording.hpp"
#include "io/recording_form.hpp"

namespace graze::io {
namespace {

using namespace recording_form;

// Steps are recorded while a simulation runs: what deflate gains above this level is little.
constexpr int kDeflateLevel = 1;

Error recorder_failure(const std::string& name, int code) {
    const bool is_full = code == ENOSPC || code == EDQUOT || code == EFBIG;
    return Error{name + ": cannot be written: " + std::generic_category().message(code),
                 is_full ? ErrorCode::DiskFull : ErrorCode::CannotWrite};
}

template <std::size_t N>
std::optional<std::size_t> row_out_of_range(std::span<const std::array<std::uint32_t, N>> rows,
                                            std::size_t vertex_count) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const std::uint32_t vertex : rows[i])
            if (vertex >= vertex_count) return i;
    return std::nullopt;
}

Expected<void> check_mesh(const std::string& name, const RecordedMesh& mesh) {
    const auto wrong = [&](const char* what, std::size_t index) {
        return Error{name + ": " + what + " " + std::to_string(index) + " names no vertex",
                     ErrorCode::IndexOutOfRange, index};
    };
    if (mesh.vertex_count > std::numeric_limits<std::uint32_t>::max())
        return Error{name + ": too many vertices", ErrorCode::WrongSize};
    if (const auto face = row_out_of_range<3>(mesh.faces, mesh.vertex_count))
        return wrong("face", *face);
    if (const auto edge = row_out_of_range<2>(mesh.edges, mesh.vertex_count))
        return wrong("edge", *edge);
    return {};
}

}  // namespace

Expected<Recorder> Recorder::create(const std::filesystem::path& path, const RecordedMesh& mesh,
                                    std::string_view version) {
    Recorder recorder;
    recorder.name_ = path.string();
    if (auto good = check_mesh(recorder.name_, mesh); !good) return good.error();
    errno = 0;
    recorder.file_.reset(std::fopen(path.c_str(), "wb"));
    if (!recorder.file_) return recorder_failure(recorder.name_, errno);
    // Blocks are written in one piece each: nothing to be gained from another buffer.
    std::setvbuf(recorder.file_.get(), nullptr, _IONBF, 0);
    recorder.vertex_count_ = mesh.vertex_count;
    Content head(kMagic.begin(), kMagic.end());
    append(head, kVersion);
    append(head, std::uint32_t{0});
    recorder.crc_.add(head);
    Content content;
    append_text(content, version);
    append(content, hash_of(mesh));
    const Content connectivity = bytes_of(mesh);
    content.insert(content.end(), connectivity.begin(), connectivity.end());
    if (auto written = recorder.write(head); !written) return written.error();
    if (auto written = recorder.write_block(kMeshTag, content); !written) return written.error();
    return recorder;
}

Expected<void> Recorder::write(std::span<const unsigned char> bytes) {
    errno = 0;
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size() &&
        std::fflush(file_.get()) == 0) {
        return {};
    }
    failure_ = recorder_failure(name_, errno);
    return *failure_;
}

Expected<void> Recorder::write_block(unsigned char tag, std::span<const unsigned char> content) {
    if (failure_) return *failure_;
    if (!file_) return Error{name_ + ": is finished", ErrorCode::InvalidInput};
    if (content.size() > std::numeric_limits<uLong>::max() / 2)
        return Error{name_ + ": a step is too large", ErrorCode::WrongSize};
    Content bytes(kBlockHeadSize + sizeof(std::uint64_t) +
                  ::compressBound(static_cast<uLong>(content.size())));
    const std::size_t first = kBlockHeadSize + sizeof(std::uint64_t);
    auto packed = static_cast<uLong>(bytes.size() - first);
    if (::compress2(bytes.data() + first, &packed, content.data(),
                    static_cast<uLong>(content.size()), kDeflateLevel) != Z_OK) {
        return Error{name_ + ": no memory to pack a step", ErrorCode::OutOfMemory};
    }
    bytes.resize(first + packed);
    Content head;
    append(head, tag);
    head.resize(8, 0);
    append(head, std::uint64_t{packed});
    append(head, std::uint64_t{content.size()});
    crc_.add(head);
    append(head, crc_.value());
    std::copy(head.begin(), head.end(), bytes.begin());
    crc_.add(std::span(bytes).subspan(first));
    append(bytes, crc_.value());
    return write(bytes);
}

Expected<void> Recorder::add(std::span<const Vec3> start, std::span<const Vec3> end,
                             const RecordedSettings& settings, RecordedSearch search,
                             const RecordedAnswer& answer) {
    if (failure_) return *failure_;
    if (start.size() != vertex_count_ || end.size() != vertex_count_) {
        return Error{name_ + ": " + std::to_string(start.size()) + " and " +
                         std::to_string(end.size()) + " positions of " +
                         std::to_string(vertex_count_) + " vertices",
                     ErrorCode::WrongSize};
    }
    if (const char* list = list_of_wrong_size(settings, vertex_count_))
        return Error{name_ + ": '" + list + "' has not a value for each vertex",
                     ErrorCode::WrongSize};
    const bool has_start = !same_bits(start, last_end_);
    Content stated = bytes_of(settings);
    const bool has_settings = stated != settings_;
    Content content;
    append(content, steps_);
    append(content, static_cast<unsigned char>(
                        (has_start ? kHasStart : 0) | (has_settings ? kHasSettings : 0) |
                        (search == RecordedSearch::AllImpacts ? kIsAllImpacts : 0)));
    if (has_settings) content.insert(content.end(), stated.begin(), stated.end());
    if (has_start) append_positions(content, start, last_end_);
    append_positions(content, end, start);
    append_answer(content, answer);
    if (auto written = write_block(kStepTag, content); !written) return written;
    last_end_.assign(end.begin(), end.end());
    settings_ = std::move(stated);
    ++steps_;
    return {};
}

Expected<void> Recorder::mark(std::string_view name,
                              std::span<const std::pair<std::string, double>> numbers) {
    Content content;
    append(content, steps_);
    append_text(content, name);
    append(content, std::uint64_t{numbers.size()});
    for (const auto& number : numbers) {
        append_text(content, number.first);
        append(content, number.second);
    }
    return write_block(kMarkTag, content);
}

Expected<void> Recorder::finish() {
    Content content;
    append(content, steps_);
    if (auto written = write_block(kEndTag, content); !written) return written;
    // Pipes and devices have no disk to wait for.
    errno = 0;
    if (::fsync(::fileno(file_.get())) != 0 && errno != EINVAL && errno != EROFS &&
        errno != ENOTSUP) {
        failure_ = recorder_failure(name_, errno);
        return *failure_;
    }
    file_.reset();
    return {};
}

}  // namespace graze::io

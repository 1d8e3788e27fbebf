#include "output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <system_error>

#include "interrupt.hpp"

namespace graze::tools {
namespace {

namespace fs = std::filesystem;

// A link is followed, so that the file it names is replaced and not the link.
fs::path resolved(const fs::path& path) {
    std::error_code error;
    if (!fs::is_symlink(path, error)) return path;
    const fs::path target = fs::canonical(path, error);
    return error ? path : target;
}

Error system_error(const fs::path& path, int error_number) {
    return Error{fmt::format("{}: {}", path.string(), std::strerror(error_number))};
}

}  // namespace

Json json_number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Expected<void> print(std::string_view text) {
    errno = 0;
    const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
    if (written == text.size() && std::fflush(stdout) == 0) return {};
    if (errno == EPIPE) {
        request_stop_for_broken_pipe();
        return stopped();
    }
    return system_error("standard output", errno);
}

Expected<OutputFile> OutputFile::create(const fs::path& path) {
    const fs::path place = resolved(path);
    std::error_code error;
    const fs::file_status status = fs::status(place, error);
    if (fs::is_directory(status)) return system_error(path, EISDIR);
    const bool direct = fs::exists(status) && !fs::is_regular_file(status);
    const fs::path written =
        direct ? place : fs::path(fmt::format("{}.tmp-{}", place.string(), getpid()));
    const int flags = O_WRONLY | O_CLOEXEC | (direct ? 0 : O_CREAT | O_EXCL);
    const int descriptor = ::open(written.c_str(), flags, 0666);
    if (descriptor < 0) return system_error(path, errno);
    std::FILE* file = ::fdopen(descriptor, "wb");
    if (file == nullptr) {
        ::close(descriptor);
        return system_error(path, errno);
    }
    return OutputFile(place, direct ? fs::path() : written, file);
}

OutputFile::~OutputFile() {
    const bool unfinished = file_ != nullptr;
    file_.reset();
    std::error_code ignored;
    if (unfinished && !temporary_.empty()) fs::remove(temporary_, ignored);
}

Error OutputFile::failure(int error_number) const {
    return system_error(path_, error_number);
}

Expected<void> OutputFile::write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size()) return {};
    return failure(errno);
}

Expected<void> OutputFile::finish() {
    if (std::fflush(file_.get()) != 0) return failure(errno);
    if (!temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0) {
        return failure(errno);
    }
    file_.reset();
    return {};
}

Expected<std::optional<OutputFile>> create_if_named(const std::string& path,
                                                    std::string_view header) {
    std::optional<OutputFile> file;
    if (path.empty()) return file;
    Expected<OutputFile> created = OutputFile::create(path);
    if (!created) return created.error();
    file.emplace(std::move(*created));
    if (const Expected<void> written = file->write(header); !written) return written.error();
    return file;
}

Expected<void> finish_if_named(std::optional<OutputFile>& file) {
    return file ? file->finish() : Expected<void>();
}

Expected<JsonOutput> JsonOutput::open(const std::string& destination) {
    JsonOutput output;
    if (destination == "-") {
        output.to_stdout_ = true;
    } else {
        auto file = create_if_named(destination, "");
        if (!file) return file.error();
        if (*file) output.file_.emplace(std::move(**file));
    }
    return output;
}

Expected<void> JsonOutput::write(const Json& value) {
    if (!to_stdout_ && !file_) return {};
    // File names may hold any bytes; what is not UTF-8 is replaced rather than refused.
    const std::string text = value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    if (to_stdout_) return print(text);
    if (Expected<void> written = file_->write(text); !written) return written;
    return file_->finish();
}

}  // namespace graze::tools

#include "step_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/output.hpp"
#include "graze/verify/hash.hpp"

namespace graze::app {
namespace {

constexpr std::size_t kHashDigits = 16;

std::string journal_hash(std::string_view text) {
    verify::Fnv1a hash;
    for (const char c : text)
        hash.add(static_cast<unsigned char>(c), 1);
    return fmt::format("{:016x}", hash.value());
}

Error journal_error(const std::string& path, int number) {
    return Error{fmt::format("{}: {}", path, std::strerror(number)), ErrorCode::CannotWrite};
}

}  // namespace

std::string journal_line(const Json& value) {
    const std::string text = value.dump();  // in one line
    return journal_hash(text) + " " + text + "\n";
}

Json journal_value(std::string_view line) {
    if (line.size() <= kHashDigits || line[kHashDigits] != ' ') return nullptr;
    const std::string_view text = line.substr(kHashDigits + 1);
    if (journal_hash(text) != line.substr(0, kHashDigits)) return nullptr;
    return Json::parse(text).value_or(nullptr);
}

StepJournal::StepJournal(StepJournal&& other) noexcept
    : path_(std::move(other.path_)),
      head_(std::move(other.head_)),
      kept_(std::move(other.kept_)),
      file_(std::exchange(other.file_, -1)) {}

StepJournal::~StepJournal() {
    if (file_ >= 0) ::close(file_);
}

Expected<StepJournal> StepJournal::open(const std::string& path, const Json& settings) {
    StepJournal journal;
    journal.path_ = path;
    journal.head_ = journal_line(settings);
    std::ifstream file(path, std::ios::binary);
    std::ostringstream all;
    if (file) all << file.rdbuf();
    const std::string text = all.str();
    if (text.starts_with(journal.head_)) {
        // A line without its end is not whole, even if its hash is right.
        for (std::size_t at = journal.head_.size(), end = 0;
             (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
            Json value = journal_value(std::string_view(text).substr(at, end - at));
            if (!value.is_object()) break;
            journal.kept_.push_back(std::move(value));
        }
    }
    if (const Expected<void> written = journal.rewrite(); !written) return written.error();
    return journal;
}

// Replaced in one step: an interrupt leaves the old file or the new one.
Expected<void> StepJournal::rewrite() {
    if (file_ >= 0) ::close(std::exchange(file_, -1));
    Expected<OutputFile> file = OutputFile::create(path_);
    if (!file) return file.error();
    if (auto written = file->write(head_); !written) return written;
    for (const Json& value : kept_)
        if (auto written = file->write(journal_line(value)); !written) return written;
    if (auto finished = file->finish(); !finished) return finished;
    file_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file_ < 0) return journal_error(path_, errno);
    return {};
}

Expected<void> StepJournal::keep(std::size_t count) {
    if (count >= kept_.size()) return {};
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(count), kept_.end());
    return rewrite();
}

Expected<void> StepJournal::add(const Json& value) {
    const std::string line = journal_line(value);
    std::string_view rest = line;
    while (!rest.empty()) {
        const ssize_t written = ::write(file_, rest.data(), rest.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return journal_error(path_, errno);
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    if (::fsync(file_) != 0) return journal_error(path_, errno);
    return {};
}

void StepJournal::remove() {
    if (file_ >= 0) ::close(std::exchange(file_, -1));
    std::error_code error;
    std::filesystem::remove(path_, error);
}

}  // namespace graze::app

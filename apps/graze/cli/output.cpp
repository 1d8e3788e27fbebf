#include "output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>

#include "graze/io/atomic_file.hpp"
#include "interrupt.hpp"
#include "places.hpp"

namespace graze::app {
namespace {

Error system_error(const std::string& name, int error_number) {
    return Error{fmt::format("{}: {}", name, std::strerror(error_number))};
}

Expected<void> put(std::FILE* file, const std::string& name, std::string_view text) {
    errno = 0;
    const std::size_t written = std::fwrite(text.data(), 1, text.size(), file);
    if (written == text.size() && std::fflush(file) == 0) return {};
    if (errno == EPIPE) {
        request_stop_for_broken_pipe();
        return stopped();
    }
    return system_error(name, errno);
}

// A new descriptor for what is there already; what is written goes after it.
int open_directly(const Place& place) {
    if (place.kind == PlaceKind::Descriptor) {
        return ::fcntl(place.descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    }
    return ::open(place.path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
}

bool named_outputs_are_wanted = true;

std::vector<std::string>& typed_words() {
    static std::vector<std::string> words;
    return words;
}

// A word of a command line that a shell takes for one.
std::string quoted(const std::string& word) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

}  // namespace

void set_command_line(const std::vector<std::string>& words) {
    typed_words() = words;
}

std::string command_line() {
    std::string line = "graze";
    for (const std::string& word : typed_words())
        if (word != "--resume") line += " " + quoted(word);
    return line;
}

std::string settings_line() {
    constexpr std::array<std::string_view, 6> kAlone = {"--resume", "-q",        "--quiet",
                                                        "-v",       "--verbose", "--fresh"};
    constexpr std::array<std::string_view, 3> kWithValue = {"--threads", "--journal", "--json"};
    std::string line = "graze";
    bool is_value = false;
    for (const std::string& word : typed_words()) {
        const auto names = [&word](std::string_view option) {
            return word == option || word.starts_with(std::string(option) + "=");
        };
        const bool has_value = std::any_of(kWithValue.begin(), kWithValue.end(), names);
        if (!is_value && !has_value && std::none_of(kAlone.begin(), kAlone.end(), names))
            line += " " + quoted(word);
        is_value = has_value && word.find('=') == std::string::npos;
    }
    return line;
}

Expected<void> print(std::string_view text) {
    return put(stdout, "standard output", text);
}

OutputFile::OutputFile(std::string name) : name_(std::move(name)) {}
OutputFile::OutputFile(OutputFile&& other) noexcept = default;
OutputFile::~OutputFile() = default;

Expected<OutputFile> OutputFile::from_descriptor(const std::string& name, int descriptor) {
    if (descriptor < 0) return system_error(name, errno);
    OutputFile output(name);
    output.direct_.reset(::fdopen(descriptor, "wb"));
    if (output.direct_) return output;
    const int reason = errno;
    ::close(descriptor);
    return system_error(name, reason);
}

Expected<OutputFile> OutputFile::create(const std::string& path) {
    const Place place = output_place_of(path);
    if (place.kind == PlaceKind::Descriptor && place.descriptor == STDOUT_FILENO) {
        OutputFile output(path);
        output.is_stdout_ = true;
        return output;
    }
    if (place.kind != PlaceKind::File) return from_descriptor(path, open_directly(place));
    auto whole = io::AtomicFile::create(path, io::Packing::Plain);
    if (!whole) return whole.error();
    OutputFile output(path);
    output.whole_ = std::move(*whole);
    return output;
}

Expected<void> OutputFile::write(std::string_view text) {
    if (is_stdout_) return print(text);
    if (direct_) return put(direct_.get(), name_, text);
    return whole_->write(
        std::span(reinterpret_cast<const unsigned char*>(text.data()), text.size()));
}

Expected<void> OutputFile::prepare() {
    return whole_ ? whole_->prepare() : Expected<void>();
}

Expected<void> OutputFile::finish() {
    if (whole_) return whole_->commit();
    if (direct_ && std::fclose(direct_.release()) != 0) return system_error(name_, errno);
    return {};
}

void discard_named_outputs() noexcept {
    named_outputs_are_wanted = false;
}

Expected<std::optional<OutputFile>> create_if_named(const std::string& path,
                                                    std::string_view header) {
    std::optional<OutputFile> file;
    if (path.empty() || !named_outputs_are_wanted) return file;
    Expected<OutputFile> created = OutputFile::create(path);
    if (!created) return created.error();
    file.emplace(std::move(*created));
    if (const Expected<void> written = file->write(header); !written) return written.error();
    return file;
}

Expected<void> OutputBatch::add(OutputFile file) {
    if (Expected<void> prepared = file.prepare(); !prepared) return prepared;
    files_.push_back(std::move(file));
    return {};
}

Expected<void> OutputBatch::add(std::optional<OutputFile>& file, std::string_view text) {
    if (!file) return {};
    if (Expected<void> written = file->write(text); !written) return written;
    return add(std::move(*file));
}

Expected<void> OutputBatch::finish() {
    for (OutputFile& file : files_) {
        if (Expected<void> finished = file.finish(); !finished) return finished;
    }
    files_.clear();
    return {};
}

Expected<JsonOutput> JsonOutput::open(const std::string& destination) {
    auto file = create_if_named(destination, "");
    if (!file) return file.error();
    JsonOutput output;
    if (*file) output.file_.emplace(std::move(**file));
    output.owns_stdout_ = app::owns_stdout(output.file_);
    return output;
}

Expected<void> JsonOutput::put(Json value) {
    if (value.find("command") == nullptr) value.push_front("command", command_line());
    value.push_front("schema_version", kJsonSchemaVersion);
    // File names may hold any bytes; what is not UTF-8 is replaced rather than refused.
    return file_->write(value.dump(2) + "\n");
}

Expected<void> JsonOutput::write(Json value) {
    if (!file_) return {};
    if (Expected<void> written = put(std::move(value)); !written) return written;
    return file_->finish();
}

Expected<void> JsonOutput::write(Json value, OutputBatch& batch) {
    if (!file_) return {};
    if (Expected<void> written = put(std::move(value)); !written) return written;
    return batch.add(std::move(*file_));
}

}  // namespace graze::app

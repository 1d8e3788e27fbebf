// Where results go: files that appear whole or not at all, and standard output.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "graze/core/expected.hpp"

namespace graze::tools {

using Json = nlohmann::ordered_json;

// The number, or null where JSON has none (infinities and NaN).
[[nodiscard]] Json json_number(double value);
// The value, or null where there is none.
template <class T>
[[nodiscard]] Json json_optional(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

// Writes to standard output at once. A reader that has gone is a stop, not an error message.
Expected<void> print(std::string_view text);

// A file that is written beside its place and moved there by finish().
// Guarantee: before finish() has succeeded, and after any failure, the place holds what it held.
// Places that are no regular files (/dev/stdout, a pipe) are written directly.
class OutputFile {
public:
    [[nodiscard]] static Expected<OutputFile> create(const std::filesystem::path& path);

    OutputFile(OutputFile&& other) noexcept = default;
    OutputFile& operator=(OutputFile&& other) = delete;
    ~OutputFile();

    Expected<void> write(std::string_view text);
    Expected<void> finish();

private:
    struct Closer {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    OutputFile(std::filesystem::path path, std::filesystem::path temporary, std::FILE* file)
        : path_(std::move(path)), temporary_(std::move(temporary)), file_(file) {}
    [[nodiscard]] Error failure(int error_number) const;

    std::filesystem::path path_;
    std::filesystem::path temporary_;  // empty when the place is written directly
    std::unique_ptr<std::FILE, Closer> file_;
};

// A file that is only wanted where a path was named: no path, no file. Starts with `header`.
// Created before the work starts, so that a bad place is reported at once.
[[nodiscard]] Expected<std::optional<OutputFile>> create_if_named(const std::string& path,
                                                                  std::string_view header);
Expected<void> finish_if_named(std::optional<OutputFile>& file);

// The destination of --json: nothing, standard output ("-") or a file.
class JsonOutput {
public:
    [[nodiscard]] static Expected<JsonOutput> open(const std::string& destination);

    // True iff standard output belongs to the JSON alone.
    [[nodiscard]] bool owns_stdout() const noexcept { return to_stdout_; }
    Expected<void> write(const Json& value);

private:
    bool to_stdout_ = false;
    std::optional<OutputFile> file_;
};

}  // namespace graze::tools

// Where results go: files that appear whole or not at all, and standard output.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graze/core/expected.hpp"
#include "json.hpp"

namespace graze::io {
class AtomicFile;
}

namespace graze::app {

// Grows when a member of a result changes its meaning or goes; new members may come at any time.
inline constexpr int kJsonSchemaVersion = 1;
// The words after the name of the program, for the results. Set once, at the start.
void set_command_line(const std::vector<std::string>& words);
// "graze mesh 'a file.obj' b.obj": as a shell reads it. Without --resume, which changes no result.
[[nodiscard]] std::string command_line();
// The same without all that changes no result: threads, journals, where --json goes, what is printed.
[[nodiscard]] std::string settings_line();

// The text with every control character (C0, DEL, and C1 as UTF-8 writes it) as '?': names of files
// may hold any bytes, and a terminal obeys some of them.
[[nodiscard]] std::string printable(std::string_view text);

// Writes to standard output at once. A reader that has gone is a stop, not an error message.
Expected<void> print(std::string_view text);

// A result file. A regular file appears, or is replaced, when finish() has succeeded.
// Guarantee: before that, and after any failure, the place holds what it held.
// What cannot or must not be replaced is written directly, after what is there: "-" and whatever
// else is standard output, other open descriptors, devices, pipes (places.hpp).
class OutputFile {
public:
    [[nodiscard]] static Expected<OutputFile> create(const std::string& path);

    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&& other) = delete;
    ~OutputFile();

    // True iff this is standard output, which then belongs to the file alone.
    [[nodiscard]] bool owns_stdout() const noexcept { return is_stdout_; }
    Expected<void> write(std::string_view text);
    // All that can fail but the last step of finish(); no write() after it.
    Expected<void> prepare();
    Expected<void> finish();

private:
    struct Closer {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    explicit OutputFile(std::string name);
    [[nodiscard]] static Expected<OutputFile> from_descriptor(const std::string& name,
                                                              int descriptor);

    std::string name_;
    // One of the three.
    bool is_stdout_ = false;
    std::unique_ptr<io::AtomicFile> whole_;
    std::unique_ptr<std::FILE, Closer> direct_;
};

// A file that is only wanted where a path was named: no path, no file. Starts with `header`.
// Created before the work starts, so that a bad place is reported at once.
[[nodiscard]] Expected<std::optional<OutputFile>> create_if_named(const std::string& path,
                                                                  std::string_view header);
// From here on no path is taken for named: of several processes one writes the results.
void discard_named_outputs() noexcept;
[[nodiscard]] inline bool owns_stdout(const std::optional<OutputFile>& file) noexcept {
    return file && file->owns_stdout();
}

// Files that appear together, or none of them: add() each when its text is complete, then finish().
// Files that are not finished vanish with the object.
class OutputBatch {
public:
    Expected<void> add(OutputFile file);
    // Where it is wanted, the file with this as the rest of its text; owns_stdout() still tells
    // whether it is standard output.
    Expected<void> add(std::optional<OutputFile>& file, std::string_view text);
    // What can still fail is a name that cannot be given; those given before it stay.
    Expected<void> finish();

private:
    std::vector<OutputFile> files_;
};

// The destination of --json: nothing, standard output ("-") or a file.
class JsonOutput {
public:
    [[nodiscard]] static Expected<JsonOutput> open(const std::string& destination);

    // True iff standard output belongs to the JSON alone.
    [[nodiscard]] bool owns_stdout() const noexcept { return owns_stdout_; }
    // Adds before all else which version of the members this is, and the command that was typed.
    Expected<void> write(Json value);
    // The same as one of several files.
    Expected<void> write(Json value, OutputBatch& batch);

private:
    Expected<void> put(Json value);

    std::optional<OutputFile> file_;
    bool owns_stdout_ = false;
};

}  // namespace graze::app

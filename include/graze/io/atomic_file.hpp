// A file that appears under its name only when it is complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "graze/core/expected.hpp"

namespace graze::io {

enum class Packing : std::uint8_t { Plain, Gzip };

// Where a file of that name would lie: symbolic links are followed, also one that leads to nothing.
// The path itself where links go round in circles.
[[nodiscard]] std::filesystem::path final_target(const std::filesystem::path& path);

// Removes every file that is not committed yet, of all threads. For the handler of a signal that
// ends the process: safe to be called there, and whatever is done to an AtomicFile afterwards
// fails.
void remove_part_files() noexcept;

// Bytes go to a file of another name in the same folder; prepare() flushes it to the disk, and
// commit() gives it its name, in one step, over what was there. Without commit(), or after an
// error, the destructor removes it. Errors name the requested path.
// A file that is replaced keeps its permissions, and must be writable; where `path` is a symbolic
// link the file that it leads to is replaced, or made, and the link stays.
class AtomicFile {
public:
    // An error if the folder cannot be written, if `path` is something else than a regular file (a
    // device or a folder is not replaced), or if it is a file that the caller may not write.
    [[nodiscard]] static Expected<std::unique_ptr<AtomicFile>> create(
        const std::filesystem::path& path, Packing packing);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    [[nodiscard]] Expected<void> write(std::span<const unsigned char> bytes);
    // All that can fail but the last step, so that several files can appear together: prepare() each,
    // then commit() each. No write() after it.
    [[nodiscard]] Expected<void> prepare();
    // Prepares first where that was not done.
    [[nodiscard]] Expected<void> commit();

private:
    struct Impl;
    explicit AtomicFile(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace graze::io

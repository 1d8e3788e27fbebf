// A file that appears under its name only when it is complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "graze/core/expected.hpp"

namespace graze::dataset {

enum class Packing : std::uint8_t { Plain, Gzip };

// Bytes go to a file of another name in the same folder; commit() flushes it to the disk and gives
// it its name, in one step, over what was there. Without commit(), or after an error, the
// destructor removes it. Errors name the wished path.
class AtomicFile {
public:
    // An error if the folder cannot be written, or if `path` is something else than a regular file:
    // a device or a folder is not replaced.
    [[nodiscard]] static Expected<std::unique_ptr<AtomicFile>> create(
        const std::filesystem::path& path, Packing packing);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    [[nodiscard]] Expected<void> write(std::span<const unsigned char> bytes);
    [[nodiscard]] Expected<void> commit();

private:
    struct Impl;
    explicit AtomicFile(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace graze::dataset

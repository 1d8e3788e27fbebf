// The manifest of a folder of generated queries, and how changed files are detected.
// The JSON form is described in docs/FORMATS.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/io/query_file.hpp"

namespace graze::io {

// Grows whenever a generated query or the plan of a set changes: data of one version are the same
// queries everywhere. A test holds the queries to it.
inline constexpr std::uint32_t kDataVersion = 1;

// Length and SHA-256 (FIPS 180-4, 64 hex digits) of a file.
struct FileStamp {
    std::uint64_t bytes = 0;
    std::string sha256;
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};
// An error that names the file if it cannot be read.
[[nodiscard]] Expected<FileStamp> stamp_of_file(const std::filesystem::path& path);

struct ManifestFile {
    std::string path;  // relative to the folder of the manifest, with '/'
    FileStamp stamp;
    friend bool operator==(const ManifestFile&, const ManifestFile&) = default;
};

// The queries of one scene or family, of one kind.
struct ManifestSet {
    std::string group;
    std::string scene;
    QueryKind kind = QueryKind::VertexFace;
    std::uint64_t queries = 0;
    std::uint64_t contacts = 0;
    // CRC-64/XZ over the records of the binary form, 16 hex digits: the same for every file format.
    std::string content;
    std::vector<ManifestFile> files;  // the queries first, then what stands beside them
    friend bool operator==(const ManifestSet&, const ManifestSet&) = default;
};

struct Manifest {
    std::uint32_t data_version = kDataVersion;
    std::string generator;  // version of the program
    std::string set;        // "smoke", ...
    std::uint64_t seed = 0;
    std::string format;  // "gzq", "csv", "csv.gz"
    bool complete = false;
    std::vector<ManifestSet> sets;
    friend bool operator==(const Manifest&, const Manifest&) = default;
};

// SHA-256, for streams of bytes.
class Sha256 {
public:
    void add(const unsigned char* bytes, std::size_t count) noexcept;
    // The digest in hex. Requires: called once, and nothing is added after it.
    [[nodiscard]] std::string finish() noexcept;

private:
    void block(const unsigned char* bytes) noexcept;

    std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<unsigned char, 64> rest_{};
    std::uint64_t length_ = 0;
};

}  // namespace graze::io

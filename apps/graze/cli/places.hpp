// What the paths of a command line name: a file, or something that is already open.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace graze::app {

enum class PlaceKind : std::uint8_t {
    Descriptor,  // an open descriptor of this process: "-", /dev/stdout, /dev/fd/3, or by identity
    Direct,      // a device, a pipe, a folder, another process's descriptor: nothing to replace
    File,        // a regular file, or nothing yet
};

struct Place {
    PlaceKind kind = PlaceKind::File;
    int descriptor = -1;         // of a Descriptor
    std::filesystem::path path;  // else: links followed as far as they lead somewhere

    friend bool operator==(const Place&, const Place&) = default;
};

// A regular file that is standard output or standard error is that descriptor, by whatever name: to
// replace it would take it away from under the shell that appends to it.
[[nodiscard]] Place place_of(const std::filesystem::path& path);

// The same for an output, where "-" means standard output.
[[nodiscard]] Place output_place_of(const std::string& path);

// True iff what is written to one would meet what is written to, or read from, the other. Devices
// and pipes never count: two results may go to /dev/null.
[[nodiscard]] bool do_clash(const Place& a, const Place& b);

}  // namespace graze::app

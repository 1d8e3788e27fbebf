// What the fuzz targets share: the input as a reader, and a check that does not vanish in release.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <span>
#include <string_view>

#include "graze/io/byte_reader.hpp"
#include "graze/io/query_file.hpp"

namespace graze::io::fuzz {

using Input = std::span<const unsigned char>;

inline void require(bool holds, std::string_view what) {
    if (holds) return;
    std::cerr << "broken promise: " << what << "\n";
    std::abort();
}

inline ByteReader reader_over(Input input) {
    return {bytes_in_memory(input), "in"};
}

// The longest name by which a file names another one (is_file_name()); errors show it whole.
inline constexpr std::size_t kMaxFileName = 4095;

// Every error is one line that begins with the name of the input, and short but for `names` bytes of names of files.
inline void require_clear(const Error& error, std::size_t names = 0) {
    require(error.message.starts_with("in: "), "an error names the file");
    require(error.message.find('\n') == std::string::npos, "an error is one line");
    require(error.message.size() < 200 + names, "an error is short");
}

// Reads a stream to its end or to its error, and hands each record to `use`.
template <class Use>
void drain(QueryStream& stream, Use use) {
    std::size_t records = 0;
    while (true) {
        const auto record = stream.next();
        if (!record) {
            require_clear(record.error());
            require(stream.next().error().message == record.error().message, "errors are final");
            return;
        }
        if (!*record) break;
        ++records;
        use(**record);
    }
    require(records > 0, "a stream that ends well held a query");
    require(!*stream.next(), "ends are final");
}

}  // namespace graze::io::fuzz

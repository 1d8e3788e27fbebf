// The input is the result.json that `graze reproduce` left in a folder, beside a drawing that it may name. It is taken whole
// or not at all; what is taken names no file outside of the folder.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "commands/reproduce/stored_result.hpp"
#include "fuzz_input.hpp"

namespace {

namespace fs = std::filesystem;
using graze::io::fuzz::require;

const graze::app::MadeWith kMade{"1", "2", false, 3, ""};

void write_file(const fs::path& path, std::string_view text) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    require(file != nullptr, "the file opens");
    require(std::fwrite(text.data(), 1, text.size(), file) == text.size(), "the file is written");
    std::fclose(file);
}

const fs::path& folder() {
    static const fs::path kFolder = [] {
        const fs::path made =
            fs::temp_directory_path() / ("fuzz_stored_result." + std::to_string(::getpid()));
        fs::create_directories(made);
        write_file(made / "a.svg", "<svg/>");
        return made;
    }();
    return kFolder;
}

// What a result has to say to get past the first look at it.
std::string with_makers(std::string_view text) {
    auto json = graze::app::Json::parse(text);
    if (!json || !json->is_object()) return std::string(text);
    (*json)["form"] = 1;
    (*json)["made_with"] = graze::app::to_json(kMade);
    return json->dump();
}

bool is_in_folder(std::string_view name) {
    return !name.empty() && name.front() != '.' && name.find('/') == std::string_view::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    write_file(folder() / "result.json", data[0] < 128 ? std::string(text) : with_makers(text));
    const auto result = graze::app::read_result(folder(), kMade);
    if (!result) return 0;
    for (const auto& drawing : result->drawings)
        require(is_in_folder(drawing.name), "a drawing is in the folder");
    for (const auto& table : result->tables) {
        require(is_in_folder(table.name), "a table is in the folder");
        require(table.rows.size() <= graze::app::kMostInlineRows, "a table is short");
        for (const auto& row : table.rows)
            require(row.size() == table.headings.size(), "a cell has a heading");
    }
    return 0;
}

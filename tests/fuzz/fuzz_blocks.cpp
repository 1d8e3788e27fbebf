// The input is a journal of blocks (`--resume` of commands that are distributed), or records that get the checksums that
// fit. Whatever it holds, the journal opens or says why not, holds no more than the file, and takes new records.
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "cluster/block_journal.hpp"
#include "fuzz_input.hpp"

namespace {

using graze::app::BlockJournal;
using graze::app::Payload;
using graze::io::fuzz::Input;
using graze::io::fuzz::require;

constexpr const char* kSettings = "settings";

const std::string& journal_path() {
    static const std::string kPath =
        (std::filesystem::temp_directory_path() / ("fuzz_blocks." + std::to_string(::getpid())))
            .string();
    return kPath;
}

void write_file(Input bytes) {
    std::FILE* file = std::fopen(journal_path().c_str(), "wb");
    require(file != nullptr, "the file opens");
    require(std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size(),
            "the file is written");
    std::fclose(file);
}

// Records of an index, a key and up to 255 bytes each; the journal adds what makes them whole.
void write_records(Input input) {
    auto journal = BlockJournal::create(journal_path(), kSettings);
    require(journal.has_value(), "a journal begins");
    while (input.size() >= 3) {
        const std::size_t length = std::min<std::size_t>(input[2], input.size() - 3);
        const Input payload = input.subspan(3, length);
        require(journal->add(input[0], input[1], {payload.begin(), payload.end()}).has_value(),
                "a record is added");
        input = input.subspan(3 + length);
    }
}

void resume_and_add() {
    const auto size = std::filesystem::file_size(journal_path());
    auto journal = BlockJournal::resume(journal_path(), kSettings);
    if (!journal) {
        const std::string& message = journal.error().message;
        require(message.starts_with(journal_path()), "an error names the file");
        require(message.find('\n') == std::string::npos, "an error is one line");
        return;
    }
    for (std::uint64_t index = 0; index < 256; ++index) {
        for (std::uint64_t key = 0; key < 256; ++key) {
            if (!journal->has(index, key)) continue;
            const auto payload = journal->read(index);
            require(payload.has_value() && payload->size() < size, "a block is within the file");
        }
    }
    const Payload mark = {1, 2, 3};
    require(journal->add(7, 1000, mark).has_value(), "a record is added");
    const auto again = BlockJournal::resume(journal_path(), kSettings);
    require(again.has_value() && again->has(7, 1000) && *again->read(7) == mark,
            "what was added is there");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const Input input(data + 1, size - 1);
    if ((data[0] & 1) != 0) {
        write_records(input);
        // As a run leaves it that was killed while it wrote.
        if ((data[0] & 2) != 0)
            std::filesystem::resize_file(journal_path(),
                                         std::filesystem::file_size(journal_path()) - data[0] / 16);
    } else {
        write_file(input);
    }
    resume_and_add();
    std::filesystem::remove(journal_path());
    return 0;
}

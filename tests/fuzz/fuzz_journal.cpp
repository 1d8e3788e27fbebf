// The input is a line of a journal, or, after its hash is put right, the JSON of one. A line is taken only as it was
// written.
#include "commands/mesh/step_journal.hpp"
#include "fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace graze;
    using io::fuzz::require;
    const std::string_view line(reinterpret_cast<const char*>(data), size);
    const app::Json value = app::journal_value(line);
    if (const auto parsed = app::Json::parse(line)) {
        std::string written = app::journal_line(*parsed);
        require(written.ends_with('\n') && written.find('\n') == written.size() - 1,
                "a line has one end");
        written.pop_back();
        require(app::journal_value(written).dump() == parsed->dump(), "a line reads back the same");
        written.back() = static_cast<char>(written.back() ^ 1);
        require(app::journal_value(written).dump() == app::Json(nullptr).dump(),
                "a changed line is none");
    }
    return 0;
}

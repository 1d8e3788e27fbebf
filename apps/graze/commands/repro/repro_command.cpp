// `graze repro`: one query of a file as a regression test in hex floats.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "commands/commands.hpp"
#include "graze/verify/answers.hpp"
#include "graze/verify/ground_truth.hpp"
#include "graze/verify/oracle_method.hpp"
#include "regression_source.hpp"

namespace graze::app {
using namespace verify;
namespace {

namespace fs = std::filesystem;

struct ReproRequest {
    std::optional<QueryKind> kind;
    std::uint64_t index = 0;
    std::string file;
    MethodOptions choice;
    std::string what;
    std::string out;
    CommonOptions common;
    Method method;  // filled once the command line is understood
};

constexpr std::string_view kReproExamples =
    "The test holds the method to what it declares, against the exact truth and first time that\n"
    "are written into it. With a folder as --out the file is named <id>_<what>.cpp; without --out\n"
    "the source goes to stdout. A method of the tool alone (oracle) makes the test run every\n"
    "method of the library.\n"
    "\n"
    "Examples:\n"
    "  graze repro --kind vf --index 17 queries.csv\n"
    "  graze repro --kind ee --index 3 --method box-separation --name \"misses a grazing contact\" "
    "\\\n"
    "      --out tests/regression queries.csv\n";

// Reads to the end, though the record comes before: damage is often known only there.
Expected<io::QueryRecord> record_at(const ReproRequest& request) {
    io::QuerySource source;
    source.kind = *request.kind;
    source.queries = request.file;
    Expected<BlockReader> reader = BlockReader::open(input_from(source));
    if (!reader) return reader.error();
    std::optional<io::QueryRecord> found;
    std::uint64_t read = 0;
    while (!stop_requested()) {
        const auto block = reader->next();
        if (!block) return block.error();
        if (block->empty() && found) return *found;
        if (block->empty()) {
            return Error{fmt::format("{}: there is no query {}: it holds {}", request.file,
                                     request.index, read)};
        }
        if (request.index >= read && request.index - read < block->size()) {
            found = (*block)[request.index - read];
        }
        read += block->size();
    }
    return stopped();
}

Json report_json(const Regression& regression, const std::string& place,
                 const std::string& source) {
    const CcdResult& answer = regression.answer;
    const CcdResult exact = result_up_to(regression.truth, 1.0);
    return {{"method", regression.method},
            {"kind", short_name(regression.kind)},
            {"id", regression_id(regression.record, regression.kind)},
            {"verdict", name(answer.verdict)},
            {"toi_lower", json_number(answer.toi_lower)},
            {"toi_upper", json_number(answer.toi_upper)},
            {"exact_verdict", name(exact.verdict)},
            {"exact_toi_lower", json_number(exact.toi_lower)},
            {"exact_toi_upper", json_number(exact.toi_upper)},
            {"out", place.empty() ? Json(nullptr) : Json(place)},
            {"source", source},
            {"build", to_json(build_info())}};
}

std::string place_of(const ReproRequest& request, const Regression& regression) {
    std::error_code error;
    if (!fs::is_directory(request.out, error)) return request.out;
    return (fs::path(request.out) / regression_file_name(regression)).string();
}

// Writes the source where a place is named. What is left to be printed: the place, or the source
// itself where there is none.
Expected<std::string> write_source(const std::string& place, const std::string& source) {
    if (place.empty()) return source;
    Expected<OutputFile> file = OutputFile::create(place);
    if (!file) return file.error();
    if (const Expected<void> written = file->write(source); !written) return written.error();
    if (const Expected<void> finished = file->finish(); !finished) return finished.error();
    return file->owns_stdout() ? std::string() : place + "\n";
}

Expected<void> run_repro(const ReproRequest& request) {
    const Expected<io::QueryRecord> record = record_at(request);
    if (!record) return record.error();
    const Regression regression = regression_of(
        {*record, *request.kind, request.method, request.choice.options}, request.what,
        fmt::format("number {} of {}", request.index, fs::path(request.file).filename().string()));
    if (regression.truth.state == oracle::State::Invalid) {
        return Error{
            fmt::format("{}: query {} is not finite: there is no truth to hold a method "
                        "to",
                        request.file, request.index)};
    }
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    const std::string source = regression_source(regression);
    const std::string place = place_of(request, regression);
    const Expected<std::string> text = write_source(place, source);
    if (!text) return text.error();
    if (auto written = json->write(report_json(regression, place, source)); !written) {
        return written;
    }
    return json->owns_stdout() ? Expected<void>() : print_report(*text);
}

// A test's name is made of it, so it starts with a letter.
void check_request(ReproRequest& request) {
    request.method = chosen_method(request.choice, *request.kind);
    if (request.what.empty()) {
        request.what = fmt::format("{} on {} {}", request.method.name, long_name(*request.kind),
                                   request.index);
    }
    if (std::isalpha(static_cast<unsigned char>(request.what[0])) == 0 ||
        std::any_of(request.what.begin(), request.what.end(),
                    [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; })) {
        fail_usage("--name must start with a letter and be one line");
    }
    check_places({{"--out", request.out}, {"--json", request.common.json}}, {request.file});
}

}  // namespace

Command add_repro_command(App& app) {
    App* sub = app.add_command("repro", "Write one query as a regression test");
    const auto request = std::make_shared<ReproRequest>();
    add_kind_option(*sub, request->kind)->required();
    add_natural_option(*sub, "--index", request->index, "Which query of the file, from 0")
        ->required()
        ->default_str("");
    sub->add_option("FILE", request->file, "Query file: CSV, CSV.gz or the binary form (.gzq)")
        ->required()
        ->type_name("");
    add_method_options(*sub, request->choice);
    sub->add_option("--name", request->what, "A few words that say what goes wrong")
        ->type_name("WHAT");
    sub->add_option("--out", request->out, "Source file or folder to write to")
        ->type_name("FILE.cpp|DIR|-");
    add_json_option(*sub, request->common);
    sub->footer(std::string(kReproExamples));
    sub->callback([request] { check_request(*request); });
    return {sub, [request] { return succeeded(run_repro(*request)); }};
}

}  // namespace graze::app

// `graze convert`: the same queries in another form.
#include <fmt/format.h>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/workers.hpp"
#include "commands.hpp"
#include "graze/verify/ground_truth.hpp"

namespace graze::app {
using namespace verify;
namespace {

struct ConvertRequest {
    std::optional<QueryKind> kind;
    std::string file;
    std::vector<std::string> frames;
    std::string boxes;
    std::string truth;
    std::string out;
    bool with_truth = false;
    CommonOptions common{.json = "", .threads = 0};
};

constexpr std::string_view kConvertExamples =
    "The form written is told by the name: .csv, .csv.gz, or .gzq for the binary form, which "
    "alone\n"
    "keeps exact times.\n"
    "\n"
    "Examples:\n"
    "  graze convert --kind vf queries.csv --out queries.gzq --with-truth\n"
    "  graze convert --kind vf --truth 326vf_mma_bool.json 326vf.csv --out 326vf.csv.gz\n"
    "  graze convert --kind ee --frames 326.ply 327.ply --boxes 326ee.json --out 326ee.gzq\n";

struct ConvertCounts {
    std::uint64_t queries = 0;
    std::uint64_t contacts = 0;       // by the truth that is written
    std::uint64_t disagreements = 0;  // stored truths or times that --with-truth has replaced
};

io::QuerySource source_of(const ConvertRequest& request) {
    io::QuerySource source;
    source.kind = *request.kind;
    source.queries = request.file;
    if (!request.truth.empty()) source.truth = request.truth;
    source.frames.assign(request.frames.begin(), request.frames.end());
    if (!request.boxes.empty()) source.boxes = request.boxes;
    return source;
}

Expected<ConvertCounts> convert_block(const ConvertRequest& request,
                                      const std::vector<io::QueryRecord>& block,
                                      io::QueryWriter& writer, Progress& progress) {
    std::vector<GroundTruth> truths;
    if (request.with_truth) {
        GroundTruthOptions options;
        options.workers = workers(request.common.threads, &progress);
        truths = ground_truths(block, *request.kind, options);
    } else {
        progress.advance(block.size());
    }
    if (stop_requested()) return stopped();
    ConvertCounts counts;
    for (std::size_t i = 0; i < block.size(); ++i) {
        io::QueryRecord record = block[i];
        if (request.with_truth) {
            const oracle::Truth& exact = truths[i].truth;
            counts.disagreements += disagreement(record, exact).empty() ? 0 : 1;
            record = with_exact_truth(record, exact);
        }
        ++counts.queries;
        counts.contacts += record.truth.value_or(false) ? 1 : 0;
        if (const Expected<void> added = writer.add(record); !added) return added.error();
    }
    return counts;
}

Expected<ConvertCounts> convert_all(const ConvertRequest& request) {
    const QueryInput input = input_from(source_of(request));
    Expected<BlockReader> reader = BlockReader::open(input);
    if (!reader) return reader.error();
    const io::QueryFormat format = *query_format_of(request.out);
    auto writer = io::create_query_file(request.out, *request.kind, format);
    if (!writer) return writer.error();
    Progress progress(total_for_progress({input}), terminal_screen("converting queries"));
    ConvertCounts total;
    while (true) {
        const auto block = reader->next();
        if (!block) return block.error();
        if (block->empty()) break;
        const Expected<ConvertCounts> counts = convert_block(request, *block, **writer, progress);
        if (!counts) return counts.error();
        total.queries += counts->queries;
        total.contacts += counts->contacts;
        total.disagreements += counts->disagreements;
    }
    if (const Expected<void> finished = (*writer)->finish(); !finished) return finished.error();
    return total;
}

Json report_json(const ConvertRequest& request, const ConvertCounts& counts) {
    const Json disagreements = request.with_truth ? Json(counts.disagreements) : Json(nullptr);
    return {{"kind", short_name(*request.kind)}, {"out", request.out},
            {"queries", counts.queries},         {"contacts", counts.contacts},
            {"disagreements", disagreements},    {"build", to_json(build_info())}};
}

Expected<void> run_convert(const ConvertRequest& request) {
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    const Expected<ConvertCounts> counts = convert_all(request);
    if (!counts) return counts.error();
    if (auto written = json->write(report_json(request, *counts)); !written) return written;
    if (json->owns_stdout()) return {};
    std::string text = fmt::format("{}: {} {} queries\n", printable(request.out), counts->queries,
                                   long_name(*request.kind));
    if (counts->disagreements > 0) {
        text += fmt::format("{} stored truths or times were wrong and are replaced\n",
                            counts->disagreements);
    }
    return print_report(text);
}

void check_request(const ConvertRequest& request) {
    if (request.file.empty() == request.frames.empty()) {
        fail_usage("convert needs either FILE or --frames START END with --boxes");
    }
    if (request.frames.empty() != request.boxes.empty()) {
        fail_usage("--frames and --boxes go together");
    }
    check_query_file_name(request.out);
    std::vector<std::string> inputs = request.frames;
    inputs.insert(inputs.end(), {request.file, request.boxes, request.truth});
    check_places({{"--out", request.out}, {"--json", request.common.json}}, inputs);
}

}  // namespace

Command add_convert_command(App& app) {
    App* sub = app.add_command("convert", "Write queries in another form");
    const auto request = std::make_shared<ConvertRequest>();
    add_kind_option(*sub, request->kind)->required();
    sub->add_option("FILE", request->file, "Query file: CSV, CSV.gz or the binary form (.gzq)")
        ->type_name("");
    sub->add_option("--frames", request->frames, "Mesh at the start and at the end of the step")
        ->expected(2)
        ->type_name("START.ply END.ply");
    sub->add_option("--boxes", request->boxes, "Pairs of box numbers that are the queries")
        ->type_name("FILE.json");
    sub->add_option("--truth", request->truth, "JSON array of truths, one per query")
        ->type_name("FILE.json");
    sub->add_option("--out", request->out, "Where to: .csv, .csv.gz or .gzq")
        ->required()
        ->type_name("FILE");
    sub->add_flag("--with-truth", request->with_truth,
                  "Fill in the exact truth and first time, whatever was stored");
    add_common_options(*sub, request->common);
    sub->footer(std::string(kConvertExamples));
    sub->callback([request] { check_request(*request); });
    return {sub, [request] { return succeeded(run_convert(*request)); }};
}

}  // namespace graze::app

// `graze generate`: queries of our own making, with their exact truth and first time.
#include <fmt/format.h>

#include "build_info.hpp"
#include "commands.hpp"
#include "graze/dataset/generate.hpp"
#include "interrupt.hpp"
#include "judgement.hpp"
#include "progress.hpp"

namespace graze::tools {
namespace {

struct GenerateRequest {
    std::vector<dataset::Family> families;
    std::optional<QueryKind> kind;
    std::uint64_t count = 100;
    std::uint64_t seed = 0;
    std::string out;
    CommonOptions common{.json = "", .threads = 0};
};

constexpr std::uint64_t kBlock = 1024;  // queries in memory at a time

constexpr std::string_view kExamples =
    "The form written is told by the name: .csv, .csv.gz, or .gzq for the binary form, which "
    "alone\n"
    "keeps exact times. The same family, kind and seed give the same queries on every machine.\n"
    "\n"
    "Examples:\n"
    "  graze generate --family near --kind vf --count 1000 --out near.gzq\n"
    "  graze generate --family flat,static --kind ee --seed 5000 --out still.csv\n";

struct GenerateCounts {
    std::uint64_t queries = 0;
    std::uint64_t contacts = 0;
};

std::vector<dataset::QueryRecord> generated_block(dataset::Family family, QueryKind kind,
                                                  std::uint64_t first, std::uint64_t count) {
    std::vector<dataset::QueryRecord> block;
    for (std::uint64_t i = 0; i < count; ++i) {
        block.push_back(dataset::generate(family, kind, first + i));
    }
    return block;
}

// All queries of one family, block by block.
Expected<GenerateCounts> generate_family(const GenerateRequest& request, dataset::Family family,
                                         dataset::QueryWriter& writer, Progress& progress) {
    JudgeOptions options;
    options.workers = {request.common.threads, &progress};
    GenerateCounts counts;
    while (counts.queries < request.count) {
        const std::uint64_t size = std::min(kBlock, request.count - counts.queries);
        const auto block =
            generated_block(family, *request.kind, request.seed + counts.queries, size);
        const std::vector<Judgement> judgements = judge(block, *request.kind, options);
        if (stop_requested()) return stopped();
        for (std::size_t i = 0; i < block.size(); ++i) {
            const auto record = with_exact_truth(block[i], judgements[i].truth);
            counts.contacts += record.truth.value_or(false) ? 1 : 0;
            if (const Expected<void> added = writer.add(record); !added) return added.error();
        }
        counts.queries += size;
    }
    return counts;
}

Expected<GenerateCounts> generate_all(const GenerateRequest& request) {
    const dataset::QueryFormat format = *query_format_of(request.out);
    auto writer = dataset::create_query_file(request.out, *request.kind, format);
    if (!writer) return writer.error();
    Progress progress(ProgressTotal{request.count * request.families.size()});
    GenerateCounts total;
    for (const dataset::Family family : request.families) {
        const auto counts = generate_family(request, family, **writer, progress);
        if (!counts) return counts.error();
        total.queries += counts->queries;
        total.contacts += counts->contacts;
    }
    if (const Expected<void> finished = (*writer)->finish(); !finished) return finished.error();
    return total;
}

Json family_names(const std::vector<dataset::Family>& families) {
    Json names = Json::array();
    for (const dataset::Family family : families)
        names.push_back(dataset::name(family));
    return names;
}

Expected<void> run_generate(const GenerateRequest& request) {
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    const Expected<GenerateCounts> counts = generate_all(request);
    if (!counts) return counts.error();
    const Json report = {{"families", family_names(request.families)},
                         {"kind", short_name(*request.kind)},
                         {"seed", request.seed},
                         {"out", request.out},
                         {"queries", counts->queries},
                         {"contacts", counts->contacts},
                         {"build", to_json(build_info())}};
    if (auto written = json->write(report); !written) return written;
    if (json->owns_stdout()) return {};
    return print(fmt::format("{}: {} {} queries, {} touch\n", printable(request.out),
                             counts->queries, long_name(*request.kind), counts->contacts));
}

void check_request(const GenerateRequest& request) {
    check_numbers(request.seed, request.count);
    check_query_file_name(request.out);
    check_places({{"--out", request.out}, {"--json", request.common.json}}, {});
}

}  // namespace

Command add_generate_command(CLI::App& app) {
    CLI::App* sub = app.add_subcommand("generate", "Make queries with their exact truth");
    const auto request = std::make_shared<GenerateRequest>();
    add_family_option(*sub, request->families)->required();
    add_kind_option(*sub, request->kind)->required();
    add_natural_option(*sub, "--count", request->count, "How many queries of each family",
                       kQueryCounts);
    add_natural_option(*sub, "--seed", request->seed, "Number of the first query of each family");
    sub->add_option("--out", request->out, "Where to: .csv, .csv.gz or .gzq")
        ->required()
        ->type_name("FILE");
    add_common_options(*sub, request->common);
    sub->footer(std::string(kExamples));
    sub->callback([request] { check_request(*request); });
    return {sub, [request] { return run_generate(*request); }};
}

}  // namespace graze::tools

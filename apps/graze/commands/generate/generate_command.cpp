// `graze generate`: queries of our own making, with their exact truth and first time.
#include <fmt/format.h>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/progress.hpp"
#include "cli/workers.hpp"
#include "cluster/journal_options.hpp"
#include "cluster/record_payload.hpp"
#include "commands/commands.hpp"
#include "generate_manifest.hpp"
#include "generate_plan.hpp"
#include "generate_robot.hpp"
#include "generate_set.hpp"

namespace graze::app {
namespace {

struct GenerateRequest {
    // One of these says what is made, or that nothing is.
    std::vector<generate::Family> families;
    std::string scene;
    std::string set;
    RobotFiles robots;
    std::string check;
    bool list = false;

    std::optional<QueryKind> kind;
    std::uint64_t count = 100;
    std::uint64_t seed = 0;
    std::string out;
    std::string format = "gzq";
    std::string shard;    // of --set: which files
    bool shards = false;  // lists them
    JournalOptions journal;
    CommonOptions common{.json = "", .threads = 0};

    [[nodiscard]] std::vector<std::string> results() const { return {out, common.json}; }
};

// All candidates are held in memory, up to 3 kB for each query.
constexpr std::uint64_t kMostSceneQueries = 500'000;
constexpr std::uint64_t kMostSetSeed = 1'000'000'000;

constexpr std::string_view kGenerateExamples =
    "The form written is told by the name: .csv, .csv.gz, or .gzq for the binary form, which "
    "alone\n"
    "keeps exact times. The same family, kind and seed give the same queries on every machine, "
    "and\n"
    "so do the same scene, kind, seed and count. A scene gives no more than its pairs in reach.\n"
    "--set makes every family and scene, with a manifest, in a folder for --data; a run that was\n"
    "stopped goes on where it was. --check compares such a folder with its manifest.\n"
    "\n"
    "Examples:\n"
    "  graze generate --list\n"
    "  graze generate --family near --kind vf --count 1000 --out near.gzq\n"
    "  graze generate --family flat,static --kind ee --seed 5000 --out still.csv\n"
    "  graze generate --scene twisting-mat --kind ee --count 5000 --out mat.gzq\n"
    "  graze generate --set smoke --out smoke && graze bench --data smoke\n"
    "  graze generate --set large --format csv.gz --out large\n"
    "  graze generate --check large\n"
    "  graze generate --robot arm --environment passage --out arm\n"
    "  graze generate --set full --shard 17 --out part && mpirun -n 64 graze generate --set full "
    "--out full\n";

// Queries of a family that one block makes. Those of `wild` take milliseconds each: at the end all ranks
// but one wait for a block.
constexpr std::uint64_t kFamilyShare = 64;

struct GenerateCounts {
    std::uint64_t queries = 0;
    std::uint64_t contacts = 0;
};

Expected<void> make_parts(const GenerateRequest& request, const Workers& workers,
                          const RecordSink& sink) {
    if (!request.scene.empty()) {
        const generate::SceneId scene = *generate::scene_from_name(request.scene);
        return make_scene_queries({scene, *request.kind, request.seed, request.count}, workers,
                                  sink);
    }
    for (const generate::Family family : request.families) {
        const FamilyPart part{family, *request.kind, request.seed, request.count};
        if (auto made = make_family_queries(part, workers, sink); !made) return made;
    }
    return {};
}

// How many answers of the oracle that takes; nobody knows how many pairs of a scene are near.
std::optional<ProgressTotal> work_of(const GenerateRequest& request) {
    if (!request.scene.empty()) return std::nullopt;
    return ProgressTotal{request.count * request.families.size()};
}

// What the blocks of one file make: families cut into pieces, a scene as a whole.
std::vector<SetPart> pieces_of(const GenerateRequest& request) {
    if (!request.scene.empty())
        return {SceneQueriesPart{*generate::scene_from_name(request.scene), *request.kind,
                                 request.seed, request.count}};
    std::vector<SetPart> pieces;
    for (const generate::Family family : request.families)
        for (std::uint64_t done = 0; done < request.count; done += kFamilyShare)
            pieces.emplace_back(FamilyPart{family, *request.kind, request.seed + done,
                                           std::min(kFamilyShare, request.count - done)});
    return pieces;
}

// Block by block, on all ranks, with a journal.
Expected<void> make_in_blocks(const GenerateRequest& request, std::optional<BlockJournal>& journal,
                              const RecordSink& sink, Progress& progress) {
    const std::vector<SetPart> pieces = pieces_of(request);
    BlockJob job;
    job.count = pieces.size();
    job.name = [&](std::size_t i) {
        const auto* family = std::get_if<FamilyPart>(&pieces[i]);
        const std::uint64_t first = family == nullptr ? 0 : family->seed;
        return fmt::format("{} {}, queries {} to {}", scene_of(pieces[i]),
                           short_name(kind_of(pieces[i])), first, first + count_of(pieces[i]) - 1);
    };
    job.run = [&](std::size_t i) -> Expected<Payload> {
        PayloadWriter bytes;
        const RecordSink keep = [&](const io::QueryRecord& record) -> Expected<void> {
            put_record(bytes, record, *request.kind);
            return {};
        };
        if (auto made = make_queries(pieces[i], workers(request.common.threads), keep); !made)
            return made.error();
        return bytes.take();
    };
    job.reduce = [&](std::size_t, const Payload& payload) -> Expected<void> {
        PayloadReader bytes(payload);
        while (!bytes.is_finished()) {
            const io::QueryRecord record = take_record(bytes, *request.kind);
            if (!bytes.is_whole()) return Error{"the queries of a block are not whole"};
            progress.advance(1);
            if (auto taken = sink(record); !taken) return taken;
        }
        return {};
    };
    return run_journaled(job, journal);
}

Expected<GenerateCounts> generate_file(const GenerateRequest& request) {
    const io::QueryFormat format = *query_format_of(request.out);
    std::unique_ptr<io::QueryWriter> writer;
    if (!is_worker()) {
        auto created = io::create_query_file(request.out, *request.kind, format);
        if (!created) return created.error();
        writer = *std::move(created);
    }
    auto journal = open_journal(request.journal, request.results());
    if (!journal) return journal.error();
    Progress progress(work_of(request), terminal_screen("making queries"));
    GenerateCounts counts;
    const RecordSink sink = [&](const io::QueryRecord& record) {
        ++counts.queries;
        counts.contacts += record.truth.value_or(false) ? 1 : 0;
        return writer->add(record);
    };
    const Expected<void> made =
        request.journal.wants_blocks()
            ? make_in_blocks(request, *journal, sink, progress)
            : make_parts(request, workers(request.common.threads, &progress), sink);
    if (!made) return made.error();
    if (const Expected<void> finished = writer->finish(); !finished) return finished.error();
    if (*journal) (*journal)->remove();
    return counts;
}

Json family_names(const std::vector<generate::Family>& families) {
    Json names = Json::array();
    for (const generate::Family family : families)
        names.push_back(generate::name(family));
    return names;
}

Expected<void> run_file(const GenerateRequest& request, JsonOutput& json) {
    const Expected<GenerateCounts> counts = generate_file(request);
    if (!counts) return counts.error();
    Json report = {{"families", family_names(request.families)}};
    if (!request.scene.empty()) report = {{"scene", request.scene}};
    report.update(Json{{"kind", short_name(*request.kind)},
                       {"seed", request.seed},
                       {"out", request.out},
                       {"queries", counts->queries},
                       {"contacts", counts->contacts},
                       {"build", to_json(build_info())}});
    if (auto written = json.write(report); !written) return written;
    if (json.owns_stdout()) return {};
    return print_report(fmt::format("{}: {} {} queries, {} touch\n", printable(request.out),
                                    counts->queries, long_name(*request.kind), counts->contacts));
}

// The manifest, without the entry of each file.
Json summary_of(const io::Manifest& manifest) {
    Json summary = to_json(manifest);
    summary["sets"] = manifest.sets.size();
    return summary;
}

std::string text_of(const io::Manifest& manifest, const std::string& folder) {
    const Json summary = summary_of(manifest);
    return fmt::format("{}: set '{}' of data version {}, {} query files, {} queries, {} touch\n",
                       printable(folder), printable(manifest.set), manifest.data_version,
                       manifest.sets.size(), summary.find("queries")->as_natural().value_or(0),
                       summary.find("contacts")->as_natural().value_or(0));
}

Expected<void> run_set(const GenerateRequest& request, JsonOutput& json) {
    const auto shards = shards_from(request.shard, plan_of(request.set, 0)->size());
    const auto made = make_set(
        {request.set, request.out, request.format, request.seed, request.common.threads, *shards});
    if (!made) return made.error();
    Json report = summary_of(made->manifest);
    report.update(
        Json{{"out", request.out}, {"kept", made->kept}, {"build", to_json(build_info())}});
    if (auto written = json.write(report); !written) return written;
    if (json.owns_stdout()) return {};
    std::string text = text_of(made->manifest, request.out);
    if (made->kept > 0) text += fmt::format("{} of them were there already\n", made->kept);
    return print_report(text);
}

// The files of a set, one line each: number, path, queries.
Expected<void> run_shards(const GenerateRequest& request, JsonOutput& json) {
    const std::vector<SetPart> plan = *plan_of(request.set, request.seed);
    Json list = Json::array();
    std::string text;
    for (std::size_t i = 0; i < plan.size(); ++i) {
        const std::string path = path_of(plan[i], request.format);
        list.push_back(Json{{"shard", i}, {"path", path}, {"queries", count_of(plan[i])}});
        text += fmt::format("{:<6}{:>8}  {}\n", i, count_of(plan[i]), path);
    }
    const Json report = {
        {"set", request.set}, {"shards", std::move(list)}, {"build", to_json(build_info())}};
    if (auto written = json.write(report); !written) return written;
    return json.owns_stdout() ? Expected<void>() : print_report(text);
}

Expected<void> run_check(const GenerateRequest& request, JsonOutput& json) {
    const auto checked = check_folder(request.check);
    if (!checked) return checked.error();
    Json report = summary_of(*checked);
    report.update(Json{{"build", to_json(build_info())}});
    if (auto written = json.write(report); !written) return written;
    if (json.owns_stdout()) return {};
    return print_report(text_of(*checked, request.check) + "every file is as the manifest says\n");
}

Json scene_names(std::string_view group) {
    Json names = Json::array();
    for (const generate::SceneId scene : generate::kAllScenes) {
        if (generate::group_of(scene) == group) names.push_back(generate::name(scene));
    }
    return names;
}

Json set_sizes() {
    Json sizes = Json::object();
    for (const std::string_view set : set_names()) {
        std::uint64_t queries = 0;
        const std::vector<SetPart> parts = plan_of(set, 0).value_or(std::vector<SetPart>());
        for (const SetPart& part : parts)
            queries += count_of(part);
        sizes[std::string(set)] = queries;
    }
    return sizes;
}

std::string list_text(const Json& report) {
    std::string text;
    for (const auto& [title, key] :
         {std::pair{"families, for --family (vf, ee, vv, ve)", "families"},
          std::pair{"contact scenes, for --scene (vf, ee)", "contact"},
          std::pair{"scenes in motion, for --scene (vf, ee)", "motion"}}) {
        text += fmt::format("{}:\n", title);
        for (const Json& entry : report.find(key)->elements())
            text += fmt::format("  {}\n", *entry.as_text());
    }
    text += "sets, for --set, with their queries:\n";
    for (const auto& [set, queries] : report.find("sets")->members())
        text += fmt::format("  {:<8}{:>10}\n", set, queries.as_natural().value_or(0));
    return text;
}

Expected<void> run_list(JsonOutput& json) {
    const std::vector<generate::Family> all(generate::kAllFamilies.begin(),
                                            generate::kAllFamilies.end());
    const Json report = {{"data_version", io::kDataVersion},
                         {"families", family_names(all)},
                         {"contact", scene_names("contact")},
                         {"motion", scene_names("motion")},
                         {"sets", set_sizes()},
                         {"build", to_json(build_info())}};
    if (auto written = json.write(report); !written) return written;
    return json.owns_stdout() ? Expected<void>() : print_report(list_text(report));
}

Expected<void> run_generate(const GenerateRequest& request) {
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    if (request.list || request.shards || !request.check.empty()) {
        if (is_worker()) return left_to_rank_0();
        if (request.list) return run_list(*json);
        return request.shards ? run_shards(request, *json) : run_check(request, *json);
    }
    if (request.robots.is_wanted()) {
        if (is_worker()) return left_to_rank_0();
        return write_robot_files(request.robots, request.out, *json);
    }
    return request.set.empty() ? run_file(request, *json) : run_set(request, *json);
}

void check_set_request(const GenerateRequest& request) {
    if (request.kind) fail_usage("--kind does not go with --set, which has every kind");
    if (!plan_of(request.set, 0)) {
        std::string known;
        for (const std::string_view name : set_names())
            known += (known.empty() ? "" : ", ") + std::string(name);
        fail_usage(fmt::format("--set: '{}' is none of {}", request.set, known));
    }
    if (!is_set_format(request.format))
        fail_usage(fmt::format("--format: '{}' is none of gzq, csv, csv.gz", request.format));
    if (request.seed > kMostSetSeed)
        fail_usage(fmt::format("--seed: at most {} with --set", kMostSetSeed));
    if (!request.journal.path.empty())
        fail_usage("--journal does not go with --set, whose manifest says what is done");
    const std::size_t shards = plan_of(request.set, 0)->size();
    if (!shards_from(request.shard, shards))
        fail_usage(
            fmt::format("--shard: '{}' is neither K, nor K,L,..., nor K/N, of shards 0 to {}",
                        request.shard, shards - 1));
}

void check_file_request(const GenerateRequest& request) {
    if (!request.kind) fail_usage("--kind is required");
    check_query_file_name(request.out);
    if (request.scene.empty()) return check_numbers(request.seed, request.count);
    if (!generate::scene_from_name(request.scene))
        fail_usage(fmt::format("--scene: there is no '{}'; see --list", request.scene));
    if (*request.kind != QueryKind::VertexFace && *request.kind != QueryKind::EdgeEdge)
        fail_usage("--kind: scenes have vf and ee");
    if (request.count > kMostSceneQueries)
        fail_usage(fmt::format("--count: at most {} of a scene", kMostSceneQueries));
}

void check_request(const GenerateRequest& request) {
    const int chosen = (request.families.empty() ? 0 : 1) + (request.scene.empty() ? 0 : 1) +
                       (request.set.empty() ? 0 : 1) + (request.check.empty() ? 0 : 1) +
                       (request.robots.is_wanted() ? 1 : 0) + (request.list ? 1 : 0);
    if (chosen != 1)
        fail_usage(
            "generate needs one of --family, --scene, --set, --robot or --environment, --check and "
            "--list");
    if (request.list || !request.check.empty()) {
        if (!request.out.empty())
            fail_usage("--out goes with --family, --scene, --set, --robot and --environment");
        return;
    }
    if (request.set.empty() && (request.shards || !request.shard.empty()))
        fail_usage("--shard and --shards go with --set");
    if (request.shards) return check_set_request(request);
    if (request.out.empty()) fail_usage("--out is required");
    if (request.robots.is_wanted()) return check_robot_files(request.robots, request.out);
    request.set.empty() ? check_file_request(request) : check_set_request(request);
    if (request.set.empty()) check_journal(request.journal, request.results());
    check_places({{"--out", request.out},
                  {"--json", request.common.json},
                  {"--journal", request.journal.path}},
                 {});
}

}  // namespace

Command add_generate_command(App& app) {
    App* sub = app.add_command("generate", "Make queries with their exact truth");
    const auto request = std::make_shared<GenerateRequest>();
    add_family_option(*sub, request->families);
    sub->add_option("--scene", request->scene, "A scene of --list instead")->type_name("NAME");
    sub->add_option("--set", request->set,
                    "All families and scenes: smoke, small, medium, large, full")
        ->type_name("NAME");
    add_robot_options(*sub, request->robots);
    sub->add_option("--check", request->check, "Compare a folder of --set with its manifest")
        ->type_name("DIR");
    sub->add_flag("--list", request->list, "List families, scenes and sets");
    sub->add_option("--shard", request->shard,
                    "Only these files of --set: K, K,L,..., or K/N for every Nth from K on")
        ->type_name("K|K/N");
    sub->add_flag("--shards", request->shards, "List the files of --set with their numbers");
    add_kind_option(*sub, request->kind);
    add_natural_option(*sub, "--count", request->count,
                       "How many queries of each family, or of the scene", kQueryCounts);
    add_natural_option(*sub, "--seed", request->seed,
                       "Number of the first query of each family; for a scene or a set, another "
                       "one of its make");
    sub->add_option("--out", request->out,
                    "Where to: .csv, .csv.gz or .gzq; a folder for --set and --robot")
        ->type_name("FILE|DIR");
    sub->add_option("--format", request->format, "Of the query files of --set")
        ->type_name("gzq|csv|csv.gz")
        ->default_str("gzq");
    add_journal_options(*sub, request->journal);
    add_common_options(*sub, request->common);
    sub->footer(std::string(kGenerateExamples));
    sub->callback([request] { check_request(*request); });
    return {sub, [request] { return succeeded(run_generate(*request)); }, true};
}

}  // namespace graze::app

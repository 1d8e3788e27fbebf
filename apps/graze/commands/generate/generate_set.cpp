#include "generate_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/build_info.hpp"
#include "cli/interrupt.hpp"
#include "cli/workers.hpp"
#include "cluster/block_run.hpp"
#include "generate_manifest.hpp"
#include "generate_plan.hpp"
#include "graze/io/binary_form.hpp"
#include "graze/io/crc64.hpp"
#include "graze/io/hex_float.hpp"

namespace graze::app {
namespace {

namespace fs = std::filesystem;
using io::Manifest;
using io::ManifestSet;
using io::QueryRecord;

constexpr std::array<std::string_view, 3> kFormats = {"gzq", "csv", "csv.gz"};

// Where the files of a part lie: the layout of the study's later data set.
struct PartPaths {
    std::string queries;
    std::string truth;       // with CSV alone
    std::string first_time;  // with CSV alone
};

PartPaths paths_of(const SetPart& part, const std::string& format) {
    const std::string scene = group_of(part) + "/" + scene_of(part);
    const std::string stem = fmt::format("{}{}", shard_of(part), short_name(kind_of(part)));
    return {fmt::format("{}/queries/{}.{}", scene, stem, format),
            fmt::format("{}/mma_bool/{}_mma_bool.json", scene, stem),
            fmt::format("{}/first_time/{}_first_time.json", scene, stem)};
}

// CRC over the records as the binary form has them, but for the sign of zero, which CSV loses.
class ContentSum {
public:
    void add(const QueryRecord& record, QueryKind kind) {
        std::vector<unsigned char> bytes = {record.truth.value_or(false)
                                                ? io::binary_form::kContactTag
                                                : io::binary_form::kSeparatedTag};
        for (std::size_t c = 0; c < vertex_count(kind); ++c) {
            for (const Vec3& p : {record.corners[c].start, record.corners[c].end}) {
                for (std::size_t k = 0; k < 3; ++k)
                    io::binary_form::append(bytes, p[k] + 0.0);
            }
        }
        if (record.first_time) {
            io::binary_form::append(bytes, record.first_time->lower);
            io::binary_form::append(bytes, record.first_time->upper);
        }
        crc_.add(bytes);
    }
    [[nodiscard]] std::string text() const { return fmt::format("{:016x}", crc_.value()); }

private:
    io::Crc64 crc_;
};

// A JSON array that is written element by element.
class JsonList {
public:
    [[nodiscard]] static Expected<JsonList> create(const fs::path& path) {
        auto file = OutputFile::create(path.string());
        if (!file) return file.error();
        return JsonList(std::move(*file));
    }
    Expected<void> add(std::string_view element) {
        return file_.write(fmt::format("{}{}", std::exchange(separator_, ",\n"), element));
    }
    Expected<void> finish() {
        if (auto written = file_.write("]\n"); !written) return written;
        return file_.finish();
    }

private:
    explicit JsonList(OutputFile file) : file_(std::move(file)) {}
    OutputFile file_;
    std::string_view separator_ = "[";
};

std::string time_element(const QueryRecord& record) {
    if (!record.truth.value_or(false) || !record.first_time) return "null";
    return fmt::format("[{}, {}]", io::to_shortest(record.first_time->lower),
                       io::to_shortest(record.first_time->upper));
}

// The files of one part while they are written; none of them is there before finish().
class PartFiles {
public:
    [[nodiscard]] static Expected<PartFiles> create(const fs::path& folder, const SetPart& part,
                                                    const std::string& format) {
        PartFiles files(folder, paths_of(part, format), kind_of(part));
        const bool is_binary = format == "gzq";
        if (auto made = files.make_folders(!is_binary); !made) return made.error();
        auto writer =
            io::create_query_file(folder / files.paths_.queries, files.kind_,
                                  is_binary ? io::QueryFormat::Binary : io::QueryFormat::Csv);
        if (!writer) return writer.error();
        files.writer_ = std::move(*writer);
        if (is_binary) return files;
        for (auto [list, path] : {std::pair{&files.truths_, &files.paths_.truth},
                                  std::pair{&files.times_, &files.paths_.first_time}}) {
            auto created = JsonList::create(folder / *path);
            if (!created) return created.error();
            list->emplace(std::move(*created));
        }
        return files;
    }

    Expected<void> add(const QueryRecord& record) {
        ++set_.queries;
        set_.contacts += record.truth.value_or(false) ? 1 : 0;
        content_.add(record, kind_);
        QueryRecord written = record;
        if (truths_) {
            if (auto added = truths_->add(*record.truth ? "true" : "false"); !added) return added;
            if (auto added = times_->add(time_element(record)); !added) return added;
            written.truth.reset();  // it stands in the list
            written.first_time.reset();
        }
        return writer_->add(written);
    }

    // What was written, for the manifest.
    Expected<ManifestSet> finish() {
        for (auto* list : {&times_, &truths_}) {
            if (!*list) continue;
            if (auto done = (*list)->finish(); !done) return done.error();
        }
        if (auto done = writer_->finish(); !done) return done.error();
        std::vector<std::string> paths = {paths_.queries};
        if (truths_) paths.insert(paths.end(), {paths_.truth, paths_.first_time});
        for (const std::string& path : paths) {
            auto stamp = io::stamp_of_file(folder_ / path);
            if (!stamp) return stamp.error();
            set_.files.push_back({path, std::move(*stamp)});
        }
        set_.kind = kind_;
        set_.content = content_.text();
        return std::move(set_);
    }

private:
    PartFiles(fs::path folder, PartPaths paths, QueryKind kind)
        : folder_(std::move(folder)), paths_(std::move(paths)), kind_(kind) {}

    [[nodiscard]] Expected<void> make_folders(bool with_lists) const {
        std::vector<std::string> files = {paths_.queries};
        if (with_lists) files.insert(files.end(), {paths_.truth, paths_.first_time});
        for (const std::string& file : files) {
            const fs::path parent = (folder_ / file).parent_path();
            std::error_code failed;
            fs::create_directories(parent, failed);
            if (failed) return Error{parent.string() + ": " + failed.message()};
        }
        return {};
    }

    fs::path folder_;
    PartPaths paths_;
    QueryKind kind_;
    std::unique_ptr<io::QueryWriter> writer_;
    std::optional<JsonList> truths_;
    std::optional<JsonList> times_;
    ContentSum content_;
    ManifestSet set_;
};

Expected<ManifestSet> make_part(const SetRequest& request, const SetPart& part,
                                Progress* progress) {
    auto files = PartFiles::create(request.out, part, request.format);
    if (!files) return files.error();
    const RecordSink sink = [&files](const QueryRecord& record) { return files->add(record); };
    if (auto made = make_queries(part, workers(request.threads, progress), sink); !made)
        return made.error();
    auto set = files->finish();
    if (!set) return set.error();
    set->group = group_of(part);
    set->scene = scene_of(part);
    return set;
}

// The manifest to go on from: that of an earlier run of the same request, or an empty one.
Expected<Manifest> manifest_to_go_on(const SetRequest& request) {
    Manifest fresh;
    fresh.generator = build_info().version;
    fresh.set = request.set;
    fresh.seed = request.seed;
    fresh.format = request.format;
    auto found = read_manifest(request.out);
    if (!found) return found.error();
    std::error_code ignored;
    const bool is_empty = !fs::exists(request.out, ignored) || fs::is_empty(request.out, ignored);
    if (!*found && !is_empty) {
        return Error{request.out.string() +
                     ": holds something else than a generated set; name another folder"};
    }
    if (!*found) return fresh;
    const Manifest& old = **found;
    if (old.data_version == fresh.data_version && old.set == fresh.set && old.seed == fresh.seed &&
        old.format == fresh.format) {
        fresh.sets = old.sets;
        return fresh;
    }
    return Error{
        fmt::format("{}: holds the set '{}' with seed {} as {}, of data version {}, not "
                    "what was asked for; name another folder",
                    request.out.string(), old.set, old.seed, old.format, old.data_version)};
}

// What a process that was killed left of a file (graze/io/atomic_file.hpp): hidden, and never read, but in
// the way of who compares folders.
void remove_leftovers(const fs::path& file) {
    const std::string leftover = "." + file.filename().string() + ".part";
    std::error_code failed;
    for (fs::directory_iterator entry(file.parent_path(), failed), end; !failed && entry != end;
         entry.increment(failed)) {
        std::error_code ignored;
        if (entry->path().filename().string().starts_with(leftover))
            fs::remove(entry->path(), ignored);
    }
}

void remove_leftovers(const SetRequest& request, const SetPart& part) {
    const PartPaths paths = paths_of(part, request.format);
    for (const std::string& path : {paths.queries, paths.truth, paths.first_time})
        remove_leftovers(request.out / path);
}

// The entry of the part, if all its files are as it says.
const ManifestSet* finished_part(const SetRequest& request, const Manifest& old,
                                 const SetPart& part) {
    const std::string path = paths_of(part, request.format).queries;
    for (const ManifestSet& set : old.sets) {
        if (set.files.front().path != path) continue;
        return check_files(request.out, set) ? &set : nullptr;
    }
    return nullptr;
}

// Scenes judge about two pairs for one that they keep.
ProgressTotal work_of(const std::vector<SetPart>& parts) {
    std::uint64_t work = 0;
    for (const SetPart& part : parts)
        work += count_of(part) * (std::holds_alternative<SceneQueriesPart>(part) ? 2 : 1);
    return {work, true};
}

// One run of make_set(), on one of its ranks. Blocks are the parts of the plan.
class SetMaker {
public:
    SetMaker(const SetRequest& request, const std::vector<SetPart>& whole) : request_(request) {
        for (std::size_t i = 0; i < whole.size(); ++i) {
            const bool is_asked =
                request.shards.empty() ||
                std::binary_search(request.shards.begin(), request.shards.end(), i);
            (is_asked ? plan_ : others_).push_back(whole[i]);
        }
        is_there_.resize(plan_.size(), false);
    }

    // What an earlier run left. On rank 0 alone.
    Expected<void> find_missing() {
        const auto old = manifest_to_go_on(request_);
        if (!old) return old.error();
        remove_leftovers(request_.out / kManifestName);
        outcome_.manifest = *old;
        outcome_.manifest.sets.clear();
        for (std::size_t i = 0; i < plan_.size(); ++i) {
            if (const ManifestSet* done = finished_part(request_, *old, plan_[i])) {
                outcome_.manifest.sets.push_back(*done);
                ++outcome_.kept;
                is_there_[i] = true;
            } else {
                remove_leftovers(request_, plan_[i]);
            }
            if (stop_requested()) return stopped();
        }
        for (const SetPart& part : others_)
            for (const ManifestSet& set : old->sets)
                if (set.files.front().path == path_of(part, request_.format))
                    outcome_.manifest.sets.push_back(set);
        return {};
    }

    Expected<void> make_missing() {
        std::vector<SetPart> missing;
        for (std::size_t i = 0; i < plan_.size(); ++i)
            if (!is_there_[i]) missing.push_back(plan_[i]);
        Progress progress(work_of(missing), terminal_screen("making queries"));
        BlockJob job;
        job.count = plan_.size();
        job.name = [&](std::size_t i) { return path_of(plan_[i], request_.format); };
        job.is_known = [&](std::size_t i) { return is_there_[i]; };
        job.run = [&](std::size_t i) -> Expected<Payload> {
            const auto set =
                make_part(request_, plan_[i], session() == nullptr ? &progress : nullptr);
            if (!set) return set.error();
            const std::string text = entry_text(*set);
            return Payload(text.begin(), text.end());
        };
        job.arrive = [&](std::size_t i, const Payload& payload) -> Expected<void> {
            auto set = entry_from(std::string(payload.begin(), payload.end()));
            if (!set) return set.error();
            if (session() != nullptr) progress.advance(work_of({plan_[i]}).count);
            outcome_.manifest.sets.push_back(*std::move(set));
            return write_manifest(request_.out, outcome_.manifest);
        };
        return run_blocks(job);
    }

    Expected<SetOutcome> finish() {
        Manifest& manifest = outcome_.manifest;
        std::sort(manifest.sets.begin(), manifest.sets.end(),
                  [](const ManifestSet& a, const ManifestSet& b) {
                      return a.files.front().path < b.files.front().path;
                  });
        manifest.complete = manifest.sets.size() == plan_.size() + others_.size();
        if (auto said = write_manifest(request_.out, manifest); !said) return said.error();
        return std::move(outcome_);
    }

private:
    const SetRequest& request_;
    std::vector<SetPart> plan_;    // what is asked for
    std::vector<SetPart> others_;  // the rest of the set
    std::vector<bool> is_there_;   // by part of the plan
    SetOutcome outcome_;
};

}  // namespace

bool is_set_format(std::string_view format) {
    return std::find(kFormats.begin(), kFormats.end(), format) != kFormats.end();
}

std::string path_of(const SetPart& part, const std::string& format) {
    return paths_of(part, format).queries;
}

Expected<SetOutcome> make_set(const SetRequest& request) {
    const auto whole = plan_of(request.set, request.seed);
    if (!whole) return Error{"there is no set '" + request.set + "'"};
    SetMaker maker(request, *whole);
    if (!is_worker()) {
        if (auto begun = maker.find_missing(); !begun) return begun.error();
    }
    if (auto made = maker.make_missing(); !made) return made.error();
    return maker.finish();
}

}  // namespace graze::app

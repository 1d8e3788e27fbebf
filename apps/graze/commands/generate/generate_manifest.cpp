#include "generate_manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "cli/strict_json.hpp"
#include "graze/core/shown_text.hpp"
#include "graze/io/query_sets.hpp"

namespace graze::app {
namespace {

namespace fs = std::filesystem;
using io::Manifest;
using io::ManifestFile;
using io::ManifestSet;

Json to_json(const ManifestFile& file) {
    return {{"path", file.path}, {"bytes", file.stamp.bytes}, {"sha256", file.stamp.sha256}};
}

Json to_json(const ManifestSet& set) {
    Json files = Json::array();
    for (const ManifestFile& file : set.files)
        files.push_back(to_json(file));
    return {{"group", set.group},       {"scene", set.scene},       {"kind", short_name(set.kind)},
            {"queries", set.queries},   {"contacts", set.contacts}, {"content", set.content},
            {"files", std::move(files)}};
}

// Takes members of an object; remembers whether one was missing or of another type.
class Taker {
public:
    explicit Taker(const Json& json) : json_(json) {}

    [[nodiscard]] std::string text(const char* key) {
        const Json* value = member(key);
        const std::string* text = value == nullptr ? nullptr : value->as_text();
        return text == nullptr ? fail<std::string>(key) : *text;
    }
    [[nodiscard]] std::uint64_t natural(const char* key) {
        const Json* value = member(key);
        const auto natural = value == nullptr ? std::nullopt : value->as_natural();
        return natural ? *natural : fail<std::uint64_t>(key);
    }
    [[nodiscard]] bool boolean(const char* key) {
        const Json* value = member(key);
        const auto boolean = value == nullptr ? std::nullopt : value->as_boolean();
        return boolean ? *boolean : fail<bool>(key);
    }
    [[nodiscard]] Json array(const char* key) {
        const Json* value = member(key);
        if (value != nullptr && value->is_array()) return *value;
        return fail<Json>(key);
    }
    [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

private:
    [[nodiscard]] const Json* member(const char* key) const { return json_.find(key); }
    template <class T>
    T fail(const char* key) {
        if (!failure_) failure_ = Error{fmt::format("'{}' is missing or of another type", key)};
        return T();
    }

    const Json& json_;
    std::optional<Error> failure_;
};

// A path below the folder: neither absolute nor going up.
bool stays_below(const std::string& path) {
    const fs::path p(path);
    return !path.empty() && is_file_name(path) && !p.is_absolute() &&
           std::none_of(p.begin(), p.end(), [](const fs::path& part) { return part == ".."; });
}

Expected<ManifestFile> file_from(const Json& json) {
    Taker take(json);
    ManifestFile file{take.text("path"), {take.natural("bytes"), take.text("sha256")}};
    if (take.failure()) return *take.failure();
    if (!stays_below(file.path))
        return Error{"'path' leads out of the folder, or nowhere: " + shown_text(file.path)};
    return file;
}

Expected<ManifestSet> set_from(const Json& json) {
    Taker take(json);
    ManifestSet set;
    set.group = take.text("group");
    set.scene = take.text("scene");
    const std::string kind = take.text("kind");
    set.queries = take.natural("queries");
    set.contacts = take.natural("contacts");
    set.content = take.text("content");
    const Json files = take.array("files");
    if (take.failure()) return *take.failure();
    const std::optional<QueryKind> known = query_kind_from_name(kind);
    if (!known) return Error{"there is no kind '" + shown_text(kind) + "'"};
    set.kind = *known;
    for (const Json& element : files.elements()) {
        auto file = file_from(element);
        if (!file) return file.error();
        set.files.push_back(std::move(*file));
    }
    if (set.files.empty()) return Error{"a set without files"};
    return set;
}

// The query files that a data folder is seen to hold.
Expected<std::set<fs::path>> query_files_in(const fs::path& folder) {
    const auto sets = io::find_query_sets(folder);
    if (!sets) return sets.error();
    std::set<fs::path> files;
    for (const io::QuerySet& set : *sets)
        files.insert(set.source.queries.lexically_normal());
    return files;
}

}  // namespace

std::string entry_text(const ManifestSet& set) {
    return to_json(set).dump();
}

Expected<ManifestSet> entry_from(std::string_view text) {
    const auto json = Json::parse(text);
    if (!json || !json->is_object()) return Error{"an entry of the manifest is not whole"};
    return set_from(*json);
}

Json to_json(const Manifest& manifest) {
    Json sets = Json::array();
    std::uint64_t queries = 0;
    std::uint64_t contacts = 0;
    for (const ManifestSet& set : manifest.sets) {
        sets.push_back(to_json(set));
        queries += set.queries;
        contacts += set.contacts;
    }
    return {{"data_version", manifest.data_version},
            {"generator", manifest.generator},
            {"set", manifest.set},
            {"seed", manifest.seed},
            {"format", manifest.format},
            {"complete", manifest.complete},
            {"queries", queries},
            {"contacts", contacts},
            {"sets", std::move(sets)}};
}

Expected<Manifest> manifest_from_json(const Json& json) {
    Taker take(json);
    Manifest manifest;
    const std::uint64_t version = take.natural("data_version");
    manifest.generator = take.text("generator");
    manifest.set = take.text("set");
    manifest.seed = take.natural("seed");
    manifest.format = take.text("format");
    manifest.complete = take.boolean("complete");
    const Json sets = take.array("sets");
    if (take.failure()) return *take.failure();
    if (version > 0xffffffffU) return Error{"'data_version' is too large"};
    manifest.data_version = static_cast<std::uint32_t>(version);
    for (const Json& element : sets.elements()) {
        auto set = set_from(element);
        if (!set) return set.error();
        manifest.sets.push_back(std::move(*set));
    }
    return manifest;
}

Expected<std::optional<Manifest>> read_manifest(const fs::path& folder) {
    const fs::path path = folder / kManifestName;
    std::error_code ignored;
    if (fs::symlink_status(path, ignored).type() == fs::file_type::not_found)
        return std::optional<Manifest>();
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    if (!file) return Error{path.string() + ": cannot be read"};
    const std::optional<Json> json = Json::parse(text.view());
    if (!json) return Error{path.string() + ": " + check_json(text.view()).error().message};
    auto manifest = manifest_from_json(*json);
    if (!manifest) return Error{path.string() + ": " + manifest.error().message};
    return std::optional(std::move(*manifest));
}

Expected<void> write_manifest(const fs::path& folder, const Manifest& manifest) {
    auto file = OutputFile::create((folder / kManifestName).string());
    if (!file) return file.error();
    if (auto written = file->write(to_json(manifest).dump(1) + "\n"); !written) return written;
    return file->finish();
}

Expected<void> check_files(const fs::path& folder, const ManifestSet& set) {
    for (const ManifestFile& file : set.files) {
        const fs::path path = folder / file.path;
        const auto stamp = io::stamp_of_file(path);
        if (!stamp) return stamp.error();
        if (*stamp != file.stamp) {
            return Error{
                fmt::format("{}: is not the file that the manifest describes ({} bytes, "
                            "sha256 {})",
                            path.string(), stamp->bytes, stamp->sha256)};
        }
    }
    return {};
}

Expected<Manifest> check_folder(const fs::path& folder) {
    auto manifest = read_manifest(folder);
    if (!manifest) return manifest.error();
    if (!*manifest) return Error{(folder / kManifestName).string() + ": there is none"};
    if (!(*manifest)->complete) {
        return Error{folder.string() + ": is not complete: make the set again to finish it"};
    }
    auto unlisted = query_files_in(folder);
    if (!unlisted) return unlisted.error();
    const fs::path root = folder.lexically_normal();
    for (const ManifestSet& set : (*manifest)->sets) {
        if (auto same = check_files(folder, set); !same) return same.error();
        unlisted->erase((root / set.files.front().path).lexically_normal());
    }
    if (!unlisted->empty()) return Error{unlisted->begin()->string() + ": is not in the manifest"};
    return std::move(**manifest);
}

}  // namespace graze::app

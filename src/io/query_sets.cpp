#include "graze/io/query_sets.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace graze::io {
namespace {

namespace fs = std::filesystem;

// Deeper folders are an error: data / group / scene / folder, and a few more; loops of links end so.
constexpr int kMaxDepth = 8;

struct Listing {
    std::vector<fs::path> folders;
    std::vector<fs::path> files;
};

Error cannot_be_read(const fs::path& folder, const std::error_code& failed) {
    return Error{folder.string() + ": cannot be read: " + failed.message(), ErrorCode::CannotRead};
}

// An error if any entry cannot be looked at: nothing that is there is left out silently.
Expected<Listing> list_sorted(const fs::path& folder) {
    Listing listing;
    std::error_code failed;
    fs::directory_iterator entry(folder, failed);
    for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
        std::error_code unseen;
        const fs::file_status status = entry->status(unseen);
        if (unseen) {
            return Error{entry->path().string() + ": cannot be looked at: " + unseen.message(),
                         ErrorCode::CannotRead};
        }
        if (!is_directory(status) && !is_regular_file(status)) {
            return Error{entry->path().string() + ": is neither a file nor a folder",
                         ErrorCode::CannotRead};
        }
        (is_directory(status) ? listing.folders : listing.files).push_back(entry->path());
    }
    if (failed) return cannot_be_read(folder, failed);
    std::sort(listing.folders.begin(), listing.folders.end());
    std::sort(listing.files.begin(), listing.files.end());
    return listing;
}

// The files of a folder of a scene that may be missing.
Expected<std::vector<fs::path>> files_of(const fs::path& folder) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) return std::vector<fs::path>();
    auto listing = list_sorted(folder);
    if (!listing) return listing.error();
    return std::move(listing->files);
}

// File name without its ending, if that is one of `endings` or one of them with ".gz".
std::optional<std::string> stem_with(const fs::path& file,
                                     std::initializer_list<std::string_view> endings) {
    std::string name = file.filename().string();
    if (name.ends_with(".gz")) name.resize(name.size() - 3);
    for (const std::string_view ending : endings) {
        if (name.size() > ending.size() && name.ends_with(ending)) {
            return name.substr(0, name.size() - ending.size());
        }
    }
    return std::nullopt;
}

// A name that means queries, also in other letter case: such a file is listed or is an error.
bool looks_like_queries(const fs::path& file) {
    std::string name = file.filename().string();
    for (char& c : name)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (name.ends_with(".gz")) name.resize(name.size() - 3);
    return name.ends_with(".csv") || name.ends_with(".gzq");
}

Error misnamed(const fs::path& file, const std::string& expected) {
    return Error{file.string() + ": is not named " + expected, ErrorCode::InvalidInput};
}

// A packed file beside its unpacked self would count its queries twice.
bool is_packed_twin(const fs::path& file, const std::vector<fs::path>& files) {
    if (file.extension() != ".gz") return false;
    fs::path unpacked = file;
    unpacked.replace_extension();
    return std::find(files.begin(), files.end(), unpacked) != files.end();
}

// "3036ee" names the frame 3036 and the kind.
struct FrameAndKind {
    std::string frame;
    QueryKind kind = QueryKind::VertexFace;
};

std::optional<FrameAndKind> frame_and_kind(std::string_view stem) {
    constexpr std::size_t kKindLength = 2;
    if (stem.size() <= kKindLength) return std::nullopt;
    const std::size_t split = stem.size() - kKindLength;
    const std::optional<QueryKind> kind = query_kind_from_name(stem.substr(split));
    if (!kind) return std::nullopt;
    return FrameAndKind{std::string(stem.substr(0, split)), *kind};
}

// A frame file's name: what comes before its number, and the number.
struct FrameName {
    std::string prefix;
    std::uint64_t number = 0;
};

std::optional<FrameName> frame_name(const std::string& stem) {
    const std::size_t last_other = stem.find_last_not_of("0123456789");
    const std::size_t first = last_other == std::string::npos ? 0 : last_other + 1;
    FrameName name{stem.substr(0, first), 0};
    const char* end = stem.data() + stem.size();
    const auto [stop, failed] = std::from_chars(stem.data() + first, end, name.number);
    if (failed != std::errc() || stop != end) return std::nullopt;
    return name;
}

// The frame called `frame`, or else the only one whose name ends in that number ("ball92" for 92).
std::optional<fs::path> find_frame(const std::vector<fs::path>& frames, const std::string& frame) {
    std::vector<fs::path> numbered;
    for (const fs::path& file : frames) {
        const auto stem = stem_with(file, {".ply"});
        if (!stem) continue;
        if (*stem == frame) return file;
        const auto name = frame_name(*stem);
        if (name && name->prefix + frame == *stem) numbered.push_back(file);
    }
    if (numbered.size() != 1) return std::nullopt;
    return numbered.front();
}

// The frame with the same prefix and the next larger number.
std::optional<fs::path> next_frame(const std::vector<fs::path>& frames, const fs::path& start) {
    const auto start_name = frame_name(stem_with(start, {".ply"}).value_or(""));
    if (!start_name) return std::nullopt;
    std::optional<fs::path> best;
    std::uint64_t best_number = 0;
    for (const fs::path& file : frames) {
        const auto name = frame_name(stem_with(file, {".ply"}).value_or(""));
        if (!name || name->prefix != start_name->prefix) continue;
        if (name->number <= start_name->number || (best && name->number >= best_number)) continue;
        best = file;
        best_number = name->number;
    }
    return best;
}

// The folder as an absolute path without "." and "..": it and its parent have names to show.
fs::path with_name(const fs::path& folder) {
    std::error_code failed;
    const fs::path absolute = fs::absolute(folder, failed);
    const fs::path normal = (failed ? folder : absolute).lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
}

class SceneReader {
public:
    explicit SceneReader(fs::path scene) : scene_(std::move(scene)) {}

    // Every set of the scene, but for files in the folder itself; none if the folder is not a scene.
    Expected<std::vector<QuerySet>> read() {
        for (const auto part : {&SceneReader::add_kind_folders, &SceneReader::add_query_files,
                                &SceneReader::add_rebuilt}) {
            if (const Expected<void> done = (this->*part)(); !done) return done.error();
        }
        return std::move(sets_);
    }
    // Those of files in the folder itself, of which only those that name a kind are queries.
    std::vector<QuerySet> read_files(const std::vector<fs::path>& files) {
        for (const fs::path& file : files) {
            if (is_packed_twin(file, files)) continue;
            const auto name = frame_and_kind(stem_with(file, {".csv", ".gzq"}).value_or(""));
            if (!name || name->frame.size() < 2 || !name->frame.ends_with('.')) continue;
            add({.kind = name->kind, .queries = file, .truth = {}, .frames = {}, .boxes = {}});
        }
        return std::move(sets_);
    }

private:
    Expected<void> add_kind_folders() {
        for (const QueryKind kind : kAllQueryKinds) {
            const auto files = files_of(scene_ / long_name(kind));
            if (!files) return files.error();
            for (const fs::path& file : *files) {
                if (!looks_like_queries(file) || is_packed_twin(file, *files)) continue;
                if (!stem_with(file, {".csv", ".gzq"})) {
                    return misnamed(file, "<name>.csv, .csv.gz, .gzq or .gzq.gz");
                }
                add({.kind = kind, .queries = file, .truth = {}, .frames = {}, .boxes = {}});
            }
        }
        return {};
    }

    Expected<void> add_query_files() {
        const auto files = files_of(scene_ / "queries");
        if (!files) return files.error();
        for (const fs::path& file : *files) {
            if (!looks_like_queries(file) || is_packed_twin(file, *files)) continue;
            const auto stem = stem_with(file, {".csv", ".gzq"});
            const auto name = frame_and_kind(stem.value_or(""));
            if (!name) return misnamed(file, "<frame><vf|ee|vv|ve>.csv, .csv.gz, .gzq or .gzq.gz");
            with_query_file_.push_back(*stem);
            add({.kind = name->kind,
                 .queries = file,
                 .truth = truth_of(*stem),
                 .frames = {},
                 .boxes = {}});
        }
        return {};
    }

    Expected<void> add_rebuilt() {
        const auto files = files_of(scene_ / "boxes");
        if (!files) return files.error();
        const auto frames = files_of(scene_ / "frames");
        if (!frames) return frames.error();
        for (const fs::path& file : *files) {
            const auto stem = stem_with(file, {".json"});
            if (!stem || is_packed_twin(file, *files)) continue;
            const auto name = frame_and_kind(*stem);
            if (!name) return misnamed(file, "<frame><vf|ee|vv|ve>.json or .json.gz");
            if (has_query_file(*stem)) continue;
            auto pair = frame_pair(*frames, name->frame);
            if (!pair) return located(file.string(), pair.error());
            add({.kind = name->kind,
                 .queries = {},
                 .truth = truth_of(*stem),
                 .frames = std::move(*pair),
                 .boxes = file});
        }
        return {};
    }

    // The frame and the one after it; the error has no location.
    [[nodiscard]] Expected<std::vector<fs::path>> frame_pair(const std::vector<fs::path>& frames,
                                                             const std::string& frame) const {
        const auto start = find_frame(frames, frame);
        const auto end = start ? next_frame(frames, *start) : std::nullopt;
        if (end) return std::vector{*start, *end};
        return Error{
            "there is no frame " + frame + " with a next one in " + (scene_ / "frames").string(),
            ErrorCode::InvalidInput};
    }

    void add(QuerySource source) {
        const fs::path named = with_name(scene_);
        // Both truths are stored for the same question.
        source.truth_conflict = TruthConflict::IsError;
        sets_.push_back({named.parent_path().filename().string(), named.filename().string(),
                         std::move(source)});
    }

    [[nodiscard]] bool has_query_file(const std::string& stem) const {
        return std::find(with_query_file_.begin(), with_query_file_.end(), stem) !=
               with_query_file_.end();
    }

    // A name that is there is taken, so that one that does not open is an error when it is read.
    [[nodiscard]] std::optional<fs::path> truth_of(const std::string& stem) const {
        std::error_code ignored;
        for (const std::string_view ending : {"_mma_bool.json", "_mma_bool.json.gz"}) {
            fs::path truth = scene_ / "mma_bool" / (stem + std::string(ending));
            if (fs::symlink_status(truth, ignored).type() != fs::file_type::not_found) return truth;
        }
        return std::nullopt;
    }

    fs::path scene_;
    std::vector<QuerySet> sets_;
    std::vector<std::string> with_query_file_;
};

// Does a folder of this name, in a scene, hold query files?
bool is_place_of_queries(const fs::path& folder) {
    const std::string name = folder.filename().string();
    return name == "queries" ||
           std::any_of(kAllQueryKinds.begin(), kAllQueryKinds.end(),
                       [&](QueryKind kind) { return name == long_name(kind); });
}

// Below the folders that hold query files no more of them are searched for.
Expected<void> check_below_place(const std::vector<fs::path>& files) {
    for (const fs::path& file : files) {
        if (!looks_like_queries(file)) continue;
        return Error{file.string() + ": lies too deep, below the folder for query files",
                     ErrorCode::InvalidInput};
    }
    return {};
}

enum class Where : std::uint8_t { Above, InPlace, BelowPlace };  // of query files

// The sets of a folder as a scene, if it is one, and of all folders in it.
Expected<std::vector<QuerySet>> walk(const fs::path& folder, int depth, Where where) {
    if (depth > kMaxDepth) {
        return Error{folder.string() + ": lies more than " + std::to_string(kMaxDepth) +
                         " folders deep, where nothing is searched",
                     ErrorCode::InvalidInput};
    }
    const auto listing = list_sorted(folder);
    if (!listing) return listing.error();
    if (where == Where::BelowPlace) {
        const Expected<void> checked = check_below_place(listing->files);
        if (!checked) return checked.error();
    }
    auto sets = SceneReader(folder).read();
    if (sets && where == Where::Above) {
        std::vector<QuerySet> own = SceneReader(folder).read_files(listing->files);
        std::move(own.begin(), own.end(), std::back_inserter(*sets));
    }
    for (std::size_t i = 0; sets && i < listing->folders.size(); ++i) {
        const fs::path& inner = listing->folders[i];
        const Where below = is_place_of_queries(inner) ? Where::InPlace
                            : where == Where::Above    ? Where::Above
                                                       : Where::BelowPlace;
        auto found = walk(inner, depth + 1, below);
        if (!found) return found.error();
        std::move(found->begin(), found->end(), std::back_inserter(*sets));
    }
    return sets;
}

}  // namespace

Expected<std::vector<QuerySet>> find_query_sets(const std::filesystem::path& folder) {
    std::error_code failed;
    const bool is_folder = fs::is_directory(folder, failed);
    if (failed) return cannot_be_read(folder, failed);
    if (!is_folder) return Error{folder.string() + ": is not a folder", ErrorCode::CannotRead};
    auto sets = walk(folder, 0, Where::Above);
    if (sets && sets->empty())
        return Error{folder.string() + ": holds no query set", ErrorCode::InvalidInput};
    return sets;
}

}  // namespace graze::io

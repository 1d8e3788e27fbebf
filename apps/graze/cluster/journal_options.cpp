#include "cluster/journal_options.hpp"

#include <fmt/format.h>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/places.hpp"
#include "graze/io/manifest.hpp"

namespace graze::app {

void add_journal_options(App& app, JournalOptions& options) {
    app.add_flag("--resume", options.resumes,
                 "Go on from the journal that an interrupted run of this command left");
    app.add_option(
           "--journal", options.path,
           "Keep finished blocks there until all is done; under mpirun, and with --resume,\n"
           "beside the first file of results, as FILE.journal")
        ->type_name("FILE");
}

std::string journal_place(const JournalOptions& options, const std::vector<std::string>& results) {
    if (!options.path.empty()) return options.path;
    for (const std::string& path : results)
        if (!path.empty() && output_place_of(path).kind == PlaceKind::File)
            return path + ".journal";
    return {};
}

void check_journal(const JournalOptions& options, const std::vector<std::string>& results) {
    if (options.resumes && journal_place(options, results).empty())
        fail_usage("--resume needs a file of results, beside which its journal is, or --journal");
}

Expected<std::optional<BlockJournal>> open_journal(const JournalOptions& options,
                                                   const std::vector<std::string>& results) {
    std::optional<BlockJournal> journal;
    const std::string place = journal_place(options, results);
    if (!options.wants_blocks() || place.empty() || is_worker()) return journal;
    const std::string settings = fmt::format("graze {}, data {}: {}", build_info().version,
                                             io::kDataVersion, settings_line());
    auto opened = options.resumes ? BlockJournal::resume(place, settings)
                                  : BlockJournal::create(place, settings);
    if (!opened) return opened.error();
    journal.emplace(*std::move(opened));
    if (journal->kept() > 0)
        tell(fmt::format("{}: {} blocks taken from it", place, journal->kept()));
    return journal;
}

Expected<void> run_journaled(const BlockJob& job, std::optional<BlockJournal>& journal) {
    Expected<void> done = run_blocks(job, journal ? &*journal : nullptr);
    if (!done && journal)
        warn(
            fmt::format("finished blocks are kept in {}: the same command with --resume goes on "
                        "from there",
                        printable(journal->path())));
    return done;
}

}  // namespace graze::app

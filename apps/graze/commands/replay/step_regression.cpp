#include "step_regression.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/output.hpp"
#include "commands/repro/regression_source.hpp"

namespace graze::app {
namespace {

namespace fs = std::filesystem;

Expected<void> write_one_step(const fs::path& path, const ChangedStep& changed) {
    auto recorder = io::Recorder::create(path, verify::recorded(changed.mesh), changed.version);
    if (!recorder) return recorder.error();
    const io::RecordedStep& step = changed.step;
    auto added = recorder->add(step.start, step.end, *step.settings, step.search, step.answer);
    if (!added) return added;
    return recorder->finish();
}

Expected<void> write_one_query(const fs::path& path, QueryKind kind,
                               const io::QueryRecord& record) {
    auto file = io::create_query_file(path, kind, io::QueryFormat::Binary);
    if (!file) return file.error();
    if (auto added = (*file)->add(record); !added) return added;
    return (*file)->finish();
}

// The name of the file; empty where the query is not finite, so that there is no exact answer.
Expected<std::string> write_test(const fs::path& folder, const ChangedStep& changed, QueryKind kind,
                                 const io::QueryRecord& record) {
    const Regression regression =
        regression_of({record, kind, changed.options.method, changed.options.query},
                      fmt::format("replay of {}", long_name(kind)),
                      fmt::format("step {} of {}", changed.step.index, changed.origin));
    if (regression.truth.state == oracle::State::Invalid) return std::string();
    const std::string path = (folder / regression_file_name(regression)).string();
    auto file = OutputFile::create(path);
    if (!file) return file.error();
    if (auto written = file->write(regression_source(regression)); !written) return written.error();
    if (auto finished = file->finish(); !finished) return finished.error();
    return path;
}

}  // namespace

Expected<std::vector<std::string>> write_step_regression(const std::string& folder,
                                                         const ChangedStep& changed) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (!fs::is_directory(folder))
        return Error{folder + ": cannot be made a folder", ErrorCode::CannotWrite};
    const std::string stem = fmt::format("step_{:06}", changed.step.index);
    std::vector<std::string> files = {(fs::path(folder) / (stem + ".gzr")).string()};
    if (auto written = write_one_step(files.front(), changed); !written) return written.error();
    const verify::AnswerDifference& difference = changed.difference;
    if (!difference.was && !difference.is) return files;
    const io::RecordedImpact& pair = difference.was ? *difference.was : *difference.is;
    const auto query = verify::query_of(changed.mesh, changed.step.start, changed.step.end, pair);
    if (!query) return files;
    const auto path = fs::path(folder) / fmt::format("{}.{}.gzq", stem, short_name(pair.kind));
    if (auto written = write_one_query(path, pair.kind, *query); !written) return written.error();
    files.push_back(path.string());
    if (!changed.options.radius.empty()) return files;
    auto test = write_test(folder, changed, pair.kind, *query);
    if (!test) return test.error();
    if (!test->empty()) files.push_back(*std::move(test));
    return files;
}

}  // namespace graze::app

#include "graze/sim/runner.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <system_error>
#include <utility>

#include "contact_search.hpp"
#include "graze/io/atomic_file.hpp"
#include "graze/io/byte_reader.hpp"
#include "graze/io/query_file.hpp"
#include "graze/sim/barrier.hpp"
#include "graze/sim/motion_check.hpp"
#include "graze/sim/picture.hpp"
#include "graze/verify/ground_truth.hpp"

namespace graze::sim {
namespace {

namespace fs = std::filesystem;

std::string numbered(const char* stem, std::uint64_t number, const std::string& extension) {
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "_%06llu", static_cast<unsigned long long>(number));
    return stem + std::string(digits.data()) + extension;
}

Expected<void> write_whole(const fs::path& path, std::span<const unsigned char> bytes) {
    auto file = io::AtomicFile::create(path, io::Packing::Plain);
    if (!file) return file.error();
    if (auto written = (*file)->write(bytes); !written) return written;
    return (*file)->commit();
}
Expected<void> write_whole(const fs::path& path, const std::string& text) {
    return write_whole(path,
                       std::span(reinterpret_cast<const unsigned char*>(text.data()), text.size()));
}

Expected<std::vector<unsigned char>> read_whole(const fs::path& path) {
    auto reader = io::ByteReader::open(path);
    if (!reader) return reader.error();
    std::vector<unsigned char> bytes;
    std::array<unsigned char, 4096> block{};
    while (const std::size_t count = reader->read(block))
        bytes.insert(bytes.end(), block.begin(),
                     block.begin() + static_cast<std::ptrdiff_t>(count));
    if (reader->failure()) return *reader->failure();
    return bytes;
}

Expected<void> make_folder(const fs::path& folder) {
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (!fs::is_directory(folder)) {
        return Error{folder.string() + ": cannot be made a folder", ErrorCode::CannotWrite};
    }
    return {};
}

// Frames of the states in a folder, ascending.
std::vector<std::uint64_t> stored_frames(const fs::path& folder) {
    std::vector<std::uint64_t> frames;
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(folder, failure)) {
        unsigned long long number = 0;
        const std::string name = entry.path().filename().string();
        if (std::sscanf(name.c_str(), "frame_%llu.state", &number) == 1 &&
            name == numbered("frame", number, ".state")) {
            frames.push_back(number);
        }
    }
    std::sort(frames.begin(), frames.end());
    return frames;
}

// The candidates of the first motion that is requested in each step, with their exact ground truth.
class QueryFiles {
public:
    QueryFiles(const Model& model, const RunOptions& options)
        : model_(model), options_(options), stepper_(model.surface) {}

    void next_step(std::uint64_t number) {
        step_ = number;
        is_written_ = false;
    }
    [[nodiscard]] Expected<void> motion(std::span<const Vec3> start, std::span<const Vec3> end) {
        if (is_written_) return {};
        is_written_ = true;
        const auto candidates = stepper_.candidates(start, end);
        if (!candidates) return candidates.error();
        const std::vector<ContactPair> pairs = contact_pairs(model_, *candidates);
        for (const QueryKind kind : kAllQueryKinds) {
            std::vector<io::QueryRecord> records;
            for (const ContactPair& pair : pairs)
                if (pair.kind == kind) records.push_back(record_of(pair, start, end));
            if (auto written = write(kind, records); !written) return written;
        }
        return {};
    }

private:
    static io::QueryRecord record_of(const ContactPair& pair, std::span<const Vec3> start,
                                     std::span<const Vec3> end) {
        io::QueryRecord record;
        const auto vertices = pair.vertices();
        for (std::size_t i = 0; i < vertices.size(); ++i)
            record.corners[i] = {start[vertices[i]], end[vertices[i]]};
        return record;
    }
    [[nodiscard]] Expected<void> write(QueryKind kind, std::span<const io::QueryRecord> records) {
        if (records.empty()) return {};
        verify::GroundTruthOptions options;
        options.workers.threads = options_.threads;
        options.workers.stop = options_.stop;
        const auto truths = verify::ground_truths(records, kind, options);
        if (options_.stop.stop_requested()) return Error{"stopped", ErrorCode::Cancelled};
        const std::string extension = "." + std::string(short_name(kind)) + ".gzq";
        auto file = io::create_query_file(options_.queries / numbered("step", step_, extension),
                                          kind, io::QueryFormat::Binary);
        if (!file) return file.error();
        for (std::size_t i = 0; i < records.size(); ++i) {
            auto added = (*file)->add(verify::with_exact_truth(records[i], truths[i].truth));
            if (!added) return added;
        }
        return (*file)->finish();
    }

    const Model& model_;
    const RunOptions& options_;
    MeshStepper stepper_;
    std::uint64_t step_ = 0;
    bool is_written_ = false;
};

class Run {
public:
    Run(const Model& model, const RunOptions& options)
        : model_(model),
          options_(options),
          checksum_(model_checksum(model)),
          check_(model, options.threads, options.stop) {
        if (!options.queries.empty()) queries_.emplace(model, options);
    }

    [[nodiscard]] Expected<RunReport> all();

private:
    [[nodiscard]] Expected<void> begin();
    [[nodiscard]] Expected<bool> resume();
    [[nodiscard]] Expected<FrameStats> frame(Response& response);
    [[nodiscard]] Expected<void> write_frame(const FrameStats& stats);
    [[nodiscard]] Expected<void> write_page();
    [[nodiscard]] ResponseOptions response_options();
    template <class Observe>
    [[nodiscard]] Expected<void> observed(const Observe& observe) {
        const Seconds seconds;
        const Expected<void> result = observe();
        seconds_observed_ += seconds.since_start();
        return result;
    }
    [[nodiscard]] ResponseOptions heard_options();
    [[nodiscard]] Expected<void> hear_of_state(const FrameStats& stats);
    [[nodiscard]] fs::path file(const std::string& extension) const {
        return options_.out / numbered("frame", state_.frame, extension);
    }

    const Model& model_;
    const RunOptions& options_;
    std::uint64_t checksum_;
    MotionCheck check_;
    std::optional<QueryFiles> queries_;
    State state_;
    RunReport report_;
    double seconds_observed_ = 0.0;  // of what observes the step under way
};

ResponseOptions Run::response_options() {
    ResponseOptions options;
    options.threads = options_.threads;
    options.method = options_.method;
    options.stop = options_.stop;
    if (options_.check) {
        options.observer = [this](std::span<const Vec3> start, std::span<const Vec3> end) {
            return observed([&] { return check_.motion(start, end); });
        };
    }
    if (queries_ || options_.proposals) {
        options.proposals = [this](std::span<const Vec3> start, std::span<const Vec3> end) {
            return observed([&]() -> Expected<void> {
                if (options_.proposals) {
                    if (auto heard = options_.proposals(start, end); !heard) return heard;
                }
                return queries_ ? queries_->motion(start, end) : Expected<void>();
            });
        };
    }
    return options;
}

Expected<void> Run::write_frame(const FrameStats& stats) {
    if (options_.out.empty()) return {};
    const char* extension = options_.format == FrameFormat::Obj ? ".obj" : ".ply";
    if (auto written = write_whole(file(extension), frame_text(model_, state_.x, options_.format));
        !written) {
        return written;
    }
    if (options_.pictures) {
        const auto picture = picture_png(model_, state_.x);
        if (!picture) return picture.error();
        if (auto written = write_whole(file(".png"), *picture); !written) return written;
    }
    // Last: a state says that all else of its frame is there.
    return write_whole(file(".state"), to_bytes({state_, stats}, checksum_));
}

Expected<void> Run::write_page() {
    if (!options_.pictures) return {};
    std::vector<std::string> pictures;
    for (std::uint64_t i = 0; i <= state_.frame; ++i)
        pictures.push_back(numbered("frame", i, ".png"));
    return write_whole(options_.out / "index.html", run_page(model_, report_.frames, pictures));
}

// The last state before which all are there and whole: with a gap the figures of the run would not
// hold what the steps in it had counted. Those after it are made again. False where there is none.
Expected<bool> Run::resume() {
    std::vector<std::uint64_t> frames = stored_frames(options_.out);
    bool has_others =
        std::erase_if(frames, [&](std::uint64_t frame) { return frame > options_.frames; }) > 0;
    std::uint64_t next = 0;
    for (const std::uint64_t frame : frames) {
        const fs::path path = options_.out / numbered("frame", frame, ".state");
        const auto bytes = read_whole(path);
        if (!bytes) return bytes.error();
        auto stored = state_from_bytes(*bytes, checksum_, model_.rest.size());
        // Whole, but not of this run: to begin anew would delete it.
        const bool is_other = !stored && (stored.error().code == ErrorCode::InvalidInput ||
                                          stored.error().code == ErrorCode::Unsupported);
        if (is_other) {
            return Error{path.string() + ": " + stored.error().message, ErrorCode::InvalidInput};
        }
        if (!stored || stored->state.frame != frame) continue;
        has_others = has_others || frame != next;
        if (frame != next) continue;
        state_ = std::move(stored->state);
        if (frame > 0) report_.frames.push_back(stored->stats);
        ++next;
    }
    // To begin anew would delete them.
    if (next == 0 && has_others)
        return Error{(options_.out / numbered("frame", 0, ".state")).string() +
                         ": is missing or damaged: begin in another folder, or without resuming",
                     ErrorCode::CannotRead};
    if (next == 0) return false;
    report_.resumed_at = next - 1;
    return true;
}

Expected<void> Run::begin() {
    for (const fs::path& folder : {options_.out, options_.queries})
        if (!folder.empty()) {
            if (auto made = make_folder(folder); !made) return made;
        }
    if (options_.resume && !options_.out.empty()) {
        const auto resumed = resume();
        if (!resumed) return resumed.error();
        if (*resumed) return {};
    }
    state_ = start_state(model_);
    if (auto good = check_.start(state_.x); !good) return good;
    // States of an earlier run must not be taken for those of this one.
    if (!options_.out.empty()) {
        for (const std::uint64_t frame : stored_frames(options_.out)) {
            std::error_code ignored;
            fs::remove(options_.out / numbered("frame", frame, ".state"), ignored);
        }
    }
    return write_frame({});
}

Expected<FrameStats> Run::frame(Response& response) {
    FrameStats stats;
    for (int i = 0; i < model_.solver.steps_per_frame; ++i) {
        const auto steps = static_cast<std::uint64_t>(model_.solver.steps_per_frame);
        if (queries_) queries_->next_step(state_.frame * steps + static_cast<std::uint64_t>(i));
        auto step = response.step(state_);
        if (!step) return step.error();
        step->seconds -= std::exchange(seconds_observed_, 0.0);
        if (options_.check) {
            if (auto checked = check_.end_of_step(state_.x, *step); !checked)
                return checked.error();
        }
        stats.add(*step);
    }
    stats.frame = ++state_.frame;
    return stats;
}

// Beside what observes for the run itself.
ResponseOptions Run::heard_options() {
    ResponseOptions options = response_options();
    if (!options_.on_motion) return options;
    options.observer = [this, own = options.observer](std::span<const Vec3> start,
                                                      std::span<const Vec3> end) {
        if (own) {
            if (auto observed_by_run = own(start, end); !observed_by_run) return observed_by_run;
        }
        return observed([&] { return options_.on_motion(start, end); });
    };
    return options;
}

Expected<void> Run::hear_of_state(const FrameStats& stats) {
    return options_.on_state ? options_.on_state(state_, stats) : Expected<void>();
}

Expected<RunReport> Run::all() {
    auto response = make_response(model_, heard_options());
    if (!response) return response.error();
    if (auto begun = begin(); !begun) return begun.error();
    if (auto heard = hear_of_state({}); !heard) return heard.error();
    while (state_.frame < options_.frames) {
        if (options_.stop.stop_requested()) return Error{"stopped", ErrorCode::Cancelled};
        const auto stats = frame(**response);
        if (!stats) return stats.error();
        if (auto written = write_frame(*stats); !written) return written.error();
        if (auto heard = hear_of_state(*stats); !heard) return heard.error();
        report_.frames.push_back(*stats);
        if (options_.on_frame) options_.on_frame(*stats);
    }
    for (const FrameStats& stats : report_.frames)
        report_.total.add(stats);
    if (auto written = write_page(); !written) return written.error();
    report_.end = std::move(state_);
    return std::move(report_);
}

}  // namespace

Expected<std::uint64_t> intersections_at(const Model& model, std::span<const Vec3> x,
                                         unsigned threads) {
    MeshStepper stepper(model.surface);
    StepOptions options = collision_options(model);
    options.threads = static_cast<int>(threads);
    const auto found = stepper.intersections(x, options);
    if (!found) return found.error();
    return std::uint64_t{found->size()};
}

Expected<RunReport> run(const Model& model, const RunOptions& options) {
    if (auto good = check_model(model); !good) return good.error();
    if (options.pictures && options.out.empty()) {
        return Error{"pictures need a folder", ErrorCode::InvalidOption};
    }
    return Run(model, options).all();
}

}  // namespace graze::sim

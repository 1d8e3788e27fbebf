// Records the steps of a MeshStepper, and answers recorded steps again.
//
//   auto recorder = verify::StepRecorder::create("run.gzr", stepper.topology(), "my solver 1.2");
//   const auto impacts = recorder->all_impacts(stepper, start, end, options);   // asks and records
//   ...
//   recorder->finish();
//
// Without objects of its own: who includes it links the modules mesh and io.
#pragma once

#include <algorithm>
#include <bit>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "graze/io/hex_float.hpp"
#include "graze/io/query_file.hpp"
#include "graze/io/recording.hpp"
#include "graze/mesh/step.hpp"

namespace graze::verify {

// --- From the types of the mesh module to plain records --------------------------------------------

[[nodiscard]] inline io::RecordedMesh recorded(const MeshTopology& mesh) {
    io::RecordedMesh result{mesh.vertex_count, mesh.faces, {}};
    const std::vector<EdgeIndices> sides = unique_edges(mesh.faces);
    std::set_difference(mesh.edges.begin(), mesh.edges.end(), sides.begin(), sides.end(),
                        std::back_inserter(result.edges));
    return result;
}

// Candidates, threads, executor, progress and stop change no answer, and are not recorded.
// Error: Unsupported, a filter function: what it decides cannot be stored; layers and masks can.
[[nodiscard]] inline Expected<io::RecordedSettings> recorded(const StepOptions& options) {
    if (options.filter.accepts) {
        return Error{"a filter function cannot be recorded: use layers and masks",
                     ErrorCode::Unsupported};
    }
    const auto copied = [](auto list) { return std::vector(list.begin(), list.end()); };
    io::RecordedSettings settings;
    settings.method = options.method.name;
    settings.query = options.query;
    settings.bounds = options.bounds;
    settings.declared = options.declared;
    settings.radius = copied(options.radius);
    settings.rest = copied(options.rest);
    settings.body = copied(options.filter.body);
    settings.within_bodies = options.filter.within_bodies;
    settings.fixed = copied(options.filter.fixed);
    settings.layers = copied(options.filter.layers);
    settings.mask = copied(options.filter.mask);
    return settings;
}

[[nodiscard]] inline io::RecordedImpact recorded(const Impact& impact) {
    io::RecordedImpact result{impact.kind, impact.a, impact.b, impact.result};
    result.result.checks = 0;
    return result;
}

namespace recorder_detail {

[[nodiscard]] inline io::RecordedAnswer answer_of(const StepVerdict& verdict,
                                                  std::span<const Impact> impacts,
                                                  std::optional<std::uint64_t> first) {
    io::RecordedAnswer answer;
    answer.verdict = verdict.verdict;
    answer.toi_lower = verdict.toi_lower;
    answer.toi_upper = verdict.toi_upper;
    answer.count = impacts.size();
    answer.first = first;
    for (const Impact& impact : impacts)
        answer.impacts.push_back(recorded(impact));
    answer.hash = io::hash_of(answer);
    return answer;
}

}  // namespace recorder_detail

[[nodiscard]] inline io::RecordedAnswer recorded(const FirstImpact& first) {
    if (!first.impact) return recorder_detail::answer_of(first, {}, std::nullopt);
    return recorder_detail::answer_of(first, std::span(&*first.impact, 1), 0);
}
[[nodiscard]] inline io::RecordedAnswer recorded(const StepImpacts& all) {
    std::optional<std::uint64_t> first;
    if (all.first) first = *all.first;
    return recorder_detail::answer_of(all, all.impacts, first);
}

// --- Recording -------------------------------------------------------------------------------------

// Which impacts of a step are stored; the hash is of all of them.
enum class KeptImpacts : std::uint8_t { All, First };

class StepRecorder {
public:
    // Errors as of io::Recorder::create().
    [[nodiscard]] static Expected<StepRecorder> create(const std::filesystem::path& path,
                                                       const MeshTopology& mesh,
                                                       std::string_view version,
                                                       KeptImpacts kept = KeptImpacts::All) {
        auto recorder = io::Recorder::create(path, recorded(mesh), version);
        if (!recorder) return recorder.error();
        return StepRecorder(*std::move(recorder), kept);
    }

    // What the stepper answers, recorded. Errors of either.
    [[nodiscard]] Expected<FirstImpact> first_impact(MeshStepper& stepper, const Positions& start,
                                                     const Positions& end,
                                                     const StepOptions& options = {}) {
        return recorded_answer(stepper.first_impact(start, end, options), start, end, options);
    }
    [[nodiscard]] Expected<StepImpacts> all_impacts(MeshStepper& stepper, const Positions& start,
                                                    const Positions& end,
                                                    const StepOptions& options = {}) {
        return recorded_answer(stepper.all_impacts(start, end, options), start, end, options);
    }
    // A step that was answered elsewhere.
    [[nodiscard]] Expected<void> add(std::span<const Vec3> start, std::span<const Vec3> end,
                                     const StepOptions& options, const FirstImpact& answer) {
        return add(start, end, options, io::RecordedSearch::FirstImpact, recorded(answer));
    }
    [[nodiscard]] Expected<void> add(std::span<const Vec3> start, std::span<const Vec3> end,
                                     const StepOptions& options, const StepImpacts& answer) {
        return add(start, end, options, io::RecordedSearch::AllImpacts, recorded(answer));
    }
    [[nodiscard]] Expected<void> mark(std::string_view name,
                                      std::span<const std::pair<std::string, double>> numbers) {
        return recorder_.mark(name, numbers);
    }
    [[nodiscard]] Expected<void> finish() { return recorder_.finish(); }
    [[nodiscard]] std::uint64_t steps() const noexcept { return recorder_.steps(); }

private:
    StepRecorder(io::Recorder recorder, KeptImpacts kept)
        : recorder_(std::move(recorder)), kept_(kept) {}

    template <class Answer>
    [[nodiscard]] Expected<Answer> recorded_answer(Expected<Answer> answer, const Positions& start,
                                                   const Positions& end,
                                                   const StepOptions& options) {
        if (!answer) return answer;
        if (auto added = add(start.view(), end.view(), options, *answer); !added)
            return added.error();
        return answer;
    }
    [[nodiscard]] Expected<void> add(std::span<const Vec3> start, std::span<const Vec3> end,
                                     const StepOptions& options, io::RecordedSearch search,
                                     const io::RecordedAnswer& answer) {
        const auto settings = recorded(options);
        if (!settings) return settings.error();
        return recorder_.add(start, end, *settings, search,
                             kept_ == KeptImpacts::First ? io::with_first_alone(answer) : answer);
    }

    io::Recorder recorder_;
    KeptImpacts kept_;
};

// --- Answering again -------------------------------------------------------------------------------

// Errors as of make_topology().
[[nodiscard]] inline Expected<MeshTopology> topology_of(const io::RecordedMesh& mesh) {
    return make_topology(mesh.vertex_count, mesh.faces, mesh.edges);
}

// What was asked, with views into the settings, which outlive it.
// Error: Unsupported, a method that is not registered here.
[[nodiscard]] inline Expected<StepOptions> options_of(const io::RecordedSettings& settings,
                                                      const MethodRegistry& registry) {
    const Method* method = registry.find(settings.method);
    if (method == nullptr) {
        return Error{"there is no method '" + settings.method + "' here", ErrorCode::Unsupported};
    }
    StepOptions options;
    options.method = *method;
    options.query = settings.query;
    options.bounds = settings.bounds;
    options.declared = settings.declared;
    options.radius = settings.radius;
    options.rest = settings.rest;
    options.filter.body = settings.body;
    options.filter.within_bodies = settings.within_bodies;
    options.filter.fixed = settings.fixed;
    options.filter.layers = settings.layers;
    options.filter.mask = settings.mask;
    return options;
}

// The answer of this program to a recorded step. `options`: options_of() its settings, with threads,
// progress and stop of the caller's. Errors as of MeshStepper::first_impact().
[[nodiscard]] inline Expected<io::RecordedAnswer> answered_again(MeshStepper& stepper,
                                                                 const io::RecordedStep& step,
                                                                 const StepOptions& options) {
    if (step.search == io::RecordedSearch::FirstImpact) {
        const auto first = stepper.first_impact(step.start, step.end, options);
        if (!first) return first.error();
        return recorded(*first);
    }
    const auto all = stepper.all_impacts(step.start, step.end, options);
    if (!all) return all.error();
    return recorded(*all);
}

// The one query of a pair, as query files hold it.
// Error: IndexOutOfRange, a pair that this mesh has not.
[[nodiscard]] inline Expected<io::QueryRecord> query_of(const MeshTopology& mesh,
                                                        std::span<const Vec3> start,
                                                        std::span<const Vec3> end,
                                                        const io::RecordedImpact& pair) {
    std::vector<std::uint32_t> vertices;
    const auto take = [&](const auto& rows, std::uint32_t index) {
        if (index < rows.size())
            vertices.insert(vertices.end(), rows[index].begin(), rows[index].end());
    };
    if (pair.kind == QueryKind::EdgeEdge)
        take(mesh.edges, pair.a);
    else
        vertices.push_back(pair.a);
    if (pair.kind == QueryKind::VertexFace)
        take(mesh.faces, pair.b);
    else if (pair.kind == QueryKind::VertexVertex)
        vertices.push_back(pair.b);
    else
        take(mesh.edges, pair.b);
    io::QueryRecord record;
    const bool is_there = vertices.size() == vertex_count(pair.kind) &&
                          std::all_of(vertices.begin(), vertices.end(), [&](std::uint32_t v) {
                              return v < start.size() && v < end.size();
                          });
    if (!is_there) return Error{"this mesh has no such pair", ErrorCode::IndexOutOfRange};
    for (std::size_t i = 0; i < vertices.size(); ++i)
        record.corners[i] = {start[vertices[i]], end[vertices[i]]};
    return record;
}

// What two answers to one step differ in.
struct AnswerDifference {
    std::string what;  // one line
    // The first pair, in the order of kind, a, b, that one of them lacks or has with other numbers;
    // none where the stored impacts are the same.
    std::optional<io::RecordedImpact> was;
    std::optional<io::RecordedImpact> is;
};

namespace recorder_detail {

[[nodiscard]] inline auto pair_key(const io::RecordedImpact& impact) {
    return std::tuple(impact.kind, impact.a, impact.b);
}

// Equal by bits: 0 is not -0.
[[nodiscard]] inline bool same_result(const CcdResult& x, const CcdResult& y) noexcept {
    const auto same = [](double a, double b) {
        return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    };
    return x.verdict == y.verdict && same(x.toi_lower, y.toi_lower) &&
           same(x.toi_upper, y.toi_upper) && same(x.tolerance, y.tolerance);
}

[[nodiscard]] inline std::string text_of(const io::RecordedImpact& impact) {
    return std::string(name(impact.result.verdict)) + " [" +
           io::to_shortest(impact.result.toi_lower) + ", " +
           io::to_shortest(impact.result.toi_upper) + "]";
}

[[nodiscard]] inline AnswerDifference pair_difference(const io::RecordedImpact* was,
                                                      const io::RecordedImpact* is) {
    const io::RecordedImpact& pair = was != nullptr ? *was : *is;
    AnswerDifference difference;
    difference.what = std::string(short_name(pair.kind)) + " " + std::to_string(pair.a) + " " +
                      std::to_string(pair.b) + ": was " +
                      (was != nullptr ? text_of(*was) : "no impact") + ", is " +
                      (is != nullptr ? text_of(*is) : "no impact");
    if (was != nullptr) difference.was = *was;
    if (is != nullptr) difference.is = *is;
    return difference;
}

}  // namespace recorder_detail

// Nothing where they are the same to the bit. `was` may have the first impact alone.
[[nodiscard]] inline std::optional<AnswerDifference> difference_of(const io::RecordedAnswer& was,
                                                                   const io::RecordedAnswer& is) {
    using recorder_detail::pair_difference;
    using recorder_detail::pair_key;
    if (was.hash == is.hash) return std::nullopt;
    const bool has_all = was.impacts.size() == was.count;
    const std::vector<io::RecordedImpact> others =
        has_all ? is.impacts : io::with_first_alone(is).impacts;
    auto x = was.impacts.begin();
    auto y = others.begin();
    while (x != was.impacts.end() || y != others.end()) {
        if (y == others.end() || (x != was.impacts.end() && pair_key(*x) < pair_key(*y)))
            return pair_difference(&*x, nullptr);
        if (x == was.impacts.end() || pair_key(*y) < pair_key(*x))
            return pair_difference(nullptr, &*y);
        if (!recorder_detail::same_result(x->result, y->result)) return pair_difference(&*x, &*y);
        ++x;
        ++y;
    }
    const auto bracket = [](const io::RecordedAnswer& answer) {
        return std::string(name(answer.verdict)) + " [" + io::to_shortest(answer.toi_lower) + ", " +
               io::to_shortest(answer.toi_upper) + "], " + std::to_string(answer.count) +
               " impacts";
    };
    return AnswerDifference{"the step: was " + bracket(was) + ", is " + bracket(is), std::nullopt,
                            std::nullopt};
}

}  // namespace graze::verify

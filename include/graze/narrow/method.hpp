// A method is a name, a declared guarantee and one function per kind of query.
//
// A new method is one file that defines `Method make_<name>()` plus one line in builtin_methods()
// (src/narrow/method.cpp). The command line, the benchmark and the contract tests then know it.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/fp_environment.hpp"
#include "graze/narrow/ccd.hpp"
#include "graze/narrow/motion.hpp"

namespace graze {

// What the answers of a method prove, for finite input and options it supports. The contract tests
// hold every method to what it declares here; docs/GUARANTEES.md says why it holds.
struct Guarantee {
    // Separated is a proof (distance > min_separation on all of [0, t_max]).
    bool no_false_negatives = false;
    // Contact is a proof.
    bool no_false_positives = false;
    // [0, toi_lower) is proved free, for every verdict.
    bool proved_toi_lower = false;
    // A finite toi_upper is a proof of contact at or before it.
    bool proved_toi_upper = false;
    // A finite tolerance is a proof: the max-norm distance comes down to min_separation + tolerance
    // (rounding of that sum not included) in [0, t_max].
    bool proved_tolerance = false;
    // toi_lower > 0 whenever the start is apart, unless the exact time, or the bound that the
    // method has for it then, is below the smallest double.
    bool progress_when_apart = false;
    // Never Unresolved.
    bool always_resolves = false;
    // A power of two on all lengths, those in the options included, changes no bit of verdict and
    // times, and gives the tolerance the same factor (unless it rounds a number or
    // makes a difference of coordinates overflow).
    bool scale_free = false;
    // What is declared above holds for minimum separations > 0, too. Otherwise Contact and
    // toi_upper are proofs of distance <= min_separation + tolerance there, and a query may stay
    // Unresolved or without progress: see guarantee_for().
    bool exact_separations = false;
    // Which minimum separations > 0 are honoured; others are answered Unresolved.
    bool min_separation_euclidean = false;
    bool min_separation_max_norm = false;
};

// What is declared for answers with these options.
[[nodiscard]] Guarantee guarantee_for(const Guarantee& declared,
                                      const CcdOptions& options) noexcept;

template <class Motion>
using QueryFunction = CcdResult (*)(const Motion&, const CcdOptions&) noexcept;

struct Method {
    std::string_view name;     // as on the command line: lower case, words joined by '-'
    std::string_view summary;  // one line, for help and tables
    Guarantee guarantee;
    // Null where the method has no such test. To be called by run() and run_batch(), which see to
    // what a method may then rely on: finite input, valid and supported options, sound arithmetic.
    QueryFunction<VertexFaceMotion> vertex_face = nullptr;
    QueryFunction<EdgeEdgeMotion> edge_edge = nullptr;
    QueryFunction<VertexVertexMotion> vertex_vertex = nullptr;
    QueryFunction<VertexEdgeMotion> vertex_edge = nullptr;
};

template <class Motion>
[[nodiscard]] constexpr QueryFunction<Motion> function_of(const Method& method) noexcept {
    if constexpr (Motion::kKind == QueryKind::VertexFace) return method.vertex_face;
    if constexpr (Motion::kKind == QueryKind::EdgeEdge) return method.edge_edge;
    if constexpr (Motion::kKind == QueryKind::VertexVertex) return method.vertex_vertex;
    if constexpr (Motion::kKind == QueryKind::VertexEdge) return method.vertex_edge;
}

[[nodiscard]] bool supports(const Method& method, QueryKind kind) noexcept;
// True iff the options are valid and the method honours every one of them.
[[nodiscard]] bool supports(const Method& method, const CcdOptions& options) noexcept;

// Does this method answer queries of this kind, with these options?
template <class Motion>
[[nodiscard]] bool is_answerable(const Method& method, const CcdOptions& options) noexcept {
    return function_of<Motion>(method) != nullptr && supports(method, options);
}

// Answers one query.
// Guarantee: input that is not finite, invalid or unsupported options, a kind the method lacks:
// Unresolved with toi_lower = 0. Otherwise what method.guarantee declares, whatever the rounding
// mode, the handling of subnormals and the traps of the thread: the arithmetic of the proofs is set
// for the time of the call (fp_environment.hpp); Unresolved where it cannot be.
template <class Motion>
[[nodiscard]] CcdResult run(const Method& method, const Motion& motion,
                            const CcdOptions& options = {}) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept -> CcdResult {
            if (!is_answerable<Motion>(method, options) || !is_finite_motion(motion)) return {};
            return function_of<Motion>(method)(motion, options);
        },
        []() noexcept { return CcdResult{}; });
}

// Answers motions[i] into results[i]; same bits as one call of run() each.
// Requires: results.size() >= motions.size().
template <class Motion>
void run_batch(const Method& method, std::span<const Motion> motions, const CcdOptions& options,
               std::span<CcdResult> results) noexcept {
    with_sound_arithmetic(
        [&]() noexcept {
            const QueryFunction<Motion> query = function_of<Motion>(method);
            const bool answerable = is_answerable<Motion>(method, options);
            for (std::size_t i = 0; i < motions.size(); ++i) {
                results[i] = answerable && is_finite_motion(motions[i]) ? query(motions[i], options)
                                                                        : CcdResult{};
            }
        },
        [&]() noexcept { std::fill_n(results.begin(), motions.size(), CcdResult{}); });
}

// Methods by name, in the order in which they were added (which is the order of tables).
class MethodRegistry {
public:
    // An error if the name is empty or already taken, or if the method has no query at all.
    Expected<void> add(const Method& method);
    // Null if there is none of that name.
    [[nodiscard]] const Method* find(std::string_view name) const noexcept;
    [[nodiscard]] std::span<const Method> all() const noexcept { return methods_; }
    // "a, b, c": for error messages and help.
    [[nodiscard]] std::string names() const;

private:
    std::vector<Method> methods_;
};

// Every method that lives in this room.
[[nodiscard]] MethodRegistry builtin_methods();

}  // namespace graze

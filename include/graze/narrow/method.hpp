// A method is a name, a declared guarantee and functions for each kind of query.
//
// A new method is one file that defines `Method make_<name>()` plus one line in builtin_methods()
// (src/narrow/method.cpp). The command line, the benchmark and the contract tests then know it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/fp_environment.hpp"
#include "graze/narrow/ccd.hpp"
#include "graze/narrow/query_kind.hpp"

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
    // toi_lower > 0 whenever the primitives are separated at the start, unless the exact time, or the bound that the
    // method has for it then, is below the smallest double.
    bool progress_when_separated = false;
    // Never Unresolved.
    bool always_resolves = false;
    // A power of two on all lengths, those in the options included, changes no bit of verdict and
    // times, and gives the tolerance the same factor (unless it rounds a number or
    // makes a difference of coordinates overflow).
    bool scale_invariant = false;
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

struct CertifiedAnswer;  // graze/narrow/certified.hpp

// The functions of a method for one kind of query. They are called by run() and run_batch(), which
// ensure what they may rely on: finite motions, valid and supported options, arithmetic that is
// rounded to nearest with gradual underflow. `context` is Method::context.
template <QueryMotion Motion>
struct QueryFunctions {
    using Query = CcdResult (*)(const void* context, const Motion&, const CcdOptions&) noexcept;
    using Batch = void (*)(const void* context, std::span<const Motion>, std::span<CcdResult>,
                           const CcdOptions&) noexcept;
    using Separated = std::uint64_t (*)(const void* context, std::span<const Motion>,
                                        std::span<const double> separations,
                                        const CcdOptions&) noexcept;
    using WithTier = CertifiedAnswer (*)(const void* context, const Motion&,
                                         const CcdOptions&) noexcept;
    using Until = CcdResult (*)(const void* context, const Motion&, const CcdOptions&,
                                double until) noexcept;
    // One query; null where the method has no such test.
    Query query = nullptr;
    // Many queries, as many results; null: a loop over `query`. Each result has the bits that
    // `query` gives, whatever else is in the batch.
    Batch batch = nullptr;
    // Of at most kMostAtOnce queries with separations > 0, one for each, in the place of that of the
    // options: bit i where `query` answers separated(1), found for several at a time. Others, some of
    // which may be Separated, are to be asked. null: no query is found so.
    Separated separated = nullptr;
    static constexpr std::size_t kMostAtOnce = 64;
    // The result of `query`, the same bits, and which tier of `certified` decided it; null for
    // methods without such tiers.
    WithTier with_tier = nullptr;
    // Separated where [0, until] is proved to be free, until <= t_max, and otherwise the result of
    // `query`, the same bits; for searches of the first impact, which need no more. Asked without a
    // separation; null: `query` itself.
    Until until = nullptr;
};

// What a method is for. Comparisons choose by it, never by a name.
enum class MethodRole : std::uint8_t {
    Detector,     // decides queries
    Filter,       // answers Separated or Unresolved, never Contact: before a detector
    AsPublished,  // a detector with its published failures, beside its mended form: where named
    GroundTruth,  // exact whatever it costs, allocates outside operator new: what others are held to
};

struct Method {
    std::string_view name;     // as on the command line: lower case, words joined by '-'
    std::string_view summary;  // one line, for help and tables
    Guarantee guarantee;
    MethodRole role = MethodRole::Detector;
    // Bisects down to CcdOptions::distance_tolerance within CcdOptions::max_checks: both options
    // change its answers and its time.
    bool bisects = false;
    // What the functions need besides the query: bounds of a scene, tables, a device. Const, since
    // several threads ask at a time; outlives every copy of the method.
    const void* context = nullptr;
    QueryFunctions<VertexFaceMotion> vertex_face{};
    QueryFunctions<EdgeEdgeMotion> edge_edge{};
    QueryFunctions<VertexVertexMotion> vertex_vertex{};
    QueryFunctions<VertexEdgeMotion> vertex_edge{};
    // The same method with functions that take tolerances from a QueryBounds as context; null where
    // it has none. For with_bounds() of graze/narrow/query_bounds.hpp.
    Method (*bounded)(const Method&) noexcept = nullptr;
};

template <QueryMotion Motion>
[[nodiscard]] constexpr const QueryFunctions<Motion>& functions_of(const Method& method) noexcept {
    if constexpr (Motion::kKind == QueryKind::VertexFace) return method.vertex_face;
    if constexpr (Motion::kKind == QueryKind::EdgeEdge) return method.edge_edge;
    if constexpr (Motion::kKind == QueryKind::VertexVertex) return method.vertex_vertex;
    if constexpr (Motion::kKind == QueryKind::VertexEdge) return method.vertex_edge;
}

[[nodiscard]] bool supports(const Method& method, QueryKind kind) noexcept;
// True iff the options are valid and the method honours every one of them.
[[nodiscard]] bool supports(const Method& method, const CcdOptions& options) noexcept;

// Does this method answer queries of this kind, with these options?
template <QueryMotion Motion>
[[nodiscard]] bool is_answerable(const Method& method, const CcdOptions& options) noexcept {
    return functions_of<Motion>(method).query != nullptr && supports(method, options);
}

// Answers one query.
// Guarantee: input that is not finite, invalid or unsupported options, a kind the method lacks:
// Unresolved with toi_lower = 0. Otherwise what method.guarantee declares, whatever the rounding
// mode, the handling of subnormals and the traps of the thread: the arithmetic of the proofs is set
// for the time of the call (fp_environment.hpp); Unresolved where it cannot be.
template <QueryMotion Motion>
[[nodiscard]] CcdResult run(const Method& method, const Motion& motion,
                            const CcdOptions& options = {}) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept -> CcdResult {
            if (!is_answerable<Motion>(method, options) || !is_finite_motion(motion)) return {};
            return functions_of<Motion>(method).query(method.context, motion, options);
        },
        []() noexcept { return CcdResult{}; });
}

// Answers motions[i] into results[i]; same bits as one call of run() each. Where there are fewer
// results than motions, every result is Unresolved; results beyond the motions stay as they are.
template <QueryMotion Motion>
void run_batch(const Method& method, std::span<const std::type_identity_t<Motion>> motions,
               const CcdOptions& options, std::span<CcdResult> results) noexcept;

// The same with a minimum separation for each motion, separations[i] in the place of that of the options:
// of surfaces whose thickness varies. Where there are fewer of them than motions, every result is
// Unresolved; a result is, too, where its separation is not finite, or below zero.
template <QueryMotion Motion>
void run_batch(const Method& method, std::span<const std::type_identity_t<Motion>> motions,
               std::span<const double> separations, const CcdOptions& options,
               std::span<CcdResult> results) noexcept;

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

// Every method of this module.
[[nodiscard]] MethodRegistry builtin_methods();

}  // namespace graze

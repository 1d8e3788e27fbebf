#include "graze/narrow/method.hpp"

#include <algorithm>
#include <array>

#include "graze/core/assert.hpp"
#include "graze/core/fp_environment.hpp"
#include "graze/narrow/box_separation.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/narrow/safe_cubic.hpp"
#include "graze/narrow/tight_inclusion.hpp"

namespace graze {

Guarantee guarantee_for(const Guarantee& declared, const CcdOptions& options) noexcept {
    if (options.min_separation == 0.0 || declared.exact_separations) return declared;
    Guarantee weaker = declared;
    weaker.no_false_positives = false;
    weaker.proved_toi_upper = false;
    weaker.progress_when_separated = false;
    weaker.always_resolves = false;
    return weaker;
}

bool supports(const Method& method, QueryKind kind) noexcept {
    return visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        return functions_of<Motion>(method).query != nullptr;
    });
}

bool supports(const Method& method, const CcdOptions& options) noexcept {
    if (!is_valid(options)) return false;
    if (options.min_separation == 0.0) return true;
    return options.norm == Norm::Euclidean ? method.guarantee.min_separation_euclidean
                                           : method.guarantee.min_separation_max_norm;
}

namespace {

template <class Motion>
void run_loop(const Method& method, std::span<const Motion> motions, const CcdOptions& options,
              std::span<CcdResult> results) noexcept {
    const auto query = functions_of<Motion>(method).query;
    for (std::size_t i = 0; i < motions.size(); ++i) {
        results[i] =
            is_finite_motion(motions[i]) ? query(method.context, motions[i], options) : CcdResult{};
    }
}

constexpr std::size_t kMostAtOnce = QueryFunctions<VertexFaceMotion>::kMostAtOnce;

// Up to kMostAtOnce motions, each with its own separation; the options are those of all else.
template <class Motion>
void run_block(const Method& method, std::span<const Motion> motions,
               std::span<const double> separations, const CcdOptions& options,
               std::span<CcdResult> results) noexcept {
    const QueryFunctions<Motion>& functions = functions_of<Motion>(method);
    // Of the separation options depend on whether it is zero, and a number, alone.
    CcdOptions asked = options;
    asked.min_separation = 0.0;
    const bool takes_none = supports(method, asked);
    asked.min_separation = 1.0;
    const bool takes_some = supports(method, asked);
    std::uint64_t answerable = 0;
    std::uint64_t with_distance = 0;
    for (std::size_t i = 0; i < motions.size(); ++i) {
        const bool is_some = separations[i] > 0.0 && separations[i] < kInfinity;
        const bool is_asked = (is_some ? takes_some : takes_none && separations[i] == 0.0) &&
                              is_finite_motion(motions[i]);
        answerable |= std::uint64_t{is_asked} << i;
        with_distance |= std::uint64_t{is_asked && is_some} << i;
    }
    const std::uint64_t all = ~std::uint64_t{0} >> (kMostAtOnce - motions.size());
    const std::uint64_t known =
        functions.separated != nullptr && with_distance == all
            ? functions.separated(method.context, motions, separations, options)
            : 0;
    for (std::size_t i = 0; i < motions.size(); ++i) {
        asked.min_separation = separations[i];
        if ((known >> i & 1U) != 0U) {
            results[i] = separated(1);
        } else {
            results[i] = (answerable >> i & 1U) != 0U
                             ? functions.query(method.context, motions[i], asked)
                             : CcdResult{};
        }
    }
}
// Calls run(first, count) for blocks of up to kMostAtOnce.
template <class Run>
void for_each_block(std::size_t size, Run&& run) noexcept {
    for (std::size_t first = 0; first < size; first += kMostAtOnce)
        run(first, std::min(kMostAtOnce, size - first));
}
template <class Motion>
void run_blocks(const Method& method, std::span<const Motion> motions, const CcdOptions& options,
                std::span<CcdResult> results) noexcept {
    std::array<double, kMostAtOnce> separations;
    separations.fill(options.min_separation);
    for_each_block(motions.size(), [&](std::size_t first, std::size_t count) {
        run_block<Motion>(method, motions.subspan(first, count),
                          std::span<const double>(separations).first(count), options,
                          results.subspan(first, count));
    });
}

// The batch function sees each longest run of finite motions, and nothing of the others.
template <class Motion>
void run_runs(const Method& method, std::span<const Motion> motions, const CcdOptions& options,
              std::span<CcdResult> results) noexcept {
    for (std::size_t begin = 0; begin < motions.size();) {
        std::size_t end = begin;
        while (end < motions.size() && is_finite_motion(motions[end]))
            ++end;
        if (end > begin) {
            functions_of<Motion>(method).batch(method.context, motions.subspan(begin, end - begin),
                                               results.subspan(begin, end - begin), options);
        }
        if (end < motions.size()) results[end] = {};
        begin = end + 1;
    }
}

}  // namespace

template <QueryMotion Motion>
void run_batch(const Method& method, std::span<const std::type_identity_t<Motion>> motions,
               std::span<const double> separations, const CcdOptions& options,
               std::span<CcdResult> results) noexcept {
    const auto nothing_known = [&]() noexcept {
        std::fill_n(results.begin(), std::min(results.size(), motions.size()), CcdResult{});
    };
    with_sound_arithmetic(
        [&]() noexcept {
            if (results.size() < motions.size() || separations.size() < motions.size() ||
                functions_of<Motion>(method).query == nullptr) {
                return nothing_known();
            }
            for_each_block(motions.size(), [&](std::size_t first, std::size_t count) {
                run_block<Motion>(method, motions.subspan(first, count),
                                  separations.subspan(first, count), options,
                                  results.subspan(first, count));
            });
        },
        nothing_known);
}
template void run_batch<VertexFaceMotion>(const Method&, std::span<const VertexFaceMotion>,
                                          std::span<const double>, const CcdOptions&,
                                          std::span<CcdResult>) noexcept;
template void run_batch<EdgeEdgeMotion>(const Method&, std::span<const EdgeEdgeMotion>,
                                        std::span<const double>, const CcdOptions&,
                                        std::span<CcdResult>) noexcept;
template void run_batch<VertexVertexMotion>(const Method&, std::span<const VertexVertexMotion>,
                                            std::span<const double>, const CcdOptions&,
                                            std::span<CcdResult>) noexcept;
template void run_batch<VertexEdgeMotion>(const Method&, std::span<const VertexEdgeMotion>,
                                          std::span<const double>, const CcdOptions&,
                                          std::span<CcdResult>) noexcept;

template <QueryMotion Motion>
void run_batch(const Method& method, std::span<const std::type_identity_t<Motion>> motions,
               const CcdOptions& options, std::span<CcdResult> results) noexcept {
    const auto nothing_known = [&]() noexcept {
        std::fill_n(results.begin(), std::min(results.size(), motions.size()), CcdResult{});
    };
    with_sound_arithmetic(
        [&]() noexcept {
            if (results.size() < motions.size() || !is_answerable<Motion>(method, options)) {
                nothing_known();
            } else if (functions_of<Motion>(method).batch != nullptr) {
                run_runs<Motion>(method, motions, options, results);
            } else if (functions_of<Motion>(method).separated != nullptr &&
                       options.min_separation > 0.0) {
                run_blocks<Motion>(method, motions, options, results);
            } else {
                run_loop<Motion>(method, motions, options, results);
            }
        },
        nothing_known);
}
template void run_batch<VertexFaceMotion>(const Method&, std::span<const VertexFaceMotion>,
                                          const CcdOptions&, std::span<CcdResult>) noexcept;
template void run_batch<EdgeEdgeMotion>(const Method&, std::span<const EdgeEdgeMotion>,
                                        const CcdOptions&, std::span<CcdResult>) noexcept;
template void run_batch<VertexVertexMotion>(const Method&, std::span<const VertexVertexMotion>,
                                            const CcdOptions&, std::span<CcdResult>) noexcept;
template void run_batch<VertexEdgeMotion>(const Method&, std::span<const VertexEdgeMotion>,
                                          const CcdOptions&, std::span<CcdResult>) noexcept;

Expected<void> MethodRegistry::add(const Method& method) {
    if (method.name.empty()) return Error{"a method needs a name", ErrorCode::InvalidInput};
    if (find(method.name) != nullptr) {
        return Error{"there is already a method '" + std::string(method.name) + "'",
                     ErrorCode::InvalidInput};
    }
    bool answers_something = false;
    for (const QueryKind kind : kAllQueryKinds)
        answers_something |= supports(method, kind);
    if (!answers_something) {
        return Error{"method '" + std::string(method.name) + "' answers no kind of query",
                     ErrorCode::InvalidInput};
    }
    methods_.push_back(method);
    return {};
}

const Method* MethodRegistry::find(std::string_view name) const noexcept {
    for (const Method& method : methods_) {
        if (method.name == name) return &method;
    }
    return nullptr;
}

std::string MethodRegistry::names() const {
    std::string list;
    for (const Method& method : methods_) {
        if (!list.empty()) list += ", ";
        list += method.name;
    }
    return list;
}

MethodRegistry builtin_methods() {
    MethodRegistry registry;
    for (const Method& method : {make_certified(), make_box_separation(), make_tight_inclusion(),
                                 make_tight_inclusion_paper(), make_safe_cubic(), make_cubic()}) {
        [[maybe_unused]] const Expected<void> added = registry.add(method);
        GRAZE_ASSERT(added.has_value());
    }
    return registry;
}

}  // namespace graze

// Candidate pairs of a mesh become queries, and queries answers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <type_traits>

#include "graze/broad/box_tree.hpp"
#include "graze/core/rounding.hpp"
#include "graze/mesh/step.hpp"
#include "mesh/axis_culling.hpp"
#include "mesh/kept_directions.hpp"
#include "mesh/normal_culling.hpp"
#include "mesh/pair_vertices.hpp"
#include "mesh/step_boxes.hpp"
#include "mesh/step_progress.hpp"

namespace graze::mesh_detail {

// One step of a mesh, as asked and found to be answerable.
struct StepQuery {
    const MeshTopology& mesh;
    std::span<const MovingPoint> vertices;  // start and end
    const StepOptions& options;
    // Bounds of the step whose edges are those of each pair at rest; null where they are not.
    const QueryBounds* by_rest = nullptr;
    // Are the tiers of the method, where it reports them, to be counted?
    bool counts_tiers = options.count_tiers;
    // relative_motion() of the vertices, for searches that end early; null where pairs are asked for all
    // of the step.
    const Vec3* relative_motion = nullptr;
};

// Written as queries read it: x and y together, z alone. What is read across two numbers that were
// just written as parts of others has to wait until they are in the cache.
[[nodiscard, gnu::always_inline]] inline MovingPoint copy_for_query(
    const MovingPoint& point) noexcept {
#if defined(__SSE2__)
    MovingPoint copy;
    _mm_storeu_pd(&copy.start.x, _mm_loadu_pd(&point.start.x));
    copy.start.z = point.start.z;
    _mm_storeu_pd(&copy.end.x, _mm_loadu_pd(&point.end.x));
    copy.end.z = point.end.z;
    return copy;
#else
    return point;
#endif
}

template <class Motion>
[[nodiscard]] Motion motion_of(const StepQuery& step, const PairVertices<Motion>& v) noexcept {
    const auto a = [&](std::size_t i) { return copy_for_query(step.vertices[v.a[i]]); };
    const auto b = [&](std::size_t i) { return copy_for_query(step.vertices[v.b[i]]); };
    if constexpr (Motion::kKind == QueryKind::VertexFace) return {a(0), {b(0), b(1), b(2)}};
    if constexpr (Motion::kKind == QueryKind::EdgeEdge) return {{a(0), a(1)}, {b(0), b(1)}};
    if constexpr (Motion::kKind == QueryKind::VertexVertex) return {a(0), b(0)};
    if constexpr (Motion::kKind == QueryKind::VertexEdge) return {a(0), {b(0), b(1)}};
}

// The bounds of a pair from its resting shape; without such bounds, none.
template <class Motion>
[[nodiscard]] QueryBounds bounds_by_rest(const StepQuery& step,
                                         const PairVertices<Motion>& v) noexcept {
    if (step.by_rest == nullptr) return {};
    const std::span<const Vec3> rest = step.options.rest;
    BoundsOfQueries edges;
    const auto add_edges = [&](const auto& element) {
        for (std::size_t i = 0; i < element.size(); ++i)
            for (std::size_t k = i + 1; k < element.size(); ++k)
                edges.add_edge({rest[element[i]], rest[element[i]]},
                               {rest[element[k]], rest[element[k]]});
    };
    add_edges(v.a);
    add_edges(v.b);
    QueryBounds of_pair = *step.by_rest;
    of_pair.longest_edge = edges.longest_edge();
    of_pair.per_pair = false;
    of_pair.box.reset();
    return of_pair;
}

[[nodiscard]] inline bool is_empty(const PairFilter& filter) noexcept {
    return (filter.body.empty() || filter.within_bodies) && filter.layers.empty() &&
           filter.fixed.empty() && !filter.accepts;
}

// Do bodies, layers and what is fixed admit a pair of elements with these vertices?
[[nodiscard]] inline bool admits_vertices(const PairFilter& filter,
                                          std::span<const std::uint32_t> a,
                                          std::span<const std::uint32_t> b) noexcept {
    if (!filter.body.empty() && !filter.within_bodies && filter.body[a[0]] == filter.body[b[0]])
        return false;
    if (!filter.layers.empty() && ((filter.layers[a[0]] & filter.mask[b[0]]) == 0 ||
                                   (filter.layers[b[0]] & filter.mask[a[0]]) == 0)) {
        return false;
    }
    if (filter.fixed.empty()) return true;
    const auto is_free = [&](std::uint32_t vertex) { return filter.fixed[vertex] == 0; };
    return std::any_of(a.begin(), a.end(), is_free) || std::any_of(b.begin(), b.end(), is_free);
}

// Does the filter admit the pair (which has no common vertex)?
template <class Motion>
[[nodiscard]] bool admits(const PairFilter& filter, const PairVertices<Motion>& v, std::uint32_t a,
                          std::uint32_t b) {
    return admits_vertices(filter, v.a, v.b) &&
           (!filter.accepts || filter.accepts(Motion::kKind, a, b));
}

// The separation that counts for a pair: d and the largest radius of each element, rounded up.
template <class Motion>
[[nodiscard]] double separation_of(const StepOptions& options, const PairVertices<Motion>& v) {
    double a = 0.0;
    double b = 0.0;
    for (const std::uint32_t vertex : v.a)
        a = std::max(a, options.radius[vertex]);
    for (const std::uint32_t vertex : v.b)
        b = std::max(b, options.radius[vertex]);
    return add_up(options.query.min_separation, add_up(a, b));
}

// May a distance above zero count as contact?
[[nodiscard]] inline bool has_separation(const StepOptions& options) noexcept {
    return options.query.min_separation > 0.0 || !options.radius.empty();
}

// By how much the box of an element is larger than its vertices: half the separation, and half of
// what is asked for beside it.
[[nodiscard]] inline double margin_of(const StepOptions& options, double inflation = 0.0) noexcept {
    return 0.5 * add_up(options.query.min_separation, inflation) + 0x1p-1074;
}
// The same where pairs are searched for. What comes within the tolerance of the separation may be
// answered with contact, so that such pairs must be found in every window that they do so in
// (docs/derivations/mesh.md, MESH-4). A tolerance above the separation counts as one like it.
[[nodiscard]] inline double search_margin_of(const StepOptions& options,
                                             double inflation = 0.0) noexcept {
    const CcdOptions& query = options.query;
    const double tolerance = std::min(query.distance_tolerance, query.min_separation);
    return margin_of(options, add_up(inflation, tolerance));
}

// Does the method tell separated from touching pairs as they are, without exception? Then no verdict
// depends on how far was asked, and one that is known otherwise need not be asked for.
[[nodiscard]] inline bool decides_exactly(const StepOptions& options) noexcept {
    const Guarantee& proves = options.method.guarantee;
    return proves.no_false_negatives && proves.no_false_positives && proves.always_resolves &&
           proves.proved_toi_lower && proves.proved_toi_upper &&
           options.query.min_separation == 0.0 && options.radius.empty();
}

template <class Answers>
class AsksMethod;

// Takes candidates and hands on those that are tested.
// Answers: `void see(const StepQuery&, const PairVertices<Motion>&, std::uint32_t a, b)`.
template <class Motion, class Answers>
class PairQueries final : public PairSink {
public:
    PairQueries(const StepQuery& step, Answers& answers, Progress& progress)
        : step_(step),
          answers_(answers),
          progress_(progress),
          has_filter_(!is_empty(step.options.filter)),
          culls_(std::is_base_of_v<AsksMethod<Answers>, Answers> && decides_exactly(step.options) &&
                 !step.counts_tiers),
          asks_several_(std::is_base_of_v<AsksMethod<Answers>, Answers> &&
                        step.options.query.min_separation > 0.0 && !step.counts_tiers &&
                        step.by_rest == nullptr &&
                        functions_of<Motion>(step.options.method).separated != nullptr) {}

    // From lists of boxes to vertices: where boxes have numbers of their own.
    std::span<const std::uint32_t> first_names;
    std::span<const std::uint32_t> second_names;

    void take(std::span<const IndexPair> pairs) override {
        if (asks_several_) return take_several(pairs);
        if (!culls_ || has_filter_ || !first_names.empty()) return take_one_by_one(pairs);
        std::array<IndexPair, kPortion> left;
        while (!pairs.empty()) {
            const auto portion = pairs.first(std::min(pairs.size(), left.size()));
            pairs = pairs.subspan(portion.size());
            for (const auto& [a, b] : std::span(left).first(cull(portion, left.data()))) {
                // A query of some methods takes milliseconds, and a block has many.
                if (progress_.is_cancelled()) return;
                answers_.see(step_, PairVertices<Motion>(step_.mesh, a, b), a, b);
            }
        }
    }

    // Pairs without a common vertex, each with the direction that separated it before.
    void take_listed(std::span<const IndexPair> pairs, std::span<KeptDirection> directions) {
        if constexpr (std::is_base_of_v<AsksMethod<Answers>, Answers>) {
            if (culls_) return take_with_directions(pairs, directions);
        }
        take(pairs);
    }

    [[nodiscard]] std::uint64_t candidates() const noexcept { return candidates_; }

private:
    // Writes the pairs that need a query behind `left`; how many they are. Where a search of the first impact
    // has an early limit, planes prove nearly all to be free up to it. Where they prove few, as over long
    // windows, they are given up.
    [[nodiscard]] std::size_t cull(std::span<const IndexPair> pairs, IndexPair* left) noexcept {
        if constexpr (CoplanarityMotion<Motion> &&
                      std::is_base_of_v<AsksMethod<Answers>, Answers>) {
            constexpr std::int64_t kPatience = 1024;
            if (step_.relative_motion != nullptr && planes_fail_ < kPatience) {
                const Vec3 moved = answers_.t_max() * (1.0 + 0x1p-48) * *step_.relative_motion;
                const CulledPairs by_plane =
                    cull_pairs_by_plane<Motion>(step_.mesh, step_.vertices, pairs, moved, left);
                candidates_ += by_plane.disjoint;
                planes_fail_ += 2 * static_cast<std::int64_t>(by_plane.left) -
                                static_cast<std::int64_t>(by_plane.disjoint);
                const std::span<const IndexPair> open(left, by_plane.left);
                return cull_pairs<Motion>(step_.mesh, step_.vertices, open, left).left;
            }
        }
        const CulledPairs culled = cull_pairs<Motion>(step_.mesh, step_.vertices, pairs, left);
        candidates_ += culled.disjoint;
        return cull_by_normal({left, culled.left}, left);
    }
    // Where that parts fewer than one in eight it costs more than the queries it saves, and is given up.
    [[nodiscard]] std::size_t cull_by_normal(std::span<const IndexPair> pairs,
                                             IndexPair* left) noexcept {
        if constexpr (CoplanarityMotion<Motion>) {
            constexpr std::int64_t kPatience = 4096;
            if (normals_fail_ < kPatience) {
                const std::size_t count =
                    cull_pairs_by_normal<Motion>(step_.mesh, step_.vertices, pairs, left);
                normals_fail_ += 8 * static_cast<std::int64_t>(count) -
                                 7 * static_cast<std::int64_t>(pairs.size());
                return count;
            }
        }
        return pairs.size();
    }

    void take_with_directions(std::span<const IndexPair> pairs,
                              std::span<KeptDirection> directions) {
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            if (progress_.is_cancelled()) return;
            const auto& [a, b] = pairs[i];
            const PairVertices<Motion> vertices(step_.mesh, a, b);
            if (has_filter_ && !admits(step_.options.filter, vertices, a, b)) continue;
            ++candidates_;
            if (is_separated_on_axis(step_.vertices, vertices.a, vertices.b)) continue;
            const Motion motion = motion_of(step_, vertices);
            KeptDirection& direction = directions[i];
            if (is_known(direction) && separates_step(direction, motion)) continue;
            const bool is_separated = answers_.see(step_, vertices, a, b);
            if (is_separated && !is_hopeless(direction)) direction = separating_direction(motion);
        }
    }

    [[nodiscard]] IndexPair named(const IndexPair& pair) const noexcept {
        return {first_names.empty() ? pair.first : first_names[pair.first],
                second_names.empty() ? pair.second : second_names[pair.second]};
    }
    [[nodiscard]] bool is_candidate(const PairVertices<Motion>& vertices, std::uint32_t a,
                                    std::uint32_t b) const {
        return !share_vertex(vertices) &&
               (!has_filter_ || admits(step_.options.filter, vertices, a, b));
    }

    // With a separation: what the method proves of several pairs at a time is not asked for again.
    void take_several(std::span<const IndexPair> pairs) {
        constexpr std::size_t kMost = QueryFunctions<Motion>::kMostAtOnce;
        const QueryFunctions<Motion>& functions = functions_of<Motion>(step_.options.method);
        const CcdOptions& query = step_.options.query;
        std::array<Motion, kMost> motions;
        std::array<double, kMost> separations;
        std::array<IndexPair, kMost> names;
        while (!pairs.empty()) {
            std::size_t count = 0;
            for (; count < kMost && !pairs.empty(); pairs = pairs.subspan(1)) {
                names[count] = named(pairs.front());
                const auto& [a, b] = names[count];
                const PairVertices<Motion> vertices(step_.mesh, a, b);
                if (!is_candidate(vertices, a, b)) continue;
                motions[count] = motion_of(step_, vertices);
                separations[count] = step_.options.radius.empty()
                                         ? query.min_separation
                                         : separation_of(step_.options, vertices);
                ++count;
            }
            candidates_ += count;
            if (count == 0 || progress_.is_cancelled()) return;
            const std::uint64_t separated = functions.separated(
                step_.options.method.context, std::span<const Motion>(motions).first(count),
                std::span<const double>(separations).first(count), query);
            for (std::size_t i = 0; i < count; ++i) {
                if ((separated >> i & 1U) != 0U) continue;
                if (progress_.is_cancelled()) return;
                const auto& [a, b] = names[i];
                answers_.see(step_, PairVertices<Motion>(step_.mesh, a, b), a, b);
            }
        }
    }

    void take_one_by_one(std::span<const IndexPair> pairs) {
        for (const IndexPair& pair : pairs) {
            if (progress_.is_cancelled()) return;
            const auto [a, b] = named(pair);
            const PairVertices<Motion> vertices(step_.mesh, a, b);
            if (!is_candidate(vertices, a, b)) continue;
            ++candidates_;
            if (culls_ && is_separated_on_axis(step_.vertices, vertices.a, vertices.b)) continue;
            answers_.see(step_, vertices, a, b);
        }
    }

    const StepQuery& step_;
    Answers& answers_;
    Progress& progress_;
    bool has_filter_;
    bool culls_;  // pairs that are separated on an axis, before a query is made of them
    bool asks_several_;
    std::uint64_t candidates_ = 0;
    std::int64_t planes_fail_ = 0;  // pairs that no plane parts, less those that one does
    std::int64_t normals_fail_ =
        0;  // pairs that no normal parts, less seven for each that one does
};

// Asks the method about each pair and adds what is not Separated; pairs that are known to be so may be
// left out. Input and options were checked
// before, so that the method is called without its guards.
// Answers: `double t_max() const`, up to when is to be asked, and `void add(const Impact&)`.
template <class Answers>
class AsksMethod {
public:
    // Returns whether the pair is Separated, as far as was asked.
    template <class Motion>
    bool see(const StepQuery& step, const PairVertices<Motion>& vertices, std::uint32_t a,
             std::uint32_t b) {
        if (step.by_rest != nullptr) return see_by_rest(step, vertices, a, b);
        return ask(step, vertices, a, b, step.options.method.context);
    }

    // Before queries up to another limit.
    void forget_hits() noexcept { hits_ = misses_ = 0; }

    std::array<std::uint64_t, kAllCertifiedTiers.size()> decided_by{};

private:
    // Rare, and better not a part of the loop over pairs.
    template <class Motion>
    [[gnu::noinline]] bool see_by_rest(const StepQuery& step, const PairVertices<Motion>& vertices,
                                       std::uint32_t a, std::uint32_t b) {
        const QueryBounds of_pair = bounds_by_rest(step, vertices);
        return ask(step, vertices, a, b, &of_pair);
    }

    template <class Motion>
    bool ask(const StepQuery& step, const PairVertices<Motion>& vertices, std::uint32_t a,
             std::uint32_t b, const void* context) {
        Answers& answers = static_cast<Answers&>(*this);
        const QueryFunctions<Motion>& functions = functions_of<Motion>(step.options.method);
        const CcdOptions& query = step.options.query;
        const double limit = answers.t_max();
        const bool is_cut = limit != query.t_max;
        const bool is_plain = !step.counts_tiers && !has_separation(step.options);
        if (!is_plain || (is_cut && functions.until == nullptr))
            return ask_again_for_all(step, vertices, a, b, context);
        const Motion motion = motion_of(step, vertices);
        const CcdResult result = is_cut ? functions.until(context, motion, query, limit)
                                        : functions.query(context, motion, query);
        if (result.verdict == Verdict::Separated) return true;
        answers.add({Motion::kKind, a, b, result});
        return false;
    }

    // With a separation, with tiers that are counted, and of methods that have no answers up to a
    // limit of their own.
    template <class Motion>
    [[gnu::noinline]] bool ask_again_for_all(const StepQuery& step,
                                             const PairVertices<Motion>& vertices, std::uint32_t a,
                                             std::uint32_t b, const void* context) {
        Answers& answers = static_cast<Answers&>(*this);
        const QueryFunctions<Motion>& functions = functions_of<Motion>(step.options.method);
        CcdOptions options = step.options.query;
        if (!step.options.radius.empty())
            options.min_separation = separation_of(step.options, vertices);
        const double limit = answers.t_max();
        const bool is_cut = limit != options.t_max;
        // With a separation a near miss may be a contact for all of the step and none up to the
        // limit: only what does not depend on it may decide.
        const bool depends = options.min_separation > 0.0;
        if (is_cut && !depends && !hits_often()) options.t_max = limit;
        const Motion motion = motion_of(step, vertices);
        CcdResult result = step.counts_tiers && functions.with_tier != nullptr
                               ? counted(functions.with_tier(context, motion, options))
                               : functions.query(context, motion, options);
        if (is_cut) ++(is_hit(result, limit) ? hits_ : misses_);
        if (result.verdict == Verdict::Separated) return true;
        // Answers do not depend on how far was asked: what is reported was asked for all of it.
        if (options.t_max != step.options.query.t_max) {
            options.t_max = step.options.query.t_max;
            result = functions.query(context, motion, options);
            if (result.verdict == Verdict::Separated)
                return true;  // a doubt that all of it dispels
        }
        answers.add({Motion::kKind, a, b, result});
        return false;
    }

    const CcdResult& counted(const CertifiedAnswer& answer) {
        ++decided_by[static_cast<std::size_t>(answer.tier)];
        return answer.result;
    }

    // Of the queries up to a limit. Where many of them hit, as where a whole mesh meets itself at
    // once, asking for all of the step saves the second query, which is worth more than what others
    // lose by it from a third of hits on. Answers are the same in both cases.
    static bool is_hit(const CcdResult& result, double limit) noexcept {
        return result.verdict != Verdict::Separated && !(result.toi_lower > limit);
    }
    [[nodiscard]] bool hits_often() const noexcept { return 2 * hits_ > misses_ + kFewHits; }
    static constexpr std::uint64_t kFewHits = 32;
    std::uint64_t hits_ = 0;
    std::uint64_t misses_ = 0;
};

// Sums over threads.
template <class Locals>
void add_tiers(const Locals& locals, StepWork& work) {
    for (const auto& local : locals)
        for (std::size_t i = 0; i < work.decided_by.size(); ++i)
            work.decided_by[i] += local.decided_by[i];
}

}  // namespace graze::mesh_detail

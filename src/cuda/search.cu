#include <algorithm>
#include <bit>
#include <chrono>
#include <iterator>
#include <cmath>
#include <string>
#include <tuple>

#include "cuda/host_answers.cuh"
#include "cuda/host_threads.hpp"
#include "cuda/sort.cuh"
#include "cuda/state.cuh"
#include "graze/narrow/distance.hpp"

namespace graze::cuda {
namespace {

// Within a kind.
bool comes_before(const Impact& x, const Impact& y) {
    return std::tuple(x.a, x.b) < std::tuple(y.a, y.b);
}

// In the order of kinds of queries, which is that of intersections behind edges with faces.
Intersection::Kind intersection_kind(QueryKind kind) {
    static_assert(static_cast<int>(Intersection::Kind::VertexFace) ==
                  static_cast<int>(QueryKind::VertexFace) + 1);
    static_assert(static_cast<int>(Intersection::Kind::VertexEdge) ==
                  static_cast<int>(QueryKind::VertexEdge) + 1);
    return static_cast<Intersection::Kind>(static_cast<int>(kind) + 1);
}

using Clock = std::chrono::steady_clock;

// decide(i) for each pair that the device left open; after a stop some are left out.
template <class IsStopped, class Decide>
void run_on_host(std::size_t count, const StepOptions& options, const IsStopped& is_stopped,
                 const Decide& decide) {
    const Expected<void> ran =
        on_host_threads(count, options, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end && !is_stopped(); ++i)
                decide(i);
        });
    if (!ran) throw DeviceFailure{ran.error()};
}

struct ResetAtEnd {
    bool& flag;
    ~ResetAtEnd() { flag = false; }
};

}  // namespace

template <PairKind kKind>
void DeviceStepper::State::reserve(std::size_t count) {
    Lists& l = lists(kKind);
    l.survivors.reserve(count);
    l.times.reserve(count);
    l.kept_times.reserve(count);
    l.open.reserve(count);
    l.pairs.reserve(count);
}

// Queues the search of the elements at positions [begin, end) and the answers.
template <PairKind kKind>
void DeviceStepper::State::launch(std::uint32_t begin, std::uint32_t end,
                                  const StepOptions& options) {
    constexpr bool kSelf = kKind == PairKind::EdgeEdge || kKind == PairKind::VertexVertex;
    const NarrowOptions narrow{options.query.t_max, options.query.time_width,
                               options.query.min_separation, options.query.norm};
    Lists& l = lists(kKind);
    Counts* const counts = counts_.data() + static_cast<std::size_t>(kKind);
    check(cudaMemsetAsync(counts, 0, sizeof(Counts), stream_), "device memory");
    const Tree& from = first_tree(kKind);
    const PairSearch search{from.view(),
                            second_tree(kKind).view(),
                            begin,
                            end,
                            search_levels(end - begin, second_tree(kKind).count),
                            &from == &point_tree_};
    const dim3 grid(blocks_for(end - begin), 1U << search.levels);
    find_pairs<kKind, kSelf><<<grid, kBlock, 0, stream_>>>(search, mesh_, filter_, l.pairs.data(),
                                                           l.capacity(), counts);
    check_launch("search of pairs");
    ++work.ranges;
    if (is_measuring_) {
        measure_pairs<kKind><<<multiprocessors_ * 32, 64, 0, stream_>>>(
            mesh_, l.pairs.data(), l.capacity(), rule_, options.query.norm, by_vertex_.data(),
            l.open.data(), counts);
        return check_launch("distances");
    }
    cull_pairs<kKind><<<multiprocessors_ * 16, kBlock, 0, stream_>>>(
        mesh_, l.pairs.data(), l.capacity(), narrow, l.survivors.data(), counts);
    check_launch("culling of pairs");
    answer_pairs<kKind><<<multiprocessors_ * 32, 64, 0, stream_>>>(
        mesh_, l.survivors.data(), l.capacity(), narrow, l.pairs.data(), l.times.data(),
        l.open.data(), least_upper_.data(), counts);
    check_launch("answers");
}

void DeviceStepper::State::queue_counts() {
    check(cudaMemcpyAsync(host_counts_.data(), counts_.data(), kPairKinds * sizeof(Counts),
                          cudaMemcpyDeviceToHost, stream_),
          "copy from the device");
}

// Survivors were answered: their list takes the contacts that may be first.
template <PairKind kKind>
void DeviceStepper::State::queue_firsts() {
    Lists& l = lists(kKind);
    keep_firsts<<<multiprocessors_ * 4, kBlock, 0, stream_>>>(
        l.pairs.data(), l.times.data(), l.capacity(), least_upper_.data(), l.survivors.data(),
        l.kept_times.data(), counts_.data() + static_cast<std::size_t>(kKind));
    check_launch("first contacts");
}

// In the order of a, b.
template <PairKind kKind>
void DeviceStepper::State::queue_sorted(const Pair* pairs, const Contact* times,
                                        std::uint32_t count, DeviceBuffer<DeviceImpact>& sorted) {
    Lists& l = lists(kKind);
    for (int i = 0; i < 2; ++i) {
        l.keys[i].reserve(count);
        l.order[i].reserve(count);
    }
    sorted.reserve(count);
    contact_keys<<<blocks_for(count), kBlock, 0, stream_>>>(pairs, count, l.keys[0].data(),
                                                            l.order[0].data());
    sort_pairs(scratch_, l.keys, l.order, count, 64, stream_);
    ordered_contacts<<<blocks_for(count), kBlock, 0, stream_>>>(l.keys[1].data(), l.order[1].data(),
                                                                times, count, sorted.data());
    check_launch("contacts");
}

// Queues the copies of contacts, in their order, and of what is open.
template <PairKind kKind>
void DeviceStepper::State::queue_results(const Counts& counts, Wanted wanted) {
    Lists& l = lists(kKind);
    const bool is_all = wanted == Wanted::All;
    const auto contacts = static_cast<std::uint32_t>(is_all ? counts.contacts : counts.kept);
    const auto open = static_cast<std::uint32_t>(counts.open);
    if (contacts > 0) {
        queue_sorted<kKind>((is_all ? l.pairs : l.survivors).data(),
                            (is_all ? l.times : l.kept_times).data(), contacts, l.found);
        l.host_found.reserve(contacts);
        check(cudaMemcpyAsync(l.host_found.data(), l.found.data(), contacts * sizeof(DeviceImpact),
                              cudaMemcpyDeviceToHost, stream_),
              "copy from the device");
    }
    if (wanted == Wanted::AllOnDevice && counts.contacts > 0)
        queue_sorted<kKind>(l.pairs.data(), l.times.data(),
                            static_cast<std::uint32_t>(counts.contacts), l.all);
    if (open > 0) {
        l.motions.reserve(open);
        l.host_motions.reserve(open);
        gather_motions<kKind><<<blocks_for(open), kBlock, 0, stream_>>>(mesh_, l.open.data(), open,
                                                                        l.motions.data());
        check_launch("open pairs");
        check(cudaMemcpyAsync(l.host_motions.data(), l.motions.data(), open * sizeof(FoundMotion),
                              cudaMemcpyDeviceToHost, stream_),
              "copy from the device");
    }
}

template <PairKind kKind>
void DeviceStepper::State::take_distances(const Counts& counts, const StepOptions& options) {
    const std::span<const FoundMotion> open(lists(kKind).host_motions.data(), counts.open);
    const std::size_t before = measured_.size();
    measured_.resize(before + open.size());
    run_on_host(open.size(), options, [&] { return is_stopped(options); }, [&](std::size_t i) {
        measured_[before + i] = {
            vertices_of(topology, query_kind(kKind), open[i].pair.a, open[i].pair.b),
            distance_lower(motion_from<kKind>(open[i].vertices), options.query.norm)};
    });
    work.decided_by_host += counts.open;
}

// After a synchronisation: contacts as they are, what is open by the host's exact tiers.
template <PairKind kKind>
void DeviceStepper::State::take_results(const Counts& counts, const StepOptions& options,
                                        Wanted wanted) {
    if (is_measuring_) return take_distances<kKind>(counts, options);
    const Lists& l = lists(kKind);
    constexpr QueryKind kQuery = query_kind(kKind);
    std::vector<Impact>& impacts = kKind == PairKind::EdgeFace ? edge_faces_ : impacts_;
    const std::size_t contacts = wanted == Wanted::All ? counts.contacts : counts.kept;
    const auto accepts = [&](const Pair& pair) {
        const auto& rule = options.filter.accepts;
        if (!rule) return true;
        if constexpr (kKind != PairKind::EdgeFace) return rule(kQuery, pair.a, pair.b);
        // As MeshStepper: either end of the edge suffices.
        const EdgeIndices& edge = topology.edges[pair.a];
        return rule(kQuery, edge[0], pair.b) || rule(kQuery, edge[1], pair.b);
    };
    const std::size_t before = impacts.size();
    impacts.reserve(before + contacts);
    for (const DeviceImpact& found : std::span(l.host_found.data(), contacts))
        if (accepts({found.a, found.b}))
            impacts.push_back({kQuery, found.a, found.b, contact_result(found)});
    const std::size_t decided = impacts.size();
    std::vector<const FoundMotion*> open;
    for (const FoundMotion& found : std::span(l.host_motions.data(), counts.open))
        if (accepts(found.pair)) open.push_back(&found);
    std::vector<Impact> answers(open.size());
    run_on_host(open.size(), options, [&] { return is_stopped(options); }, [&](std::size_t i) {
        answers[i] = {kQuery, open[i]->pair.a, open[i]->pair.b, {}};
        answers[i].result =
            asked(topology, options, answers[i], open[i]->vertices, options.query.time_width);
    });
    std::copy_if(answers.begin(), answers.end(), std::back_inserter(impacts),
                 [](const Impact& x) { return x.result.verdict != Verdict::Separated; });
    work.decided_by_host += counts.open;
    const auto begin = impacts.begin() + static_cast<std::ptrdiff_t>(before);
    const auto middle = impacts.begin() + static_cast<std::ptrdiff_t>(decided);
    std::sort(middle, impacts.end(), comes_before);
    if (wanted == Wanted::AllOnDevice) decided_.insert(decided_.end(), middle, impacts.end());
    std::inplace_merge(begin, middle, impacts.end(), comes_before);
}

// Pairs that the lists cannot hold at once. One element has at most as many as there are elements,
// which is what every list may hold: ranges of one element always end.
template <PairKind kKind>
void DeviceStepper::State::search_in_ranges(const StepOptions& options, Wanted wanted) {
    const std::uint32_t count = first_tree(kKind).count;
    std::vector<Impact>& impacts = kKind == PairKind::EdgeFace ? edge_faces_ : impacts_;
    const std::size_t before = impacts.size();
    reserve<kKind>(most_pairs_);
    std::uint32_t begin = 0;
    std::uint32_t length = std::max(1U, count / 2);
    std::uint64_t candidates = 0;
    while (begin < count && !is_stopped(options)) {
        const std::uint32_t end = begin + std::min(length, count - begin);
        launch<kKind>(begin, end, options);
        if (wanted != Wanted::All) queue_firsts<kKind>();
        queue_counts();
        synchronise("search");
        const Counts counts = host_counts_.data()[static_cast<std::size_t>(kKind)];
        if (counts.pairs > lists(kKind).capacity()) {
            const double fitting = 0.75 * static_cast<double>(lists(kKind).capacity()) /
                                   static_cast<double>(counts.pairs);
            length = std::max(1U, static_cast<std::uint32_t>(fitting * (end - begin)));
            continue;
        }
        queue_results<kKind>(counts, wanted);
        synchronise("results");
        take_results<kKind>(counts, options, wanted);
        candidates += counts.pairs;
        begin = end;
    }
    candidates_[static_cast<std::size_t>(kKind)] += candidates;
    std::sort(impacts.begin() + static_cast<std::ptrdiff_t>(before), impacts.end(), comes_before);
}

// f(kind as a constant) for the kinds that the mesh has, in their order.
template <class F>
void DeviceStepper::State::for_each_kind(const F& f) const {
    const auto call = [&]<PairKind kKind>(std::integral_constant<PairKind, kKind> kind) {
        if (first_tree(kKind).count > 0 && second_tree(kKind).count > 0) f(kind);
    };
    call(std::integral_constant<PairKind, PairKind::VertexFace>{});
    call(std::integral_constant<PairKind, PairKind::EdgeEdge>{});
    call(std::integral_constant<PairKind, PairKind::VertexVertex>{});
    call(std::integral_constant<PairKind, PairKind::VertexEdge>{});
    if (is_at_rest_) call(std::integral_constant<PairKind, PairKind::EdgeFace>{});
}

StepWork DeviceStepper::State::work_since(std::chrono::steady_clock::time_point begin) const {
    StepWork done;
    std::copy_n(candidates_.begin(), done.candidates.size(), done.candidates.begin());
    done.seconds_search = std::chrono::duration<double>(Clock::now() - begin).count();
    return done;
}

Expected<StepWork> DeviceStepper::State::search_all(const double* start, const double* end,
                                                    const StepOptions& options, Wanted wanted) {
    work = {};
    candidates_ = {};
    is_stopped_.store(false);
    const Clock::time_point begin = Clock::now();
    // What the caller's own filter leaves out must not precede anything.
    if (options.filter.accepts) wanted = Wanted::All;
    set_step(start, end, options);
    if (is_measuring_) {
        synchronise("positions");
        if (auto good = check_finite(); !good) return good.error();
        if (largest_coordinate() > mesh_detail::kMaxForDiagonals)
            return Error{"coordinates beyond 2^1000 have no clearance on a device",
                         ErrorCode::Unsupported};
    }
    // Real steps hit early, and boxes over a short window are small and few (MeshStepper has the same
    // window). What lies behind it was not asked of all pairs.
    constexpr double kWindow = 0x1p-4;
    if (wanted == Wanted::First && options.query.t_max > kWindow) {
        if (auto good = search_window(kWindow, options, wanted); !good) return good.error();
        const bool is_within =
            std::any_of(impacts_.begin(), impacts_.end(),
                        [&](const Impact& impact) { return impact.result.toi_upper < kWindow; });
        if (is_within) return work_since(begin);
    }
    if (auto good = search_window(1.0, options, wanted); !good) return good.error();
    return work_since(begin);
}

void DeviceStepper::State::search_kinds(const StepOptions& options, Wanted wanted) {
    const unsigned long long none = std::bit_cast<unsigned long long>(kInfinity);
    check(cudaMemcpyAsync(least_upper_.data(), &none, sizeof none, cudaMemcpyHostToDevice, stream_),
          "copy to the device");
    check(cudaMemsetAsync(counts_.data(), 0, kPairKinds * sizeof(Counts), stream_),
          "device memory");
    for_each_kind([&]<PairKind kKind>(std::integral_constant<PairKind, kKind>) {
        const std::size_t few = 4 * std::size_t{first_tree(kKind).count};
        reserve<kKind>(std::min(most_pairs_, std::max<std::size_t>(1U << 16, few)));
        launch<kKind>(0, first_tree(kKind).count, options);
    });
    for_each_kind([&]<PairKind kKind>(std::integral_constant<PairKind, kKind>) {
        if (wanted != Wanted::All) queue_firsts<kKind>();
    });
    queue_counts();
    synchronise("search");
}

Expected<void> DeviceStepper::State::check_finite() const {
    const auto not_finite = [&](const char* which, unsigned long long vertex) -> Expected<void> {
        return Error{std::string(is_at_rest_ || is_measuring_ ? "positions" : which) + ": the position of vertex " +
                         std::to_string(vertex) + " is not finite",
                     ErrorCode::NotFinite, static_cast<std::size_t>(vertex)};
    };
    const Scene& scene = *host_scene_.data();
    if (scene.bad_start != kNone) return not_finite("start", scene.bad_start);
    if (scene.bad_end != kNone) return not_finite("end", scene.bad_end);
    return {};
}

bool DeviceStepper::State::grow_lists() {
    bool has_grown = false;
    for_each_kind([&]<PairKind kKind>(std::integral_constant<PairKind, kKind>) {
        const unsigned long long pairs =
            host_counts_.data()[static_cast<std::size_t>(kKind)].pairs;
        if (pairs <= lists(kKind).capacity() || pairs > most_pairs_) return;
        reserve<kKind>(std::min<std::size_t>(most_pairs_, pairs + pairs / 4));
        has_grown = true;
    });
    return has_grown;
}

void DeviceStepper::State::take_kinds(const StepOptions& options, Wanted wanted) {
    std::array<Counts, kPairKinds> counts;
    std::copy_n(host_counts_.data(), counts.size(), counts.begin());
    bool has_results = false;
    for_each_kind([&]<PairKind kKind>(std::integral_constant<PairKind, kKind>) {
        const Counts& found = counts[static_cast<std::size_t>(kKind)];
        if (found.pairs > lists(kKind).capacity()) return;
        queue_results<kKind>(found, wanted);
        has_results |= found.contacts > 0 || found.open > 0;
    });
    if (has_results) synchronise("results");
    for_each_kind([&]<PairKind kKind>(std::integral_constant<PairKind, kKind>) {
        constexpr auto kAt = static_cast<std::size_t>(kKind);
        const Counts& found = counts[kAt];
        contacts_on_device_[kAt] = static_cast<std::size_t>(found.contacts);
        if (found.pairs > lists(kKind).capacity()) {
            fits_ = false;
            search_in_ranges<kKind>(options, wanted);
        } else {
            take_results<kKind>(found, options, wanted);
            candidates_[kAt] += found.pairs;
        }
    });
}

Expected<void> DeviceStepper::State::search_window(double t_end, const StepOptions& options,
                                                   Wanted wanted) {
    const std::array<std::uint64_t, kPairKinds> candidates_before = candidates_;
    while (true) {
        impacts_.clear();
        edge_faces_.clear();
        decided_.clear();
        measured_.clear();
        contacts_on_device_ = {};
        candidates_ = candidates_before;
        fits_ = true;
        try {
            set_trees(t_end, margin_for(options));
            if (is_measuring_) reset_distances();
            search_kinds(options, wanted);
            if (auto good = check_finite(); !good) return good;
            if (grow_lists()) search_kinds(options, wanted);
            take_kinds(options, wanted);
            break;
        } catch (const DeviceFailure& failure) {
            // Memory that others took, or more contacts than pairs usually have: the same again with
            // shorter lists and more ranges.
            if (failure.error.code != ErrorCode::OutOfMemory || most_pairs_ <= elements()) throw;
            check(cudaStreamSynchronize(stream_), "search");
            for (Lists& list : lists_)
                list = Lists{};
            most_pairs_ = std::max(elements(), most_pairs_ / 4);
        }
    }
    if (is_stopped(options)) return Error{"cancelled", ErrorCode::Cancelled};
    return {};
}

// Nothing moves: contacts are contacts at once. Vertices without an edge against everything, edges
// against edges and faces (MESH-5).
Expected<std::vector<Intersection>> DeviceStepper::State::intersections(
    const double* positions, const StepOptions& options) {
    StepOptions at_rest;
    at_rest.filter = options.filter;
    at_rest.stop = options.stop;
    at_rest.threads = options.threads;
    at_rest.executor = options.executor;
    is_at_rest_ = true;
    const ResetAtEnd reset{is_at_rest_};
    const Expected<StepWork> found = search_all(positions, positions, at_rest, Wanted::All);
    if (!found) return found.error();
    std::vector<Intersection> all;
    all.reserve(edge_faces_.size() + impacts_.size());
    for (const Impact& impact : edge_faces_)
        all.push_back({Intersection::Kind::EdgeFace, impact.a, impact.b});
    for (const Impact& impact : impacts_)
        all.push_back({intersection_kind(impact.kind), impact.a, impact.b});
    return all;
}

double DeviceStepper::State::largest_coordinate() const {
    const Scene& scene = *host_scene_.data();
    double largest = 0.0;
    for (int axis = 0; axis < 3; ++axis)
        for (const unsigned long long bound : {scene.lower[axis], scene.upper[axis]})
            largest = std::max(largest, std::fabs(from_ordered(bound)));
    return largest;
}

void DeviceStepper::State::reset_distances() {
    const auto count = static_cast<std::uint32_t>(topology.vertex_count);
    fill<<<blocks_for(count), kBlock, 0, stream_>>>(
        by_vertex_.data(), count, std::bit_cast<unsigned long long>(rule_.reach));
    check_launch("distances");
}

// As MeshStepper::clearance(): both keep the pairs that the same rule keeps (MESH-7).
Expected<Clearance> DeviceStepper::State::clearance(const double* positions, double reach,
                                                    const StepOptions& options) {
    const std::size_t count = topology.vertex_count;
    Clearance result{std::vector<double>(count, reach), reach, {}};
    if (count == 0) return result;
    StepOptions at_rest;
    at_rest.query.norm = options.query.norm;
    at_rest.filter = options.filter;
    at_rest.stop = options.stop;
    at_rest.threads = options.threads;
    at_rest.executor = options.executor;
    is_measuring_ = true;
    const ResetAtEnd reset{is_measuring_};
    rule_ = {reach, true};
    by_vertex_.reserve(count);
    const Expected<StepWork> found = search_all(positions, positions, at_rest, Wanted::All);
    if (!found) return found.error();
    host_by_vertex_.reserve(count);
    check(cudaMemcpyAsync(host_by_vertex_.data(), by_vertex_.data(), count * sizeof(double),
                          cudaMemcpyDeviceToHost, stream_),
          "copy from the device");
    synchronise("distances");
    std::copy_n(host_by_vertex_.data(), count, result.by_vertex.begin());
    for (const Measured& pair : measured_)
        for (const std::uint32_t vertex : pair.vertices)
            result.by_vertex[vertex] = std::min(result.by_vertex[vertex], pair.distance);
    result.least = *std::min_element(result.by_vertex.begin(), result.by_vertex.end());
    result.work = *found;
    return result;
}

std::vector<FoundMotion> DeviceStepper::State::motions_of(std::span<const std::size_t> which) {
    std::vector<FoundMotion> all(which.size());
    if (which.empty()) return all;
    for_each_kind([&]<PairKind kKind>(std::integral_constant<PairKind, kKind>) {
        std::vector<Pair> pairs;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < which.size(); ++i) {
            const Impact& impact = impacts_[which[i]];
            if (impact.kind != query_kind(kKind)) continue;
            pairs.push_back({impact.a, impact.b});
            places.push_back(i);
        }
        if (pairs.empty()) return;
        Lists& l = lists(kKind);
        const auto count = static_cast<std::uint32_t>(pairs.size());
        l.survivors.reserve(count);
        l.motions.reserve(count);
        l.host_motions.reserve(count);
        check(cudaMemcpyAsync(l.survivors.data(), pairs.data(), count * sizeof(Pair),
                              cudaMemcpyHostToDevice, stream_),
              "copy to the device");
        gather_motions<kKind><<<blocks_for(count), kBlock, 0, stream_>>>(mesh_, l.survivors.data(),
                                                                         count, l.motions.data());
        check_launch("motions");
        check(cudaMemcpyAsync(l.host_motions.data(), l.motions.data(), count * sizeof(FoundMotion),
                              cudaMemcpyDeviceToHost, stream_),
              "copy from the device");
        synchronise("motions");
        for (std::size_t i = 0; i < places.size(); ++i)
            all[places[i]] = l.host_motions.data()[i];
    });
    return all;
}

}  // namespace graze::cuda

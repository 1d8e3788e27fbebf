#include "graze/cuda/stepper.hpp"

#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "cuda/boxes.cuh"
#include "cuda/device.cuh"
#include "cuda/narrow.cuh"
#include "cuda/tree.cuh"
#include "graze/ccd.hpp"
#include "graze/core/fp_environment.hpp"
#include "graze/core/rounding.hpp"
#include "graze/mesh/contact.hpp"
#include "graze/narrow/query_kind.hpp"

namespace graze::cuda {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<QueryKind, 4> kKinds = {QueryKind::VertexFace, QueryKind::EdgeEdge,
                                             QueryKind::VertexVertex, QueryKind::VertexEdge};
constexpr unsigned long long kNone = ~0ULL;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// --- Positions and boxes -------------------------------------------------------------------------

// What the vertices say of the step as a whole.
struct Scene {
    unsigned long long lower[3];  // ordered()
    unsigned long long upper[3];
    unsigned long long bad_start;  // the first vertex that is not finite
    unsigned long long bad_end;
};

__device__ bool is_finite_point(const double* p) {
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

__global__ void reset_scene(Scene* scene) {
    for (int axis = 0; axis < 3; ++axis) {
        scene->lower[axis] = kNone;
        scene->upper[axis] = 0;
    }
    scene->bad_start = scene->bad_end = kNone;
}

__global__ void take_positions(const double* start, const double* end, std::uint32_t count,
                               MovingPoint* vertices, Scene* scene) {
    const std::uint32_t i = thread_index();
    unsigned long long lower[3] = {kNone, kNone, kNone};
    unsigned long long upper[3] = {0, 0, 0};
    if (i < count) {
        const double* p = start + 3 * std::size_t{i};
        const double* q = end + 3 * std::size_t{i};
        vertices[i] = {{p[0], p[1], p[2]}, {q[0], q[1], q[2]}};
        const bool good_start = is_finite_point(p);
        const bool good_end = is_finite_point(q);
        if (!good_start) atomicMin(&scene->bad_start, i);
        if (!good_end) atomicMin(&scene->bad_end, i);
        if (good_start && good_end) {
            for (int axis = 0; axis < 3; ++axis) {
                lower[axis] = ordered(fmin(p[axis], q[axis]));
                upper[axis] = ordered(fmax(p[axis], q[axis]));
            }
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        for (int offset = 16; offset > 0; offset /= 2) {
            lower[axis] = min(lower[axis], __shfl_down_sync(~0U, lower[axis], offset));
            upper[axis] = max(upper[axis], __shfl_down_sync(~0U, upper[axis], offset));
        }
        if ((threadIdx.x & 31U) == 0) {
            atomicMin(&scene->lower[axis], lower[axis]);
            atomicMax(&scene->upper[axis], upper[axis]);
        }
    }
}

// A power of two that brings `range` to 2, about; 1 for 0. Never subnormal, never above 2^1023.
__device__ double scale_for(double range) {
    if (!(range > 0.0)) return 1.0;
    const int exponent = -ilogb(range);
    return ldexp(1.0, min(max(exponent, -1022), 1023));
}

// As the Grid of the host. Any numbers would do: the map is monotone whatever they are.
__global__ void set_map(const Scene* scene, SceneMap* map) {
    double lower[3];
    double upper[3];
    map->before = 1.0;
    const bool is_empty = scene->lower[0] > scene->upper[0];
    for (int axis = 0; axis < 3; ++axis) {
        lower[axis] = is_empty ? 0.0 : from_ordered(scene->lower[axis]);
        upper[axis] = is_empty ? 0.0 : from_ordered(scene->upper[axis]);
        if (fmax(fabs(lower[axis]), fabs(upper[axis])) > 0x1p1020) map->before = 0x1p-8;
    }
    const auto set_axis = [&](int axis, double low, double high) {
        const double range = high - low;
        map->middle[axis] = low + 0.5 * range;
        map->scale[axis] = scale_for(range);
    };
    for (int axis = 0; axis < 3; ++axis)
        set_axis(axis, map->before * lower[axis], map->before * upper[axis]);
    int at = 3;
    for (int i = 0; i < 3; ++i) {
        for (int k = i + 1; k < 3; ++k) {
            set_axis(at++, map->before * lower[i] + map->before * lower[k],
                     map->before * upper[i] + map->before * upper[k]);
            set_axis(at++, map->before * lower[i] - map->before * upper[k],
                     map->before * upper[i] - map->before * lower[k]);
        }
    }
}

// Elements of kSize vertices each; null: element i is vertex i. As thick everywhere as queries take
// them to be: by the largest radius of their vertices (MESH-2).
template <int kSize>
__global__ void set_boxes(const std::uint32_t* elements, std::uint32_t count,
                          const MovingPoint* vertices, const double* radius, double margin,
                          double t_end, const SceneMap* map, Dop* boxes) {
    const std::uint32_t i = thread_index();
    if (i >= count) return;
    std::uint32_t v[kSize];
    double largest = 0.0;
    for (int k = 0; k < kSize; ++k) {
        v[k] = elements != nullptr ? elements[std::size_t{kSize} * i + k] : i;
        if (radius != nullptr) largest = fmax(largest, radius[v[k]]);
    }
    const double thickness = __dadd_ru(margin, largest);
    const SceneMap local = *map;
    Dop box;
    clear(box);
    for (int k = 0; k < kSize; ++k)
        add_path(vertices[v[k]], t_end, thickness, local, box);
    boxes[i] = box;
}

__global__ void sort_boxes(const Dop* boxes, const std::uint32_t* names, std::uint32_t count,
                           Dop* sorted, Diagonals* diagonals) {
    const std::uint32_t i = thread_index();
    if (i >= count) return;
    const Dop box = boxes[names[i]];
    sorted[i] = box;
    diagonals[i] = diagonals_of(box);
}

// --- Pairs ---------------------------------------------------------------------------------------

struct FilterView {
    const std::uint32_t* body;  // each of them, or null
    const std::uint8_t* fixed;
    const std::uint32_t* layers;
    const std::uint32_t* mask;
    bool within_bodies;
};

template <QueryKind kKind>
__device__ bool admits(const FilterView& filter, const std::uint32_t v[4]) {
    constexpr int kFirst = MotionOf<kKind>::kFirst;
    constexpr int kCount = static_cast<int>(MotionOf<kKind>::Type::kVertices);
    bool shares = false;
    for (int i = 0; i < kFirst; ++i)
        for (int k = kFirst; k < kCount; ++k)
            shares |= v[i] == v[k];
    if (shares) return false;
    const std::uint32_t a = v[0];
    const std::uint32_t b = v[kFirst];
    if (filter.body != nullptr && !filter.within_bodies && filter.body[a] == filter.body[b])
        return false;
    if (filter.layers != nullptr &&
        ((filter.layers[a] & filter.mask[b]) == 0 || (filter.layers[b] & filter.mask[a]) == 0))
        return false;
    if (filter.fixed == nullptr) return true;
    bool is_free = false;
    for (int i = 0; i < kCount; ++i)
        is_free |= filter.fixed[v[i]] == 0;
    return is_free;
}

// Appends pairs to a list that all threads share: a few at a time, since they share its count. What is
// beyond the end is counted, not written.
class PairWriter {
public:
    __device__ PairWriter(Pair* list, std::uint64_t capacity, unsigned long long* count)
        : list_(list), capacity_(capacity), total_(count) {}

    __device__ void add(Pair pair) {
        pairs_[count_++] = pair;
        if (count_ < kPortion) return;
        write(atomicAdd(total_, static_cast<unsigned long long>(kPortion)));
        count_ = 0;
    }
    // The rest, of a whole warp at once. Requires: all threads of the warp call it.
    __device__ void finish() {
        const unsigned lane = threadIdx.x & 31U;
        unsigned before = count_;
        for (unsigned offset = 1; offset < 32; offset *= 2) {
            const unsigned other = __shfl_up_sync(~0U, before, offset);
            if (lane >= offset) before += other;
        }
        unsigned long long first = 0;
        if (lane == 31 && before > 0)
            first = atomicAdd(total_, static_cast<unsigned long long>(before));
        first = __shfl_sync(~0U, first, 31);
        write(first + before - count_);
    }

private:
    static constexpr unsigned kPortion = 8;

    __device__ void write(unsigned long long first) {
        for (unsigned i = 0; i < count_; ++i)
            if (first + i < capacity_) list_[first + i] = pairs_[i];
    }

    Pair* list_;
    std::uint64_t capacity_;
    unsigned long long* total_;
    unsigned count_ = 0;
    Pair pairs_[kPortion];
};

// Every pair of an element at positions [begin, end) of `from` and one of `in` whose boxes overlap;
// kSelf: of one tree with itself, each pair once. Appends as many as there is room for, counts all.
// The y of the grid are the parts of a search: few elements with many pairs would leave the device idle.
template <QueryKind kKind, bool kSelf>
__global__ void __launch_bounds__(kBlock)
    find_pairs(TreeView from, TreeView in, std::uint32_t begin, std::uint32_t end, int levels,
               MeshView mesh, FilterView filter, Pair* pairs, std::uint64_t capacity,
               Counts* counts) {
    const std::uint32_t position = begin + thread_index();
    PairWriter writer(pairs, capacity, &counts->pairs);
    if (position < end) {
        const Dop box = from.boxes[position];
        constexpr bool kPointsFirst =
            kKind == QueryKind::VertexVertex || kKind == QueryKind::VertexEdge;
        constexpr bool kPointsSecond = kKind == QueryKind::VertexVertex;
        const std::uint32_t name = from.names[position];
        const std::uint32_t first = kPointsFirst ? mesh.points[name] : name;
        search<kSelf>(in, box, position, blockIdx.y, levels, [&](std::uint32_t at) {
            const std::uint32_t second = kPointsSecond ? mesh.points[in.names[at]] : in.names[at];
            const Pair pair = kSelf && second < first ? Pair{second, first} : Pair{first, second};
            std::uint32_t v[4];
            vertices_of_pair<kKind>(mesh, pair, v);
            if (admits<kKind>(filter, v)) writer.add(pair);
        });
    }
    writer.finish();
}

// Into how many parts the search of an element is cut, as a power of two: a part has at most 256 leaves,
// so that no thread runs long after the others, unless that makes too many threads.
// A grid has at most 65,535 blocks in y: short ranges of a large mesh would ask for more.
constexpr int kMaxSearchLevels = 15;
static_assert((1U << kMaxSearchLevels) <= 65'535U);
int search_levels(std::uint32_t elements, std::uint32_t leaves) {
    int levels = 0;
    while (levels < kMaxSearchLevels && (leaves >> levels) > 256 &&
           (std::uint64_t{elements} << levels) < (1U << 23))
        ++levels;
    return levels;
}

// --- Results -------------------------------------------------------------------------------------

__global__ void contact_keys(const Pair* contacts, std::uint32_t count, std::uint64_t* keys,
                             std::uint32_t* order) {
    const std::uint32_t i = thread_index();
    if (i >= count) return;
    keys[i] = (std::uint64_t{contacts[i].a} << 32) | contacts[i].b;
    order[i] = i;
}

static __global__ void ordered_contacts(const std::uint64_t* keys, const std::uint32_t* order,
                                        const Contact* times, std::uint32_t count,
                                        DeviceImpact* found) {
    const std::uint32_t i = thread_index();
    if (i >= count) return;
    const Contact time = times[order[i]];
    found[i] = {static_cast<std::uint32_t>(keys[i] >> 32), static_cast<std::uint32_t>(keys[i]),
                time.lower, time.upper};
}

struct FoundMotion {
    Pair pair;
    MovingPoint vertices[4];
};
template <QueryKind kKind>
__global__ void gather_motions(MeshView mesh, const Pair* pairs, std::uint32_t count,
                               FoundMotion* found) {
    const std::uint32_t i = thread_index();
    if (i >= count) return;
    std::uint32_t v[4];
    vertices_of_pair<kKind>(mesh, pairs[i], v);
    found[i].pair = pairs[i];
    for (int k = 0; k < 4; ++k)
        found[i].vertices[k] = mesh.vertices[v[k]];
}

CcdResult contact_result(const DeviceImpact& found) {
    return {Verdict::Contact, found.toi_lower, found.toi_upper, 1, 0.0};
}

// --- The first of several, on the host -----------------------------------------------------------

// f(the motion of that kind).
template <class F>
auto with_motion(QueryKind kind, const MovingPoint v[4], const F& f) {
    switch (kind) {
        case QueryKind::VertexFace:
            return f(motion_from<QueryKind::VertexFace>(v));
        case QueryKind::EdgeEdge:
            return f(motion_from<QueryKind::EdgeEdge>(v));
        case QueryKind::VertexVertex:
            return f(motion_from<QueryKind::VertexVertex>(v));
        case QueryKind::VertexEdge:
            break;
    }
    return f(motion_from<QueryKind::VertexEdge>(v));
}

// The vertices of the pair of an impact, of a, then of b; as vertices_of_pair().
std::array<std::uint32_t, 4> vertices_of(const MeshTopology& mesh, QueryKind kind, std::uint32_t a,
                                         std::uint32_t b) {
    switch (kind) {
        case QueryKind::VertexFace:
            return {a, mesh.faces[b][0], mesh.faces[b][1], mesh.faces[b][2]};
        case QueryKind::EdgeEdge:
            return {mesh.edges[a][0], mesh.edges[a][1], mesh.edges[b][0], mesh.edges[b][1]};
        case QueryKind::VertexVertex:
            return {a, b, a, b};
        case QueryKind::VertexEdge:
            break;
    }
    return {a, mesh.edges[b][0], mesh.edges[b][1], a};
}

// With the largest radius of each element, rounded up: what MeshStepper asks with.
double separation_of(const MeshTopology& mesh, const StepOptions& options, QueryKind kind,
                     std::uint32_t a, std::uint32_t b) {
    if (options.radius.empty()) return options.query.min_separation;
    const std::array<std::uint32_t, 4> v = vertices_of(mesh, kind, a, b);
    const std::size_t first = kind == QueryKind::EdgeEdge ? 2 : 1;
    const std::size_t count = kind == QueryKind::VertexVertex ? 2
                              : kind == QueryKind::VertexEdge ? 3
                                                              : 4;
    double of_a = 0.0;
    double of_b = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        double& largest = i < first ? of_a : of_b;
        largest = std::max(largest, options.radius[v[i]]);
    }
    return add_up(options.query.min_separation, add_up(of_a, of_b));
}

CcdResult asked(const MeshTopology& mesh, const StepOptions& options, const Impact& impact,
                const MovingPoint v[4], double time_width) {
    CcdOptions query = options.query;
    query.min_separation = separation_of(mesh, options, impact.kind, impact.a, impact.b);
    query.time_width = time_width;
    return with_motion(impact.kind, v, [&](const auto& motion) { return ccd(motion, query); });
}

// Where the elements touch, from the motion of the pair alone.
ContactPoint contact_point_of(const Impact& impact, const MovingPoint v[4]) {
    MeshTopology pair;
    pair.vertex_count = 4;
    Impact renamed = impact;
    renamed.a = 0;
    renamed.b =
        impact.kind == QueryKind::EdgeEdge || impact.kind == QueryKind::VertexVertex ? 1 : 0;
    if (impact.kind == QueryKind::VertexFace) pair.faces = {FaceIndices{1, 2, 3}};
    if (impact.kind == QueryKind::EdgeEdge) pair.edges = {EdgeIndices{0, 1}, EdgeIndices{2, 3}};
    if (impact.kind == QueryKind::VertexEdge) pair.edges = {EdgeIndices{1, 2}};
    std::array<Vec3, 4> start;
    std::array<Vec3, 4> end;
    for (std::size_t i = 0; i < 4; ++i) {
        start[i] = v[i].start;
        end[i] = v[i].end;
    }
    return contact_of(pair, start, end, renamed);
}

// Those that no other precedes for certain.
std::vector<std::size_t> not_preceded(std::span<const Impact> impacts) {
    double end = kInfinity;
    for (const Impact& impact : impacts)
        end = std::min(end, impact.result.toi_upper);
    std::vector<std::size_t> firsts;
    for (std::size_t i = 0; i < impacts.size(); ++i)
        if (!(impacts[i].result.toi_lower > end)) firsts.push_back(i);
    return firsts;
}

}  // namespace

// --- The stepper ---------------------------------------------------------------------------------

class DeviceStepper::State {
public:
    State(MeshTopology mesh, const DeviceOptions& options);
    ~State() {
        use_device();
        cudaStreamSynchronize(stream_);
        cudaStreamDestroy(stream_);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void use_device() const noexcept { cudaSetDevice(device_); }
    // Copies positions to the device.
    void load(std::span<const Vec3> start, std::span<const Vec3> end);
    // Requires: options that were checked.
    [[nodiscard]] Expected<StepImpacts> all_impacts(const double* start, const double* end,
                                                    const StepOptions& options);
    [[nodiscard]] Expected<FirstImpact> first_impact(const double* start, const double* end,
                                                     const StepOptions& options);
    [[nodiscard]] Expected<DeviceImpacts> all_on_device(const double* start, const double* end,
                                                        const StepOptions& options);

    MeshTopology topology;
    DeviceWork work;
    DeviceBuffer<double> start_positions;
    DeviceBuffer<double> end_positions;

private:
    struct Tree {
        DeviceBuffer<Dop> boxes;
        DeviceBuffer<Dop> sorted;
        DeviceBuffer<Diagonals> diagonals;
        DeviceBuffer<std::uint32_t> codes[2];
        DeviceBuffer<std::uint32_t> names[2];
        DeviceBuffer<TreeNode> nodes;
        DeviceBuffer<std::uint32_t> node_parent;
        DeviceBuffer<std::uint32_t> leaf_parent;
        DeviceBuffer<std::uint32_t> arrived;
        std::uint32_t count = 0;
        [[nodiscard]] TreeView view() const {
            return {nodes.data(), sorted.data(), diagonals.data(), names[1].data(), count};
        }
    };
    // Pairs of one kind and what becomes of them.
    struct Lists {
        DeviceBuffer<Pair> pairs;      // later the contacts
        DeviceBuffer<Pair> survivors;  // later the contacts that are kept
        DeviceBuffer<Contact> times;
        DeviceBuffer<Contact> kept_times;
        DeviceBuffer<Pair> open;
        // Room for pairs, and so for all that becomes of them.
        [[nodiscard]] std::size_t capacity() const { return pairs.size(); }
        DeviceBuffer<std::uint64_t> keys[2];
        DeviceBuffer<std::uint32_t> order[2];
        DeviceBuffer<DeviceImpact> found;
        DeviceBuffer<DeviceImpact> all;  // what stays on the device
        DeviceBuffer<FoundMotion> motions;
        PinnedBuffer<DeviceImpact> host_found;
        PinnedBuffer<FoundMotion> host_motions;
    };
    enum class Wanted : std::uint8_t { All, First, AllOnDevice };
    // What first_of() needs beside the impacts.
    struct Winner {
        std::size_t impact = 0;
        double lower = kInfinity;
        double upper = kInfinity;
        std::array<MovingPoint, 4> vertices{};
    };

    void synchronise(const char* what) {
        check(cudaStreamSynchronize(stream_), what);
        ++work.synchronisations;
    }
    template <class T>
    const T* copied(DeviceBuffer<T>& buffer, std::span<const T> values) {
        if (values.empty()) return nullptr;
        buffer.reserve(values.size());
        check(cudaMemcpyAsync(buffer.data(), values.data(), values.size_bytes(),
                              cudaMemcpyHostToDevice, stream_),
              "copy to the device");
        return buffer.data();
    }
    template <class Key>
    void sort(DeviceBuffer<Key>* keys, DeviceBuffer<std::uint32_t>* values, std::uint32_t count,
              int bits);
    template <int kSize>
    void set_boxes_of(Tree& tree, const std::uint32_t* elements, std::size_t count, double margin,
                      double t_end);
    void set_order(Tree& tree);
    void set_nodes(Tree& tree);
    void set_step(const double* start, const double* end, const StepOptions& options);
    void set_trees(double t_end, double min_separation, double tolerance);

    [[nodiscard]] Lists& lists(QueryKind kind) { return lists_[static_cast<std::size_t>(kind)]; }
    template <QueryKind kKind>
    void reserve(std::size_t count);
    template <QueryKind kKind>
    void launch(std::uint32_t begin, std::uint32_t end, const StepOptions& options);
    void queue_counts();
    template <QueryKind kKind>
    void queue_firsts();
    template <QueryKind kKind>
    void queue_sorted(const Pair* pairs, const Contact* times, std::uint32_t count,
                      DeviceBuffer<DeviceImpact>& sorted);
    template <QueryKind kKind>
    void queue_results(const Counts& counts, Wanted wanted);
    template <QueryKind kKind>
    void take_results(const Counts& counts, const StepOptions& options, Wanted wanted);
    template <QueryKind kKind>
    void search_in_ranges(const StepOptions& options, Wanted wanted);
    // The tree whose elements are the first, and the second, of a pair.
    [[nodiscard]] const Tree& first_tree(QueryKind kind) const {
        if (kind == QueryKind::VertexFace) return vertex_tree_;
        return kind == QueryKind::EdgeEdge ? edge_tree_ : point_tree_;
    }
    [[nodiscard]] const Tree& second_tree(QueryKind kind) const {
        if (kind == QueryKind::VertexFace) return face_tree_;
        return kind == QueryKind::VertexVertex ? point_tree_ : edge_tree_;
    }
    template <class F>
    void for_each_kind(const F& f) const;
    [[nodiscard]] Expected<StepWork> search_all(const double* start, const double* end,
                                                const StepOptions& options, Wanted wanted);
    // The pairs of [0, t_end] alone, up to t_max.
    [[nodiscard]] Expected<void> search_window(double t_end, const StepOptions& options,
                                               Wanted wanted);
    [[nodiscard]] std::vector<FoundMotion> motions_of(std::span<const std::size_t> which);
    [[nodiscard]] Winner first_of(std::span<const std::size_t> firsts, const StepOptions& options);
    [[nodiscard]] StepVerdict verdict_of(std::span<const std::size_t> firsts,
                                         const Winner& winner) const;

    int device_ = 0;
    cudaStream_t stream_ = nullptr;
    unsigned multiprocessors_ = 1;
    std::size_t most_pairs_ = 0;  // that a list may hold

    DeviceBuffer<EdgeIndices> edges_;
    DeviceBuffer<FaceIndices> faces_;
    DeviceBuffer<std::uint32_t> points_;
    DeviceBuffer<MovingPoint> vertices_;
    DeviceBuffer<double> radius_;
    DeviceBuffer<std::uint32_t> body_;
    DeviceBuffer<std::uint8_t> fixed_;
    DeviceBuffer<std::uint32_t> layers_;
    DeviceBuffer<std::uint32_t> mask_;
    DeviceBuffer<Scene> scene_;
    DeviceBuffer<SceneMap> map_;
    Tree vertex_tree_;  // an order alone
    Tree edge_tree_;
    Tree face_tree_;
    Tree point_tree_;
    DeviceBuffer<std::byte> scratch_;
    std::array<Lists, kKinds.size()> lists_;
    DeviceBuffer<Counts> counts_;  // by kind
    DeviceBuffer<unsigned long long> least_upper_;
    PinnedBuffer<Counts> host_counts_;
    PinnedBuffer<Scene> host_scene_;
    MeshView mesh_{};
    FilterView filter_{};
    std::array<std::uint64_t, kKinds.size()> candidates_{};
    std::array<std::size_t, kKinds.size()> contacts_on_device_{};
    bool fits_ = true;             // all pairs of a kind into its list
    std::vector<Impact> impacts_;  // in the order of kind, a, b
    std::vector<Impact> decided_;  // by the host, where the others stay on the device
};

DeviceStepper::State::State(MeshTopology mesh, const DeviceOptions& options)
    : topology(std::move(mesh)), device_(options.device) {
    check(cudaSetDevice(device_), "device");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream");
    int count = 1;
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device_), "device");
    multiprocessors_ = static_cast<unsigned>(count);
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "device memory");
    const std::size_t memory = options.pair_memory > 0 ? options.pair_memory : free / 4;
    // Two kinds at a time have long lists; those of points are short.
    constexpr std::size_t kBytes = 2 * (3 * sizeof(Pair) + 2 * sizeof(Contact));
    const std::size_t elements = std::max(
        {topology.edges.size(), topology.faces.size(), topology.points.size(), std::size_t{1024}});
    most_pairs_ = std::max(elements, memory / kBytes);
    copied<EdgeIndices>(edges_, topology.edges);
    copied<FaceIndices>(faces_, topology.faces);
    copied<std::uint32_t>(points_, topology.points);
    scene_.reserve(1);
    map_.reserve(1);
    counts_.reserve(kKinds.size());
    least_upper_.reserve(1);
    host_counts_.reserve(kKinds.size());
    host_scene_.reserve(1);
    synchronise("copy to the device");
}

void DeviceStepper::State::load(std::span<const Vec3> start, std::span<const Vec3> end) {
    const auto copy = [&](DeviceBuffer<double>& buffer, std::span<const Vec3> from) {
        static_assert(sizeof(Vec3) == 3 * sizeof(double));
        buffer.reserve(3 * from.size());
        if (from.empty()) return;
        check(cudaMemcpyAsync(buffer.data(), from.data(), from.size_bytes(), cudaMemcpyHostToDevice,
                              stream_),
              "copy to the device");
    };
    copy(start_positions, start);
    copy(end_positions, end);
}

// --- Trees

// From [0] to [1].
template <class Key>
void DeviceStepper::State::sort(DeviceBuffer<Key>* keys, DeviceBuffer<std::uint32_t>* values,
                                std::uint32_t count, int bits) {
    std::size_t bytes = 0;
    const auto run = [&](void* memory) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, keys[0].data(), keys[1].data(),
                                               values[0].data(), values[1].data(), count, 0, bits,
                                               stream_);
    };
    check(run(nullptr), "sort");
    scratch_.reserve(bytes);
    check(run(scratch_.data()), "sort");
}

template <int kSize>
void DeviceStepper::State::set_boxes_of(Tree& tree, const std::uint32_t* elements,
                                        std::size_t count, double margin, double t_end) {
    tree.count = static_cast<std::uint32_t>(count);
    if (count == 0) return;
    tree.boxes.reserve(count);
    set_boxes<kSize><<<blocks_for(count), kBlock, 0, stream_>>>(
        elements, tree.count, vertices_.data(), mesh_.radius, margin, t_end, map_.data(),
        tree.boxes.data());
    check_launch("boxes");
}

void DeviceStepper::State::set_order(Tree& tree) {
    const std::uint32_t count = tree.count;
    if (count == 0) return;
    for (int i = 0; i < 2; ++i) {
        tree.codes[i].reserve(count);
        tree.names[i].reserve(count);
    }
    tree.sorted.reserve(count);
    tree.diagonals.reserve(count);
    morton_codes<<<blocks_for(count), kBlock, 0, stream_>>>(
        tree.boxes.data(), count, tree.codes[0].data(), tree.names[0].data());
    check_launch("order");
    sort(tree.codes, tree.names, count, 30);
    sort_boxes<<<blocks_for(count), kBlock, 0, stream_>>>(
        tree.boxes.data(), tree.names[1].data(), count, tree.sorted.data(), tree.diagonals.data());
    check_launch("order");
}

void DeviceStepper::State::set_nodes(Tree& tree) {
    const std::uint32_t count = tree.count;
    if (count < 2) return;
    tree.nodes.reserve(count);
    tree.node_parent.reserve(count);
    tree.leaf_parent.reserve(count);
    tree.arrived.reserve(count);
    check(cudaMemsetAsync(tree.arrived.data(), 0, count * sizeof(std::uint32_t), stream_),
          "device memory");
    link_nodes<<<blocks_for(count), kBlock, 0, stream_>>>(
        tree.codes[1].data(), count, tree.nodes.data(), tree.node_parent.data(),
        tree.leaf_parent.data());
    fit_nodes<<<blocks_for(count), kBlock, 0, stream_>>>(
        tree.sorted.data(), count, tree.nodes.data(), tree.node_parent.data(),
        tree.leaf_parent.data(), tree.arrived.data());
    check_launch("tree");
}

void DeviceStepper::State::set_step(const double* start, const double* end,
                                    const StepOptions& options) {
    const auto count = static_cast<std::uint32_t>(topology.vertex_count);
    vertices_.reserve(std::max<std::size_t>(count, 1));
    reset_scene<<<1, 1, 0, stream_>>>(scene_.data());
    if (count > 0)
        take_positions<<<blocks_for(count), kBlock, 0, stream_>>>(start, end, count,
                                                                  vertices_.data(), scene_.data());
    set_map<<<1, 1, 0, stream_>>>(scene_.data(), map_.data());
    check_launch("positions");
    check(cudaMemcpyAsync(host_scene_.data(), scene_.data(), sizeof(Scene), cudaMemcpyDeviceToHost,
                          stream_),
          "copy from the device");
    const PairFilter& filter = options.filter;
    mesh_ = {vertices_.data(), edges_.data(), faces_.data(), points_.data(),
             copied(radius_, options.radius)};
    filter_ = {copied(body_, filter.body), copied(fixed_, filter.fixed),
               copied(layers_, filter.layers), copied(mask_, filter.mask), filter.within_bodies};
}

// Over boxes of [0, t_end].
void DeviceStepper::State::set_trees(double t_end, double min_separation, double tolerance) {
    // MESH-2: two margins add up to at least the separation and the tolerance that is answered with it,
    // as MeshStepper searches (MESH-4).
    const double reach = add_up(min_separation, std::min(tolerance, min_separation));
    const double margin = 0.5 * reach + 0x1p-1074;
    set_boxes_of<2>(edge_tree_, reinterpret_cast<const std::uint32_t*>(edges_.data()),
                    topology.edges.size(), margin, t_end);
    set_boxes_of<3>(face_tree_, reinterpret_cast<const std::uint32_t*>(faces_.data()),
                    topology.faces.size(), margin, t_end);
    set_boxes_of<1>(vertex_tree_, nullptr, topology.faces.empty() ? 0 : topology.vertex_count,
                    margin, t_end);
    set_boxes_of<1>(point_tree_, points_.data(), topology.points.size(), margin, t_end);
    for (Tree* tree : {&edge_tree_, &face_tree_, &vertex_tree_, &point_tree_})
        set_order(*tree);
    for (Tree* tree : {&edge_tree_, &face_tree_, &point_tree_})
        set_nodes(*tree);
}

// --- Pairs

template <QueryKind kKind>
void DeviceStepper::State::reserve(std::size_t count) {
    Lists& l = lists(kKind);
    l.survivors.reserve(count);
    l.times.reserve(count);
    l.kept_times.reserve(count);
    l.open.reserve(count);
    l.pairs.reserve(count);
}

// Queues the search of the elements at positions [begin, end) and the answers.
template <QueryKind kKind>
void DeviceStepper::State::launch(std::uint32_t begin, std::uint32_t end,
                                  const StepOptions& options) {
    constexpr bool kSelf = kKind == QueryKind::EdgeEdge || kKind == QueryKind::VertexVertex;
    const NarrowOptions narrow{options.query.t_max, options.query.time_width,
                               options.query.min_separation, options.query.norm};
    Lists& l = lists(kKind);
    Counts* const counts = counts_.data() + static_cast<std::size_t>(kKind);
    check(cudaMemsetAsync(counts, 0, sizeof(Counts), stream_), "device memory");
    const int levels = search_levels(end - begin, second_tree(kKind).count);
    find_pairs<kKind, kSelf><<<dim3(blocks_for(end - begin), 1U << levels), kBlock, 0, stream_>>>(
        first_tree(kKind).view(), second_tree(kKind).view(), begin, end, levels, mesh_, filter_,
        l.pairs.data(), l.capacity(), counts);
    check_launch("search of pairs");
    cull_pairs<kKind><<<multiprocessors_ * 16, kBlock, 0, stream_>>>(
        mesh_, l.pairs.data(), l.capacity(), narrow, l.survivors.data(), counts);
    check_launch("culling of pairs");
    answer_pairs<kKind><<<multiprocessors_ * 32, 64, 0, stream_>>>(
        mesh_, l.survivors.data(), l.capacity(), narrow, l.pairs.data(), l.times.data(),
        l.open.data(), least_upper_.data(), counts);
    check_launch("answers");
    ++work.ranges;
}

void DeviceStepper::State::queue_counts() {
    check(cudaMemcpyAsync(host_counts_.data(), counts_.data(), kKinds.size() * sizeof(Counts),
                          cudaMemcpyDeviceToHost, stream_),
          "copy from the device");
}

// Survivors were answered: their list takes the contacts that may be first.
template <QueryKind kKind>
void DeviceStepper::State::queue_firsts() {
    Lists& l = lists(kKind);
    keep_firsts<<<multiprocessors_ * 4, kBlock, 0, stream_>>>(
        l.pairs.data(), l.times.data(), l.capacity(), least_upper_.data(), l.survivors.data(),
        l.kept_times.data(), counts_.data() + static_cast<std::size_t>(kKind));
    check_launch("first contacts");
}

// In the order of a, b.
template <QueryKind kKind>
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
    sort(l.keys, l.order, count, 64);
    ordered_contacts<<<blocks_for(count), kBlock, 0, stream_>>>(l.keys[1].data(), l.order[1].data(),
                                                                times, count, sorted.data());
    check_launch("contacts");
}

// Queues the copies of contacts, in their order, and of what is open.
template <QueryKind kKind>
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

// After a synchronisation: contacts as they are, what is open by the host's exact tiers.
template <QueryKind kKind>
void DeviceStepper::State::take_results(const Counts& counts, const StepOptions& options,
                                        Wanted wanted) {
    const Lists& l = lists(kKind);
    const std::size_t contacts = wanted == Wanted::All ? counts.contacts : counts.kept;
    const auto accepts = [&](const Pair& pair) {
        return !options.filter.accepts || options.filter.accepts(kKind, pair.a, pair.b);
    };
    const std::size_t before = impacts_.size();
    impacts_.reserve(before + contacts);
    for (const DeviceImpact& found : std::span(l.host_found.data(), contacts))
        if (accepts({found.a, found.b}))
            impacts_.push_back({kKind, found.a, found.b, contact_result(found)});
    const std::size_t decided = impacts_.size();
    for (const FoundMotion& found : std::span(l.host_motions.data(), counts.open)) {
        if (options.stop.stop_requested()) return;
        if (!accepts(found.pair)) continue;
        Impact impact{kKind, found.pair.a, found.pair.b, {}};
        impact.result = asked(topology, options, impact, found.vertices, options.query.time_width);
        if (impact.result.verdict != Verdict::Separated) impacts_.push_back(impact);
    }
    work.decided_by_host += counts.open;
    const auto in_order = [](const Impact& x, const Impact& y) {
        return std::tuple(x.a, x.b) < std::tuple(y.a, y.b);
    };
    const auto begin = impacts_.begin() + static_cast<std::ptrdiff_t>(before);
    const auto middle = impacts_.begin() + static_cast<std::ptrdiff_t>(decided);
    std::sort(middle, impacts_.end(), in_order);
    if (wanted == Wanted::AllOnDevice) decided_.insert(decided_.end(), middle, impacts_.end());
    std::inplace_merge(begin, middle, impacts_.end(), in_order);
}

// Pairs that the lists cannot hold at once. One element has at most as many as there are elements,
// which is what every list may hold: ranges of one element always end.
template <QueryKind kKind>
void DeviceStepper::State::search_in_ranges(const StepOptions& options, Wanted wanted) {
    const std::uint32_t count = first_tree(kKind).count;
    const std::size_t before = impacts_.size();
    reserve<kKind>(most_pairs_);
    std::uint32_t begin = 0;
    std::uint32_t length = std::max(1U, count / 2);
    std::uint64_t candidates = 0;
    while (begin < count && !options.stop.stop_requested()) {
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
    std::sort(impacts_.begin() + static_cast<std::ptrdiff_t>(before), impacts_.end(),
              [](const Impact& x, const Impact& y) {
                  return std::tuple(x.a, x.b) < std::tuple(y.a, y.b);
              });
}

// f(kind as a constant) for the kinds that the mesh has, in their order.
template <class F>
void DeviceStepper::State::for_each_kind(const F& f) const {
    const auto call = [&]<QueryKind kKind>(std::integral_constant<QueryKind, kKind> kind) {
        if (first_tree(kKind).count > 0 && second_tree(kKind).count > 0) f(kind);
    };
    call(std::integral_constant<QueryKind, QueryKind::VertexFace>{});
    call(std::integral_constant<QueryKind, QueryKind::EdgeEdge>{});
    call(std::integral_constant<QueryKind, QueryKind::VertexVertex>{});
    call(std::integral_constant<QueryKind, QueryKind::VertexEdge>{});
}

Expected<StepWork> DeviceStepper::State::search_all(const double* start, const double* end,
                                                    const StepOptions& options, Wanted wanted) {
    work = {};
    candidates_ = {};
    const Clock::time_point begin = Clock::now();
    // What the caller's own filter leaves out must not precede anything.
    if (options.filter.accepts) wanted = Wanted::All;
    set_step(start, end, options);
    // Real steps hit early, and boxes over a short window are small and few (MeshStepper has the same
    // window). What lies behind it was not asked of all pairs.
    constexpr double kWindow = 0x1p-4;
    if (wanted == Wanted::First && options.query.t_max > kWindow) {
        if (auto good = search_window(kWindow, options, wanted); !good) return good.error();
        const bool is_within =
            std::any_of(impacts_.begin(), impacts_.end(),
                        [&](const Impact& impact) { return impact.result.toi_upper < kWindow; });
        if (is_within) return StepWork{candidates_, {}, 0.0, seconds_since(begin)};
    }
    if (auto good = search_window(1.0, options, wanted); !good) return good.error();
    return StepWork{candidates_, {}, 0.0, seconds_since(begin)};
}

Expected<void> DeviceStepper::State::search_window(double t_end, const StepOptions& options,
                                                   Wanted wanted) {
    impacts_.clear();
    decided_.clear();
    contacts_on_device_ = {};
    fits_ = true;
    set_trees(t_end, options.query.min_separation, options.query.distance_tolerance);
    check(cudaMemsetAsync(counts_.data(), 0, kKinds.size() * sizeof(Counts), stream_),
          "device memory");
    const auto search = [&] {
        const unsigned long long none = std::bit_cast<unsigned long long>(kInfinity);
        check(cudaMemcpyAsync(least_upper_.data(), &none, sizeof none, cudaMemcpyHostToDevice,
                              stream_),
              "copy to the device");
        for_each_kind([&]<QueryKind kKind>(std::integral_constant<QueryKind, kKind>) {
            reserve<kKind>(std::min(
                most_pairs_,
                std::max<std::size_t>(1U << 16, 4 * std::size_t{first_tree(kKind).count})));
            launch<kKind>(0, first_tree(kKind).count, options);
        });
        for_each_kind([&]<QueryKind kKind>(std::integral_constant<QueryKind, kKind>) {
            if (wanted != Wanted::All) queue_firsts<kKind>();
        });
        queue_counts();
        synchronise("search");
    };
    search();
    const auto not_finite = [](const char* which, unsigned long long vertex) {
        return Error{std::string(which) + ": the position of vertex " + std::to_string(vertex) +
                         " is not finite",
                     ErrorCode::NotFinite, static_cast<std::size_t>(vertex)};
    };
    if (host_scene_.data()->bad_start != kNone)
        return not_finite("start", host_scene_.data()->bad_start);
    if (host_scene_.data()->bad_end != kNone) return not_finite("end", host_scene_.data()->bad_end);
    // Lists grow to what a step needs, and keep that for the next one.
    std::array<Counts, kKinds.size()> counts;
    bool has_grown = false;
    const auto read_counts = [&] {
        std::copy_n(host_counts_.data(), counts.size(), counts.begin());
    };
    read_counts();
    for_each_kind([&]<QueryKind kKind>(std::integral_constant<QueryKind, kKind>) {
        const unsigned long long pairs = counts[static_cast<std::size_t>(kKind)].pairs;
        if (pairs <= lists(kKind).capacity() || pairs > most_pairs_) return;
        reserve<kKind>(std::min<std::size_t>(most_pairs_, pairs + pairs / 4));
        has_grown = true;
    });
    if (has_grown) {
        search();
        read_counts();
    }
    bool has_results = false;
    for_each_kind([&]<QueryKind kKind>(std::integral_constant<QueryKind, kKind>) {
        const Counts& found = counts[static_cast<std::size_t>(kKind)];
        if (found.pairs > lists(kKind).capacity()) return;
        queue_results<kKind>(found, wanted);
        has_results |= found.contacts > 0 || found.open > 0;
    });
    if (has_results) synchronise("results");
    for_each_kind([&]<QueryKind kKind>(std::integral_constant<QueryKind, kKind>) {
        const Counts& found = counts[static_cast<std::size_t>(kKind)];
        contacts_on_device_[static_cast<std::size_t>(kKind)] =
            static_cast<std::size_t>(found.contacts);
        if (found.pairs > lists(kKind).capacity()) {
            fits_ = false;
            search_in_ranges<kKind>(options, wanted);
        } else {
            take_results<kKind>(found, options, wanted);
            candidates_[static_cast<std::size_t>(kKind)] += found.pairs;
        }
    });
    if (options.stop.stop_requested()) return Error{"cancelled", ErrorCode::Cancelled};
    return {};
}

// --- The first

std::vector<FoundMotion> DeviceStepper::State::motions_of(std::span<const std::size_t> which) {
    std::vector<FoundMotion> all(which.size());
    if (which.empty()) return all;
    for_each_kind([&]<QueryKind kKind>(std::integral_constant<QueryKind, kKind>) {
        std::vector<Pair> pairs;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < which.size(); ++i) {
            const Impact& impact = impacts_[which[i]];
            if (impact.kind != kKind) continue;
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

// Of brackets that are as narrow as can be had, the first in the order of lower, upper, kind, a, b:
// as MeshStepper chooses.
DeviceStepper::State::Winner DeviceStepper::State::first_of(std::span<const std::size_t> firsts,
                                                            const StepOptions& options) {
    const std::vector<FoundMotion> motions = motions_of(firsts);
    Winner best;
    bool has_best = false;
    for (std::size_t i = 0; i < firsts.size(); ++i) {
        if (options.stop.stop_requested()) break;
        const Impact& impact = impacts_[firsts[i]];
        Winner next{firsts[i], impact.result.toi_lower, impact.result.toi_upper, {}};
        if (has_best && next.lower > best.lower) continue;
        if (next_up(next.lower) < next.upper) {
            const CcdResult narrow =
                asked(topology, options, impact, motions[i].vertices, 0x1p-1074);
            if (narrow.verdict != Verdict::Separated) {
                next.lower = std::max(next.lower, narrow.toi_lower);
                next.upper = std::min(next.upper, narrow.toi_upper);
            }
        }
        if (has_best && !(std::tuple(next.lower, next.upper) < std::tuple(best.lower, best.upper)))
            continue;
        std::copy_n(motions[i].vertices, 4, next.vertices.begin());
        best = next;
        has_best = true;
    }
    return best;
}

StepVerdict DeviceStepper::State::verdict_of(std::span<const std::size_t> firsts,
                                             const Winner& winner) const {
    if (firsts.empty()) return {Verdict::Separated, kInfinity, kInfinity};
    const CcdResult& result = impacts_[winner.impact].result;
    StepVerdict verdict{result.verdict, result.toi_lower, kInfinity};
    for (const std::size_t i : firsts)
        verdict.toi_upper = std::min(verdict.toi_upper, impacts_[i].result.toi_upper);
    if (verdict.toi_upper < kInfinity) verdict.verdict = Verdict::Contact;
    return verdict;
}

Expected<StepImpacts> DeviceStepper::State::all_impacts(const double* start, const double* end,
                                                        const StepOptions& options) {
    const Expected<StepWork> found = search_all(start, end, options, Wanted::All);
    if (!found) return found.error();
    const std::vector<std::size_t> firsts = not_preceded(impacts_);
    const Winner winner = first_of(firsts, options);
    if (options.stop.stop_requested()) return Error{"cancelled", ErrorCode::Cancelled};
    StepImpacts result;
    static_cast<StepVerdict&>(result) = verdict_of(firsts, winner);
    if (!firsts.empty()) result.first = winner.impact;
    result.impacts = std::move(impacts_);
    result.work = *found;
    return result;
}

Expected<FirstImpact> DeviceStepper::State::first_impact(const double* start, const double* end,
                                                         const StepOptions& options) {
    const Expected<StepWork> found = search_all(start, end, options, Wanted::First);
    if (!found) return found.error();
    const std::vector<std::size_t> firsts = not_preceded(impacts_);
    const Winner winner = first_of(firsts, options);
    if (options.stop.stop_requested()) return Error{"cancelled", ErrorCode::Cancelled};
    FirstImpact result;
    static_cast<StepVerdict&>(result) = verdict_of(firsts, winner);
    if (!firsts.empty()) {
        result.impact = impacts_[winner.impact];
        result.contact = contact_point_of(*result.impact, winner.vertices.data());
    }
    result.work = *found;
    return result;
}

Expected<DeviceImpacts> DeviceStepper::State::all_on_device(const double* start, const double* end,
                                                            const StepOptions& options) {
    if (options.filter.accepts)
        return Error{"impacts that stay on the device have no filter of the caller's own",
                     ErrorCode::Unsupported};
    const Expected<StepWork> found = search_all(start, end, options, Wanted::AllOnDevice);
    if (!found) return found.error();
    if (!fits_)
        return Error{"the pairs of the step do not fit into the device memory for them",
                     ErrorCode::OutOfMemory};
    const std::vector<std::size_t> firsts = not_preceded(impacts_);
    const Winner winner = first_of(firsts, options);
    if (options.stop.stop_requested()) return Error{"cancelled", ErrorCode::Cancelled};
    DeviceImpacts result;
    static_cast<StepVerdict&>(result) = verdict_of(firsts, winner);
    if (!firsts.empty()) result.first = impacts_[winner.impact];
    result.by_host = decided_;
    result.counts = contacts_on_device_;
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
        result.impacts[kind] = lists_[kind].all.data();
    result.work = *found;
    return result;
}

// --- Entry points --------------------------------------------------------------------------------

namespace {

// body(), with failures of the device and of memory as values.
template <class Body>
auto guarded(const Body& body) -> std::invoke_result_t<const Body&> {
    try {
        return with_sound_arithmetic(body);
    } catch (const DeviceFailure& failure) {
        return failure.error;
    } catch (const std::bad_alloc&) {
        return Error{"host memory ran out", ErrorCode::OutOfMemory};
    }
}

Expected<void> check_size(const char* what, std::size_t size, std::size_t vertices) {
    if (size == vertices) return {};
    return Error{std::string(what) + " has " + std::to_string(size) + " values for " +
                     std::to_string(vertices) + " vertices",
                 ErrorCode::WrongSize};
}

Expected<void> check_radii(const StepOptions& options) {
    for (std::size_t i = 0; i < options.radius.size(); ++i) {
        const double r = options.radius[i];
        if (!(r >= 0.0) || !(add_up(options.query.min_separation, add_up(r, r)) < kInfinity))
            return Error{"the radius of vertex " + std::to_string(i) +
                             " must be finite and >= 0, and so must its sum with min_separation",
                         ErrorCode::InvalidOption, i};
    }
    return {};
}

Expected<void> check_options(const MeshTopology& mesh, const StepOptions& options) {
    const PairFilter& filter = options.filter;
    const auto check_optional = [&](const char* what, std::size_t size) -> Expected<void> {
        return size == 0 ? Expected<void>{} : check_size(what, size, mesh.vertex_count);
    };
    if (options.method.name != std::string_view("certified"))
        return Error{"on a device the method is certified, not " + std::string(options.method.name),
                     ErrorCode::Unsupported};
    if (options.candidates != nullptr || options.bounds != BoundSource::Query)
        return Error{"on a device neither candidates nor bounds of a step are taken",
                     ErrorCode::Unsupported};
    if (auto good = graze::check(options.query); !good) return good;
    if (auto good = check_optional("radius", options.radius.size()); !good) return good;
    if (auto good = check_optional("filter.body", filter.body.size()); !good) return good;
    if (auto good = check_optional("filter.fixed", filter.fixed.size()); !good) return good;
    if (auto good = check_optional("filter.layers", filter.layers.size()); !good) return good;
    if (filter.layers.size() != filter.mask.size())
        return Error{"filter.layers and filter.mask must both be given, or neither",
                     ErrorCode::InvalidOption};
    return check_radii(options);
}

}  // namespace

Expected<DeviceInfo> device_info(int device) {
    return guarded([&]() -> Expected<DeviceInfo> {
        int count = 0;
        check(cudaGetDeviceCount(&count), "devices");
        if (device < 0 || device >= count)
            return Error{"device " + std::to_string(device) + " of " + std::to_string(count) +
                             " does not exist",
                         ErrorCode::Unsupported};
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, device), "device");
        if (properties.major < 8)
            return Error{
                std::string(properties.name) + " is too old: compute capability 8.0 is needed",
                ErrorCode::Unsupported};
        check(cudaSetDevice(device), "device");
        DeviceInfo info{properties.name, 0, 0};
        check(cudaMemGetInfo(&info.memory_free, &info.memory), "device memory");
        return info;
    });
}

DeviceStepper::DeviceStepper(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
DeviceStepper::DeviceStepper(DeviceStepper&&) noexcept = default;
DeviceStepper& DeviceStepper::operator=(DeviceStepper&&) noexcept = default;
DeviceStepper::~DeviceStepper() = default;

const MeshTopology& DeviceStepper::topology() const noexcept {
    return state_->topology;
}
const DeviceWork& DeviceStepper::work() const noexcept {
    return state_->work;
}

Expected<DeviceStepper> DeviceStepper::create(MeshTopology topology, const DeviceOptions& options) {
    const Expected<DeviceInfo> info = device_info(options.device);
    if (!info) return info.error();
    return guarded([&]() -> Expected<DeviceStepper> {
        return DeviceStepper(std::make_unique<State>(std::move(topology), options));
    });
}

namespace {

// run(start, end) on positions that are on the device.
template <class State, class Run>
auto on_device(State& state, std::span<const Vec3> start, std::span<const Vec3> end,
               const StepOptions& options, const Run& run)
    -> std::invoke_result_t<const Run&, const double*, const double*> {
    const std::size_t vertices = state.topology.vertex_count;
    if (auto good = check_size("start", start.size(), vertices); !good) return good.error();
    if (auto good = check_size("end", end.size(), vertices); !good) return good.error();
    if (auto good = check_options(state.topology, options); !good) return good.error();
    return guarded([&] {
        state.use_device();
        state.load(start, end);
        return run(state.start_positions.data(), state.end_positions.data());
    });
}
template <class State, class Run>
auto on_device(State& state, DevicePositions start, DevicePositions end, const StepOptions& options,
               const Run& run) -> std::invoke_result_t<const Run&, const double*, const double*> {
    const std::size_t vertices = state.topology.vertex_count;
    if (auto good = check_size("start", start.vertices, vertices); !good) return good.error();
    if (auto good = check_size("end", end.vertices, vertices); !good) return good.error();
    if (auto good = check_options(state.topology, options); !good) return good.error();
    return guarded([&] {
        state.use_device();
        return run(start.xyz, end.xyz);
    });
}

}  // namespace

Expected<FirstImpact> DeviceStepper::first_impact(std::span<const Vec3> start,
                                                  std::span<const Vec3> end,
                                                  const StepOptions& options) {
    return on_device(*state_, start, end, options, [&](const double* p, const double* q) {
        return state_->first_impact(p, q, options);
    });
}
Expected<StepImpacts> DeviceStepper::all_impacts(std::span<const Vec3> start,
                                                 std::span<const Vec3> end,
                                                 const StepOptions& options) {
    return on_device(*state_, start, end, options, [&](const double* p, const double* q) {
        return state_->all_impacts(p, q, options);
    });
}
Expected<FirstImpact> DeviceStepper::first_impact(DevicePositions start, DevicePositions end,
                                                  const StepOptions& options) {
    return on_device(*state_, start, end, options, [&](const double* p, const double* q) {
        return state_->first_impact(p, q, options);
    });
}
Expected<StepImpacts> DeviceStepper::all_impacts(DevicePositions start, DevicePositions end,
                                                 const StepOptions& options) {
    return on_device(*state_, start, end, options, [&](const double* p, const double* q) {
        return state_->all_impacts(p, q, options);
    });
}

Expected<DeviceImpacts> DeviceStepper::all_impacts_on_device(DevicePositions start,
                                                             DevicePositions end,
                                                             const StepOptions& options) {
    return on_device(*state_, start, end, options, [&](const double* p, const double* q) {
        return state_->all_on_device(p, q, options);
    });
}

}  // namespace graze::cuda

// Whole steps on a device beside those of the host: every answer the same to the bit, and how long
// both take. Without a device it says so, and passes: that everything compiles and links is then the
// test.
//   device_steps [--quick | --times | --pairs] [SCENE.step]...
// Scene files: scene_file.hpp.
// Defends G-CUDA-1 (docs/GUARANTEES.md).
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "graze/cuda/stepper.hpp"
#include "graze/mesh/active_set.hpp"
#include "graze/mesh/line_search.hpp"
#include "graze/mesh/safe_step.hpp"
#include "graze/mesh/step.hpp"
#include "graze/mesh/vertex_bounds.hpp"
#include "scene_file.hpp"

namespace {

using graze::Vec3;

using device_tests::read_scene;
using device_tests::Scene;
using device_tests::scene_of;

// Numbers in [0, 1), the same on every machine.
class Noise {
public:
    explicit Noise(std::uint64_t seed) : state_(seed * 2 + 1) {}
    double next() {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<double>(state_ >> 11) * 0x1p-53;
    }
    Vec3 point(double size) { return {size * next(), size * next(), size * next()}; }

private:
    std::uint64_t state_;
};

// A grid of side x side vertices; position(i, k) at the start, moved by motion(i, k).
void add_sheet(int side, const std::function<Vec3(double, double)>& at,
               const std::function<Vec3(double, double)>& motion,
               std::vector<graze::FaceIndices>& faces, std::vector<Vec3>& start,
               std::vector<Vec3>& end) {
    const auto base = static_cast<std::uint32_t>(start.size());
    for (int i = 0; i < side; ++i) {
        for (int k = 0; k < side; ++k) {
            const double x = static_cast<double>(i) / (side - 1);
            const double y = static_cast<double>(k) / (side - 1);
            start.push_back(at(x, y));
            end.push_back(start.back() + motion(x, y));
        }
    }
    const auto name = [&](int i, int k) { return base + static_cast<std::uint32_t>(i * side + k); };
    for (int i = 0; i + 1 < side; ++i) {
        for (int k = 0; k + 1 < side; ++k) {
            faces.push_back({name(i, k), name(i + 1, k), name(i, k + 1)});
            faces.push_back({name(i + 1, k), name(i + 1, k + 1), name(i, k + 1)});
        }
    }
}

// Two wavy sheets of `faces` triangles in all that pass through each other in places.
Scene two_sheets(std::size_t faces) {
    const int side = 1 + static_cast<int>(std::lround(std::sqrt(static_cast<double>(faces) / 4.0)));
    const double edge = 1.0 / side;
    std::vector<graze::FaceIndices> triangles;
    std::vector<Vec3> start;
    std::vector<Vec3> end;
    const auto wave = [&](double x, double y) {
        return 2.0 * edge * (std::sin(9.0 * x) + std::cos(11.0 * y + 2.0 * x));
    };
    add_sheet(
        side,
        [&](double x, double y) {
            return Vec3{x, y, wave(x, y)};
        },
        [&](double, double) {
            return Vec3{0.3 * edge, 0.1 * edge, 2.0 * edge};
        },
        triangles, start, end);
    add_sheet(
        side,
        [&](double x, double y) {
            return Vec3{x + 0.37 * edge, y + 0.21 * edge, 3.0 * edge + wave(y, x)};
        },
        [&](double x, double) {
            return Vec3{0.0, 0.2 * edge * x, -1.0 * edge};
        },
        triangles, start, end);
    return scene_of("two sheets, " + std::to_string(triangles.size()) + " faces", triangles, {},
                    start, end);
}

Scene soup(int triangles, int loose_edges, int points, double size, std::uint64_t seed) {
    Noise noise(seed);
    std::vector<graze::FaceIndices> faces;
    std::vector<graze::EdgeIndices> edges;
    std::vector<Vec3> start;
    std::vector<Vec3> end;
    const auto add = [&](const Vec3& centre, const Vec3& motion) {
        const Vec3 at = centre + noise.point(size);
        start.push_back(at);
        end.push_back(at + motion + noise.point(0.5 * size));
        return static_cast<std::uint32_t>(start.size() - 1);
    };
    for (int i = 0; i < triangles; ++i) {
        const Vec3 centre = noise.point(1.0);
        const Vec3 motion = noise.point(2.0 * size);
        const std::uint32_t a = add(centre, motion);
        const std::uint32_t b = add(centre, motion);
        faces.push_back({a, b, add(centre, motion)});
    }
    for (int i = 0; i < loose_edges; ++i) {
        const Vec3 centre = noise.point(1.0);
        const Vec3 motion = noise.point(2.0 * size);
        const std::uint32_t a = add(centre, motion);
        edges.push_back({a, add(centre, motion)});
    }
    for (int i = 0; i < points; ++i)
        add(noise.point(1.0), noise.point(2.0 * size));
    return scene_of("soup " + std::to_string(seed), faces, edges, start, end);
}

// All flat, at once, at t = 0.5: everything ties, and the cubics vanish.
Scene mirrored(int side) {
    std::vector<graze::FaceIndices> faces;
    std::vector<Vec3> start;
    std::vector<Vec3> end;
    Noise noise(7);
    for (const double offset : {0.0, 0.3 / side}) {
        add_sheet(
            side,
            [&](double x, double y) {
                return Vec3{x + offset, y, noise.next() - 0.5};
            },
            [](double, double) { return Vec3{}; }, faces, start, end);
    }
    for (std::size_t i = 0; i < end.size(); ++i)
        end[i].z = -start[i].z;
    return scene_of("mirrored", faces, {}, start, end);
}

// Small integers: touching, coplanar and coincident everywhere.
Scene lattice(int triangles, std::uint64_t seed) {
    Noise noise(seed);
    std::vector<graze::FaceIndices> faces;
    std::vector<Vec3> start;
    std::vector<Vec3> end;
    const auto corner = [&] {
        return Vec3{std::floor(4.0 * noise.next()), std::floor(4.0 * noise.next()),
                    std::floor(3.0 * noise.next())};
    };
    for (int i = 0; i < 3 * triangles; ++i) {
        start.push_back(corner());
        end.push_back(corner());
    }
    for (int i = 0; i < triangles; ++i) {
        const auto a = static_cast<std::uint32_t>(3 * i);
        faces.push_back({a, a + 1, a + 2});
    }
    return scene_of("lattice " + std::to_string(seed), faces, {}, start, end);
}

Scene transformed(Scene scene, double scale, const Vec3& offset) {
    for (std::vector<Vec3>* positions : {&scene.start, &scene.end})
        for (Vec3& p : *positions)
            p = scale * p + offset;
    scene.name += ", moved and scaled";
    return scene;
}

// --- Comparison ----------------------------------------------------------------------------------

bool same_verdict(const graze::StepVerdict& a, const graze::StepVerdict& b) {
    return a == b;
}

// (By its members: nvcc loses the comparison that the type declares.)
bool same_intersections(const std::vector<graze::Intersection>& a,
                        const std::vector<graze::Intersection>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.kind == y.kind && x.a == y.a && x.b == y.b;
    });
}

int failures = 0;

void expect(bool good, const std::string& what) {
    if (good) return;
    ++failures;
    std::printf("DIFFERS: %s\n", what.c_str());
}

double extent_of(const std::vector<Vec3>& positions) {
    double extent = 0.0;
    for (const Vec3& p : positions)
        for (std::size_t axis = 0; axis < 3; ++axis)
            extent = std::max(extent, std::fabs(p[axis] - positions.front()[axis]));
    return extent;
}

// Reaches that are the bounds of pairs, and their neighbours: which pairs count must not depend on boxes.
void compare_clearances(const Scene& scene, const graze::StepOptions& options,
                        graze::MeshStepper& host, graze::cuda::DeviceStepper& stepper,
                        const std::string& name) {
    const auto compare_at = [&](double reach) -> std::vector<double> {
        const auto wide = host.clearance(scene.start, reach, options);
        const auto wide_here = stepper.clearance(scene.start, reach, options);
        if (!wide_here && wide_here.error().code == graze::ErrorCode::Unsupported) return {};
        expect(wide && wide_here && wide->by_vertex == wide_here->by_vertex &&
                   wide->least == wide_here->least,
               name + ": clearance up to " + std::to_string(reach));
        return wide ? wide->by_vertex : std::vector<double>{};
    };
    const double extent = scene.start.empty() ? 0.0 : extent_of(scene.start);
    std::vector<double> bounds = compare_at(extent > 0.0 ? extent / 256.0 : 1.0);
    std::sort(bounds.begin(), bounds.end());
    for (const std::size_t i : {bounds.size() / 8, bounds.size() / 2}) {
        if (i >= bounds.size() || !(bounds[i] > 0.0)) continue;
        for (const double reach : {bounds[i], std::nextafter(bounds[i], graze::kInfinity)})
            (void)compare_at(reach);
    }
}

void compare(const Scene& scene, const graze::StepOptions& options, const char* how,
             const graze::cuda::DeviceOptions& device = {}) {
    graze::MeshStepper host(scene.mesh);
    auto stepper = graze::cuda::DeviceStepper::create(scene.mesh, device);
    if (!stepper) return expect(false, stepper.error().message);
    const std::string name = scene.name + " (" + how + ")";
    const auto all = host.all_impacts(scene.start, scene.end, options);
    const auto all_here = stepper->all_impacts(scene.start, scene.end, options);
    if (!all || !all_here) {
        expect(!all && !all_here && all.error().code == all_here.error().code &&
                   all.error().index == all_here.error().index,
               name + ": errors " + (all ? "" : all.error().message) + " | " +
                   (all_here ? "" : all_here.error().message));
        return;
    }
    expect(same_verdict(*all, *all_here), name + ": verdict of all impacts");
    expect(all->impacts == all_here->impacts, name + ": impacts, " +
                                                  std::to_string(all->impacts.size()) + " and " +
                                                  std::to_string(all_here->impacts.size()));
    expect(all->first == all_here->first, name + ": first of all impacts");
    const graze::cuda::DeviceWork work = stepper->work();
    const auto first = host.first_impact(scene.start, scene.end, options);
    const auto first_here = stepper->first_impact(scene.start, scene.end, options);
    expect(first && first_here && same_verdict(*first, *first_here) &&
               first->impact == first_here->impact,
           name + ": first impact");
    if (first && first_here && first->impact)
        expect(std::memcmp(&first->contact.normal, &first_here->contact.normal, sizeof(Vec3)) == 0,
               name + ": normal of the first impact");
    for (const std::vector<Vec3>* positions : {&scene.start, &scene.end}) {
        const auto meeting = host.intersections(*positions, options);
        const auto meeting_here = stepper->intersections(*positions, options);
        expect(meeting && meeting_here && same_intersections(*meeting, *meeting_here), name + ": intersections");
    }
    compare_clearances(scene, options, host, *stepper, name);
    std::printf("%-44s %9zu impacts %9llu pairs %7zu by the host %4zu ranges\n", name.c_str(),
                all->impacts.size(),
                static_cast<unsigned long long>(all_here->work.candidates[0] +
                                                all_here->work.candidates[1]),
                work.decided_by_host, work.ranges);
}

// What asks a stepper for impacts, with a device and without.
void compare_solvers(const Scene& scene) {
    graze::MeshStepper host(scene.mesh);
    graze::MeshStepper device(scene.mesh);
    if (const auto used = graze::cuda::use_device(device); !used)
        return expect(false, used.error().message);
    const auto safe = graze::largest_safe_step(host, scene.start, scene.end);
    const auto safe_here = graze::largest_safe_step(device, scene.start, scene.end);
    expect(safe && safe_here && safe->fraction == safe_here->fraction &&
               safe->positions == safe_here->positions && safe->impact == safe_here->impact,
           scene.name + ": safe step");
    const auto free = graze::free_fractions(host, scene.start, scene.end);
    const auto free_here = graze::free_fractions(device, scene.start, scene.end);
    expect(free && free_here && free->fraction == free_here->fraction &&
               free->positions == free_here->positions,
           scene.name + ": fractions");
    const auto energy = [](std::span<const Vec3> at) { return at.empty() ? 0.0 : -at[0].x; };
    const auto line = graze::line_search(host, scene.start, scene.end, energy);
    const auto line_here = graze::line_search(device, scene.start, scene.end, energy);
    expect(line && line_here && line->alpha == line_here->alpha &&
               line->positions == line_here->positions,
           scene.name + ": line search");
    const auto active = graze::active_set(host, scene.start, scene.end);
    const auto active_here = graze::active_set(device, scene.start, scene.end);
    expect(active && active_here && active->constraints.size() == active_here->constraints.size(),
           scene.name + ": active set");
    const auto radii = graze::free_radii(host, scene.start, 0.01);
    const auto radii_here = graze::free_radii(device, scene.start, 0.01);
    expect(radii && radii_here && *radii == *radii_here, scene.name + ": radii");
    // Another mesh on the same device memory.
    Scene other = soup(100, 20, 20, 0.2, 17);
    device.set_topology(other.mesh);
    host.set_topology(other.mesh);
    const auto all = host.all_impacts(other.start, other.end);
    const auto all_here = device.all_impacts(other.start, other.end);
    expect(all && all_here && all->impacts == all_here->impacts, scene.name + ": another topology");
    // A method that the device does not have is the host's.
    graze::StepOptions options;
    options.count_tiers = true;
    expect(device.all_impacts(other.start, other.end, options).has_value(), "counted tiers");
}

// Four steppers at once, each with a stream of its own.
void compare_at_once() {
    const Scene scene = soup(400, 50, 50, 0.1, 21);
    graze::MeshStepper host(scene.mesh);
    const auto all = host.all_impacts(scene.start, scene.end);
    std::vector<int> differ(4, 1);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < differ.size(); ++t) {
        threads.emplace_back([&, t] {
            auto stepper = graze::cuda::DeviceStepper::create(scene.mesh);
            for (int i = 0; stepper && i < 20; ++i) {
                const auto here = stepper->all_impacts(scene.start, scene.end);
                if (!here || here->impacts != all->impacts) return;
            }
            if (stepper) differ[t] = 0;
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    expect(std::count(differ.begin(), differ.end(), 1) == 0, "several steppers at once");
}

// More than 2^31 pairs whose boxes overlap, in lists of a thousandth of that.
void compare_many_pairs() {
    constexpr int kNeedles = 66'000;
    Noise noise(31);
    std::vector<graze::EdgeIndices> edges;
    std::vector<Vec3> start;
    std::vector<Vec3> end;
    const Vec3 along{1.0, 0.37, 0.61};
    for (std::uint32_t i = 0; i < kNeedles; ++i) {
        const Vec3 at = noise.point(0.05);
        start.push_back(at);
        start.push_back(at + along + noise.point(1e-3));
        edges.push_back({2 * i, 2 * i + 1});
    }
    for (const Vec3& p : start)
        end.push_back(p + noise.point(1e-9));
    const Scene scene = scene_of("needles", {}, edges, start, end);
    std::vector<std::optional<graze::StepImpacts>> found;
    for (const std::size_t memory : {std::size_t{1} << 28, std::size_t{1} << 33}) {
        auto stepper = graze::cuda::DeviceStepper::create(scene.mesh, {.pair_memory = memory});
        if (!stepper) return expect(false, stepper.error().message);
        auto all = stepper->all_impacts(scene.start, scene.end);
        if (!all) return expect(false, "needles: " + all.error().message);
        std::printf("needles, %4zu MiB for pairs: %llu pairs, %zu impacts, %zu ranges\n",
                    memory >> 20, static_cast<unsigned long long>(all->work.candidates[1]),
                    all->impacts.size(), stepper->work().ranges);
        expect(all->work.candidates[1] > (1ULL << 31), "needles: more than 2^31 pairs");
        found.push_back(std::move(*all));
    }
    expect(found[0]->impacts == found[1]->impacts && same_verdict(*found[0], *found[1]) &&
               found[0]->work.candidates == found[1]->work.candidates,
           "needles: the same with any memory");
}

// Device memory that others have taken but for so much.
class TakenMemory {
public:
    explicit TakenMemory(std::size_t left) {
        std::size_t free = 0;
        std::size_t total = 0;
        while (cudaMemGetInfo(&free, &total) == cudaSuccess && free > left + (64U << 20)) {
            void* piece = nullptr;
            const std::size_t bytes = std::min<std::size_t>(free - left, std::size_t{4} << 30);
            if (cudaMalloc(&piece, bytes) != cudaSuccess) break;
            pieces_.push_back(piece);
        }
        cudaGetLastError();
    }
    TakenMemory(const TakenMemory&) = delete;
    TakenMemory& operator=(const TakenMemory&) = delete;
    ~TakenMemory() {
        for (void* piece : pieces_)
            cudaFree(piece);
    }

private:
    std::vector<void*> pieces_;
};

void compare_short_memory() {
    const Scene scene = two_sheets(200'000);
    {
        const TakenMemory taken(std::size_t{1} << 30);
        compare(scene, {}, "1 GiB left");
        // Far more for pairs than there is: shorter lists, more ranges, the same answer.
        compare(lattice(300, 41), {}, "lists that do not fit", {.pair_memory = std::size_t{1} << 40});
    }
    const TakenMemory taken(std::size_t{64} << 20);
    auto stepper = graze::cuda::DeviceStepper::create(scene.mesh);
    const auto all = stepper ? stepper->all_impacts(scene.start, scene.end)
                             : graze::Expected<graze::StepImpacts>(stepper.error());
    expect(!all && all.error().code == graze::ErrorCode::OutOfMemory,
           "no memory: " + (all ? std::string("answered") : all.error().message));
}

// `length`: about the size of the scene.
void compare_everything(const Scene& scene, double length = 1.0) {
    graze::StepOptions options;
    compare(scene, options, "plain");
    compare(scene, options, "little memory", {.pair_memory = 1});
    options.query.t_max = 0.4;
    compare(scene, options, "t_max 0.4");
    options.query.t_max = 1.0;
    options.query.min_separation = 1e-3 * length;
    compare(scene, options, "separation");
    options.query.norm = graze::Norm::Max;
    compare(scene, options, "separation, max-norm");
    options = {};
    std::vector<double> radius(scene.start.size());
    std::vector<std::uint32_t> body(scene.start.size());
    std::vector<std::uint8_t> fixed(scene.start.size());
    for (std::size_t i = 0; i < radius.size(); ++i) {
        radius[i] = (i % 5 == 0) ? 2e-3 * length : 0.0;
        body[i] = static_cast<std::uint32_t>(i / 300);
        fixed[i] = i % 3 != 0;
    }
    options.radius = radius;
    compare(scene, options, "thickness");
    options.radius = {};
    options.filter.body = body;
    options.filter.within_bodies = false;
    options.filter.fixed = fixed;
    compare(scene, options, "bodies and fixed");
    options.filter = {};
    options.filter.accepts = [](graze::QueryKind, std::uint32_t a, std::uint32_t b) {
        return (a + b) % 3 != 0;
    };
    compare(scene, options, "a filter of its own");
    options.filter.accepts = [](graze::QueryKind, std::uint32_t, std::uint32_t) { return false; };
    compare(scene, options, "nothing admitted");
}

void compare_bad_input() {
    compare(scene_of("empty", {}, {}, {}, {}), {}, "plain");
    compare(scene_of("one vertex", {}, {}, {Vec3{}}, {Vec3{}}), {}, "plain");
    const std::vector<Vec3> same(30, Vec3{1.0, 2.0, 3.0});
    std::vector<graze::FaceIndices> faces;
    for (std::uint32_t i = 0; i < 10; ++i)
        faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    compare(scene_of("coincident", faces, {}, same, same), {}, "plain");
    Scene bad = soup(50, 5, 5, 0.1, 3);
    bad.end[77].y = NAN;
    compare(bad, {}, "NaN");
    bad = soup(50, 5, 5, 0.1, 3);
    bad.start[12].x = INFINITY;
    compare(bad, {}, "infinite");
    graze::StepOptions options;
    options.query.t_max = 2.0;
    compare(soup(50, 5, 5, 0.1, 3), options, "t_max 2");
}

// Asks for a stop at its n-th question alone.
struct OneStop {
    std::uint64_t at;
    mutable std::uint64_t questions = 0;

    graze::StopToken token() const {
        return graze::StopToken(
            [](const void* context) noexcept {
                const auto* self = static_cast<const OneStop*>(context);
                return ++self->questions == self->at;
            },
            this);
    }
};

// What was left out for a stop is never taken for done, though the stop is taken back.
void compare_withdrawn_stops(const Scene& scene) {
    auto stepper = graze::cuda::DeviceStepper::create(scene.mesh, {.pair_memory = 1});
    if (!stepper) return expect(false, stepper.error().message);
    graze::StepOptions options;
    options.threads = 1;
    const auto all = stepper->all_impacts(scene.start, scene.end, options);
    const auto first = stepper->first_impact(scene.start, scene.end, options);
    expect(all && first, scene.name + ": answers without a stop");
    if (!all || !first) return;
    std::uint64_t stopped = 0;
    bool was_asked = true;
    for (std::uint64_t n = 1; n < 2000 && was_asked; ++n) {
        const OneStop of_all{n};
        options.stop = of_all.token();
        const auto listed = stepper->all_impacts(scene.start, scene.end, options);
        expect(!listed || listed->impacts == all->impacts, scene.name + ": impacts after a stop");
        const OneStop of_first{n};
        options.stop = of_first.token();
        const auto found = stepper->first_impact(scene.start, scene.end, options);
        expect(!found || (found->impact == first->impact && found->toi_lower == first->toi_lower),
               scene.name + ": the first after a stop");
        stopped += !listed + !found;
        was_asked = of_all.questions >= n || of_first.questions >= n;
    }
    expect(stopped > 2, scene.name + ": was never stopped");
    std::printf("%-50s %llu stops taken back\n", scene.name.c_str(), static_cast<unsigned long long>(stopped));
}

// --- Times ---------------------------------------------------------------------------------------

template <class Body>
double median_ms(int repeats, const Body& body) {
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        body();
        times.push_back(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    std::sort(times.begin(), times.end());
    return 1e3 * times[times.size() / 2];
}

void time_scene(const Scene& scene) {
    auto stepper = graze::cuda::DeviceStepper::create(scene.mesh);
    if (!stepper) return expect(false, stepper.error().message);
    double* start = nullptr;
    double* end = nullptr;
    const std::size_t bytes = scene.start.size() * sizeof(Vec3);
    cudaMalloc(&start, bytes);
    cudaMalloc(&end, bytes);
    cudaMemcpy(start, scene.start.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(end, scene.end.data(), bytes, cudaMemcpyHostToDevice);
    const graze::cuda::DevicePositions p{start, scene.start.size()};
    const graze::cuda::DevicePositions q{end, scene.start.size()};
    const auto all = stepper->all_impacts(p, q);
    expect(all.has_value(), scene.name);
    const double all_ms = median_ms(50, [&] { (void)stepper->all_impacts(p, q); });
    const std::size_t syncs = stepper->work().synchronisations;
    const double resident_ms = median_ms(50, [&] { (void)stepper->all_impacts_on_device(p, q); });
    const auto resident = stepper->all_impacts_on_device(p, q);
    expect(resident && all && same_verdict(*resident, *all) &&
               resident->first ==
                   (all->first ? std::optional(all->impacts[*all->first]) : std::nullopt) &&
               resident->counts[0] + resident->counts[1] + resident->by_host.size() >=
                   all->impacts.size(),
           scene.name + ": impacts on the device");
    const double first_ms = median_ms(50, [&] { (void)stepper->first_impact(p, q); });
    std::size_t free = 0;
    std::size_t total = 0;
    cudaMemGetInfo(&free, &total);
    const double reach = extent_of(scene.start) / 1024.0;
    const double clearance_ms = median_ms(50, [&] { (void)stepper->clearance(p, reach); });
    std::printf(
        "%-34s clearance %8.3f ms  first %8.3f ms  all %8.3f ms  copied %8.3f ms  %8zu impacts %10llu pairs %zu syncs, "
        "%zu by "
        "the host, device memory %.2f GiB\n",
        scene.name.c_str(), clearance_ms, first_ms, resident_ms, all_ms, all ? all->impacts.size() : 0,
        static_cast<unsigned long long>(all ? all->work.candidates[0] + all->work.candidates[1]
                                            : 0),
        syncs, stepper->work().decided_by_host, static_cast<double>(total - free) / 0x1p30);
    cudaFree(start);
    cudaFree(end);
}

}  // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const auto info = graze::cuda::device_info();
    if (!info) {
        std::printf("no device: %s\n", info.error().message.c_str());
        return 0;
    }
    std::printf("%s, %.1f GiB\n", info->name.c_str(), static_cast<double>(info->memory) / 0x1p30);
    bool is_quick = false;
    bool wants_times_alone = false;
    std::vector<Scene> scenes;
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--quick") {
            is_quick = true;
        } else if (std::string_view(argv[i]) == "--times") {
            wants_times_alone = true;
        } else if (std::string_view(argv[i]) == "--pairs") {
            compare_many_pairs();
            return failures == 0 ? 0 : 1;
        } else if (auto scene = read_scene(argv[i])) {
            scenes.push_back(std::move(*scene));
        } else {
            std::printf("cannot read %s\n", argv[i]);
            return 2;
        }
    }
    if (wants_times_alone) {
        for (const Scene& scene : scenes)
            time_scene(scene);
        time_scene(two_sheets(1'000'000));
        time_scene(two_sheets(10'000'000));
        return failures == 0 ? 0 : 1;
    }
    compare_bad_input();
    compare_withdrawn_stops(soup(100, 10, 10, 0.3, 5));
    compare_withdrawn_stops(lattice(12, 41));
    for (std::uint64_t seed = 1; seed <= (is_quick ? 2U : 8U); ++seed) {
        compare_everything(soup(400, 100, 200, 0.1, seed));
        compare_everything(lattice(60, seed));
    }
    compare_everything(mirrored(12));
    compare_everything(transformed(soup(400, 100, 200, 0.1, 5), 0x1p-900, {}), 0x1p-900);
    compare_everything(transformed(soup(400, 100, 200, 0.1, 6), 1.0, {1e6, -1e6, 1e6}));
    compare_everything(transformed(soup(300, 10, 20, 0.1, 9), 0x1p1020, {}), 0x1p1020);
    compare_everything(two_sheets(20'000));
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
        compare_solvers(soup(200, 50, 50, 0.1, seed));
    compare_solvers(two_sheets(2'000));
    compare_at_once();
    compare_short_memory();
    for (const Scene& scene : scenes) {
        compare(scene, {}, "plain");
        time_scene(scene);
    }
    if (!is_quick) {
        compare_many_pairs();
        const Scene million = two_sheets(1'000'000);
        compare(million, {}, "plain");
        time_scene(million);
        time_scene(two_sheets(10'000'000));
    }
    std::printf(failures == 0 ? "all the same\n" : "%d differ\n", failures);
    return failures == 0 ? 0 : 1;
}

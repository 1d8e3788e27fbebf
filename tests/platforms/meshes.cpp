#include "graze/mesh.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/narrow/safe_cubic.hpp"
#include "graze/narrow/tight_inclusion.hpp"
#include "platforms/parts.hpp"

namespace graze::platforms {
namespace {

// Two sheets that fall through each other, one of them with vertices on a grid, so that much of it is
// degenerate, and some loose edges.
struct Scene {
    std::vector<Vec3> start;
    std::vector<Vec3> end;
    std::vector<std::array<std::uint32_t, 2>> edges;
    std::vector<std::array<std::uint32_t, 3>> faces;
};

constexpr std::uint32_t kSide = 9;

void add_sheet(Scene& scene, Numbers& numbers, double height, double bumps) {
    const auto first = static_cast<std::uint32_t>(scene.start.size());
    for (std::uint32_t i = 0; i < kSide; ++i) {
        for (std::uint32_t k = 0; k < kSide; ++k) {
            const Vec3 at{0.125 * i, height, 0.125 * k};
            scene.start.push_back(at + bumps * numbers.vector());
            scene.end.push_back(at + Vec3{0.0, -2.0 * height, 0.0} +
                                (bumps + 0.0625) * numbers.vector());
        }
    }
    for (std::uint32_t i = 0; i + 1 < kSide; ++i) {
        for (std::uint32_t k = 0; k + 1 < kSide; ++k) {
            const std::uint32_t a = first + kSide * i + k;
            scene.faces.push_back({a, a + 1, a + kSide});
            scene.faces.push_back({a + 1, a + kSide + 1, a + kSide});
        }
    }
}

Scene make_scene() {
    Scene scene;
    Numbers numbers(5);
    add_sheet(scene, numbers, 0.25, 0.0);
    add_sheet(scene, numbers, -0.125, 0x1p-5);
    for (std::uint32_t i = 0; i < 6; ++i) {
        const auto at = static_cast<std::uint32_t>(scene.start.size());
        for (int end = 0; end < 2; ++end) {
            scene.start.push_back(Vec3{0.5, 1.0, 0.5} + 0.5 * numbers.vector());
            scene.end.push_back(Vec3{0.5, -1.0, 0.5} + 0.5 * numbers.vector());
        }
        scene.edges.push_back({at, at + 1});
    }
    return scene;
}

void add_impact(Hash& hash, const Impact& impact) {
    hash.add(impact.kind);
    hash.add(impact.a);
    hash.add(impact.b);
    hash.add(impact.result.verdict);
    hash.add(impact.result.toi_lower);
    hash.add(impact.result.toi_upper);
    hash.add(impact.result.checks);
}

void add_verdict(Hash& hash, const StepVerdict& verdict) {
    hash.add(verdict.verdict);
    hash.add(verdict.toi_lower);
    hash.add(verdict.toi_upper);
}

void add_work(Hash& hash, const StepWork& work) {
    for (const std::uint64_t count : work.candidates)
        hash.add(count);
}

std::uint64_t hash_of_impacts(const Method& method, const CcdOptions& query, BoundSource bounds,
                              std::size_t threads) {
    const Scene scene = make_scene();
    StepOptions options;
    options.method = method;
    options.query = query;
    options.query.max_checks = 10'000;
    options.bounds = bounds;
    options.threads = static_cast<int>(threads);
    if (threads > 1) options.executor = new_threads();
    auto stepper = MeshStepper::create(scene.start, scene.edges, scene.faces);
    Hash hash;
    if (!stepper) return hash.value();
    const auto first = stepper->first_impact(scene.start, scene.end, options);
    const auto all = stepper->all_impacts(scene.start, scene.end, options);
    if (!first || !all) return hash.value();
    add_verdict(hash, *first);
    if (first->impact) add_impact(hash, *first->impact);
    hash.add(first->contact.on_a);
    hash.add(first->contact.on_b);
    hash.add(first->contact.normal);
    add_verdict(hash, *all);
    for (const Impact& impact : all->impacts)
        add_impact(hash, impact);
    add_work(hash, all->work);
    for (const ContactPoint& c :
         contacts_of(stepper->topology(), scene.start, scene.end, all->impacts)) {
        hash.add(c.on_a);
        hash.add(c.normal);
        hash.add(c.u);
    }
    return hash.value();
}

// The sheets move by so much that every step is cut short.
std::uint64_t hash_of_steps(std::size_t threads) {
    const Scene scene = make_scene();
    StepOptions options;
    options.query.min_separation = 0x1p-9;
    options.threads = static_cast<int>(threads);
    if (threads > 1) options.executor = new_threads();
    auto stepper = MeshStepper::create(scene.start, scene.edges, scene.faces);
    Hash hash;
    if (!stepper) return hash.value();
    if (const auto step = largest_safe_step(*stepper, scene.start, scene.end, options)) {
        hash.add(step->fraction);
        hash.add(step->positions);
        hash.add(step->proofs);
        hash.add(step->contact.normal);
    }
    if (const auto free = free_fractions(*stepper, scene.start, scene.end, options)) {
        hash.add(free->fraction);
        hash.add(free->positions);
    }
    if (const auto radii = free_radii(*stepper, scene.start, 0.125, options)) hash.add(*radii);
    if (const auto clearance = stepper->clearance(scene.start, 0.25, options)) {
        hash.add(clearance->by_vertex);
        hash.add(clearance->least);
    }
    if (const auto pairs = stepper->intersections(scene.end, options)) {
        for (const Intersection& pair : *pairs) {
            hash.add(pair.kind);
            hash.add(pair.a);
            hash.add(pair.b);
        }
    }
    if (const auto set = active_set(*stepper, scene.start, scene.end, options)) {
        for (const ActiveConstraint& constraint : set->constraints) {
            add_impact(hash, constraint.impact);
            hash.add(constraint.contact.normal);
            hash.add(constraint.value);
        }
    }
    const auto energy = [](std::span<const Vec3> x) {
        double sum = 0.0;
        for (const Vec3& p : x)
            sum += p.y * p.y + p.x;
        return sum;
    };
    LineSearchOptions search;
    search.step = options;
    if (const auto found = line_search(*stepper, scene.start, scene.end, energy, search)) {
        hash.add(found->alpha);
        hash.add(found->distance);
        hash.add(found->positions);
    }
    return hash.value();
}

std::uint64_t hash_of_all_meshes(std::size_t threads) {
    Hash hash;
    hash.add(hash_of_impacts(make_certified(), {}, BoundSource::Query, threads));
    hash.add(hash_of_steps(threads));
    return hash.value();
}

}  // namespace

void add_mesh_parts(std::vector<Part>& parts, std::vector<ThreadTest>& tests) {
    CcdOptions separated;
    separated.min_separation = 0x1p-6;
    CcdOptions max_norm = separated;
    max_norm.norm = Norm::Max;
    parts.push_back({"mesh.certified",
                     [] { return hash_of_impacts(make_certified(), {}, BoundSource::Query, 1); }});
    parts.push_back({"mesh.certified.euclidean", [separated] {
                         return hash_of_impacts(make_certified(), separated, BoundSource::Query, 1);
                     }});
    parts.push_back({"mesh.certified.max-norm", [max_norm] {
                         return hash_of_impacts(make_certified(), max_norm, BoundSource::Query, 1);
                     }});
    parts.push_back({"mesh.tight-inclusion", [max_norm] {
                         return hash_of_impacts(make_tight_inclusion(), max_norm,
                                                BoundSource::Scene, 1);
                     }});
    parts.push_back({"mesh.safe-cubic",
                     [] { return hash_of_impacts(make_safe_cubic(), {}, BoundSource::Pair, 1); }});
    parts.push_back({"mesh.steps", [] { return hash_of_steps(1); }});
    tests.push_back({"mesh", hash_of_all_meshes});
}

}  // namespace graze::platforms

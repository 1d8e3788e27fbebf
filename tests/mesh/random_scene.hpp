// Small random meshes, and every pair of them asked of the oracle.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <tuple>
#include <vector>

#include "graze/mesh/step.hpp"
#include "graze/verify/exact_check.hpp"

namespace graze {

struct Scene {
    MeshTopology mesh;
    std::vector<Vec3> start;
    std::vector<Vec3> end;
};

// What a scene is made of.
struct Recipe {
    std::size_t faces = 8;
    std::size_t loose_edges = 0;
    std::size_t points = 0;
    bool integers = false;  // coordinates in -2..2: coincidences of every kind
    double scale = 1.0;
    double offset = 0.0;
};

class SceneMaker {
public:
    SceneMaker(const Recipe& recipe, std::uint64_t seed) : recipe_(recipe), random_(seed) {}

    Scene make() {
        std::vector<FaceIndices> faces;
        std::vector<EdgeIndices> edges;
        for (std::size_t i = 0; i < recipe_.faces; ++i) {
            // Some faces share an edge with the one before.
            const bool joined = i > 0 && random_() % 2 == 0;
            const std::uint32_t a = joined ? faces.back()[1] : add();
            const std::uint32_t b = joined ? faces.back()[2] : add();
            faces.push_back({a, b, random_() % 16 == 0 ? b : add()});
        }
        for (std::size_t i = 0; i < recipe_.loose_edges; ++i)
            edges.push_back({add(), add()});
        for (std::size_t i = 0; i < recipe_.points; ++i)
            add();
        Expected<MeshTopology> mesh = make_topology(scene_.start.size(), faces, edges);
        EXPECT_TRUE(mesh);
        scene_.mesh = *std::move(mesh);
        return scene_;
    }

private:
    double coordinate(double size) {
        if (recipe_.integers) return static_cast<double>(static_cast<int>(random_() % 5) - 2);
        return size * (2.0 * std::ldexp(static_cast<double>(random_() >> 11), -53) - 1.0);
    }
    std::uint32_t add() {
        // New vertices are near the last one, so that elements are small.
        const bool apart = scene_.start.empty() || random_() % 4 == 0;
        const Vec3 centre = apart || recipe_.integers ? Vec3{} : last_;
        const double size = apart ? 1.0 : 0.4;
        const Vec3 at = centre + Vec3{coordinate(size), coordinate(size), coordinate(size)};
        const Vec3 to = recipe_.integers
                            ? Vec3{coordinate(1.0), coordinate(1.0), coordinate(1.0)}
                            : at + Vec3{coordinate(0.5), coordinate(0.5), coordinate(0.5)};
        last_ = at;
        scene_.start.push_back(placed(at));
        scene_.end.push_back(placed(to));
        return static_cast<std::uint32_t>(scene_.start.size() - 1);
    }
    [[nodiscard]] Vec3 placed(const Vec3& p) const {
        return recipe_.scale * (p + Vec3{recipe_.offset, recipe_.offset, -recipe_.offset});
    }

    Recipe recipe_;
    std::mt19937_64 random_;
    Scene scene_;
    Vec3 last_{};
};

// --- Every pair, asked of the oracle -------------------------------------------------------------

struct Pair {
    QueryKind kind;
    std::uint32_t a;
    std::uint32_t b;
    std::vector<std::uint32_t> vertices;  // of a, then of b
    std::size_t of_a;
};

template <class First, class Second>
void add_pair(QueryKind kind, std::uint32_t a, std::uint32_t b, const First& first,
              const Second& second, std::vector<Pair>& pairs) {
    Pair pair{kind, a, b, {first.begin(), first.end()}, first.size()};
    for (const std::uint32_t vertex : second) {
        if (std::find(first.begin(), first.end(), vertex) != first.end()) return;
        pair.vertices.push_back(vertex);
    }
    pairs.push_back(std::move(pair));
}

inline std::vector<Pair> every_pair(const MeshTopology& mesh) {
    std::vector<Pair> pairs;
    const auto one = [](std::uint32_t vertex) { return std::array<std::uint32_t, 1>{vertex}; };
    for (std::uint32_t v = 0; v < mesh.vertex_count; ++v)
        for (std::uint32_t f = 0; f < mesh.faces.size(); ++f)
            add_pair(QueryKind::VertexFace, v, f, one(v), mesh.faces[f], pairs);
    for (std::uint32_t a = 0; a < mesh.edges.size(); ++a)
        for (std::uint32_t b = a + 1; b < mesh.edges.size(); ++b)
            add_pair(QueryKind::EdgeEdge, a, b, mesh.edges[a], mesh.edges[b], pairs);
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
        for (std::size_t j = i + 1; j < mesh.points.size(); ++j)
            add_pair(QueryKind::VertexVertex, mesh.points[i], mesh.points[j], one(mesh.points[i]),
                     one(mesh.points[j]), pairs);
    for (const std::uint32_t v : mesh.points)
        for (std::uint32_t e = 0; e < mesh.edges.size(); ++e)
            add_pair(QueryKind::VertexEdge, v, e, one(v), mesh.edges[e], pairs);
    return pairs;
}

inline CcdResult truth_of(const Scene& scene, const Pair& pair, const CcdOptions& options) {
    verify::Question question{pair.kind, {}, options};
    for (std::size_t i = 0; i < pair.vertices.size(); ++i)
        question.record.corners[i] = {scene.start[pair.vertices[i]], scene.end[pair.vertices[i]]};
    return verify::exact_answer(question);
}

struct Contact {
    QueryKind kind;
    std::uint32_t a;
    std::uint32_t b;
    double toi_lower;
    double toi_upper;
};

inline std::vector<Contact> exact_contacts(const Scene& scene, const CcdOptions& options) {
    std::vector<Contact> contacts;
    for (const Pair& pair : every_pair(scene.mesh)) {
        const CcdResult truth = truth_of(scene, pair, options);
        if (truth.verdict == Verdict::Contact)
            contacts.push_back({pair.kind, pair.a, pair.b, truth.toi_lower, truth.toi_upper});
    }
    std::sort(contacts.begin(), contacts.end(), [](const Contact& x, const Contact& y) {
        return std::tuple(x.kind, x.a, x.b) < std::tuple(y.kind, y.a, y.b);
    });
    return contacts;
}

}  // namespace graze

#include "graze/surface/defects.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "graze/core/orientation.hpp"

namespace graze {
namespace {

// Which vertex is the first at the same place, at both ends.
// Sorting, not hashing: no choice of coordinates makes it slow.
std::vector<std::uint32_t> first_at_place(std::span<const Vec3> start, std::span<const Vec3> end) {
    const auto place = [&](std::uint32_t i) {
        const Vec3& a = start[i];
        const Vec3& b = end[i];
        return std::tuple(a.x, a.y, a.z, b.x, b.y, b.z);
    };
    std::vector<std::uint32_t> order(start.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t k) {
        const auto at_i = place(i);
        const auto at_k = place(k);
        return at_i < at_k || (at_i == at_k && i < k);
    });
    std::vector<std::uint32_t> first(start.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool is_new = i == 0 || place(order[i]) != place(order[i - 1]);
        first[order[i]] = is_new ? order[i] : first[order[i - 1]];
    }
    return first;
}

// The points a, b and p are on one line: so they are in all three projections, and only then.
bool on_one_line(const Vec3& a, const Vec3& b, const Vec3& p) noexcept {
    return turn({a.x, a.y}, {b.x, b.y}, {p.x, p.y}) == 0 &&
           turn({a.y, a.z}, {b.y, b.z}, {p.y, p.z}) == 0 &&
           turn({a.z, a.x}, {b.z, b.x}, {p.z, p.x}) == 0;
}

// Faces that have the same set of names as an earlier one.
std::size_t count_duplicates(const FaceView& faces, std::span<const std::uint32_t> names) {
    std::vector<std::size_t> ends(faces.size());
    std::vector<std::uint32_t> sets;
    sets.reserve(faces.corner_count());
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const std::size_t first = sets.size();
        for (const std::uint32_t v : faces[f])
            sets.push_back(names[v]);
        std::sort(sets.begin() + static_cast<std::ptrdiff_t>(first), sets.end());
        sets.erase(std::unique(sets.begin() + static_cast<std::ptrdiff_t>(first), sets.end()),
                   sets.end());
        ends[f] = sets.size();
    }
    const FaceView sorted(ends, sets);
    std::vector<std::uint32_t> order(faces.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t f, std::uint32_t g) {
        const auto a = sorted[f];
        const auto b = sorted[g];
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    });
    std::size_t count = 0;
    for (std::size_t i = 1; i < order.size(); ++i) {
        const auto a = sorted[order[i - 1]];
        const auto b = sorted[order[i]];
        if (std::equal(a.begin(), a.end(), b.begin(), b.end())) ++count;
    }
    return count;
}

std::size_t count_unused(std::size_t vertex_count, const FaceView& faces) {
    std::vector<bool> is_used(vertex_count, false);
    for (std::size_t f = 0; f < faces.size(); ++f)
        for (const std::uint32_t v : faces[f])
            is_used[v] = true;
    return static_cast<std::size_t>(std::count(is_used.begin(), is_used.end(), false));
}

void count_edges(std::span<const FaceSide> sides, SurfaceDefects& defects) {
    for_each_edge(sides, [&](std::span<const FaceSide> edge) {
        if (edge.size() == 1) ++defects.open_edges;
        if (edge.size() > 2) ++defects.non_manifold_edges;
        if (edge.size() == 2 && edge[0].forward == edge[1].forward) ++defects.disagreeing_edges;
    });
}

}  // namespace

std::vector<Vec3> Weld::positions(std::span<const Vec3> old) const {
    std::vector<Vec3> result(kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i)
        result[i] = old[kept[i]];
    return result;
}

Weld weld(std::span<const Vec3> positions) {
    return weld(positions, positions);
}

Weld weld(std::span<const Vec3> start, std::span<const Vec3> end) {
    const std::vector<std::uint32_t> first = first_at_place(start, end);
    Weld result;
    result.to_new.resize(first.size());
    for (std::uint32_t i = 0; i < first.size(); ++i) {
        if (first[i] == i) {
            result.to_new[i] = static_cast<std::uint32_t>(result.kept.size());
            result.kept.push_back(i);
        } else {
            result.to_new[i] = result.to_new[first[i]];  // before i
        }
    }
    return result;
}

CleanFaces without_doubled_corners(const FaceView& faces) {
    CleanFaces result;
    result.corners.reserve(faces.corner_count());
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const std::span<const std::uint32_t> face = faces[f];
        const std::size_t first = result.corners.size();
        for (const std::uint32_t v : face)
            if (result.corners.size() == first || result.corners.back() != v)
                result.corners.push_back(v);
        while (result.corners.size() > first + 1 && result.corners.back() == result.corners[first])
            result.corners.pop_back();
        const std::size_t count = result.corners.size() - first;
        if (count < 3) {
            result.corners.resize(first);
            ++result.dropped;
            continue;
        }
        result.corner_counts.push_back(static_cast<std::uint32_t>(count));
        result.kept.push_back(static_cast<std::uint32_t>(f));
    }
    return result;
}

bool is_degenerate(std::span<const Vec3> positions, std::span<const std::uint32_t> face) noexcept {
    if (face.empty()) return true;
    const Vec3& a = positions[face[0]];
    const auto other =
        std::find_if(face.begin(), face.end(), [&](std::uint32_t v) { return positions[v] != a; });
    if (other == face.end()) return true;
    const Vec3& b = positions[*other];
    return std::all_of(other, face.end(),
                       [&](std::uint32_t v) { return on_one_line(a, b, positions[v]); });
}

std::vector<std::uint32_t> components_of(std::size_t face_count, std::span<const FaceSide> sides) {
    std::vector<std::uint32_t> parent(face_count);
    std::iota(parent.begin(), parent.end(), 0U);
    const auto root = [&](std::uint32_t f) {
        while (parent[f] != f)
            f = parent[f] = parent[parent[f]];
        return f;
    };
    for_each_edge(sides, [&](std::span<const FaceSide> edge) {
        for (const FaceSide& side : edge) {
            const std::uint32_t a = root(edge[0].face);
            const std::uint32_t b = root(side.face);
            parent[std::max(a, b)] = std::min(a, b);  // the root is the first face
        }
    });
    for (std::uint32_t f = 0; f < face_count; ++f)
        parent[f] = root(f);
    return parent;
}

SurfaceDefects find_defects(std::span<const Vec3> positions, const FaceView& faces) {
    return find_defects(positions, positions, faces);
}

SurfaceDefects find_defects(std::span<const Vec3> start, std::span<const Vec3> end,
                            const FaceView& faces) {
    const Weld places = weld(start, end);
    const std::vector<FaceSide> sides = sorted_sides(faces);
    SurfaceDefects defects;
    defects.repeated_vertices = places.repeated();
    defects.unused_vertices = count_unused(start.size(), faces);
    for (std::size_t f = 0; f < faces.size(); ++f)
        if (is_degenerate(start, faces[f]) &&
            (start.data() == end.data() || is_degenerate(end, faces[f])))
            ++defects.degenerate_faces;
    defects.duplicate_faces = count_duplicates(faces, places.to_new);
    count_edges(sides, defects);
    const std::vector<std::uint32_t> component = components_of(faces.size(), sides);
    for (std::uint32_t f = 0; f < component.size(); ++f)
        if (component[f] == f) ++defects.components;
    return defects;
}

}  // namespace graze

#include "graze/surface/orientation.hpp"

#include <algorithm>
#include <numeric>

#include "graze/core/orientation.hpp"
#include "graze/surface/defects.hpp"
#include "surface/nesting.hpp"

namespace graze {
namespace {

using Triangle = std::array<std::uint32_t, 3>;

// --- Which faces run alike -----------------------------------------------------------------------

// Sets of faces whose relative winding is known: each face is as its root, or reversed against it.
class WindingSets {
public:
    explicit WindingSets(std::size_t count) : parent_(count), reversed_(count, 0) {
        std::iota(parent_.begin(), parent_.end(), 0U);
    }

    struct Place {
        std::uint32_t root;
        std::uint8_t reversed;
    };
    [[nodiscard]] Place find(std::uint32_t face) {
        // Two passes, not a recursion: surfaces are large.
        std::uint32_t root = face;
        std::uint8_t reversed = 0;
        while (parent_[root] != root) {
            reversed ^= reversed_[root];
            root = parent_[root];
        }
        const Place result = {root, reversed};
        while (parent_[face] != face) {
            const std::uint32_t next = parent_[face];
            const std::uint8_t rest = reversed ^ reversed_[face];
            parent_[face] = root;
            reversed_[face] = reversed;
            face = next;
            reversed = rest;
        }
        return result;
    }
    // False where the opposite is known already.
    [[nodiscard]] bool join(std::uint32_t a, std::uint32_t b, bool is_reversed) {
        const Place at_a = find(a);
        const Place at_b = find(b);
        const auto between = static_cast<std::uint8_t>(at_a.reversed ^ at_b.reversed ^
                                                       static_cast<std::uint8_t>(is_reversed));
        if (at_a.root == at_b.root) return between == 0;
        const std::uint32_t first = std::min(at_a.root, at_b.root);  // the root is the first face
        const std::uint32_t second = std::max(at_a.root, at_b.root);
        parent_[second] = first;
        reversed_[second] = between;
        return true;
    }

private:
    std::vector<std::uint32_t> parent_;
    std::vector<std::uint8_t> reversed_;  // against the parent
};

// --- Volumes -------------------------------------------------------------------------------------

// Six volumes of the tetrahedra from a point to the triangles of a component, and their sum.
// A sum of 2^32 determinants, each of exact_side()'s size.
using VolumeInteger = BigInteger<detail::kDeterminantBits + 32>;

struct SignedTriangle {
    Triangle vertices;
    bool is_reversed;
};

int exact_volume_sign(std::span<const Vec3> positions, std::span<const SignedTriangle> triangles) {
    int lowest = 0;
    for (const SignedTriangle& triangle : triangles)
        for (const std::uint32_t v : triangle.vertices) {
            const Vec3& p = positions[v];
            lowest = std::min(lowest, detail::least_exponent({p.x, p.y, p.z}));
        }
    const Vec3& origin = positions[triangles[0].vertices[0]];
    VolumeInteger sum;
    for (const SignedTriangle& triangle : triangles) {
        const auto corner = [&](std::size_t i) {
            return detail::exact_difference<VolumeInteger>(positions[triangle.vertices[i]], origin,
                                                           lowest);
        };
        const VolumeInteger volume = detail::determinant(corner(0), corner(1), corner(2));
        sum = triangle.is_reversed ? sum - volume : sum + volume;
    }
    return sum.sign();
}

// The filter: each determinant is off by less than 9u of its magnitude (plane_side()), a sum of n
// of them by n u of their magnitudes more, and the sum of magnitudes is rounded n times itself:
// (n + 9) u (1 + 2nu) of it, with n < 2^32 below (2n + 32) u.
int volume_sign(std::span<const Vec3> positions, std::span<const SignedTriangle> triangles) {
    const Vec3& origin = positions[triangles[0].vertices[0]];
    double sum = 0.0;
    double magnitude = 0.0;
    double largest = 0.0;
    for (const SignedTriangle& triangle : triangles) {
        std::array<Vec3, 3> corner;
        for (std::size_t i = 0; i < 3; ++i) {
            corner[i] = positions[triangle.vertices[i]] - origin;
            largest = std::max(largest, norm_max(corner[i]));
        }
        const auto volume = detail::rounded_determinant(corner[0], corner[1], corner[2]);
        sum += triangle.is_reversed ? -volume.value : volume.value;
        magnitude += volume.magnitude;
    }
    const auto n = static_cast<double>(triangles.size());
    const double bound = (2.0 * n + 32.0) * 0x1p-53 * magnitude + n * detail::kUnderflow;
    if (largest < detail::kLargestFiltered && std::fabs(sum) > bound) return sum > 0.0 ? 1 : -1;
    return exact_volume_sign(positions, triangles);
}

// --- Components ----------------------------------------------------------------------------------

class Orienter {
public:
    Orienter(std::span<const Vec3> positions, const FaceView& faces,
             std::span<const Triangle> triangles, std::span<const std::uint32_t> face_of_triangle)
        : positions_(positions),
          faces_(faces),
          triangles_(triangles),
          face_of_triangle_(face_of_triangle),
          sets_(faces.size()) {}

    Orientation run() {
        find_components();
        find_volumes();
        find_depths();
        for (SurfaceComponent& component : result_.components)
            decide(component);
        list_wrong_faces();
        return std::move(result_);
    }

private:
    [[nodiscard]] std::uint32_t face_of(std::size_t triangle) const noexcept {
        return face_of_triangle_.empty() ? static_cast<std::uint32_t>(triangle)
                                         : face_of_triangle_[triangle];
    }
    [[nodiscard]] static bool has_inside(const SurfaceComponent& component) noexcept {
        return component.is_closed && component.is_orientable;
    }

    void find_components() {
        const std::vector<FaceSide> sides = sorted_sides(faces_);
        result_.component = components_of(faces_.size(), sides);
        std::vector<std::uint32_t> number(faces_.size());
        for (std::uint32_t f = 0; f < faces_.size(); ++f) {
            const std::uint32_t first = result_.component[f];
            if (first == f) {
                number[f] = static_cast<std::uint32_t>(result_.components.size());
                result_.components.push_back({f, 0, true, true, true, 0, 0, false});
            }
            result_.component[f] = number[first];
            ++result_.components[number[first]].faces;
        }
        for_each_edge(sides, [&](std::span<const FaceSide> edge) { see_edge(edge); });
        // A face without any side: all of its corners are one vertex.
        for (std::uint32_t f = 0; f < faces_.size(); ++f)
            if (faces_[f].empty() || std::all_of(faces_[f].begin(), faces_[f].end(),
                                                 [&](auto v) { return v == faces_[f][0]; }))
                result_.components[result_.component[f]].is_closed = false;
    }

    void see_edge(std::span<const FaceSide> edge) {
        SurfaceComponent& component = result_.components[result_.component[edge[0].face]];
        if (edge.size() != 2) component.is_closed = false;
        if (edge.size() > 2) component.is_orientable = false;
        if (edge.size() != 2) return;
        const bool disagree = edge[0].forward == edge[1].forward;
        if (disagree) component.is_consistent = false;
        if (!sets_.join(edge[0].face, edge[1].face, disagree)) component.is_orientable = false;
    }

    void find_volumes() {
        std::vector<std::vector<SignedTriangle>> by_component(result_.components.size());
        for (std::size_t i = 0; i < triangles_.size(); ++i) {
            const std::uint32_t face = face_of(i);
            const std::uint32_t c = result_.component[face];
            if (!has_inside(result_.components[c])) continue;
            by_component[c].push_back({triangles_[i], sets_.find(face).reversed != 0});
        }
        for (std::size_t c = 0; c < by_component.size(); ++c)
            if (!by_component[c].empty())
                result_.components[c].volume_sign = volume_sign(positions_, by_component[c]);
    }

    void find_depths() {
        std::vector<std::uint32_t> number(result_.components.size(), 0);
        std::uint32_t count = 0;
        for (std::size_t c = 0; c < number.size(); ++c)
            if (result_.components[c].volume_sign != 0) number[c] = count++;
        std::vector<detail::NestedTriangle> all;
        for (std::size_t i = 0; i < triangles_.size() && count > 1; ++i) {
            const std::uint32_t face = face_of(i);
            const std::uint32_t c = result_.component[face];
            if (result_.components[c].volume_sign == 0) continue;
            auto [v0, v1, v2] = triangles_[i];
            if (sets_.find(face).reversed != 0) std::swap(v1, v2);
            all.push_back({{v0, v1, v2}, number[c]});
        }
        const auto depths = detail::nesting_depths(positions_, all, count);
        for (std::size_t c = 0; c < number.size(); ++c) {
            SurfaceComponent& component = result_.components[c];
            if (component.volume_sign == 0 || !depths) continue;
            component.depth = (*depths)[number[c]];
            component.is_decided = true;
        }
    }

    // What is open has no outside: if its faces agree, none of them is wrong.
    static void decide(SurfaceComponent& component) {
        if (!component.is_closed) {
            component.is_decided = component.is_orientable;
        }
    }

    void list_wrong_faces() {
        // Faces that are as the first of their component, and those that are reversed against it.
        std::vector<std::array<std::size_t, 2>> counts(result_.components.size());
        for (std::uint32_t f = 0; f < faces_.size(); ++f)
            ++counts[result_.component[f]][sets_.find(f).reversed];
        std::vector<std::uint8_t> wrong(result_.components.size(), 1);  // which of the two
        for (std::size_t c = 0; c < wrong.size(); ++c) {
            const SurfaceComponent& component = result_.components[c];
            if (!component.is_decided) {
                ++result_.undecided;
            } else if (has_inside(component)) {
                const int right = component.depth % 2 == 0 ? 1 : -1;
                wrong[c] = component.volume_sign == right ? 1 : 0;
                if (wrong[c] == 0 && component.is_consistent) ++result_.inside_out;
            } else {
                wrong[c] = counts[c][0] < counts[c][1] ? 0 : 1;
            }
        }
        for (std::uint32_t f = 0; f < faces_.size(); ++f) {
            const std::uint32_t c = result_.component[f];
            const SurfaceComponent& component = result_.components[c];
            // Without an inside and consistent: no face is wrong, however the sets are joined.
            if (!component.is_decided || (!has_inside(component) && component.is_consistent))
                continue;
            if (sets_.find(f).reversed == wrong[c]) result_.wrong_faces.push_back(f);
        }
    }

    std::span<const Vec3> positions_;
    FaceView faces_;
    std::span<const Triangle> triangles_;
    std::span<const std::uint32_t> face_of_triangle_;
    WindingSets sets_;
    Orientation result_;
};

}  // namespace

Orientation orientation_of(std::span<const Vec3> positions, const FaceView& faces,
                           std::span<const Triangle> triangles,
                           std::span<const std::uint32_t> face_of_triangle) {
    return Orienter(positions, faces, triangles, face_of_triangle).run();
}

Orientation orientation_of(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
    return orientation_of(positions, FaceView(triangles), triangles);
}

void reverse_face(std::span<std::uint32_t> corners) noexcept {
    if (!corners.empty()) std::reverse(corners.begin() + 1, corners.end());
}

}  // namespace graze

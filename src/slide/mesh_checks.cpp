#include "slide/mesh_checks.hpp"

#include <string>

#include "graze/core/fp_environment.hpp"
#include "graze/core/vec3.hpp"

namespace graze::slide {
namespace {

Expected<void> check_faces(std::span<const std::array<std::uint32_t, 3>> faces,
                           std::size_t vertices, std::size_t marks) {
    if (faces.size() > (std::size_t{1} << 31))
        return Error{"more than 2^31 faces", ErrorCode::WrongSize};
    for (std::size_t i = 0; i < faces.size(); ++i) {
        for (const std::uint32_t vertex : faces[i]) {
            if (vertex >= vertices)
                return Error{
                    "face " + std::to_string(i) + ": there is no vertex " + std::to_string(vertex),
                    ErrorCode::IndexOutOfRange, i};
        }
    }
    if (marks > 1 && marks != faces.size())
        return Error{
            std::to_string(marks) + " marks for " + std::to_string(faces.size()) + " faces",
            ErrorCode::WrongSize};
    return {};
}

}  // namespace

// All that the proofs assume of a level: finite coordinates and indices that exist. Faces may be
// anything else.
template <class Real>
Expected<void> check_positions(std::span<const Vec<Real>> positions) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (!is_finite(widened(positions[i])))
            return Error{"vertex " + std::to_string(i) + ": a coordinate is not finite",
                         ErrorCode::NotFinite, i};
    }
    if (positions.size() > 0xffff'fff0U)
        return Error{"more than 2^32 vertices", ErrorCode::WrongSize};
    return {};
}

template <class Real>
Expected<std::shared_ptr<PartMesh<Real>>> make_mesh(
    std::span<const Vec<Real>> positions, std::span<const std::array<std::uint32_t, 3>> faces,
    std::span<const FaceMarks> marks) {
    const Expected<void> checked = check_positions(positions);
    if (!checked) return checked.error();
    const Expected<void> faces_checked = check_faces(faces, positions.size(), marks.size());
    if (!faces_checked) return faces_checked.error();
    return with_sound_arithmetic([&]() -> Expected<std::shared_ptr<PartMesh<Real>>> {
        auto mesh = std::make_shared<PartMesh<Real>>();
        mesh->tree.build(positions, faces);
        mesh->set_marks(marks);
        return mesh;
    });
}

Error no_such_part(std::uint32_t part) {
    return {"there is no part " + std::to_string(part), ErrorCode::IndexOutOfRange, part};
}

template Expected<void> check_positions(std::span<const Vec<float>>);
template Expected<void> check_positions(std::span<const Vec<double>>);
template Expected<std::shared_ptr<PartMesh<float>>> make_mesh(
    std::span<const Vec<float>>, std::span<const std::array<std::uint32_t, 3>>,
    std::span<const FaceMarks>);
template Expected<std::shared_ptr<PartMesh<double>>> make_mesh(
    std::span<const Vec<double>>, std::span<const std::array<std::uint32_t, 3>>,
    std::span<const FaceMarks>);

}  // namespace graze::slide

#include "graze/slide/level.hpp"

#include <cmath>
#include <string>

#include "graze/core/fp_environment.hpp"
#include "graze/core/vec3.hpp"
#include "slide/tree.hpp"

namespace graze::slide {
namespace {

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

template <class Real>
Expected<void> check(std::span<const Vec<Real>> positions,
                     std::span<const std::array<std::uint32_t, 3>> faces, std::size_t marks) {
    const Expected<void> checked = check_positions(positions);
    if (!checked) return checked;
    return check_faces(faces, positions.size(), marks);
}

Error no_such_part(std::uint32_t part) {
    return {"there is no part " + std::to_string(part), ErrorCode::IndexOutOfRange, part};
}

}  // namespace

template <class Real>
Level<Real>::Level() : state_(std::make_unique<State>()) {}
template <class Real>
Level<Real>::~Level() = default;
template <class Real>
Level<Real>::Level(Level&&) noexcept = default;
template <class Real>
Level<Real>& Level<Real>::operator=(Level&&) noexcept = default;

template <class Real>
Expected<std::uint32_t> Level<Real>::add_part(std::span<const Point> positions,
                                              std::span<const Face> faces,
                                              std::span<const FaceMarks> marks) {
    const Expected<void> checked = check(positions, faces, marks.size());
    if (!checked) return checked.error();
    return with_sound_arithmetic([&]() -> Expected<std::uint32_t> {
        typename State::Part part;
        part.tree.build(positions, faces);
        part.marks.assign(marks.begin(), marks.end());
        state_->parts.push_back(std::move(part));
        return static_cast<std::uint32_t>(state_->parts.size() - 1);
    });
}

// Built beside the old one, so that a failure leaves that as it was; the number of the part stays.
template <class Real>
Expected<void> Level<Real>::replace_part(std::uint32_t part, std::span<const Point> positions,
                                         std::span<const Face> faces,
                                         std::span<const FaceMarks> marks) {
    if (part >= state_->parts.size()) return no_such_part(part);
    const Expected<void> checked = check(positions, faces, marks.size());
    if (!checked) return checked;
    return with_sound_arithmetic([&]() -> Expected<void> {
        typename State::Part fresh;
        fresh.tree.build(positions, faces);
        fresh.marks.assign(marks.begin(), marks.end());
        state_->parts[part] = std::move(fresh);
        return {};
    });
}

template <class Real>
Expected<void> Level<Real>::move_part(std::uint32_t part, std::span<const Point> positions) {
    if (part >= state_->parts.size()) return no_such_part(part);
    const std::size_t vertices = state_->parts[part].tree.vertex_count();
    if (positions.size() != vertices)
        return Error{std::to_string(positions.size()) + " positions for " +
                         std::to_string(vertices) + " vertices",
                     ErrorCode::WrongSize};
    const Expected<void> checked = check_positions(positions);
    if (!checked) return checked;
    return with_sound_arithmetic([&]() -> Expected<void> {
        state_->parts[part].tree.move(positions);
        return {};
    });
}

template <class Real>
std::size_t Level<Real>::part_count() const noexcept {
    return state_->parts.size();
}

template <class Real>
std::size_t Level<Real>::face_count() const noexcept {
    std::size_t count = 0;
    for (const auto& part : state_->parts)
        count += part.tree.face_count();
    return count;
}

template <class Real>
std::size_t Level<Real>::face_count(std::uint32_t part) const noexcept {
    return part < state_->parts.size() ? state_->parts[part].tree.face_count() : 0;
}

// Of parts without faces nothing is met, and their vertices do not count.
template <class Real>
Real Level<Real>::largest_coordinate() const noexcept {
    double largest = 0.0;
    for (const auto& part : state_->parts) {
        if (part.tree.face_count() == 0) continue;
        largest = std::max(
            {largest, norm_max(part.tree.bounds().lower), norm_max(part.tree.bounds().upper)});
    }
    return static_cast<Real>(largest);
}

template <class Real>
std::array<Vec<Real>, 3> Level<Real>::triangle(std::uint32_t part,
                                               std::uint32_t face) const noexcept {
    const PartTree<Real>& tree = state_->parts[part].tree;
    return tree.triangle_at(tree.position_of(face));
}

template <class Real>
FaceMarks Level<Real>::marks(std::uint32_t part, std::uint32_t face) const noexcept {
    return state_->parts[part].marks_of(face);
}

template class Level<float>;
template class Level<double>;

}  // namespace graze::slide

#include "graze/slide/world.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <string>

#include "graze/core/elementary.hpp"
#include "graze/core/fp_environment.hpp"
#include "graze/core/quaternion.hpp"
#include "slide/mesh_checks.hpp"
#include "slide/obstacles_state.hpp"

namespace graze::slide {
namespace {

// Parts that move leave the neighbours that they had when they were put in order.
constexpr std::uint64_t kFramesPerOrder = 64;

// A pose with which every vertex is a finite Real.
template <class Real>
Expected<void> check_part_pose(const Pose& pose, double size) {
    const Expected<void> checked = check(pose, "the part");
    if (!checked) return checked;
    if (!(size + norm_max(pose.translation) <= double{std::numeric_limits<Real>::max()} / 4.0))
        return Error{"the part: a coordinate would not be finite", ErrorCode::NotFinite};
    return {};
}

// Of a quarter of the largest number: so that placed vertices are finite.
template <class Real>
bool is_length(Real length) noexcept {
    return length > Real{0} && length <= std::numeric_limits<Real>::max() / Real{4};
}
Error no_length(const char* what) {
    return {std::string(what) + ": a length that is not positive and finite",
            ErrorCode::InvalidOption};
}

// Corner i has x, y and z positive where the bits 1, 2 and 4 of i are set. Counterclockwise from
// outside; those at -z and z come first, and hold all corners: see SolidSides.
constexpr std::array<std::array<std::uint32_t, 3>, 12> kBoxFaces{{{0, 2, 1},
                                                                  {1, 2, 3},
                                                                  {4, 5, 6},
                                                                  {5, 7, 6},
                                                                  {0, 1, 4},
                                                                  {1, 5, 4},
                                                                  {2, 6, 3},
                                                                  {3, 6, 7},
                                                                  {0, 4, 2},
                                                                  {2, 4, 6},
                                                                  {1, 3, 5},
                                                                  {3, 7, 5}}};

// All positions of the part in the course of its motion: a ball around the path of its pivot. A vertex
// is rounded where it is at each time: the error is that of the largest translation on the way, which
// is no more than the path of the pivot and the pivot (SW-1).
template <class Real>
Box swept_box(const PartMotion& motion, const PartMesh<Real>& part) noexcept {
    const Box& mesh = part.bounds();
    double radius = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis)
        radius += std::max(std::fabs(mesh.lower[axis] - motion.pivot[axis]),
                           std::fabs(mesh.upper[axis] - motion.pivot[axis]));
    Box box;
    box.add(apply(motion.from, motion.pivot));
    box.add(apply(motion.to, motion.pivot));
    const double path = std::max(norm_max(box.lower), norm_max(box.upper));
    const double size = size_of(part);
    const double translation = path + norm_one(motion.pivot);
    const double more = radius + 2.0 * place_error<Real>(size, translation) +
                        0x1p-40 * (radius + size + translation);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        box.lower[axis] -= more;
        box.upper[axis] += more;
    }
    return box;
}

template <class Real>
Box box_of_part(const typename Obstacles<Real>::State::Part& part) noexcept {
    if (part.mesh == nullptr || part.mesh->face_count() == 0) return {};
    Box box = part.placement.to_world(part.mesh->bounds());
    if (!part.is_moving) return box;
    const Box swept = swept_box<Real>(part.motion, *part.mesh);
    box.add(swept.lower);
    box.add(swept.upper);
    return box;
}

// Boxes that are none hold nothing in floats, too.
FloatBox<3> float_box(const FloatMap<3>& map, const Box& box) noexcept {
    return box.lower.x <= box.upper.x ? map.map(box) : FloatBox<3>{};
}

// What throws on the way leaves no tree: then each query goes through all parts.
template <class Real>
void fit_tree(typename Obstacles<Real>::State& state) {
    state.has_tree = false;
    std::vector<Box> boxes(state.parts.size());
    Box all;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        boxes[i] = box_of_part<Real>(state.parts[i]);
        if (!(boxes[i].lower.x <= boxes[i].upper.x)) continue;
        all.add(boxes[i].lower);
        all.add(boxes[i].upper);
    }
    state.map = is_finite(all.upper - all.lower) ? float_map_around(all) : FloatMap<3>{};
    if (!state.keeps_order) {
        std::vector<FloatBox<3>> mapped(boxes.size());
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            mapped[i] = float_box(state.map, boxes[i]);
            // Parts that are gone have to be somewhere in the order, too.
            if (!overlap(mapped[i], mapped[i])) mapped[i].lower = mapped[i].upper = {};
        }
        state.order = median_order(mapped);
        state.tree.resize(boxes.size());
        state.keeps_order = true;
    }
    state.tree.fit([&](std::size_t at) { return float_box(state.map, boxes[state.order[at]]); });
    state.has_tree = true;
}

}  // namespace

Pose pose_at(const PartMotion& motion, double time) noexcept {
    if (!(time > 0.0)) return motion.from;
    if (!(time < 1.0)) return motion.to;
    const Quaternion from = normalised(motion.from.rotation);
    const Quaternion change = change_between(motion.from.rotation, motion.to.rotation);
    const double sine = norm(vector_part(change));
    const double angle = 2.0 * arc_tangent(sine, change.w);
    Pose pose;
    pose.rotation =
        sine > 0.0 ? product(rotation_about(vector_part(change), time * angle), from) : from;
    const Vec3 begin = apply(motion.from, motion.pivot);
    const Vec3 end = apply(motion.to, motion.pivot);
    pose.translation = begin + time * (end - begin) - rotate(pose.rotation, motion.pivot);
    return pose;
}

template <class Real>
World<Real>::World(std::unique_ptr<State> state) noexcept
    : Obstacles<Real>(state.get(), 1.0, PartFilter::All), owned_(std::move(state)) {}
template <class Real>
World<Real>::World() : World(std::make_unique<State>()) {}
template <class Real>
World<Real>::~World() = default;
template <class Real>
World<Real>::World(World&&) noexcept = default;
template <class Real>
World<Real>& World<Real>::operator=(World&&) noexcept = default;

template <class Real>
Expected<std::uint32_t> World<Real>::add_mesh(std::span<const Point> positions,
                                              std::span<const Face> faces,
                                              std::span<const FaceMarks> marks) {
    auto mesh = make_mesh<Real>(positions, faces, marks);
    if (!mesh) return mesh.error();
    owned_->meshes.push_back(*std::move(mesh));
    return static_cast<std::uint32_t>(owned_->meshes.size() - 1);
}

template <class Real>
Expected<std::uint32_t> World<Real>::add_sphere(Real radius, const FaceMarks& marks) {
    return add_round(radius, Real{0}, marks);
}

template <class Real>
Expected<std::uint32_t> World<Real>::add_capsule(Real radius, Real half_height,
                                                 const FaceMarks& marks) {
    if (!is_length(half_height)) return no_length("a capsule");
    return add_round(radius, half_height, marks);
}

// A triangle a, b, b. Its box is wider than the radius by more than a placement that is no rotation by
// some u, and the rounding of the box, can take (SW-3).
template <class Real>
Expected<std::uint32_t> World<Real>::add_round(Real radius, Real half_height,
                                               const FaceMarks& marks) {
    if (!is_length(radius)) return no_length(half_height > Real{0} ? "a capsule" : "a sphere");
    const std::array<Point, 2> ends{Point{Real{0}, -half_height, Real{0}},
                                    Point{Real{0}, half_height, Real{0}}};
    const std::array<Face, 1> faces{Face{0, 1, 1}};
    FaceMarks two_sided = marks;
    two_sided.one_sided = false;
    auto mesh = make_mesh<Real>(ends, faces, {&two_sided, 1});
    if (!mesh) return mesh.error();
    PartMesh<Real>& round = **mesh;
    round.round = double{radius};
    const double by = double{radius} * (1.0 + 0x1p-40);
    const double top = double{half_height} + by;
    round.round_bounds = {{-by, -top * (1.0 + 0x1p-50), -by}, {by, top * (1.0 + 0x1p-50), by}};
    owned_->meshes.push_back(*std::move(mesh));
    return static_cast<std::uint32_t>(owned_->meshes.size() - 1);
}

template <class Real>
Expected<std::uint32_t> World<Real>::add_box(const Vec<Real>& half_extents,
                                             const FaceMarks& marks) {
    const Vec<Real>& h = half_extents;
    if (!is_length(h.x) || !is_length(h.y) || !is_length(h.z)) return no_length("a box");
    std::array<Point, 8> corners;
    for (unsigned i = 0; i < 8; ++i)
        corners[i] = {(i & 1U) != 0 ? h.x : -h.x, (i & 2U) != 0 ? h.y : -h.y,
                      (i & 4U) != 0 ? h.z : -h.z};
    FaceMarks two_sided = marks;
    two_sided.one_sided = false;
    auto mesh = make_mesh<Real>(corners, kBoxFaces, {&two_sided, 1});
    if (!mesh) return mesh.error();
    (*mesh)->is_solid = true;
    owned_->meshes.push_back(*std::move(mesh));
    return static_cast<std::uint32_t>(owned_->meshes.size() - 1);
}

template <class Real>
Expected<std::uint32_t> World<Real>::add_height_field(const HeightField<Real>& field,
                                                      std::span<const FaceMarks> marks) {
    auto grid = with_sound_arithmetic([&] { return HeightGrid<Real>::make(field); });
    if (!grid) return grid.error();
    if (marks.size() > 1 && marks.size() != grid->face_count())
        return Error{std::to_string(marks.size()) + " marks for " +
                         std::to_string(grid->face_count()) + " faces",
                     ErrorCode::WrongSize};
    auto mesh = std::make_shared<PartMesh<Real>>();
    mesh->grid = std::make_unique<const HeightGrid<Real>>(*std::move(grid));
    mesh->set_marks(marks);
    owned_->meshes.push_back(std::move(mesh));
    return static_cast<std::uint32_t>(owned_->meshes.size() - 1);
}

template <class Real>
Expected<std::uint32_t> World<Real>::add_part(std::uint32_t mesh, const Pose& pose,
                                              std::uint32_t layers) {
    if (mesh >= owned_->meshes.size())
        return Error{"there is no mesh " + std::to_string(mesh), ErrorCode::IndexOutOfRange, mesh};
    const double size = size_of(*owned_->meshes[mesh]);
    const Expected<void> checked = check_part_pose<Real>(pose, size);
    if (!checked) return checked.error();
    return with_sound_arithmetic([&]() -> Expected<std::uint32_t> {
        auto& part = owned_->parts.emplace_back();
        part.mesh = owned_->meshes[mesh];
        part.layers = layers;
        part.is_placed = true;
        part.placement = placement_of<Real>(pose, size);
        part.motion = {pose, pose, {}};
        owned_->has_solids = owned_->has_solids || part.mesh->is_solid;
        owned_->has_tree = owned_->keeps_order = false;
        return static_cast<std::uint32_t>(owned_->parts.size() - 1);
    });
}

template <class Real>
Expected<void> World<Real>::remove_part(std::uint32_t part) {
    if (part >= owned_->parts.size() || owned_->parts[part].mesh == nullptr)
        return no_such_part(part);
    owned_->parts[part].mesh = nullptr;
    owned_->parts[part].is_moving = false;
    return {};
}

template <class Real>
Expected<void> World<Real>::set_layers(std::uint32_t part, std::uint32_t layers) {
    if (part >= owned_->parts.size() || owned_->parts[part].mesh == nullptr)
        return no_such_part(part);
    owned_->parts[part].layers = layers;
    return {};
}

template <class Real>
Expected<void> World<Real>::move_part(std::uint32_t part, const Pose& pose, const Vec3& pivot) {
    // First: what is refused changes nothing.
    if (!is_finite(pivot) || !(norm_max(pivot) <= kMaxTranslation))
        return Error{"the part: a pivot that is not finite", ErrorCode::NotFinite};
    const Expected<void> placed = place_part(part, pose);
    if (!placed) return placed;
    auto& request = owned_->requests.back();
    request.motion.pivot = pivot;
    request.is_motion = true;
    return {};
}

template <class Real>
Expected<void> World<Real>::place_part(std::uint32_t part, const Pose& pose) {
    if (part >= owned_->parts.size() || owned_->parts[part].mesh == nullptr)
        return no_such_part(part);
    const Expected<void> checked = check_part_pose<Real>(pose, size_of(*owned_->parts[part].mesh));
    if (!checked) return checked;
    owned_->requests.push_back({part, {owned_->parts[part].motion.to, pose, {}}, false});
    return {};
}

// Of several requests for one part the last counts: each goes from where the part is. What may throw
// comes before anything has changed; a tree that there is no memory for is not missed, but for speed.
template <class Real>
void World<Real>::update() {
    with_sound_arithmetic(
        [&] {
            State& state = *owned_;
            state.moving.reserve(state.moving.size() + state.requests.size());
            state.has_tree = false;  // of where parts were
            for (const std::uint32_t index : state.moving) {
                auto& part = state.parts[index];
                part.is_moving = false;
                part.motion = {part.motion.to, part.motion.to, {}};
            }
            state.moving.clear();
            for (const auto& request : state.requests) {
                auto& part = state.parts[request.part];
                if (part.mesh == nullptr) continue;
                part.motion = request.motion;
                if (!request.is_motion) part.motion.from = part.motion.to;
                if (request.is_motion && !part.is_moving) state.moving.push_back(request.part);
                part.is_moving = request.is_motion;
                part.placement = placement_of<Real>(part.motion.to, size_of(*part.mesh));
            }
            state.requests.clear();
            ++state.frame;
            if (state.frame % kFramesPerOrder == 0) state.keeps_order = false;
            try {
                fit_tree<Real>(state);
            } catch (const std::bad_alloc&) {  // the next frame tries again
            }
        },
        [] {});
}

template <class Real>
std::uint64_t World<Real>::frame() const noexcept {
    return owned_->frame;
}

template <class Real>
Pose World<Real>::pose(std::uint32_t part) const noexcept {
    return part < owned_->parts.size() ? owned_->parts[part].motion.to : Pose{};
}

template <class Real>
PartMotion World<Real>::motion(std::uint32_t part) const noexcept {
    return owned_->parts[part].motion;
}

template <class Real>
Obstacles<Real> World<Real>::at(double time, PartFilter filter) const noexcept {
    // A view of its own: the constructor is for those who own the parts.
    struct View : Obstacles<Real> {
        View(const State* state, double when, PartFilter which) noexcept
            : Obstacles<Real>(state, when, which) {}
    };
    return View(owned_.get(), time, filter);
}

template class World<float>;
template class World<double>;

}  // namespace graze::slide

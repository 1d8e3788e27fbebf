// Faces of bodies for pictures: fewer of them where there are too many, and in the order in which
// they are painted.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graze/core/vec3.hpp"

namespace graze::app {

// Right, up and towards the eye, for an orthographic picture with y upwards.
class Eye {
public:
    // [degrees] That far around the y-axis, from z towards x, and that far up.
    explicit Eye(double azimuth = 30.0, double elevation = 25.0);
    [[nodiscard]] Vec3 see(const Vec3& x) const {
        return {dot(x, right_), dot(x, up_), dot(x, towards_)};
    }
    [[nodiscard]] const Vec3& towards() const { return towards_; }
    [[nodiscard]] double azimuth() const { return azimuth_; }
    [[nodiscard]] double elevation() const { return elevation_; }

private:
    double azimuth_;
    double elevation_;
    Vec3 right_, up_, towards_;
};

// Polygons by indices of vertices, end to end.
class FaceList {
public:
    void add(std::span<const std::uint32_t> corners);
    [[nodiscard]] std::size_t size() const { return ends_.size(); }
    [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t face) const {
        const std::size_t first = face == 0 ? 0 : ends_[face - 1];
        return std::span(corners_).subspan(first, ends_[face] - first);
    }

private:
    std::vector<std::uint32_t> corners_;
    std::vector<std::size_t> ends_;
};

// What a picture draws of a surface. Vertices are those of the surface itself, so that one shape
// fits all times.
struct SceneShape {
    FaceList faces;
    std::vector<std::size_t> origin;  // of each face: which one of the surface it stands for
    std::vector<std::array<std::uint32_t, 2>> lines;
    std::vector<std::uint32_t> dots;
    bool hides_backs = false;  // closed, and faces turn counterclockwise as seen from outside
};

// Of a closed surface: whether its faces turn clockwise as seen from outside.
[[nodiscard]] bool is_inside_out(std::span<const Vec3> positions, const FaceList& faces);

// At most `most` faces, lines and dots each. Faces: vertices that share a cell of a grid become the
// one nearest to the middle of the cell, and faces without area vanish; cells grow until what is
// left fits. Where that does not do (a soup of long triangles) only some of the faces stay.
[[nodiscard]] SceneShape coarsened(SceneShape shape, std::span<const Vec3> positions,
                                   std::size_t most);
// The faces nearest to a place, at most so many, of those that come within `reach` of it.
[[nodiscard]] SceneShape near_part(const SceneShape& shape, std::span<const Vec3> positions,
                                   const Vec3& place, double reach, std::size_t most);

// A face, or a part of one, as the eye sees it.
struct SeenFace {
    std::vector<Vec3> corners;
    // By corner: the way to the next one is a side of the face, not a cut.
    std::vector<bool> is_side;
    std::string css_class;
    bool is_glass = false;  // others are seen through it
};

// The depth, towards the eye, of its plane (or of its middle, where it is seen edge on) at a place
// of the picture.
[[nodiscard]] double depth_at(const SeenFace& face, double x, double y);
// [length] From the place to the outline of the face as it is seen; negative inside.
[[nodiscard]] double distance_in_picture(const SeenFace& face, double x, double y);

// From the back to the front. Large faces part the others by their planes, cutting those that
// stand on both sides; small ones go by the depth of their middle. `size`: of the whole scene.
[[nodiscard]] std::vector<SeenFace> in_paint_order(std::vector<SeenFace> faces, double size);

// What lies within [-half, half] of (x, y), in both directions; nothing if the face does not.
[[nodiscard]] SeenFace clipped(SeenFace face, double x, double y, double half);

// What does not come nearer to the eye than that depth.
[[nodiscard]] SeenFace cut_open(const SeenFace& face, double depth);

// Where to look from: contacts should be seen from the side, not be hidden behind faces, and the
// eye be near to its usual place.
struct Sight {
    Vec3 place;                // of the contact
    std::vector<Vec3> across;  // directions that should lie in the picture, unless 0
    double size = 0.0;         // of the scene
    bool has_place = false;
};
struct SightBody {
    std::span<const Vec3> positions;
    const FaceList* faces;
};
// Whether faces are between the contact and the eye.
[[nodiscard]] bool is_hidden(const Sight& sight, const Eye& eye, std::span<const SightBody> bodies);
[[nodiscard]] Eye best_eye(const Sight& sight, std::span<const SightBody> bodies);

}  // namespace graze::app

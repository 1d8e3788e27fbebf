#include "scene_faces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <set>

#include "graze/core/elementary.hpp"

namespace graze::app {
namespace {

struct Box3 {
    Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL};
    Vec3 high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};

    void add(const Vec3& x) {
        for (std::size_t i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], x[i]);
            high[i] = std::max(high[i], x[i]);
        }
    }
    [[nodiscard]] double longest_side() const { return norm_max(high - low); }
};

Box3 box_around(std::span<const Vec3> points) {
    Box3 box;
    for (const Vec3& x : points)
        box.add(x);
    return box;
}

Vec3 middle_of(std::span<const Vec3> points) {
    Vec3 sum;
    for (const Vec3& x : points)
        sum = sum + x;
    return (1.0 / static_cast<double>(std::max<std::size_t>(points.size(), 1))) * sum;
}

// Newell's: defined for any polygon, its length is twice the area.
Vec3 area_normal(std::span<const Vec3> corners) {
    Vec3 normal;
    for (std::size_t i = 0; i < corners.size(); ++i)
        normal =
            normal + cross(corners[i] - corners[0], corners[(i + 1) % corners.size()] - corners[0]);
    return normal;
}

using Cell = std::array<long, 3>;

// By vertex: the vertex that stands for all of its cell.
std::vector<std::uint32_t> cell_vertices(std::span<const Vec3> positions, const Box3& box,
                                         long cells) {
    const double side = box.longest_side() / static_cast<double>(cells);
    const auto cell_of = [&](const Vec3& x) {
        Cell cell;
        for (std::size_t i = 0; i < 3; ++i)
            cell[i] = std::lround(std::floor((x[i] - box.low[i]) / side));
        return cell;
    };
    const auto off_middle = [&](const Vec3& x, const Cell& cell) {
        Vec3 off;
        for (std::size_t i = 0; i < 3; ++i)
            off[i] = x[i] - box.low[i] - side * (static_cast<double>(cell[i]) + 0.5);
        return norm_sq(off);
    };
    std::map<Cell, std::uint32_t> chosen;
    for (std::uint32_t v = 0; v < positions.size(); ++v) {
        const Cell cell = cell_of(positions[v]);
        const auto [at, is_new] = chosen.emplace(cell, v);
        if (!is_new && off_middle(positions[v], cell) < off_middle(positions[at->second], cell))
            at->second = v;
    }
    std::vector<std::uint32_t> stands(positions.size());
    for (std::uint32_t v = 0; v < positions.size(); ++v)
        stands[v] = chosen.at(cell_of(positions[v]));
    return stands;
}

void keep_face(SceneShape& shape, const SceneShape& from, std::size_t face,
               std::span<const std::uint32_t> corners) {
    shape.faces.add(corners);
    shape.origin.push_back(from.origin.empty() ? face : from.origin[face]);
}

SceneShape without_faces(const SceneShape& shape) {
    return {{}, {}, shape.lines, shape.dots, shape.hides_backs};
}

// Faces between cells, each once.
SceneShape clustered(const SceneShape& shape, const std::vector<std::uint32_t>& stands) {
    SceneShape coarse = without_faces(shape);
    std::set<std::vector<std::uint32_t>> known;
    for (std::size_t f = 0; f < shape.faces.size(); ++f) {
        std::vector<std::uint32_t> corners;
        for (const std::uint32_t corner : shape.faces[f]) {
            if (corners.empty() || corners.back() != stands[corner])
                corners.push_back(stands[corner]);
        }
        while (corners.size() > 1 && corners.front() == corners.back())
            corners.pop_back();
        std::vector<std::uint32_t> sorted = corners;
        std::sort(sorted.begin(), sorted.end());
        const bool repeats = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
        if (corners.size() < 3 || repeats || !known.insert(std::move(sorted)).second) continue;
        keep_face(coarse, shape, f, corners);
    }
    return coarse;
}

template <class T>
void thin_out(std::vector<T>& list, std::size_t most) {
    if (list.size() <= most) return;
    for (std::size_t i = 0; i < most; ++i)
        list[i] = list[i * list.size() / most];
    list.resize(most);
}

SceneShape thinned(const SceneShape& shape, std::size_t most) {
    if (shape.faces.size() <= most) return shape;
    SceneShape some = without_faces(shape);
    for (std::size_t i = 0; i < most; ++i) {
        const std::size_t face = i * shape.faces.size() / most;
        keep_face(some, shape, face, shape.faces[face]);
    }
    return some;
}

// Both parts of a face that a plane cuts: what is at or above `level` of the function, and below.
struct Halves {
    SeenFace above;
    SeenFace below;
};

void add_corner(SeenFace& face, const Vec3& corner, bool is_side) {
    face.corners.push_back(corner);
    face.is_side.push_back(is_side);
}

template <class Height>
Halves cut(const SeenFace& face, Height height) {
    Halves halves;
    halves.above = halves.below = {{}, {}, face.css_class, face.is_glass};
    const std::size_t count = face.corners.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3& p = face.corners[i];
        const Vec3& q = face.corners[(i + 1) % count];
        const double hp = height(p);
        const double hq = height(q);
        const bool is_up = hp >= 0.0;
        add_corner(is_up ? halves.above : halves.below, p, face.is_side[i]);
        if (is_up == (hq >= 0.0)) continue;
        // The side goes on in the other half; in this one the cut follows.
        const Vec3 x = p + (hp / (hp - hq)) * (q - p);
        add_corner(is_up ? halves.above : halves.below, x, false);
        add_corner(is_up ? halves.below : halves.above, x, face.is_side[i]);
    }
    return halves;
}

bool is_area(const SeenFace& face) {
    return face.corners.size() >= 3;
}

struct Ordered {
    SeenFace face;
    double size = 0.0;
    double depth = 0.0;
};

Ordered measured(SeenFace face) {
    const double size = is_area(face) ? box_around(face.corners).longest_side() : 0.0;
    const double depth = middle_of(face.corners).z;
    return {std::move(face), size, depth};
}

// Parts faces by the planes of the large ones.
class PaintOrder {
public:
    PaintOrder(double size, std::size_t count)
        : large_(size / 8.0), on_plane_(1e-7 * size), most_(count / 4 + 600) {}

    void add(std::vector<Ordered> faces, int depth);
    [[nodiscard]] std::vector<SeenFace> take() { return std::move(done_); }

private:
    struct Sides {
        std::vector<Ordered> far, on, near;
    };
    [[nodiscard]] Sides part(std::vector<Ordered> faces, const Vec3& normal, const Vec3& point);
    void put(Sides& sides, Ordered face, const Vec3& normal, const Vec3& point);
    void add_sorted(std::vector<Ordered> faces);

    double large_;
    double on_plane_;
    std::size_t most_;  // faces that cuts may make of the given ones
    std::size_t cuts_ = 0;
    std::vector<SeenFace> done_;
};

void PaintOrder::add_sorted(std::vector<Ordered> faces) {
    std::stable_sort(faces.begin(), faces.end(),
                     [](const Ordered& a, const Ordered& b) { return a.depth < b.depth; });
    for (Ordered& face : faces)
        done_.push_back(std::move(face.face));
}

void PaintOrder::put(Sides& sides, Ordered face, const Vec3& normal, const Vec3& point) {
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (const Vec3& x : face.face.corners) {
        const double height = dot(normal, x - point);
        low = std::min(low, height);
        high = std::max(high, height);
    }
    if (low >= -on_plane_ && high <= on_plane_) return sides.on.push_back(std::move(face));
    if (low >= -on_plane_) return sides.near.push_back(std::move(face));
    if (high <= on_plane_) return sides.far.push_back(std::move(face));
    if (!is_area(face.face) || cuts_ >= most_)
        return (low + high > 0.0 ? sides.near : sides.far).push_back(std::move(face));
    ++cuts_;
    Halves halves = cut(face.face, [&](const Vec3& x) { return dot(normal, x - point); });
    if (is_area(halves.above)) sides.near.push_back(measured(std::move(halves.above)));
    if (is_area(halves.below)) sides.far.push_back(measured(std::move(halves.below)));
}

PaintOrder::Sides PaintOrder::part(std::vector<Ordered> faces, const Vec3& normal,
                                   const Vec3& point) {
    Sides sides;
    for (Ordered& face : faces)
        put(sides, std::move(face), normal, point);
    return sides;
}

void PaintOrder::add(std::vector<Ordered> faces, int depth) {
    constexpr int kDeepest = 200;
    const auto largest =
        std::max_element(faces.begin(), faces.end(),
                         [](const Ordered& a, const Ordered& b) { return a.size < b.size; });
    if (faces.size() < 2 || largest->size <= large_ || depth > kDeepest)
        return add_sorted(std::move(faces));
    Vec3 normal = area_normal(largest->face.corners);
    const double length = norm(normal);
    // Slivers have no plane to speak of.
    if (!(length > 1e-6 * largest->size * largest->size)) {
        largest->size = 0.0;
        return add(std::move(faces), depth + 1);
    }
    normal = ((normal.z < 0.0 ? -1.0 : 1.0) / length) * normal;
    const Vec3 point = middle_of(largest->face.corners);
    Ordered splitter = std::move(*largest);
    faces.erase(largest);
    Sides sides = part(std::move(faces), normal, point);
    sides.on.push_back(std::move(splitter));
    add(std::move(sides.far), depth + 1);
    add_sorted(std::move(sides.on));
    add(std::move(sides.near), depth + 1);
}

double segment_distance(double x, double y, const Vec3& p, const Vec3& q) {
    const double dx = q.x - p.x;
    const double dy = q.y - p.y;
    const double length_sq = dx * dx + dy * dy;
    const double along =
        length_sq > 0.0 ? std::clamp(((x - p.x) * dx + (y - p.y) * dy) / length_sq, 0.0, 1.0) : 0.0;
    return norm(Vec3{p.x + along * dx - x, p.y + along * dy - y, 0.0});
}

// How many faces are between the contact and the eye, up to 4.
int covering_faces(const Sight& sight, const Eye& eye, std::span<const SightBody> bodies) {
    int count = 0;
    const Vec3 place = eye.see(sight.place);
    SeenFace face;
    for (const SightBody& body : bodies) {
        for (std::size_t f = 0; f < body.faces->size() && count < 4; ++f) {
            face.corners.clear();
            for (const std::uint32_t corner : (*body.faces)[f])
                face.corners.push_back(eye.see(body.positions[corner]));
            if (distance_in_picture(face, place.x, place.y) > -0.002 * sight.size) continue;
            if (depth_at(face, place.x, place.y) > place.z + 0.01 * sight.size) ++count;
        }
    }
    return count;
}

double sight_score(const Sight& sight, const Eye& eye, std::span<const SightBody> bodies) {
    double score = 0.7 * dot(eye.towards(), Eye().towards());
    for (const Vec3& direction : sight.across) {
        const double length = norm(direction);
        if (length > 0.0) score += norm(cross(eye.towards(), direction)) / length;
    }
    return sight.has_place ? score - 0.35 * covering_faces(sight, eye, bodies) : score;
}

}  // namespace

Eye::Eye(double azimuth, double elevation) : azimuth_(azimuth), elevation_(elevation) {
    const double az = azimuth * (std::numbers::pi / 180.0);
    const double el = elevation * (std::numbers::pi / 180.0);
    towards_ = {cosine(el) * sine(az), sine(el), cosine(el) * cosine(az)};
    right_ = {cosine(az), 0.0, -sine(az)};
    up_ = cross(towards_, right_);
}

void FaceList::add(std::span<const std::uint32_t> corners) {
    corners_.insert(corners_.end(), corners.begin(), corners.end());
    ends_.push_back(corners_.size());
}

bool is_inside_out(std::span<const Vec3> positions, const FaceList& faces) {
    if (positions.empty()) return false;
    double volume = 0.0;
    std::vector<Vec3> corners;
    for (std::size_t f = 0; f < faces.size(); ++f) {
        corners.clear();
        for (const std::uint32_t corner : faces[f])
            corners.push_back(positions[corner] - positions[0]);
        volume += dot(corners[0], area_normal(corners));
    }
    return volume < 0.0;
}

SceneShape coarsened(SceneShape shape, std::span<const Vec3> positions, std::size_t most) {
    const std::size_t faces = shape.faces.size();
    thin_out(shape.lines, most);
    thin_out(shape.dots, most);
    if (shape.origin.empty()) {
        shape.origin.resize(faces);
        std::iota(shape.origin.begin(), shape.origin.end(), std::size_t{0});
    }
    if (faces <= most) return shape;
    const Box3 box = box_around(positions);
    SceneShape coarse = shape;
    // A surface of c cells a side has some 6 c^2 cells, and twice as many faces.
    long cells = std::lround(std::sqrt(static_cast<double>(most) / 2.0)) + 2;
    for (; box.longest_side() > 0.0 && is_finite(box.longest_side()) && cells >= 12;
         cells = cells * 4 / 5) {
        coarse = clustered(shape, cell_vertices(positions, box, cells));
        if (coarse.faces.size() <= most) break;
    }
    // Too coarse to be like it: rather some of its faces.
    if (coarse.faces.size() > most || coarse.faces.size() < most / 16) coarse = shape;
    return thinned(coarse, most);
}

SceneShape near_part(const SceneShape& shape, std::span<const Vec3> positions, const Vec3& place,
                     double reach, std::size_t most) {
    std::vector<std::pair<double, std::size_t>> by_distance;
    for (std::size_t f = 0; f < shape.faces.size(); ++f) {
        Box3 box;
        for (const std::uint32_t corner : shape.faces[f])
            box.add(positions[corner]);
        double off = 0.0;
        for (std::size_t i = 0; i < 3; ++i)
            off = std::max({off, box.low[i] - place[i], place[i] - box.high[i]});
        if (off <= reach) by_distance.emplace_back(off, f);
    }
    std::sort(by_distance.begin(), by_distance.end());
    SceneShape part = without_faces(shape);
    for (std::size_t i = 0; i < by_distance.size() && i < most; ++i)
        keep_face(part, shape, by_distance[i].second, shape.faces[by_distance[i].second]);
    thin_out(part.lines, most);
    thin_out(part.dots, most);
    return part;
}

double depth_at(const SeenFace& face, double x, double y) {
    const Vec3 normal = area_normal(face.corners);
    const Vec3 middle = middle_of(face.corners);
    if (!(std::abs(normal.z) > 1e-3 * norm(normal))) return middle.z;
    return middle.z - (normal.x * (x - middle.x) + normal.y * (y - middle.y)) / normal.z;
}

double distance_in_picture(const SeenFace& face, double x, double y) {
    bool is_inside = false;
    double nearest = HUGE_VAL;
    for (std::size_t i = 0; i < face.corners.size(); ++i) {
        const Vec3& p = face.corners[i];
        const Vec3& q = face.corners[(i + 1) % face.corners.size()];
        nearest = std::min(nearest, segment_distance(x, y, p, q));
        if ((p.y > y) != (q.y > y) && x < p.x + (y - p.y) / (q.y - p.y) * (q.x - p.x))
            is_inside = !is_inside;
    }
    return is_inside ? -nearest : nearest;
}

std::vector<SeenFace> in_paint_order(std::vector<SeenFace> faces, double size) {
    PaintOrder order(size, faces.size());
    std::vector<Ordered> list;
    list.reserve(faces.size());
    for (SeenFace& face : faces)
        list.push_back(measured(std::move(face)));
    order.add(std::move(list), 0);
    return order.take();
}

SeenFace clipped(SeenFace face, double x, double y, double half) {
    for (const double sign : {1.0, -1.0}) {
        face = cut(face, [&](const Vec3& p) { return half - sign * (p.x - x); }).above;
        face = cut(face, [&](const Vec3& p) { return half - sign * (p.y - y); }).above;
    }
    return face;
}

SeenFace cut_open(const SeenFace& face, double depth) {
    return cut(face, [&](const Vec3& p) { return depth - p.z; }).above;
}

bool is_hidden(const Sight& sight, const Eye& eye, std::span<const SightBody> bodies) {
    return covering_faces(sight, eye, bodies) > 0;
}

Eye best_eye(const Sight& sight, std::span<const SightBody> bodies) {
    Eye best;
    double best_score = -HUGE_VAL;
    for (const double elevation : {25.0, 12.0, 40.0, 60.0}) {
        // Straight along an axis two of the three would lie on each other.
        for (const double around : {0.0, 90.0, -90.0, -180.0}) {
            for (const double azimuth : {30.0, 15.0, 45.0, 60.0, 75.0}) {
                const Eye eye(around + azimuth, elevation);
                const double score = sight_score(sight, eye, bodies);
                if (score <= best_score) continue;
                best = eye;
                best_score = score;
            }
        }
    }
    return best;
}

}  // namespace graze::app

// A ball in closed rooms: thin skins, wishes of any length, walls far off, and parts of the level
// that move into it. Each move is judged in exact arithmetic, on every straight piece of its way.
//   slide_rooms --count 10000000 --threads 2
// Room i of a seed is the same in every run, so that a long campaign is cut into parts by --first,
// and one room is looked at again by --first I --rooms 1. Each room is moved in 50 times.
// The last line is JSON.
//   0 nothing that must not happen; 1 something did, and is listed on stderr; 2 wrong usage.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <random>
#include <thread>

#include "graze/slide/move_trail.hpp"
#include "graze/slide/mover.hpp"
#include "graze/verify/exact_segment.hpp"

namespace graze::bench {
namespace {

using slide::MoveTrail;
using slide::TrailPoint;
using slide::widened;

constexpr std::uint64_t kMovesPerRoom = 50;

struct RoomsRequest {
    std::uint64_t first = 0;
    std::uint64_t count = 200'000;  // moves, in each precision
    std::uint64_t rooms = 0;        // in place of count
    std::uint64_t seed = 1;
    std::string precision = "both";
    unsigned threads = 1;
    double progress = 30.0;  // [s]
};

// --- What is added up ----------------------------------------------------------------------------

struct RoomSums {
    std::uint64_t moves = 0;
    std::uint64_t proved = 0;
    std::uint64_t unproved = 0;  // after the level has moved
    std::uint64_t pushed = 0;    // out of what moved into it
    std::uint64_t widened = 0;   // began legal, and was pushed for a wider skin
    std::uint64_t pieces = 0;    // straight ones, judged against every triangle
    std::uint64_t exact = 0;     // decided in rationals, not by a direction
    std::uint64_t too_near = 0;  // wrong from here on
    std::uint64_t crossed = 0;
    std::uint64_t escaped = 0;
    std::uint64_t lost = 0;  // a legal start that is not legal for the next move
    std::uint64_t other = 0;

    [[nodiscard]] std::uint64_t wrong() const {
        return too_near + crossed + escaped + lost + other;
    }
    void add(const RoomSums& more) {
        moves += more.moves;
        proved += more.proved;
        unproved += more.unproved;
        pushed += more.pushed;
        widened += more.widened;
        pieces += more.pieces;
        exact += more.exact;
        too_near += more.too_near;
        crossed += more.crossed;
        escaped += more.escaped;
        lost += more.lost;
        other += more.other;
    }
};

// --- The judge -----------------------------------------------------------------------------------

using JudgedTriangle = std::array<Vec3, 3>;

// In the space where the shape is a ball of radius 1, relative to a point: each coordinate has two
// roundings, 2 u of itself.
struct ScaledPiece {
    Vec3 from;
    Vec3 to;
    JudgedTriangle triangle;
};

Vec3 scaled_by(const Vec3& p, const Vec3& origin, const Vec3& radii) {
    return {(p.x - origin.x) / radii.x, (p.y - origin.y) / radii.y, (p.z - origin.z) / radii.z};
}

Vec3 nearest_on_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 edge = b - a;
    const double length_sq = norm_sq(edge);
    const double s = length_sq > 0.0 ? std::clamp(dot(p - a, edge) / length_sq, 0.0, 1.0) : 0.0;
    return a + s * edge;
}

// From one segment to the other: where both lines are nearest to each other, or the ends are.
Vec3 way_between_lines(const Vec3& a, const Vec3& b, const Vec3& from, const Vec3& to) {
    const Vec3 u = b - a;
    const Vec3 v = to - from;
    const Vec3 r = a - from;
    const double uu = norm_sq(u);
    const double vv = norm_sq(v);
    const double uv = dot(u, v);
    const double sine_sq = uu * vv - uv * uv;
    double s = 0.0;
    if (sine_sq > 0.0) s = std::clamp((uv * dot(v, r) - vv * dot(u, r)) / sine_sq, 0.0, 1.0);
    const Vec3 on_way = nearest_on_segment(a + s * u, from, to);
    const Vec3 way = on_way - nearest_on_segment(on_way, a, b);
    // Along the common normal where there is one: rounding turns the way less.
    const Vec3 normal = cross(u, v);
    const bool inner = s > 0.0 && s < 1.0 && sine_sq > 0x1p-20 * uu * vv;
    if (!inner || on_way == from || on_way == to) return way;
    return (dot(way, normal) / norm_sq(normal)) * normal;
}

// The shortest way from the triangle to the segment, about: only a direction to try.
Vec3 parting_direction(const ScaledPiece& piece) {
    Vec3 best{HUGE_VAL, 0, 0};
    const auto consider = [&](const Vec3& way) {
        if (norm_sq(way) < norm_sq(best)) best = way;
    };
    const JudgedTriangle& t = piece.triangle;
    const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
    const double normal_sq = norm_sq(normal);
    for (const Vec3& p : {piece.from, piece.to}) {
        for (std::size_t k = 0; k < 3; ++k)
            consider(p - nearest_on_segment(p, t[k], t[(k + 1) % 3]));
        if (!(normal_sq > 0.0)) continue;
        const Vec3 way = (dot(normal, p - t[0]) / normal_sq) * normal;
        bool inside = true;
        for (std::size_t k = 0; k < 3; ++k)
            inside = inside && dot(normal, cross(t[(k + 1) % 3] - t[k], p - way - t[k])) >= 0.0;
        if (inside) consider(way);
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& a = t[k];
        const Vec3& b = t[(k + 1) % 3];
        consider(nearest_on_segment(a, piece.from, piece.to) - a);
        consider(way_between_lines(a, b, piece.from, piece.to));
    }
    return best;
}

// True is a proof: the direction w parts the segment from the triangle by `least`. Each product has
// 2 u from the coordinate, three roundings in the sum, and |w| has 3 u: 16 u of the magnitudes are
// taken off, u = 2^-53.
bool is_parted(const ScaledPiece& piece, double least) {
    const Vec3 w = parting_direction(piece);
    const double length = std::sqrt(norm_sq(w)) * (1.0 + 0x1p-50);
    if (!(length > 0x1p-200) || !(length < 0x1p+200)) return false;
    const auto size = [&](const Vec3& p) {
        return std::fabs(w.x * p.x) + std::fabs(w.y * p.y) + std::fabs(w.z * p.z);
    };
    double low = std::min(dot(w, piece.from), dot(w, piece.to));
    double error = std::max(size(piece.from), size(piece.to));
    double high = -HUGE_VAL;
    double corner_error = 0.0;
    for (const Vec3& q : piece.triangle) {
        high = std::max(high, dot(w, q));
        corner_error = std::max(corner_error, size(q));
    }
    const double bound = least * length;
    return low - high - bound > 0x1p-49 * (error + corner_error + bound);
}

template <class Real>
class RoomJudge {
public:
    RoomJudge(const slide::Shape<Real>& shape, RoomSums& sums)
        : radii_(widened(shape.radii)),
          smallest_(std::min({radii_.x, radii_.y, radii_.z})),
          sums_(sums) {}

    std::vector<JudgedTriangle> triangles;

    // Is the shape, with a gap of `skin`, clear of all triangles on the straight piece?
    [[nodiscard]] bool keeps(const Vec3& from, const Vec3& to, double skin) {
        ++sums_.pieces;
        // In units of the smallest radius, which may be 1 + skin / smallest: rounded up.
        const double least = (1.0 + skin / smallest_) * (1.0 + 0x1p-50);
        bool clear = true;
        for (const JudgedTriangle& t : triangles) {
            if (is_far(t, from, to, least)) continue;
            const ScaledPiece piece{{},
                                    scaled_by(to, from, radii_),
                                    {scaled_by(t[0], from, radii_), scaled_by(t[1], from, radii_),
                                     scaled_by(t[2], from, radii_)}};
            if (is_parted(piece, least)) continue;
            clear = clear && keeps_exactly(t, from, to, skin);
        }
        return clear;
    }

    // Does the centre go through a triangle, other than one that it begins in?
    [[nodiscard]] bool crosses(const Vec3& from, const Vec3& to,
                               std::span<const JudgedTriangle> faces) {
        for (const JudgedTriangle& t : faces) {
            if (is_far(t, from, to, 0.0)) continue;
            const ScaledPiece piece{{},
                                    scaled_by(to, from, radii_),
                                    {scaled_by(t[0], from, radii_), scaled_by(t[1], from, radii_),
                                     scaled_by(t[2], from, radii_)}};
            if (is_parted(piece, 0x1p-30)) continue;
            ++sums_.exact;
            const slide::test::ExactTriangle exact = exact_of(t);
            if (slide::test::segment_triangle_sq(point_of(from), point_of(to), exact) != 0)
                continue;
            if (slide::test::point_triangle_sq(point_of(from), exact) != 0) return true;
        }
        return false;
    }

private:
    static slide::test::Exact point_of(const Vec3& p) {
        return {mpq_class(p.x), mpq_class(p.y), mpq_class(p.z)};
    }
    static slide::test::ExactTriangle exact_of(const JudgedTriangle& t) {
        return {point_of(t[0]), point_of(t[1]), point_of(t[2])};
    }

    // Boxes apart along an axis, by more than the reach; 2^-40 of all that is added up is more than
    // its rounding.
    [[nodiscard]] bool is_far(const JudgedTriangle& t, const Vec3& from, const Vec3& to,
                              double least) const {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double low = std::min(std::min(t[0][axis], t[1][axis]), t[2][axis]);
            const double high = std::max(std::max(t[0][axis], t[1][axis]), t[2][axis]);
            const double begin = std::min(from[axis], to[axis]);
            const double end = std::max(from[axis], to[axis]);
            const double size =
                std::fabs(low) + std::fabs(high) + std::fabs(begin) + std::fabs(end);
            const double by = least * radii_[axis] * (1.0 + 0x1p-40) + 0x1p-50 * size;
            if (low - end > by || begin - high > by) return true;
        }
        return false;
    }

    [[nodiscard]] bool keeps_exactly(const JudgedTriangle& t, const Vec3& from, const Vec3& to,
                                     double skin) {
        ++sums_.exact;
        const slide::test::Exact radii = point_of(radii_);
        const auto scaled = [&](const Vec3& p) { return slide::test::divided(point_of(p), radii); };
        const mpq_class least = 1 + mpq_class(skin) / mpq_class(smallest_);
        const slide::test::ExactTriangle exact{scaled(t[0]), scaled(t[1]), scaled(t[2])};
        return slide::test::segment_triangle_sq(scaled(from), scaled(to), exact) >= least * least;
    }

    Vec3 radii_;
    double smallest_;
    RoomSums& sums_;
};

// --- Rooms ---------------------------------------------------------------------------------------

struct RoomRandom {
    std::mt19937_64 bits;

    double between(double a, double b) {
        return std::uniform_real_distribution<double>(a, b)(bits);
    }
    bool once_in(int n) { return std::uniform_int_distribution<int>(1, n)(bits) == 1; }
    Vec3 in_cube(double half) {
        return {between(-half, half), between(-half, half), between(-half, half)};
    }
    Vec3 unit() {
        while (true) {
            const Vec3 v = in_cube(1.0);
            const double length = norm(v);
            if (length > 0.1 && length < 1.0) return (1.0 / length) * v;
        }
    }
};

using RoomFace = std::array<std::uint32_t, 3>;

template <class Real>
struct RoomPart {
    std::vector<Vec<Real>> points;
    std::vector<RoomFace> faces;

    void add_triangles_to(std::vector<JudgedTriangle>& all) const {
        for (const RoomFace& f : faces)
            all.push_back({widened(points[f[0]]), widened(points[f[1]]), widened(points[f[2]])});
    }
};

const std::vector<RoomFace> kBoxFaces = {{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6},
                                         {0, 1, 5}, {0, 5, 4}, {2, 3, 7}, {2, 7, 6},
                                         {0, 2, 6}, {0, 6, 4}, {1, 3, 7}, {1, 7, 5}};

// Eight corners, at most a tenth off those of a box: closed, and all of it is seen from its middle.
template <class Real>
RoomPart<Real> box_part(RoomRandom& random, const Vec3& middle, const Vec3& half, double skew) {
    RoomPart<Real> part;
    part.faces = kBoxFaces;
    for (int i = 0; i < 8; ++i) {
        Vec3 corner{(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                    (i & 4) != 0 ? half.z : -half.z};
        for (std::size_t axis = 0; axis < 3; ++axis)
            corner[axis] *= 1.0 + random.between(-skew, skew);
        part.points.push_back(slide::narrowed<Real>(middle + corner));
    }
    return part;
}

template <class Real>
class Room {
public:
    Room(std::uint64_t seed, std::uint64_t number, RoomSums& sums)
        : random_{std::mt19937_64(seed * 0x9e37'79b9'7f4a'7c15U + number)},
          number_(number),
          sums_(sums),
          shape_(some_shape()),
          judge_(shape_, sums) {
        build();
    }

    void run() {
        for (std::uint64_t i = 0; i < kMovesPerRoom; ++i) {
            if (random_.once_in(3)) move_a_part();
            move(i);
        }
    }

private:
    slide::Shape<Real> some_shape() {
        radius_ = std::exp2(random_.between(-6, 6));
        if (!random_.once_in(4)) {
            const Real r = static_cast<Real>(radius_);
            return {{r, r, r}};
        }
        const auto some = [&] { return static_cast<Real>(radius_ * random_.between(0.4, 1.0)); };
        return {{some(), some(), some()}};
    }

    // [length] 0: the default.
    Real some_skin() {
        if (random_.once_in(5)) return Real{0};
        return static_cast<Real>(radius_ * std::exp2(random_.between(-60, -20)));
    }

    Vec3 some_middle() {
        if (random_.once_in(2)) return {};
        const double most = std::is_same_v<Real, float> ? 3.5 : 9.0;
        return radius_ * std::pow(10.0, random_.between(0, most)) * random_.unit();
    }

    void build() {
        options_.skin = some_skin();
        middle_ = widened(slide::narrowed<Real>(some_middle()));
        const auto size = [&] { return radius_ * std::exp2(random_.between(0.8, 3.5)); };
        half_ = {size(), size(), size()};
        parts_.push_back(box_part<Real>(random_, middle_, half_, 0.1));
        parts_.front().add_triangles_to(shell_);
        parts_.push_back(clutter());
        const int movers = 1 + random_.once_in(2);
        for (int i = 0; i < movers; ++i)
            parts_.push_back(random_.once_in(2) ? block() : clutter());
        for (const RoomPart<Real>& part : parts_)
            if (!level_.add_part(part.points, part.faces)) ++sums_.other;
        place_ = slide::narrowed<Real>(middle_);
        renew_triangles();
    }

    Vec3 somewhere() {
        const Vec3 p = random_.in_cube(0.9);
        return middle_ + Vec3{p.x * half_.x, p.y * half_.y, p.z * half_.z};
    }

    RoomPart<Real> clutter() {
        RoomPart<Real> part;
        const int count = static_cast<int>(random_.between(1, 8));
        for (int i = 0; i < count; ++i) {
            const Vec3 at = somewhere();
            const auto first = static_cast<std::uint32_t>(part.points.size());
            const double size = radius_ * std::exp2(random_.between(-2, 2));
            for (int k = 0; k < 3; ++k)
                part.points.push_back(slide::narrowed<Real>(at + size * random_.unit()));
            part.faces.push_back({first, first + 1, first + 2});
        }
        return part;
    }

    // Often nearly as wide as the room: a piston.
    RoomPart<Real> block() {
        const auto side = [&](double half) {
            return random_.once_in(2) ? 0.95 * half : radius_ * random_.between(0.1, 1.5);
        };
        return box_part<Real>(random_, somewhere(), {side(half_.x), side(half_.y), side(half_.z)},
                              0.05);
    }

    void renew_triangles() {
        judge_.triangles.clear();
        for (const RoomPart<Real>& part : parts_)
            part.add_triangles_to(judge_.triangles);
    }

    // Towards the ball more often than not, and now and then right onto it.
    void move_a_part() {
        const std::size_t number =
            2 + static_cast<std::size_t>(random_.between(0, 0.999) *
                                         static_cast<double>(parts_.size() - 2));
        RoomPart<Real>& part = parts_[number];
        const Vec3 way = widened(place_) - widened(part.points.front());
        const Vec3 step = random_.once_in(8)
                              ? way
                              : radius_ * std::exp2(random_.between(-12, 0)) *
                                    (random_.unit() + (1.0 / (norm(way) + 1e-30)) * way);
        for (Vec<Real>& p : part.points)
            p = slide::narrowed<Real>(widened(p) + step);
        if (!level_.move_part(static_cast<std::uint32_t>(number), part.points)) ++sums_.other;
        renew_triangles();
        is_legal_ = false;
    }

    Vec<Real> some_wish() {
        if (random_.once_in(20)) return {};
        const double length = random_.once_in(2) ? std::pow(10.0, random_.between(-4, 1.5))
                                                 : std::pow(10.0, random_.between(1.5, 30.0));
        if (!random_.once_in(3) || norm_sq(last_wish_) == 0.0) last_wish_ = random_.unit();
        return slide::narrowed<Real>(length * radius_ * last_wish_);
    }

    void move(std::uint64_t i) {
        const Vec<Real> wish = some_wish();
        MoveTrail trail;
        const slide::MoveResult<Real> moved =
            move_and_slide_traced(level_, shape_, place_, wish, options_, trail);
        ++sums_.moves;
        judge_move(i, wish, moved, trail);
        place_ = moved.position;
        skin_ = double{moved.skin};
        is_legal_ = moved.gap_proved;
    }

    void judge_move(std::uint64_t i, const Vec<Real>& wish, const slide::MoveResult<Real>& moved,
                    const MoveTrail& trail) {
        const auto complain = [&](std::uint64_t& count, const char* what) {
            ++count;
            tell(i, wish, moved, what);
        };
        const Vec3 end = widened(moved.position);
        if (moved.iterations > slide::kMaxMoveIterations) complain(sums_.other, "iterations");
        if (!is_finite(end) || trail.points().back().position != end)
            return complain(sums_.other, "trail");
        judge_pieces(trail, complain);
        if (!moved.gap_proved) {
            ++sums_.unproved;
            if (moved.position != place_) complain(sums_.other, "moved without proof");
            if (is_legal_) complain(sums_.lost, "a legal start is unproved");
            return;
        }
        ++sums_.proved;
        if (!judge_.keeps(end, end, double{moved.skin})) complain(sums_.too_near, "too near");
        if (moved.skin < options_.skin) complain(sums_.other, "a thinner skin than asked for");
        // All of the shell is seen from the middle.
        if (judge_.crosses(middle_, end, shell_)) complain(sums_.escaped, "escaped");
        if (moved.stopped != slide::StopReason::PushedOut) return;
        if (!is_legal_) {
            ++sums_.pushed;
        } else if (double{moved.skin} > skin_) {
            ++sums_.widened;
        } else {
            complain(sums_.lost, "a legal start is pushed out");
        }
    }

    template <class Complain>
    void judge_pieces(const MoveTrail& trail, const Complain& complain) {
        const std::span<const TrailPoint> points = trail.points();
        for (std::size_t k = 1; k < points.size(); ++k) {
            const Vec3& from = points[k - 1].position;
            const Vec3& to = points[k].position;
            if (points[k].is_pushed) {
                ++sums_.pieces;
                if (judge_.crosses(from, to, judge_.triangles))
                    complain(sums_.crossed, "pushed through a face");
            } else if (!judge_.keeps(from, to, points[k].skin)) {
                complain(sums_.too_near, "too near on its way");
            }
        }
    }

    void tell(std::uint64_t i, const Vec<Real>& wish, const slide::MoveResult<Real>& moved,
              const char* what) const {
        const auto text = [](const Vec<Real>& v) {
            return fmt::format("({:a}, {:a}, {:a})", v.x, v.y, v.z);
        };
        fmt::print(stderr,
                   "slide_rooms: {}: {} room {} move {}: radii {} skin {:a} used {:a} start {} "
                   "wish {} end {} {}\n",
                   what, std::is_same_v<Real, float> ? "float" : "double", number_, i,
                   text(shape_.radii), options_.skin, moved.skin, text(place_), text(wish),
                   text(moved.position), slide::name(moved.stopped));
    }

    RoomRandom random_;
    std::uint64_t number_;
    RoomSums& sums_;
    double radius_ = 1.0;
    slide::Shape<Real> shape_;
    RoomJudge<Real> judge_;
    slide::MoveOptions<Real> options_;
    Vec3 middle_;
    Vec3 half_;
    std::vector<RoomPart<Real>> parts_;  // the shell, what stands in it, and what moves
    std::vector<JudgedTriangle> shell_;
    slide::Level<Real> level_;
    Vec<Real> place_;
    Vec3 last_wish_;
    double skin_ = 0.0;
    bool is_legal_ = false;  // the place was proved, and nothing has moved since
};

// --- Campaign ------------------------------------------------------------------------------------

class RoomCampaign {
public:
    explicit RoomCampaign(const RoomsRequest& request)
        : request_(request),
          end_(request.first + (request.rooms > 0
                                    ? request.rooms
                                    : (request.count + kMovesPerRoom - 1) / kMovesPerRoom)),
          next_(request.first) {}

    RoomSums run() {
        std::vector<std::thread> threads;
        for (unsigned t = 0; t < std::max(request_.threads, 1U); ++t)
            threads.emplace_back([this] { work(); });
        for (std::thread& thread : threads)
            thread.join();
        return total_;
    }

private:
    void work() {
        for (std::uint64_t i = next_++; i < end_; i = next_++) {
            RoomSums sums;
            if (request_.precision != "double") Room<float>(request_.seed, i, sums).run();
            if (request_.precision != "float") Room<double>(request_.seed, i, sums).run();
            const std::lock_guard lock(mutex_);
            total_.add(sums);
            report(i);
        }
    }

    void report(std::uint64_t room) {
        const auto now = std::chrono::steady_clock::now();
        if (std::chrono::duration<double>(now - reported_).count() < request_.progress) return;
        reported_ = now;
        fmt::print(stderr, "slide_rooms: room {} of {} to {}, {} moves, {} wrong\n", room,
                   request_.first, end_, total_.moves, total_.wrong());
    }

    const RoomsRequest& request_;
    std::uint64_t end_;
    std::atomic<std::uint64_t> next_;
    std::mutex mutex_;
    RoomSums total_;
    std::chrono::steady_clock::time_point reported_ = std::chrono::steady_clock::now();
};

int run_rooms(const RoomsRequest& request) {
    const auto begin = std::chrono::steady_clock::now();
    const RoomSums s = RoomCampaign(request).run();
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    fmt::print(
        "{{\"seed\":{},\"first\":{},\"precision\":\"{}\",\"moves\":{},\"proved\":{},"
        "\"unproved\":{},\"pushed_out\":{},\"widened\":{},\"pieces\":{},\"exact\":{},"
        "\"too_near\":{},\"crossed\":{},\"escaped\":{},\"lost\":{},\"other\":{},\"wrong\":{},"
        "\"seconds\":{:.1f}}}\n",
        request.seed, request.first, request.precision, s.moves, s.proved, s.unproved, s.pushed,
        s.widened, s.pieces, s.exact, s.too_near, s.crossed, s.escaped, s.lost, s.other, s.wrong(),
        seconds);
    return s.wrong() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace graze::bench

int main(int argc, char** argv) {
    graze::bench::RoomsRequest request;
    CLI::App app("A ball in closed rooms, judged exactly on all of its way");
    app.add_option("--count", request.count, "Moves in each precision; 50 to a room");
    app.add_option("--rooms", request.rooms, "So many rooms in place of --count");
    app.add_option("--first", request.first, "The first room: goes on where a run has ended");
    app.add_option("--seed", request.seed, "Of what is random");
    app.add_option("--precision", request.precision, "float, double or both")
        ->check(CLI::IsMember({"float", "double", "both"}));
    app.add_option("--threads", request.threads, "Rooms are shared among so many");
    app.add_option("--progress", request.progress, "Seconds between lines of progress on stderr");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return graze::bench::run_rooms(request);
}

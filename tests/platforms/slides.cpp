#include "graze/slide.hpp"
#include "platforms/parts.hpp"

namespace graze::platforms {
namespace {

using namespace graze::slide;

template <class Real>
Vec<Real> real(const Vec3& v) {
    return {static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z)};
}

template <class Real>
struct Triangles {
    std::vector<Vec<Real>> positions;
    std::vector<std::array<std::uint32_t, 3>> faces;

    void add_quad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
        const auto at = static_cast<std::uint32_t>(positions.size());
        for (const Vec3& p : {a, b, c, d})
            positions.push_back(real<Real>(p));
        faces.push_back({at, at + 1, at + 2});
        faces.push_back({at, at + 2, at + 3});
    }
    void add_box(const Vec3& lower, const Vec3& upper) {
        const auto corner = [&](int i) {
            return Vec3{(i & 1) != 0 ? upper.x : lower.x, (i & 2) != 0 ? upper.y : lower.y,
                        (i & 4) != 0 ? upper.z : lower.z};
        };
        constexpr std::array<std::array<int, 4>, 6> kSides = {
            {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
        for (const auto& s : kSides)
            add_quad(corner(s[0]), corner(s[1]), corner(s[2]), corner(s[3]));
    }
};

// Bumpy ground with shared vertices, stairs, walls, and pillars of coincident faces.
template <class Real>
Triangles<Real> landscape() {
    Triangles<Real> t;
    Numbers numbers(41);
    constexpr std::uint32_t kCells = 14;
    for (std::uint32_t i = 0; i <= kCells; ++i) {
        for (std::uint32_t k = 0; k <= kCells; ++k) {
            const bool is_flat = i < 5 || k > 10;
            t.positions.push_back(
                real<Real>({i - 7.0, is_flat ? 0.0 : 0.375 * numbers.number(), k - 7.0}));
        }
    }
    for (std::uint32_t i = 0; i < kCells; ++i) {
        for (std::uint32_t k = 0; k < kCells; ++k) {
            const std::uint32_t a = (kCells + 1) * i + k;
            t.faces.push_back({a, a + 1, a + kCells + 2});
            t.faces.push_back({a, a + kCells + 2, a + kCells + 1});
        }
    }
    for (int step = 0; step < 5; ++step)
        t.add_box({-6.0 + 0.5 * step, 0.0, -3.0}, {-2.0, 0.25 * (step + 1), 0.0});
    t.add_box({2.0, -1.0, 2.0}, {3.0, 3.0, 3.0});
    t.add_box({3.0, -1.0, 2.5}, {4.0, 3.0, 3.5});
    t.add_quad({-7.0, 0.0, 4.0}, {7.0, 0.0, 5.0}, {7.0, 4.0, 5.0}, {-7.0, 4.0, 4.0});
    return t;
}

template <class Real>
void add_contact(Hash& hash, const SweepContact<Real>& c) {
    hash.add(c.part);
    hash.add(c.face);
    hash.add(c.feature);
    hash.add(c.time);
    hash.add(c.point);
    hash.add(c.normal);
}

template <class Real>
void add_move(Hash& hash, const MoveResult<Real>& r) {
    hash.add(r.position);
    hash.add(r.stopped);
    hash.add(r.skin);
    hash.add(r.gap_proved);
    hash.add(r.iterations);
    for (const SweepContact<Real>& c : r.touched())
        add_contact(hash, c);
}

template <class Real>
std::vector<Shape<Real>> shapes() {
    std::vector<Shape<Real>> result(2);
    result[0].radii = {Real(0.5), Real(0.5), Real(0.5)};
    result[1].radii = {Real(0.375), Real(0.875), Real(0.375)};
    result.push_back(capsule<Real>(Real(0.375), Real(0.5)));
    result.push_back(capsule<Real>(Real(0.25), Real(0.5), {Real(1), Real(2), Real(-1)}));
    return result;
}

template <class Real>
Level<Real> make_level() {
    const Triangles<Real> t = landscape<Real>();
    Level<Real> level;
    static_cast<void>(level.add_part(t.positions, t.faces));
    return level;
}

template <class Real>
std::uint64_t hash_of_moves() {
    Hash hash;
    const Level<Real> level = make_level<Real>();
    Numbers numbers(42);
    for (const Shape<Real>& shape : shapes<Real>()) {
        for (int walk = 0; walk < 6; ++walk) {
            Vec<Real> at = real<Real>(Vec3{0.0, 2.0, 0.0} + 4.0 * numbers.vector());
            const Vec3 heading = 0.5 * numbers.vector();
            for (int i = 0; i < 40; ++i) {
                const Vec3 move = heading + 0.25 * numbers.vector() - Vec3{0.0, 0.25, 0.0};
                const MoveResult<Real> r = move_and_slide(level, shape, at, real<Real>(move));
                add_move(hash, r);
                at = r.position;
            }
        }
    }
    return hash.value();
}

template <class Real>
std::uint64_t hash_of_published_movers() {
    Hash hash;
    const Level<Real> level = make_level<Real>();
    Numbers numbers(43);
    for (const MoverKind kind :
         {MoverKind::Linahan, MoverKind::LinahanTwoParameters, MoverKind::Fauerby}) {
        const Shape<Real> shape = shapes<Real>()[0];
        Vec<Real> at = real<Real>({1.0, 2.0, 1.0});
        for (int i = 0; i < 150; ++i) {
            const Vec3 move = 0.5 * numbers.vector() - Vec3{0.0, 0.25, 0.0};
            const MoveResult<Real> r = move_and_slide_by(kind, level, shape, at, real<Real>(move));
            add_move(hash, r);
            at = r.position;
        }
    }
    return hash.value();
}

template <class Real>
std::uint64_t hash_of_controller() {
    Hash hash;
    const Level<Real> level = make_level<Real>();
    Numbers numbers(44);
    StairOptions<Real> stairs;
    stairs.height = Real(0.375);
    SnapOptions<Real> snap;
    snap.distance = Real(0.5);
    for (const Shape<Real>& shape : shapes<Real>()) {
        Vec<Real> at = real<Real>({-6.5, 1.5, -1.5});
        for (int i = 0; i < 60; ++i) {
            const Vec3 move = Vec3{0.1875, -0.0625, 0.0} + 0.125 * numbers.vector();
            const StairResult<Real> r = move_and_climb(level, shape, at, real<Real>(move), stairs);
            hash.add(r.action);
            hash.add(r.climbed);
            hash.add(r.steep_count);
            add_move(hash, r.moved);
            const SnapResult<Real> s = snap_to_ground(level, shape, r.moved.position, snap);
            hash.add(s.action);
            hash.add(s.position);
            hash.add(s.dropped);
            at = s.position;
        }
    }
    return hash.value();
}

template <class Real>
std::uint64_t hash_of_sweeps() {
    Hash hash;
    const Level<Real> level = make_level<Real>();
    Numbers numbers(45);
    for (const Shape<Real>& shape : shapes<Real>()) {
        for (int i = 0; i < 100; ++i) {
            SweepQuery<Real> query;
            query.start = real<Real>(Vec3{0.0, 2.5, 0.0} + 5.0 * numbers.vector());
            query.displacement = real<Real>(6.0 * numbers.vector());
            query.margin = Real(0x1p-6);
            const SweepResult<Real> r = first_contact(level, shape, query);
            hash.add(r.verdict);
            hash.add(r.met_at_start);
            hash.add(r.toi_lower);
            add_contact(hash, r.contact);
            const GapResult<Real> gap = smallest_gap(level, shape, query.start, Real(2));
            hash.add(gap.found);
            hash.add(gap.gap_lower);
            if (gap.found) add_contact(hash, gap.contact);
            hash.add(overlap_at(level, shape, query.start));
            const SweepResult<Real> ray = cast_ray(level, query.start, query.displacement);
            hash.add(ray.verdict);
            hash.add(ray.toi_lower);
        }
    }
    return hash.value();
}

// A character among parts that move and rotate.
template <class Real>
std::uint64_t hash_of_characters() {
    Hash hash;
    Numbers numbers(46);
    World<Real> world;
    const Triangles<Real> ground = landscape<Real>();
    Triangles<Real> block;
    block.add_box({-0.75, -0.25, -0.75}, {0.75, 0.25, 0.75});
    const auto ground_mesh = world.add_mesh(ground.positions, ground.faces);
    const auto block_mesh = world.add_mesh(block.positions, block.faces);
    if (!ground_mesh || !block_mesh || !world.add_part(*ground_mesh)) return hash.value();
    std::vector<std::uint32_t> parts;
    for (int i = 0; i < 24; ++i) {
        const Pose pose{rotation_about({0.0, 1.0, 0.0}, numbers.number()),
                        Vec3{0.0, 0.25, 0.0} + 5.0 * numbers.vector()};
        if (const auto part = world.add_part(*block_mesh, pose)) parts.push_back(*part);
    }
    std::vector<Character<Real>> characters;
    for (int i = 0; i < 4; ++i)
        characters.emplace_back(Capsule<Real>{Real(0.375), Real(1.75)},
                                real<Real>(Vec3{0.0, 3.0, 0.0} + 4.0 * numbers.vector()));
    for (int frame = 0; frame < 30; ++frame) {
        for (const std::uint32_t part : parts) {
            Pose pose = world.pose(part);
            const Vec3 axis = Vec3{0.0, 1.0, 0.0} + 0.25 * numbers.vector();
            pose = compose(
                {rotation_about(axis, 0.25 * numbers.number()), 0.125 * numbers.vector()}, pose);
            static_cast<void>(world.move_part(part, pose));
        }
        world.update();
        for (Character<Real>& one : characters) {
            const Vec3 move = 0.25 * numbers.vector() - Vec3{0.0, 0.125, 0.0};
            const CharacterFrame<Real> f = one.move(world, real<Real>(move));
            hash.add(f.feet);
            hash.add(f.gap_proved);
            hash.add(f.on_ground);
            hash.add(f.climbed);
            hash.add(f.ride.outcome);
            hash.add(f.ride.position);
            hash.add(f.ride.time);
            hash.add(f.ride.overlap);
            add_move(hash, f.walk.moved);
        }
    }
    return hash.value();
}

template <class Real>
void add_parts_of(std::vector<Part>& parts, const std::string& name) {
    parts.push_back({"slide.mover." + name, hash_of_moves<Real>});
    parts.push_back({"slide.published-movers." + name, hash_of_published_movers<Real>});
    parts.push_back({"slide.controller." + name, hash_of_controller<Real>});
    parts.push_back({"slide.sweeps." + name, hash_of_sweeps<Real>});
    parts.push_back({"slide.world-and-character." + name, hash_of_characters<Real>});
}

}  // namespace

void add_slide_parts(std::vector<Part>& parts) {
    add_parts_of<float>(parts, "float");
    add_parts_of<double>(parts, "double");
}

}  // namespace graze::platforms

// Each bound under the sweeps against rationals: sums along a direction, zeros of lines, the cheap
// tests, the frame.
// Defends G-SLIDE-1, G-SLIDE-2 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <cmath>

#include "graze/verify/exact_segment.hpp"
#include "slide/list_sweep.hpp"
#include "slide/some_levels.hpp"

namespace graze::slide {
namespace {

using test::Exact;
using test::Random;
using test::operator-;

Exact exact(const Vec3& v) {
    return {mpq_class(v.x), mpq_class(v.y), mpq_class(v.z)};
}

Vec3 wild(Random& random, double bits) {
    const auto one = [&] {
        return random.between(-1.0, 1.0) * std::exp2(random.between(-bits, bits));
    };
    return {one(), one(), one()};
}

struct Setting {
    Frame frame;
    std::array<Vec3, 3> corners;  // true
    Vec3 from;
    Vec3 to;
    NearList list;
    Path path;

    // In exact local coordinates: true differences over exact radii, for ellipsoids; times a power
    // of two, for spheres.
    [[nodiscard]] Exact local(const Vec3& p) const {
        const Exact way = exact(p) - exact(frame.origin);
        const bool sphere = frame.radii.x == frame.radii.y && frame.radii.y == frame.radii.z;
        if (!sphere) return test::divided(way, exact(frame.radii));
        const mpq_class scale(frame.scale.x);
        return {way[0] * scale, way[1] * scale, way[2] * scale};
    }
    [[nodiscard]] test::ExactTriangle triangle() const {
        return {local(corners[0]), local(corners[1]), local(corners[2])};
    }
    [[nodiscard]] Exact place(const mpq_class& s) const {
        return test::at(local(from), s, local(to) - local(from));
    }
};

void set(Setting& setting, Random& random) {
    const double scale = std::exp2(random.between(-40.0, 40.0));
    const double offset = random.below(2) == 0 ? 0.0 : std::exp2(random.between(0.0, 20.0));
    const Vec3 radii = random.below(2) == 0
                           ? Vec3{scale, scale, scale}
                           : scale * Vec3{random.between(0.3, 1.0), random.between(0.3, 1.0), 1.0};
    const Vec3 base = offset * scale * random.in_cube(1.0);
    const auto near_base = [&] { return base + scale * wild(random, 6.0); };
    setting.frame = frame_of(radii, near_base());
    for (Vec3& corner : setting.corners)
        corner = near_base();
    setting.from = near_base();
    setting.to = near_base();
    setting.path = path_between(setting.frame, setting.from, setting.to);
    setting.list.count = 0;
    add_near(setting.list,
             {setting.frame.local(setting.corners[0]), setting.frame.local(setting.corners[1]),
              setting.frame.local(setting.corners[2])},
             {});
}

// w . (place(s) - corner), the least of the three.
mpq_class exact_reach(const Setting& setting, const Vec3& w, const mpq_class& s) {
    const Exact place = setting.place(s);
    mpq_class least;
    for (std::size_t k = 0; k < 3; ++k) {
        const mpq_class reach = test::dot(exact(w), place - setting.local(setting.corners[k]));
        least = k == 0 ? reach : std::min(least, reach);
    }
    return least;
}

// Nearly perpendicular to a difference that the sums are about: they cancel.
Vec3 some_direction(const Setting& setting, Random& random) {
    const Vec3 w = wild(random, 3.0);
    if (random.below(3) == 0) return w;
    const Vec3 way = setting.path.from - setting.list.triangle[0].vertex_at(0);
    return w - (dot(w, way) / norm_sq(way)) * way;
}

TEST(SweepBounds, LinesLieBelowTheExactSums) {
    Random random{std::mt19937_64(1)};
    Setting setting;
    double tightest = 1e300;
    for (int i = 0; i < 4000; ++i) {
        set(setting, random);
        const Vec3 w = some_direction(setting, random);
        const double radius = random.below(2) == 0 ? 0.0 : std::exp2(random.between(-30.0, 10.0));
        const NearTriangle& t = setting.list.triangle[0];
        const SlackLine line = slack_line(t, w, setting.path, radius);
        for (const double s : {0.0, random.between(0.0, 1.0), 1.0}) {
            const mpq_class claimed =
                mpq_class(line.at_from) + mpq_class(s) * mpq_class(line.slope);
            const mpq_class left = exact_reach(setting, w, mpq_class(s)) - claimed;
            // left >= radius |w|
            ASSERT_GE(left, 0);
            const mpq_class needed =
                mpq_class(radius) * mpq_class(radius) * test::dot(exact(w), exact(w));
            ASSERT_GE(left * left, needed);
            ASSERT_GE(mpq_class(line.length) * mpq_class(line.length),
                      test::dot(exact(w), exact(w)));
            if (radius > 0.0) continue;
            const double size = norm_one(w) * (norm_max(t.largest()) + norm_max(setting.path.from) +
                                               norm_max(setting.path.to));
            tightest = std::min(tightest, left.get_d() / size);
        }
    }
    // Not so wide that nothing is proved.
    EXPECT_LE(tightest, 0x1p-49);
}

TEST(SweepBounds, ValuesAndZerosOfLinesAreNotTooLarge) {
    Random random{std::mt19937_64(2)};
    for (int i = 0; i < 20000; ++i) {
        const double bits = random.below(4) == 0 ? 1060.0 : 40.0;
        const SlackLine line{random.between(0.0, 1.0) * std::exp2(random.between(-bits, 40.0)),
                             -random.between(0.0, 1.0) * std::exp2(random.between(-bits, 40.0)),
                             1.0};
        if (!(line.slope < 0.0)) continue;
        const double zero = zero_lower(line);
        if (zero <= 1e300) {
            ASSERT_GE(mpq_class(line.at_from) + mpq_class(zero) * mpq_class(line.slope), 0);
        }
        // Where terms underflow, what slack_line() left over counts for more.
        if (bits > 40.0) continue;
        const double s = std::min(1.0, zero * random.between(0.9, 1.1));
        ASSERT_LE(mpq_class(value_lower(line, s)),
                  mpq_class(line.at_from) + mpq_class(s) * mpq_class(line.slope));
    }
}

// A way over the face, or along an axis from the triangle: where the cheap tests tell.
void put_way_over_triangle(Setting& setting, Random& random) {
    const NearTriangle& t = setting.list.triangle[0];
    const bool over_face = random.below(2) == 0;
    const Vec3 off = over_face ? t.normal_vector() : Vec3{1.0, 0.0, 0.0};
    for (Vec3* end : {&setting.from, &setting.to}) {
        const double a = random.between(0.1, 0.4);
        const double b = random.between(0.1, 0.4);
        const Vec3 on = a * t.vertex_at(0) + b * t.vertex_at(1) + (1.0 - a - b) * t.vertex_at(2);
        Vec3 place = over_face ? on : t.vertex_at(0);
        if (!over_face) place.x = t.upper(0);
        *end = setting.frame.true_point(place + random.between(1.0, 2.0) * off);
    }
    setting.path = path_between(setting.frame, setting.from, setting.to);
}

TEST(SweepBounds, WhatTheCheapTestsDropIsClear) {
    Random random{std::mt19937_64(3)};
    Setting setting;
    int dropped = 0;
    for (int i = 0; i < 1500; ++i) {
        set(setting, random);
        put_way_over_triangle(setting, random);
        const double begin = random.below(2) == 0 ? 0.0 : random.between(0.0, 1.0);
        const double end = random.below(2) == 0 ? 1.0 : random.between(begin, 1.0);
        const test::ExactTriangle triangle = setting.triangle();
        const mpq_class distance_sq = test::segment_triangle_sq(
            setting.place(mpq_class(begin)), setting.place(mpq_class(end)), triangle);
        // As near to the true distance as can be.
        const double around = std::sqrt(distance_sq.get_d());
        const double radius =
            around * (1.0 - random.between(-0.1, 1.0) * std::exp2(random.between(-52.0, -38.0)));
        const Probe probe = probe_of(setting.path, radius, begin, end);
        if (may_meet(setting.list.triangle[0], probe)) continue;
        ++dropped;
        ASSERT_GE(distance_sq, mpq_class(radius) * mpq_class(radius));
    }
    EXPECT_GT(dropped, 300);
}

// A box that is as far as its triangle: the point is off a vertex along an axis, or over the face.
TEST(SweepBounds, WhatTheCheapTestsOfAPointDropIsClear) {
    Random random{std::mt19937_64(4)};
    Setting setting;
    int beyond = 0;
    int separated = 0;
    for (int i = 0; i < 1500; ++i) {
        set(setting, random);
        put_way_over_triangle(setting, random);
        const Exact point = setting.place(mpq_class(0));
        const mpq_class distance_sq = test::segment_triangle_sq(point, point, setting.triangle());
        const double around = std::sqrt(distance_sq.get_d());
        const double radius =
            around * (1.0 - random.between(-0.1, 1.0) * std::exp2(random.between(-52.0, -38.0)));
        const PointProbe probe = point_probe_of(setting.path.from, radius);
        const NearTriangle& t = setting.list.triangle[0];
        const bool is_beyond = is_box_beyond(t, probe);
        const bool is_separated = are_separated_by_plane(t, probe);
        if (!is_beyond && !is_separated) continue;
        beyond += is_beyond ? 1 : 0;
        separated += is_separated ? 1 : 0;
        ASSERT_GE(distance_sq, mpq_class(radius) * mpq_class(radius));
    }
    EXPECT_GT(beyond, 50);
    EXPECT_GT(separated, 200);
}

// A way between two given points, from anywhere in the frame.
TEST(SweepBounds, WaysBetweenPointsAreClearWhereItIsSaid) {
    Random random{std::mt19937_64(7)};
    Setting setting;
    int clear = 0;
    int hits = 0;
    for (int i = 0; i < 1000; ++i) {
        set(setting, random);
        const test::ExactTriangle triangle = setting.triangle();
        const Exact from = setting.place(mpq_class(0));
        const mpq_class distance_sq =
            test::segment_triangle_sq(from, setting.place(mpq_class(1)), triangle);
        const double around = std::sqrt(distance_sq.get_d());
        if (!(around > 0x1p-10)) continue;
        // Near the true distance, on either side, or well within it.
        const double off = random.below(2) == 0 ? std::exp2(random.between(-52.0, -1.0)) : 0x1p-20;
        const double radius = around * (1.0 - off * (random.below(2) == 0 ? 1.0 : -1.0));
        const mpq_class wanted = mpq_class(radius) * mpq_class(radius);
        const bool said = clear_of_list(setting.list, setting.path, radius);
        if (said) {
            ASSERT_GE(distance_sq, wanted);
        }
        if (off == 0x1p-20 && radius < around) {
            EXPECT_TRUE(said);
        }
        const ListHit found = sweep_list(setting.list, setting.path, radius);
        if (found.met_at_start) continue;
        const Exact to = setting.place(mpq_class(found.hit ? found.time : 1.0));
        ASSERT_GE(test::segment_triangle_sq(from, to, triangle), wanted);
        clear += said ? 1 : 0;
        hits += found.hit ? 1 : 0;
    }
    EXPECT_GT(clear, 200);
    EXPECT_GT(hits, 50);
}

TEST(SweepBounds, ProvedDistancesAreTrueAndNear) {
    Random random{std::mt19937_64(4)};
    Setting setting;
    for (int i = 0; i < 3000; ++i) {
        set(setting, random);
        const ListDistance found = distance_in_list(setting.list, 0, setting.path.from);
        const mpq_class distance_sq =
            test::point_triangle_sq(setting.place(mpq_class(0)), setting.triangle());
        ASSERT_GE(distance_sq, mpq_class(found.lower) * mpq_class(found.lower));
        const double size =
            norm_max(setting.list.triangle[0].largest()) + norm_max(setting.path.from) + 1.0;
        EXPECT_NEAR(found.lower, std::sqrt(distance_sq.get_d()), 0x1p-42 * size);
    }
}

TEST(SweepBounds, NormalsAreAtMostOneUnitLong) {
    Random random{std::mt19937_64(5)};
    Setting setting;
    for (int i = 0; i < 5000; ++i) {
        set(setting, random);
        const Exact n = exact(setting.list.triangle[0].normal_vector());
        ASSERT_LE(test::dot(n, n), 1);
    }
}

TEST(SweepBounds, TheGrownRadiusIsNotTooSmall) {
    Random random{std::mt19937_64(6)};
    for (int i = 0; i < 3000; ++i) {
        const double scale = std::exp2(random.between(-300.0, 300.0));
        const bool sphere = random.below(2) == 0;
        const Vec3 radii =
            sphere ? Vec3{scale, scale, scale} : scale * Vec3{random.between(0.1, 1.0), 1.0, 1.0};
        const double margin = scale * std::exp2(random.between(-60.0, 3.0));
        const Frame frame = frame_of(radii, {});
        const mpq_class smallest(frame.smallest_radius);
        const mpq_class factor = 1 + mpq_class(margin) / smallest;
        const mpq_class ball = sphere ? smallest * mpq_class(frame.scale.x) : mpq_class(1);
        ASSERT_GE(mpq_class(frame.radius_with(margin)), ball * factor);
    }
}

}  // namespace
}  // namespace graze::slide

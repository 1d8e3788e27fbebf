// Worlds and characters of the C interface: the bits of the library, and what is refused.
// Defends G-CAPI-2, G-CAPI-3 (docs/GUARANTEES.md).
#include <graze.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "graze/slide.hpp"

namespace graze::capi_world_test {
namespace {

using slide::widened;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

graze_pose to_c(const Pose& pose) {
    const auto& q = pose.rotation;
    const Vec3& t = pose.translation;
    return {{q.w, q.x, q.y, q.z}, {t.x, t.y, t.z}};
}

template <class Real>
Vec<Real> vec_of(const double (&v)[3]) {
    return slide::narrowed<Real>(Vec3{v[0], v[1], v[2]});
}

template <class Real>
void expect_same(const graze_touch& given, const slide::SweepContact<Real>& own) {
    EXPECT_EQ(given.part, own.part);
    EXPECT_EQ(given.face, own.face);
    EXPECT_EQ(given.tag, own.tag);
    EXPECT_EQ(given.feature, static_cast<int>(own.feature));
    EXPECT_EQ((Vec3{given.point[0], given.point[1], given.point[2]}), widened(own.point));
    EXPECT_EQ((Vec3{given.normal[0], given.normal[1], given.normal[2]}), widened(own.normal));
}

// The same world twice: by the C interface, and by the library. Ground of a height field with a hole, a
// sphere, a capsule, a crate, and a floor that is a lift.
template <class Real>
class TwoWorlds {
public:
    static constexpr graze_scalar kScalar =
        std::is_same_v<Real, float> ? GRAZE_FLOAT32 : GRAZE_FLOAT64;
    static constexpr std::uint32_t kAll = 0xffff'ffffU;

    TwoWorlds() {
        EXPECT_EQ(graze_world_create(kScalar, &world), GRAZE_OK);
        add_ground();
        const graze_face_marks tagged{7, 1, 0};
        std::uint32_t mesh = 0;
        EXPECT_EQ(graze_world_add_sphere(world, 0.5, &tagged, &mesh), GRAZE_OK);
        add_part(mesh, own.add_sphere(Real(0.5), {7, 1, false}).value(), {{}, {4, 0.5, 6}});
        EXPECT_EQ(graze_world_add_capsule(world, 0.25, 0.75, nullptr, &mesh), GRAZE_OK);
        add_part(mesh, own.add_capsule(Real(0.25), Real(0.75)).value(),
                 {rotation_about({1, 0, 0}, 0.3), {6, 1, 9}});
        const double half[3] = {0.5, 0.75, 0.5};
        EXPECT_EQ(graze_world_add_box(world, half, nullptr, &mesh), GRAZE_OK);
        add_part(mesh, own.add_box({Real(0.5), Real(0.75), Real(0.5)}).value(),
                 {rotation_about({0, 1, 0}, 0.5), {9, 0.75, 3}});
        add_lift();
        update();
    }
    ~TwoWorlds() { EXPECT_EQ(graze_world_destroy(world), GRAZE_OK); }
    TwoWorlds(const TwoWorlds&) = delete;
    TwoWorlds& operator=(const TwoWorlds&) = delete;

    void update() {
        EXPECT_EQ(graze_world_update(world), GRAZE_OK);
        own.update();
    }
    void move_lift(const Pose& pose, const Vec3& pivot) {
        const graze_pose to = to_c(pose);
        const double about[3] = {pivot.x, pivot.y, pivot.z};
        EXPECT_EQ(graze_world_move_part(world, lift, &to, about), GRAZE_OK);
        EXPECT_TRUE(own.move_part(lift, pose, pivot));
        update();
    }

    graze_world world{};
    slide::World<Real> own;
    std::uint32_t lift = 0;

private:
    std::uint32_t add_part(std::uint32_t mesh, std::uint32_t own_mesh, const Pose& pose) {
        const graze_pose at = to_c(pose);
        std::uint32_t part = 0;
        EXPECT_EQ(graze_world_add_part(world, mesh, &at, kAll, &part), GRAZE_OK);
        EXPECT_EQ(own.add_part(own_mesh, pose).value(), part);
        return part;
    }
    void add_ground() {
        std::vector<float> heights(9 * 7, 0.0F);
        heights[10] = std::numeric_limits<float>::quiet_NaN();
        heights[20] = 0.125F;
        const graze_height_field field{
            9, 7, {2.0, 3.0}, heights.data(), heights.size(), GRAZE_FLOAT32, 0};
        std::uint32_t mesh = 0;
        EXPECT_EQ(graze_world_add_height_field(world, &field, nullptr, 0, &mesh), GRAZE_OK)
            << graze_last_error();
        const std::vector<Real> same(heights.begin(), heights.end());
        const auto own_mesh = own.add_height_field({9, 7, Real(2), Real(3), same});
        add_part(mesh, own_mesh.value(), {});
    }
    void add_lift() {
        const std::array<Vec3, 4> corners{{{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}}};
        const std::vector<std::uint32_t> faces{0, 2, 1, 0, 3, 2};
        const graze_view view{corners.data(), 4, 0, 0, 0, GRAZE_FLOAT64, 0};
        std::uint32_t mesh = 0;
        EXPECT_EQ(graze_world_add_mesh(world, &view, faces.data(), 2, nullptr, 0, &mesh), GRAZE_OK);
        std::vector<Vec<Real>> points;
        for (const Vec3& p : corners)
            points.push_back(slide::narrowed<Real>(p));
        const std::vector<std::array<std::uint32_t, 3>> triangles{{0, 2, 1}, {0, 3, 2}};
        lift = add_part(mesh, own.add_mesh(points, triangles).value(), {{}, {12, 0.5, 12}});
    }
};

template <class Real>
class CInterfaceWorld : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(CInterfaceWorld, Scalars);

TYPED_TEST(CInterfaceWorld, IsAskedWithTheBitsOfTheLibrary) {
    using Real = TypeParam;
    TwoWorlds<Real> both;
    graze_mover mover;
    ASSERT_EQ(graze_mover_init(&mover, sizeof mover), GRAZE_OK);
    const double half[3] = {0.25, 0.5, 0.25};
    ASSERT_EQ(graze_mover_set_box(&mover, both.kScalar, half, 0.125, nullptr), GRAZE_OK);
    const auto shape = slide::rounded_box<Real>({Real(0.25), Real(0.5), Real(0.25)}, Real(0.125));
    int contacts = 0;
    for (int i = 0; i < 40; ++i) {
        const double start[3] = {2.0 + 0.3 * i, 1.5 + 0.05 * (i % 5), 2.0 + 0.25 * i};
        const double by[3] = {2.0 - 0.1 * i, -1.75, 1.0 + 0.05 * i};
        const Vec<Real> from = vec_of<Real>(start);
        const Vec<Real> along = vec_of<Real>(by);

        graze_sweep sweep;
        ASSERT_EQ(graze_world_sweep(both.world, &mover, start, by, 0.0, &sweep), GRAZE_OK);
        const auto swept = slide::first_contact(both.own, shape, {from, along});
        EXPECT_EQ(sweep.verdict, static_cast<int>(swept.verdict));
        EXPECT_EQ(sweep.toi_lower, double{swept.toi_lower});
        if (swept.verdict == Verdict::Contact) expect_same(sweep.touch, swept.contact);
        contacts += swept.verdict == Verdict::Contact;

        ASSERT_EQ(graze_world_ray(both.world, start, by, both.kAll, &sweep), GRAZE_OK);
        const auto ray = slide::cast_ray<Real>(both.own, from, along);
        EXPECT_EQ(sweep.verdict, static_cast<int>(ray.verdict));
        EXPECT_EQ(sweep.toi_lower, double{ray.toi_lower});

        graze_move move;
        ASSERT_EQ(graze_world_slide(both.world, &mover, start, by, &move), GRAZE_OK);
        const auto moved = slide::move_and_slide(both.own, shape, from, along);
        EXPECT_EQ(vec_of<Real>(move.position), moved.position);
        EXPECT_EQ(move.gap_proved != 0, moved.gap_proved);
        ASSERT_EQ(graze_world_climb(both.world, &mover, start, by, &move), GRAZE_OK);
        EXPECT_EQ(vec_of<Real>(move.position),
                  slide::move_and_climb(both.own, shape, from, along, {}).moved.position);

        graze_verdict verdict = 77;
        ASSERT_EQ(graze_world_overlap(both.world, &mover, start, 0.25, &verdict), GRAZE_OK);
        EXPECT_EQ(verdict, static_cast<int>(overlap_at(both.own, shape, from, Real(0.25))));

        std::int32_t found = 0;
        double lower = 0.0;
        graze_touch touch;
        ASSERT_EQ(graze_world_gap(both.world, &mover, start, 2.0, &found, &lower, &touch),
                  GRAZE_OK);
        EXPECT_EQ(lower, slide::smallest_gap(both.own, shape, from, Real(2)).gap_lower);
        ASSERT_EQ(graze_world_nearest(both.world, start, 2.0, both.kAll, &found, &lower, &touch),
                  GRAZE_OK);
        const auto near = slide::nearest_point(both.own, from, Real(2));
        EXPECT_EQ(found != 0, near.found);
        EXPECT_EQ(lower, near.distance_lower);
        if (near.found) expect_same(touch, near.contact);

        graze_snap snap;
        ASSERT_EQ(graze_world_snap(both.world, &mover, start, 3.0, &snap), GRAZE_OK);
        slide::SnapOptions<Real> options;
        options.distance = Real(3);
        EXPECT_EQ(vec_of<Real>(snap.position),
                  slide::snap_to_ground(both.own, shape, from, options).position);
    }
    EXPECT_GE(contacts, 10);
}

TYPED_TEST(CInterfaceWorld, CarriesACharacterAsTheLibraryDoes) {
    using Real = TypeParam;
    TwoWorlds<Real> both;
    const double feet[3] = {12, 0.75, 12};
    graze_character hero;
    ASSERT_EQ(graze_character_create(both.kScalar, 0.4, 1.8, feet, nullptr, &hero), GRAZE_OK);
    slide::Character own{slide::Capsule{static_cast<Real>(0.4), static_cast<Real>(1.8)},
                         vec_of<Real>(feet)};
    int carried = 0;
    int landed = 0;
    for (int i = 1; i <= 40; ++i) {
        const Pose pose{rotation_about({0, 1, 0}, 0.02 * i), {12 + 0.03 * i, 0.5 + 0.01 * i, 12}};
        both.move_lift(pose, {0.5, 0, 0});
        const double by[3] = {0.0, -0.1, i > 30 ? 0.05 : 0.0};
        graze_character_frame frame;
        ASSERT_EQ(graze_character_move(hero, both.world, by, &frame), GRAZE_OK);
        const auto same = own.move(both.own, vec_of<Real>(by));
        EXPECT_EQ(vec_of<Real>(frame.feet), same.feet);
        EXPECT_EQ(frame.gap_proved, 1);
        EXPECT_EQ(frame.on_ground != 0, same.on_ground);
        EXPECT_EQ(frame.ride, static_cast<int>(same.ride.outcome));
        EXPECT_EQ(frame.ride_time, same.ride.time);
        if (frame.on_ground != 0) expect_same(frame.ground, same.ground);
        carried += frame.ride == GRAZE_RIDE_CARRIED;
        landed += frame.landed;
    }
    EXPECT_GE(carried, 20);
    EXPECT_EQ(landed, 1);
    double at[3] = {};
    double centre[3] = {};
    std::int32_t on_ground = 0;
    ASSERT_EQ(graze_character_state(hero, at, centre, &on_ground), GRAZE_OK);
    EXPECT_EQ(vec_of<Real>(at), own.feet());
    EXPECT_EQ(vec_of<Real>(centre), own.centre());
    EXPECT_EQ(on_ground, 1);
    EXPECT_EQ(graze_character_destroy(hero), GRAZE_OK);
}

TYPED_TEST(CInterfaceWorld, RidesWithAnyShape) {
    using Real = TypeParam;
    TwoWorlds<Real> both;
    graze_mover mover;
    ASSERT_EQ(graze_mover_init(&mover, sizeof mover), GRAZE_OK);
    mover.radii[0] = mover.radii[1] = mover.radii[2] = 0.25;
    const slide::Shape<Real> ball{{Real(0.25), Real(0.25), Real(0.25)}};
    const double start[3] = {12, 0.8, 12};
    both.move_lift({{}, {12, 0.9, 12}}, {});
    graze_ride ride;
    ASSERT_EQ(graze_world_ride(both.world, &mover, start, GRAZE_NO_PART, &ride), GRAZE_OK);
    const auto own = slide::ride_parts(both.own, ball, vec_of<Real>(start));
    EXPECT_EQ(ride.outcome, GRAZE_RIDE_PUSHED);
    EXPECT_EQ(ride.time, 1.0);
    EXPECT_EQ(vec_of<Real>(ride.position), own.position);
    EXPECT_EQ(graze_world_ride(both.world, &mover, start, 99, &ride), GRAZE_OUT_OF_RANGE);
    EXPECT_EQ(ride.outcome, GRAZE_RIDE_UNPROVED);
    EXPECT_EQ(ride.overlap, kInfinite);
}

TEST(CInterfaceWorldRide, ProvesNothingFromAStartThatIsNone) {
    graze_world world;
    ASSERT_EQ(graze_world_create(GRAZE_FLOAT64, &world), GRAZE_OK);
    std::uint32_t mesh = 0;
    std::uint32_t part = 0;
    const double half[3] = {1, 1, 1};
    ASSERT_EQ(graze_world_add_box(world, half, nullptr, &mesh), GRAZE_OK);
    const graze_pose here = to_c({});
    ASSERT_EQ(graze_world_add_part(world, mesh, &here, 0xffff'ffffU, &part), GRAZE_OK);
    ASSERT_EQ(graze_world_update(world), GRAZE_OK);
    graze_mover ball;
    ASSERT_EQ(graze_mover_init(&ball, sizeof ball), GRAZE_OK);
    const auto expect_unproved = [&](double x, graze_status expected) {
        const double start[3] = {x, 0, 0};
        graze_ride ride{};
        ride.outcome = GRAZE_RIDE_UNMOVED;
        ride.time = 1.0;
        EXPECT_EQ(graze_world_ride(world, &ball, start, GRAZE_NO_PART, &ride), expected) << x;
        EXPECT_EQ(ride.outcome, GRAZE_RIDE_UNPROVED) << x;
        EXPECT_EQ(ride.time, 0.0) << x;
        EXPECT_GT(ride.overlap, 0.0) << x;
    };
    expect_unproved(0.0, GRAZE_OK);  // inside of a still part, and nothing moves
    expect_unproved(1.5, GRAZE_OK);
    expect_unproved(kNan, GRAZE_NOT_FINITE);
    expect_unproved(kInfinite, GRAZE_NOT_FINITE);
    ball.radii[0] = kNan;
    expect_unproved(9.0, GRAZE_NOT_FINITE);
    EXPECT_EQ(graze_world_destroy(world), GRAZE_OK);
}

TEST(CInterfaceWorldParts, AreRemovedPlacedAndKeptInLayers) {
    graze_world world;
    ASSERT_EQ(graze_world_create(GRAZE_FLOAT64, &world), GRAZE_OK);
    std::uint32_t mesh = 0;
    std::uint32_t part = 0;
    ASSERT_EQ(graze_world_add_sphere(world, 1.0, nullptr, &mesh), GRAZE_OK);
    const graze_pose here = to_c({});
    ASSERT_EQ(graze_world_add_part(world, mesh, &here, 0xffff'ffffU, &part), GRAZE_OK);
    graze_mover ball;
    ASSERT_EQ(graze_mover_init(&ball, sizeof ball), GRAZE_OK);
    const double origin[3] = {};
    const auto verdict = [&] {
        graze_verdict found = 77;
        EXPECT_EQ(graze_world_overlap(world, &ball, origin, 0.0, &found), GRAZE_OK);
        return found;
    };
    EXPECT_EQ(verdict(), GRAZE_CONTACT);
    const graze_pose far = to_c({{}, {9, 0, 0}});
    ASSERT_EQ(graze_world_place_part(world, part, &far), GRAZE_OK);
    EXPECT_EQ(verdict(), GRAZE_CONTACT);  // until the next frame
    ASSERT_EQ(graze_world_update(world), GRAZE_OK);
    EXPECT_EQ(verdict(), GRAZE_SEPARATED);
    graze_pose found{};
    ASSERT_EQ(graze_world_part_pose(world, part, &found), GRAZE_OK);
    EXPECT_EQ(found.translation[0], 9.0);
    ASSERT_EQ(graze_world_place_part(world, part, &here), GRAZE_OK);
    ASSERT_EQ(graze_world_update(world), GRAZE_OK);
    ASSERT_EQ(graze_world_set_layers(world, part, 2), GRAZE_OK);
    EXPECT_EQ(verdict(), GRAZE_SEPARATED);  // its face is in layer 1
    ASSERT_EQ(graze_world_set_layers(world, part, 1), GRAZE_OK);
    EXPECT_EQ(verdict(), GRAZE_CONTACT);
    ASSERT_EQ(graze_world_remove_part(world, part), GRAZE_OK);
    EXPECT_EQ(verdict(), GRAZE_SEPARATED);
    EXPECT_EQ(graze_world_remove_part(world, part), GRAZE_OUT_OF_RANGE);
    std::uint64_t parts = 0;
    EXPECT_EQ(graze_world_counts(world, &parts, nullptr), GRAZE_OK);
    EXPECT_EQ(parts, 1U);  // its number stays
    EXPECT_EQ(graze_world_destroy(world), GRAZE_OK);
    EXPECT_EQ(graze_world_update(world), GRAZE_BAD_HANDLE);
}

TEST(CInterfaceWorldParts, AreRefusedWhereTheyAreNone) {
    graze_world world;
    ASSERT_EQ(graze_world_create(GRAZE_FLOAT32, &world), GRAZE_OK);
    std::uint32_t mesh = 77;
    for (const double length : {0.0, -1.0, 1e-60})
        EXPECT_EQ(graze_world_add_sphere(world, length, nullptr, &mesh), GRAZE_OUT_OF_RANGE);
    for (const double length : {kNan, kInfinite, 1e300})
        EXPECT_EQ(graze_world_add_capsule(world, 1.0, length, nullptr, &mesh), GRAZE_NOT_FINITE);
    const double flat[3] = {1, 0, 1};
    EXPECT_NE(graze_world_add_box(world, flat, nullptr, &mesh), GRAZE_OK);
    EXPECT_EQ(graze_world_add_box(world, nullptr, nullptr, &mesh), GRAZE_NULL_POINTER);
    EXPECT_EQ(graze_world_add_sphere(world, 1.0, nullptr, nullptr), GRAZE_NULL_POINTER);
    EXPECT_EQ(mesh, 0U);

    std::vector<double> heights(6, 0.0);
    graze_height_field field{3, 2, {1.0, 1.0}, heights.data(), 6, GRAZE_FLOAT64, 0};
    const auto add = [&](std::uint64_t marks = 0) {
        const std::vector<graze_face_marks> given(4, graze_face_marks{0, 1, 0});
        return graze_world_add_height_field(world, &field, given.data(), marks, &mesh);
    };
    EXPECT_EQ(add(), GRAZE_OK);
    EXPECT_EQ(add(4), GRAZE_OK);
    EXPECT_EQ(add(3), GRAZE_WRONG_SIZE);
    EXPECT_EQ(graze_world_add_height_field(world, nullptr, nullptr, 0, &mesh), GRAZE_NULL_POINTER);
    field.height_count = 7;
    EXPECT_EQ(add(), GRAZE_WRONG_SIZE);
    field.height_count = 6;
    field.spacing[1] = 0.0;
    EXPECT_NE(add(), GRAZE_OK);
    field.spacing[1] = 1.0;
    field.scalar = 5;
    EXPECT_EQ(add(), GRAZE_OUT_OF_RANGE);
    field.scalar = GRAZE_FLOAT64;
    heights[4] = 1e300;
    EXPECT_EQ(add(), GRAZE_NOT_FINITE);
    EXPECT_EQ(graze_last_error_index(), 4);
    heights.assign(6, kNan);
    EXPECT_NE(add(), GRAZE_OK);  // nothing but holes

    std::uint32_t part = 0;
    const graze_pose here = to_c({});
    graze_pose odd = here;
    odd.rotation[0] = 2.0;
    EXPECT_EQ(graze_world_add_part(world, 99, &here, 1, &part), GRAZE_OUT_OF_RANGE);
    EXPECT_NE(graze_world_add_part(world, 0, &odd, 1, &part), GRAZE_OK);
    EXPECT_EQ(graze_world_add_part(world, 0, nullptr, 1, &part), GRAZE_NULL_POINTER);
    EXPECT_EQ(graze_world_move_part(world, 0, &here, nullptr), GRAZE_OUT_OF_RANGE);
    graze_level level{world.id};
    EXPECT_EQ(graze_level_counts(level, nullptr, nullptr), GRAZE_BAD_HANDLE);
    EXPECT_EQ(graze_world_destroy(world), GRAZE_OK);
}

TEST(CInterfaceCharacter, CrouchesAndGetsUpOnlyWhereThereIsRoom) {
    graze_world world;
    ASSERT_EQ(graze_world_create(GRAZE_FLOAT32, &world), GRAZE_OK);
    std::uint32_t mesh = 0;
    std::uint32_t part = 0;
    const double half[3] = {5, 0.5, 5};
    ASSERT_EQ(graze_world_add_box(world, half, nullptr, &mesh), GRAZE_OK);
    for (const double y : {-0.5, 1.9}) {  // a floor, and a ceiling 1.4 above it
        const graze_pose at = to_c({{}, {0, y, 0}});
        ASSERT_EQ(graze_world_add_part(world, mesh, &at, 0xffff'ffffU, &part), GRAZE_OK);
    }
    ASSERT_EQ(graze_world_update(world), GRAZE_OK);
    const double feet[3] = {0, 0.05, 0};
    graze_character hero;
    ASSERT_EQ(graze_character_create(GRAZE_FLOAT32, 0.3, 1.0, feet, nullptr, &hero), GRAZE_OK);
    const double down[3] = {0, -0.1, 0};
    graze_character_frame frame;
    ASSERT_EQ(graze_character_move(hero, world, down, &frame), GRAZE_OK);
    EXPECT_EQ(frame.landed, 1);
    std::int32_t changed = 7;
    ASSERT_EQ(graze_character_change_body(hero, world, 0.3, 1.8, &changed), GRAZE_OK);
    EXPECT_EQ(changed, 0);
    ASSERT_EQ(graze_character_change_body(hero, world, 0.3, 1.3, &changed), GRAZE_OK);
    EXPECT_EQ(changed, 1);
    EXPECT_EQ(graze_character_change_body(hero, world, kNan, 1.3, &changed), GRAZE_NOT_FINITE);
    EXPECT_EQ(changed, 0);
    const double outside[3] = {0, 9, 0};
    ASSERT_EQ(graze_character_teleport(hero, outside), GRAZE_OK);
    ASSERT_EQ(graze_character_change_body(hero, world, 0.3, 1.8, &changed), GRAZE_OK);
    EXPECT_EQ(changed, 1);
    EXPECT_EQ(graze_character_destroy(hero), GRAZE_OK);
    EXPECT_EQ(graze_world_destroy(world), GRAZE_OK);
}

// Of the lift of one world nothing is left in another, though the numbers of parts and frames agree.
TEST(CInterfaceCharacter, IsNotCarriedByThePartsOfAWorldThatItCameFrom) {
    TwoWorlds<double> first;
    TwoWorlds<double> second;
    const double feet[3] = {12, 0.55, 12};
    graze_character hero;
    ASSERT_EQ(graze_character_create(GRAZE_FLOAT64, 0.4, 1.8, feet, nullptr, &hero), GRAZE_OK);
    const double down[3] = {0, -0.1, 0};
    graze_character_frame frame;
    ASSERT_EQ(graze_character_move(hero, first.world, down, &frame), GRAZE_OK);
    EXPECT_EQ(frame.on_ground, 1);
    second.move_lift({{}, {13, 0.5, 12}}, {});
    ASSERT_EQ(graze_character_move(hero, second.world, down, &frame), GRAZE_OK);
    EXPECT_NE(frame.ride, GRAZE_RIDE_CARRIED);
    EXPECT_EQ(frame.feet[0], 12.0);
    EXPECT_EQ(graze_character_destroy(hero), GRAZE_OK);
}

TEST(CInterfaceCharacter, RefusesOptionsBodiesAndWorldsThatDoNotGoWithIt) {
    const double feet[3] = {};
    graze_character hero{77};
    EXPECT_EQ(graze_character_create(GRAZE_FLOAT64, 0.0, 1.8, feet, nullptr, &hero),
              GRAZE_OUT_OF_RANGE);
    EXPECT_EQ(hero.id, 0U);
    EXPECT_EQ(graze_character_create(GRAZE_FLOAT64, 0.4, 1e305, feet, nullptr, &hero),
              GRAZE_OUT_OF_RANGE);
    EXPECT_EQ(graze_character_create(2, 0.4, 1.8, feet, nullptr, &hero), GRAZE_OUT_OF_RANGE);
    EXPECT_EQ(graze_character_create(GRAZE_FLOAT64, 0.4, 1.8, nullptr, nullptr, &hero),
              GRAZE_NULL_POINTER);
    graze_character_options options;
    EXPECT_EQ(graze_character_options_init(&options, 72), GRAZE_WRONG_SIZE);
    ASSERT_EQ(graze_character_options_init(&options, sizeof options), GRAZE_OK);
    const auto create = [&] {
        return graze_character_create(GRAZE_FLOAT64, 0.4, 1.8, feet, &options, &hero);
    };
    options.step_height = -1.0;
    EXPECT_EQ(create(), GRAZE_INVALID_OPTION);
    options.step_height = 0.3;
    options.up[1] = 0.0;
    EXPECT_EQ(create(), GRAZE_INVALID_OPTION);
    options.up[1] = 2.0;
    options.skin = kNan;
    EXPECT_EQ(create(), GRAZE_NOT_FINITE);
    options.skin = 0.0;
    options.reserved = 1;
    EXPECT_EQ(create(), GRAZE_INVALID_OPTION);
    options.reserved = 0;
    ASSERT_EQ(create(), GRAZE_OK);

    graze_world world;
    ASSERT_EQ(graze_world_create(GRAZE_FLOAT32, &world), GRAZE_OK);
    graze_character_frame frame;
    EXPECT_EQ(graze_character_move(hero, world, feet, &frame), GRAZE_INVALID_INPUT);
    EXPECT_EQ(frame.gap_proved, 0);
    EXPECT_EQ(frame.ride, GRAZE_RIDE_UNPROVED);
    EXPECT_EQ(graze_world_destroy(world), GRAZE_OK);
    EXPECT_EQ(graze_character_move(hero, world, feet, &frame), GRAZE_BAD_HANDLE);
    EXPECT_EQ(graze_character_destroy(hero), GRAZE_OK);
    EXPECT_EQ(graze_character_teleport(hero, feet), GRAZE_BAD_HANDLE);
}

TEST(CInterfaceLevelQueries, FindOverlapsRaysAndNearestPoints) {
    const std::array<Vec3, 4> corners{{{-9, 0, -9}, {9, 0, -9}, {9, 0, 9}, {-9, 0, 9}}};
    const std::vector<std::uint32_t> faces{0, 2, 1, 0, 3, 2};
    const graze_view view{corners.data(), 4, 0, 0, 0, GRAZE_FLOAT64, 0};
    graze_level level;
    std::uint32_t part = 0;
    ASSERT_EQ(graze_level_create(GRAZE_FLOAT64, &level), GRAZE_OK);
    ASSERT_EQ(graze_level_add_part(level, &view, faces.data(), 2, nullptr, 0, &part), GRAZE_OK);
    graze_mover ball;
    ASSERT_EQ(graze_mover_init(&ball, sizeof ball), GRAZE_OK);
    const double over[3] = {1, 1.5, 1};
    const double down[3] = {0, -3, 0};
    const double nowhere[3] = {};
    graze_verdict verdict = 77;
    ASSERT_EQ(graze_level_overlap(level, &ball, over, 0.25, &verdict), GRAZE_OK);
    EXPECT_EQ(verdict, GRAZE_SEPARATED);
    ASSERT_EQ(graze_level_overlap(level, &ball, over, 0.75, &verdict), GRAZE_OK);
    EXPECT_EQ(verdict, GRAZE_CONTACT);
    EXPECT_EQ(graze_level_overlap(level, &ball, over, -1.0, &verdict), GRAZE_OUT_OF_RANGE);
    EXPECT_EQ(verdict, GRAZE_UNRESOLVED);
    graze_sweep ray;
    ASSERT_EQ(graze_level_ray(level, over, down, 1, &ray), GRAZE_OK);
    EXPECT_EQ(ray.verdict, GRAZE_CONTACT);
    EXPECT_NEAR(ray.toi_lower, 0.5, 1e-5);
    EXPECT_LE(ray.toi_lower, 0.5);
    ASSERT_EQ(graze_level_ray(level, over, down, 2, &ray), GRAZE_OK);
    EXPECT_EQ(ray.verdict, GRAZE_SEPARATED);
    ASSERT_EQ(graze_level_ray(level, over, nowhere, 1, &ray), GRAZE_OK);
    EXPECT_EQ(ray.verdict, GRAZE_UNRESOLVED);
    std::int32_t found = 0;
    double lower = 7.0;
    graze_touch touch;
    ASSERT_EQ(graze_level_nearest(level, over, 2.0, 1, &found, &lower, &touch), GRAZE_OK);
    EXPECT_EQ(found, 1);
    EXPECT_NEAR(lower, 1.5, 1e-12);
    EXPECT_LE(lower, 1.5);
    ASSERT_EQ(graze_level_nearest(level, over, 1.0, 1, &found, &lower, nullptr), GRAZE_OK);
    EXPECT_EQ(found, 0);
    EXPECT_EQ(graze_level_nearest(level, over, 0.0, 1, &found, &lower, nullptr),
              GRAZE_OUT_OF_RANGE);
    EXPECT_EQ(lower, 0.0);
    EXPECT_EQ(graze_level_destroy(level), GRAZE_OK);
}

}  // namespace
}  // namespace graze::capi_world_test

/* A character of 1.8 walks onto a platform, rides it over a gap, and crouches to get below a capsule. */
#include <graze.h>
#include <stdio.h>

#define ALL 0xffffffffu

static int fail(const char* what) {
    fprintf(stderr, "%s: %s\n", what, graze_last_error());
    return 1;
}

static graze_pose at(double x, double y, double z) {
    const graze_pose pose = {{1, 0, 0, 0}, {x, y, z}};
    return pose;
}

/* A solid box whose top is at y = 0. */
static graze_status add_block(graze_world world, double half_length, double x, uint32_t* part) {
    const double half[3] = {half_length, 0.5, 3};
    const graze_pose pose = at(x, -0.5, 0);
    uint32_t mesh = 0;
    const graze_status status = graze_world_add_box(world, half, NULL, &mesh);
    return status != GRAZE_OK ? status : graze_world_add_part(world, mesh, &pose, ALL, part);
}

/* A rod across the way, 1.4 above the ground at its lowest. */
static graze_status add_rod(graze_world world, double x) {
    const graze_pose lying = {{0.7071067811865476, 0.7071067811865476, 0, 0}, {x, 1.6, 0}};
    uint32_t mesh = 0;
    uint32_t part = 0;
    const graze_status status = graze_world_add_capsule(world, 0.2, 3, NULL, &mesh);
    return status != GRAZE_OK ? status : graze_world_add_part(world, mesh, &lying, ALL, &part);
}

int main(void) {
    graze_world world;
    uint32_t part = 0;
    uint32_t ferry = 0;
    if (graze_world_create(GRAZE_FLOAT32, &world) != GRAZE_OK) return fail("create");
    if (add_block(world, 4, -4, &part) != GRAZE_OK || add_block(world, 4, 10, &part) != GRAZE_OK ||
        add_block(world, 1, 1, &ferry) != GRAZE_OK || add_rod(world, 9) != GRAZE_OK ||
        graze_world_update(world) != GRAZE_OK)
        return fail("world");

    const double spawn[3] = {-2, 0.1, 0};
    graze_character hero;
    if (graze_character_create(GRAZE_FLOAT32, 0.4, 1.8, spawn, NULL, &hero) != GRAZE_OK)
        return fail("character");
    graze_character_frame frame;
    int carried = 0;
    double ferry_x = 1;
    for (int i = 0; i < 400; ++i) {
        if (i >= 100 && ferry_x < 5) {
            const graze_pose pose = at(ferry_x += 0.04, -0.5, 0);
            if (graze_world_move_part(world, ferry, &pose, NULL) != GRAZE_OK) return fail("move");
        }
        if (graze_world_update(world) != GRAZE_OK) return fail("update");
        const int rides = i >= 90 && i < 210;
        const double step[3] = {rides ? 0 : 0.033, -0.05, 0};
        if (graze_character_move(hero, world, step, &frame) != GRAZE_OK) return fail("walk");
        if (!frame.gap_proved) return fail("proof");
        carried += frame.ride == GRAZE_RIDE_CARRIED;
        int32_t changed = 0;
        if (i == 230 && graze_character_change_body(hero, world, 0.4, 1.2, &changed) != GRAZE_OK)
            return fail("crouch");
    }
    printf("at (%.2f, %.2f, %.2f), carried for %d frames, on part %u\n", frame.feet[0],
           frame.feet[1], frame.feet[2], carried, (unsigned)frame.ground.part);
    graze_character_destroy(hero);
    graze_world_destroy(world);
    return !(frame.feet[0] > 9.5 && frame.on_ground && carried >= 90);
}

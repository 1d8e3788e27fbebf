/* A ball of radius 0.5 walks on a floor, and into a wall along which it slides. */
#include <graze.h>
#include <stdio.h>

static int fail(const char* what) {
    fprintf(stderr, "%s: %s\n", what, graze_last_error());
    return 1;
}

int main(void) {
    /* Floor y = 0, wall x = 4; floats, as games have them. */
    const float points[8][3] = {{-9, 0, -9}, {9, 0, -9}, {9, 0, 9}, {-9, 0, 9},
                                {4, 0, -9},  {4, 5, -9}, {4, 5, 9}, {4, 0, 9}};
    const uint32_t faces[12] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7};
    const graze_view view = {points, 8, 0, 0, 0, GRAZE_FLOAT32, 0};
    graze_level level;
    uint32_t part = 0;
    if (graze_level_create(GRAZE_FLOAT32, &level) != GRAZE_OK) return fail("create");
    if (graze_level_add_part(level, &view, faces, 4, NULL, 0, &part) != GRAZE_OK)
        return fail("add_part");

    graze_mover mover;
    if (graze_mover_init(&mover, sizeof mover) != GRAZE_OK) return fail("init");
    mover.radii[0] = mover.radii[1] = mover.radii[2] = 0.5;
    double position[3] = {0, 0.6, 0};
    const double displacement[3] = {0.5, -0.1, 0.25};
    graze_move move;
    for (int frame = 0; frame < 12; ++frame) {
        if (graze_level_slide(level, &mover, position, displacement, &move) != GRAZE_OK)
            return fail("slide");
        for (int k = 0; k < 3; ++k)
            position[k] = move.position[k];
    }
    printf("at (%.3f, %.3f, %.3f), touches %d faces, gap proved: %d\n", position[0], position[1],
           position[2], (int)move.touch_count, (int)move.gap_proved);
    graze_level_destroy(level);
    return !(move.gap_proved && position[0] < 3.5 && position[0] > 3.4 && position[1] > 0.5 &&
             position[2] > 2.0);
}

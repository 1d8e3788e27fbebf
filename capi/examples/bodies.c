/* A cube that rotates and flies past another, or into it. */
#include <graze.h>
#include <stdio.h>

static int fail(const char* what) {
    fprintf(stderr, "%s: %s\n", what, graze_last_error());
    return 1;
}

int main(void) {
    const double corners[24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
    const uint32_t sides[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
    const uint32_t corner_counts[6] = {4, 4, 4, 4, 4, 4};
    const graze_view positions = {corners, 8, 0, 0, 0, GRAZE_FLOAT64, 0};
    graze_body cube;
    if (graze_body_create(&positions, corner_counts, 6, sides, 24, &cube) != GRAZE_OK)
        return fail("graze_body_create");

    /* One rests; the other comes from x = 3 and rotates by 90 degrees about z on its path. */
    const graze_pose here = {{1, 0, 0, 0}, {0, 0, 0}};
    const graze_body_step rest = {here, here};
    const double half = 0.70710678118654752;
    const graze_body_step hit = {{{1, 0, 0, 0}, {3, 0, 0}}, {{half, 0, 0, half}, {0.5, 0, 0}}};
    const graze_body_step miss = {{{1, 0, 0, 0}, {3, 0, 0}}, {{half, 0, 0, half}, {3, 3, 0}}};
    graze_rigid_result result;
    if (graze_rigid_first_impact(cube, cube, &rest, &hit, NULL, &result) != GRAZE_OK)
        return fail("graze_rigid_first_impact");
    printf("hit: verdict %d, contact in [%.9f, %.9f]\n", (int)result.verdict, result.toi_lower,
           result.toi_upper);
    const int is_hit = result.verdict == GRAZE_CONTACT && result.toi_upper < 1.0;
    if (graze_rigid_first_impact(cube, cube, &rest, &miss, NULL, &result) != GRAZE_OK)
        return fail("graze_rigid_first_impact");
    printf("miss: verdict %d\n", (int)result.verdict);
    graze_body_destroy(cube);
    return !(is_hit && result.verdict == GRAZE_SEPARATED);
}

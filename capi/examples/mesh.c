/* A triangle that falls on another: how far may the step go, and where does the energy decrease? */
#include <graze.h>
#include <stdio.h>

/* The height of all vertices: what falls has less of it. */
static double height(void* user, const double* positions, uint64_t coordinates) {
    double sum = 0.0;
    for (uint64_t i = 2; i < coordinates; i += 3)
        sum += positions[i];
    ++*(int*)user;
    return sum;
}

static int fail(const char* what) {
    fprintf(stderr, "%s: %s\n", what, graze_last_error());
    return 1;
}

int main(void) {
    const uint32_t faces[6] = {0, 1, 2, 3, 4, 5};
    const double start[18] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1, 2, 1, 1, 1, 2, 1};
    double end[18];
    for (int i = 0; i < 18; ++i)
        end[i] = start[i];
    end[11] = end[14] = end[17] = -1.0; /* the second falls through the first */

    graze_mesh mesh;
    if (graze_mesh_create(6, faces, 2, NULL, 0, &mesh) != GRAZE_OK) return fail("create");
    const graze_view from = {start, 6, 0, 0, 0, GRAZE_FLOAT64, 0};
    const graze_view to = {end, 6, 0, 0, 0, GRAZE_FLOAT64, 0};

    graze_step_options options;
    if (graze_step_options_init(&options, sizeof options) != GRAZE_OK) return fail("init");
    options.min_separation = 0.01;
    double positions[18];
    graze_safe_step step;
    if (graze_mesh_largest_safe_step(mesh, &from, &to, &options, positions, 18, &step) != GRAZE_OK)
        return fail("largest_safe_step");
    printf("free: %.4f of the step, then kind %d of %u and %u\n", step.fraction,
           (int)step.impact.kind, (unsigned)step.impact.a, (unsigned)step.impact.b);

    int evaluations = 0;
    graze_line_search found;
    if (graze_mesh_line_search(mesh, &from, &to, height, &evaluations, NULL, NULL, positions, 18,
                               &found) != GRAZE_OK)
        return fail("line_search");
    printf("line search: alpha %.4f, energy %.4f\n", found.alpha, found.energy);

    /* A handle that was freed is refused. */
    graze_mesh_destroy(mesh);
    const graze_status after = graze_mesh_counts(mesh, NULL, NULL, NULL);
    printf("after destroy: %s\n", graze_status_text(after));
    return !(step.fraction > 0.49 && step.fraction < 0.5 && found.alpha > 0.4 &&
             evaluations == found.evaluations && after == GRAZE_BAD_HANDLE);
}

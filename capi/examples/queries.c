/* One query, and many at once: does a vertex hit a face during a step, and when? */
#include <graze.h>
#include <stdio.h>

static int fail(const char* what) {
    fprintf(stderr, "%s: %s\n", what, graze_last_error());
    return 1;
}

int main(void) {
    /* Vertex, then the three corners of the face; the vertex falls from z = 1 to z = -1. */
    const double start[12] = {0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    const double end[12] = {0.25, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    graze_result result;
    if (graze_ccd(GRAZE_VERTEX_FACE, start, end, 12, NULL, &result) != GRAZE_OK)
        return fail("graze_ccd");
    printf("one query: verdict %d, contact in [%.17g, %.17g]\n", (int)result.verdict,
           result.toi_lower, result.toi_upper);
    if (result.verdict != GRAZE_CONTACT || result.toi_lower > 0.5 || result.toi_upper < 0.5)
        return 1;

    /* The same with a gap of 0.25 to keep. */
    graze_query_options options;
    if (graze_query_options_init(&options, sizeof options) != GRAZE_OK) return fail("init");
    options.min_separation = 0.25;
    if (graze_ccd(GRAZE_VERTEX_FACE, start, end, 12, &options, &result) != GRAZE_OK)
        return fail("graze_ccd");
    printf("with a gap of 0.25: free until %.6f\n", result.toi_lower);
    if (!(result.toi_lower > 0.3749 && result.toi_lower <= 0.375)) return 1;

    /* Floats in the layout (query, vertex, coordinate), as arrays of NumPy have it. */
    enum { N = 3 };
    float from[N][4][3];
    float to[N][4][3];
    for (int i = 0; i < N; ++i) {
        for (int k = 0; k < 12; ++k) {
            from[i][k / 3][k % 3] = (float)start[k];
            to[i][k / 3][k % 3] = (float)end[k];
        }
        to[i][0][2] = 1.0f - (float)i; /* to z = 1, 0 and -1 */
    }
    const graze_view view_from = {from, N, 0, 0, 0, GRAZE_FLOAT32, 0};
    const graze_view view_to = {to, N, 0, 0, 0, GRAZE_FLOAT32, 0};
    graze_result results[N];
    if (graze_ccd_batch(GRAZE_VERTEX_FACE, &view_from, &view_to, NULL, results, N) != GRAZE_OK)
        return fail("graze_ccd_batch");
    for (int i = 0; i < N; ++i)
        printf("query %d: verdict %d\n", i, (int)results[i].verdict);
    return !(results[0].verdict == GRAZE_SEPARATED && results[1].verdict == GRAZE_CONTACT &&
             results[2].verdict == GRAZE_CONTACT);
}

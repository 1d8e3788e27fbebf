/* graze: continuous collision detection (CCD), as a C interface. C99 or C++; link with -lgraze_c.
 *
 *   double start[12], end[12];                    vertex, then the three of the face; x y z each
 *   graze_result result;
 *   graze_status status = graze_ccd(GRAZE_VERTEX_FACE, start, end, 12, NULL, &result);
 *   if (status != GRAZE_OK) fprintf(stderr, "%s\n", graze_last_error());
 *   if (result.verdict != GRAZE_SEPARATED) advance_to(result.toi_lower);
 *
 * Every function
 *   - returns a graze_status unless it returns a text or a number that cannot fail. No exception
 *     leaves it, whatever it is given; graze_last_error() is one line that names the argument, and
 *     the index of what is wrong in it. An error with GRAZE_INTERNAL is a defect of the library.
 *   - writes single outputs (a struct, a count, a handle) where they are not NULL, also on errors: the
 *     safe values "unresolved, nothing is free", 0, no handle. Lists stay as they are on errors, but
 *     where it is stated.
 *   - takes lists as pointer and length. A length of 0 goes with any pointer.
 *   - checks what can be checked: pointers that are NULL, lengths that disagree, numbers that are not
 *     finite, indices, options, handles that were freed or are of another kind. It cannot check that
 *     the memory behind a pointer is as long as the caller claims.
 *   - may be called from any thread. A mesh and a character work for one call at a time, and a level or
 *     a world cannot be changed while it is searched: a call that comes in between (from another thread,
 *     or from a callback) is refused with GRAZE_BUSY. Bodies never change, and can be searched by many.
 *
 * Meanings: t in [0, 1] is the fraction of the step. The domain is closed: contact at 0 and at t_max
 * counts. [0, toi_lower) is proved to be free of contact whatever the verdict.
 *
 * Layout: integers have fixed widths, there is no padding but fields named `reserved`, and enumerated
 * values are int32_t whose numbers never change. Structs of options begin with their size: fill one
 * with its *_init() function, then set what differs, so that a program that was compiled with an older
 * header keeps working with a newer library. Structs of results never change; a later version has
 * another name. Guide, with examples in C, Python, Rust and C#: docs/c_interface.md.
 */
#ifndef GRAZE_H
#define GRAZE_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#if defined(GRAZE_C_BUILDS)
#define GRAZE_API __declspec(dllexport)
#else
#define GRAZE_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define GRAZE_API __attribute__((visibility("default")))
#else
#define GRAZE_API
#endif

#ifdef __cplusplus
#define GRAZE_NOEXCEPT noexcept
extern "C" {
#else
#define GRAZE_NOEXCEPT
#endif

/* --- Versions and errors ---------------------------------------------------------------------- */

/* The number of this interface: raised when a function or a struct is taken away or changed. */
#define GRAZE_ABI_VERSION 1

/* GRAZE_ABI_VERSION of the library that is linked. */
GRAZE_API int32_t graze_abi_version(void) GRAZE_NOEXCEPT;
/* Of the library that is linked: "0.1.0". */
GRAZE_API const char* graze_version(void) GRAZE_NOEXCEPT;

typedef int32_t graze_status;
enum {
    GRAZE_OK = 0,
    GRAZE_NULL_POINTER = 1,     /* an argument that must not be NULL is */
    GRAZE_INVALID_INPUT = 2,    /* for another reason than those below */
    GRAZE_NOT_FINITE = 3,       /* a number is NaN or infinite */
    GRAZE_OUT_OF_RANGE = 4,     /* an index names nothing, an enumerated value does not exist */
    GRAZE_WRONG_SIZE = 5,       /* lengths that disagree, or that no memory has; size of a struct */
    GRAZE_INVALID_OPTION = 6,   /* an option is out of its range, or does not go with another */
    GRAZE_BAD_HANDLE = 7,       /* freed, never made, or of another kind */
    GRAZE_BUSY = 8,             /* the handle is in use by another call */
    GRAZE_BUFFER_TOO_SMALL = 9, /* the capacity; the count that is needed was written */
    GRAZE_OUT_OF_MEMORY = 10,
    GRAZE_CANCELLED = 11, /* by a callback */
    GRAZE_UNSUPPORTED = 12,
    GRAZE_INTERNAL = 13 /* a defect of the library, or an exception out of a callback */
};

/* "ok", "null pointer", ...; "unknown status" for a number that is none. Never NULL. */
GRAZE_API const char* graze_status_text(graze_status status) GRAZE_NOEXCEPT;
/* Of the last call on this thread: "" after GRAZE_OK. Never NULL; valid until the next call on this
 * thread. */
GRAZE_API const char* graze_last_error(void) GRAZE_NOEXCEPT;
/* Index of the element at fault (a query, a vertex, a face) in that call, or -1. */
GRAZE_API int64_t graze_last_error_index(void) GRAZE_NOEXCEPT;

/* --- Numbers ---------------------------------------------------------------------------------- */

typedef int32_t graze_verdict;
enum {
    GRAZE_SEPARATED = 0, /* no contact in [0, t_max]: proved */
    GRAZE_CONTACT = 1,   /* proved, within result.tolerance where a separation was asked for */
    GRAZE_UNRESOLVED = 2 /* neither; [0, toi_lower) is free all the same */
};

typedef int32_t graze_scalar;
enum { GRAZE_FLOAT64 = 0, GRAZE_FLOAT32 = 1 };

typedef int32_t graze_norm;
enum { GRAZE_EUCLIDEAN = 0, GRAZE_MAX_NORM = 1 };

/* Coordinates in memory of the caller, read and never kept: a list of `count` points (x, y, z), or of
 * `count` queries of some points each. Strides are in bytes, may be negative, and 0 stands for
 * contiguous; no alignment is needed. Floats are taken as the exact numbers that they are.
 * Layout: 48 bytes on 64-bit machines. */
typedef struct graze_view {
    const void* data;
    uint64_t count;
    int64_t stride;            /* from one point, or query, to the next */
    int64_t point_stride;      /* between the points of a query; of no meaning in a list of points */
    int64_t coordinate_stride; /* from x to y, from y to z */
    graze_scalar scalar;
    int32_t reserved; /* 0 */
} graze_view;

/* --- Queries: two primitives whose vertices move on straight lines ------------------------------ */

typedef int32_t graze_kind;
enum {
    GRAZE_VERTEX_FACE = 0,   /* 4 points: vertex, face 0, 1, 2 */
    GRAZE_EDGE_EDGE = 1,     /* 4 points: a0, a1, b0, b1 */
    GRAZE_VERTEX_VERTEX = 2, /* 2 points */
    GRAZE_VERTEX_EDGE = 3    /* 3 points: vertex, edge 0, 1 */
};

typedef struct graze_query_options {
    uint64_t size;             /* of this struct, in bytes: by graze_query_options_init() */
    double min_separation;     /* [length] >= 0: contact means distance <= this; 0 */
    double distance_tolerance; /* [length] > 0: only where there is a separation; 1e-6 */
    double time_width;         /* > 0: requested width of [toi_lower, toi_upper]; 1e-9 */
    double t_max;              /* in [0, 1]: the end of the search; 1 */
    uint64_t max_checks;       /* >= 1: work budget of a query with a separation; 1000000 */
    graze_norm norm;           /* of the separation; GRAZE_EUCLIDEAN */
    int32_t reserved;          /* 0 */
} graze_query_options;

/* Fills in the defaults. `size` is sizeof(graze_query_options) of the caller; an error if the library
 * knows no such version. */
GRAZE_API graze_status graze_query_options_init(graze_query_options* options,
                                                uint64_t size) GRAZE_NOEXCEPT;

/* Layout: 40 bytes. */
typedef struct graze_result {
    double toi_lower; /* [0, toi_lower) is free; infinity for GRAZE_SEPARATED */
    double toi_upper; /* contact at or before it is proved; infinity without a proof */
    double tolerance; /* [length] see graze::CcdResult; infinity where nothing is known */
    uint64_t checks;
    graze_verdict verdict;
    int32_t reserved; /* 0 */
} graze_result;

/* One query. start, end: the points of the kind, packed; `coordinates` is the length of each (12, 12, 6
 * or 9). options: NULL for the defaults. Without a separation the verdict is exact for all finite
 * coordinates. GRAZE_NOT_FINITE for the others, and the result is "unresolved, toi_lower = 0". */
GRAZE_API graze_status graze_ccd(graze_kind kind, const double* start, const double* end,
                                 uint64_t coordinates, const graze_query_options* options,
                                 graze_result* result) GRAZE_NOEXCEPT;

/* Query i of start and end, (count, points, 3) each, into results[i]; the same bits as one call each.
 * `count` is the length of results. GRAZE_NOT_FINITE, with the index of the first such query, where
 * coordinates are not finite: every other query is answered all the same. */
GRAZE_API graze_status graze_ccd_batch(graze_kind kind, const graze_view* start,
                                       const graze_view* end, const graze_query_options* options,
                                       graze_result* results, uint64_t count) GRAZE_NOEXCEPT;

/* A proved lower bound of the distance of the two primitives. */
GRAZE_API graze_status graze_distance_lower(graze_kind kind, const double* positions,
                                            uint64_t coordinates, graze_norm norm,
                                            double* distance) GRAZE_NOEXCEPT;

/* Where two primitives are nearest: estimates in floating point, not proofs. feature_*: 0 a vertex,
 * 1 an edge, 2 the face; index_*: which of the primitive. Layout: 112 bytes. */
typedef struct graze_contact {
    double u;
    double v;
    double on_a[3];
    double on_b[3];
    double normal[3];
    double distance_upper; /* infinity: nothing is known */
    int32_t feature_a;
    int32_t index_a;
    int32_t feature_b;
    int32_t index_b;
} graze_contact;

/* At time t in [0, 1] of the motion. */
GRAZE_API graze_status graze_contact_point(graze_kind kind, const double* start, const double* end,
                                           uint64_t coordinates, double t,
                                           graze_contact* contact) GRAZE_NOEXCEPT;

/* --- Callbacks -------------------------------------------------------------------------------- */
/* `user` is the pointer of the options, or the one beside the function. A callback must return: no
 * exception and no longjmp. It may call this library, but not with the handle that is in use. */

/* Hears the fraction that is done, from one thread at a time; not 0 cancels the call. */
typedef int32_t (*graze_progress)(void* user, double fraction);
/* Asked now and then, from any thread, also several at once; not 0 cancels the call. */
typedef int32_t (*graze_stop)(void* user);
/* Is the pair to be tested? 0: no. From several threads at once. */
typedef int32_t (*graze_accepts)(void* user, graze_kind kind, uint32_t a, uint32_t b);
/* The energy of a state, in a line search: `coordinates` = 3 x vertices numbers, packed. */
typedef double (*graze_energy)(void* user, const double* positions, uint64_t coordinates);

/* --- Meshes in a step --------------------------------------------------------------------------- */

/* A handle: a number, never reused, so that a freed one is always refused. 0 is no mesh. */
typedef struct graze_mesh {
    uint64_t id;
} graze_mesh;

/* faces: 3 x face_count indices of vertices; edges: 2 x edge_count, those that belong to no face. */
GRAZE_API graze_status graze_mesh_create(uint64_t vertex_count, const uint32_t* faces,
                                         uint64_t face_count, const uint32_t* edges,
                                         uint64_t edge_count, graze_mesh* mesh) GRAZE_NOEXCEPT;
/* GRAZE_OK for the handle 0. Calls in progress with the mesh, in other threads, go on to their end. */
GRAZE_API graze_status graze_mesh_destroy(graze_mesh mesh) GRAZE_NOEXCEPT;
/* Any of the outputs may be NULL. Edges: all, those of faces included. */
GRAZE_API graze_status graze_mesh_counts(graze_mesh mesh, uint64_t* vertices, uint64_t* edges,
                                         uint64_t* faces) GRAZE_NOEXCEPT;
/* The two vertices of each edge, in the order that numbers the edges of impacts. capacity: in edges. */
GRAZE_API graze_status graze_mesh_edges(graze_mesh mesh, uint32_t* edges, uint64_t capacity,
                                        uint64_t* count) GRAZE_NOEXCEPT;

/* Lists by vertex are NULL and 0, or as long as there are vertices. */
typedef struct graze_step_options {
    uint64_t size;             /* by graze_step_options_init() */
    double min_separation;     /* this and the next four: as for one query */
    double distance_tolerance;
    double time_width;
    double t_max;
    uint64_t max_checks;
    graze_norm norm;
    int32_t threads;       /* >= 0; 0: one for each core. Results do not depend on it */
    const double* radius;  /* [length] >= 0: thickness on either side */
    uint64_t radius_count;
    const uint32_t* body;  /* the number of the body that a vertex belongs to */
    uint64_t body_count;
    const uint8_t* fixed;  /* not 0: pairs of which all vertices are fixed are left out */
    uint64_t fixed_count;
    const uint32_t* layers; /* bits; a pair is tested iff each side's layers meet the other's mask */
    uint64_t layers_count;
    const uint32_t* mask;
    uint64_t mask_count;
    int32_t within_bodies; /* 0: pairs of one body are left out; 1 */
    int32_t reserved;      /* 0 */
    graze_accepts accepts; /* any other rule, or NULL */
    graze_progress progress;
    graze_stop stop;
    void* user; /* of the three callbacks */
} graze_step_options;

GRAZE_API graze_status graze_step_options_init(graze_step_options* options,
                                               uint64_t size) GRAZE_NOEXCEPT;

/* a and b: vertex and face, edge and edge, vertex and vertex, vertex and edge. Layout: 56 bytes. */
typedef struct graze_impact {
    graze_kind kind;
    uint32_t a;
    uint32_t b;
    int32_t reserved; /* 0 */
    graze_result result;
} graze_impact;

/* Layout: 224 bytes. */
typedef struct graze_step_result {
    double toi_lower; /* [0, toi_lower) is free of contact, for all pairs */
    double toi_upper;
    graze_verdict verdict;
    int32_t has_impact;    /* 1: impact and contact are set */
    graze_impact impact;   /* the pair that collides first */
    graze_contact contact; /* where; estimates */
    uint64_t candidates[4]; /* pairs that were tested, by kind */
} graze_step_result;

/* start, end: as many points as there are vertices. */
GRAZE_API graze_status graze_mesh_first_impact(graze_mesh mesh, const graze_view* start,
                                               const graze_view* end,
                                               const graze_step_options* options,
                                               graze_step_result* result) GRAZE_NOEXCEPT;

/* Every pair that collides, in the order of kind, a, b. `count` gets how many there are.
 * GRAZE_BUFFER_TOO_SMALL where these are more than the capacity: the first of them are written, and
 * graze_mesh_kept_impacts() gives all without another search. `result` (or NULL) is about the first. */
GRAZE_API graze_status graze_mesh_all_impacts(graze_mesh mesh, const graze_view* start,
                                              const graze_view* end,
                                              const graze_step_options* options,
                                              graze_impact* impacts, uint64_t capacity,
                                              uint64_t* count,
                                              graze_step_result* result) GRAZE_NOEXCEPT;
/* Those of the last graze_mesh_all_impacts() of the mesh; none after one that failed otherwise. */
GRAZE_API graze_status graze_mesh_kept_impacts(graze_mesh mesh, graze_impact* impacts,
                                               uint64_t capacity, uint64_t* count) GRAZE_NOEXCEPT;

/* Layout: 184 bytes. */
typedef struct graze_safe_step {
    double fraction; /* positions = start + fraction (end - start), rounded */
    int32_t proofs;  /* how many times the mesh was searched */
    int32_t has_impact;
    graze_impact impact; /* the first of the whole step */
    graze_contact contact;
} graze_safe_step;

/* The largest step that is proved to be free. positions: 3 x vertices doubles, packed; the motion from
 * start to these very numbers is free of contact. (Rounded to floats they are others, of which nothing
 * is proved.) All of start, and a fraction of 0, where the start is not free. */
GRAZE_API graze_status graze_mesh_largest_safe_step(graze_mesh mesh, const graze_view* start,
                                                    const graze_view* end,
                                                    const graze_step_options* options,
                                                    double* positions, uint64_t coordinates,
                                                    graze_safe_step* step) GRAZE_NOEXCEPT;

typedef struct graze_line_search_options {
    uint64_t size;        /* by graze_line_search_options_init() */
    double kept_fraction; /* in (0, 1): which fraction of the least distance is kept; 0.5 */
    double max_kept;      /* [length] > 0: no more than this is kept; 1e-3 */
    int32_t max_halvings; /* in [0, 1000]; 60 */
    int32_t reserved;     /* 0 */
} graze_line_search_options;

GRAZE_API graze_status graze_line_search_options_init(graze_line_search_options* options,
                                                      uint64_t size) GRAZE_NOEXCEPT;

/* Layout: 48 bytes. */
typedef struct graze_line_search {
    double alpha; /* positions = start + alpha (end - start), rounded */
    double energy;
    double distance; /* the least at the start, proved; what was kept of it; what that allowed */
    double kept;
    double alpha_free;
    int32_t evaluations;
    int32_t reserved; /* 0 */
} graze_line_search;

/* Positions that are reached without contact, and with a lower energy than the start has.
 * step: min_separation and t_max are chosen by the search. */
GRAZE_API graze_status graze_mesh_line_search(graze_mesh mesh, const graze_view* start,
                                              const graze_view* end, graze_energy energy,
                                              void* energy_user,
                                              const graze_line_search_options* options,
                                              const graze_step_options* step, double* positions,
                                              uint64_t coordinates,
                                              graze_line_search* result) GRAZE_NOEXCEPT;

/* How far each vertex may move on its own, whatever its path. reach > 0: radii are at most half of it.
 * `count` = vertices is the length of radii. */
GRAZE_API graze_status graze_mesh_free_radii(graze_mesh mesh, const graze_view* positions,
                                             double reach, const graze_step_options* options,
                                             double* radii, uint64_t count) GRAZE_NOEXCEPT;

/* Fractions of the step by vertex whose joint motion is free, and the positions (or NULL and 0) that
 * they lead to. */
GRAZE_API graze_status graze_mesh_free_fractions(graze_mesh mesh, const graze_view* start,
                                                 const graze_view* end,
                                                 const graze_step_options* options,
                                                 double* fractions, uint64_t count,
                                                 double* positions,
                                                 uint64_t coordinates) GRAZE_NOEXCEPT;

/* What two elements are, when they intersect at one time. */
enum {
    GRAZE_MEETS_EDGE_FACE = 0,
    GRAZE_MEETS_VERTEX_FACE = 1,
    GRAZE_MEETS_EDGE_EDGE = 2,
    GRAZE_MEETS_VERTEX_VERTEX = 3,
    GRAZE_MEETS_VERTEX_EDGE = 4
};

/* Layout: 12 bytes. */
typedef struct graze_intersection {
    int32_t kind; /* GRAZE_MEETS_* */
    uint32_t a;
    uint32_t b;
} graze_intersection;

/* What intersects or touches at these positions: exact. GRAZE_BUFFER_TOO_SMALL where there are more
 * than the capacity: the first of them are written, and the count of all. */
GRAZE_API graze_status graze_mesh_intersections(graze_mesh mesh, const graze_view* positions,
                                                const graze_step_options* options,
                                                graze_intersection* intersections,
                                                uint64_t capacity, uint64_t* count) GRAZE_NOEXCEPT;

/* Proved lower bounds of distances, up to reach > 0. by_vertex: NULL and 0, or one for each; least:
 * of all of them. */
GRAZE_API graze_status graze_mesh_clearance(graze_mesh mesh, const graze_view* positions,
                                            double reach, const graze_step_options* options,
                                            double* by_vertex, uint64_t count,
                                            double* least) GRAZE_NOEXCEPT;

/* --- Rigid bodies in screw motion ------------------------------------------------------------- */

typedef struct graze_body {
    uint64_t id;
} graze_body;

/* A surface of polygons, counterclockwise as seen from outside. corner_counts: how many corners each
 * face has, or NULL and 0 for triangles. corners: indices of positions, all faces end to end. */
GRAZE_API graze_status graze_body_create(const graze_view* positions, const uint32_t* corner_counts,
                                         uint64_t face_count, const uint32_t* corners,
                                         uint64_t corner_count, graze_body* body) GRAZE_NOEXCEPT;
GRAZE_API graze_status graze_body_destroy(graze_body body) GRAZE_NOEXCEPT;

/* Layout: 64 bytes. */
typedef struct graze_body_info {
    uint64_t vertices;
    uint64_t edges;
    uint64_t faces;
    uint64_t open_edges; /* 0, as the next: the surface is closed and has an inside */
    uint64_t non_manifold_edges;
    uint64_t bent_faces;
    uint64_t wrong_faces; /* wound clockwise */
    uint64_t flat_faces;  /* without area */
} graze_body_info;
GRAZE_API graze_status graze_body_inspect(graze_body body, graze_body_info* info) GRAZE_NOEXCEPT;

/* x -> q x q^-1 + translation; the squared length of q is 1 within 1e-6. Layout: 56 bytes. */
typedef struct graze_pose {
    double rotation[4]; /* w, x, y, z */
    double translation[3];
} graze_pose;

/* Both ends of a step; the same twice for a body at rest. Layout: 112 bytes. */
typedef struct graze_body_step {
    graze_pose start;
    graze_pose end;
} graze_body_step;

typedef int32_t graze_model;
enum {
    GRAZE_SOLID = 0,       /* a closed surface has an inside, which belongs to the body */
    GRAZE_SURFACE_ONLY = 1 /* bodies meet where their surfaces do */
};

typedef struct graze_rigid_options {
    uint64_t size;         /* by graze_rigid_options_init() */
    double min_separation; /* [length] >= 0; 0 */
    double time_width;     /* > 0; 1e-9 */
    double t_max;          /* in [0, 1]; 1 */
    uint64_t max_checks;   /* >= 1: work budget; 100000000 */
    graze_model model;
    int32_t reserved; /* 0 */
    graze_progress progress;
    graze_stop stop;
    void* user; /* of both callbacks */
} graze_rigid_options;

GRAZE_API graze_status graze_rigid_options_init(graze_rigid_options* options,
                                                uint64_t size) GRAZE_NOEXCEPT;

typedef int32_t graze_start_state;
enum {
    GRAZE_START_SEPARATED = 0,
    GRAZE_START_CONTACT = 1, /* the surfaces share a point */
    GRAZE_START_A_INSIDE_B = 2,
    GRAZE_START_B_INSIDE_A = 3,
    GRAZE_START_UNRESOLVED = 4
};

enum {
    GRAZE_MEET_VERTEX_FACE = 0, /* a vertex of A and a face of B */
    GRAZE_MEET_FACE_VERTEX = 1,
    GRAZE_MEET_EDGE_EDGE = 2,
    GRAZE_MEET_FACE_FACE = 3
};
#define GRAZE_NO_FACE 0xffffffffu

/* Layout: 96 bytes. */
typedef struct graze_rigid_contact {
    int32_t type; /* GRAZE_MEET_* */
    uint32_t a;   /* vertex, face or edge by type; GRAZE_NO_FACE: not known */
    uint32_t b;
    int32_t reserved; /* 0 */
    double time;      /* of point and normal */
    double point[3];  /* in the world */
    double normal[3]; /* from A to B; 0 where nothing is known */
    double properness;
    double time_lower; /* it happens in [time_lower, time_upper] by proof; infinity without one */
    double time_upper;
} graze_rigid_contact;

/* Layout: 128 bytes. */
typedef struct graze_rigid_result {
    double toi_lower;
    double toi_upper;
    uint64_t checks;
    graze_verdict verdict;
    graze_start_state start;
    graze_rigid_contact contact;
} graze_rigid_result;

/* The first contact of two bodies in a step. GRAZE_CANCELLED leaves a result that holds: unresolved,
 * with the toi_lower that was proved until then (or the answer, if that was found by then). */
GRAZE_API graze_status graze_rigid_first_impact(graze_body a, graze_body b,
                                                const graze_body_step* step_a,
                                                const graze_body_step* step_b,
                                                const graze_rigid_options* options,
                                                graze_rigid_result* result) GRAZE_NOEXCEPT;

/* Every crossing of a vertex with a face and of two edges whose properness is at least min_properness
 * (usually -0.1; -1: all), by time. complete: 1 where nothing was left out. min_separation must be 0.
 * GRAZE_BUFFER_TOO_SMALL where there are more than the capacity: the first of them are written. */
GRAZE_API graze_status graze_rigid_all_collisions(graze_body a, graze_body b,
                                                  const graze_body_step* step_a,
                                                  const graze_body_step* step_b,
                                                  const graze_rigid_options* options,
                                                  double min_properness,
                                                  graze_rigid_contact* contacts, uint64_t capacity,
                                                  uint64_t* count,
                                                  int32_t* complete) GRAZE_NOEXCEPT;

/* Do two bodies touch, or is one inside the other, at these poses? Exact. */
GRAZE_API graze_status graze_rigid_start_state(graze_body a, const graze_pose* pose_a, graze_body b,
                                               const graze_pose* pose_b,
                                               graze_start_state* state) GRAZE_NOEXCEPT;

/* Layout: 80 bytes. */
typedef struct graze_rigid_gap {
    double lower; /* the distance is in [lower, upper]: proved */
    double upper;
    double on_a[3]; /* the nearest points: estimates */
    double on_b[3];
    uint32_t face_a; /* or GRAZE_NO_FACE */
    uint32_t face_b;
    graze_start_state state;
    int32_t reserved; /* 0 */
} graze_rigid_gap;

/* The distance of two bodies at these poses. Of the options max_checks, model and stop count. */
GRAZE_API graze_status graze_rigid_distance(graze_body a, const graze_pose* pose_a, graze_body b,
                                            const graze_pose* pose_b,
                                            const graze_rigid_options* options,
                                            graze_rigid_gap* gap) GRAZE_NOEXCEPT;

/* --- A character that slides over a level ------------------------------------------------------- */

typedef struct graze_level {
    uint64_t id;
} graze_level;

/* scalar: the numbers that positions of the level and of characters are kept in. In a level of floats
 * every number given is rounded to the nearest float first, and every number returned is a float:
 * what is proved is proved for those. */
GRAZE_API graze_status graze_level_create(graze_scalar scalar, graze_level* level) GRAZE_NOEXCEPT;
GRAZE_API graze_status graze_level_destroy(graze_level level) GRAZE_NOEXCEPT;

/* Layout: 12 bytes. */
typedef struct graze_face_marks {
    uint32_t tag;      /* returned with each contact; 0 */
    uint32_t layers;   /* bits; 1 */
    int32_t one_sided; /* not 0: solid only from the side where the winding is counterclockwise */
} graze_face_marks;

/* faces: 3 x face_count indices. marks: none (NULL and 0), one for all, or one for each face.
 * part: gets the number of the part. */
GRAZE_API graze_status graze_level_add_part(graze_level level, const graze_view* positions,
                                            const uint32_t* faces, uint64_t face_count,
                                            const graze_face_marks* marks, uint64_t mark_count,
                                            uint32_t* part) GRAZE_NOEXCEPT;
/* Other triangles for a part; none: the part is gone, its number stays. */
GRAZE_API graze_status graze_level_replace_part(graze_level level, uint32_t part,
                                                const graze_view* positions, const uint32_t* faces,
                                                uint64_t face_count, const graze_face_marks* marks,
                                                uint64_t mark_count) GRAZE_NOEXCEPT;
/* The same faces at other positions. */
GRAZE_API graze_status graze_level_move_part(graze_level level, uint32_t part,
                                             const graze_view* positions) GRAZE_NOEXCEPT;
GRAZE_API graze_status graze_level_counts(graze_level level, uint64_t* parts,
                                          uint64_t* faces) GRAZE_NOEXCEPT;

/* What moves: an ellipsoid with its axes along x, y and z, or a sphere; with a half axis, such a shape
 * around each point from centre - half_axis to centre + half_axis: a capsule, where radii are equal.
 * With side axes, around each point of a box: see graze_mover_set_box(). */
typedef struct graze_mover {
    uint64_t size;   /* by graze_mover_init() */
    double radii[3]; /* > 0; 1 */
    double skin;     /* [length] the gap that stays to every face; 0: 1/256 of the smallest radius */
    double up[3];    /* of any length but 0; (0, 1, 0) */
    double least_upward; /* ground whose normal has a smaller cosine with `up` is too steep; 0.7 */
    double step_height;  /* [length] >= 0: of the highest step that is climbed; 0 */
    uint32_t layers;     /* faces that share a bit with it are met; all bits */
    int32_t reserved;    /* 0 */
    double half_axis[3]; /* [length] of any direction; 0. Not in the struct of 88 bytes */
    /* [length] of a box with rounded edges: its two other half axes; 0. Not in the struct of 112 bytes */
    double side_axes[2][3];
} graze_mover;

GRAZE_API graze_status graze_mover_init(graze_mover* mover, uint64_t size) GRAZE_NOEXCEPT;
/* Makes it a box whose faces are half_extents (3 numbers) from its centre, with edges and corners rounded
 * by a ball: 0 < rounding <= each of them. rotation: w, x, y, z, of length 1 within 1e-6, or NULL.
 * Sets radii, half_axis and side_axes to numbers of `scalar`, that of the level: axes of one's own have to be
 * perpendicular but for 2^-10, with sums that are exact, or the mover is refused. */
GRAZE_API graze_status graze_mover_set_box(graze_mover* mover, graze_scalar scalar,
                                           const double* half_extents, double rounding,
                                           const double* rotation) GRAZE_NOEXCEPT;

/* Layout: 72 bytes. */
typedef struct graze_touch {
    uint32_t part;
    uint32_t face;
    uint32_t tag;
    int32_t feature; /* 0 a face, 1 an edge, 2 a vertex */
    double time;
    double point[3];  /* on the level */
    double normal[3]; /* from the level to the character */
} graze_touch;

typedef int32_t graze_stop_reason;
enum {
    GRAZE_MOVED_FREE = 0,       /* all of the displacement, straight or sliding */
    GRAZE_MOVED_BLOCKED = 1,    /* what it touches allows no more */
    GRAZE_MOVED_PUSHED_OUT = 2, /* began too near to the level, and was moved out of it first */
    GRAZE_MOVED_LIMIT = 3
};

#define GRAZE_MAX_TOUCHES 8

/* Layout: 632 bytes. */
typedef struct graze_move {
    double position[3];
    double skin; /* as used: what the gap at the position is at least, where gap_proved */
    double climbed; /* [length] along `up`, by graze_level_climb() */
    graze_stop_reason stopped;
    int32_t gap_proved; /* 0: the start overlaps, could not be pushed out, and is the position */
    int32_t iterations;
    int32_t touch_count;
    graze_touch touches[GRAZE_MAX_TOUCHES];
} graze_move;

/* Moves by the displacement, or as far along what it meets as that allows. start, displacement: 3
 * numbers each. */
GRAZE_API graze_status graze_level_slide(graze_level level, const graze_mover* mover,
                                         const double* start, const double* displacement,
                                         graze_move* move) GRAZE_NOEXCEPT;
/* The same, with slopes that are too steep as walls, and steps up to step_height. */
GRAZE_API graze_status graze_level_climb(graze_level level, const graze_mover* mover,
                                         const double* start, const double* displacement,
                                         graze_move* move) GRAZE_NOEXCEPT;

typedef int32_t graze_snap_action;
enum {
    GRAZE_ON_GROUND = 0, /* it stands already */
    GRAZE_SNAPPED = 1,
    GRAZE_NO_GROUND = 2, /* none within the distance */
    GRAZE_TOO_STEEP = 3
};

/* Layout: 112 bytes. */
typedef struct graze_snap {
    double position[3];
    double dropped; /* [length] along `up` */
    graze_snap_action action;
    int32_t gap_proved;
    graze_touch ground; /* unless there is none */
} graze_snap;

/* Straight down to the ground, by at most `distance`. */
GRAZE_API graze_status graze_level_snap(graze_level level, const graze_mover* mover,
                                        const double* start, double distance,
                                        graze_snap* snap) GRAZE_NOEXCEPT;

/* Layout: 96 bytes. */
typedef struct graze_sweep {
    double toi_lower; /* [fraction of the displacement] 1 for GRAZE_SEPARATED */
    double toi_upper;
    graze_verdict verdict;
    int32_t met_at_start;
    graze_touch touch;
} graze_sweep;

/* The first contact on a straight path, at a gap of `margin` >= 0. Never late. */
GRAZE_API graze_status graze_level_sweep(graze_level level, const graze_mover* mover,
                                         const double* start, const double* displacement,
                                         double margin, graze_sweep* sweep) GRAZE_NOEXCEPT;

/* The nearest face within reach > 0, and a proved lower bound of the gap (below 0: how deep). found: 0
 * where there is none, and the gap is at least reach. touch may be NULL. */
GRAZE_API graze_status graze_level_gap(graze_level level, const graze_mover* mover,
                                       const double* centre, double reach, int32_t* found,
                                       double* gap_lower, graze_touch* touch) GRAZE_NOEXCEPT;

/* Is the shape clear of all faces, by at least `margin` >= 0? GRAZE_SEPARATED is a proof. */
GRAZE_API graze_status graze_level_overlap(graze_level level, const graze_mover* mover,
                                           const double* centre, double margin,
                                           graze_verdict* verdict) GRAZE_NOEXCEPT;

/* The first face on a ray, never missed and never late: a ray is as thick as 2^-20 of its longest
 * coordinate. Of a displacement of 0 nothing is known. layers: as of a graze_mover. */
GRAZE_API graze_status graze_level_ray(graze_level level, const double* origin,
                                       const double* displacement, uint32_t layers,
                                       graze_sweep* sweep) GRAZE_NOEXCEPT;

/* The nearest point of the faces within reach > 0 of a point, and a proved lower bound of its distance.
 * found: 0 where there is none, and the distance is at least reach. touch may be NULL. */
GRAZE_API graze_status graze_level_nearest(graze_level level, const double* point, double reach,
                                           uint32_t layers, int32_t* found, double* distance_lower,
                                           graze_touch* touch) GRAZE_NOEXCEPT;

/* --- Worlds: parts that have a pose each, and may move ------------------------------------------ */

typedef struct graze_world {
    uint64_t id;
} graze_world;

/* scalar: as of a level. */
GRAZE_API graze_status graze_world_create(graze_scalar scalar, graze_world* world) GRAZE_NOEXCEPT;
GRAZE_API graze_status graze_world_destroy(graze_world world) GRAZE_NOEXCEPT;

/* What parts are made of; each gets a number among the meshes. Triangles: as of graze_level_add_part(). */
GRAZE_API graze_status graze_world_add_mesh(graze_world world, const graze_view* positions,
                                            const uint32_t* faces, uint64_t face_count,
                                            const graze_face_marks* marks, uint64_t mark_count,
                                            uint32_t* mesh) GRAZE_NOEXCEPT;
/* Solid, unlike triangles, and of two sides: a shape inside is pushed out, or is not called free. Lengths
 * are > 0; marks: NULL, or one. A sphere is around the origin, a capsule around the points of the y axis
 * up to half_height from it: round, and one face. A box: half_extents, 3 numbers, from the origin to its
 * faces, which are twelve. */
GRAZE_API graze_status graze_world_add_sphere(graze_world world, double radius,
                                              const graze_face_marks* marks,
                                              uint32_t* mesh) GRAZE_NOEXCEPT;
GRAZE_API graze_status graze_world_add_capsule(graze_world world, double radius, double half_height,
                                               const graze_face_marks* marks,
                                               uint32_t* mesh) GRAZE_NOEXCEPT;
GRAZE_API graze_status graze_world_add_box(graze_world world, const double* half_extents,
                                           const graze_face_marks* marks,
                                           uint32_t* mesh) GRAZE_NOEXCEPT;

/* Heights over the x-z plane: number r columns + c is that at c spacing[0], r spacing[1]; NaN is a hole.
 * Faces 2 k and 2 k + 1 are those of the cell k, counted row by row. Layout: 48 bytes. */
typedef struct graze_height_field {
    uint32_t columns;  /* samples along x, 2 to 2^20 + 1 */
    uint32_t rows;     /* and along z */
    double spacing[2]; /* [length] > 0 */
    const void* heights;
    uint64_t height_count; /* columns x rows */
    graze_scalar scalar;   /* of the heights */
    int32_t reserved;      /* 0 */
} graze_height_field;
/* A surface. marks: none, one for all faces, or one for each. */
GRAZE_API graze_status graze_world_add_height_field(graze_world world,
                                                    const graze_height_field* field,
                                                    const graze_face_marks* marks,
                                                    uint64_t mark_count,
                                                    uint32_t* mesh) GRAZE_NOEXCEPT;

/* An instance of a mesh. Its faces are in their own layers as far as those are in `layers`. It is there at
 * once, though queries are slow until the next graze_world_update(). */
GRAZE_API graze_status graze_world_add_part(graze_world world, uint32_t mesh,
                                            const graze_pose* pose, uint32_t layers,
                                            uint32_t* part) GRAZE_NOEXCEPT;
/* Its number is not used again. */
GRAZE_API graze_status graze_world_remove_part(graze_world world, uint32_t part) GRAZE_NOEXCEPT;
GRAZE_API graze_status graze_world_set_layers(graze_world world, uint32_t part,
                                              uint32_t layers) GRAZE_NOEXCEPT;

/* In the next frame the part moves there, and carries and pushes characters: the pivot, 3 numbers of its
 * mesh or NULL for its origin, goes straight, and the part rotates about it by at most half a rotation. */
GRAZE_API graze_status graze_world_move_part(graze_world world, uint32_t part,
                                             const graze_pose* pose,
                                             const double* pivot) GRAZE_NOEXCEPT;
/* In the next frame the part is there, without having moved. */
GRAZE_API graze_status graze_world_place_part(graze_world world, uint32_t part,
                                              const graze_pose* pose) GRAZE_NOEXCEPT;
/* The next frame. */
GRAZE_API graze_status graze_world_update(graze_world world) GRAZE_NOEXCEPT;
GRAZE_API graze_status graze_world_part_pose(graze_world world, uint32_t part,
                                             graze_pose* pose) GRAZE_NOEXCEPT;
GRAZE_API graze_status graze_world_counts(graze_world world, uint64_t* parts,
                                          uint64_t* faces) GRAZE_NOEXCEPT;

/* Each as of a level. */
GRAZE_API graze_status graze_world_slide(graze_world world, const graze_mover* mover,
                                         const double* start, const double* displacement,
                                         graze_move* move) GRAZE_NOEXCEPT;
GRAZE_API graze_status graze_world_climb(graze_world world, const graze_mover* mover,
                                         const double* start, const double* displacement,
                                         graze_move* move) GRAZE_NOEXCEPT;
GRAZE_API graze_status graze_world_snap(graze_world world, const graze_mover* mover,
                                        const double* start, double distance,
                                        graze_snap* snap) GRAZE_NOEXCEPT;
GRAZE_API graze_status graze_world_sweep(graze_world world, const graze_mover* mover,
                                         const double* start, const double* displacement,
                                         double margin, graze_sweep* sweep) GRAZE_NOEXCEPT;
GRAZE_API graze_status graze_world_gap(graze_world world, const graze_mover* mover,
                                       const double* centre, double reach, int32_t* found,
                                       double* gap_lower, graze_touch* touch) GRAZE_NOEXCEPT;
GRAZE_API graze_status graze_world_overlap(graze_world world, const graze_mover* mover,
                                           const double* centre, double margin,
                                           graze_verdict* verdict) GRAZE_NOEXCEPT;
GRAZE_API graze_status graze_world_ray(graze_world world, const double* origin,
                                       const double* displacement, uint32_t layers,
                                       graze_sweep* sweep) GRAZE_NOEXCEPT;
GRAZE_API graze_status graze_world_nearest(graze_world world, const double* point, double reach,
                                           uint32_t layers, int32_t* found, double* distance_lower,
                                           graze_touch* touch) GRAZE_NOEXCEPT;

typedef int32_t graze_ride_outcome;
enum {
    GRAZE_RIDE_UNMOVED = 0, /* no moving part comes near it */
    GRAZE_RIDE_CARRIED = 1, /* with the part that it stands on, and by that alone */
    GRAZE_RIDE_PUSHED = 2,  /* by what would have met it */
    GRAZE_RIDE_CRUSHED =
        3, /* no position next to the moving parts is free: proved up to `time` alone */
    GRAZE_RIDE_LIMIT = 4,   /* the steps ran out: proved up to `time` alone */
    GRAZE_RIDE_UNPROVED = 5 /* the start does not keep its skin, or, of a character, frames were left out: nothing is proved */
};

#define GRAZE_NO_PART 0xffffffffu

/* Layout: 48 bytes. */
typedef struct graze_ride {
    double position[3]; /* at `time` */
    double time;        /* [of the frame] up to which the ride is proved */
    double overlap;     /* [length] at most so deep in the world at the end of the frame */
    graze_ride_outcome outcome;
    int32_t steps;
} graze_ride;

/* What the motions of the world's current frame do to a shape that was at `start` at its begin. carrier: the
 * part that it stands on, or GRAZE_NO_PART. Up to `time` no part comes into the shape at any moment, and
 * there the gap to every face is at least the skin. */
GRAZE_API graze_status graze_world_ride(graze_world world, const graze_mover* mover,
                                        const double* start, uint32_t carrier,
                                        graze_ride* ride) GRAZE_NOEXCEPT;

/* --- A character: an upright capsule that walks in a world -------------------------------------- */

typedef struct graze_character {
    uint64_t id;
} graze_character;

typedef struct graze_character_options {
    uint64_t size;        /* by graze_character_options_init() */
    double up[3];         /* of any length but 0; (0, 1, 0) */
    double least_upward;  /* ground whose normal has a smaller cosine with `up` is too steep; 0.7 */
    double step_height;   /* [length] of the highest step; 0: a fifth of its height */
    double snap_distance; /* [length] that it follows ground that falls away; 0: a step */
    double skin;          /* [length] 0: 1/256 of the radius */
    uint32_t layers;      /* all bits */
    int32_t stops_at_ledges; /* not 0: it stays where there is no ground within snap_distance; 0 */
    int64_t reserved;        /* 0 */
} graze_character_options;

GRAZE_API graze_status graze_character_options_init(graze_character_options* options,
                                                    uint64_t size) GRAZE_NOEXCEPT;

/* scalar: that of the worlds that it walks in. feet: its lowest point, 3 numbers; where it overlaps there,
 * the first move pushes it out. A height below two radii makes a ball. options: NULL for the defaults. */
GRAZE_API graze_status graze_character_create(graze_scalar scalar, double radius, double height,
                                              const double* feet,
                                              const graze_character_options* options,
                                              graze_character* character) GRAZE_NOEXCEPT;
GRAZE_API graze_status graze_character_destroy(graze_character character) GRAZE_NOEXCEPT;

/* Layout: 152 bytes. */
typedef struct graze_character_frame {
    double feet[3];
    double skin;
    double ride_time; /* of graze_ride, as the next two */
    double overlap;
    graze_ride_outcome ride; /* what moving parts did */
    int32_t gap_proved;      /* not 0: the gap to every face is at least the skin */
    int32_t on_ground;
    int32_t landed; /* on the ground now, and not before */
    int32_t left_ground;
    int32_t climbed; /* a step */
    int32_t hit_ceiling;
    int32_t held_at_ledge;
    graze_touch ground; /* where on_ground */
} graze_character_frame;

/* Once for each graze_world_update(): what moved since is ridden first, then it walks by the displacement,
 * 3 numbers. Gravity and jumps are the caller's. A world of the other scalar is refused. */
GRAZE_API graze_status graze_character_move(graze_character character, graze_world world,
                                            const double* displacement,
                                            graze_character_frame* frame) GRAZE_NOEXCEPT;
/* Crouching, getting up: another body with the same feet. changed: 0 where there is no room for it. */
GRAZE_API graze_status graze_character_change_body(graze_character character, graze_world world,
                                                   double radius, double height,
                                                   int32_t* changed) GRAZE_NOEXCEPT;
/* Elsewhere, without a move. */
GRAZE_API graze_status graze_character_teleport(graze_character character,
                                                const double* feet) GRAZE_NOEXCEPT;
/* Where it is. feet, centre: 3 numbers each, or NULL; on_ground may be NULL. */
GRAZE_API graze_status graze_character_state(graze_character character, double* feet,
                                             double* centre, int32_t* on_ground) GRAZE_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif

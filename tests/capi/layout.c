/* The header is C99, can be included twice, and its structs have the sizes that it states. */
#include <graze.h>
#include <graze.h>

#define HAS_SIZE(type, bytes) typedef char type##_has_size[sizeof(type) == (bytes) ? 1 : -1]
#define IS_AT(type, field, bytes) \
    typedef char type##_##field##_is_at[offsetof(type, field) == (bytes) ? 1 : -1]

HAS_SIZE(graze_status, 4);
HAS_SIZE(graze_verdict, 4);
HAS_SIZE(graze_mesh, 8);
HAS_SIZE(graze_body, 8);
HAS_SIZE(graze_level, 8);
HAS_SIZE(graze_world, 8);
HAS_SIZE(graze_character, 8);
HAS_SIZE(graze_query_options, 56);
HAS_SIZE(graze_result, 40);
HAS_SIZE(graze_contact, 112);
HAS_SIZE(graze_impact, 56);
HAS_SIZE(graze_step_result, 224);
HAS_SIZE(graze_safe_step, 184);
HAS_SIZE(graze_line_search_options, 32);
HAS_SIZE(graze_line_search, 48);
HAS_SIZE(graze_intersection, 12);
HAS_SIZE(graze_body_info, 64);
HAS_SIZE(graze_pose, 56);
HAS_SIZE(graze_body_step, 112);
HAS_SIZE(graze_rigid_contact, 96);
HAS_SIZE(graze_rigid_result, 128);
HAS_SIZE(graze_rigid_gap, 80);
HAS_SIZE(graze_face_marks, 12);
HAS_SIZE(graze_mover, 160);
HAS_SIZE(graze_touch, 72);
HAS_SIZE(graze_move, 632);
HAS_SIZE(graze_snap, 112);
HAS_SIZE(graze_sweep, 96);
HAS_SIZE(graze_height_field, 48);
HAS_SIZE(graze_ride, 48);
HAS_SIZE(graze_character_options, 80);
HAS_SIZE(graze_character_frame, 152);
IS_AT(graze_result, verdict, 32);
IS_AT(graze_impact, result, 16);
IS_AT(graze_step_result, impact, 24);
IS_AT(graze_step_result, candidates, 192);
IS_AT(graze_rigid_result, contact, 32);
IS_AT(graze_move, touches, 56);
IS_AT(graze_mover, half_axis, 88);
IS_AT(graze_mover, side_axes, 112);
IS_AT(graze_height_field, heights, 24);
IS_AT(graze_character_options, layers, 64);
IS_AT(graze_character_frame, ground, 80);

/* Every function of the header links from C. */
int graze_c_layout_is_checked(void);
int graze_c_layout_is_checked(void) {
    return graze_abi_version() == GRAZE_ABI_VERSION;
}

# The independent reference for rigid bodies in screw motion, for tests and for bench.
if(NOT TARGET graze_verify)
    add_library(graze_verify STATIC
        ${PROJECT_SOURCE_DIR}/tests/rigid/motion_events.cpp
        ${PROJECT_SOURCE_DIR}/tests/rigid/motion_judges.cpp
        ${PROJECT_SOURCE_DIR}/tests/rigid/random_motions.cpp
        ${PROJECT_SOURCE_DIR}/tests/rigid/reference.cpp
        ${PROJECT_SOURCE_DIR}/tests/rigid/reference_bodies.cpp
        ${PROJECT_SOURCE_DIR}/tests/rigid/reference_distance.cpp
        ${PROJECT_SOURCE_DIR}/tests/rigid/reference_events.cpp
        ${PROJECT_SOURCE_DIR}/tests/rigid/reference_inside.cpp)
    target_include_directories(graze_verify PUBLIC ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(graze_verify
        PUBLIC graze_rigid graze_io PRIVATE graze_build_flags graze_quick_build)
endif()

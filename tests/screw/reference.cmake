# The independent reference for rigid bodies in screw motion, for tests and for bench.
if(NOT TARGET graze_screw_reference)
    add_library(graze_screw_reference STATIC
        ${PROJECT_SOURCE_DIR}/tests/screw/motion_events.cpp
        ${PROJECT_SOURCE_DIR}/tests/screw/motion_judges.cpp
        ${PROJECT_SOURCE_DIR}/tests/screw/random_motions.cpp
        ${PROJECT_SOURCE_DIR}/tests/screw/reference.cpp
        ${PROJECT_SOURCE_DIR}/tests/screw/reference_bodies.cpp
        ${PROJECT_SOURCE_DIR}/tests/screw/reference_distance.cpp
        ${PROJECT_SOURCE_DIR}/tests/screw/reference_events.cpp
        ${PROJECT_SOURCE_DIR}/tests/screw/reference_inside.cpp)
    target_include_directories(graze_screw_reference PUBLIC ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(graze_screw_reference
        PUBLIC graze_screw graze_dataset PRIVATE graze_build_flags graze_quick_build)
endif()

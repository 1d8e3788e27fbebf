# Users without CMake, users of meshes who add the sources, and users without oneTBB.

# Compiles by what pkg-config gives, with the plain compiler.
find_program(GRAZE_PKG_CONFIG NAMES pkgconf pkg-config)
mark_as_advanced(GRAZE_PKG_CONFIG)
if(GRAZE_PKG_CONFIG)
    foreach(package IN ITEMS graze graze-mesh)
        if(package STREQUAL "graze-mesh" AND NOT GRAZE_BUILD_MESH)
            continue()
        endif()
        set(source main.cpp)
        if(package STREQUAL "graze-mesh")
            set(source use_mesh.cpp)
        endif()
        string(MAKE_C_IDENTIFIER ${package} name)
        add_test(NAME consumer.asks_pkg_config_for_${name} COMMAND ${CMAKE_COMMAND}
            -DPKG_CONFIG=${GRAZE_PKG_CONFIG}
            -DPACKAGE=${package}
            -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/project/${source}
            -DPREFIX=${CMAKE_CURRENT_BINARY_DIR}/prefix
            -DLIBDIR=${CMAKE_INSTALL_LIBDIR}
            -DPROGRAM=${CMAKE_CURRENT_BINARY_DIR}/by_${name}
            -DCXX_COMPILER=${CMAKE_CXX_COMPILER}
            -P ${CMAKE_CURRENT_SOURCE_DIR}/run_pkg_config.cmake)
        set_tests_properties(consumer.asks_pkg_config_for_${name} PROPERTIES
            TIMEOUT 600 FIXTURES_REQUIRED installed_graze)
    endforeach()
endif()

# Builds graze::mesh once more for each, so it waits for the night: the sources added with no option at
# all but the threads, and the results compared bit by bit.
foreach(threads IN ITEMS tbb std off)
    add_test(NAME consumer.steps_meshes_with_threads_${threads} COMMAND ${CMAKE_COMMAND}
        -DGRAZE_SOURCE_DIR=${PROJECT_SOURCE_DIR}
        -DCONSUMER_DIR=${CMAKE_CURRENT_BINARY_DIR}/threads_${threads}
        -DTHREADS=${threads}
        -DCXX_COMPILER=${CMAKE_CXX_COMPILER}
        -DGENERATOR=${CMAKE_GENERATOR}
        -P ${CMAKE_CURRENT_SOURCE_DIR}/run_threads.cmake)
    set_tests_properties(consumer.steps_meshes_with_threads_${threads} PROPERTIES
        TIMEOUT 900 PROCESSORS 2 LABELS attack FIXTURES_SETUP step_hashes_${threads})
endforeach()
foreach(threads IN ITEMS std off)
    add_test(NAME consumer.threads_${threads}_change_no_bit COMMAND ${CMAKE_COMMAND} -E compare_files
        ${CMAKE_CURRENT_BINARY_DIR}/threads_tbb/hashes.txt
        ${CMAKE_CURRENT_BINARY_DIR}/threads_${threads}/hashes.txt)
    set_tests_properties(consumer.threads_${threads}_change_no_bit PROPERTIES
        LABELS attack FIXTURES_REQUIRED "step_hashes_tbb;step_hashes_${threads}")
endforeach()

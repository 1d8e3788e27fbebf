# Install rules and the find_package(graze) package.
#
# Export sets, so that a user who wants the library alone needs the standard library alone:
#   graze-targets.cmake           core, numerics, narrow, broad, surface, rigid, robot, slide, graze, adapters: always there
#   graze-baselines-targets.cmake component baselines
#   graze-io-targets.cmake        component io (zlib)
#   graze-generate-targets.cmake  component generate (io)
#   graze-urdf-targets.cmake      component urdf (io, urdfdom)
#   graze-mesh-targets.cmake      component mesh (oneTBB, unless GRAZE_THREADS is std or off)
#   graze-oracle-targets.cmake    component oracle (GMP)
#   graze-cuda-targets.cmake      component cuda (mesh, the CUDA runtime)
#   graze-c-targets.cmake         component c, the C interface: a shared library, complete in itself

include(CMakePackageConfigHelpers)
include(graze_threads)  # src/ has it in a scope of its own

set(graze_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/graze)
# Components of the installation, for packages (graze_package.cmake): `runtime` has what programs load,
# c_runtime that of the C interface, `tool` the command line, `dev` all the rest.

# graze_install_module(<module> <export set>): the module's library and its headers.
function(graze_install_module module export_set)
    install(TARGETS graze_${module} EXPORT ${export_set}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT dev
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/graze/${module}
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graze
        FILES_MATCHING PATTERN "*.hpp")
endfunction()

function(graze_install_export export_set)
    install(EXPORT ${export_set} NAMESPACE graze:: DESTINATION ${graze_package_dir})
endfunction()

foreach(module IN ITEMS core narrow broad surface rigid robot slide)
    graze_install_module(${module} graze-targets)
endforeach()
install(TARGETS graze_graze graze_numerics graze_adapters graze_device EXPORT graze-targets)
# The queries of kernels are headers, those of the tiers included.
install(FILES ${PROJECT_SOURCE_DIR}/include/graze/cuda/ccd.cuh
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graze/cuda)
install(FILES ${PROJECT_SOURCE_DIR}/src/narrow/certified/fast_tiers.hpp
    DESTINATION ${graze_device_include_dir}/narrow/certified)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/narrow/certified/tiers
    DESTINATION ${graze_device_include_dir}/narrow/certified)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/adapters/include/graze/adapters
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graze FILES_MATCHING PATTERN "*.hpp")
graze_install_export(graze-targets)

# The entry points, graze/<module>.hpp: that of meshes with the module, the others always.
file(GLOB graze_entry_points CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/graze/*.hpp)
list(FILTER graze_entry_points EXCLUDE REGEX "/mesh\\.hpp$")
install(FILES ${graze_entry_points} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graze)
if(GRAZE_BUILD_MESH)
    install(FILES ${PROJECT_SOURCE_DIR}/include/graze/mesh.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graze)
endif()

set(graze_installed_components "")
foreach(module IN ITEMS baselines io generate urdf mesh cuda oracle verify)
    # A target that is there but not built by default is not installed either.
    if(module STREQUAL "mesh" AND NOT GRAZE_BUILD_MESH)
        continue()
    endif()
    if(TARGET graze_${module})
        list(APPEND graze_installed_components ${module})
        graze_install_module(${module} graze-${module}-targets)
        graze_install_export(graze-${module}-targets)
    endif()
endforeach()

if(TARGET graze_c)
    install(TARGETS graze_c EXPORT graze-c-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT c_runtime NAMELINK_COMPONENT dev
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT c_runtime)
    install(FILES ${PROJECT_SOURCE_DIR}/capi/include/graze.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    graze_install_export(graze-c-targets)
endif()

if(TARGET graze_app)
    graze_install_export(graze-tool-targets)
endif()

configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/cmake/graze-config.cmake.in
    ${PROJECT_BINARY_DIR}/graze-config.cmake
    INSTALL_DESTINATION ${graze_package_dir}
    NO_SET_AND_CHECK_MACRO)
# While the major version is 0, a new minor version may break its users.
write_basic_package_version_file(
    ${PROJECT_BINARY_DIR}/graze-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES
    ${PROJECT_BINARY_DIR}/graze-config.cmake
    ${PROJECT_BINARY_DIR}/graze-config-version.cmake
    DESTINATION ${graze_package_dir})
include(graze_pkg_config)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT licence)

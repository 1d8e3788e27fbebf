# Install rules and the find_package(graze) package.
#
# Export sets, so that a user who wants the library alone needs the standard library alone:
#   graze-targets.cmake           core, numerics, narrow, broad, surface, rigid, slide and graze: always there
#   graze-baselines-targets.cmake component baselines
#   graze-io-targets.cmake        component io (zlib)
#   graze-generate-targets.cmake  component generate (io)
#   graze-mesh-targets.cmake      component mesh (oneTBB)
#   graze-oracle-targets.cmake    component oracle (GMP)

include(CMakePackageConfigHelpers)

set(graze_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/graze)

# graze_install_module(<module> <export set>): the module's library and its headers.
function(graze_install_module module export_set)
    install(TARGETS graze_${module} EXPORT ${export_set}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/graze/${module}
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graze
        FILES_MATCHING PATTERN "*.hpp")
endfunction()

function(graze_install_export export_set)
    install(EXPORT ${export_set} NAMESPACE graze:: DESTINATION ${graze_package_dir})
endfunction()

foreach(module IN ITEMS core narrow broad surface rigid slide)
    graze_install_module(${module} graze-targets)
endforeach()
install(TARGETS graze_graze graze_numerics EXPORT graze-targets)
# The entry points: graze/ccd.hpp and so on.
file(GLOB graze_entry_headers ${PROJECT_SOURCE_DIR}/include/graze/*.hpp)
install(FILES ${graze_entry_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graze)
graze_install_export(graze-targets)

foreach(module IN ITEMS baselines io generate mesh oracle verify)
    if(TARGET graze_${module})
        graze_install_module(${module} graze-${module}-targets)
        graze_install_export(graze-${module}-targets)
    endif()
endforeach()

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
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

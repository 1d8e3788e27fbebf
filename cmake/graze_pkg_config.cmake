# graze.pc, and graze-<component>.pc for each component that is installed.
#
# Archives have no dependencies of their own: whoever links them links these, too. So what a component
# needs is in Requires where graze is static, and in Requires.private where it is shared.

# graze_flags_for_users(<variable>): what headers need besides -std=c++20, as CMake passes it on.
function(graze_flags_for_users variable)
    set(flags "")
    get_target_property(options graze_core INTERFACE_COMPILE_OPTIONS)
    if(options MATCHES "(-ffp-contract=[a-z]+)")
        set(flags " ${CMAKE_MATCH_1}")
    endif()
    set(${variable} "${flags}" PARENT_SCOPE)
endfunction()

# Paths that hold wherever the prefix is moved to: most implementations define pcfiledir.
file(RELATIVE_PATH graze_pc_to_prefix
    ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
graze_flags_for_users(graze_pc_flags)

# graze_add_pkg_config(<name> <description> [LIBRARIES <library>...] [OURS <package>...] [NEEDS <package>...])
#   OURS: packages of graze, whose headers its own headers include; NEEDS: those of others.
function(graze_add_pkg_config name description)
    cmake_parse_arguments(arg "" "" "LIBRARIES;OURS;NEEDS" ${ARGN})
    set(requires ${arg_OURS})
    set(private "")
    if(BUILD_SHARED_LIBS)
        set(private ${arg_NEEDS})
    else()
        list(APPEND requires ${arg_NEEDS})
    endif()
    list(JOIN requires ", " requires)
    list(JOIN private ", " private)
    list(TRANSFORM arg_LIBRARIES PREPEND " -l")
    list(JOIN arg_LIBRARIES "" libraries)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc @ONLY CONTENT
"prefix=\${pcfiledir}/@graze_pc_to_prefix@
includedir=\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
libdir=\${prefix}/@CMAKE_INSTALL_LIBDIR@

Name: @name@
Description: @description@
Version: @PROJECT_VERSION@
Requires: @requires@
Requires.private: @private@
Cflags: -I\${includedir}@graze_pc_flags@
Libs: -L\${libdir}@libraries@
")
    install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# Those that depend on others come first, as linkers of archives want it.
graze_add_pkg_config(graze "Continuous collision detection: queries, rigid bodies, sliding"
    LIBRARIES graze_slide graze_robot graze_rigid graze_surface graze_narrow graze_broad graze_core)
set(graze_pc_description_mesh "Continuous collision detection of deformable meshes")
set(graze_pc_description_io "Readers and writers of queries and meshes for graze")
set(graze_pc_description_generate "Queries, scenes and models from a seed for graze")
set(graze_pc_description_baselines "Methods of the literature to compare graze with")
set(graze_pc_description_oracle "Exact ground truth of continuous collision detection")
set(graze_pc_description_urdf "Robots from URDF and SRDF files for graze")
set(graze_pc_description_cuda "Continuous collision detection of meshes on graphics processors")
set(graze_pc_ours_mesh graze)
set(graze_pc_ours_io graze)
set(graze_pc_ours_generate graze-io)
set(graze_pc_ours_urdf graze-io)
set(graze_pc_ours_cuda graze-mesh)
set(graze_pc_ours_baselines graze)
set(graze_pc_needs_io zlib)
set(graze_pc_needs_oracle gmpxx)
if(graze_threads STREQUAL "tbb")
    set(graze_pc_needs_mesh tbb)
elseif(graze_threads STREQUAL "std")
    set(graze_pc_system_mesh pthread)
endif()
foreach(component IN LISTS graze_installed_components)
    if(component STREQUAL "verify")  # for the project's own tests and tool
        continue()
    endif()
    graze_add_pkg_config(graze-${component} "${graze_pc_description_${component}}"
        LIBRARIES graze_${component} ${graze_pc_system_${component}}
        OURS ${graze_pc_ours_${component}} NEEDS ${graze_pc_needs_${component}})
endforeach()
# A C compiler gets no flag that is for C++.
if(TARGET graze_c)
    set(graze_pc_flags "")
    graze_add_pkg_config(graze-c "Continuous collision detection: the C interface" LIBRARIES graze_c)
endif()

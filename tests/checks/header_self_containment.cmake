# Each public header compiles alone, and twice in a row: one generated source per header, in one object
# library per module, with nothing to lean on but what the module's target gives its users. So do those
# private headers that are included once for each instruction set, *-inl.hpp, here for the portable one.

file(GLOB modules RELATIVE ${PROJECT_SOURCE_DIR}/include/graze CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/include/graze/*)
# graze_add_header_check(<library> <module> <header>...): each header alone, by its name in an include.
function(graze_add_header_check library module)
    set(sources "")
    foreach(header IN LISTS ARGN)
        string(MAKE_C_IDENTIFIER ${header} stem)
        set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${stem}.cpp)
        file(CONFIGURE OUTPUT ${source}
            CONTENT "#include <${header}>\n#include <${header}>  // NOLINT: twice on purpose\n")
        list(APPEND sources ${source})
    endforeach()
    add_library(${library} OBJECT ${sources})
    target_link_libraries(${library} PRIVATE graze_${module} graze_build_flags)
    target_compile_options(${library} PRIVATE -O0)
endfunction()

foreach(module IN LISTS modules)
    if(NOT TARGET graze_${module})
        continue()
    endif()
    file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS
        ${PROJECT_SOURCE_DIR}/include/graze/${module}/*.hpp)
    list(FILTER headers EXCLUDE REGEX "/eigen\\.hpp$")  # lean on Eigen, and are compiled by their own tests
    # A source that includes its own header before all else shows the same, without a precompiled one.
    get_target_property(precompiled graze_${module} PRECOMPILE_HEADERS)
    foreach(header IN LISTS headers)
        if(precompiled)
            break()
        endif()
        string(REGEX REPLACE "^graze/(.*)\\.hpp$" "${PROJECT_SOURCE_DIR}/src/\\1.cpp" source ${header})
        if(EXISTS ${source})
            set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
            file(STRINGS ${source} first REGEX "^#include" LIMIT_COUNT 1)
            if(first STREQUAL "#include \"${header}\"")
                list(REMOVE_ITEM headers ${header})
            endif()
        endif()
    endforeach()
    if(NOT headers)
        continue()
    endif()
    graze_add_header_check(graze_headers_${module} ${module} ${headers})

    file(GLOB_RECURSE inline_headers RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS
        ${PROJECT_SOURCE_DIR}/src/${module}/*-inl.hpp)
    if(inline_headers)
        graze_add_header_check(graze_inline_headers_${module} ${module} ${inline_headers})
        target_include_directories(graze_inline_headers_${module} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    endif()
endforeach()

# The entry points.
if(TARGET graze_mesh)
    graze_add_header_check(graze_headers_entry mesh
        graze/ccd.hpp graze/graze.hpp graze/mesh.hpp graze/rigid.hpp graze/robot.hpp graze/slide.hpp graze/tool.hpp)
    target_link_libraries(graze_headers_entry PRIVATE graze_graze)
endif()

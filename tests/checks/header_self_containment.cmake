# Each public header compiles alone, and twice in a row: one generated source per header, in one object
# library per module, with nothing to lean on but what the module's target gives its users.

file(GLOB modules RELATIVE ${PROJECT_SOURCE_DIR}/include/graze CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/include/graze/*)
foreach(module IN LISTS modules)
    if(NOT TARGET graze_${module})
        continue()
    endif()
    file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS
        ${PROJECT_SOURCE_DIR}/include/graze/${module}/*.hpp)
    list(REMOVE_ITEM headers graze/mesh/eigen.hpp)  # leans on Eigen, and is compiled by its own test
    set(sources "")
    foreach(header IN LISTS headers)
        string(MAKE_C_IDENTIFIER ${header} stem)
        set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${stem}.cpp)
        file(CONFIGURE OUTPUT ${source}
            CONTENT "#include <${header}>\n#include <${header}>  // NOLINT: twice on purpose\n")
        list(APPEND sources ${source})
    endforeach()
    add_library(graze_headers_${module} OBJECT ${sources})
    target_link_libraries(graze_headers_${module} PRIVATE graze_${module} graze_build_flags)
    target_compile_options(graze_headers_${module} PRIVATE -O0)
endforeach()

# Each ```cpp block of the README and of docs/ that is marked with <!-- compile --> is a whole source
# file: it is compiled and, where it has a main, linked and run.

file(GLOB_RECURSE documents RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/docs/*.md)
if(NOT documents)
    return()
endif()
foreach(document IN LISTS documents)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${document})
endforeach()

set(extracted_dir ${CMAKE_CURRENT_BINARY_DIR}/extracted)
file(REMOVE_RECURSE ${extracted_dir})
file(MAKE_DIRECTORY ${extracted_dir})
execute_process(
    COMMAND awk -v out=${extracted_dir} -f ${CMAKE_CURRENT_SOURCE_DIR}/extract_snippets.awk ${documents}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE extracted OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" extracted "${extracted}")

set(graze_snippet_rooms graze::graze)
foreach(module IN ITEMS io generate oracle)
    if(TARGET graze_${module})
        list(APPEND graze_snippet_rooms graze::${module})
    endif()
endforeach()

foreach(file IN LISTS extracted)
    get_filename_component(name ${file} NAME_WE)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/snippets/${name}.cpp)
    configure_file(${file} ${source} COPYONLY)  # leaves an unchanged file, and so its object, alone
    file(STRINGS ${source} main REGEX "int main\\(")
    # A component beyond the modules that every snippet may use.
    set(component "")
    foreach(module IN ITEMS mesh robot tool)
        file(STRINGS ${source} includes REGEX "#include <graze/${module}[./]")
        if(includes)
            set(component ${module})
        endif()
    endforeach()
    set(target graze_${component})
    if(component STREQUAL "tool")
        set(target graze_app)
    endif()
    if(main AND (component STREQUAL "" OR TARGET ${target}))
        add_executable(graze_snippet_${name} ${source})
        if(component)
            target_link_libraries(graze_snippet_${name} PRIVATE graze::${component})
        endif()
        # A program with the command line of the tool is run by its tutorial.
        if(NOT component STREQUAL "tool")
            add_test(NAME snippet.${name} COMMAND graze_snippet_${name})
            set_tests_properties(snippet.${name} PROPERTIES LABELS fast)
        endif()
    else()
        add_library(graze_snippet_${name} OBJECT ${source})
    endif()
    target_link_libraries(graze_snippet_${name} PRIVATE ${graze_snippet_rooms} graze_build_flags)
    target_link_libraries(graze_snippet_${name} PRIVATE graze_quick_build)
    file(STRINGS ${source} needs_eigen REGEX "#include <(Eigen/|graze/mesh/eigen)")
    if(needs_eigen)
        find_package(Eigen3 REQUIRED NO_MODULE)
        target_link_libraries(graze_snippet_${name} PRIVATE Eigen3::Eigen)
    endif()
    # A snippet shows how to get a value, and may leave it at that. On the source, since its options
    # come after those of the target.
    set_source_files_properties(${source} PROPERTIES
        COMPILE_OPTIONS "-Wno-unused;-Wno-unused-const-variable")
endforeach()

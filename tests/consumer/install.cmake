# Installs the build into a fresh prefix inside the build folder.
#   GRAZE_BINARY_DIR, PREFIX
file(REMOVE_RECURSE ${PREFIX})
execute_process(
    COMMAND ${CMAKE_COMMAND} --install ${GRAZE_BINARY_DIR} --prefix ${PREFIX}
    OUTPUT_VARIABLE log ERROR_VARIABLE log RESULT_VARIABLE status)
if(NOT status EQUAL 0)
    message("${log}")
    message(FATAL_ERROR "cmake --install failed: ${status}")
endif()

# A package that names this machine's folders works here and nowhere else.
file(GLOB_RECURSE package_files ${PREFIX}/*.cmake)
foreach(package_file IN LISTS package_files)
    file(READ ${package_file} text)
    string(FIND "${text}" "${GRAZE_BINARY_DIR}" place)
    if(NOT place EQUAL -1)
        message(FATAL_ERROR "${package_file} names the build folder ${GRAZE_BINARY_DIR}")
    endif()
endforeach()

# cmake -DMODULE=<embed_binary.cmake> -DWORK=<scratch folder> -P embed_binary_test.cmake
# A small project that embeds: it must not configure over an empty folder, and must notice new files.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/data)
file(WRITE ${WORK}/CMakeLists.txt "
cmake_minimum_required(VERSION 3.22)
project(embeds LANGUAGES NONE)
include(${MODULE})
graze_embed_queries(output ${WORK}/data)
add_custom_target(embed ALL DEPENDS \${output})
")

# check_fails(<command>...): it fails, and its one reason names the folder.
function(check_fails)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE text)
    string(REGEX REPLACE "[ \n]+" " " text "${text}")
    string(FIND "${text}" "${WORK}/data: holds no query set" place)
    if(result EQUAL 0 OR place EQUAL -1)
        message(FATAL_ERROR "expected a failure that names ${WORK}/data, got ${result}: ${text}")
    endif()
endfunction()

# check_embedded(<count>): a build embeds that many sets.
function(check_embedded count)
    execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/build
        RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "the build failed: ${text}")
    endif()
    file(READ ${WORK}/build/generated/embedded_sets.cpp source)
    string(FIND "${source}" "std::array<EmbeddedSet, ${count}>" place)
    if(place EQUAL -1)
        message(FATAL_ERROR "expected ${count} sets in: ${source}")
    endif()
endfunction()

set(configure ${CMAKE_COMMAND} -S ${WORK} -B ${WORK}/build -G ${GENERATOR})
check_fails(${configure})
check_fails(${CMAKE_COMMAND} -DOUTPUT=${WORK}/none.cpp -DFOLDER=${WORK}/data -P ${MODULE})

file(WRITE ${WORK}/data/near.vf.gzq "bytes")
execute_process(COMMAND ${configure} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
check_embedded(1)
file(WRITE ${WORK}/data/wild.ee.gzq "bytes")
check_embedded(2)
file(REMOVE ${WORK}/data/near.vf.gzq)
check_embedded(1)
file(REMOVE_RECURSE ${WORK})

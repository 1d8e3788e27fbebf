# Configures, builds and runs the consumer project from scratch.
#   WAY                package (find_package in PREFIX) or subdirectory (add_subdirectory of the sources)
#   VERSION            the version that the consumer asks for (package only; default: any)
#   COMPONENTS         the components that the consumer asks for, with commas between (package only)
#   EXPECTED_FAILURE   if set, configuring must fail and say this
#   GRAZE_SOURCE_DIR, CONSUMER_DIR, PREFIX, CXX_COMPILER, GENERATOR, BUILD_TYPE

function(run_or_fail what)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE log ERROR_VARIABLE log RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message("${log}")  # apart from the error, whose text CMake would reflow
        message(FATAL_ERROR "${what} failed: ${status}")
    endif()
endfunction()

function(expect_failure text)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE log ERROR_VARIABLE log RESULT_VARIABLE status)
    string(REGEX REPLACE "[ \n]+" " " log "${log}")  # CMake breaks long messages over lines
    string(FIND "${log}" "${text}" place)
    if(status EQUAL 0)
        message(FATAL_ERROR "configuring succeeded, but should have failed with: ${text}")
    elseif(place EQUAL -1)
        message("${log}")
        message(FATAL_ERROR "configuring failed, but without saying: ${text}")
    endif()
endfunction()

set(configure ${CMAKE_COMMAND}
    -S ${CMAKE_CURRENT_LIST_DIR}/project -B ${CONSUMER_DIR} -G ${GENERATOR}
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_BUILD_TYPE=${BUILD_TYPE})
if(WAY STREQUAL "package")
    list(APPEND configure -DCMAKE_PREFIX_PATH=${PREFIX} -DCONSUMER_VERSION=${VERSION}
        -DCONSUMER_COMPONENTS=${COMPONENTS})
else()
    list(APPEND configure -DCONSUMER_SOURCE_TREE=${GRAZE_SOURCE_DIR})
endif()

file(REMOVE_RECURSE ${CONSUMER_DIR})
if(EXPECTED_FAILURE)
    expect_failure("${EXPECTED_FAILURE}" ${configure})
    return()
endif()
run_or_fail("configuring the consumer" ${configure})
run_or_fail("building the consumer" ${CMAKE_COMMAND} --build ${CONSUMER_DIR})
run_or_fail("the consumer" ${CONSUMER_DIR}/consumer)
foreach(program IN ITEMS hash_plain hash_fast_math)
    execute_process(COMMAND ${CONSUMER_DIR}/${program} OUTPUT_VARIABLE ${program} RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${program} failed: ${status} ${${program}}")
    endif()
endforeach()
if(NOT hash_plain STREQUAL hash_fast_math)
    message(FATAL_ERROR "-ffast-math changes answers: ${hash_plain} and ${hash_fast_math}")
endif()
string(REPLACE "," ";" components "${COMPONENTS}")
foreach(component IN LISTS components)
    run_or_fail("the user of ${component}" ${CONSUMER_DIR}/use_${component})
endforeach()

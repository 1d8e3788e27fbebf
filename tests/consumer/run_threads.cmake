# Adds graze's sources to the project in threads/, builds it with GRAZE_THREADS and keeps what it prints.
#   GRAZE_SOURCE_DIR, CONSUMER_DIR, THREADS, CXX_COMPILER, GENERATOR
function(run_or_fail what)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE log ERROR_VARIABLE log RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message("${log}")
        message(FATAL_ERROR "${what} failed: ${status}")
    endif()
    set(log "${log}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${CONSUMER_DIR})
run_or_fail("configuring" ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/threads -B ${CONSUMER_DIR}
    -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_BUILD_TYPE=Debug
    -DCMAKE_CXX_FLAGS_DEBUG=-O1 -DGRAZE_THREADS=${THREADS} -DGRAZE_SOURCE_TREE=${GRAZE_SOURCE_DIR})
run_or_fail("building" ${CMAKE_COMMAND} --build ${CONSUMER_DIR} --target step_hashes)
run_or_fail("the program" ${CONSUMER_DIR}/step_hashes)
file(WRITE ${CONSUMER_DIR}/hashes.txt "${log}")

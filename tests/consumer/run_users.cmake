# Configures, builds and runs the programs of examples/users, each of at most 25 lines.
#   SOURCES, CONSUMER_DIR, PREFIX, CXX_COMPILER, GENERATOR
function(run what)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${CONSUMER_DIR}
        OUTPUT_VARIABLE log ERROR_VARIABLE log RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message("${log}")
        message(FATAL_ERROR "${what} failed: ${status}")
    endif()
endfunction()

file(REMOVE_RECURSE ${CONSUMER_DIR})
file(MAKE_DIRECTORY ${CONSUMER_DIR})
run("configuring" ${CMAKE_COMMAND} -S ${SOURCES} -B ${CONSUMER_DIR} -G ${GENERATOR}
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_PREFIX_PATH=${PREFIX})
run("building" ${CMAKE_COMMAND} --build ${CONSUMER_DIR})
foreach(program IN ITEMS simulation game robot)
    run(${program} ${CONSUMER_DIR}/${program})
endforeach()
run("research" ${CONSUMER_DIR}/research bench --quick --methods midpoint,certified)
file(GLOB programs ${SOURCES}/*.cpp)
foreach(program IN LISTS programs)
    file(STRINGS ${program} lines)
    list(LENGTH lines count)
    if(count GREATER 25)
        message(FATAL_ERROR "${program} has ${count} lines")
    endif()
endforeach()

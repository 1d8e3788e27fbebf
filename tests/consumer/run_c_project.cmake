# Builds and runs SOURCE, in C, against the installed package: by CMake, and by pkg-config where it is there.
#   SOURCE, PROJECT, PREFIX, LIBDIR, CONSUMER_DIR, C_COMPILER, GENERATOR
function(run what)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE log ERROR_VARIABLE log RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message("${log}")
        message(FATAL_ERROR "${what} failed: ${status}")
    endif()
endfunction()

file(REMOVE_RECURSE ${CONSUMER_DIR})
run("configuring" ${CMAKE_COMMAND} -S ${PROJECT} -B ${CONSUMER_DIR} -G ${GENERATOR}
    -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_PREFIX_PATH=${PREFIX} -DCONSUMER_SOURCE=${SOURCE})
run("building" ${CMAKE_COMMAND} --build ${CONSUMER_DIR})
run("the program" ${CONSUMER_DIR}/program)

find_program(pkg_config NAMES pkgconf pkg-config)
if(NOT pkg_config)
    return()
endif()
set(ENV{PKG_CONFIG_PATH} ${PREFIX}/${LIBDIR}/pkgconfig:$ENV{PKG_CONFIG_PATH})
execute_process(COMMAND ${pkg_config} --cflags --libs graze-c
    OUTPUT_VARIABLE flags ERROR_VARIABLE log RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "pkg-config graze-c: ${log}")
endif()
separate_arguments(flags UNIX_COMMAND "${flags}")
run("compiling by ${flags}" ${C_COMPILER} -std=c99 ${SOURCE} -o ${CONSUMER_DIR}/by_pkg_config ${flags})
set(ENV{LD_LIBRARY_PATH} ${PREFIX}/${LIBDIR}:$ENV{LD_LIBRARY_PATH})
run("the program by pkg-config" ${CONSUMER_DIR}/by_pkg_config)

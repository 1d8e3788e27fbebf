# Compiles, links and runs SOURCE by what pkg-config says of PACKAGE, without CMake.
#   PKG_CONFIG, PACKAGE, SOURCE, PREFIX, LIBDIR, PROGRAM, CXX_COMPILER
set(ENV{PKG_CONFIG_PATH} ${PREFIX}/${LIBDIR}/pkgconfig:$ENV{PKG_CONFIG_PATH})

function(run_or_fail what)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE log ERROR_VARIABLE log RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message("${log}")
        message(FATAL_ERROR "${what} failed: ${status}")
    endif()
endfunction()

execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${PACKAGE}
    OUTPUT_VARIABLE flags ERROR_VARIABLE complaint RESULT_VARIABLE status
    OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "pkg-config ${PACKAGE}: ${complaint}")
endif()
separate_arguments(flags UNIX_COMMAND "${flags}")
run_or_fail("compiling by ${flags}" ${CXX_COMPILER} -std=c++20 ${SOURCE} -o ${PROGRAM} ${flags})
run_or_fail("the program" ${PROGRAM})

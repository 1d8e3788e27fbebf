# cmake -D nvcc=... -D root=... -D source=... -D program=... -P compile_and_run.cmake
# -fmad=false: no product is fused with a sum, as on the host.
execute_process(
    COMMAND ${nvcc} -std=c++20 -O2 -fmad=false --expt-relaxed-constexpr -arch=sm_80 -Xcompiler -ffp-contract=off
        -I ${root}/include -I ${root}/src -o ${program} ${source}
    RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "nvcc does not compile ${source}")
endif()
execute_process(COMMAND ${program} RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "host and device differ")
endif()

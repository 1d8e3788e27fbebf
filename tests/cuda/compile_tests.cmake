# Where nvcc is installed, the code for graphics processors has to compile for them, whatever this build
# holds; without a device the program says so.
find_program(GRAZE_NVCC nvcc HINTS /usr/local/cuda/bin)
if(GRAZE_NVCC AND NOT GRAZE_SANITIZE)
    set(source ${PROJECT_SOURCE_DIR}/tests/cuda/device_queries.cu)
    set(flags -std=c++20 -fmad=false --expt-relaxed-constexpr -Werror=cross-execution-space-call -Xcompiler=-ffp-contract=off
        -I ${PROJECT_SOURCE_DIR}/include -I ${PROJECT_SOURCE_DIR}/src)
    # Optimised for both generations it takes minutes: that is for the night.
    foreach(part IN ITEMS method search stepper trees)
        set(object ${CMAKE_CURRENT_BINARY_DIR}/${part}_device)
        set(unit ${PROJECT_SOURCE_DIR}/src/cuda/${part}.cu)
        add_test(NAME cuda.${part}_compiles
            COMMAND ${GRAZE_NVCC} ${flags} -arch=sm_80 -Xptxas -O0 -c -o ${object}.o ${unit})
        set_tests_properties(cuda.${part}_compiles PROPERTIES LABELS fast TIMEOUT 900)
        add_test(NAME cuda.${part}_compiles_for_sm_80_and_sm_90
            COMMAND ${GRAZE_NVCC} ${flags} -gencode arch=compute_80,code=sm_80
                -gencode arch=compute_90,code=sm_90 -c -o ${object}_both.o ${unit})
        set_tests_properties(cuda.${part}_compiles_for_sm_80_and_sm_90
            PROPERTIES LABELS attack TIMEOUT 900)
    endforeach()
    foreach(program IN ITEMS device_steps device_pairs device_header)
        add_test(NAME cuda.${program}_compiles
            COMMAND ${GRAZE_NVCC} ${flags} -arch=sm_80 -Xptxas -O0 -c -o ${CMAKE_CURRENT_BINARY_DIR}/${program}.o
                ${PROJECT_SOURCE_DIR}/tests/cuda/${program}.cu)
        set_tests_properties(cuda.${program}_compiles PROPERTIES LABELS attack TIMEOUT 900)
    endforeach()
    # Alone: this one is linked with nothing of the library.
    set(program ${CMAKE_CURRENT_BINARY_DIR}/device_queries)
    add_test(NAME cuda.device_and_host_agree
        COMMAND sh -c "${GRAZE_NVCC} \"$@\" && ${program}" sh ${flags} -arch=sm_80 -Xptxas -O0 -o ${program} ${source})
    set_tests_properties(cuda.device_and_host_agree PROPERTIES LABELS fast TIMEOUT 600)
endif()

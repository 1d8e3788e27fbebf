# Where nvcc is installed, the code for graphics processors has to compile for them, whatever this build
# holds; without a device the program says so.
find_program(GRAZE_NVCC nvcc HINTS /usr/local/cuda/bin)
if(GRAZE_NVCC AND NOT GRAZE_SANITIZE)
    set(source ${PROJECT_SOURCE_DIR}/tests/cuda/device_queries.cu)
    set(flags -std=c++20 -fmad=false --expt-relaxed-constexpr -Xcompiler=-ffp-contract=off
        -I ${PROJECT_SOURCE_DIR}/include -I ${PROJECT_SOURCE_DIR}/src)
    foreach(architecture IN ITEMS 80 90)
        add_test(NAME cuda.stepper_compiles_for_sm_${architecture}
            COMMAND ${GRAZE_NVCC} ${flags} -arch=sm_${architecture} -c
                -o ${CMAKE_CURRENT_BINARY_DIR}/stepper_${architecture}.o
                ${PROJECT_SOURCE_DIR}/src/cuda/stepper.cu)
        set_tests_properties(cuda.stepper_compiles_for_sm_${architecture} PROPERTIES LABELS fast TIMEOUT 600)
    endforeach()
    set(program ${CMAKE_CURRENT_BINARY_DIR}/device_queries)
    add_test(NAME cuda.device_and_host_agree
        COMMAND sh -c "${GRAZE_NVCC} \"$@\" && ${program}" sh ${flags} -arch=sm_80 -o ${program} ${source})
    set_tests_properties(cuda.device_and_host_agree PROPERTIES LABELS fast TIMEOUT 600)
endif()

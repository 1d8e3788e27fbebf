# Whether the tool is built with MPI: GRAZE_BUILD_MPI is ON, OFF or AUTO (where it is found).
# Sets graze_builds_mpi.
set(GRAZE_BUILD_MPI AUTO CACHE STRING "Build the tool for mpirun: ON, OFF, or AUTO where MPI is found")
set_property(CACHE GRAZE_BUILD_MPI PROPERTY STRINGS AUTO ON OFF)

set(graze_builds_mpi OFF)
if(GRAZE_BUILD_MPI STREQUAL "AUTO")
    # A cross compiler finds the MPI of the machine that it runs on.
    if(NOT CMAKE_CROSSCOMPILING)
        set(MPI_CXX_SKIP_MPICXX ON)
        find_package(MPI QUIET COMPONENTS CXX)
        set(graze_builds_mpi ${MPI_CXX_FOUND})
    endif()
elseif(GRAZE_BUILD_MPI)
    set(MPI_CXX_SKIP_MPICXX ON)
    find_package(MPI REQUIRED COMPONENTS CXX)
    set(graze_builds_mpi ON)
endif()

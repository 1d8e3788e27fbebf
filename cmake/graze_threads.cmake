# On which threads whole meshes and comparisons are worked out. No result depends on it.
#   GRAZE_THREADS   tbb: those of oneTBB; std: new std::threads; off: the calling thread alone
set(GRAZE_THREADS tbb CACHE STRING "Threads of mesh and verify: tbb (oneTBB), std (std::thread), or off (one thread)")
set_property(CACHE GRAZE_THREADS PROPERTY STRINGS tbb std off)
string(TOLOWER "${GRAZE_THREADS}" graze_threads)
if(NOT graze_threads MATCHES "^(tbb|std|off)$")
    message(FATAL_ERROR "GRAZE_THREADS is '${GRAZE_THREADS}', but must be tbb, std or off")
endif()

set(graze_has_threads_of_choice TRUE)
if(graze_threads STREQUAL "tbb")
    find_package(TBB QUIET)
    if(NOT TBB_FOUND)
        set(graze_has_threads_of_choice FALSE)
    endif()
elseif(graze_threads STREQUAL "std")
    find_package(Threads REQUIRED)
endif()

# graze_link_threads(<module>): the module's sources include mesh/threads.hpp or ask for
# GRAZE_THREADS_TBB or GRAZE_THREADS_STD.
function(graze_link_threads module)
    if(NOT graze_has_threads_of_choice)
        message(FATAL_ERROR "graze_${module} needs oneTBB, which was not found. "
            "Install it (libtbb-dev), or configure with -DGRAZE_THREADS=std or off.")
    endif()
    if(graze_threads STREQUAL "tbb")
        target_link_libraries(graze_${module} PRIVATE TBB::tbb)
        target_compile_definitions(graze_${module} PRIVATE GRAZE_THREADS_TBB)
    elseif(graze_threads STREQUAL "std")
        target_link_libraries(graze_${module} PRIVATE Threads::Threads)
        target_compile_definitions(graze_${module} PRIVATE GRAZE_THREADS_STD)
    endif()
endfunction()

// What the program `graze` needs of MPI, behind a table of functions: the shared object that has them is
// loaded when mpirun or srun started several processes, and never otherwise. So the program starts, and
// is installed, without MPI.
#pragma once

#include <cstddef>

extern "C" {

struct GrazeMpiCalls {
    // False where MPI cannot be initialised.
    bool (*start)(int* rank, int* size);
    void (*send)(int to, const unsigned char* bytes, std::size_t count);
    // The next message that has arrived: who sent it and how long it is. It is received next.
    bool (*probe)(int* from, std::size_t* count);
    void (*receive)(int from, unsigned char* bytes, std::size_t count);
    void (*finish)();
    void (*abort)(int exit_code);
};

// The name by which the table is found.
using GrazeMpiTable = const GrazeMpiCalls* (*)();
}

inline constexpr const char* kMpiTableName = "graze_mpi_calls";
inline constexpr const char* kMpiPluginName = "graze_mpi.so";

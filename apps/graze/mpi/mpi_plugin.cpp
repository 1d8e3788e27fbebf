// The shared object graze_mpi.so: messages by MPI, all on one communicator and from one thread.
#include "mpi/mpi_plugin.hpp"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

namespace {

constexpr int kTag = 1;

bool start(int* rank, int* size) {
    int level = 0;
    // Other threads compute; this one alone speaks.
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) return false;
    return level >= MPI_THREAD_FUNNELED && MPI_Comm_rank(MPI_COMM_WORLD, rank) == MPI_SUCCESS &&
           MPI_Comm_size(MPI_COMM_WORLD, size) == MPI_SUCCESS;
}

void send(int to, const unsigned char* bytes, std::size_t count) {
    MPI_Send(bytes, static_cast<int>(count), MPI_UNSIGNED_CHAR, to, kTag, MPI_COMM_WORLD);
}

bool probe(int* from, std::size_t* count) {
    int is_there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &is_there, &status);
    if (is_there == 0) return false;
    int length = 0;
    MPI_Get_count(&status, MPI_UNSIGNED_CHAR, &length);
    *from = status.MPI_SOURCE;
    *count = static_cast<std::size_t>(length);
    return true;
}

void receive(int from, unsigned char* bytes, std::size_t count) {
    MPI_Recv(bytes, static_cast<int>(count), MPI_UNSIGNED_CHAR, from, kTag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

void finish() {
    MPI_Finalize();
}

void abort_all(int exit_code) {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
}

constexpr GrazeMpiCalls kCalls = {&start, &send, &probe, &receive, &finish, &abort_all};

}  // namespace

extern "C" [[gnu::visibility("default")]] const GrazeMpiCalls* graze_mpi_calls() {
    return &kCalls;
}

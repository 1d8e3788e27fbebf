// Is this process one of several of one run, and how does it meet the others?
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cluster/block_run.hpp"

namespace graze::app {

// Of a variable of the environment; null where it is not set.
using Environment = std::function<const char*(const char*)>;
[[nodiscard]] Environment process_environment();

// What a launcher (mpirun, srun) left in the environment.
struct Launch {
    int ranks = 1;
    int rank = 0;
    int local_rank = 0;  // among those of this machine
};
// Of Open MPI, of PMI (MPICH and its relatives) and of srun. A shell within an allocation of Slurm has
// SLURM_NTASKS too, and is one process all the same: only the variables of a step of srun count.
[[nodiscard]] Launch launch_of(const Environment& environment);

// The devices that this rank is to see, as CUDA_VISIBLE_DEVICES names them: one, taken in turn by the
// ranks of a machine, of those named in it, or else of `devices` in all. Nothing where there is none.
[[nodiscard]] std::optional<std::string> device_of_rank(const Launch& launch,
                                                        const char* visible_devices, int devices);

// How a program that was built with MPI joins the others; valid until the process ends.
using JoinRanks = Expected<Transport*> (*)();
void set_join_ranks(JoinRanks join) noexcept;

// Joins the other ranks where a launcher started several. Errors: the program was built without MPI, or
// MPI cannot be loaded.
[[nodiscard]] Expected<void> join_ranks();
// Before the process ends, unless a signal ends it. `failure`: empty where the command succeeded.
void leave_ranks(const std::string& failure);

}  // namespace graze::app

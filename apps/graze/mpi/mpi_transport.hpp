// Messages by MPI, for the program `graze` where it is built with it.
#pragma once

#include "cluster/transport.hpp"
#include "graze/core/expected.hpp"

namespace graze::app {

// Loads MPI and joins the other ranks; call it once. The transport lives until the process ends.
[[nodiscard]] Expected<Transport*> join_by_mpi();

}  // namespace graze::app

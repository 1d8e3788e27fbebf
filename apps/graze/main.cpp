#include "cli/device.hpp"
#include "commands/commands.hpp"
#include "graze/tool.hpp"
#include "graze/verify/heap_probe.hpp"
#if defined(GRAZE_HAS_MPI)
#include "cluster/launch.hpp"
#include "mpi/mpi_transport.hpp"
#endif
#if defined(GRAZE_HAS_SIM)
#include "simulations/simulated_items.hpp"
#endif

int main(int argc, char** argv) {
    graze::verify::set_heap_probe(graze::verify::counting_heap_probe());
    graze::app::add_command_of_program(graze::app::add_robot_command);
#if defined(GRAZE_HAS_SIM)
    graze::app::add_command_of_program(graze::app::add_sim_command);
    graze::app::add_simulated_items();
#endif
#if defined(GRAZE_HAS_CUDA)
    graze::app::set_device_hooks(graze::app::cuda_hooks());
#endif
#if defined(GRAZE_HAS_MPI)
    graze::app::set_join_ranks(graze::app::join_by_mpi);
#endif
    return graze::run_tool(argc, argv);
}

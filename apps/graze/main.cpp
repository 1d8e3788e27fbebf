#include "graze/tool.hpp"
#include "graze/verify/heap_probe.hpp"

int main(int argc, char** argv) {
    graze::verify::set_heap_probe(graze::verify::counting_heap_probe());
    return graze::run_tool(argc, argv);
}

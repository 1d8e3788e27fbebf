// The input is an STL file, ascii or binary, plain or gzip. What is read must be whole triangles.
#include "fuzz_mesh.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace graze::io;
    const auto mesh = read_polygons(bytes_in_memory({data, size}), "in", MeshFormat::Stl);
    if (!mesh) {
        fuzz::require_clear(mesh.error());
        return 0;
    }
    fuzz::require(mesh->positions.size() == 3 * mesh->polygons.size(), "corners come in threes");
    fuzz::require_mesh(*mesh);
    return 0;
}

// The input is a PLY file, plain or gzip. What is read must be a mesh: finite, every index there.
#include "fuzz_input.hpp"
#include "io/ply_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace graze::io;
    const auto mesh = read_ply(fuzz::reader_over({data, size}));
    if (!mesh) {
        fuzz::require_clear(mesh.error());
        return 0;
    }
    for (const graze::Vec3& vertex : mesh->vertices) {
        fuzz::require(is_finite(vertex), "coordinates are finite");
    }
    for (std::size_t i = 0; i < mesh->polygons.size(); ++i) {
        for (const std::uint32_t corner : mesh->polygons[i]) {
            fuzz::require(corner < mesh->vertices.size(), "corners are vertices");
        }
    }
    for (const auto& edge : mesh->edges) {
        fuzz::require(edge[0] < mesh->vertices.size() && edge[1] < mesh->vertices.size(),
                      "edges join vertices");
    }
    return 0;
}

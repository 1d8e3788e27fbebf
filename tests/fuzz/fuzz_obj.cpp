// The input is an OBJ file, plain or gzip. What is read must be a mesh, before and after polygons
// are cut to triangles.
#include "fuzz_mesh.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace graze::io;
    const auto mesh = read_obj(fuzz::reader_over({data, size}));
    if (!mesh) {
        fuzz::require_clear(mesh.error());
        return 0;
    }
    fuzz::require_mesh(*mesh);
    fuzz::require_triangles(*mesh);
    return 0;
}

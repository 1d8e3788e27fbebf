// The input is a JSON list of pairs of boxes, used on a small mesh.
#include "fuzz_input.hpp"
#include "io/frame_stream.hpp"
#include "io/json_lists.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace graze::io;
    const std::vector<graze::FaceIndices> faces = {{0, 1, 2}, {0, 2, 3}};
    const std::vector<graze::EdgeIndices> edges = {{1, 4}};
    const BoxedStep step{{std::vector<graze::Vec3>(5), std::vector<graze::Vec3>(5), faces, edges},
                         box_edges(faces, edges)};
    BoxPairReader reader(fuzz::reader_over({data, size}));
    while (true) {
        const auto pair = reader.next();
        if (!pair) fuzz::require_clear(pair.error());
        if (!pair || !*pair) return 0;
        for (const auto kind : graze::kAllQueryKinds) {
            const auto record = query_of_boxes(step, kind, **pair);
            fuzz::require(record || (**pair)[0] > 4 || (**pair)[1] != 0 ||
                              kind != graze::QueryKind::VertexVertex,
                          "two vertices make a query");
        }
    }
}

// The input is a JSON list of pairs of boxes, used on a small mesh.
#include "fuzz_input.hpp"
#include "graze/io/frames.hpp"
#include "io/json_lists.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace graze::io;
    const std::vector<std::array<std::uint32_t, 3>> faces = {{0, 1, 2}, {0, 2, 3}};
    const FramePair frames{std::vector<graze::Vec3>(5), std::vector<graze::Vec3>(5),
                           box_edges(faces, {{1, 4}}), faces};
    BoxPairReader reader(fuzz::reader_over({data, size}));
    while (true) {
        const auto pair = reader.next();
        if (!pair) fuzz::require_clear(pair.error());
        if (!pair || !*pair) return 0;
        for (const auto kind : graze::kAllQueryKinds) {
            const auto record = query_of_boxes(frames, kind, **pair);
            fuzz::require(record || (**pair)[0] > 4 || (**pair)[1] != 0 ||
                              kind != graze::QueryKind::VertexVertex,
                          "two vertices make a query");
        }
    }
}

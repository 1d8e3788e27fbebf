// The input is a JSON list of truths.
#include "fuzz_input.hpp"
#include "io/json_lists.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace graze::io;
    TruthReader reader(fuzz::reader_over({data, size}));
    while (true) {
        const auto truth = reader.next();
        if (!truth) fuzz::require_clear(truth.error());
        if (!truth || !*truth) return 0;
    }
}

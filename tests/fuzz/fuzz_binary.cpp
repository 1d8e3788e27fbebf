// The first byte chooses the kind, and whether the rest gets a checksum that fits, so that the
// fuzzer is not stopped by the checksum alone.
#include "fuzz_input.hpp"
#include "graze/io/binary_form.hpp"
#include "graze/io/crc64.hpp"
#include "io/binary_stream.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace graze::io;
    if (size == 0) return 0;
    const auto kind = graze::kAllQueryKinds[data[0] % graze::kAllQueryKinds.size()];
    std::vector<unsigned char> bytes(data + 1, data + size);
    if ((data[0] & 4) != 0) {
        Crc64 crc;
        crc.add(bytes);
        binary_form::append(bytes, crc.value());
    }
    const auto stream = binary_stream(fuzz::reader_over(bytes), kind);
    if (!stream) {
        fuzz::require_clear(stream.error());
        return 0;
    }
    fuzz::drain(**stream, [&](const QueryRecord& record) {
        fuzz::require(!binary_form::defect(record, kind), "records are sound");
    });
    return 0;
}

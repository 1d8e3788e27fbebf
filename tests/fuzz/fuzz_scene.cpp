// The input is a scene of `graze sim`. What is read has finite positions and indices of vertices that there are. Numbers
// of two digits and more are left out: they are a matter of memory, which a scene may ask for, and not of the reader.
#include <algorithm>
#include <cctype>
#include <filesystem>

#include "fuzz_input.hpp"
#include "graze/sim/scene.hpp"

namespace {

bool has_a_large_number(std::string_view text) {
    int digits = 0;
    bool is_fraction = false;
    for (const char c : text) {
        const bool is_digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
        if (digits > 0 && (c == 'e' || c == 'E')) return true;
        if (c == '.') is_fraction = true;
        if (!is_digit && c != '.') is_fraction = false;
        digits = is_digit ? digits + 1 : 0;
        if (digits > 1 && !is_fraction) return true;
    }
    return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using graze::io::fuzz::require;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    // A scene that is built in takes its time, and no bytes of the input.
    if (has_a_large_number(text) || text.find("\"scene\"") != std::string_view::npos) return 0;
    const auto model = graze::sim::scene_from_json(text, "no/such/folder");
    if (!model) {
        require(model.error().message.find('\n') == std::string::npos, "an error is one line");
        return 0;
    }
    for (const graze::Vec3& x : model->rest)
        require(graze::is_finite(x), "positions are finite");
    for (const graze::FaceIndices& face : model->surface.faces) {
        for (const std::uint32_t v : face)
            require(v < model->rest.size(), "faces are made of vertices");
    }
    return 0;
}

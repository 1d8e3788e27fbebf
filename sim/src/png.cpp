#include <png.h>

#include <string>

#include "graze/io/atomic_file.hpp"
#include "graze/sim/render.hpp"

namespace graze::sim {

Expected<std::vector<std::uint8_t>> to_png(const Image& image) {
    if (image.rgb.size() != std::size_t{3} * image.width * image.height)
        return Error{"an image has three bytes per pixel", ErrorCode::WrongSize};
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width = image.width;
    png.height = image.height;
    png.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
    std::vector<std::uint8_t> bytes(size);
    if (png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr) == 0)
        return Error{std::string("PNG: ") + png.message, ErrorCode::CannotWrite};
    bytes.resize(size);
    return bytes;
}

Expected<void> write_png(const std::filesystem::path& path, const Image& image) {
    const auto bytes = to_png(image);
    if (!bytes) return bytes.error();
    auto file = io::AtomicFile::create(path, io::Packing::Plain);
    if (!file) return file.error();
    if (const auto written = (*file)->write(*bytes); !written) return written.error();
    return (*file)->commit();
}

}  // namespace graze::sim

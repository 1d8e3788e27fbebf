#include "graze/sim/picture.hpp"

namespace graze::sim {

Expected<std::string> picture_png(const Model&, std::span<const Vec3>, const PictureOptions&) {
    return Error{"pictures are not there yet", ErrorCode::Unsupported};
}

std::string run_page(const Model&, std::span<const FrameStats>, std::span<const std::string>) {
    return {};
}

}  // namespace graze::sim

// Pictures of states and the page of a run.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/sim/model.hpp"

namespace graze::sim {

struct PictureOptions {
    int width = 640;  // pixels
    int height = 480;
};

// The bytes of a PNG file: the surface of the model at these positions, seen from a fixed direction, so
// that the start and all that scripts move would be in view.
[[nodiscard]] Expected<std::string> picture_png(const Model& model, std::span<const Vec3> x,
                                                const PictureOptions& options = {});

// One page (HTML) with plots of the statistics by frame and the pictures, named relative to it.
[[nodiscard]] std::string run_page(const Model& model, std::span<const FrameStats> frames,
                                   std::span<const std::string> pictures);

}  // namespace graze::sim

#include "reproduce/buss2005_figures.hpp"
#include "reproduce/buss2005_sections.hpp"
#include "reproduce/item.hpp"

namespace graze::app {
namespace {

constexpr std::string_view kDiagram = "a diagram that explains; nothing is measured in it";

ReproduceItem made(std::string_view id, std::string_view title,
                   Expected<Reproduction> (*run)(const ReproduceOptions&)) {
    return {Paper::Buss2005, id, title, ItemStatus::Reproduced, "", run};
}
ReproduceItem not_made(std::string_view id, std::string_view title, std::string_view reason) {
    return {Paper::Buss2005, id, title, ItemStatus::NotReproducible, reason, nullptr};
}

}  // namespace

std::vector<ReproduceItem> buss2005_items() {
    return {
        made("section-1", "Bodies that are not closed, or no manifolds",
             &reproduce_buss_open_bodies),
        not_made("figure-1", "Two interpenetrating squares", kDiagram),
        made("figure-2", "Collisions of rectangles, and the response to all of them at once",
             &reproduce_buss_figure_2),
        made("section-3", "Cars at 150 mph in steps of a thirtieth of a second",
             &reproduce_buss_fast_cars),
        made("section-4", "Screw motions: equations 1 to 4", &reproduce_buss_screw_motion),
        not_made("figure-3", "The point u on the rotation axis", kDiagram),
        made("figure-4", "Forward and backward facing sides of a square", &reproduce_buss_figure_4),
        made("figure-5", "Backward facing faces of a cube that spirals", &reproduce_buss_figure_5),
        made("section-4.3", "Table of the error of the screw motion (equation 5)",
             &reproduce_buss_error_table),
        not_made("figure-6", "Arc and chord of equation 5", kDiagram),
        made("section-5", "Types of collisions; properness by equations 6 and 7",
             &reproduce_buss_properness),
        not_made("figure-7", "Tangents at a collision", kDiagram),
        made("section-7", "Projection to the collision screen", &reproduce_buss_screen),
        not_made("figure-8", "Times to a vertical screen", kDiagram),
        not_made("figure-9", "The collision screen around its axis", kDiagram),
        made("figures-10-11", "Doppeling: faces across the cut and on the axis",
             &reproduce_buss_doppeling),
        made("section-9", "Steps of the algorithm", &reproduce_buss_early_stop),
        // The search by pixels adds its three entries of section 9.1 here:
        // reproduce_pixel_table, reproduce_pixel_growth, reproduce_pixel_misses
        // (reproduce/buss2005_pixels.hpp).
        made("section-9.1-chords", "Growth with the faces, and a hierarchy for large bodies",
             &reproduce_buss_growth),
        made("section-9.1-time", "Sorting by time: combs instead of threads",
             &reproduce_buss_time_order),
        not_made("section-9.1-comparison",
                 "Comparison with Angel Studios' algorithms and with [27]",
                 "the programs, models and motions that were compared are not published"),
        made("figure-12", "A simple polygonal model of a car", &reproduce_buss_figure_12),
        made("figure-13", "Two tori colliding", &reproduce_buss_figure_13),
        made("figure-14", "The rasterized projections of two tori", &reproduce_buss_figure_14),
        made("section-10", "Robustness: approaches within a pixel, last good positions",
             &reproduce_buss_robustness),
    };
}

}  // namespace graze::app

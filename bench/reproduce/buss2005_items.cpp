#include "reproduce/buss2005_figures.hpp"
#include "reproduce/buss2005_pixels.hpp"
#include "reproduce/buss2005_sections.hpp"
#include "reproduce/item.hpp"

namespace graze::app {
std::vector<ReproduceItem> buss2005_items() {
    const ItemsOf paper{Paper::Buss2005};
    return {
        paper.reproduced("section-1", "Bodies that are not closed, or no manifolds",
                         &reproduce_buss_open_bodies),
        paper.diagram("figure-1", "Two interpenetrating squares"),
        paper.reproduced("figure-2",
                         "Collisions of rectangles, and the response to all of them at once",
                         &reproduce_buss_figure_2),
        paper.reproduced("section-3", "Cars at 150 mph in steps of a thirtieth of a second",
                         &reproduce_buss_fast_cars),
        paper.reproduced("section-4", "Screw motions: equations 1 to 4",
                         &reproduce_buss_screw_motion),
        paper.diagram("figure-3", "The point u on the rotation axis"),
        paper.reproduced("figure-4", "Forward and backward facing sides of a square",
                         &reproduce_buss_figure_4),
        paper.reproduced("figure-5", "Backward facing faces of a cube that spirals",
                         &reproduce_buss_figure_5),
        paper.reproduced("section-4.3", "Table of the error of the screw motion (equation 5)",
                         &reproduce_buss_error_table),
        paper.diagram("figure-6", "Arc and chord of equation 5"),
        paper.reproduced("section-5", "Types of collisions; properness by equations 6 and 7",
                         &reproduce_buss_properness),
        paper.diagram("figure-7", "Tangents at a collision"),
        paper.reproduced("section-7", "Projection to the collision screen", &reproduce_buss_screen),
        paper.diagram("figure-8", "Times to a vertical screen"),
        paper.diagram("figure-9", "The collision screen around its axis"),
        paper.reproduced("figures-10-11", "Doppeling: faces across the cut and on the axis",
                         &reproduce_buss_doppeling),
        paper.reproduced("section-9", "Steps of the algorithm", &reproduce_buss_early_stop),
        paper.reproduced("section-9.1", "Time of a test at three resolutions: cubes, cars, tori",
                         &reproduce_pixel_table),
        paper.reproduced("section-9.1-resolution", "Resolution against cost: what pixels miss",
                         &reproduce_pixel_misses),
        paper.reproduced("section-9.1-growth", "Growth with the faces, by pixels",
                         &reproduce_pixel_growth),
        paper.reproduced("section-9.1-chords",
                         "Growth with the faces, and a hierarchy for large bodies",
                         &reproduce_buss_growth),
        paper.reproduced("section-9.1-time", "Sorting by time: combs instead of threads",
                         &reproduce_buss_time_order),
        paper.left_out("section-9.1-comparison",
                       "Comparison with Angel Studios' algorithms and with [27]",
                       "the programs, models and motions that were compared are not published"),
        paper.reproduced("figure-12", "A simple polygonal model of a car",
                         &reproduce_buss_figure_12),
        paper.reproduced("figure-13", "Two tori colliding", &reproduce_buss_figure_13),
        paper.reproduced("figure-14", "The rasterized projections of two tori",
                         &reproduce_buss_figure_14),
        paper.reproduced("section-10", "Robustness: approaches within a pixel, last good positions",
                         &reproduce_buss_robustness),
    };
}

}  // namespace graze::app

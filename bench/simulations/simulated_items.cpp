#include "simulations/simulated_items.hpp"

namespace graze::app {

std::vector<ReproduceItem> simulated_items() {
    const ItemsOf cloth{Paper::Wang2014};
    const ItemsOf elastic{Paper::Wang2021};
    return {
        cloth.reproduced("figure-1", "Bow knot, drawn tight from a loose bow",
                         &simulations::bow_knot),
        cloth.reproduced("figure-7a", "Lifted tablecloth", &simulations::lifted_tablecloth),
        cloth.reproduced("figure-7b", "Colliding tablecloth, in which the basic test fails",
                         &simulations::colliding_tablecloths),
        cloth.reproduced("figure-7c", "Virtual clothing", &simulations::virtual_clothing),
        cloth.reproduced(
            "section-5-animations",
            "Cost on four cloth animations: 350 and 355 ns, 409 and 416 ns without planes",
            &simulations::animation_costs),
        cloth.reproduced("section-5-peak",
                         "Up to 20 % faster than exact tests at the collision peak",
                         &simulations::collision_peak),
        cloth.reproduced("section-5-positives", "Up to 10 % more positive cases in animations",
                         &simulations::positive_cases),
        elastic.reproduced("figure-12", "Elastic torus on a cone by values of delta",
                           &simulations::torus_on_cone),
        elastic.reproduced("figure-13", "Figure on a plane by values of delta, and F = 0",
                           &simulations::figure_on_plane),
        elastic.reproduced("section-7.2-artefact", "A false negative leads to an artefact",
                           &simulations::missed_contacts),
        elastic.reproduced("section-7-sliding", "Sliding contact, which section 7 leaves open",
                           &simulations::sliding_contact),
    };
}

void add_simulated_items() {
    for (const ReproduceItem& item : simulated_items())
        add_item_of_program(item);
}

}  // namespace graze::app

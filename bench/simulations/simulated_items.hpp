// Items of `graze reproduce` that need the simulators: those of a program that is built with them.
#pragma once

#include "reproduce/item.hpp"

namespace graze::app {

// To be called before the program runs.
void add_simulated_items();
// All of them, as they are added.
[[nodiscard]] std::vector<ReproduceItem> simulated_items();

namespace simulations {

// Wang et al. 2021 (elastic_items.cpp, sliding_item.cpp).
[[nodiscard]] Expected<Reproduction> torus_on_cone(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> figure_on_plane(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> missed_contacts(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> sliding_contact(const ReproduceOptions& options);

// Wang 2014 (cloth_items.cpp).
[[nodiscard]] Expected<Reproduction> bow_knot(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> lifted_tablecloth(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> colliding_tablecloths(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> virtual_clothing(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> animation_costs(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> collision_peak(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> positive_cases(const ReproduceOptions& options);

}  // namespace simulations
}  // namespace graze::app

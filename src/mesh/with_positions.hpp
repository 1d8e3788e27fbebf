// From positions as callers have them to views.
#pragma once

#include "graze/core/fp_environment.hpp"
#include "graze/mesh/input.hpp"

namespace graze::mesh_detail {

// body(views...), which gives an Expected<>, with sound arithmetic; or why some of them are none.
template <class Body, class... Given>
auto with_positions(const Body& body, const Given&... given) {
    return with_sound_arithmetic([&]() -> decltype(body(given.view()...)) {
        for (const Positions* positions : {&given...})
            if (positions->error()) return *positions->error();
        return body(given.view()...);
    });
}

}  // namespace graze::mesh_detail

// Tasks that compute as the proofs assume, in whichever thread they run.
//
// Threads of oneTBB have the settings of whoever started them, or those of the task that they serve,
// or what another task left: so each task looks for itself.
#pragma once

#include "graze/core/fp_environment.hpp"

namespace graze {

// Thrown by a task whose thread cannot be set to sound arithmetic; in_arena() makes an error of it.
struct UnsoundThread {};

template <class Body>
void as_sound_task(const Body& body) {
    with_sound_arithmetic(body, [] { throw UnsoundThread{}; });
}

}  // namespace graze

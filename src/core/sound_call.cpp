// A file of its own: tests put another in its place, where sound arithmetic cannot be set.
#include "graze/core/fp_environment.hpp"

namespace graze::detail {

bool call_with_sound_arithmetic(void (*call)(void*), void* data) {
    const ScopedSoundFpEnvironment sound;
    if (!has_sound_arithmetic()) return false;
    // Read at run time, so that no optimiser of whole programs knows what is called, and brings it
    // here: arithmetic stays behind the call.
    void (*const volatile unknown)(void*) = call;
    unknown(data);
    return true;
}

}  // namespace graze::detail

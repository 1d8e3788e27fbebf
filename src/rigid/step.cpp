#include "graze/rigid/step.hpp"

#include <utility>

namespace graze::rigid {
namespace {

Expected<void> first_error(Expected<void> first, Expected<void> second) {
    return first ? std::move(second) : std::move(first);
}

}  // namespace

Expected<void> check(const PairStep& step) {
    return first_error(
        first_error(check(step.a.start, "A at the start"), check(step.a.end, "A at the end")),
        first_error(check(step.b.start, "B at the start"), check(step.b.end, "B at the end")));
}

}  // namespace graze::rigid

// Compiled by tests of their own: refused under fast-math flags, accepted otherwise.
#include "graze/core/rounding.hpp"

double sum_below(double a, double b) {
    return graze::add_down(a, b);
}

// The product as compilers without vectors of GNU have it, under a name of its own: dense_product_test.cpp.
#define GRAZE_NO_GNU_ATTRIBUTES
#define subtract_product subtract_product_of_arrays
#include "dense_product.cpp"  // of sim/src

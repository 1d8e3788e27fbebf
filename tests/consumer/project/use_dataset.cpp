// Needs graze::dataset: every set of queries that is built into the library opens.
#include <graze/dataset/embedded.hpp>

int main() {
    for (const graze::dataset::EmbeddedSet& set : graze::dataset::embedded_sets()) {
        if (!graze::dataset::open_embedded(set)) return 1;
    }
    return 0;
}

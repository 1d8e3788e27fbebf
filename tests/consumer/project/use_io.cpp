// Needs graze::io: every set of queries that is built into the library opens.
#include <graze/io/embedded.hpp>

int main() {
    for (const graze::io::EmbeddedSet& set : graze::io::embedded_sets()) {
        if (!graze::io::open_embedded(set)) return 1;
    }
    return 0;
}

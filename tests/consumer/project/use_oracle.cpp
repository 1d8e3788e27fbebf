// Needs graze::oracle: two vertices that swap places on a line meet half way, at t = 1/2 exactly.
#include <graze/oracle/oracle.hpp>

int main() {
    graze::oracle::Query query{.kind = graze::oracle::Kind::VertexVertex};
    query.start[0] = query.end[1] = {-1, 0, 0};
    query.end[0] = query.start[1] = {1, 0, 0};
    const graze::oracle::Truth truth = graze::oracle::first_contact(query);
    return truth.state == graze::oracle::State::Contact && truth.toi_lower == 0.5 ? 0 : 1;
}

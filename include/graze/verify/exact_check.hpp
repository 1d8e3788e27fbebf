// Holds one answer of a method against the oracle.
#pragma once

#include "graze/io/query_file.hpp"
#include "graze/verify/guarantees.hpp"

namespace graze::verify {

// One query and what is asked of it.
struct Question {
    QueryKind kind = QueryKind::VertexFace;
    io::QueryRecord record;  // of which the vertices count
    CcdOptions options;
};

[[nodiscard]] bool is_finite(const Question& question) noexcept;

// The oracle's answer. Unresolved: the query is not finite, or memory ran out.
[[nodiscard]] CcdResult exact_answer(const Question& question) noexcept;

// Every claim that the answer would break, whether it was made or not. `truth` is the exact
// answer; the oracle is asked again where only that decides whether the tolerance is right.
[[nodiscard]] ClaimSet faults_of(const Question& question, const CcdResult& truth,
                                 const CcdResult& found) noexcept;

}  // namespace graze::verify

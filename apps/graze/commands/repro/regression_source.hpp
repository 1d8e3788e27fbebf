// A query as a GoogleTest source file that compiles as it is.
#pragma once

#include <string>

#include "graze/io/query_file.hpp"
#include "graze/narrow/method.hpp"
#include "graze/oracle/oracle.hpp"

namespace graze::app {

struct Regression {
    io::QueryRecord record;
    QueryKind kind = QueryKind::VertexFace;
    CcdOptions options;
    std::string method;          // what answered
    bool in_library = true;      // false: a method of the tool alone, so the test runs all others
    CcdResult answer;            // its answer at the time of writing
    oracle::Truth truth;         // of the question as asked, t_max included
    double nearest = kInfinity;  // nearest_approach(), where the truth is Separated
    std::string what;            // a few words: what goes wrong
    std::string origin;          // where the query comes from, for the comment
};

// A query with the answer of a method and the exact one: of the question as it is asked, over
// [0, t_max], with the separation. Its state is Invalid where the query is not finite.
struct RegressionQuery {
    io::QueryRecord record;
    QueryKind kind = QueryKind::VertexFace;
    Method method;
    CcdOptions options;
};
[[nodiscard]] Regression regression_of(const RegressionQuery& query, std::string what,
                                       std::string origin);

// Eight hex digits that depend on kind and coordinates alone.
[[nodiscard]] std::string regression_id(const io::QueryRecord& record, QueryKind kind);
// "<id>_<what in snake case>.cpp".
[[nodiscard]] std::string regression_file_name(const Regression& regression);
// The test holds the method to what it declares: the exact truth and time are written into it.
[[nodiscard]] std::string regression_source(const Regression& regression);

}  // namespace graze::app

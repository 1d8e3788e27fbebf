// Query files that a run wrote.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "graze/io/query_file.hpp"

namespace graze::sim {

struct WrittenQueries {
    std::size_t count = 0;
    std::size_t contacts = 0;  // by their ground truth, which all have
};

inline WrittenQueries written_queries(const std::filesystem::path& folder) {
    WrittenQueries sum;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        io::QuerySource source;
        source.kind = entry.path().string().ends_with(".vf.gzq") ? QueryKind::VertexFace
                                                                 : QueryKind::EdgeEdge;
        source.queries = entry.path();
        const auto records = io::read_all(source);
        EXPECT_TRUE(records) << records.error().message;
        if (!records) continue;
        for (const io::QueryRecord& record : *records) {
            EXPECT_TRUE(record.truth);
            sum.contacts += record.truth && *record.truth ? 1 : 0;
        }
        sum.count += records->size();
    }
    return sum;
}

}  // namespace graze::sim

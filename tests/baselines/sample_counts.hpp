// False positives and false negatives on the samples of the study, where they lie beside the
// checkout.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "graze/io/query_sets.hpp"
#include "graze/narrow/ccd.hpp"
#include "support/outside_data.hpp"

namespace graze::testing {

struct ErrorCounts {
    int queries = 0;
    int hits = 0;
    int false_positives = 0;
    int false_negatives = 0;
};

// "handcrafted vf", "simulation ee" and so on.
using SampleCounts = std::map<std::string, ErrorCounts>;

// Empty where the samples are not at hand; samples that are there and cannot be read are a failure.
// `verdict_of` takes either motion. Every coordinate is multiplied by `factor`, a power of two that
// changes no truth.
template <class VerdictOf>
SampleCounts count_on_samples(double factor, const VerdictOf& verdict_of) {
    const std::filesystem::path folder = outside_data("ccd-queries");
    SampleCounts counts;
    if (!std::filesystem::is_directory(folder)) return counts;
    const auto sets = io::find_query_sets(folder);
    EXPECT_TRUE(sets && !sets->empty()) << folder;
    if (!sets) return counts;
    for (const io::QuerySet& set : *sets) {
        const auto records = io::read_all(set.source);
        EXPECT_TRUE(records) << set.scene;
        if (!records) continue;
        ErrorCounts& group = counts[set.group + ' ' + std::string(short_name(set.source.kind))];
        for (io::QueryRecord record : *records) {
            for (MovingPoint& corner : record.corners)
                corner = {factor * corner.start, factor * corner.end};
            const bool says_contact =
                (set.source.kind == QueryKind::VertexFace
                     ? verdict_of(io::motion_of<VertexFaceMotion>(record))
                     : verdict_of(io::motion_of<EdgeEdgeMotion>(record))) != Verdict::Separated;
            const bool touches = record.truth.value();
            ++group.queries;
            group.hits += touches ? 1 : 0;
            group.false_positives += says_contact && !touches ? 1 : 0;
            group.false_negatives += !says_contact && touches ? 1 : 0;
        }
    }
    return counts;
}

// What the study counted on all its samples, and how many of its queries could have been counted:
// the misses for false positives, the hits for false negatives. Ours are a part of them.
struct PublishedCount {
    int errors = 0;
    int of = 0;
    [[nodiscard]] double share_of(int ours) const noexcept {
        return static_cast<double>(errors) * ours / of;
    }
};

}  // namespace graze::testing

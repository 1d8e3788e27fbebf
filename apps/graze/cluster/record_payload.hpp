// Queries as bytes, with truth and times where they have them.
#pragma once

#include "cluster/payload.hpp"

namespace graze::app {

inline void put_truth(PayloadWriter& bytes, const io::QueryRecord& record) {
    const unsigned char truth = !record.truth   ? static_cast<unsigned char>(0)
                                : *record.truth ? io::binary_form::kContactTag
                                                : io::binary_form::kSeparatedTag;
    const unsigned char times =
        record.first_time ? io::binary_form::kTimesTag : static_cast<unsigned char>(0);
    bytes.byte(static_cast<unsigned char>(truth | times));
    if (!record.first_time) return;
    bytes.number(record.first_time->lower);
    bytes.number(record.first_time->upper);
}

inline void take_truth(PayloadReader& bytes, io::QueryRecord& record) {
    const unsigned char tag = bytes.byte();
    const int truth = tag & io::binary_form::kTruthMask;
    if (truth != 0) record.truth = truth == io::binary_form::kContactTag;
    if ((tag & io::binary_form::kTimesTag) == 0) return;
    const double lower = bytes.number();
    record.first_time = io::TimeBracket{lower, bytes.number()};
}

inline void put_record(PayloadWriter& bytes, const io::QueryRecord& record, QueryKind kind) {
    put_truth(bytes, record);
    for (std::size_t i = 0; i < vertex_count(kind); ++i) {
        for (const Vec3& p : {record.corners[i].start, record.corners[i].end}) {
            bytes.number(p.x);
            bytes.number(p.y);
            bytes.number(p.z);
        }
    }
}

[[nodiscard]] inline io::QueryRecord take_record(PayloadReader& bytes, QueryKind kind) {
    io::QueryRecord record;
    take_truth(bytes, record);
    for (std::size_t i = 0; i < vertex_count(kind); ++i) {
        for (Vec3* p : {&record.corners[i].start, &record.corners[i].end}) {
            p->x = bytes.number();
            p->y = bytes.number();
            p->z = bytes.number();
        }
    }
    return record;
}

}  // namespace graze::app

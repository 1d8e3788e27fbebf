// Poses, steps and contacts of rigid bodies as rows of numbers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "errors.hpp"
#include "graze/core/pose.hpp"
#include "graze/rigid/contact.hpp"
#include "graze/rigid/step.hpp"

namespace graze::python {

struct ContactRow {
    std::uint8_t type;
    std::uint32_t a;
    std::uint32_t b;
    double time;
    std::array<double, 3> point;
    std::array<double, 3> normal;
    double properness;
    double time_lower;
    double time_upper;
};

[[nodiscard]] inline ContactRow contact_row(const rigid::Contact& c) noexcept {
    ContactRow row{};
    row.type = static_cast<std::uint8_t>(c.type);
    row.a = c.a;
    row.b = c.b;
    row.time = c.time;
    row.point = triple_of(c.point);
    row.normal = triple_of(c.normal);
    row.properness = c.properness;
    row.time_lower = c.time_lower;
    row.time_upper = c.time_upper;
    return row;
}

[[nodiscard]] inline py::array contact_rows(std::span<const rigid::Contact> contacts) {
    std::vector<ContactRow> rows;
    rows.reserve(contacts.size());
    for (const rigid::Contact& contact : contacts)
        rows.push_back(contact_row(contact));
    return array_of_rows(std::move(rows));
}

// A search gives contacts in the frame of A: the same in the world, as rows.
[[nodiscard]] inline py::array rows_in_world(std::vector<rigid::Contact> contacts,
                                             const rigid::PairStep& step) {
    for (rigid::Contact& contact : contacts)
        contact = to_world(contact, step);
    return contact_rows(contacts);
}

// A row of seven numbers: w x y z of the quaternion, then the translation.
using PoseRow = std::array<double, 7>;
[[nodiscard]] inline Pose pose_of(const PoseRow& r) noexcept {
    return {{r[0], r[1], r[2], r[3]}, {r[4], r[5], r[6]}};
}
[[nodiscard]] inline PoseRow row_of_pose(const Pose& p) noexcept {
    return {p.rotation.w,    p.rotation.x,    p.rotation.y,   p.rotation.z,
            p.translation.x, p.translation.y, p.translation.z};
}

// start and end of A, start and end of B.
using StepRows = std::array<PoseRow, 4>;
[[nodiscard]] inline rigid::PairStep step_of(const StepRows& rows) {
    check_value(check(pose_of(rows[0]), "A at the start"), "step_a");
    check_value(check(pose_of(rows[1]), "A at the end"), "step_a");
    check_value(check(pose_of(rows[2]), "B at the start"), "step_b");
    check_value(check(pose_of(rows[3]), "B at the end"), "step_b");
    return {{pose_of(rows[0]), pose_of(rows[1])}, {pose_of(rows[2]), pose_of(rows[3])}};
}
[[nodiscard]] inline StepRows rows_of_step(const rigid::PairStep& step) noexcept {
    return {row_of_pose(step.a.start), row_of_pose(step.a.end), row_of_pose(step.b.start),
            row_of_pose(step.b.end)};
}

}  // namespace graze::python

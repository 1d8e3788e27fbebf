// Impulses for the contacts of rigid bodies, and the search by pixels.
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "calls.hpp"
#include "graze/rigid/impact.hpp"
#include "graze/rigid/impulse.hpp"
#include "graze/rigid/pixels.hpp"
#include "modules.hpp"
#include "options.hpp"
#include "rigid_rows.hpp"

namespace graze::python {
namespace {

using Triple = std::array<double, 3>;
Vec3 vec3_of_triple(const Triple& t) noexcept {
    return {t[0], t[1], t[2]};
}

// --- impulses --------------------------------------------------------------------------------------

// first, second, position, normal, their poses, least_separation_rate.
using ImpulseRow =
    std::tuple<std::uint32_t, std::uint32_t, Triple, Triple, PoseRow, PoseRow, double>;
using MassRow = std::array<double, 4>;      // inverse mass, inverse inertia
using VelocityRow = std::array<double, 6>;  // linear, angular

std::vector<ImpulseRow> rigid_first_contacts(const std::array<std::uint32_t, 2>& pair,
                                             const StepRows& rows,
                                             const py::array_t<ContactRow>& collisions,
                                             const py::dict& given) {
    Options options(given);
    rigid::ResponseGroup group;
    options.take("min_properness", group.min_properness);
    options.take("time_gap", group.time_gap);
    options.finish();
    std::vector<rigid::Contact> sorted;
    for (py::ssize_t i = 0; i < collisions.size(); ++i) {
        const ContactRow row = *collisions.data(i);
        if (row.type > static_cast<int>(rigid::ContactType::FaceFace))
            throw py::value_error("collisions: row " + std::to_string(i) + " has type " +
                                  std::to_string(row.type));
        if (i > 0 && !(sorted.back().time <= row.time))
            throw py::value_error("collisions: row " + std::to_string(i) +
                                  " is not sorted by time");
        sorted.push_back({static_cast<rigid::ContactType>(row.type), row.a, row.b, row.time,
                          vec3_of_triple(row.point), vec3_of_triple(row.normal), row.properness,
                          row.time_lower, row.time_upper});
    }
    std::vector<ImpulseRow> found;
    for (const rigid::ImpulseContact& c :
         rigid::first_contacts({pair[0], pair[1]}, step_of(rows), sorted, group))
        found.emplace_back(c.pair.first, c.pair.second, triple_of(c.position), triple_of(c.normal),
                           row_of_pose(c.pose_first), row_of_pose(c.pose_second),
                           c.least_separation_rate);
    return found;
}

rigid::ImpulseOptions impulse_options(const py::dict& given) {
    Options options(given);
    rigid::ImpulseOptions impulse;
    options.take("restitution", impulse.restitution);
    options.take("friction", impulse.friction);
    options.take("max_sweeps", impulse.max_sweeps);
    options.take("tolerance", impulse.tolerance);
    options.finish();
    const auto require = [](bool holds, const char* message) {
        if (!holds) throw py::value_error(message);
    };
    require(impulse.restitution >= 0.0 && impulse.restitution <= 1.0,
            "restitution: is not in [0, 1]");
    require(impulse.friction >= 0.0 && std::isfinite(impulse.friction), "friction: is not >= 0");
    require(impulse.max_sweeps >= 1, "max_sweeps: is not >= 1");
    require(impulse.tolerance >= 0.0, "tolerance: is not >= 0");
    return impulse;
}

rigid::ImpulseContact impulse_contact(const ImpulseRow& row, std::size_t index,
                                      std::size_t bodies) {
    const auto& [first, second, position, normal, pose_first, pose_second, rate] = row;
    if (first >= bodies || second >= bodies)
        throw py::index_error("contacts: contact " + std::to_string(index) + " names body " +
                              std::to_string(std::max(first, second)) + " of " +
                              std::to_string(bodies));
    const std::string name = "contact " + std::to_string(index);
    const auto check_pose = [&](const PoseRow& pose) {
        check_value(check(pose_of(pose), name.c_str()), "contacts");
    };
    check_pose(pose_first);
    check_pose(pose_second);
    return {{first, second},     vec3_of_triple(position), vec3_of_triple(normal),
            pose_of(pose_first), pose_of(pose_second),     rate};
}

py::tuple rigid_apply_impulses(const std::vector<ImpulseRow>& rows,
                               const std::vector<MassRow>& mass_rows,
                               const std::vector<VelocityRow>& velocity_rows,
                               const py::dict& given) {
    const rigid::ImpulseOptions options = impulse_options(given);
    if (mass_rows.size() != velocity_rows.size())
        throw py::value_error("velocities: there are " + std::to_string(velocity_rows.size()) +
                              ", but " + std::to_string(mass_rows.size()) + " masses");
    std::vector<rigid::ImpulseContact> contacts;
    for (std::size_t i = 0; i < rows.size(); ++i)
        contacts.push_back(impulse_contact(rows[i], i, mass_rows.size()));
    std::vector<rigid::BodyMass> masses;
    for (const MassRow& m : mass_rows)
        masses.push_back({m[0], {m[1], m[2], m[3]}});
    std::vector<rigid::BodyVelocity> velocities;
    for (const VelocityRow& v : velocity_rows)
        velocities.push_back({{v[0], v[1], v[2]}, {v[3], v[4], v[5]}});
    const Interrupt interrupt;
    rigid::ImpulseReport report = released(
        interrupt, [&] { return rigid::apply_impulses(contacts, masses, velocities, options); });
    py::array_t<double> changed({static_cast<py::ssize_t>(velocities.size()), py::ssize_t{6}});
    double* out = changed.mutable_data();
    for (const rigid::BodyVelocity& v : velocities)
        for (const Vec3& part : {v.linear, v.angular})
            for (const double x : triple_of(part))
                *out++ = x;
    return py::make_tuple(changed, array_of(std::move(report.impulses)), report.sweeps,
                          report.converged);
}

// --- pixels ----------------------------------------------------------------------------------------

struct DrawnRow {
    std::int32_t r;
    std::int32_t h_min;
    std::int32_t h_max;
    std::uint8_t of_a;
    std::uint8_t vertex;
    std::uint8_t virtual_edge;
};

py::dict pixel_statistics(const rigid::PixelStatistics& s) {
    py::dict d;
    d["pixel"] = s.pixel;
    d["time_resolution"] = s.time_resolution;
    d["records_a"] = s.records_a;
    d["records_b"] = s.records_b;
    d["rows"] = s.rows;
    d["compared"] = s.compared;
    d["pairs"] = s.pairs;
    d["not_converged"] = s.not_converged;
    d["stopped_early"] = s.stopped_early;
    d["doppeled"] = s.doppeled;
    return d;
}

py::array drawn_rows(const rigid::PixelSearch& search) {
    std::vector<DrawnRow> rows;
    for (const auto& p : search.drawn())
        rows.push_back({p.r, p.h_min, p.h_max, p.of_a ? std::uint8_t{1} : std::uint8_t{0},
                        p.vertex ? std::uint8_t{1} : std::uint8_t{0},
                        p.virtual_edge ? std::uint8_t{1} : std::uint8_t{0}});
    return array_of_rows(std::move(rows));
}

py::tuple rigid_pixels(const rigid::RigidBody& a, const rigid::RigidBody& b, const StepRows& rows,
                       const py::dict& given) {
    const Interrupt interrupt;
    const rigid::PairStep step = step_of(rows);
    Options options(given);
    rigid::PixelOptions pixels;
    bool is_drawn = false;
    options.take("pixel", pixels.pixel);
    options.take("time_resolution", pixels.time_resolution);
    options.take("min_properness", pixels.min_properness);
    options.take("max_pixels", pixels.max_pixels);
    options.take("max_pairs", pixels.max_pairs);
    options.take("drawn", is_drawn);
    pixels.stop = interrupt.token();
    options.finish();
    rigid::PixelSearch search;
    const rigid::PixelResult result = value_of(released(
        interrupt, [&] { return search.collisions(a.surface(), b.surface(), step, pixels); }));
    return py::make_tuple(rows_in_world(result.collisions, step),
                          pixel_statistics(result.statistics),
                          is_drawn ? py::object(drawn_rows(search)) : py::none());
}

}  // namespace

void add_rigid_response(py::module_& m) {
    PYBIND11_NUMPY_DTYPE(DrawnRow, r, h_min, h_max, of_a, vertex, virtual_edge);
    m.def("rigid_first_contacts", &rigid_first_contacts);
    m.def("rigid_apply_impulses", &rigid_apply_impulses);
    m.def("rigid_pixels", &rigid_pixels);
}

}  // namespace graze::python

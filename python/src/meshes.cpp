// Whole meshes in a step.
#include "graze/mesh.hpp"

#include <pybind11/stl.h>

#include <array>
#include <mutex>

#include "mesh_calls.hpp"
#include "modules.hpp"

namespace graze::python {
namespace {

struct ImpactRow {
    std::uint8_t kind;
    std::uint32_t a;
    std::uint32_t b;
    std::uint8_t verdict;
    double toi_lower;
    double toi_upper;
    double tolerance;
};
struct ConstraintRow {
    std::uint8_t kind;
    std::uint32_t a;
    std::uint32_t b;
    std::uint8_t verdict;
    double toi_lower;
    double toi_upper;
    double u;
    double v;
    std::array<double, 3> on_a;
    std::array<double, 3> on_b;
    std::array<double, 3> normal;
    std::array<double, 3> a_at_end;
    std::array<double, 3> b_at_end;
    double value;
};
struct IntersectionRow {
    std::uint8_t kind;
    std::uint32_t a;
    std::uint32_t b;
};
struct MeshContactRow {
    double u;
    double v;
    std::array<double, 3> on_a;
    std::array<double, 3> on_b;
    std::array<double, 3> normal;
    double distance_upper;
};

// --- results ---------------------------------------------------------------------------------------

py::tuple feature_tuple(const Feature& feature) {
    const char* const name = feature.type == Feature::Type::Corner ? "vertex"
                             : feature.type == Feature::Type::Edge ? "edge"
                                                                   : "face";
    return py::make_tuple(name, feature.index);
}

py::tuple point_tuple(const ContactPoint& p) {
    return py::make_tuple(p.u, p.v, tuple_of(p.on_a), tuple_of(p.on_b), feature_tuple(p.feature_a),
                          feature_tuple(p.feature_b), tuple_of(p.normal), p.distance_upper);
}

py::dict work_dict(const StepWork& work) {
    py::dict d;
    py::dict candidates;
    for (const QueryKind kind : kAllQueryKinds)
        candidates[py::str(std::string(short_name(kind)))] =
            work.candidates[static_cast<std::size_t>(kind)];
    d["candidates"] = candidates;
    d["seconds_broad"] = work.seconds_broad;
    d["seconds_search"] = work.seconds_search;
    return d;
}

ImpactRow row_of(const Impact& impact) noexcept {
    ImpactRow row{};
    row.kind = static_cast<std::uint8_t>(impact.kind);
    row.a = impact.a;
    row.b = impact.b;
    row.verdict = static_cast<std::uint8_t>(impact.result.verdict);
    row.toi_lower = impact.result.toi_lower;
    row.toi_upper = impact.result.toi_upper;
    row.tolerance = impact.result.tolerance;
    return row;
}

ConstraintRow row_of(const ActiveConstraint& constraint) noexcept {
    const ImpactRow impact = row_of(constraint.impact);
    const ContactPoint& p = constraint.contact;
    ConstraintRow row{};
    row.kind = impact.kind;
    row.a = impact.a;
    row.b = impact.b;
    row.verdict = impact.verdict;
    row.toi_lower = impact.toi_lower;
    row.toi_upper = impact.toi_upper;
    row.u = p.u;
    row.v = p.v;
    row.on_a = triple_of(p.on_a);
    row.on_b = triple_of(p.on_b);
    row.normal = triple_of(p.normal);
    row.a_at_end = triple_of(constraint.a_at_end);
    row.b_at_end = triple_of(constraint.b_at_end);
    row.value = constraint.value;
    return row;
}

py::array impact_rows(std::span<const Impact> impacts) {
    return rows_from<ImpactRow>(impacts, [](const Impact& impact) { return row_of(impact); });
}

// --- functions -------------------------------------------------------------------------------------

MeshTopology topology_of(std::size_t vertex_count, py::handle edges, py::handle faces) {
    const auto loose = index_rows<2>(edges, "E");
    const auto triangles = index_rows<3>(faces, "F");
    return value_of(make_topology(vertex_count, triangles, loose), "");
}

std::unique_ptr<Stepper> make_stepper(std::size_t vertex_count, py::handle edges,
                                      py::handle faces) {
    return std::make_unique<Stepper>(topology_of(vertex_count, edges, faces));
}

void set_topology_of(Stepper& self, std::size_t vertex_count, py::handle edges, py::handle faces) {
    MeshTopology topology = topology_of(vertex_count, edges, faces);
    const Interrupt interrupt;
    released(interrupt, [&] {
        const OneAtATime::Hold hold(self.one, interrupt);
        self.set_topology(std::move(topology));
        return true;
    });
}

py::object contact_tuple_of(const std::optional<Impact>& impact, const ContactPoint& contact) {
    return impact ? py::object(point_tuple(contact)) : py::none();
}

py::tuple first_impact_of(Stepper& self, py::handle start, py::handle end, const py::dict& given) {
    const StepEnds ends(start, end);
    StepCall call(self, given);
    return first_tuple(call.run([&](MeshStepper& stepper, const StepOptions& step) {
        return stepper.first_impact(ends.start.span(), ends.end.span(), step);
    }));
}

py::tuple all_impacts_of(Stepper& self, py::handle start, py::handle end, const py::dict& given) {
    const StepEnds ends(start, end);
    StepCall call(self, given);
    return all_tuple(call.run([&](MeshStepper& stepper, const StepOptions& step) {
        return stepper.all_impacts(ends.start.span(), ends.end.span(), step);
    }));
}

py::tuple stream_impacts_of(Stepper& self, py::handle start, py::handle end, const py::object& sink,
                            const py::dict& given) {
    const StepEnds ends(start, end);
    StepCall call(self, given);
    const auto take = [&](std::span<const Impact> batch) {
        return called_back(call.interrupt(), false,
                           [&] { return !sink(impact_rows(batch)).is(py::bool_(false)); });
    };
    const StreamedImpacts r = call.run([&](MeshStepper& stepper, const StepOptions& step) {
        return stepper.stream_impacts(ends.start.span(), ends.end.span(), take, step);
    });
    return py::make_tuple(static_cast<int>(r.verdict), r.toi_lower, r.toi_upper, r.count,
                          work_dict(r.work));
}

py::tuple safe_step_of(Stepper& self, py::handle start, py::handle end, const py::dict& given) {
    const StepEnds ends(start, end);
    StepCall call(self, given);
    SafeStep r = call.run([&](MeshStepper& stepper, const StepOptions& step) {
        return largest_safe_step(stepper, ends.start.span(), ends.end.span(), step);
    });
    return py::make_tuple(r.fraction, array_of(std::move(r.positions)), impact_tuple(r.impact),
                          contact_tuple_of(r.impact, r.contact), r.proofs);
}

py::tuple line_search_of(Stepper& self, py::handle start, py::handle end, const py::object& energy,
                         const py::dict& given) {
    const StepEnds ends(start, end);
    StepCall call(self, given);
    LineSearchOptions search;
    call.given().take("kept_fraction", search.kept_fraction);
    call.given().take("max_kept", search.max_kept);
    call.given().take("max_halvings", search.max_halvings);
    LineSearchResult r = call.run([&](MeshStepper& stepper, const StepOptions& step) {
        search.step = step;
        return line_search(
            stepper, ends.start.span(), ends.end.span(),
            [&](std::span<const Vec3> x) { return energy_at(energy, x, call.interrupt()); },
            search);
    });
    return py::make_tuple(r.alpha, array_of(std::move(r.positions)), r.energy, r.distance, r.kept,
                          r.alpha_free, r.evaluations);
}

py::array free_radii_of(Stepper& self, py::handle positions, double reach, const py::dict& given) {
    const Positions at(positions, "positions");
    StepCall call(self, given);
    return array_of(call.run([&](MeshStepper& stepper, const StepOptions& step) {
        return free_radii(stepper, at.span(), reach, step);
    }));
}

py::tuple free_fractions_of(Stepper& self, py::handle start, py::handle end,
                            const py::dict& given) {
    const StepEnds ends(start, end);
    StepCall call(self, given);
    FreeFractions r = call.run([&](MeshStepper& stepper, const StepOptions& step) {
        return free_fractions(stepper, ends.start.span(), ends.end.span(), step);
    });
    return py::make_tuple(array_of(std::move(r.fraction)), array_of(std::move(r.positions)),
                          r.proofs);
}

py::array active_set_of(Stepper& self, py::handle start, py::handle end, const py::dict& given) {
    const StepEnds ends(start, end);
    StepCall call(self, given);
    const ActiveSet set = call.run([&](MeshStepper& stepper, const StepOptions& step) {
        return active_set(stepper, ends.start.span(), ends.end.span(), step);
    });
    return rows_from<ConstraintRow>(set.constraints,
                                    [](const ActiveConstraint& c) { return row_of(c); });
}

py::array intersections_of(Stepper& self, py::handle positions, const py::dict& given) {
    const Positions at(positions, "positions");
    StepCall call(self, given);
    const auto found = call.run([&](MeshStepper& stepper, const StepOptions& step) {
        return stepper.intersections(at.span(), step);
    });
    return rows_from<IntersectionRow>(found, [](const Intersection& i) {
        return IntersectionRow{static_cast<std::uint8_t>(i.kind), i.a, i.b};
    });
}

py::tuple clearance_of(Stepper& self, py::handle positions, double reach, const py::dict& given) {
    const Positions at(positions, "positions");
    StepCall call(self, given);
    Clearance r = call.run([&](MeshStepper& stepper, const StepOptions& step) {
        return stepper.clearance(at.span(), reach, step);
    });
    return py::make_tuple(array_of(std::move(r.by_vertex)), r.least);
}

// --- candidates ------------------------------------------------------------------------------------

std::unique_ptr<SharedCandidates> candidates_of(Stepper& self, py::handle start, py::handle end,
                                                double inflation, const py::dict& given) {
    const StepEnds ends(start, end);
    StepCall call(self, given);
    return std::make_unique<SharedCandidates>(
        call.run([&](MeshStepper& stepper, const StepOptions& step) {
            return stepper.candidates(ends.start.span(), ends.end.span(), inflation, step);
        }));
}

void refit_candidates(Stepper& self, SharedCandidates& candidates, py::handle start, py::handle end,
                      double inflation, const py::dict& given) {
    const StepEnds ends(start, end);
    StepCall call(self, given);
    if (call.candidates() != nullptr)
        throw_type_error("candidates", "is no option of what changes them");
    call.run([&](MeshStepper& stepper, const StepOptions& step) -> Expected<bool> {
        const SharedCandidates::Use use(&candidates, SharedCandidates::Use::Kind::Change);
        const auto fitted =
            stepper.refit(candidates.value, ends.start.span(), ends.end.span(), inflation, step);
        if (!fitted) return fitted.error();
        return true;
    });
}

// read(candidates) while nobody changes them.
template <class Read>
auto read_candidates(const SharedCandidates& candidates, const Read& read) {
    const SharedCandidates::Use use(&candidates, SharedCandidates::Use::Kind::Read);
    return read(candidates.value);
}

std::unique_ptr<SharedCandidates> copy_of_candidates(const SharedCandidates& candidates) {
    return read_candidates(
        candidates, [](const Candidates& c) { return std::make_unique<SharedCandidates>(c); });
}

py::array pairs_of(const SharedCandidates& candidates, const std::string& name) {
    const QueryKind kind = kind_of(name);
    return read_candidates(candidates, [&](const Candidates& c) {
        const auto pairs = c.pairs(kind);
        py::array_t<std::uint32_t> array({static_cast<py::ssize_t>(pairs.size()), py::ssize_t{2}});
        std::uint32_t* out = array.mutable_data();
        for (const IndexPair& pair : pairs) {
            *out++ = pair.first;
            *out++ = pair.second;
        }
        return array;
    });
}

// --- impacts that were found before ----------------------------------------------------------------

// The impacts of rows, which the caller may have changed.
std::vector<Impact> impacts_of_rows(const MeshTopology& mesh,
                                    const py::array_t<ImpactRow>& impacts) {
    const auto most = [&](QueryKind kind, bool is_a) {
        if (kind == QueryKind::EdgeEdge || (kind == QueryKind::VertexEdge && !is_a))
            return mesh.edges.size();
        return kind == QueryKind::VertexFace && !is_a ? mesh.faces.size() : mesh.vertex_count;
    };
    std::vector<Impact> list;
    for (py::ssize_t i = 0; i < impacts.size(); ++i) {
        const ImpactRow row = *impacts.data(i);
        Impact impact;
        impact.kind = static_cast<QueryKind>(row.kind);
        impact.a = row.a;
        impact.b = row.b;
        impact.result.toi_lower = row.toi_lower;
        if (row.kind > 3 || row.a >= most(impact.kind, true) || row.b >= most(impact.kind, false))
            throw py::index_error("impacts: row " + std::to_string(i) +
                                  " is of no pair of this mesh");
        list.push_back(impact);
    }
    return list;
}

// Where impacts of the step touch, row by row.
py::array contacts_of_rows(const Stepper& self, py::handle start, py::handle end,
                           const py::array_t<ImpactRow>& impacts) {
    const StepEnds ends(start, end);
    const Interrupt interrupt;
    const auto points = released(interrupt, [&] {
        return self.read_topology([&](const MeshTopology& mesh) {
            if (ends.start.size() != mesh.vertex_count || ends.end.size() != mesh.vertex_count)
                throw py::value_error("start, end: not as many rows as the mesh has vertices");
            return contacts_of(mesh, ends.start.span(), ends.end.span(),
                               impacts_of_rows(mesh, impacts));
        });
    });
    return rows_from<MeshContactRow>(points, [](const ContactPoint& p) {
        return MeshContactRow{
            p.u, p.v, triple_of(p.on_a), triple_of(p.on_b), triple_of(p.normal), p.distance_upper};
    });
}

}  // namespace

py::tuple first_tuple(const FirstImpact& first) {
    return py::make_tuple(static_cast<int>(first.verdict), first.toi_lower, first.toi_upper,
                          impact_tuple(first.impact), contact_tuple_of(first.impact, first.contact),
                          work_dict(first.work));
}

py::tuple all_tuple(const StepImpacts& all) {
    return py::make_tuple(
        static_cast<int>(all.verdict), all.toi_lower, all.toi_upper, impact_rows(all.impacts),
        all.first ? py::object(py::int_(*all.first)) : py::none(), work_dict(all.work));
}

void add_meshes(py::module_& m) {
    PYBIND11_NUMPY_DTYPE(ImpactRow, kind, a, b, verdict, toi_lower, toi_upper, tolerance);
    PYBIND11_NUMPY_DTYPE(ConstraintRow, kind, a, b, verdict, toi_lower, toi_upper, u, v, on_a, on_b,
                         normal, a_at_end, b_at_end, value);
    PYBIND11_NUMPY_DTYPE(IntersectionRow, kind, a, b);
    PYBIND11_NUMPY_DTYPE(MeshContactRow, u, v, on_a, on_b, normal, distance_upper);
    m.attr("IMPACT") = py::dtype::of<ImpactRow>();
    py::class_<SharedCandidates>(m, "Candidates",
                                 "Pairs that can meet in a step; made by MeshStepper.candidates().")
        .def("pairs", &pairs_of, py::arg("kind"))
        .def("__len__",
             [](const SharedCandidates& c) {
                 return read_candidates(c, [](const Candidates& value) { return value.size(); });
             })
        .def("__copy__", &copy_of_candidates)
        .def("__deepcopy__",
             [](const SharedCandidates& c, const py::dict&) { return copy_of_candidates(c); });
    py::class_<Stepper>(m, "MeshStepper")
        .def(py::init(&make_stepper))
        .def("set_topology", &set_topology_of)
        .def_property_readonly(
            "vertex_count",
            [](const Stepper& s) {
                return s.read_topology([](const MeshTopology& mesh) { return mesh.vertex_count; });
            })
        .def("edges",
             [](const Stepper& s) {
                 return s.read_topology(
                     [](const MeshTopology& mesh) { return array_of_indices<2>(mesh.edges); });
             })
        .def("faces",
             [](const Stepper& s) {
                 return s.read_topology(
                     [](const MeshTopology& mesh) { return array_of_indices<3>(mesh.faces); });
             })
        .def("first_impact", &first_impact_of)
        .def("all_impacts", &all_impacts_of)
        .def("stream_impacts", &stream_impacts_of)
        .def("largest_safe_step", &safe_step_of)
        .def("line_search", &line_search_of)
        .def("free_radii", &free_radii_of)
        .def("free_fractions", &free_fractions_of)
        .def("active_set", &active_set_of)
        .def("intersections", &intersections_of)
        .def("clearance", &clearance_of)
        .def("largest_safe_step_along", &path_step_of)
        .def("line_search_along", &path_search_of)
        .def("candidates", &candidates_of)
        .def("refit", &refit_candidates)
        .def("contacts", &contacts_of_rows);
}

}  // namespace graze::python

// Whole meshes in a step.
#include "graze/mesh.hpp"

#include <pybind11/stl.h>

#include <array>
#include <functional>

#include "arrays.hpp"
#include "calls.hpp"
#include "errors.hpp"
#include "modules.hpp"
#include "options.hpp"

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

class Stepper {
public:
    explicit Stepper(MeshTopology topology) : stepper(std::move(topology)) {}
    MeshStepper stepper;
    OneAtATime one;
};

// The options of a step, and what they refer to.
class StepArguments {
public:
    // Takes the options of steps; others are left for the caller, who ends with finish().
    StepArguments(Options& options, const Interrupt& interrupt);
    [[nodiscard]] const StepOptions& options() const noexcept { return options_; }

private:
    void take_filter(Options& options, const Interrupt& interrupt);
    void take_progress(Options& options, const Interrupt& interrupt);

    StepOptions options_;
    Numbers radius_;
    std::vector<std::uint32_t> body_;
    std::vector<std::uint32_t> layers_;
    std::vector<std::uint32_t> mask_;
    std::vector<std::uint8_t> fixed_;
    py::object candidates_;
    py::object accepts_;
    py::object progress_;
};

StepArguments::StepArguments(Options& options, const Interrupt& interrupt) {
    std::string method = "certified";
    options.take("method", method);
    options_.method = method_named(method);
    take_query_options(options, options_.query);
    options.take("threads", options_.threads);
    radius_ = Numbers(options.object("radius"), "radius");
    options_.radius = radius_.span();
    candidates_ = options.object("candidates");
    if (!candidates_.is_none()) {
        if (!py::isinstance<Candidates>(candidates_))
            throw_type_error("candidates", "is not what MeshStepper.candidates() returns");
        options_.candidates = candidates_.cast<const Candidates*>();
    }
    take_filter(options, interrupt);
    take_progress(options, interrupt);
    // Progress is reported often enough for signals, except by methods whose queries may take long;
    // a token is asked before each pair, which costs `certified` several percent.
    if (method != "certified") options_.stop = interrupt.token();
}

void StepArguments::take_filter(Options& options, const Interrupt& interrupt) {
    body_ = optional_indices(options.object("body"), "body");
    layers_ = optional_indices(options.object("layers"), "layers");
    mask_ = optional_indices(options.object("mask"), "mask");
    fixed_ = optional_flags(options.object("fixed"), "fixed");
    PairFilter& filter = options_.filter;
    options.take("within_bodies", filter.within_bodies);
    filter.body = body_;
    filter.layers = layers_;
    filter.mask = mask_;
    filter.fixed = fixed_;
    accepts_ = options.object("accepts");
    if (accepts_.is_none()) return;
    filter.accepts = [this, &interrupt](QueryKind kind, std::uint32_t a, std::uint32_t b) {
        if (interrupt.is_stopped()) return true;
        const py::gil_scoped_acquire acquire;
        try {
            return py::cast<bool>(py::bool_(accepts_(std::string(short_name(kind)), a, b)));
        } catch (...) {
            interrupt.keep_exception();
            return true;
        }
    };
}

void StepArguments::take_progress(Options& options, const Interrupt& interrupt) {
    progress_ = options.object("progress");
    const bool has_callback = !progress_.is_none();
    options_.progress = [this, &interrupt, has_callback](double fraction) {
        interrupt.poll();
        if (interrupt.is_stopped()) return false;
        if (!has_callback) return true;
        const py::gil_scoped_acquire acquire;
        try {
            return !progress_(fraction).is(py::bool_(false));
        } catch (...) {
            interrupt.keep_exception();
            return false;
        }
    };
}

// call(stepper, options) without the GIL, one at a time; errors become exceptions.
template <class Call>
auto stepped(Stepper& self, Options& given, const StepOptions& options, const Interrupt& interrupt,
             const Call& call) {
    given.finish();
    return value_of(released(interrupt, [&] {
        const OneAtATime::Hold hold(self.one, interrupt);
        return call(self.stepper, options);
    }));
}

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

py::object impact_tuple(const std::optional<Impact>& impact) {
    if (!impact) return py::none();
    const CcdResult& r = impact->result;
    return py::make_tuple(std::string(short_name(impact->kind)), impact->a, impact->b,
                          static_cast<int>(r.verdict), r.toi_lower, r.toi_upper, r.tolerance,
                          r.checks);
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

template <class Row, class Elements, class Make>
py::array rows_from(const Elements& elements, const Make& make) {
    std::vector<Row> rows;
    rows.reserve(elements.size());
    for (const auto& element : elements)
        rows.push_back(make(element));
    return array_of_rows(std::move(rows));
}

// --- functions -------------------------------------------------------------------------------------

std::unique_ptr<Stepper> make_stepper(std::size_t vertex_count, py::handle edges,
                                      py::handle faces) {
    const auto loose = index_rows<2>(edges, "E");
    const auto triangles = index_rows<3>(faces, "F");
    return std::make_unique<Stepper>(value_of(make_topology(vertex_count, triangles, loose), ""));
}

py::tuple first_impact_of(Stepper& self, py::handle start, py::handle end, const py::dict& given) {
    const Interrupt interrupt;
    const Positions from(start, "start");
    const Positions to(end, "end");
    Options options(given);
    const StepArguments arguments(options, interrupt);
    const FirstImpact r = stepped(self, options, arguments.options(), interrupt,
                                  [&](MeshStepper& stepper, const StepOptions& step) {
                                      return stepper.first_impact(from.span(), to.span(), step);
                                  });
    return py::make_tuple(
        static_cast<int>(r.verdict), r.toi_lower, r.toi_upper, impact_tuple(r.impact),
        r.impact ? py::object(point_tuple(r.contact)) : py::none(), work_dict(r.work));
}

py::tuple all_impacts_of(Stepper& self, py::handle start, py::handle end, const py::dict& given) {
    const Interrupt interrupt;
    const Positions from(start, "start");
    const Positions to(end, "end");
    Options options(given);
    const StepArguments arguments(options, interrupt);
    const StepImpacts r = stepped(self, options, arguments.options(), interrupt,
                                  [&](MeshStepper& stepper, const StepOptions& step) {
                                      return stepper.all_impacts(from.span(), to.span(), step);
                                  });
    const py::array rows =
        rows_from<ImpactRow>(r.impacts, [](const Impact& impact) { return row_of(impact); });
    return py::make_tuple(static_cast<int>(r.verdict), r.toi_lower, r.toi_upper, rows,
                          r.first ? py::object(py::int_(*r.first)) : py::none(), work_dict(r.work));
}

py::tuple safe_step_of(Stepper& self, py::handle start, py::handle end, const py::dict& given) {
    const Interrupt interrupt;
    const Positions from(start, "start");
    const Positions to(end, "end");
    Options options(given);
    const StepArguments arguments(options, interrupt);
    SafeStep r = stepped(self, options, arguments.options(), interrupt,
                         [&](MeshStepper& stepper, const StepOptions& step) {
                             return largest_safe_step(stepper, from.span(), to.span(), step);
                         });
    return py::make_tuple(r.fraction, array_of(std::move(r.positions)), impact_tuple(r.impact),
                          r.impact ? py::object(point_tuple(r.contact)) : py::none(), r.proofs);
}

// The energy sees a copy of its own, which it may keep or change.
double energy_at(const py::object& energy, std::span<const Vec3> positions,
                 const Interrupt& interrupt) {
    if (interrupt.is_stopped()) return std::numeric_limits<double>::quiet_NaN();
    const py::gil_scoped_acquire acquire;
    try {
        const py::object value =
            energy(array_of(std::vector<Vec3>(positions.begin(), positions.end())));
        return py::cast<double>(py::float_(value));
    } catch (...) {
        interrupt.keep_exception();
        return std::numeric_limits<double>::quiet_NaN();
    }
}

py::tuple line_search_of(Stepper& self, py::handle start, py::handle end, const py::object& energy,
                         const py::dict& given) {
    const Interrupt interrupt;
    const Positions from(start, "start");
    const Positions to(end, "end");
    Options options(given);
    const StepArguments arguments(options, interrupt);
    LineSearchOptions search;
    options.take("kept_fraction", search.kept_fraction);
    options.take("max_kept", search.max_kept);
    options.take("max_halvings", search.max_halvings);
    LineSearchResult r = stepped(
        self, options, arguments.options(), interrupt,
        [&](MeshStepper& stepper, const StepOptions& step) {
            search.step = step;
            return line_search(
                stepper, from.span(), to.span(),
                [&](std::span<const Vec3> x) { return energy_at(energy, x, interrupt); }, search);
        });
    return py::make_tuple(r.alpha, array_of(std::move(r.positions)), r.energy, r.distance, r.kept,
                          r.alpha_free, r.evaluations);
}

py::array free_radii_of(Stepper& self, py::handle positions, double reach, const py::dict& given) {
    const Interrupt interrupt;
    const Positions at(positions, "positions");
    Options options(given);
    const StepArguments arguments(options, interrupt);
    return array_of(stepped(self, options, arguments.options(), interrupt,
                            [&](MeshStepper& stepper, const StepOptions& step) {
                                return free_radii(stepper, at.span(), reach, step);
                            }));
}

py::tuple free_fractions_of(Stepper& self, py::handle start, py::handle end,
                            const py::dict& given) {
    const Interrupt interrupt;
    const Positions from(start, "start");
    const Positions to(end, "end");
    Options options(given);
    const StepArguments arguments(options, interrupt);
    FreeFractions r = stepped(self, options, arguments.options(), interrupt,
                              [&](MeshStepper& stepper, const StepOptions& step) {
                                  return free_fractions(stepper, from.span(), to.span(), step);
                              });
    return py::make_tuple(array_of(std::move(r.fraction)), array_of(std::move(r.positions)),
                          r.proofs);
}

py::array active_set_of(Stepper& self, py::handle start, py::handle end, const py::dict& given) {
    const Interrupt interrupt;
    const Positions from(start, "start");
    const Positions to(end, "end");
    Options options(given);
    const StepArguments arguments(options, interrupt);
    const ActiveSet set = stepped(self, options, arguments.options(), interrupt,
                                  [&](MeshStepper& stepper, const StepOptions& step) {
                                      return active_set(stepper, from.span(), to.span(), step);
                                  });
    return rows_from<ConstraintRow>(set.constraints,
                                    [](const ActiveConstraint& c) { return row_of(c); });
}

py::array intersections_of(Stepper& self, py::handle positions, const py::dict& given) {
    const Interrupt interrupt;
    const Positions at(positions, "positions");
    Options options(given);
    const StepArguments arguments(options, interrupt);
    const auto found = stepped(self, options, arguments.options(), interrupt,
                               [&](MeshStepper& stepper, const StepOptions& step) {
                                   return stepper.intersections(at.span(), step);
                               });
    return rows_from<IntersectionRow>(found, [](const Intersection& i) {
        return IntersectionRow{static_cast<std::uint8_t>(i.kind), i.a, i.b};
    });
}

py::tuple clearance_of(Stepper& self, py::handle positions, double reach, const py::dict& given) {
    const Interrupt interrupt;
    const Positions at(positions, "positions");
    Options options(given);
    const StepArguments arguments(options, interrupt);
    Clearance r = stepped(self, options, arguments.options(), interrupt,
                          [&](MeshStepper& stepper, const StepOptions& step) {
                              return stepper.clearance(at.span(), reach, step);
                          });
    return py::make_tuple(array_of(std::move(r.by_vertex)), r.least);
}

std::unique_ptr<Candidates> candidates_of(Stepper& self, py::handle start, py::handle end,
                                          double inflation, const py::dict& given) {
    const Interrupt interrupt;
    const Positions from(start, "start");
    const Positions to(end, "end");
    Options options(given);
    const StepArguments arguments(options, interrupt);
    return std::make_unique<Candidates>(stepped(self, options, arguments.options(), interrupt,
                                                [&](MeshStepper& stepper, const StepOptions& step) {
                                                    return stepper.candidates(
                                                        from.span(), to.span(), inflation, step);
                                                }));
}

// Where impacts of the step touch, row by row.
py::array contacts_of_rows(const Stepper& self, py::handle start, py::handle end,
                           const py::array_t<ImpactRow>& impacts) {
    const Positions from(start, "start");
    const Positions to(end, "end");
    const MeshTopology& mesh = self.stepper.topology();
    if (from.size() != mesh.vertex_count || to.size() != mesh.vertex_count)
        throw py::value_error("start, end: not as many rows as the mesh has vertices");
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
    const Interrupt interrupt;
    const auto points =
        released(interrupt, [&] { return contacts_of(mesh, from.span(), to.span(), list); });
    return rows_from<MeshContactRow>(points, [](const ContactPoint& p) {
        return MeshContactRow{
            p.u, p.v, triple_of(p.on_a), triple_of(p.on_b), triple_of(p.normal), p.distance_upper};
    });
}

py::array pairs_of(const Candidates& candidates, const std::string& kind) {
    const auto pairs = candidates.pairs(kind_of(kind));
    py::array_t<std::uint32_t> array({static_cast<py::ssize_t>(pairs.size()), py::ssize_t{2}});
    std::uint32_t* out = array.mutable_data();
    for (const IndexPair& pair : pairs) {
        *out++ = pair.first;
        *out++ = pair.second;
    }
    return array;
}

}  // namespace

void add_meshes(py::module_& m) {
    PYBIND11_NUMPY_DTYPE(ImpactRow, kind, a, b, verdict, toi_lower, toi_upper, tolerance);
    PYBIND11_NUMPY_DTYPE(ConstraintRow, kind, a, b, verdict, toi_lower, toi_upper, u, v, on_a, on_b,
                         normal, a_at_end, b_at_end, value);
    PYBIND11_NUMPY_DTYPE(IntersectionRow, kind, a, b);
    PYBIND11_NUMPY_DTYPE(MeshContactRow, u, v, on_a, on_b, normal, distance_upper);
    m.attr("IMPACT") = py::dtype::of<ImpactRow>();
    py::class_<Candidates>(m, "Candidates",
                           "Pairs that can meet in a step; made by MeshStepper.candidates().")
        .def("pairs", &pairs_of, py::arg("kind"))
        .def("__len__", [](const Candidates& c) { return c.size(); })
        .def("__copy__", [](const Candidates& c) { return std::make_unique<Candidates>(c); })
        .def("__deepcopy__",
             [](const Candidates& c, const py::dict&) { return std::make_unique<Candidates>(c); });
    py::class_<Stepper>(m, "MeshStepper")
        .def(py::init(&make_stepper))
        .def_property_readonly("vertex_count",
                               [](const Stepper& s) { return s.stepper.topology().vertex_count; })
        .def("edges",
             [](const Stepper& s) { return array_of_indices<2>(s.stepper.topology().edges); })
        .def("faces",
             [](const Stepper& s) { return array_of_indices<3>(s.stepper.topology().faces); })
        .def("first_impact", &first_impact_of)
        .def("all_impacts", &all_impacts_of)
        .def("largest_safe_step", &safe_step_of)
        .def("line_search", &line_search_of)
        .def("free_radii", &free_radii_of)
        .def("free_fractions", &free_fractions_of)
        .def("active_set", &active_set_of)
        .def("intersections", &intersections_of)
        .def("clearance", &clearance_of)
        .def("candidates", &candidates_of)
        .def("contacts", &contacts_of_rows);
}

}  // namespace graze::python

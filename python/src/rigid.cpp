// Rigid bodies in screw motion.
#include "graze/rigid.hpp"

#include <pybind11/stl.h>

#include <array>
#include <memory>

#include "bodies.hpp"
#include "calls.hpp"
#include "graze/rigid/raster.hpp"
#include "graze/rigid/stepper.hpp"
#include "modules.hpp"
#include "options.hpp"
#include "rigid_rows.hpp"

namespace graze::python {
namespace {

using rigid::BodyModel;
using rigid::Contact;
using rigid::PairStep;
using rigid::RigidBody;

std::vector<Pose> poses_of(const std::vector<PoseRow>& rows) {
    std::vector<Pose> poses;
    for (const PoseRow& row : rows)
        poses.push_back(pose_of(row));
    return poses;
}
std::vector<PoseRow> rows_of_poses(std::span<const Pose> poses) {
    std::vector<PoseRow> rows;
    for (const Pose& pose : poses)
        rows.push_back(row_of_pose(pose));
    return rows;
}

BodyModel model_of(Options& options) {
    std::string model = "solid";
    options.take("model", model);
    if (model != "solid" && model != "surface")
        throw py::value_error("model: '" + model + "' is neither 'solid' nor 'surface'");
    return model == "solid" ? BodyModel::Solid : BodyModel::SurfaceOnly;
}

// The library answers invalid options with Unresolved; here they are errors, as all others.
void check_impact_options(const rigid::ImpactOptions& options) {
    CcdOptions same;
    same.min_separation = options.min_separation;
    same.time_width = options.time_width;
    same.t_max = options.t_max;
    same.max_checks = options.max_checks;
    check_value(check(same));
}

rigid::ImpactOptions impact_options(Options& options, const Interrupt& interrupt) {
    rigid::ImpactOptions impact;
    options.take("min_separation", impact.min_separation);
    options.take("time_width", impact.time_width);
    options.take("t_max", impact.t_max);
    options.take("max_checks", impact.max_checks);
    impact.model = model_of(options);
    impact.stop = interrupt.token();
    check_impact_options(impact);
    return impact;
}

py::object contact_tuple(const Contact& c) {
    if (!c.has_features()) return py::none();
    return py::make_tuple(std::string(short_name(c.type)), c.a, c.b, c.time, tuple_of(c.point),
                          tuple_of(c.normal), c.properness, c.time_lower, c.time_upper);
}

const char* state_name(rigid::StartState state) noexcept {
    switch (state) {
        case rigid::StartState::Separated:
            return "separated";
        case rigid::StartState::Contact:
            return "contact";
        case rigid::StartState::AInsideB:
            return "a-inside-b";
        case rigid::StartState::BInsideA:
            return "b-inside-a";
        case rigid::StartState::Unresolved:
            break;
    }
    return "unresolved";
}

py::tuple impact_result(const rigid::ImpactResult& r) {
    return py::make_tuple(static_cast<int>(r.verdict), r.toi_lower, r.toi_upper,
                          state_name(r.start), contact_tuple(r.contact), r.checks);
}

py::tuple rigid_first_impact(const RigidBody& a, const RigidBody& b, const StepRows& rows,
                             const py::dict& given) {
    const Interrupt interrupt;
    const PairStep step = step_of(rows);
    Options options(given);
    const rigid::ImpactOptions impact = impact_options(options, interrupt);
    options.finish();
    return impact_result(
        released(interrupt, [&] { return rigid::first_impact(a, b, step, impact); }));
}

py::tuple rigid_all_impacts(const RigidBody& a, const RigidBody& b, const StepRows& rows,
                            const py::dict& given) {
    const Interrupt interrupt;
    const PairStep step = step_of(rows);
    Options options(given);
    const rigid::ImpactOptions impact = impact_options(options, interrupt);
    double min_properness = -0.1;
    options.take("min_properness", min_properness);
    options.finish();
    rigid::AllImpacts all =
        released(interrupt, [&] { return rigid::all_impacts(a, b, step, impact, min_properness); });
    return py::make_tuple(rows_in_world(std::move(all.collisions), step), all.complete, all.checks);
}

py::tuple rigid_raster(const RigidBody& a, const RigidBody& b, const StepRows& rows,
                       const py::dict& given) {
    const Interrupt interrupt;
    const PairStep step = step_of(rows);
    Options options(given);
    rigid::RasterOptions raster;
    options.take("pixel", raster.pixel);
    options.take("time_resolution", raster.time_resolution);
    options.take("min_properness", raster.min_properness);
    options.take("robust", raster.robust);
    raster.stop = interrupt.token();
    options.finish();
    rigid::RasterResult result = value_of(released(interrupt, [&] {
        return rigid::RasterSearch().collisions(a.surface(), b.surface(), step, raster);
    }));
    return py::make_tuple(rows_in_world(std::move(result.collisions), step), result.may_miss);
}

std::string rigid_start_state(const RigidBody& a, const PoseRow& pose_a, const RigidBody& b,
                              const PoseRow& pose_b) {
    const Interrupt interrupt;
    return state_name(released(interrupt, [&] {
        return rigid::start_state(a.surface(), pose_of(pose_a), b.surface(), pose_of(pose_b),
                                  interrupt.token());
    }));
}

py::tuple rigid_distance(const RigidBody& a, const PoseRow& pose_a, const RigidBody& b,
                         const PoseRow& pose_b, const py::dict& given) {
    const Interrupt interrupt;
    check_value(check(pose_of(pose_a), "A"), "pose_a");
    check_value(check(pose_of(pose_b), "B"), "pose_b");
    Options options(given);
    rigid::DistanceOptions distance;
    options.take("relative_width", distance.relative_width);
    options.take("max_checks", distance.max_checks);
    distance.model = model_of(options);
    distance.stop = interrupt.token();
    options.finish();
    if (!(distance.relative_width > 0.0)) throw py::value_error("relative_width: is not > 0");
    const rigid::DistanceResult r = released(interrupt, [&] {
        return rigid::distance(a, pose_of(pose_a), b, pose_of(pose_b), distance);
    });
    const bool is_known = r.face_a != rigid::kNoFace && r.face_b != rigid::kNoFace;
    return py::make_tuple(r.lower, r.upper, state_name(r.state),
                          is_known ? py::object(py::make_tuple(r.face_a, r.face_b, tuple_of(r.on_a),
                                                               tuple_of(r.on_b)))
                                   : py::none());
}

// --- many bodies -----------------------------------------------------------------------------------

// Keeps the bodies alive, which the stepper knows by address.
class BodyStepper {
public:
    BodyStepper(std::vector<std::shared_ptr<RigidBody>> bodies, const std::vector<PoseRow>& start,
                const py::object& pairs, const py::dict& given);
    [[nodiscard]] std::vector<PoseRow> poses();
    [[nodiscard]] py::tuple step(const std::vector<PoseRow>& targets);
    [[nodiscard]] py::list search(const std::vector<PoseRow>& targets);

private:
    [[nodiscard]] std::vector<rigid::BodyPair> pairs_of(const py::object& pairs) const;
    // call() without the GIL, one at a time.
    template <class Call>
    auto run(const Call& call);

    std::vector<std::shared_ptr<RigidBody>> bodies_;
    OneAtATime one_;
    CurrentStop stop_;
    std::optional<rigid::SafeStepper> stepper_;
};

std::vector<rigid::BodyPair> BodyStepper::pairs_of(const py::object& pairs) const {
    if (pairs.is_none()) return rigid::all_pairs(static_cast<std::uint32_t>(bodies_.size()));
    std::vector<rigid::BodyPair> list;
    for (const EdgeIndices& pair : index_rows<2>(pairs, "pairs"))
        list.push_back({std::min(pair[0], pair[1]), std::max(pair[0], pair[1])});
    return list;
}

template <class Call>
auto BodyStepper::run(const Call& call) {
    const Interrupt interrupt;
    return released(interrupt, [&] {
        const OneAtATime::Hold hold(one_, interrupt);
        return stop_.during(interrupt, call);
    });
}

std::vector<PoseRow> BodyStepper::poses() {
    return run([&] { return rows_of_poses(stepper_->poses()); });
}

BodyStepper::BodyStepper(std::vector<std::shared_ptr<RigidBody>> bodies,
                         const std::vector<PoseRow>& start, const py::object& pairs,
                         const py::dict& given)
    : bodies_(std::move(bodies)) {
    Options options(given);
    rigid::StepperOptions stepper;
    std::string search = "certified";
    options.take("search", search);
    if (search != "certified" && search != "robust")
        throw py::value_error("search: '" + search + "' is neither 'certified' nor 'robust'");
    stepper.search =
        search == "certified" ? rigid::StepSearch::Certified : rigid::StepSearch::Robust;
    options.take("min_separation", stepper.min_separation);
    options.take("target_separation", stepper.target_separation);
    options.take("max_checks", stepper.max_checks);
    options.take("list_collisions", stepper.list_collisions);
    options.take("taken_fraction", stepper.taken_fraction);
    options.take("max_rounds", stepper.max_rounds);
    stepper.model = model_of(options);
    stepper.stop = stop_.token();
    options.finish();
    std::vector<const RigidBody*> addresses;
    for (const auto& body : bodies_)
        addresses.push_back(body.get());
    auto made = run([&, poses = poses_of(start), list = pairs_of(pairs)] {
        return rigid::SafeStepper::create(addresses, poses, list, stepper);
    });
    // What is no option is a pose, or bodies that are not separated there.
    const bool is_option = !made && made.error().code == ErrorCode::InvalidOption;
    stepper_ = value_of(std::move(made), is_option ? "" : "start");
}

py::list obstruction_list(std::span<const rigid::Obstruction> obstructions) {
    py::list list;
    for (const rigid::Obstruction& o : obstructions)
        list.append(py::make_tuple(o.pair.first, o.pair.second, o.free, impact_result(o.first),
                                   contact_tuple(o.contact), contact_rows(o.collisions),
                                   rows_of_step(o.step)));
    return list;
}

py::tuple BodyStepper::step(const std::vector<PoseRow>& targets) {
    const rigid::StepReport report =
        value_of(run([&, poses = poses_of(targets)] { return stepper_->step(poses); }), "targets");
    return py::make_tuple(report.fractions, obstruction_list(report.obstructions), report.searches);
}

py::list BodyStepper::search(const std::vector<PoseRow>& targets) {
    return obstruction_list(value_of(
        run([&, poses = poses_of(targets)] { return stepper_->search(poses); }), "targets"));
}

// --- bodies and poses ------------------------------------------------------------------------------

std::shared_ptr<RigidBody> make_body(py::handle positions, py::handle counts, py::handle corners) {
    const Positions at(positions, "V");
    const auto corner_counts = index_list(counts, "F");
    const auto all_corners = index_list(corners, "F");
    const Interrupt interrupt;
    rigid::Polyhedron surface = value_of(released(interrupt, [&] {
        return rigid::Polyhedron::build({at.span().begin(), at.span().end()}, corner_counts,
                                        all_corners);
    }));
    return released(interrupt, [&] { return std::make_shared<RigidBody>(std::move(surface)); });
}

py::tuple body_parts(const RigidBody& body) {
    const rigid::Polyhedron& surface = body.surface();
    std::vector<std::uint32_t> counts;
    std::vector<std::uint32_t> corners;
    for (std::size_t f = 0; f < surface.face_count(); ++f) {
        counts.push_back(static_cast<std::uint32_t>(surface.face(f).size()));
        corners.insert(corners.end(), surface.face(f).begin(), surface.face(f).end());
    }
    return py::make_tuple(
        array_of(std::vector<Vec3>(surface.positions().begin(), surface.positions().end())),
        array_of_indices(counts), array_of_indices(corners));
}

PoseRow pose_by_matrix(py::handle matrix) {
    const py::array array = doubles_array(matrix, "matrix");
    const std::span<const double> numbers(static_cast<const double*>(array.data()),
                                          static_cast<std::size_t>(array.size()));
    return row_of_pose(value_of(pose_from_matrix(numbers), "matrix"));
}

py::array matrix_of_pose(const PoseRow& pose) {
    const std::array<double, 16> numbers = matrix_from_pose(pose_of(pose));
    return py::array_t<double>({4, 4}, numbers.data());
}

py::array points_moved(const PoseRow& pose, py::handle points) {
    const Positions at(points, "points");
    std::vector<Vec3> moved;
    moved.reserve(at.size());
    for (const Vec3& p : at.span())
        moved.push_back(apply(pose_of(pose), p));
    return array_of(std::move(moved));
}

}  // namespace

void add_rigid(py::module_& m) {
    PYBIND11_NUMPY_DTYPE(ContactRow, type, a, b, time, point, normal, properness, time_lower,
                         time_upper);
    m.attr("CONTACT") = py::dtype::of<ContactRow>();
    py::class_<RigidBody, std::shared_ptr<RigidBody>>(m, "RigidBody")
        .def(py::init(&make_body))
        .def("parts", &body_parts)
        .def("oriented",
             [](const RigidBody& body) {
                 return std::make_shared<RigidBody>(body.surface().oriented());
             })
        .def("report", [](const RigidBody& body) { return body.surface().report().text(); })
        .def("is_closed", [](const RigidBody& body) { return body.surface().report().is_closed(); })
        .def("face_count", [](const RigidBody& body) { return body.surface().face_count(); })
        .def("triangles",
             [](const RigidBody& body) { return array_of_indices<3>(body.surface().triangles()); });
    py::class_<BodyStepper>(m, "BodyStepper")
        .def(py::init<std::vector<std::shared_ptr<RigidBody>>, const std::vector<PoseRow>&,
                      const py::object&, const py::dict&>())
        .def("poses", &BodyStepper::poses)
        .def("step", &BodyStepper::step)
        .def("search", &BodyStepper::search);
    m.def("rigid_first_impact", &rigid_first_impact);
    m.def("rigid_all_impacts", &rigid_all_impacts);
    m.def("rigid_raster", &rigid_raster);
    m.def("rigid_start_state", &rigid_start_state);
    m.def("rigid_distance", &rigid_distance);
    m.def("pose_from_matrix", &pose_by_matrix);
    m.def("pose_matrix", &matrix_of_pose);
    m.def("pose_apply", &points_moved);
    m.def("pose_inverse", [](const PoseRow& p) { return row_of_pose(inverse(pose_of(p))); });
    m.def("pose_compose", [](const PoseRow& p, const PoseRow& q) {
        return row_of_pose(compose(pose_of(p), pose_of(q)));
    });
    m.def("pose_at", [](const PoseRow& start, const PoseRow& end, double t) {
        return row_of_pose(rigid::pose_at({pose_of(start), pose_of(end)}, t));
    });
    m.def("rotation_about", [](py::handle axis, double angle) {
        const Quaternion q = rotation_about(vec3_of(axis, "axis"), angle);
        return py::make_tuple(q.w, q.x, q.y, q.z);
    });
}

}  // namespace graze::python

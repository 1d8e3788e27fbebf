// Meshes in a step.
#include "graze/mesh.hpp"

#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "graze.h"
#include "handles.hpp"
#include "views.hpp"

namespace graze::capi {
namespace {

static_assert(sizeof(graze_impact) == 56 && sizeof(graze_step_result) == 224);
static_assert(sizeof(graze_safe_step) == 184 && sizeof(graze_line_search) == 48);
static_assert(sizeof(graze_intersection) == 12 && sizeof(graze_line_search_options) == 32);
static_assert(sizeof(void*) != 8 || sizeof(graze_step_options) == 176);
static_assert(GRAZE_MEETS_EDGE_FACE == static_cast<int>(Intersection::Kind::EdgeFace) &&
              GRAZE_MEETS_VERTEX_FACE == static_cast<int>(Intersection::Kind::VertexFace) &&
              GRAZE_MEETS_EDGE_EDGE == static_cast<int>(Intersection::Kind::EdgeEdge) &&
              GRAZE_MEETS_VERTEX_VERTEX == static_cast<int>(Intersection::Kind::VertexVertex) &&
              GRAZE_MEETS_VERTEX_EDGE == static_cast<int>(Intersection::Kind::VertexEdge));

constexpr std::uint64_t kOldestStepOptions = sizeof(graze_step_options);
constexpr std::uint64_t kOldestLineSearchOptions = 32;
// Indices are of 32 bits.
constexpr std::uint64_t kMostElements = 0xffff'ffffU;

struct MeshObject {
    static constexpr HandleKind kHandle = HandleKind::Mesh;
    static constexpr const char* kName = "mesh";

    explicit MeshObject(MeshTopology topology) : stepper(std::move(topology)) {}
    [[nodiscard]] std::uint64_t vertices() const noexcept {
        return stepper.topology().vertex_count;
    }

    InUse in_use;
    MeshStepper stepper;
    // Positions of the last call: their memory is used again.
    std::vector<Vec3> start;
    std::vector<Vec3> end;
    std::vector<Impact> kept;
};

graze_step_options default_step_options() noexcept {
    graze_step_options options{};
    options.size = sizeof options;
    write_query(CcdOptions{}, options);
    options.within_bodies = 1;
    return options;
}

graze_line_search_options default_line_search_options() noexcept {
    const LineSearchOptions defaults;
    return {sizeof(graze_line_search_options), defaults.kept_fraction, defaults.max_kept,
            defaults.max_halvings, 0};
}

// The library's options, and what they refer to by address.
struct StepCall {
    StepOptions options;
    StopQuestion question;
};

Checks check_vertex_list(Checks checks, const void* data, std::uint64_t count,
                         std::uint64_t vertices, const char* name) noexcept {
    checks.list(data, count, name);
    return count == 0 ? checks : checks.same(count, vertices, name);
}

Checks check_step_lists(const graze_step_options& o, std::uint64_t vertices) noexcept {
    Checks checks;
    checks = check_vertex_list(checks, o.radius, o.radius_count, vertices, "options: radius");
    checks = check_vertex_list(checks, o.body, o.body_count, vertices, "options: body");
    checks = check_vertex_list(checks, o.fixed, o.fixed_count, vertices, "options: fixed");
    checks = check_vertex_list(checks, o.layers, o.layers_count, vertices, "options: layers");
    return check_vertex_list(checks, o.mask, o.mask_count, vertices, "options: mask");
}

void set_callbacks(const graze_step_options& o, StepCall& call) {
    void* const user = o.user;
    if (const graze_accepts accepts = o.accepts) {
        call.options.filter.accepts = [accepts, user](QueryKind kind, std::uint32_t a,
                                                      std::uint32_t b) {
            return accepts(user, static_cast<graze_kind>(kind), a, b) != 0;
        };
    }
    if (const graze_progress progress = o.progress) {
        call.options.progress = [progress, user](double fraction) {
            return progress(user, fraction) == 0;
        };
    }
    call.question = {o.stop, user};
    if (o.stop != nullptr) call.options.stop = StopToken(&StopQuestion::ask, &call.question);
}

graze_status read_step_options(const graze_step_options* given, std::uint64_t vertices,
                               StepCall& call) {
    graze_step_options o = default_step_options();
    Checks checks;
    checks.then([&] { return read_options(given, kOldestStepOptions, "options", o); })
        .then([&] { return read_query(o, call.options.query); })
        .then([&] { return check_step_lists(o, vertices).status(); });
    if (checks.failed()) return checks.status();
    if (o.threads < 0)
        return fail(GRAZE_INVALID_OPTION, "options: threads is %d, not >= 0", o.threads);
    call.options.threads = o.threads;
    call.options.radius = list_of(o.radius, o.radius_count);
    call.options.filter.body = list_of(o.body, o.body_count);
    call.options.filter.fixed = list_of(o.fixed, o.fixed_count);
    call.options.filter.layers = list_of(o.layers, o.layers_count);
    call.options.filter.mask = list_of(o.mask, o.mask_count);
    call.options.filter.within_bodies = o.within_bodies != 0;
    set_callbacks(o, call);
    return GRAZE_OK;
}

// One call with a mesh: the mesh, taken, its options, and positions that are copied from views.
struct MeshCall : StepCall {
    Taken<MeshObject> mesh;

    graze_status begin(graze_mesh handle, const graze_step_options* given) {
        if (const graze_status status = mesh.take(handle.id, Access::Change, "mesh")) return status;
        return read_step_options(given, mesh->vertices(), *this);
    }
    graze_status read(const graze_view* view, const char* name, std::vector<Vec3>& points) {
        CheckedView checked;
        Checks checks;
        checks.then([&] { return checked.set(view, 1, name); })
            .same(checked.size(), mesh->vertices(), name);
        if (!checks.failed()) checked.copy_to(points);
        return checks.status();
    }
    graze_status begin_step(graze_mesh handle, const graze_view* start, const graze_view* end,
                            const graze_step_options* given) {
        Checks checks;
        return checks.then([&] { return begin(handle, given); })
            .then([&] { return read(start, "start", mesh->start); })
            .then([&] { return read(end, "end", mesh->end); })
            .status();
    }
    graze_status begin_state(graze_mesh handle, const graze_view* positions,
                             const graze_step_options* given) {
        Checks checks;
        return checks.then([&] { return begin(handle, given); })
            .then([&] { return read(positions, "positions", mesh->start); })
            .status();
    }
    // 3 numbers for each vertex.
    [[nodiscard]] Checks check_positions(const double* positions,
                                         std::uint64_t coordinates) const noexcept {
        Checks checks;
        checks.list(positions, coordinates, "positions");
        return checks.same(coordinates, 3 * mesh->vertices(), "coordinates");
    }
    [[nodiscard]] Checks check_by_vertex(const double* values, std::uint64_t count,
                                         const char* name) const noexcept {
        Checks checks;
        checks.list(values, count, name);
        return checks.same(count, mesh->vertices(), name);
    }
};

using capi::to_c;  // of results and contacts: the overloads here would hide them

graze_impact to_c(const Impact& impact) noexcept {
    return {static_cast<graze_kind>(impact.kind), impact.a, impact.b, 0, to_c(impact.result)};
}

graze_step_result no_step_result() noexcept {
    graze_step_result result{};
    result.toi_upper = kInfinity;
    result.verdict = GRAZE_UNRESOLVED;
    result.impact = to_c(Impact{});
    result.contact = no_contact();
    return result;
}

graze_step_result to_c(const StepVerdict& verdict, const std::optional<Impact>& impact,
                       const ContactPoint& contact, const StepWork& work) noexcept {
    graze_step_result result = no_step_result();
    result.toi_lower = verdict.toi_lower;
    result.toi_upper = verdict.toi_upper;
    result.verdict = static_cast<graze_verdict>(verdict.verdict);
    std::copy(work.candidates.begin(), work.candidates.end(), result.candidates);
    if (!impact) return result;
    result.has_impact = 1;
    result.impact = to_c(*impact);
    result.contact = to_c(contact);
    return result;
}

graze_safe_step no_safe_step() noexcept {
    graze_safe_step step{};
    step.impact = to_c(Impact{});
    step.contact = no_contact();
    return step;
}

// Rows of N indices, copied.
template <std::size_t N>
std::vector<std::array<std::uint32_t, N>> rows_of(const std::uint32_t* data, std::uint64_t count) {
    std::vector<std::array<std::uint32_t, N>> rows(static_cast<std::size_t>(count));
    if (count != 0) std::memcpy(rows.data(), data, rows.size() * sizeof(rows[0]));
    return rows;
}

graze_status check_element_count(std::uint64_t count, const char* name) noexcept {
    if (count < kMostElements) return GRAZE_OK;
    return fail(GRAZE_WRONG_SIZE, "%s: %llu are too many for indices of 32 bits", name,
                static_cast<unsigned long long>(count));
}

graze_status read_line_search_options(const graze_line_search_options* given,
                                      LineSearchOptions& options) {
    graze_line_search_options o = default_line_search_options();
    if (const graze_status status = read_options(given, kOldestLineSearchOptions, "options", o))
        return status;
    if (o.max_halvings < 0 || o.max_halvings > 1000)
        return fail(GRAZE_INVALID_OPTION, "options: max_halvings is %d, not in [0, 1000]",
                    o.max_halvings);
    options.kept_fraction = o.kept_fraction;
    options.max_kept = o.max_kept;
    options.max_halvings = o.max_halvings;
    return GRAZE_OK;
}

// The caller's energy of positions, which it gets packed.
class CallersEnergy {
public:
    CallersEnergy(graze_energy energy, void* user) : energy_(energy), user_(user) {}
    double operator()(std::span<const Vec3> positions) {
        packed_.resize(3 * positions.size());
        write_positions(positions, packed_.data());
        return energy_(user_, packed_.data(), packed_.size());
    }

private:
    graze_energy energy_;
    void* user_;
    std::vector<double> packed_;
};

graze_status give_line_search(const LineSearchResult& found, double* positions,
                              graze_line_search* result) noexcept {
    write_positions(found.positions, positions);
    *result = {found.alpha,
               found.energy,
               found.distance,
               found.kept,
               found.alpha_free,
               found.evaluations,
               0};
    return GRAZE_OK;
}

graze_status write_impacts(std::span<const Impact> impacts, graze_impact* output,
                           std::uint64_t capacity, std::uint64_t* count) noexcept {
    return write_list(impacts, output, capacity, count, "impacts",
                      [](const Impact& impact) { return to_c(impact); });
}

// The step as a whole, with the contact of its first impact.
graze_step_result to_c(const StepImpacts& found, const MeshObject& mesh) {
    if (!found.first) return to_c(found, std::nullopt, ContactPoint{}, found.work);
    const Impact& first = found.impacts[*found.first];
    return to_c(found, first, contact_of(mesh.stepper.topology(), mesh.start, mesh.end, first),
                found.work);
}

}  // namespace
}  // namespace graze::capi

using namespace graze::capi;

graze_status graze_step_options_init(graze_step_options* options, uint64_t size) noexcept {
    return init_options(options, kOldestStepOptions, size, default_step_options());
}

graze_status graze_line_search_options_init(graze_line_search_options* options,
                                            uint64_t size) noexcept {
    return init_options(options, kOldestLineSearchOptions, size, default_line_search_options());
}

graze_status graze_mesh_create(uint64_t vertex_count, const uint32_t* faces, uint64_t face_count,
                               const uint32_t* edges, uint64_t edge_count,
                               graze_mesh* mesh) noexcept {
    return guarded([&] {
        write(mesh, graze_mesh{0});
        Checks checks;
        checks.not_null(mesh, "mesh")
            .then([&] { return check_element_count(vertex_count, "vertex_count"); })
            .then([&] { return check_element_count(face_count, "face_count"); })
            .then([&] { return check_element_count(edge_count, "edge_count"); })
            .list(faces, face_count, "faces")
            .list(edges, edge_count, "edges");
        if (checks.failed()) return checks.status();
        auto topology =
            graze::make_topology(static_cast<std::size_t>(vertex_count),
                                 rows_of<3>(faces, face_count), rows_of<2>(edges, edge_count));
        if (!topology) return fail("", topology.error());
        mesh->id = add_object(std::make_shared<MeshObject>(std::move(*topology)));
        return graze_status{GRAZE_OK};
    });
}

graze_status graze_mesh_destroy(graze_mesh mesh) noexcept {
    return destroy_object<MeshObject>(mesh.id);
}

graze_status graze_mesh_counts(graze_mesh mesh, uint64_t* vertices, uint64_t* edges,
                               uint64_t* faces) noexcept {
    return guarded([&] {
        write(vertices, uint64_t{0});
        write(edges, uint64_t{0});
        write(faces, uint64_t{0});
        std::shared_ptr<MeshObject> object;
        if (const graze_status status = find_object(mesh.id, "mesh", object)) return status;
        const graze::MeshTopology& topology = object->stepper.topology();
        write(vertices, uint64_t{topology.vertex_count});
        write(edges, uint64_t{topology.edges.size()});
        write(faces, uint64_t{topology.faces.size()});
        return graze_status{GRAZE_OK};
    });
}

graze_status graze_mesh_edges(graze_mesh mesh, uint32_t* edges, uint64_t capacity,
                              uint64_t* count) noexcept {
    return guarded([&] {
        write(count, uint64_t{0});
        std::shared_ptr<MeshObject> object;
        Checks checks;
        checks.not_null(count, "count").list(edges, capacity, "edges").then([&] {
            return find_object(mesh.id, "mesh", object);
        });
        if (checks.failed()) return checks.status();
        const std::vector<graze::EdgeIndices>& all = object->stepper.topology().edges;
        const std::size_t fitting = std::min<std::uint64_t>(all.size(), capacity);
        if (fitting != 0) std::memcpy(edges, all.data(), fitting * sizeof(all[0]));
        *count = all.size();
        if (fitting == all.size()) return graze_status{GRAZE_OK};
        return fail(GRAZE_BUFFER_TOO_SMALL, "edges: a capacity of %llu, but there are %llu",
                    static_cast<unsigned long long>(capacity),
                    static_cast<unsigned long long>(all.size()));
    });
}

graze_status graze_mesh_first_impact(graze_mesh mesh, const graze_view* start,
                                     const graze_view* end, const graze_step_options* options,
                                     graze_step_result* result) noexcept {
    return guarded([&] {
        write(result, no_step_result());
        MeshCall call;
        Checks checks;
        checks.not_null(result, "result").then([&] {
            return call.begin_step(mesh, start, end, options);
        });
        if (checks.failed()) return checks.status();
        MeshObject& object = *call.mesh;
        const auto found = object.stepper.first_impact(object.start, object.end, call.options);
        if (!found) return fail("", found.error());
        *result = to_c(*found, found->impact, found->contact, found->work);
        return graze_status{GRAZE_OK};
    });
}

graze_status graze_mesh_all_impacts(graze_mesh mesh, const graze_view* start, const graze_view* end,
                                    const graze_step_options* options, graze_impact* impacts,
                                    uint64_t capacity, uint64_t* count,
                                    graze_step_result* result) noexcept {
    return guarded([&] {
        write(count, uint64_t{0});
        write(result, no_step_result());
        MeshCall call;
        Checks checks;
        checks.not_null(count, "count").list(impacts, capacity, "impacts").then([&] {
            return call.begin_step(mesh, start, end, options);
        });
        if (checks.failed()) return checks.status();
        MeshObject& object = *call.mesh;
        object.kept.clear();
        auto found = object.stepper.all_impacts(object.start, object.end, call.options);
        if (!found) return fail("", found.error());
        if (result != nullptr) *result = to_c(*found, object);
        object.kept = std::move(found->impacts);
        return write_impacts(object.kept, impacts, capacity, count);
    });
}

graze_status graze_mesh_kept_impacts(graze_mesh mesh, graze_impact* impacts, uint64_t capacity,
                                     uint64_t* count) noexcept {
    return guarded([&] {
        write(count, uint64_t{0});
        Taken<MeshObject> object;
        Checks checks;
        checks.not_null(count, "count").list(impacts, capacity, "impacts").then([&] {
            return object.take(mesh.id, Access::Read, "mesh");
        });
        if (checks.failed()) return checks.status();
        return write_impacts(object->kept, impacts, capacity, count);
    });
}

graze_status graze_mesh_largest_safe_step(graze_mesh mesh, const graze_view* start,
                                          const graze_view* end, const graze_step_options* options,
                                          double* positions, uint64_t coordinates,
                                          graze_safe_step* step) noexcept {
    return guarded([&] {
        write(step, no_safe_step());
        MeshCall call;
        Checks checks;
        checks.not_null(step, "step")
            .then([&] { return call.begin_step(mesh, start, end, options); })
            .then([&] { return call.check_positions(positions, coordinates).status(); });
        if (checks.failed()) return checks.status();
        MeshObject& object = *call.mesh;
        const auto found =
            graze::largest_safe_step(object.stepper, object.start, object.end, call.options);
        if (!found) return fail("", found.error());
        write_positions(found->positions, positions);
        step->fraction = found->fraction;
        step->proofs = found->proofs;
        if (!found->impact) return graze_status{GRAZE_OK};
        step->has_impact = 1;
        step->impact = to_c(*found->impact);
        step->contact = to_c(found->contact);
        return graze_status{GRAZE_OK};
    });
}

graze_status graze_mesh_line_search(graze_mesh mesh, const graze_view* start, const graze_view* end,
                                    graze_energy energy, void* energy_user,
                                    const graze_line_search_options* options,
                                    const graze_step_options* step, double* positions,
                                    uint64_t coordinates, graze_line_search* result) noexcept {
    return guarded([&] {
        write(result, graze_line_search{});
        if (energy == nullptr) return fail(GRAZE_NULL_POINTER, "energy is NULL");
        MeshCall call;
        graze::LineSearchOptions search;
        Checks checks;
        checks.not_null(result, "result")
            .then([&] { return call.begin_step(mesh, start, end, step); })
            .then([&] { return call.check_positions(positions, coordinates).status(); })
            .then([&] { return read_line_search_options(options, search); });
        if (checks.failed()) return checks.status();
        MeshObject& object = *call.mesh;
        search.step = call.options;
        const auto found = graze::line_search(object.stepper, object.start, object.end,
                                              CallersEnergy(energy, energy_user), search);
        return found ? give_line_search(*found, positions, result) : fail("", found.error());
    });
}

graze_status graze_mesh_free_radii(graze_mesh mesh, const graze_view* positions, double reach,
                                   const graze_step_options* options, double* radii,
                                   uint64_t count) noexcept {
    return guarded([&] {
        MeshCall call;
        Checks checks;
        checks.then([&] { return call.begin_state(mesh, positions, options); }).then([&] {
            return call.check_by_vertex(radii, count, "radii").status();
        });
        if (checks.failed()) return checks.status();
        MeshObject& object = *call.mesh;
        const auto found = graze::free_radii(object.stepper, object.start, reach, call.options);
        if (!found) return fail("", found.error());
        std::copy(found->begin(), found->end(), radii);
        return graze_status{GRAZE_OK};
    });
}

graze_status graze_mesh_free_fractions(graze_mesh mesh, const graze_view* start,
                                       const graze_view* end, const graze_step_options* options,
                                       double* fractions, uint64_t count, double* positions,
                                       uint64_t coordinates) noexcept {
    return guarded([&] {
        MeshCall call;
        Checks checks;
        checks.then([&] { return call.begin_step(mesh, start, end, options); }).then([&] {
            return call.check_by_vertex(fractions, count, "fractions").status();
        });
        if (positions != nullptr || coordinates != 0)
            checks.then([&] { return call.check_positions(positions, coordinates).status(); });
        if (checks.failed()) return checks.status();
        MeshObject& object = *call.mesh;
        const auto found =
            graze::free_fractions(object.stepper, object.start, object.end, call.options);
        if (!found) return fail("", found.error());
        std::copy(found->fraction.begin(), found->fraction.end(), fractions);
        if (positions != nullptr) write_positions(found->positions, positions);
        return graze_status{GRAZE_OK};
    });
}

graze_status graze_mesh_intersections(graze_mesh mesh, const graze_view* positions,
                                      const graze_step_options* options,
                                      graze_intersection* intersections, uint64_t capacity,
                                      uint64_t* count) noexcept {
    return guarded([&] {
        write(count, uint64_t{0});
        MeshCall call;
        Checks checks;
        checks.not_null(count, "count").list(intersections, capacity, "intersections").then([&] {
            return call.begin_state(mesh, positions, options);
        });
        if (checks.failed()) return checks.status();
        const auto found = call.mesh->stepper.intersections(call.mesh->start, call.options);
        if (!found) return fail("", found.error());
        return write_list(
            std::span<const graze::Intersection>(*found), intersections, capacity, count,
            "intersections", [](const graze::Intersection& i) {
                return graze_intersection{static_cast<std::int32_t>(i.kind), i.a, i.b};
            });
    });
}

graze_status graze_mesh_clearance(graze_mesh mesh, const graze_view* positions, double reach,
                                  const graze_step_options* options, double* by_vertex,
                                  uint64_t count, double* least) noexcept {
    return guarded([&] {
        write(least, 0.0);
        MeshCall call;
        Checks checks;
        checks.not_null(least, "least").then([&] {
            return call.begin_state(mesh, positions, options);
        });
        if (by_vertex != nullptr || count != 0)
            checks.then(
                [&] { return call.check_by_vertex(by_vertex, count, "by_vertex").status(); });
        if (checks.failed()) return checks.status();
        const auto found = call.mesh->stepper.clearance(call.mesh->start, reach, call.options);
        if (!found) return fail("", found.error());
        if (by_vertex != nullptr)
            std::copy(found->by_vertex.begin(), found->by_vertex.end(), by_vertex);
        *least = found->least;
        return graze_status{GRAZE_OK};
    });
}

#include "graze/sim/model.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "graze/core/elementary.hpp"

namespace graze::sim {
namespace {

// By Rodrigues' formula.
Vec3 rotated(const Vec3& p, const Vec3& axis, double angle) {
    const double c = cosine(angle);
    const double s = sine(angle);
    return c * p + s * cross(axis, p) + ((1.0 - c) * dot(axis, p)) * axis;
}

ScriptKey key_at(const Script& script, double time) {
    const auto& keys = script.keys;
    const auto after = std::find_if(keys.begin(), keys.end(),
                                    [&](const ScriptKey& key) { return key.time > time; });
    if (after == keys.begin()) return keys.front();
    if (after == keys.end()) return keys.back();
    const ScriptKey& a = *(after - 1);
    const ScriptKey& b = *after;
    const double f = (time - a.time) / (b.time - a.time);
    return {time, a.translation + f * (b.translation - a.translation),
            a.angle + f * (b.angle - a.angle)};
}

Error wrong(const std::string& field, const std::string& what,
            ErrorCode code = ErrorCode::InvalidInput, std::optional<std::size_t> index = {}) {
    return Error{"model." + field + " " + what, code, index};
}

template <class T>
Expected<void> check_count(const std::vector<T>& values, std::size_t count, bool may_be_empty,
                           const char* field) {
    if (values.size() == count || (may_be_empty && values.empty())) return {};
    return wrong(field,
                 "has " + std::to_string(values.size()) + " values for " + std::to_string(count) +
                     " vertices",
                 ErrorCode::WrongSize);
}

template <class Elements, class Materials>
Expected<void> check_elements(const Elements& elements, const Materials& materials,
                              std::size_t vertices, const char* field) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
        for (const std::uint32_t v : elements[i].v)
            if (v >= vertices) {
                return wrong(field, std::to_string(i) + " names vertex " + std::to_string(v),
                             ErrorCode::IndexOutOfRange, i);
            }
        if (elements[i].material >= materials.size()) {
            return wrong(
                field,
                std::to_string(i) + " names material " + std::to_string(elements[i].material),
                ErrorCode::IndexOutOfRange, i);
        }
    }
    return {};
}

bool is_above(double value, double least) {
    return is_finite(value) && value > least;
}

Expected<void> check_scripts(const Model& model) {
    std::vector<std::uint8_t> seen = model.fixed;
    for (std::size_t s = 0; s < model.scripts.size(); ++s) {
        const Script& script = model.scripts[s];
        if (script.keys.empty()) return wrong("scripts", "without a key", ErrorCode::WrongSize, s);
        for (std::size_t k = 1; k < script.keys.size(); ++k)
            if (!(script.keys[k - 1].time < script.keys[k].time)) {
                return wrong("scripts", "have keys that are not ascending in time",
                             ErrorCode::InvalidInput, s);
            }
        for (const std::uint32_t v : script.vertices) {
            if (v >= seen.size()) {
                return wrong("scripts", "name vertex " + std::to_string(v),
                             ErrorCode::IndexOutOfRange, s);
            }
            if (seen[v]++ != 0) {
                return wrong("scripts",
                             "name vertex " + std::to_string(v) + ", which is fixed or scripted",
                             ErrorCode::InvalidInput, s);
            }
        }
    }
    return {};
}

Expected<void> check_materials(const Model& model) {
    for (const ElasticMaterial& m : model.elastic_materials) {
        if (!is_above(m.young, 0.0)) return wrong("elastic_materials.young", "must be > 0");
        if (!(m.poisson > -1.0 && m.poisson < 0.5)) {
            return wrong("elastic_materials.poisson", "must be in (-1, 0.5)");
        }
        if (!is_above(m.density, 0.0)) return wrong("elastic_materials.density", "must be > 0");
    }
    for (const ClothMaterial& m : model.cloth_materials) {
        if (!is_above(m.young, 0.0)) return wrong("cloth_materials.young", "must be > 0");
        if (!(m.poisson > -1.0 && m.poisson < 1.0)) {
            return wrong("cloth_materials.poisson", "must be in (-1, 1)");
        }
        if (!is_above(m.area_density, 0.0)) {
            return wrong("cloth_materials.area_density", "must be > 0");
        }
    }
    return {};
}

Expected<void> check_options(const Model& model) {
    const ContactOptions& contact = model.contact;
    const SolverOptions& solver = model.solver;
    const auto not_negative = [](double value) { return is_finite(value) && value >= 0.0; };
    if (!not_negative(contact.tolerance)) return wrong("contact.tolerance", "must be >= 0");
    if (!not_negative(contact.distance)) return wrong("contact.distance", "must be >= 0");
    if (!is_above(contact.stiffness, 0.0)) return wrong("contact.stiffness", "must be > 0");
    if (!not_negative(contact.friction)) return wrong("contact.friction", "must be >= 0");
    if (!not_negative(contact.friction_speed)) {
        return wrong("contact.friction_speed", "must be >= 0");
    }
    if (contact.friction_iterations < 1)
        return wrong("contact.friction_iterations", "must be >= 1");
    if (!is_above(solver.dt, 0.0)) return wrong("solver.dt", "must be > 0");
    if (solver.steps_per_frame < 1) return wrong("solver.steps_per_frame", "must be >= 1");
    if (solver.max_iterations < 1) return wrong("solver.max_iterations", "must be >= 1");
    if (!is_above(solver.newton_tolerance, 0.0)) {
        return wrong("solver.newton_tolerance", "must be > 0");
    }
    if (!is_finite(model.gravity)) return wrong("gravity", "is not finite", ErrorCode::NotFinite);
    if (model.frames < 0) return wrong("frames", "must be >= 0");
    return {};
}

Expected<void> check_vertices(const Model& model) {
    const std::size_t n = model.rest.size();
    if (n == 0) return wrong("rest", "has no vertex", ErrorCode::WrongSize);
    if (auto good = check_count(model.start, n, true, "start"); !good) return good;
    if (auto good = check_count(model.start_velocity, n, true, "start_velocity"); !good) {
        return good;
    }
    if (auto good = check_count(model.mass, n, false, "mass"); !good) return good;
    if (auto good = check_count(model.body, n, false, "body"); !good) return good;
    if (auto good = check_count(model.fixed, n, false, "fixed"); !good) return good;
    if (auto good = check_count(model.radius, n, true, "radius"); !good) return good;
    if (model.surface.vertex_count != n) {
        return wrong("surface", "is of another number of vertices", ErrorCode::WrongSize);
    }
    for (std::size_t i = 0; i < n; ++i) {
        const std::string at = "of vertex " + std::to_string(i);
        if (!is_finite(model.rest[i]) || (!model.start.empty() && !is_finite(model.start[i]))) {
            return wrong("rest", at + " is not finite", ErrorCode::NotFinite, i);
        }
        if (model.fixed[i] == 0 && !is_above(model.mass[i], 0.0)) {
            return wrong("mass", at + " must be > 0", ErrorCode::InvalidInput, i);
        }
    }
    return {};
}

}  // namespace

State start_state(const Model& model) {
    State state;
    state.x = model.start.empty() ? model.rest : model.start;
    state.v = model.start_velocity;
    state.v.resize(model.rest.size());
    return state;
}

Expected<void> check_model(const Model& model) {
    if (auto good = check_vertices(model); !good) return good;
    const std::size_t n = model.rest.size();
    if (auto good = check_elements(model.tetrahedra, model.elastic_materials, n, "tetrahedra");
        !good) {
        return good;
    }
    if (auto good =
            check_elements(model.cloth_triangles, model.cloth_materials, n, "cloth_triangles");
        !good) {
        return good;
    }
    if (auto good = check_elements(model.hinges, model.cloth_materials, n, "hinges"); !good) {
        return good;
    }
    if (auto good = check_elements(model.strand_edges, model.strand_materials, n, "strand_edges");
        !good) {
        return good;
    }
    if (auto good = check_elements(model.strand_bends, model.strand_materials, n, "strand_bends");
        !good) {
        return good;
    }
    if (auto good = check_materials(model); !good) return good;
    if (auto good = check_scripts(model); !good) return good;
    return check_options(model);
}

double model_size(const Model& model) {
    Vec3 low{};
    Vec3 high{};
    bool is_first = true;
    for (std::size_t i = 0; i < model.rest.size(); ++i) {
        if (model.fixed[i] != 0) continue;
        const Vec3& p = model.rest[i];
        for (std::size_t k = 0; k < 3; ++k) {
            low[k] = is_first ? p[k] : std::min(low[k], p[k]);
            high[k] = is_first ? p[k] : std::max(high[k], p[k]);
        }
        is_first = false;
    }
    return norm(high - low);
}

double contact_distance(const Model& model) {
    constexpr double kOfDiagonal = 1e-3;
    return model.contact.distance > 0.0 ? model.contact.distance : kOfDiagonal * model_size(model);
}

std::vector<std::uint8_t> prescribed(const Model& model, double time) {
    std::vector<std::uint8_t> mask = model.fixed;
    for (const Script& script : model.scripts) {
        if (time > script.release) continue;
        for (const std::uint32_t v : script.vertices)
            mask[v] = 1;
    }
    return mask;
}

void apply_scripts(const Model& model, double time, std::vector<Vec3>& x) {
    const std::vector<Vec3>& from = model.start.empty() ? model.rest : model.start;
    for (const Script& script : model.scripts) {
        if (time > script.release) continue;
        const ScriptKey key = key_at(script, time);
        for (const std::uint32_t v : script.vertices) {
            x[v] = script.pivot + key.translation +
                   rotated(from[v] - script.pivot, script.axis, key.angle);
        }
    }
}

std::uint64_t inverted_tetrahedra(const Model& model, std::span<const Vec3> x) {
    const auto volume = [](std::span<const Vec3> p, const Tetrahedron& t) {
        return dot(cross(p[t.v[1]] - p[t.v[0]], p[t.v[2]] - p[t.v[0]]), p[t.v[3]] - p[t.v[0]]);
    };
    std::uint64_t count = 0;
    for (const Tetrahedron& t : model.tetrahedra)
        if (!(volume(x, t) / volume(model.rest, t) > 0.0)) ++count;
    return count;
}

void FrameStats::add(const FrameStats& step) {
    steps += step.steps;
    iterations += step.iterations;
    tested += step.tested;
    positive += step.positive;
    contacts = std::max(contacts, step.contacts);
    fail_safes += step.fail_safes;
    stuck += step.stuck;
    unfinished += step.unfinished;
    inverted = std::max(inverted, step.inverted);
    checked += step.checked;
    intersections += step.intersections;
    crossings += step.crossings;
    least_distance = std::min(least_distance, step.least_distance);
    kinetic_energy = step.kinetic_energy;
    seconds += step.seconds;
    seconds_detection += step.seconds_detection;
}

}  // namespace graze::sim

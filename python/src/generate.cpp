// Queries, scenes, models and levels from a seed.
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "calls.hpp"
#include "errors.hpp"
#include "graze/generate/families.hpp"
#include "graze/generate/levels.hpp"
#include "graze/generate/models.hpp"
#include "graze/generate/scenes.hpp"
#include "modules.hpp"
#include "records.hpp"

namespace graze::python {
namespace {

template <class Ids>
std::vector<std::string> names_of(const Ids& ids) {
    std::vector<std::string> names;
    for (const auto id : ids)
        names.emplace_back(name(id));
    return names;
}

std::string joined(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& one : names)
        list += (list.empty() ? "" : ", ") + one;
    return list;
}

template <class Id>
Id known(const std::optional<Id>& id, const char* argument, const std::string& given,
         const std::vector<std::string>& names) {
    if (id) return *id;
    throw py::value_error(std::string(argument) + ": there is no '" + given +
                          "'; there are: " + joined(names));
}

py::tuple generated_queries(const std::string& family_name, const std::string& kind_name,
                            std::uint64_t count, std::uint64_t seed) {
    using namespace generate;
    const QueryKind kind = kind_of(kind_name);
    const Family family =
        known(family_from_name(family_name), "family", family_name, names_of(kAllFamilies));
    const Interrupt interrupt;
    const auto records = released(interrupt, [&] {
        const StopToken stop = interrupt.token();
        std::vector<io::QueryRecord> list;
        list.reserve(count);
        for (std::uint64_t i = 0; i < count && !stop.stop_requested(); ++i)
            list.push_back(query(family, kind, seed + i));
        return list;
    });
    const py::tuple arrays = arrays_of_records(records, kind);
    return py::make_tuple(arrays[0], arrays[1]);
}

py::tuple generated_scene(const std::string& scene_name, std::uint64_t seed,
                          std::uint64_t queries) {
    using namespace generate;
    const SceneId id = known(scene_from_name(scene_name), "name", scene_name, names_of(kAllScenes));
    const Interrupt interrupt;
    QueryScene scene = released(interrupt, [&] { return make_scene(id, {seed, queries}); });
    py::list steps;
    for (SceneStep& step : scene.steps)
        steps.append(
            py::make_tuple(array_of(std::move(step.start)), array_of(std::move(step.end))));
    return py::make_tuple(array_of_indices<3>(scene.faces), array_of_indices<2>(scene.edges),
                          array_of_indices(scene.body), steps);
}

py::tuple generated_model(const std::string& model_name, std::uint32_t faces) {
    const Interrupt interrupt;
    const auto mesh = value_of(
        released(interrupt, [&] { return generate::model(model_name, faces, interrupt.token()); }),
        "name");
    return arrays_of_polygons(mesh);
}

py::tuple generated_level(const std::string& level_name, std::uint64_t seed,
                          std::uint32_t terrain_faces, std::uint32_t max_moves) {
    using namespace generate;
    const LevelId id = known(level_from_name(level_name), "name", level_name, names_of(kAllLevels));
    const Interrupt interrupt;
    LevelScene scene = released(interrupt, [&] {
        LevelOptions options;
        options.seed = seed;
        options.terrain_faces = terrain_faces;
        options.max_moves = max_moves;
        options.stop = interrupt.token();
        return make_level(id, options);
    });
    py::list parts;
    for (LevelPart& part : scene.parts)
        parts.append(
            py::make_tuple(array_of(std::move(part.positions)), array_of_indices<3>(part.faces)));
    std::vector<Vec3> moves;
    for (const LevelMove& move : scene.moves)
        moves.push_back(move.displacement);
    return py::make_tuple(parts, tuple_of(scene.start), array_of(std::move(moves)));
}

std::vector<std::string> generated_model_names() {
    std::vector<std::string> names;
    for (const std::string_view one : generate::model_names())
        names.emplace_back(one);
    return names;
}

}  // namespace

void add_generate(py::module_& m) {
    m.def("generate_queries", &generated_queries);
    m.def("generate_scene", &generated_scene);
    m.def("generate_model", &generated_model);
    m.def("generate_level", &generated_level);
    m.def("family_names", [] { return names_of(generate::kAllFamilies); });
    m.def("scene_names", [] { return names_of(generate::kAllScenes); });
    m.def("level_names", [] { return names_of(generate::kAllLevels); });
    m.def("model_names", &generated_model_names);
}

}  // namespace graze::python

// Generated queries with their exact truth: of a family, or of a scene.
#pragma once

#include <functional>
#include <variant>

#include "graze/generate/families.hpp"
#include "graze/generate/scenes.hpp"
#include "graze/verify/parallel.hpp"

namespace graze::app {
using namespace verify;

// What takes the queries, one after the other.
using RecordSink = std::function<Expected<void>(const io::QueryRecord&)>;

struct FamilyPart {
    generate::Family family = generate::Family::Ordinary;
    QueryKind kind = QueryKind::VertexFace;
    std::uint64_t seed = 0;  // number of the first query
    std::uint64_t count = 0;
    std::uint64_t shard = 0;  // of those of its set
};
struct SceneQueriesPart {
    generate::SceneId scene = generate::SceneId::CliffEdges;
    QueryKind kind = QueryKind::VertexFace;  // one of kSceneKinds
    std::uint64_t seed = 0;
    std::uint64_t count = 0;
    std::uint64_t shard = 0;  // of those of its set
};

// One part makes the queries of one scene or family, of one kind.
using SetPart = std::variant<FamilyPart, SceneQueriesPart>;

// Both hand over the same queries for every number of threads; an error is that of the sink, or a
// stop. Of a scene there may be fewer than asked for: no more than it has pairs in reach.
[[nodiscard]] Expected<void> make_family_queries(const FamilyPart& part, const Workers& workers,
                                                 const RecordSink& sink);
[[nodiscard]] Expected<void> make_scene_queries(const SceneQueriesPart& part,
                                                const Workers& workers, const RecordSink& sink);
// The one of the two that makes this part.
[[nodiscard]] Expected<void> make_queries(const SetPart& part, const Workers& workers,
                                          const RecordSink& sink);

}  // namespace graze::app

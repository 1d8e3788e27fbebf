#include "generate_queries.hpp"

#include <algorithm>

#include "cli/interrupt.hpp"
#include "graze/verify/ground_truth.hpp"

namespace graze::app {
using namespace verify;
namespace {

using io::QueryRecord;

constexpr std::uint64_t kFamilyBlock = 1024;  // queries of a family in memory at a time
// Near pairs of a scene that are judged for one query that is kept; more are thinned before.
constexpr std::size_t kPoolPerQuery = 4;

std::vector<QueryRecord> generated_block(const FamilyPart& part, std::uint64_t first,
                                         std::uint64_t count) {
    std::vector<QueryRecord> block;
    for (std::uint64_t i = 0; i < count; ++i)
        block.push_back(generate::query(part.family, part.kind, part.seed + first + i));
    return block;
}

Expected<std::vector<QueryRecord>> judged(const std::vector<QueryRecord>& records, QueryKind kind,
                                          const Workers& workers) {
    GroundTruthOptions options;
    options.workers = workers;
    const std::vector<GroundTruth> truths = ground_truths(records, kind, options);
    if (stop_requested()) return stopped();
    std::vector<QueryRecord> answered;
    for (std::size_t i = 0; i < records.size(); ++i)
        answered.push_back(with_exact_truth(records[i], truths[i].truth));
    return answered;
}

// Pairs of a scene, those that are near and those that are not.
struct Pool {
    std::vector<generate::ScenePair> near;
    std::vector<generate::ScenePair> far;
};

std::vector<generate::ScenePair> thinned_evenly(const std::vector<generate::ScenePair>& pairs,
                                                std::size_t most) {
    std::vector<generate::ScenePair> kept;
    for (const std::size_t i : generate::evenly_spread(most, pairs.size()))
        kept.push_back(pairs[i]);
    return kept;
}

Pool pool_of_step(const generate::QueryScene& scene, QueryKind kind, std::uint32_t step) {
    Pool pool;
    for (const generate::ScenePair& pair : generate::pairs_in_reach(scene, kind, step)) {
        const bool near = generate::is_near(generate::query_of(scene, kind, pair), kind);
        (near ? pool.near : pool.far).push_back(pair);
    }
    return pool;
}

// All near pairs and all far ones, each thinned to kPoolPerQuery times the queries wished.
// Far ones are thinned step by step already, for there may be millions.
Pool pool_of(const generate::QueryScene& scene, const SceneQueriesPart& part,
             const Workers& workers) {
    const std::size_t most = kPoolPerQuery * static_cast<std::size_t>(part.count);
    const std::size_t far_a_step = most / scene.steps.size() + 8;
    std::vector<Pool> steps(scene.steps.size());
    for_each_index({.threads = workers.threads, .stop = workers.stop}, steps.size(),
                   [&](std::size_t i) {
                       steps[i] = pool_of_step(scene, part.kind, static_cast<std::uint32_t>(i));
                       steps[i].far = thinned_evenly(steps[i].far, far_a_step);
                   });
    Pool all;
    for (const Pool& step : steps) {
        all.near.insert(all.near.end(), step.near.begin(), step.near.end());
        all.far.insert(all.far.end(), step.far.begin(), step.far.end());
    }
    all.near = thinned_evenly(all.near, most);
    return all;
}

struct Candidate {
    generate::ScenePair pair;
    generate::PairClass pair_class = generate::PairClass::Far;
    QueryRecord record;  // with truth, unless far
};

// The pool with its near pairs judged, in the order of the pairs.
Expected<std::vector<Candidate>> candidates_of(const generate::QueryScene& scene,
                                               const SceneQueriesPart& part,
                                               const Workers& workers) {
    const Pool pool = pool_of(scene, part, workers);
    if (stop_requested()) return stopped();
    std::vector<QueryRecord> near;
    for (const generate::ScenePair& pair : pool.near)
        near.push_back(generate::query_of(scene, part.kind, pair));
    const auto answered = judged(near, part.kind, workers);
    if (!answered) return answered.error();
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < near.size(); ++i) {
        const bool touches = (*answered)[i].truth.value_or(false);
        candidates.push_back({pool.near[i],
                              touches ? generate::PairClass::Touching : generate::PairClass::Near,
                              (*answered)[i]});
    }
    for (const generate::ScenePair& pair : pool.far)
        candidates.push_back(
            {pair, generate::PairClass::Far, generate::query_of(scene, part.kind, pair)});
    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate& a, const Candidate& b) { return a.pair < b.pair; });
    return candidates;
}

std::vector<QueryRecord> chosen_of(const std::vector<Candidate>& candidates, std::uint64_t count) {
    std::vector<generate::PairClass> classes;
    for (const Candidate& candidate : candidates)
        classes.push_back(candidate.pair_class);
    std::vector<QueryRecord> chosen;
    for (const std::size_t i : generate::thinned(classes, static_cast<std::size_t>(count)))
        chosen.push_back(candidates[i].record);
    return chosen;
}

// The records that have no truth yet get theirs: the far ones.
Expected<void> judge_the_rest(std::vector<QueryRecord>& records, QueryKind kind,
                              const Workers& workers) {
    std::vector<QueryRecord> open;
    for (const QueryRecord& record : records) {
        if (!record.truth) open.push_back(record);
    }
    const auto answered = judged(open, kind, workers);
    if (!answered) return answered.error();
    std::size_t next = 0;
    for (QueryRecord& record : records) {
        if (!record.truth) record = (*answered)[next++];
    }
    return {};
}

Expected<void> hand_over(const std::vector<QueryRecord>& records, const RecordSink& sink) {
    for (const QueryRecord& record : records) {
        if (Expected<void> taken = sink(record); !taken) return taken;
    }
    return {};
}

}  // namespace

Expected<void> make_family_queries(const FamilyPart& part, const Workers& workers,
                                   const RecordSink& sink) {
    for (std::uint64_t done = 0; done < part.count; done += kFamilyBlock) {
        const std::uint64_t size = std::min(kFamilyBlock, part.count - done);
        const auto block = judged(generated_block(part, done, size), part.kind, workers);
        if (!block) return block.error();
        if (Expected<void> taken = hand_over(*block, sink); !taken) return taken;
    }
    return {};
}

Expected<void> make_scene_queries(const SceneQueriesPart& part, const Workers& workers,
                                  const RecordSink& sink) {
    const generate::QueryScene scene =
        generate::make_scene(part.scene, {.seed = part.seed, .queries = part.count});
    const auto candidates = candidates_of(scene, part, workers);
    if (!candidates) return candidates.error();
    std::vector<QueryRecord> chosen = chosen_of(*candidates, part.count);
    if (auto done = judge_the_rest(chosen, part.kind, workers); !done) return done;
    return hand_over(chosen, sink);
}

Expected<void> make_queries(const SetPart& part, const Workers& workers, const RecordSink& sink) {
    const auto* family = std::get_if<FamilyPart>(&part);
    return family != nullptr ? make_family_queries(*family, workers, sink)
                             : make_scene_queries(std::get<SceneQueriesPart>(part), workers, sink);
}

}  // namespace graze::app

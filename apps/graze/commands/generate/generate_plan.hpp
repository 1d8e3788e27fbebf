// The benchmark sets: which families and scenes, and how many queries of each.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "generate_queries.hpp"

namespace graze::app {

[[nodiscard]] std::string group_of(const SetPart& part);  // "handcrafted", "contact", "motion"
[[nodiscard]] std::string scene_of(const SetPart& part);
[[nodiscard]] QueryKind kind_of(const SetPart& part);
[[nodiscard]] std::uint64_t count_of(const SetPart& part);
[[nodiscard]] std::uint64_t shard_of(const SetPart& part);

// "smoke", "small", "medium", "large", "full".
[[nodiscard]] std::vector<std::string_view> set_names();

// The parts of a set in the order in which they are made; nothing if there is no such set. The seed
// makes another set of the same make; 0 is the one that is published.
[[nodiscard]] std::optional<std::vector<SetPart>> plan_of(std::string_view set, std::uint64_t seed);

// Which of `count` parts a text names: "17", "3,17", "2/10" (2, 12, 22, ...); empty: all. Ascending.
// Nothing where it names none, or one that there is not.
[[nodiscard]] std::optional<std::vector<std::size_t>> shards_from(std::string_view text,
                                                                  std::size_t count);

}  // namespace graze::app

#include "poses_file.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "graze/io/byte_reader.hpp"
#include "strict_json.hpp"

namespace graze::app {
namespace {

using ParsedJson = nlohmann::json;

// The member of an object; `place` is the way to the object.
Expected<const ParsedJson*> member(const ParsedJson& object, const std::string& place,
                                   const char* key) {
    const std::string where = place.empty() ? std::string("the file") : "'" + place + "'";
    if (!object.is_object()) return Error{where + " is not an object"};
    const auto found = object.find(key);
    if (found == object.end()) return Error{where + " has no '" + key + "'"};
    return &*found;
}

template <std::size_t N>
Expected<std::array<double, N>> numbers(const ParsedJson& object, const std::string& place,
                                        const char* key) {
    const auto list = member(object, place, key);
    if (!list) return list.error();
    const Error wrong{"'" + place + "." + key + "' is not a list of " + std::to_string(N) +
                      " numbers"};
    if (!(*list)->is_array() || (*list)->size() != N) return wrong;
    std::array<double, N> values{};
    for (std::size_t i = 0; i < N; ++i) {
        if (!(**list)[i].is_number()) return wrong;
        values[i] = (**list)[i].template get<double>();
    }
    return values;
}

Expected<Pose> pose_of(const ParsedJson& body, const std::string& place, const char* key) {
    const auto json = member(body, place, key);
    if (!json) return json.error();
    const std::string here = place + "." + key;
    const auto rotation = numbers<4>(**json, here, "rotation");
    if (!rotation) return rotation.error();
    const auto translation = numbers<3>(**json, here, "translation");
    if (!translation) return translation.error();
    const auto& [w, x, y, z] = *rotation;
    const Pose pose{{w, x, y, z}, {(*translation)[0], (*translation)[1], (*translation)[2]}};
    if (const auto good = check(pose, here.c_str()); !good) return good.error();
    return pose;
}

Expected<rigid::BodyStep> body_step(const ParsedJson& file, const char* key) {
    const auto body = member(file, "", key);
    if (!body) return body.error();
    const auto start = pose_of(**body, key, "start");
    if (!start) return start.error();
    const auto end = pose_of(**body, key, "end");
    if (!end) return end.error();
    return rigid::BodyStep{*start, *end};
}

Expected<rigid::PairStep> pair_step(std::string_view text) {
    const auto json = parse_strictly(text);
    if (!json) return json.error();
    const auto a = body_step(*json, "a");
    if (!a) return a.error();
    const auto b = body_step(*json, "b");
    if (!b) return b.error();
    return rigid::PairStep{*a, *b};
}

}  // namespace

Expected<rigid::PairStep> parse_poses(std::string_view text, const std::string& name) {
    auto step = pair_step(text);
    if (!step) return Error{name + ": " + step.error().message};
    return step;
}

Expected<rigid::PairStep> read_poses(const std::filesystem::path& path) {
    auto reader = io::ByteReader::open(path);
    if (!reader) return reader.error();
    std::vector<unsigned char> bytes(kMaxPosesBytes + 1);
    const std::size_t size = reader->read(bytes);
    if (reader->failure()) return reader->error("");
    if (size > kMaxPosesBytes) return reader->error("larger than a file of poses can be (1 MiB)");
    const std::string text(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    return parse_poses(text, reader->name());
}

}  // namespace graze::app

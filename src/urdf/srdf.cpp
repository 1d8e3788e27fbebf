#include <algorithm>
#include <set>

#include "graze/urdf/urdf.hpp"
#include "urdf/xml_text.hpp"

namespace graze::urdf {
namespace {

Expected<std::vector<NamePair>> disabled_pairs(std::string_view text) {
    const auto document = parse_xml(text);
    if (!document) return document.error();
    const TiXmlElement* root = (*document)->FirstChildElement("robot");
    if (root == nullptr) return Error{"there is no element 'robot'", ErrorCode::Malformed};
    std::vector<NamePair> pairs;
    constexpr const char* kElement = "disable_collisions";
    for (const TiXmlElement* e = root->FirstChildElement(kElement); e != nullptr;
         e = e->NextSiblingElement(kElement)) {
        NamePair pair{attribute_of(*e, "link1"), attribute_of(*e, "link2")};
        if (pair.first.empty() || pair.second.empty()) {
            return Error{
                "line " + std::to_string(e->Row()) + ": 'disable_collisions' needs link1 and link2",
                ErrorCode::Malformed};
        }
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

}  // namespace

Expected<std::vector<NamePair>> parse_srdf(std::string_view text, const std::string& name) {
    auto pairs = disabled_pairs(text);
    if (!pairs) return located(name, pairs.error());
    return pairs;
}

Expected<std::vector<NamePair>> read_srdf(const std::filesystem::path& path) {
    const auto text = read_text(path);
    if (!text) return text.error();
    return parse_srdf(*text, path.string());
}

AllowedPairs allowed_pairs(const robot::Robot& robot, const std::vector<NamePair>& names) {
    AllowedPairs allowed;
    std::set<std::string> unknown;
    for (const NamePair& pair : names) {
        const auto first = robot.find_link(pair.first);
        const auto second = robot.find_link(pair.second);
        if (!first) unknown.insert(pair.first);
        if (!second) unknown.insert(pair.second);
        if (!first || !second) continue;
        if (*first == *second) {
            unknown.insert(pair.first);
        } else {
            allowed.pairs.push_back(std::minmax(*first, *second));
        }
    }
    allowed.unknown.assign(unknown.begin(), unknown.end());
    return allowed;
}

}  // namespace graze::urdf

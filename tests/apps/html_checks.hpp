// Is a page whole, and does it load nothing?
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace graze::test {

// What is wrong with the nesting of tags; empty if nothing is. Every element must be closed, by a
// tag of its own or as <name />; attributes must be quoted.
inline std::string nesting_error(const std::string& html) {
    std::vector<std::string> open;
    for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
        const std::size_t end = html.find('>', at);
        if (end == std::string::npos) return "a tag that does not end";
        const std::string tag = html.substr(at + 1, end - at - 1);
        if (tag.starts_with("!")) continue;
        for (std::size_t i = tag.find('='); i != std::string::npos; i = tag.find('=', i + 1)) {
            const std::size_t quotes = static_cast<std::size_t>(
                std::count(tag.begin(), tag.begin() + static_cast<std::ptrdiff_t>(i), '"'));
            if (quotes % 2 == 0 && tag[i + 1] != '"') return "not quoted: " + tag;
        }
        const std::string name = tag.substr(0, tag.find_first_of(" /\n", 1));
        if (tag.starts_with("/")) {
            if (open.empty() || open.back() != tag.substr(1))
                return "closes what is not open: " + tag;
            open.pop_back();
        } else if (!tag.ends_with("/")) {
            open.push_back(name);
        }
    }
    return open.empty() ? "" : "not closed: " + open.back();
}

// The first thing in it that a browser would fetch or run; empty if there is none.
inline std::string loader_in(const std::string& html) {
    for (const char* loader : {"http:", "https:", "//", "<script", "<link", "@import", "url(",
                               "<img", "<iframe", "src=", "onload", "onclick"}) {
        if (html.find(loader) != std::string::npos) return loader;
    }
    return "";
}

}  // namespace graze::test

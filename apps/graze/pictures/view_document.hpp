// What the tool tells the page of the viewer: a JSON document within the HTML (docs/viewer.md).
//
// Names come from files and may be hostile: nothing of the document can end the block that holds it.
// Every <, > and & and the line separators of Unicode are written as escapes of JSON, and bytes that
// are not UTF-8 are replaced.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/json.hpp"
#include "cli/output.hpp"
#include "graze/core/vec3.hpp"

namespace graze::app {

// An object of the document, as text. Large lists are base64 of their little-endian bytes.
class ViewObject {
public:
    ViewObject() = default;  // a part of a view
    ViewObject(std::string_view type, std::string_view name);

    ViewObject& add(std::string_view key, const Json& value);
    ViewObject& add(std::string_view key, const ViewObject& part);
    ViewObject& add(std::string_view key, const std::vector<ViewObject>& parts);
    ViewObject& add_list(std::string_view key, std::span<const double> values);
    ViewObject& add_list(std::string_view key, std::span<const float> values);
    ViewObject& add_list(std::string_view key, std::span<const std::uint32_t> values);
    ViewObject& add_list(std::string_view key, std::span<const std::uint8_t> values);
    ViewObject& add_list(std::string_view key, std::span<const Vec3> values);
    // Rows of indices, one after the other.
    template <std::size_t N>
    ViewObject& add_rows(std::string_view key, std::span<const std::array<std::uint32_t, N>> rows) {
        return add_list(key, rows.empty() ? std::span<const std::uint32_t>()
                                          : std::span(rows.front().data(), N * rows.size()));
    }
    // {"dtype":...} of a list, for lists of lists.
    [[nodiscard]] static ViewObject list_of(std::span<const float> values);

    [[nodiscard]] std::string text() const { return "{" + members_ + "}"; }

private:
    ViewObject& add_text(std::string_view key, std::string_view text);

    std::string members_;
};

// {"graze":VERSION,"title":...,"views":[...]}
[[nodiscard]] std::string document_text(std::string_view title,
                                        const std::vector<ViewObject>& views);

// The template with the document in the place of its marker.
[[nodiscard]] std::string page_with_document(std::string_view page, std::string_view document);

// An error where this tool was built without the page: what to install. To be asked before the work.
[[nodiscard]] Expected<void> check_has_page();
// The page where `file` is wanted, as one of several files. Requires: check_has_page().
[[nodiscard]] Expected<void> add_page(OutputBatch& batch, std::optional<OutputFile>& file,
                                      std::string_view title, const std::vector<ViewObject>& views);
// The file of --html, created before the work; nothing where none is named.
[[nodiscard]] Expected<std::optional<OutputFile>> create_page_file(const std::string& path);

// "--html".
class App;
void add_html_option(App& app, std::string& path);

}  // namespace graze::app

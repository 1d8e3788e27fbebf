#include "view_document.hpp"

#include <bit>

#include "cli/app.hpp"
#include "cli/build_info.hpp"
#include "page_template.hpp"

namespace graze::app {
namespace {

constexpr std::string_view kMarker = "<!--GRAZE-DOCUMENT-->";

// In the text of a JSON value these occur within strings alone, where an escape means the same.
std::string safe_in_html(std::string_view json) {
    std::string text;
    text.reserve(json.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::string_view rest = json.substr(i);
        if (json[i] == '<')
            text += "\\u003c";
        else if (json[i] == '>')
            text += "\\u003e";
        else if (json[i] == '&')
            text += "\\u0026";
        else if (rest.starts_with("\xe2\x80\xa8") || rest.starts_with("\xe2\x80\xa9")) {
            text += rest[2] == '\xa8' ? "\\u2028" : "\\u2029";
            i += 2;
        } else
            text += json[i];
    }
    return text;
}

std::string json_text(const Json& value) {
    return safe_in_html(value.dump());
}

void append_base64(std::string& text, std::span<const unsigned char> bytes) {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = (group << 8) | (k < count ? bytes[i + k] : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            text += k <= count ? kDigits[(group >> (18 - 6 * k)) & 63] : '=';
    }
}

// {"dtype":"f64","count":2,"base64":"..."}
template <class Unsigned>
std::string base64_list_text(std::string_view type, std::span<const Unsigned> values) {
    std::vector<unsigned char> bytes(sizeof(Unsigned) * values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        for (std::size_t k = 0; k < sizeof(Unsigned); ++k)
            bytes[sizeof(Unsigned) * i + k] = static_cast<unsigned char>(values[i] >> (8 * k));
    std::string text = "{\"dtype\":\"" + std::string(type) +
                       "\",\"count\":" + std::to_string(values.size()) + ",\"base64\":\"";
    text.reserve(text.size() + bytes.size() / 3 * 4 + 8);
    append_base64(text, bytes);
    return text + "\"}";
}

template <class Unsigned, class Real>
std::vector<Unsigned> bits_of_reals(std::span<const Real> values) {
    std::vector<Unsigned> bits(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        bits[i] = std::bit_cast<Unsigned>(values[i]);
    return bits;
}

std::string joined(const std::vector<ViewObject>& parts) {
    std::string text = "[";
    for (const ViewObject& part : parts)
        text += (text.size() > 1 ? "," : "") + part.text();
    return text + "]";
}

}  // namespace

ViewObject::ViewObject(std::string_view type, std::string_view name) {
    add("type", Json(type));
    add("name", Json(name));
}

ViewObject& ViewObject::add_text(std::string_view key, std::string_view text) {
    if (!members_.empty()) members_ += ",";
    members_ += json_text(Json(key)) + ":";
    members_ += text;
    return *this;
}

ViewObject& ViewObject::add(std::string_view key, const Json& value) {
    return add_text(key, json_text(value));
}
ViewObject& ViewObject::add(std::string_view key, const ViewObject& part) {
    return add_text(key, part.text());
}
ViewObject& ViewObject::add(std::string_view key, const std::vector<ViewObject>& parts) {
    return add_text(key, joined(parts));
}
ViewObject& ViewObject::add_list(std::string_view key, std::span<const double> values) {
    return add_text(
        key, base64_list_text<std::uint64_t>("f64", bits_of_reals<std::uint64_t, double>(values)));
}
ViewObject& ViewObject::add_list(std::string_view key, std::span<const float> values) {
    return add(key, list_of(values));
}
ViewObject& ViewObject::add_list(std::string_view key, std::span<const std::uint32_t> values) {
    return add_text(key, base64_list_text("u32", values));
}
ViewObject& ViewObject::add_list(std::string_view key, std::span<const std::uint8_t> values) {
    return add_text(key, base64_list_text("u8", values));
}
ViewObject& ViewObject::add_list(std::string_view key, std::span<const Vec3> values) {
    std::vector<double> coordinates;
    coordinates.reserve(3 * values.size());
    for (const Vec3& value : values)
        coordinates.insert(coordinates.end(), {value.x, value.y, value.z});
    return add_list(key, std::span<const double>(coordinates));
}

ViewObject ViewObject::list_of(std::span<const float> values) {
    ViewObject list;
    const std::string text =
        base64_list_text<std::uint32_t>("f32", bits_of_reals<std::uint32_t, float>(values));
    list.members_ = text.substr(1, text.size() - 2);
    return list;
}

std::string document_text(std::string_view title, const std::vector<ViewObject>& views) {
    ViewObject document;
    document.add("graze", Json(build_info().version)).add("title", Json(title)).add("views", views);
    return document.text();
}

std::string page_with_document(std::string_view page, std::string_view document) {
    const std::size_t at = page.find(kMarker);
    std::string text(page.substr(0, at));
    text += "<script type=\"application/json\" id=\"graze-document\">";
    text += document;
    text += "</script>";
    if (at != std::string_view::npos) text += page.substr(at + kMarker.size());
    return text;
}

Expected<void> check_has_page() {
    if (!page_template().empty()) return {};
    return Error{
        "this graze was built without the page of the viewer: install npm and emscripten, then "
        "configure and build again",
        ErrorCode::Unsupported};
}

Expected<std::optional<OutputFile>> create_page_file(const std::string& path) {
    if (path.empty()) return std::optional<OutputFile>();
    if (auto good = check_has_page(); !good) return good.error();
    return create_if_named(path, "");
}

Expected<void> add_page(OutputBatch& batch, std::optional<OutputFile>& file, std::string_view title,
                        const std::vector<ViewObject>& views) {
    if (!file) return {};
    return batch.add(file, page_with_document(page_template(), document_text(title, views)));
}

void add_html_option(App& app, std::string& path) {
    app.add_option("--html", path, "Write a page that shows it in a browser, in one file")
        ->type_name("FILE.html|-");
}

}  // namespace graze::app

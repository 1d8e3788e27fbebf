#include "urdf/xml_text.hpp"

#include <system_error>
#include <vector>

#include "graze/io/byte_reader.hpp"
#include "graze/urdf/urdf.hpp"

namespace graze::urdf {
namespace {

bool starts_at(std::string_view text, std::size_t at, std::string_view what) {
    return text.substr(at, what.size()) == what;
}

// How deep elements are nested and how many attributes one has, by a scan that knows comments,
// declarations and quotes. Never less than what tinyxml would meet before it finds an error: an element
// begins at a '<' alone, and ends only where its tag does.
class XmlScan {
public:
    explicit XmlScan(std::string_view text) : text_(text) {}

    [[nodiscard]] Expected<void> run() {
        while (at_ < text_.size()) {
            if (text_[at_] != '<') {
                ++at_;
            } else if (starts_at(text_, at_, "<!--")) {
                skip_past("-->");
            } else if (starts_at(text_, at_, "<![CDATA[")) {
                skip_past("]]>");
            } else if (starts_at(text_, at_, "<?") || starts_at(text_, at_, "<!")) {
                skip_past(">");
            } else if (auto passed = tag(); !passed) {
                return passed;
            }
        }
        return {};
    }

private:
    void skip_past(std::string_view end) {
        const std::size_t found = text_.find(end, at_);
        at_ = found == std::string_view::npos ? text_.size() : found + end.size();
    }

    Expected<void> tag() {
        if (starts_at(text_, at_, "</")) {
            skip_past(">");
            if (depth_ > 0) --depth_;
            return {};
        }
        if (++depth_ > kMaxDepth)
            return Error{"elements are nested more than " + std::to_string(kMaxDepth) + " deep",
                         ErrorCode::Malformed};
        std::size_t attributes = 0;
        char quote = '\0';
        for (++at_; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (quote != '\0') {
                if (c == quote) quote = '\0';
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == '=' && ++attributes > kMaxAttributes) {
                return Error{
                    "an element has more than " + std::to_string(kMaxAttributes) + " attributes",
                    ErrorCode::Malformed};
            } else if (c == '>') {
                if (text_[at_ - 1] == '/') --depth_;
                ++at_;
                return {};
            }
        }
        return {};
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
};

// tinyxml takes as many bytes as the first one of a character announces, past the end of the text too.
bool is_utf8(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    for (std::size_t i = 0; i < text.size();) {
        const unsigned char lead = byte(i++);
        const int more = lead < 0x80   ? 0
                         : lead < 0xC2 ? -1
                         : lead < 0xE0 ? 1
                         : lead < 0xF0 ? 2
                         : lead < 0xF5 ? 3
                                       : -1;
        if (more < 0) return false;
        for (int k = 0; k < more; ++k)
            if (i >= text.size() || (byte(i++) & 0xC0U) != 0x80U) return false;
    }
    return true;
}

}  // namespace

std::string one_line(std::string_view text, std::size_t longest) {
    std::string line;
    for (const char c : text.substr(0, longest))
        line += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    while (!line.empty() && line.back() == '?')
        line.pop_back();
    return text.size() > longest ? line + "..." : line;
}

Expected<std::string> read_text(const std::filesystem::path& path) {
    std::error_code failed;
    if (std::filesystem::is_directory(path, failed))
        return Error{path.string() + ": is a folder", ErrorCode::CannotRead};
    auto reader = io::ByteReader::open(path);
    if (!reader) return reader.error();
    std::string text;
    std::vector<unsigned char> block(io::ByteReader::kBufferSize);
    while (const std::size_t size = reader->read(block)) {
        text.append(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(size));
        if (text.size() > kMaxTextBytes)
            return reader->error("more than 16 MiB of XML", ErrorCode::WrongSize);
    }
    if (reader->failure()) return reader->error("");
    return text;
}

Expected<std::unique_ptr<TiXmlDocument>> parse_xml(std::string_view text) {
    if (text.size() > kMaxTextBytes) return Error{"more than 16 MiB of XML", ErrorCode::WrongSize};
    if (text.find('\0') != std::string_view::npos)
        return Error{"a byte 0 is no XML", ErrorCode::Malformed};
    if (!is_utf8(text)) return Error{"the text is not UTF-8", ErrorCode::Malformed};
    if (auto passed = XmlScan(text).run(); !passed) return passed.error();
    auto document = std::make_unique<TiXmlDocument>();
    document->Parse(std::string(text).c_str());
    if (document->Error()) {
        return Error{
            "line " + std::to_string(document->ErrorRow()) + ": " + one_line(document->ErrorDesc()),
            ErrorCode::Malformed};
    }
    return document;
}

std::string attribute_of(const TiXmlElement& element, const char* attribute) {
    const char* value = element.Attribute(attribute);
    return value == nullptr ? std::string() : std::string(value);
}

}  // namespace graze::urdf

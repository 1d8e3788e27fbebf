#include "urdf/xml_text.hpp"

#include <algorithm>
#include <system_error>
#include <vector>

#include "graze/core/shown_text.hpp"
#include "graze/io/byte_reader.hpp"
#include "graze/urdf/urdf.hpp"

namespace graze::urdf {
namespace {

bool starts_at(std::string_view text, std::size_t at, std::string_view what) {
    return text.substr(at, what.size()) == what;
}

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";

constexpr std::string_view kNameBytes =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:";

bool begins_name(char c) {
    return kLetters.find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0x7f;
}

// How deep elements are nested and how many attributes one has, by a scan that knows comments,
// declarations and quotes. Never less than what tinyxml would meet before it finds an error: where the two
// could take a different end of what begins with '<', the text is refused. tinyxml 2.6 takes for
// - an element: '<' and a letter, '_' or a byte from 0x7f on; values in quotes alone hold a '>', and a quote
//   elsewhere is an error;
// - a declaration: "<?xml" in any case, in which it looks for quotes behind words that begin with one of its
//   three attributes, and nowhere else;
// - unknown: any other '<', up to the first '>';
// - a character, in text and in values: "&#" up to the next ';', whatever is between, quotes and tags too,
//   if only what is behind its last '#' or 'x' is a number.
class XmlScan {
public:
    explicit XmlScan(std::string_view text) : text_(text) {}

    [[nodiscard]] Expected<void> run() {
        while (at_ < text_.size()) {
            if (text_[at_] != '<') {
                if (is_odd_reference()) return odd_reference();
                ++at_;
            } else if (starts_at(text_, at_, "<!--")) {
                at_ += 4;  // "<!-->" begins a comment, and does not end it
                skip_past("-->");
            } else if (starts_at(text_, at_, "<![CDATA[")) {
                skip_past("]]>");
            } else if (starts_at(text_, at_, "</")) {
                if (depth_ > 0) --depth_;
                skip_past(">");
            } else if (auto passed = markup(); !passed) {
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
    void skip_space() { at_ = std::min(text_.find_first_not_of(kSpace, at_), text_.size()); }
    // Past a character that is there, or not.
    bool skip(char c) {
        const bool is_there = at_ < text_.size() && text_[at_] == c;
        at_ += is_there ? 1 : 0;
        return is_there;
    }
    bool skip_name() {
        const std::size_t begin = at_;
        at_ = std::min(text_.find_first_not_of(kNameBytes, at_), text_.size());
        return at_ > begin;
    }

    Expected<void> markup() {
        if (starts_at(text_, at_, "<!")) return document_type();
        return starts_at(text_, at_, "<?") ? instruction() : tag();
    }

    // Up to the first '>', which is its end only where it holds neither declarations nor that '>' in quotes.
    Expected<void> document_type() {
        const std::size_t begin = at_;
        skip_past(">");
        char quote = '\0';
        for (const char c : text_.substr(begin, at_ - begin)) {
            if (quote != '\0') {
                if (c == quote) quote = '\0';
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == '[') {
                return Error{"a DOCTYPE with declarations of its own", ErrorCode::Malformed};
            }
        }
        if (quote != '\0') return Error{"a DOCTYPE with a '>' in quotes", ErrorCode::Malformed};
        return {};
    }

    // "&#" that begins neither "&#65;" nor "&#x41;".
    [[nodiscard]] bool is_odd_reference() const {
        if (text_[at_] != '&' || !starts_at(text_, at_, "&#")) return false;
        const bool is_hexadecimal = starts_at(text_, at_, "&#x");
        const std::size_t begin = at_ + (is_hexadecimal ? 3 : 2);
        const std::size_t end = text_.find_first_not_of(
            is_hexadecimal ? "0123456789abcdefABCDEF" : "0123456789", begin);
        return end == std::string_view::npos || end == begin || text_[end] != ';';
    }
    [[nodiscard]] static Error odd_reference() {
        return {"a '&#' that is not &#NUMBER; or &#xNUMBER;", ErrorCode::Malformed};
    }

    // "<?xml a="..." b='...' ?>", where no value holds what would be an end or an attribute for tinyxml. It
    // needs no '?' before the '>'.
    [[nodiscard]] bool is_plain_declaration() {
        at_ += 2;
        if (!skip_name()) return false;
        while (true) {
            skip_space();
            if (skip('?') || starts_at(text_, at_, ">")) return skip('>');
            if (!skip_name()) return false;
            skip_space();
            if (!skip('=')) return false;
            skip_space();
            if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '\'')) return false;
            const char quote = text_[at_];
            const std::size_t end = text_.find_first_of("\"'<>=&", ++at_);
            if (end == std::string_view::npos || text_[end] != quote) return false;
            at_ = end + 1;
        }
    }
    [[nodiscard]] Expected<void> instruction() {
        const auto is_letter = [&](std::size_t i, char small, char large) {
            return i < text_.size() && (text_[i] == small || text_[i] == large);
        };
        const bool is_declaration = is_letter(at_ + 2, 'x', 'X') && is_letter(at_ + 3, 'm', 'M') &&
                                    is_letter(at_ + 4, 'l', 'L');
        if (!is_declaration) {
            const std::size_t begin = at_;
            skip_past(">");
            if (at_ - begin >= 4 && text_.substr(at_ - 2, 2) == "?>") return {};
            return Error{"an instruction that its first '>' does not end", ErrorCode::Malformed};
        }
        if (is_plain_declaration()) return {};
        return Error{"a declaration that is not <?xml attribute=\"value\" ...?>",
                     ErrorCode::Malformed};
    }

    Expected<void> tag() {
        if (at_ + 1 >= text_.size() || !begins_name(text_[at_ + 1]))
            return Error{"a '<' that begins no tag", ErrorCode::Malformed};
        if (++depth_ > kMaxDepth)
            return Error{"elements are nested more than " + std::to_string(kMaxDepth) + " deep",
                         ErrorCode::Malformed};
        std::size_t attributes = 0;
        char quote = '\0';
        for (++at_; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (is_odd_reference()) return odd_reference();
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
    // Messages of tinyxml and urdfdom may end with a line break.
    while (!text.empty() && kSpace.find(text.back()) != std::string_view::npos)
        text.remove_suffix(1);
    return shown_text(text, longest);
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
    // UTF-8 whatever its declaration says: otherwise tinyxml would cut a "&#304;" to a byte.
    document->Parse(std::string(text).c_str(), nullptr, TIXML_ENCODING_UTF8);
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

// tinyxml goes down by recursion: no text that passes the scan before it takes it deeper than the limit.
// A program of its own, since it replaces operator new to see how deep the stack is where tinyxml makes an
// element.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <random>
#include <string>

#include "urdf/xml_text.hpp"

namespace {

// Least address of a frame that asked for room for an element; 0: not watched.
std::uintptr_t lowest_frame = 0;

std::uintptr_t current_frame() {
    return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

}  // namespace

void* operator new(std::size_t size) {
    if (lowest_frame != 0 && size == sizeof(TiXmlElement))
        lowest_frame = std::min(lowest_frame, current_frame());
    void* memory = std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
    std::free(memory);
}

namespace graze::urdf {
namespace {

// Bytes of stack down to the innermost element that tinyxml makes, also of a text that it refuses.
std::uintptr_t stack_of(const std::string& text) {
    const std::uintptr_t start = current_frame();
    lowest_frame = start;
    TiXmlDocument document;
    document.Parse(text.c_str(), nullptr, TIXML_ENCODING_UTF8);
    const std::uintptr_t taken = start - lowest_frame;
    lowest_frame = 0;
    return taken;
}

bool passes_the_scan(const std::string& text) {
    const auto parsed = parse_xml(text);
    return parsed || parsed.error().message.starts_with("line ");  // an error of tinyxml itself
}

std::string nested(std::size_t depth) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i)
        text += "<x>";
    return text;
}

// What begins and ends something for XML or for tinyxml, in any order.
std::string random_text(std::mt19937_64& random) {
    static constexpr auto kParts = std::to_array<const char*>({
        "<",
        "<a",
        "<b ",
        "<a>",
        "<x>",
        "<x><x>",
        "</x>",
        "</a>",
        "/>",
        ">",
        "?>",
        "<?xml",
        "<?XML ",
        "<?a ",
        "<?xml version=",
        "<?",
        "<?xmlversion",
        " version=",
        "version",
        " encoding='",
        " standalone=",
        "\"",
        "'",
        "=\"",
        "='",
        " b='",
        " a=\"1\"",
        " c='2'",
        "<!--",
        "-->",
        "--",
        "<!",
        "<!>",
        "<![CDATA[",
        "]]>",
        "]",
        "&#",
        "&#x",
        "&#65;",
        "&amp;",
        "&",
        "&quot;",
        "#",
        ";",
        "x41;",
        "x",
        "41;",
        "<a b=c>",
        "<a b",
        "<r a='",
        "<a:b",
        "<\xC3\xA9",
        "<\x7F",
        "\xC3\xA9",
        " ",
        "\n",
        "\t",
        "\v",
        "\r",
        "\x01",
        "\xEF\xBB\xBF",
        "\xC2\x85",
        "\xE2\x80\xA8",
        "=",
        "?",
        "!",
        "/",
        ":",
        "-",
        "9",
    });
    std::string text;
    for (std::uint64_t left = 3 + random() % 14; left > 0; --left)
        text += kParts[random() % kParts.size()];
    return text;
}

TEST(XmlNesting, NeverGoesDeeperInTinyxmlThanTheScanAllows) {
    const std::uintptr_t most = stack_of(nested(kMaxDepth));
    ASSERT_GT(stack_of(nested(kMaxDepth + 1)), most);
    ASSERT_TRUE(passes_the_scan(nested(kMaxDepth)));
    ASSERT_FALSE(passes_the_scan(nested(kMaxDepth + 1)));
    std::mt19937_64 random(20261119);
    int passed = 0;
    for (int i = 0; i < 100'000; ++i) {
        const std::size_t before = random() % 4 == 0 ? 0 : kMaxDepth - random() % 4;
        std::string text = nested(before) + random_text(random);
        if (random() % 2 == 0) text += nested(random() % 2 == 0 ? 5 : kMaxDepth);
        if (random() % 3 == 0) text += "'\"-->]]>;?></x>";
        if (!passes_the_scan(text)) continue;
        ++passed;
        ASSERT_LE(stack_of(text), most) << text;
    }
    EXPECT_GT(passed, 10'000);
}

}  // namespace
}  // namespace graze::urdf

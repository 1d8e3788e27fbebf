#include "io/ply_reader.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cstring>

#include "io/files.hpp"

namespace graze::io {
namespace {

using namespace test;

std::string error_of(const Bytes& bytes) {
    const auto mesh = read_ply(reader_of(bytes));
    return mesh ? "no error" : mesh.error().message;
}
std::string error_of(std::string_view text) {
    return error_of(bytes_of(text));
}

// Writes the numbers of a PLY body in the chosen encoding.
class Body {
public:
    explicit Body(std::string_view encoding) : encoding_(encoding) {}

    template <class Number>
    Body& add(Number number) {
        if (encoding_ == "ascii") {
            std::array<char, 64> text{};
            const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
            bytes_.insert(bytes_.end(), text.data(), end);
            bytes_.push_back(' ');
            return *this;
        }
        std::array<unsigned char, sizeof(Number)> raw;
        std::memcpy(raw.data(), &number, sizeof(Number));
        const bool is_little = encoding_ == "binary_little_endian";
        if (is_little != (std::endian::native == std::endian::little)) {
            std::reverse(raw.begin(), raw.end());
        }
        bytes_.insert(bytes_.end(), raw.begin(), raw.end());
        return *this;
    }
    Body& end_line() {
        if (encoding_ == "ascii") bytes_.push_back('\n');
        return *this;
    }
    [[nodiscard]] Bytes after(const std::string& header) const {
        Bytes all =
            bytes_of("ply\nformat " + std::string(encoding_) + " 1.0\n" + header + "end_header\n");
        all.insert(all.end(), bytes_.begin(), bytes_.end());
        return all;
    }

private:
    std::string_view encoding_;
    Bytes bytes_;
};

constexpr std::array<std::string_view, 3> kEncodings = {"ascii", "binary_little_endian",
                                                        "binary_big_endian"};

TEST(ReadPly, KeepsDoublesBitForBitInEveryEncoding) {
    std::mt19937_64 rng(20250350);
    std::vector<Vec3> points(500);
    for (Vec3& point : points)
        point = any_point(rng);
    for (const auto encoding : kEncodings) {
        Body body(encoding);
        for (const Vec3& p : points)
            body.add(p.x).add(p.y).add(p.z).end_line();
        const auto file = body.after(
            "comment made by hand\nelement vertex 500\nproperty double x\n"
            "property float64 y\nproperty double z\n");
        for (const Bytes& bytes : {file, gzip(file)}) {
            const auto mesh = read_ply(reader_of(bytes));
            ASSERT_TRUE(mesh.has_value()) << mesh.error().message;
            EXPECT_EQ(mesh->positions, points);
        }
    }
}

TEST(ReadPly, KeepsFloatsExactlyInEveryEncoding) {
    std::mt19937_64 rng(20250351);
    std::vector<std::array<float, 3>> points;
    while (points.size() < 500) {
        const std::array<float, 3> p = {std::bit_cast<float>(static_cast<std::uint32_t>(rng())),
                                        std::bit_cast<float>(static_cast<std::uint32_t>(rng())),
                                        0.1f};
        if (std::isfinite(p[0]) && std::isfinite(p[1])) points.push_back(p);
    }
    for (const auto encoding : kEncodings) {
        Body body(encoding);
        for (const auto& p : points)
            body.add(p[0]).add(p[1]).add(p[2]).end_line();
        const auto mesh = read_ply(reader_of(body.after(
            "element vertex 500\nproperty float x\nproperty float32 y\nproperty float z\n")));
        ASSERT_TRUE(mesh.has_value()) << mesh.error().message;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const auto& p = points[i];
            EXPECT_EQ(mesh->positions[i], (Vec3{double{p[0]}, double{p[1]}, double{p[2]}}));
        }
    }
}

// Everything at once: coordinates in odd places and types, lists among them, elements before,
// between and after, polygons of several lengths, loose edges.
Bytes crowded_file(std::string_view encoding) {
    Body body(encoding);
    body.add(std::uint16_t{2}).add(1.5).add(2.5).add(std::int8_t{-3}).end_line();
    for (int i = 0; i < 5; ++i) {
        body.add(std::uint8_t{200}).add(static_cast<std::int16_t>(-i));
        body.add(std::uint8_t{2}).add(7.0f).add(8.0f).add(std::nanf(""));
        body.add(static_cast<std::uint32_t>(3'000'000'000u + static_cast<unsigned>(i)));
        body.add(0.5 * i).end_line();
    }
    for (const std::vector<std::uint32_t>& face :
         {std::vector<std::uint32_t>{0, 1, 2}, {}, {4, 3, 2, 1, 0}, {1, 2}}) {
        body.add(std::int32_t{77}).add(static_cast<std::int32_t>(face.size()));
        for (const std::uint32_t corner : face)
            body.add(static_cast<std::uint16_t>(corner));
        body.end_line();
    }
    body.add(std::int32_t{4}).add(1.0f).add(std::uint8_t{0}).end_line();
    body.add(std::int32_t{2}).add(1.0f).add(std::uint8_t{3}).end_line();
    body.add(std::uint8_t{9}).end_line();
    return body.after(
        "element camera 1\nproperty list ushort double view\nproperty char roll\n"
        "element vertex 5\nproperty uchar red\nproperty short y\nproperty list uint8 float uv\n"
        "property float quality\nproperty uint x\nproperty double z\n"
        "element face 4\nproperty int flags\nproperty list int ushort vertex_index\n"
        "obj_info nothing\n"
        "element edge 2\nproperty int vertex2\nproperty float crease\nproperty uchar vertex1\n"
        "element nothing 99\n"
        "element material 1\nproperty uchar shine\n");
}

TEST(ReadPly, FindsTheMeshAmongOtherPropertiesAndElements) {
    for (const auto encoding : kEncodings) {
        SCOPED_TRACE(encoding);
        const auto mesh = read_ply(reader_of(crowded_file(encoding)));
        ASSERT_TRUE(mesh.has_value()) << mesh.error().message;
        ASSERT_EQ(mesh->positions.size(), 5u);
        EXPECT_EQ(mesh->positions[4], (Vec3{3'000'000'004.0, -4.0, 2.0}));
        ASSERT_EQ(mesh->polygons.size(), 4u);
        EXPECT_EQ(mesh->polygons[1].size(), 0u);
        EXPECT_EQ(mesh->polygons[2][0], 4u);
        EXPECT_EQ(mesh->polygons[3].size(), 2u);
        using EdgeList = std::vector<std::array<std::uint32_t, 2>>;
        EXPECT_EQ(mesh->edges, (EdgeList{{0, 4}, {3, 2}}));
    }
}

TEST(ReadPly, ReportsEveryTruncation) {
    for (const auto encoding : kEncodings) {
        Bytes file = crowded_file(encoding);
        while (encoding == "ascii" && (file.back() == '\n' || file.back() == ' '))
            file.pop_back();
        for (std::size_t size = 0; size < file.size(); ++size) {
            const Bytes cut = first_bytes(file, size);
            EXPECT_NE(error_of(cut), "no error") << encoding << " " << size;
        }
    }
}

const std::string kVertices = "property double x\nproperty double y\nproperty double z\n";
const std::string kAscii = "ply\nformat ascii 1.0\n";

TEST(ReadPly, AcceptsCrlfBlankLinesAndAMissingLastNewline) {
    const auto mesh = read_ply(
        reader_of("ply\r\nformat ascii 1.0\r\nelement vertex 2\r\nproperty double x\r\n"
                  "property double y\r\nproperty double z\r\nend_header\r\n1 2 3\r\n\r\n 4\t5 6"));
    ASSERT_TRUE(mesh.has_value()) << mesh.error().message;
    EXPECT_EQ(mesh->positions[1], (Vec3{4, 5, 6}));
}

// An ascii file without a last newline is common, so a last number that was longer cannot be told.
TEST(ReadPly, CannotTellACutInTheLastNumberOfAnAsciiFile) {
    const std::string file = kAscii + "element vertex 1\n" + kVertices + "end_header\n1 2 345\n";
    const auto cut = read_ply(reader_of(file.substr(0, file.size() - 2)));
    ASSERT_TRUE(cut.has_value()) << cut.error().message;
    EXPECT_EQ(cut->positions[0], (Vec3{1, 2, 34}));
}

TEST(ReadPly, RoundsAsciiFloatsToTheDeclaredTypeAlsoWhenTiny) {
    const auto mesh =
        read_ply(reader_of(kAscii + "element vertex 1\nproperty float x\nproperty float y\n"
                                    "property double z\nend_header\n0.1 1e-60 0.1\n"));
    ASSERT_TRUE(mesh.has_value()) << mesh.error().message;
    EXPECT_EQ(mesh->positions[0], (Vec3{double{0.1f}, 0.0, 0.1}));
}

TEST(ReadPly, NamesTheHeaderLineThatIsWrong) {
    const std::string line = "in: header line ";
    EXPECT_EQ(error_of(""), line + "1: header is cut short");
    EXPECT_EQ(error_of("plyx\n"), line + "1: not a PLY file: it does not begin with 'ply'");
    EXPECT_EQ(error_of("ply\nformat ascii 2.0\n"), line + "2: format version is not 1.0");
    EXPECT_EQ(error_of("ply\nformat binary 1.0\n"), line + "2: unknown encoding");
    EXPECT_EQ(error_of(kAscii + "format ascii 1.0\n"), line + "3: format is given twice");
    EXPECT_EQ(error_of("ply\nend_header\n"), line + "2: header without format");
    EXPECT_EQ(error_of(kAscii + "element vertex -1\n"),
              line + "3: element count is not a natural number");
    EXPECT_EQ(error_of(kAscii + "element vertex 99999999999999999999\n"),
              line + "3: element count is not a natural number");
    EXPECT_EQ(error_of(kAscii + "element vertex\n"), line + "3: expected 'element <name> <count>'");
    EXPECT_EQ(error_of(kAscii + "property int x\n"), line + "3: property before the first element");
    EXPECT_EQ(error_of(kAscii + "element v 1\nelement v 1\n"),
              line + "4: element is declared twice");
    EXPECT_EQ(error_of(kAscii + "element v 1\nproperty int x\nproperty int x\n"),
              line + "5: property is declared twice");
    EXPECT_EQ(error_of(kAscii + "element v 1\nproperty long x\n"), line + "4: unknown type");
    EXPECT_EQ(error_of(kAscii + "element v 1\nproperty list float int x\n"),
              line + "4: list length is not an integer type");
    EXPECT_EQ(
        error_of(kAscii + "element v 1\nproperty list int x\n"),
        line + "4: expected 'property <type> <name>' or 'property list <type> <type> <name>'");
    EXPECT_EQ(error_of(kAscii + "element " + std::string(65, 'e') + " 1\n"),
              line + "3: element name is too long or not printable");
    EXPECT_EQ(error_of(kAscii + "element v 1\nproperty int \x1b[31m\n"),
              line + "4: property name is too long or not printable");
    EXPECT_EQ(error_of(kAscii + "what is this\n"), line + "3: unknown statement");
    EXPECT_EQ(error_of(kAscii + "comment " + std::string(10000, 'x')),
              line + "3: line is longer than 4096 characters");
}

TEST(ReadPly, BoundsWhatAHeaderMayDeclare) {
    std::string elements = kAscii;
    for (int i = 0; i < 65; ++i)
        elements += "element e" + std::to_string(i) + " 0\n";
    EXPECT_EQ(error_of(elements), "in: header line 67: too many elements");
    std::string properties = kAscii + "element vertex 0\n";
    for (int i = 0; i < 1025; ++i)
        properties += "property int p" + std::to_string(i) + "\n";
    EXPECT_EQ(error_of(properties), "in: header line 1028: too many properties");
}

TEST(ReadPly, RefusesHeadersThatGiveNoMesh) {
    EXPECT_EQ(error_of(kAscii + "end_header\n"), "in: header has no element 'vertex'");
    EXPECT_EQ(error_of(kAscii + "element vertex 1\nproperty int x\nproperty int y\nend_header\n"),
              "in: element 'vertex' has no number 'z'");
    EXPECT_EQ(error_of(kAscii + "element vertex 1\nproperty list int int x\nend_header\n"),
              "in: element 'vertex' has no number 'x'");
    const std::string no_vertices = kAscii + "element vertex 0\n" + kVertices;
    EXPECT_EQ(error_of(no_vertices + "element face 1\nproperty int a\nend_header\n"),
              "in: element 'face' has no list of integers 'vertex_indices'");
    EXPECT_EQ(error_of(no_vertices + "element face 1\nproperty list int float vertex_indices\n"
                                     "end_header\n"),
              "in: element 'face' has no list of integers 'vertex_indices'");
    EXPECT_EQ(error_of(no_vertices + "element face 1\nproperty list int int vertex_indices\n"
                                     "property list int int vertex_index\nend_header\n"),
              "in: element 'face' has two lists of corners");
    EXPECT_EQ(error_of(no_vertices + "element edge 1\nproperty int vertex1\nend_header\n"),
              "in: element 'edge' has no number 'vertex2'");
    EXPECT_EQ(error_of(no_vertices + "element edge 1\nproperty int vertex1\n"
                                     "property float vertex2\nend_header\n"),
              "in: element 'edge' has vertices that are not integers");
    EXPECT_EQ(error_of(no_vertices + "element tristrips 1\nend_header\n"),
              "in: triangle strips are not supported");
}

TEST(ReadPly, ShrugsOffHugeCountsWithoutHugeMemory) {
    for (const auto encoding : kEncodings) {
        const std::string start = "ply\nformat " + std::string(encoding) + " 1.0\n";
        EXPECT_EQ(error_of(start + "element vertex 4294967295\n" + kVertices + "end_header\n"),
                  "in: vertex 0: file is cut short");
        EXPECT_EQ(error_of(start + "element vertex 4294967296\n" + kVertices + "end_header\n"),
                  "in: header states more vertices than 32-bit indices can name");
        EXPECT_EQ(error_of(start + "element vertex 0\n" + kVertices +
                           "element nothing 18446744073709551615\nend_header\n"),
                  "no error");
        EXPECT_EQ(error_of(start + "element vertex 0\n" + kVertices +
                           "element face 18446744073709551615\n"
                           "property list uint int vertex_indices\nend_header\n"),
                  "in: face 0: file is cut short");
    }
    Body endless("binary_little_endian");
    endless.add(std::uint32_t{0xffffffff});
    EXPECT_EQ(error_of(endless.after("element vertex 0\n" + kVertices +
                                     "element x 1\nproperty list uint double y\n")),
              "in: x 0: file is cut short");
}

TEST(ReadPly, NamesTheElementThatIsWrong) {
    const std::string start = kAscii + "element vertex 2\n" + kVertices +
                              "element face 1\nproperty list char int vertex_indices\n"
                              "element edge 1\nproperty int vertex1\nproperty int vertex2\n"
                              "end_header\n";
    EXPECT_EQ(error_of(start + "0 0 0\n0 0 0\n2 0 1\n0 1\n"), "no error");
    EXPECT_EQ(error_of(start + "0 0 0\n0 nan 0\n2 0 1\n0 1\n"), "in: vertex 1: y is not finite");
    EXPECT_EQ(error_of(start + "0 0 -inf\n0 0 0\n2 0 1\n0 1\n"), "in: vertex 0: z is not finite");
    EXPECT_EQ(error_of(start + "0 0 1e999\n"), "in: vertex 0: not a number of the declared type");
    EXPECT_EQ(error_of(start + "0 0 0x\n"), "in: vertex 0: not a number of the declared type");
    EXPECT_EQ(error_of(start + "0 0\n0 0 0\n"), "in: vertex 0: line ends before the last property");
    EXPECT_EQ(error_of(start + "0 0 0 0\n0 0 0\n"),
              "in: vertex 0: line goes on after the last property");
    EXPECT_EQ(error_of(start + "0 0 0\n0 0 0\n-2 0 1\n"), "in: face 0: list has a negative length");
    EXPECT_EQ(error_of(start + "0 0 0\n0 0 0\n300 0 1\n"),
              "in: face 0: not a number of the declared type");
    EXPECT_EQ(error_of(start + "0 0 0\n0 0 0\n2 0 2\n"),
              "in: face 0: vertex index is out of range");
    EXPECT_EQ(error_of(start + "0 0 0\n0 0 0\n2 0 -1\n"),
              "in: face 0: vertex index is out of range");
    EXPECT_EQ(error_of(start + "0 0 0\n0 0 0\n2 0 1\n0 7\n"),
              "in: edge 0: vertex index is out of range");
    EXPECT_EQ(error_of(start + "0 0 0\n0 0 0\n2 0 1\n0 1\n5\n"), "in: data after the last element");
    EXPECT_EQ(error_of(start + std::string(5000, '1')), "in: vertex 0: word is too long");
}

TEST(ReadPly, ReportsCutGzipAsSuchAndMissingFilesByName) {
    Bytes packed = gzip(crowded_file("binary_big_endian"));
    packed = first_bytes(packed, packed.size() - 1);
    EXPECT_EQ(error_of(packed),
              "in: gzip data is cut short at byte " + std::to_string(packed.size()));
    const TempFolder folder;
    EXPECT_EQ(read_polygon_mesh(folder / "a.ply").error().message,
              (folder / "a.ply").string() + ": cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace graze::io

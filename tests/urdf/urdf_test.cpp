// Robots from URDF: what is read is what was written, and what is wrong is refused by name.
#include "urdf/urdf_files.hpp"

#include <cmath>

#include "graze/generate/robots.hpp"

namespace graze::test {
namespace {

using robot::JointKind;
using urdf::UrdfOptions;
using urdf::UrdfRobot;

class UrdfReader : public UrdfFolder {
protected:
    [[nodiscard]] Expected<UrdfRobot> read(const std::string& text,
                                           const UrdfOptions& options = {}) const {
        return urdf::read_urdf(write("robot.urdf", text), options);
    }
    // The message without the name of the file.
    [[nodiscard]] std::string error(const std::string& text,
                                    const UrdfOptions& options = {}) const {
        const auto read_robot = read(text, options);
        if (read_robot) return "no error";
        const std::string& message = read_robot.error().message;
        const std::string file = (folder_ / "robot.urdf").string() + ": ";
        EXPECT_TRUE(message.starts_with(file)) << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
        return message.substr(std::min(file.size(), message.size()));
    }
};

double distance(const Quaternion& p, const Quaternion& q) {
    return std::hypot(std::hypot(p.w - q.w, p.x - q.x), std::hypot(p.y - q.y, p.z - q.z));
}

TEST_F(UrdfReader, ReadsBackTheRobotsThatAreGenerated) {
    for (const generate::RobotId id : generate::kAllRobots) {
        const robot::RobotDescription made = generate::make_robot(id);
        const auto files = generate::urdf_files(made);
        ASSERT_TRUE(files);
        for (const generate::NamedFile& file : *files)
            write(file.path, file.text);
        const auto back = urdf::read_urdf(folder_ / (made.name + ".urdf"));
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_TRUE(back->warnings.empty());
        const robot::RobotDescription& got = back->description;
        EXPECT_EQ(got.name, made.name);
        ASSERT_EQ(got.links.size(), made.links.size());
        ASSERT_EQ(got.joints.size(), made.joints.size());
        for (std::size_t i = 0; i < made.links.size(); ++i) {
            EXPECT_EQ(got.links[i].name, made.links[i].name);
            ASSERT_EQ(got.links[i].geometry.size(), made.links[i].geometry.size());
            for (std::size_t g = 0; g < made.links[i].geometry.size(); ++g)
                EXPECT_EQ(got.links[i].geometry[g].shape.index(),
                          made.links[i].geometry[g].shape.index());
        }
        for (std::size_t i = 0; i < made.joints.size(); ++i) {
            const robot::Joint& a = got.joints[i];
            const robot::Joint& b = made.joints[i];
            EXPECT_EQ(a.name, b.name);
            EXPECT_EQ(a.kind, b.kind);
            EXPECT_EQ(a.parent, b.parent);
            EXPECT_EQ(a.child, b.child);
            EXPECT_EQ(a.origin.translation, b.origin.translation);
            EXPECT_LT(distance(a.origin.rotation, b.origin.rotation), 1e-15);
            EXPECT_EQ(a.lower, b.lower);
            EXPECT_EQ(a.upper, b.upper);
            EXPECT_EQ(a.mimic.has_value(), b.mimic.has_value());
            if (a.kind != JointKind::Fixed) {
                EXPECT_EQ(a.axis, b.axis);
            }
        }
    }
}

// Roll about x first, then pitch about y, then yaw about z, all fixed: R = Rz Ry Rx.
TEST_F(UrdfReader, TakesRollPitchAndYawToWithinAnUlpOrTwo) {
    for (const Vec3& rpy : {Vec3{0.3, -1.1, 2.5}, Vec3{-2.0, 0.4, 0.0}, Vec3{1e-9, 1.5707963, 3.0},
                            Vec3{100.0, -50.0, 7.0}}) {
        const std::string origin = "<origin xyz=\"1 2 3\" rpy=\"" + std::to_string(rpy.x) + " " +
                                   std::to_string(rpy.y) + " " + std::to_string(rpy.z) + "\"/>";
        const auto got = read(two_links(origin + kLimits));
        ASSERT_TRUE(got) << got.error().message;
        const Pose& pose = got->description.joints[0].origin;
        EXPECT_EQ(pose.translation, (Vec3{1, 2, 3}));
        const auto rotation = [](const Vec3& axis, double angle) {
            return Pose{rotation_about(axis, angle), {}};
        };
        const Pose expected =
            compose(rotation({0, 0, 1}, std::stod(std::to_string(rpy.z))),
                    compose(rotation({0, 1, 0}, std::stod(std::to_string(rpy.y))),
                            rotation({1, 0, 0}, std::stod(std::to_string(rpy.x)))));
        Quaternion q = expected.rotation;
        if (distance(q, pose.rotation) > 1.0) q = {-q.w, -q.x, -q.y, -q.z};
        EXPECT_LT(distance(q, pose.rotation), 4e-16 * 4.0);
    }
}

TEST_F(UrdfReader, ReadsShapesWithTheirSizes) {
    const auto got =
        read(two_links(kLimits, collision("<box size=\"1 2 3\"/>") +
                                    collision("<cylinder radius=\"0.5\" length=\"4\"/>") +
                                    collision("<sphere radius=\"0.25\"/>")));
    ASSERT_TRUE(got) << got.error().message;
    const auto& geometry = got->description.links[1].geometry;
    ASSERT_EQ(geometry.size(), 3U);
    EXPECT_EQ(std::get<rigid::ConvexShape>(geometry[0].shape).size(), (Vec3{0.5, 1.0, 1.5}));
    EXPECT_EQ(std::get<rigid::ConvexShape>(geometry[1].shape).size(), (Vec3{0.5, 0.5, 2.0}));
    EXPECT_EQ(std::get<rigid::ConvexShape>(geometry[2].shape).rounding(), 0.25);
}

constexpr const char* kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

TEST_F(UrdfReader, ScalesMeshesAndKeepsThemTheRightWayRound) {
    write("meshes/t.obj", kTetrahedron);
    for (const std::string scale : {"2 3 4", "-2 3 4", "-1 -1 -1", "1 -1 -1"}) {
        SCOPED_TRACE(scale);
        const auto got = read(two_links(
            kLimits, collision("<mesh filename=\"meshes/t.obj\" scale=\"" + scale + "\"/>")));
        ASSERT_TRUE(got) << got.error().message;
        EXPECT_TRUE(got->warnings.empty()) << got->warnings[0];  // "inside out" would be one
        const auto& body = std::get<std::shared_ptr<const rigid::RigidBody>>(
            got->description.links[1].geometry[0].shape);
        EXPECT_EQ(body->surface().positions().size(), 4U);
    }
}

TEST_F(UrdfReader, FindsMeshesOfPackagesAndReadsEachOnce) {
    write("meshes/t.obj", kTetrahedron);
    const std::string mesh = collision("<mesh filename=\"package://p/t.obj\"/>");
    const auto got = read(two_links(kLimits, mesh + mesh), {{{"p", folder_ / "meshes"}}});
    ASSERT_TRUE(got) << got.error().message;
    const auto& geometry = got->description.links[1].geometry;
    ASSERT_EQ(geometry.size(), 2U);
    EXPECT_EQ(std::get<0>(geometry[0].shape), std::get<0>(geometry[1].shape));
    EXPECT_NE(error(two_links(kLimits, mesh)).find("--package p=DIR"), std::string::npos);
    const std::string up = collision("<mesh filename=\"package://p/../t.obj\"/>");
    EXPECT_NE(error(two_links(kLimits, up), {{{"p", folder_}}}).find("within a package"),
              std::string::npos);
}

TEST_F(UrdfReader, RefusesMeshesThatItCannotRead) {
    const auto of_mesh = [&](const std::string& attributes) {
        return error(two_links(kLimits, collision("<mesh " + attributes + "/>")));
    };
    write("meshes/t.obj", kTetrahedron);
    write("meshes/bad.stl", "solid x\nfacet normal");
    EXPECT_NE(of_mesh("filename=\"none.obj\"").find("there is no file"), std::string::npos);
    EXPECT_NE(of_mesh("filename=\"a.dae\"").find("COLLADA"), std::string::npos);
    EXPECT_NE(of_mesh("filename=\"meshes\"").find("OBJ, STL or PLY"), std::string::npos);
    EXPECT_NE(of_mesh("filename=\"http://x/t.obj\"").find("package://"), std::string::npos);
    EXPECT_NE(of_mesh("filename=\"meshes/bad.stl\"").find("bad.stl"), std::string::npos);
    EXPECT_NE(of_mesh("filename=\"meshes/t.obj\" scale=\"1 0 1\"").find("scale"),
              std::string::npos);
    EXPECT_NE(of_mesh("filename=\"\"").find("link 'b'"), std::string::npos);
    for (const std::string& name :
         {std::string("meshes/a&#10;b.obj"), std::string(5000, 'a') + ".obj"})
        EXPECT_NE(of_mesh("filename=\"" + name + "\"").find("not the name of a file"),
                  std::string::npos);
}

TEST_F(UrdfReader, NamesTheLinkOrTheJointThatIsWrong) {
    const auto contains = [&](const std::string& text, const std::string& words) {
        const std::string message = error(text);
        EXPECT_NE(message.find(words), std::string::npos) << message << "\nfor " << text;
    };
    contains(two_links("<axis xyz=\"0 0 0\"/>" + kLimits), "'j'");
    contains(two_links("<axis xyz=\"nan 0 0\"/>" + kLimits), "j");
    contains(two_links("<origin xyz=\"1e999 0 0\"/>" + kLimits), "j");
    contains(two_links(kLimits, collision("<sphere radius=\"-1\"/>")), "link 'b'");
    contains(two_links(kLimits, collision("<box size=\"1 1 -1\"/>")), "link 'b'");
    contains(two_links(kLimits, collision("<box size=\"1 1 nan\"/>")), "b");
    contains(two_links(kLimits, collision("<capsule radius=\"1\"/>")), "");
    contains(two_links(kLimits, collision("<box size=\"1 1 1\"/><sphere radius=\"1\"/>")),
             "one shape");
    contains(two_links("", "", "floating"), "not supported");
    contains(two_links(""), "j");  // a revolute joint without limits
    contains(two_links("<limit lower=\"2\" upper=\"1\" effort=\"1\" velocity=\"1\"/>"), "j");
    contains(two_links("<mimic joint=\"none\"/>" + kLimits), "no joint 'none'");
    contains(two_links("<mimic joint=\"j\"/>" + kLimits), "j");
    contains("<robot name=\"r\"><link name=\"a\"/><link name=\"a\"/></robot>", "'a'");
    contains("<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/></robot>", "root");
    contains("<robot name=\"r\"/>", "");
    contains("<nothing/>", "robot");
    contains("", "");
    contains("<robot name=\"r\"><link name=\"a\"", "");
}

// The joint's name alone, and two names; a letter of two bytes is not cut.
TEST_F(UrdfReader, SaysWhatIsWrongInOneShortLineHoweverLongNamesAre) {
    std::string name = "n";
    for (int i = 0; i < 300; ++i)
        name += "\xC3\xA9";
    const auto renamed = [&](std::string text, const std::string& from) {
        text.replace(text.find("\"" + from + "\""), from.size() + 2, "\"" + name + "\"");
        return text;
    };
    const std::string other(300, 'm');
    const std::string cut = name.substr(0, 59);
    for (const std::string& text :
         {renamed(two_links("", "", "planar"), "j"),
          renamed(two_links("<mimic joint=\"" + other + "\"/>" + kLimits), "j"),
          renamed("<robot name=\"r\"><link name=\"b\">" +
                      collision("<mesh filename=\"" + other + "\" scale=\"1 0 1\"/>") +
                      "</link></robot>",
                  "b")}) {
        const std::string message = error(text);
        EXPECT_LT(message.size(), 200U) << message;
        EXPECT_NE(message.find("'" + cut + "...'"), std::string::npos) << message;
    }
}

TEST_F(UrdfReader, RefusesCyclesBesideTheTree) {
    std::string text = "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><link name=\"c\"/>";
    for (const auto& [from, to] : {std::pair("b", "c"), std::pair("c", "b")}) {
        text += std::string("<joint name=\"") + from + to + "\" type=\"fixed\"><parent link=\"" +
                from + "\"/><child link=\"" + to + "\"/></joint>";
    }
    EXPECT_NE(error(text + "</robot>").find("cycle"), std::string::npos);
    const std::string twice = two_links(kLimits);
    const std::string joint =
        twice.substr(twice.find("<joint"), twice.find("</robot>") - twice.find("<joint"));
    std::string second = joint;
    second.replace(second.find("\"j\""), 3, "\"k\"");
    EXPECT_NE(
        error(twice.substr(0, twice.find("</robot>")) + second + "</robot>").find("two parents"),
        std::string::npos);
}

TEST_F(UrdfReader, SurvivesFormatsOfPrintf) {
    const std::string message = error(two_links("<origin xyz=\"%s%n%n%s 0 0\"/>" + kLimits));
    EXPECT_NE(message, "no error");
    const auto got = read("<robot name=\"%n\"><link name=\"&#37;s%s%n\"/></robot>");
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_EQ(got->description.name, "%n");
    EXPECT_EQ(got->description.links[0].name, "%s%s%n");
}

TEST_F(UrdfReader, RefusesWhatIsTooDeepTooWideOrTooLarge) {
    std::string deep = "<robot name=\"r\">";
    for (int i = 0; i < 100'000; ++i)
        deep += "<x>";
    EXPECT_NE(error(deep).find("nested"), std::string::npos);
    std::string wide = "<robot name=\"r\"";
    for (int i = 0; i < 100'000; ++i)
        wide += " a" + std::to_string(i) + "=\"\"";
    EXPECT_NE(error(wide + "/>").find("attributes"), std::string::npos);
    EXPECT_NE(error(std::string(urdf::kMaxTextBytes + 1, ' ')).find("16 MiB"), std::string::npos);
    EXPECT_NE(error(std::string("<robot\0/>", 9)).find("byte 0"), std::string::npos);
    for (const char* cut : {"\xE2", "\xF0\x9F", "\xC2", "\x95", "\xFF"})
        EXPECT_NE(error(std::string("<robot name=\"r\">") + cut).find("UTF-8"), std::string::npos);
    EXPECT_FALSE(urdf::read_urdf(folder_));
    EXPECT_FALSE(urdf::read_urdf(folder_ / "none.urdf"));
}

// tinyxml goes down wherever it sees an element, and sees some where XML has a comment or a value.
TEST_F(UrdfReader, CountsNestingWhereTinyxmlSeesElementsThatXmlDoesNot) {
    constexpr int kMost = 64;
    std::string deep;
    for (int i = 0; i <= kMost; ++i)
        deep += "<x>";
    const std::string robot = "<robot name=\"r\">";
    const auto refused = [&](const std::string& text, const std::string& words) {
        const std::string message = error(text);
        EXPECT_NE(message.find(words), std::string::npos) << message << "\nfor " << text;
    };
    refused(robot + "<!--></robot>--><a b='<!--'>" + deep + "-->", "nested");
    refused(robot + "<?a b='?>" + deep + "'?>", "nested");
    for (const char* declaration :
         {"<?xml version='?>' ", "<?xml version=\"1.0", "<?XML encoding='>", "<?xml a='version='>",
          "<?xml a=\"b version='c\"", "<?xml-stylesheet a='>", "<?xml version=1.0'", "<?xml <!--",
          "<?xml version='&#' ?>#;"})
        refused(std::string(declaration) + "?>" + robot + deep + "'\"-->", "declaration");
    // All up to the next ';' is one character for it.
    refused(robot + "<a b=\"&#\" c='#;\">" + deep + "</a>'/></robot>", "&#");
    refused(robot + "<a b='&#x' c=\"x41;'>" + deep + "</a>\"/></robot>", "&#");
    refused(robot + "&#<!--#65;" + deep + "--></robot>", "&#");
    std::string closed;
    for (int i = 0; i <= kMost; ++i)
        closed += "<x>&#</x>#65;";
    refused(robot + closed + "</robot>", "&#");
    refused(robot + "&#;</robot>", "&#");
    refused(robot + "&#x</robot>", "&#");
    refused(robot + "a < b</robot>", "'<'");
}

// What XML takes for one instruction or declaration, tinyxml ends at its first '>': it would read the
// links in it.
TEST_F(UrdfReader, RefusesInstructionsAndTypesThatTinyxmlEndsTooEarly) {
    const std::string robot = "<robot name=\"r\"><link name=\"a\"/></robot>";
    const std::string ghost = "<robot name='e'><link name='e'/></robot>";
    using Case = std::pair<std::string, std::string>;
    for (const auto& [text, words] :
         {Case("<?pi " + ghost + "?>" + robot, "an instruction"),
          Case("<robot name='r'><?pi a > b <link name='e'/> ?></robot>", "an instruction"),
          Case("<!DOCTYPE robot [<!ENTITY b '>" + ghost + "'>]>" + robot, "a DOCTYPE"),
          Case("<!DOCTYPE robot SYSTEM '>" + ghost + "'>" + robot, "a DOCTYPE"),
          Case("<!DOCTYPE robot []>" + robot, "a DOCTYPE")}) {
        const std::string message = error(text);
        EXPECT_NE(message.find(words), std::string::npos) << message << "\nfor " << text;
    }
}

TEST_F(UrdfReader, TakesDeclarationsCommentsAndCharactersAsPeopleWriteThem) {
    const std::string link = "<link name=\"a\"/></robot>";
    for (const char* before :
         {"<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding='utf-8' standalone=\"no\" ?>\n",
          "\xEF\xBB\xBF<?xml version = \"1.0\"\n encoding=\"UTF-8\"?>", "<?xml version=\"1.0\">",
          "<?XML?>", "<!-- > <a> ' -- \" &# --><?xml version=\"1.0\"?>", "<!----><!-->-->",
          "<?xml version=\"1.0\"?><?xml-stylesheet type=\"text/xsl\" href=\"a.xsl\"?>",
          "<?generator it's < \"1\" & 2?>", "<!DOCTYPE robot SYSTEM 'robot.dtd'>"}) {
        const auto got = read(before + ("<robot name='r'>" + link));
        EXPECT_TRUE(got) << got.error().message << "\nfor " << before;
    }
    for (const char* within :
         {"<![CDATA[<a> &# \" ]]>", "<?hint 1 &# 2?>", "<!-- ' -->", "R&D &lt;&#65;&#x41;&#xe9;",
          "<a b='>\"/>' c=\"'&quot;&#38;\"/>", "<xacro:property name=\"a\" value=\"${b * 2}\"/>"}) {
        const auto got =
            read(std::string("<robot name='r' xmlns:xacro=\"http://ros.org/wiki/xacro\">") +
                 within + link);
        EXPECT_TRUE(got) << got.error().message << "\nfor " << within;
    }
}

// Without an encoding tinyxml would cut each to a byte: two links could have one name.
TEST_F(UrdfReader, ReadsCharactersBeyondAsciiWhateverTheDeclarationSays) {
    for (const char* before :
         {"", "<?xml version='1.0'?>", "<?xml version='1.0' encoding='us-ascii'?>",
          "<?xml version='1.0' encoding='utf-8'?>"}) {
        const auto got = read(before + std::string("<robot name='caf&#233;'>"
                                                   "<link name='a&#20013;b&#x100;c'/></robot>"));
        ASSERT_TRUE(got) << got.error().message << "\nfor " << before;
        EXPECT_EQ(got->description.name, "caf\xC3\xA9");
        ASSERT_EQ(got->description.links.size(), 1U);
        EXPECT_EQ(got->description.links[0].name,
                  "a\xE4\xB8\xAD"
                  "b\xC4\x80"
                  "c");
    }
}

// tinyxml writes "&#x" in a value as it is, and all behind it.
TEST_F(UrdfReader, KeepsNamesThatLookLikeCharactersOfXml) {
    for (const auto& [written, name] :
         {std::pair("&amp;#x41;", "&#x41;"), std::pair("&amp;#x", "&#x"),
          std::pair("&amp;#x&quot;/&gt;&lt;link name=&quot;b", "&#x\"/><link name=\"b"),
          std::pair("&amp;amp;%", "&amp;%")}) {
        const auto got = read(std::string("<robot name=\"") + written + "\"><link name=\"" +
                              written + "\"/></robot>");
        ASSERT_TRUE(got) << got.error().message << "\nfor " << written;
        EXPECT_EQ(got->description.name, name);
        ASSERT_EQ(got->description.links.size(), 1U);
        EXPECT_EQ(got->description.links[0].name, name);
    }
}

TEST_F(UrdfReader, WarnsOfLinksThatAreSeenButNotChecked) {
    const auto got =
        read(two_links(kLimits, "<visual><geometry><sphere radius=\"1\"/></geometry></visual>"));
    ASSERT_TRUE(got) << got.error().message;
    ASSERT_EQ(got->warnings.size(), 1U);
    EXPECT_NE(got->warnings[0].find("'b'"), std::string::npos);
}

TEST_F(UrdfReader, PrintsNothing) {
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    EXPECT_NE(error("<robot name=\"r\"><link/></robot>"), "no error");
    EXPECT_NE(error(two_links("")), "no error");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

}  // namespace
}  // namespace graze::test

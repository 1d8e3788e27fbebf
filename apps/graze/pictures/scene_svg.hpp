// Bodies and meshes at several times, side by side, as one SVG: with axes, marks and a legend.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene_faces.hpp"
#include "svg_file.hpp"

namespace graze::app {

// A picture of up to so many faces, in all panels together, takes some 1.4 MB; where large ones cut
// each other, up to 2 MB.
inline constexpr std::size_t kMostSceneFaces = 20'000;
inline constexpr std::size_t kMostCloseUpFaces = 1'500;
inline constexpr std::size_t kMostGhostFaces = 300;
inline constexpr std::size_t kMostSceneMarks = 100;  // in a panel

// Colours of bodies: 'a' blue, 'b' orange, 'c' grey, 'e' dark orange; 'p' to 't':
// from red (early) to yellow (late).
struct ScenePart {
    const SceneShape* shape = nullptr;
    std::vector<Vec3> positions;
    char paint = 'a';
    std::vector<char> face_paint;  // by face of the shape, or empty
    bool is_ghost = false;         // outlines only, pale
};

struct SceneMark {
    enum class Kind : std::uint8_t { First, Other, Doubtful };
    Kind kind = Kind::Other;
    Vec3 place;
    Vec3 normal;  // 0: none is drawn
    std::string tooltip;
};

// A feature that is drawn over the faces: one corner a dot, two a line, more a face.
struct SceneFeature {
    std::vector<Vec3> corners;
    char paint = 'a';
};

struct CloseUp {
    Vec3 place;
    double half = 0.0;         // [length] of the side of the square that is shown
    bool is_cut_open = false;  // what is in front of the place is cut away
};

struct ScenePanel {
    std::string title;
    std::string subtitle;
    std::vector<ScenePart> parts;
    std::vector<SceneMark> marks;
    std::vector<SceneFeature> features;
    std::vector<std::array<Vec3, 2>> trails;  // where points come from, and where they are
    std::optional<CloseUp> close_up;
};

struct ScenePicture {
    std::string title;
    std::vector<LegendItem> legend;
    std::vector<ScenePanel> panels;
    std::vector<std::string> notes;
    Eye eye;
    // Of the coordinates as they are passed: the second one is upwards.
    std::array<const char*, 3> axis_names = {"x", "y", "z"};
};

// All panels but close-ups are in one scale. Faces that hide the first mark are glass.
[[nodiscard]] std::string scene_svg(const ScenePicture& picture);

// Entries of legends.
[[nodiscard]] LegendItem body_item(char paint, std::string text);
[[nodiscard]] LegendItem mark_item(SceneMark::Kind kind, std::string text);
[[nodiscard]] LegendItem normal_item(std::string text);
[[nodiscard]] LegendItem ghost_item(std::string text);
[[nodiscard]] LegendItem trail_item(std::string text);
[[nodiscard]] LegendItem ramp_item(std::string text);

// Below the title of a close-up.
[[nodiscard]] std::string close_up_text(bool is_cut_open);

// That something is drawn by fewer faces than it has.
[[nodiscard]] std::string left_out_note(const std::string& name, std::size_t drawn,
                                        std::size_t faces);

}  // namespace graze::app

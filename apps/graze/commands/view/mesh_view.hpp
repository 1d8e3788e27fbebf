// A step of a mesh, or a run of steps, for the page of the viewer.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graze/io/recording.hpp"
#include "graze/mesh/step.hpp"
#include "pictures/view_document.hpp"

namespace graze::app {

struct VertexBounds {
    std::vector<double> radius;
    std::vector<double> fraction;
};

struct ViewedStep {
    const MeshTopology& mesh;
    const CcdOptions& options;  // that its pairs were asked with
    std::span<const Vec3> start;
    std::span<const Vec3> end;
    double toi_lower = 0.0;  // [0, toi_lower) is proved free; infinity: all of the step
    std::vector<io::RecordedImpact> impacts;
    std::optional<std::uint64_t> first;                      // index of one of them
    std::optional<VertexBounds> bounds;                      // where they were asked for
    std::optional<std::vector<Intersection>> intersections;  // at the start
    const Candidates* candidates = nullptr;
};
// As views of queries have them.
[[nodiscard]] Json options_json(const CcdOptions& options);
[[nodiscard]] ViewObject mesh_view(std::string_view name, const ViewedStep& step);

// Frames of a run with its statistics. Frames are floats, for pictures; where there are more than a page
// can hold, every second, fourth, ... is kept.
class RunFrames {
public:
    // What a page of some 100 MB holds.
    static constexpr std::size_t kMostBytes = std::size_t{1} << 26;

    RunFrames(std::string name, std::vector<FaceIndices> faces, std::size_t most_bytes = kMostBytes)
        : name_(std::move(name)), faces_(std::move(faces)), most_bytes_(most_bytes) {}

    void add(std::span<const Vec3> positions, Json statistics);
    [[nodiscard]] ViewObject view() const;

private:
    struct Frame {
        ViewObject positions;
        Json statistics;
    };
    void thin_out();

    std::string name_;
    std::vector<FaceIndices> faces_;
    std::size_t most_bytes_;
    std::vector<Frame> frames_;
    std::size_t seen_ = 0;
    std::size_t stride_ = 1;  // of those seen, each so many-th is kept
    std::size_t bytes_ = 0;
};

// {"frame","energy","contacts","iterations","seconds","seconds_detection"}; null for what is not known.
struct FrameFigures {
    std::uint64_t frame = 0;
    std::optional<double> energy{};
    std::optional<double> contacts{};
    std::optional<double> iterations{};
    std::optional<double> seconds{};
    std::optional<double> seconds_detection{};
};
[[nodiscard]] Json figures_json(const FrameFigures& figures);

}  // namespace graze::app

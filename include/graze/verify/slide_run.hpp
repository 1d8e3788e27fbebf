// Moves one shape through a level with one mover, in float or double.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/generate/levels.hpp"
#include "graze/slide/mover.hpp"
#include "graze/verify/exact_gap.hpp"

namespace graze::verify {

enum class Precision : std::uint8_t { Float, Double };
[[nodiscard]] constexpr std::string_view name(Precision precision) noexcept {
    return precision == Precision::Float ? "float" : "double";
}

struct SlideSettings {
    slide::MoverKind mover = slide::MoverKind::Graze;
    Precision precision = Precision::Double;
    Vec3 radii{1, 1, 1};
    double skin = 0.0;     // [length] 0: the default for the shape
    Vec3 half_axis{};      // of a capsule
    SideAxes side_axes{};  // of a rounded box, beside the half axis
};

// A contact with its numbers as doubles.
struct Touch {
    std::uint32_t part = 0;
    std::uint32_t face = 0;  // of the part
    Vec3 point;
    Vec3 normal;
    double time = 0.0;
};

struct SlideFrame {
    Vec3 position;
    slide::StopReason stopped = slide::StopReason::Blocked;
    double skin = 0.0;  // [length] as used
    bool gap_proved = false;
    int iterations = 0;
    std::uint64_t ns = 0;  // of the mover alone
};

// What walks. Numbers are rounded to the precision when they come in; what comes out is exact.
class Walker {
public:
    virtual ~Walker() = default;
    virtual SlideFrame move(const Vec3& displacement) = 0;
    // What the last move touched.
    [[nodiscard]] virtual std::vector<Touch> touched() const = 0;
    [[nodiscard]] virtual Vec3 position() const = 0;
    virtual void put(const Vec3& position) = 0;
    [[nodiscard]] virtual double default_skin() const = 0;
    // The triangles as the mover has them, part after part.
    [[nodiscard]] virtual std::vector<Corners> triangles() const = 0;
    [[nodiscard]] virtual Vec3 radii() const = 0;
    [[nodiscard]] virtual Vec3 half_axis() const { return {}; }
    [[nodiscard]] virtual SideAxes side_axes() const { return {}; }
    [[nodiscard]] virtual Vec3 rounded(const Vec3& v) const = 0;
    // The spacing of numbers at a magnitude.
    [[nodiscard]] virtual double ulp(double magnitude) const = 0;
    [[nodiscard]] virtual double largest_coordinate() const = 0;
    [[nodiscard]] virtual double build_seconds() const = 0;
};

// Errors: those of Level::add_part(); a number beyond the largest float.
[[nodiscard]] Expected<std::unique_ptr<Walker>> make_walker(
    std::span<const generate::LevelPart> parts, const Vec3& start, const SlideSettings& settings);

}  // namespace graze::verify

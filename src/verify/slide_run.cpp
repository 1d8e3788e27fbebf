#include "graze/verify/slide_run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace graze::verify {
namespace {

using Clock = std::chrono::steady_clock;

template <class Real>
class WalkerOf final : public Walker {
public:
    using Point = Vec<Real>;

    explicit WalkerOf(const SlideSettings& settings)
        : mover_(settings.mover),
          shape_{slide::narrowed<Real>(settings.radii),
                 slide::narrowed<Real>(settings.half_axis),
                 {slide::narrowed<Real>(settings.side_axes[0]),
                  slide::narrowed<Real>(settings.side_axes[1])}} {
        options_.skin = static_cast<Real>(settings.skin);
    }

    Expected<void> build(std::span<const generate::LevelPart> parts) {
        for (const generate::LevelPart& part : parts) {
            std::vector<Point> positions;
            positions.reserve(part.positions.size());
            for (const Vec3& p : part.positions)
                positions.push_back(slide::narrowed<Real>(p));
            const Clock::time_point begin = Clock::now();
            const auto added = level_.add_part(positions, part.faces);
            const std::chrono::duration<double> taken = Clock::now() - begin;
            build_seconds_ += taken.count();
            if (!added) return added.error();
        }
        return {};
    }

    SlideFrame move(const Vec3& displacement) override {
        const Point narrow = slide::narrowed<Real>(displacement);
        const Clock::time_point begin = Clock::now();
        if (mover_ == slide::MoverKind::Graze) {
            last_ = slide::move_and_slide(level_, shape_, position_, narrow, options_);
        } else {
            last_ = slide::move_and_slide_by(mover_, level_, shape_, position_, narrow, options_);
        }
        const auto taken = Clock::now() - begin;
        position_ = last_.position;
        return {position(),       last_.stopped,    double{last_.skin},
                last_.gap_proved, last_.iterations, nanoseconds(taken)};
    }

    [[nodiscard]] std::vector<Touch> touched() const override {
        std::vector<Touch> touches;
        for (const slide::SweepContact<Real>& c : last_.touched()) {
            touches.push_back({c.part, c.face, slide::widened(c.point), slide::widened(c.normal),
                               double{c.time}});
        }
        return touches;
    }

    [[nodiscard]] Vec3 position() const override { return slide::widened(position_); }
    void put(const Vec3& position) override { position_ = slide::narrowed<Real>(position); }
    [[nodiscard]] double default_skin() const override {
        return double{slide::default_skin(shape_)};
    }
    [[nodiscard]] Vec3 radii() const override { return slide::widened(shape_.radii); }
    [[nodiscard]] Vec3 half_axis() const override { return slide::widened(shape_.half_axis); }
    [[nodiscard]] SideAxes side_axes() const override {
        return {slide::widened(shape_.side_axes[0]), slide::widened(shape_.side_axes[1])};
    }
    [[nodiscard]] Vec3 rounded(const Vec3& v) const override {
        return slide::widened(slide::narrowed<Real>(v));
    }
    [[nodiscard]] double ulp(double magnitude) const override {
        const Real x = static_cast<Real>(std::fabs(magnitude));
        return double{std::nextafter(x, std::numeric_limits<Real>::infinity())} - double{x};
    }
    [[nodiscard]] double largest_coordinate() const override {
        return double{level_.largest_coordinate()};
    }
    [[nodiscard]] double build_seconds() const override { return build_seconds_; }

    [[nodiscard]] std::vector<Corners> triangles() const override {
        std::vector<Corners> all;
        all.reserve(level_.face_count());
        for (std::uint32_t part = 0; part < level_.part_count(); ++part) {
            for (std::uint32_t face = 0; face < level_.face_count(part); ++face) {
                const auto t = level_.triangle(part, face);
                all.push_back({slide::widened(t[0]), slide::widened(t[1]), slide::widened(t[2])});
            }
        }
        return all;
    }

private:
    static std::uint64_t nanoseconds(Clock::duration taken) {
        return static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(taken).count());
    }

    slide::MoverKind mover_;
    slide::Shape<Real> shape_;
    slide::MoveOptions<Real> options_;
    slide::Level<Real> level_;
    Point position_;
    slide::MoveResult<Real> last_;
    double build_seconds_ = 0.0;
};

template <class Real>
Expected<std::unique_ptr<Walker>> made(std::span<const generate::LevelPart> parts,
                                       const Vec3& start, const SlideSettings& settings) {
    auto walker = std::make_unique<WalkerOf<Real>>(settings);
    if (auto built = walker->build(parts); !built) return built.error();
    walker->put(start);
    return std::unique_ptr<Walker>(std::move(walker));
}

// Rounding to float must not make an infinity; radii must stay above zero.
Expected<void> check_range(const Vec3& start, const SlideSettings& settings) {
    constexpr double kMost = std::numeric_limits<float>::max();
    const auto fits = [](const Vec3& v) { return norm_max(v) <= kMost; };
    if (!fits(start))
        return Error{"the start is beyond the largest float", ErrorCode::InvalidInput};
    if (!fits(settings.radii) || !fits(settings.half_axis) || !fits(settings.side_axes[0]) ||
        !fits(settings.side_axes[1]) || settings.skin > kMost) {
        return Error{"radii, half height and skin must be within the range of float",
                     ErrorCode::InvalidOption};
    }
    const double least = std::min({settings.radii.x, settings.radii.y, settings.radii.z});
    if (!(static_cast<float>(least) > 0.0F))
        return Error{"a radius is zero as a float", ErrorCode::InvalidOption};
    return {};
}

}  // namespace

Expected<std::unique_ptr<Walker>> make_walker(std::span<const generate::LevelPart> parts,
                                              const Vec3& start, const SlideSettings& settings) {
    if (settings.precision == Precision::Double) return made<double>(parts, start, settings);
    if (auto fits = check_range(start, settings); !fits) return fits.error();
    return made<float>(parts, start, settings);
}

}  // namespace graze::verify

// A character walks through a small yard: up a kerb, along a wall, down a ramp. It is an ellipsoid
// that never gets into the level, and after every frame a gap is proved to be there.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "graze/slide/controller.hpp"

namespace slide = graze::slide;

namespace {

using Vector = slide::Vector<float>;

// Ground in the plane y = 0, a plateau 0.25 higher from x = 2 to x = 6, a ramp down to x = 9, and a
// wall along z = 1.5. Triangles need not fit together: there is no topology to keep.
slide::Level<float> make_yard() {
    std::vector<Vector> points;
    std::vector<slide::Level<float>::Face> faces;
    const auto quad = [&](Vector a, Vector b, Vector c, Vector d) {
        const auto first = static_cast<std::uint32_t>(points.size());
        points.insert(points.end(), {a, b, c, d});
        faces.push_back({first, first + 1, first + 2});
        faces.push_back({first, first + 2, first + 3});
    };
    quad({-5, 0, -5}, {2, 0, -5}, {2, 0, 5}, {-5, 0, 5});
    quad({2, 0, -5}, {2, 0.25F, -5}, {2, 0.25F, 5}, {2, 0, 5});
    quad({2, 0.25F, -5}, {6, 0.25F, -5}, {6, 0.25F, 5}, {2, 0.25F, 5});
    quad({6, 0.25F, -5}, {9, -0.75F, -5}, {9, -0.75F, 5}, {6, 0.25F, 5});
    quad({9, -0.75F, -5}, {15, -0.75F, -5}, {15, -0.75F, 5}, {9, -0.75F, 5});
    quad({-5, -1, 1.5F}, {15, -1, 1.5F}, {15, 3, 1.5F}, {-5, 3, 1.5F});
    slide::Level<float> level;
    if (!level.add_part(points, faces)) std::exit(EXIT_FAILURE);
    return level;
}

// What the character is and does.
class Character {
public:
    explicit Character(const slide::Level<float>& level) : level_(level) { steps_.height = 0.35F; }

    // One frame of `dt` seconds; `walk` is the wished speed along the ground.
    void step(const Vector& walk, float dt) {
        fall_speed_ = on_ground_ ? 0.0F : fall_speed_ - 9.81F * dt;
        Vector wish{walk.x * dt, fall_speed_ * dt, walk.z * dt};
        // Slopes that were too steep in the last frame stop it like walls.
        wish = slide::limit_slope<float>(wish, last_.touched()).wish;
        const auto climbed = slide::move_and_climb(level_, shape_, position_, wish, steps_);
        last_ = climbed.moved;
        position_ = last_.position;
        // A rounded foot takes several frames to get over the edge of a step; it does not fall
        // then.
        const bool climbs = climbed.action == slide::StepAction::Climbed;
        climb_frames_ += climbs ? 1 : 0;
        // Downhill: stay on the ground instead of hopping.
        slide::SnapOptions<float> snap;
        snap.distance = on_ground_ ? steps_.height : 0.01F;
        const auto ground = slide::snap_to_ground(level_, shape_, position_, snap);
        position_ = ground.position;
        on_ground_ = climbs || ground.action == slide::SnapAction::OnGround ||
                     ground.action == slide::SnapAction::Snapped;
    }

    // The proved gap to the level, or at least 1 where nothing is near.
    [[nodiscard]] double gap() const {
        return slide::smallest_gap(level_, shape_, position_, 1.0F).gap_lower;
    }
    [[nodiscard]] const Vector& position() const { return position_; }
    [[nodiscard]] bool on_ground() const { return on_ground_; }
    [[nodiscard]] int climb_frames() const { return climb_frames_; }

private:
    const slide::Level<float>& level_;
    slide::Shape<float> shape_{{0.4F, 0.9F, 0.4F}};
    slide::StepOptions<float> steps_;
    Vector position_{-3, 1.5F, 0};
    float fall_speed_ = 0.0F;
    bool on_ground_ = false;
    int climb_frames_ = 0;
    slide::MoveResult<float> last_;
};

}  // namespace

int main() {
    const slide::Level<float> level = make_yard();
    Character character(level);
    constexpr float kFrame = 1.0F / 60.0F;
    double least_gap = HUGE_VAL;
    for (int frame = 0; frame < 420; ++frame) {
        // Forward, and a little towards the wall, along which it slides.
        character.step({2.0F, 0.0F, 0.5F}, kFrame);
        least_gap = std::fmin(least_gap, character.gap());
        if (frame % 60 == 59) {
            const Vector& at = character.position();
            std::printf("%d s: x %6.3f  y %6.3f  z %6.3f  %s\n", frame / 60 + 1, double{at.x},
                        double{at.y}, double{at.z}, character.on_ground() ? "" : "in the air");
        }
    }
    std::printf("climbed in %d frames, least gap %.6f\n", character.climb_frames(), least_gap);
    const Vector& end = character.position();
    const bool arrived = end.x > 10.0F && end.y < 0.3F && character.on_ground();
    return arrived && character.climb_frames() >= 1 && least_gap > 0.0 ? EXIT_SUCCESS
                                                                       : EXIT_FAILURE;
}

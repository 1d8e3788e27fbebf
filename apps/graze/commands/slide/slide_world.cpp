#include "slide_world.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <memory>

#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "graze/core/elementary.hpp"
#include "graze/slide/character.hpp"
#include "graze/verify/exact_gap.hpp"

namespace graze::app {
namespace {

constexpr double kDegree = 3.141592653589793 / 180.0;

template <class Real>
slide::Shape<Real> shape_in(const slide::Shape<double>& shape) {
    return {slide::narrowed<Real>(shape.radii),
            slide::narrowed<Real>(shape.half_axis),
            {slide::narrowed<Real>(shape.side_axes[0]), slide::narrowed<Real>(shape.side_axes[1])}};
}

template <class Real>
Touch touch_of(const slide::SweepContact<Real>& c) {
    return {c.part, c.face, slide::widened(c.point), slide::widened(c.normal), double{c.time}};
}

template <class Real>
Corners corners_of(const std::array<Vec<Real>, 3>& t) {
    return {slide::widened(t[0]), slide::widened(t[1]), slide::widened(t[2])};
}

// --- The world -----------------------------------------------------------------------------------

// The world of a file, frame after frame.
template <class Real>
class RunningWorld {
public:
    Expected<void> build(const SlideWorldFile& file) {
        file_ = &file;
        std::vector<std::uint32_t> meshes;
        for (const SlideWorldMesh& mesh : file.meshes) {
            const auto added = add_obstacle(mesh);
            if (!added) return added.error();
            meshes.push_back(*added);
        }
        for (const SlideWorldPart& part : file.parts) {
            const auto added =
                world_.add_part(meshes[part.mesh], pose_after(part, 0.0), part.layers);
            if (!added) return Error{part.name + ": " + added.error().message};
        }
        world_.update();
        return {};
    }

    Expected<void> advance() {
        ++frames_;
        for (std::uint32_t i = 0; i < file_->parts.size(); ++i) {
            const SlideWorldPart& part = file_->parts[i];
            if (!part.motion.is_moving()) continue;
            const auto moved = world_.move_part(i, pose_after(part, seconds()), part.motion.pivot);
            if (!moved) return Error{part.name + ": " + moved.error().message};
        }
        world_.update();
        return {};
    }

    [[nodiscard]] double seconds() const { return static_cast<double>(frames_) * file_->time_step; }
    [[nodiscard]] const slide::World<Real>& world() const noexcept { return world_; }

private:
    Expected<std::uint32_t> add_obstacle(const SlideWorldMesh& mesh) {
        // Which layers a face is in is up to its part.
        const slide::FaceMarks marks{0, 0xffff'ffffU, mesh.one_sided};
        const Vec<Real> size = slide::narrowed<Real>(mesh.size);
        switch (mesh.kind) {
            case SlideObstacle::Sphere:
                return world_.add_sphere(size.x, marks);
            case SlideObstacle::Capsule:
                return world_.add_capsule(size.x, size.y, marks);
            case SlideObstacle::Box:
                return world_.add_box(size, marks);
            case SlideObstacle::HeightField:
                return add_height_field(mesh, marks);
            default:
                break;
        }
        std::vector<Vec<Real>> positions;
        positions.reserve(mesh.positions.size());
        for (const Vec3& p : mesh.positions)
            positions.push_back(slide::narrowed<Real>(p));
        return world_.add_mesh(positions, mesh.faces, std::span(&marks, 1));
    }
    Expected<std::uint32_t> add_height_field(const SlideWorldMesh& mesh,
                                             const slide::FaceMarks& marks) {
        std::vector<Real> heights;
        heights.reserve(mesh.heights.size());
        for (const double height : mesh.heights)
            heights.push_back(static_cast<Real>(height));
        const Vec<Real> spacing = slide::narrowed<Real>(mesh.size);
        return world_.add_height_field(
            {mesh.columns, static_cast<std::uint32_t>(heights.size() / mesh.columns), spacing.x,
             spacing.z, heights},
            std::span(&marks, 1));
    }

    const SlideWorldFile* file_ = nullptr;
    slide::World<Real> world_;
    std::uint64_t frames_ = 0;
};

// --- The exact check -----------------------------------------------------------------------------

// The triangles that the mover sees, as the world has them, and what is round. Triangles that stand are sorted
// once for each shape.
template <class Real>
class WorldJudge {
public:
    WorldJudge(const slide::World<Real>& world, const SlideWorldFile& file) : world_(world) {
        for (std::uint32_t i = 0; i < file.parts.size(); ++i) {
            const SlideWorldPart& part = file.parts[i];
            const SlideWorldMesh& mesh = file.meshes[part.mesh];
            if ((part.layers & file.mover.layers) == 0) continue;
            // What is behind a one-sided face may be anywhere.
            if (mesh.one_sided && !is_solid(mesh.kind)) {
                skipped_ += mesh.face_count();
            } else if (world.rounding(i) > Real{0}) {
                // An ellipsoid grown by a ball is no ellipsoid.
                if (has_equal_radii(file.mover.shape)) {
                    round_.push_back(i);
                } else {
                    ++skipped_;
                }
                continue;
            } else if (part.motion.is_moving()) {
                moving_.push_back(i);
            } else {
                add_triangles(i, still_);
            }
            if (mesh.kind == SlideObstacle::Box)
                boxes_.push_back({i, slide::widened(slide::narrowed<Real>(mesh.size))});
        }
    }

    [[nodiscard]] std::size_t skipped() const noexcept { return skipped_; }

    WorldCheck ask(const slide::Shape<Real>& shape, const Vec3& centre, double skin) {
        WorldCheck result;
        if (!is_finite(centre)) return result;
        const double reach = 4.0 * skin;
        add_boxes(centre, result);
        for (const std::uint32_t part : round_)
            add(ask_round(part, shape, centre, skin), reach, result);
        if (!still_.empty()) add(measure_of(shape).ask(centre, skin, reach), reach, result);
        std::vector<Corners> near = moving_near(shape, centre, reach);
        if (near.empty()) return result;
        const GapMeasure moving(std::move(near), slide::widened(shape.radii),
                                slide::widened(shape.half_axis), sides_of(shape));
        add(moving.ask(centre, skin, reach), reach, result);
        return result;
    }

private:
    struct Measure {
        slide::Shape<Real> shape;
        std::unique_ptr<GapMeasure> gaps;
    };

    struct SolidBox {
        std::uint32_t part = 0;
        Vec3 half;
    };

    static bool is_solid(SlideObstacle kind) {
        return kind != SlideObstacle::Mesh && kind != SlideObstacle::HeightField;
    }
    static bool has_equal_radii(const slide::Shape<double>& shape) {
        return shape.radii.x == shape.radii.y && shape.radii.y == shape.radii.z;
    }
    // a + b, or the double below it. Requires: a >= b > 0, for which sum - a is exact.
    static double sum_below(double a, double b) {
        const double sum = a + b;
        return sum - a > b ? std::nextafter(sum, 0.0) : sum;
    }
    // All within a radius of a segment: the segment, and a shape that is rounder by as much.
    GapAnswer ask_round(std::uint32_t part, const slide::Shape<Real>& shape, const Vec3& centre,
                        double skin) const {
        const double own = double{shape.radii.x};
        const double radius = sum_below(std::max(own, double{world_.rounding(part)}),
                                        std::min(own, double{world_.rounding(part)}));
        const GapMeasure measure({corners_of(world_.triangle(part, 0))}, {radius, radius, radius},
                                 slide::widened(shape.half_axis), sides_of(shape));
        return measure.ask(centre, skin, 4.0 * skin);
    }
    // A centre inside of a box, which its faces may be too far away to tell.
    void add_boxes(const Vec3& centre, WorldCheck& result) const {
        for (const SolidBox& box : boxes_) {
            const Vec3 at = apply(inverse(world_.pose(box.part)), centre);
            const double depth =
                std::min({box.half.x - std::fabs(at.x), box.half.y - std::fabs(at.y),
                          box.half.z - std::fabs(at.z)});
            if (!(depth > 0.0)) continue;
            result.penetration = std::max(result.penetration, depth);
            result.keeps_skin = false;
        }
    }
    static SideAxes sides_of(const slide::Shape<Real>& shape) {
        return {slide::widened(shape.side_axes[0]), slide::widened(shape.side_axes[1])};
    }
    static void add(const GapAnswer& answer, double reach, WorldCheck& result) {
        result.penetration = std::max(result.penetration, answer.depth);
        result.keeps_skin = result.keeps_skin && answer.keeps_skin;
        if (answer.least_gap < reach)
            result.gap = std::min(result.gap.value_or(reach), answer.least_gap);
    }
    void add_triangles(std::uint32_t part, std::vector<Corners>& to) const {
        for (std::uint32_t face = 0; face < world_.face_count(part); ++face) {
            const Corners corners = corners_of(world_.triangle(part, face));
            const bool is_hole =
                !is_finite(corners[0]) || !is_finite(corners[1]) || !is_finite(corners[2]);
            if (!is_hole) to.push_back(corners);
        }
    }
    // Bodies that crouch have two shapes, or a few.
    const GapMeasure& measure_of(const slide::Shape<Real>& shape) {
        for (const Measure& measure : measures_)
            if (measure.shape.radii == shape.radii && measure.shape.half_axis == shape.half_axis)
                return *measure.gaps;
        measures_.push_back({shape, std::make_unique<GapMeasure>(
                                        still_, slide::widened(shape.radii),
                                        slide::widened(shape.half_axis), sides_of(shape))});
        return *measures_.back().gaps;
    }
    // All that may be within `reach`: twice what that takes, so that rounding leaves none out.
    std::vector<Corners> moving_near(const slide::Shape<Real>& shape, const Vec3& centre,
                                     double reach) const {
        const auto sides = sides_of(shape);
        const double size = norm_max(slide::widened(shape.radii)) +
                            norm_max(slide::widened(shape.half_axis)) + norm_max(sides[0]) +
                            norm_max(sides[1]) + reach;
        std::vector<Corners> all;
        for (const std::uint32_t part : moving_)
            add_triangles(part, all);
        const auto is_far = [&](const Corners& t) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const double low = std::min({t[0][axis], t[1][axis], t[2][axis]});
                const double high = std::max({t[0][axis], t[1][axis], t[2][axis]});
                if (low - centre[axis] > 2.0 * size || centre[axis] - high > 2.0 * size)
                    return true;
            }
            return false;
        };
        all.erase(std::remove_if(all.begin(), all.end(), is_far), all.end());
        return all;
    }

    const slide::World<Real>& world_;
    std::vector<Corners> still_;
    std::vector<std::uint32_t> moving_;
    std::vector<std::uint32_t> round_;
    std::vector<SolidBox> boxes_;
    std::vector<Measure> measures_;
    std::size_t skipped_ = 0;
};

// --- What moves ----------------------------------------------------------------------------------

template <class Real>
void copy_move(const slide::MoveResult<Real>& moved, WorldFrame& frame) {
    frame.stopped = moved.stopped;
    frame.iterations = moved.iterations;
    frame.skin = double{moved.skin};
    for (const slide::SweepContact<Real>& contact : moved.touched())
        frame.touches.push_back(touch_of(contact));
}

template <class Real>
void copy_ride(const slide::RideResult<Real>& ride, WorldFrame& frame) {
    frame.ride = ride.outcome;
    frame.ride_time = ride.time;
    frame.overlap = ride.overlap;
}

// A shape that is pushed by what moves, and slides.
template <class Real>
class PlainWalker {
public:
    PlainWalker(const SlideWorldFile& file, const Vec3& start)
        : shape_(shape_in<Real>(file.mover.shape)), position_(slide::narrowed<Real>(start)) {
        options_ = {static_cast<Real>(file.mover.skin), file.mover.layers};
    }
    void before_update(const slide::World<Real>&, const SlideStep&, WorldFrame&) {}
    void move(const slide::World<Real>& world, const SlideStep& step, WorldFrame& frame) {
        if (is_proved_) {
            const auto ride = ride_parts(world, shape_, position_, std::nullopt, options_);
            position_ = ride.position;
            copy_ride(ride, frame);
        }
        const auto moved = move_and_slide(world, shape_, position_,
                                          slide::narrowed<Real>(step.displacement), options_);
        position_ = moved.position;
        is_proved_ = moved.gap_proved;
        frame.gap_proved = is_proved_;
        copy_move(moved, frame);
        if (frame.ride == slide::RideOutcome::Crushed) frame.events.emplace_back("crushed");
        frame.feet = position();
    }
    [[nodiscard]] const slide::Shape<Real>& shape() const { return shape_; }
    [[nodiscard]] Vec3 position() const { return slide::widened(position_); }

private:
    slide::Shape<Real> shape_;
    Vec<Real> position_;
    slide::MoveOptions<Real> options_;
    bool is_proved_ = false;
};

template <class Real>
slide::Capsule<Real> body_of(const slide::Shape<double>& shape) {
    const double radius = shape.radii.x;
    return {static_cast<Real>(radius), static_cast<Real>(2.0 * (norm(shape.half_axis) + radius))};
}

template <class Real>
slide::CharacterOptions<Real> options_of(const SlideWorldFile& file) {
    slide::CharacterOptions<Real> options;
    options.up = slide::narrowed<Real>(file.up);
    options.least_upward = static_cast<Real>(cosine(kDegree * file.character.slope_degrees));
    options.step_height = static_cast<Real>(file.character.step_height);
    options.snap_distance = static_cast<Real>(file.character.snap_distance);
    options.stops_at_ledges = file.character.stops_at_ledges;
    options.skin = static_cast<Real>(file.mover.skin);
    options.layers = file.mover.layers;
    return options;
}

// A character with gravity, jumps and another height where that is asked for.
template <class Real>
class CharacterWalker {
public:
    CharacterWalker(const SlideWorldFile& file, const Vec3& start)
        : file_(file),
          hero_(body_of<Real>(file.mover.shape), slide::narrowed<Real>(start),
                options_of<Real>(file)),
          height_(hero_.body().height) {}

    // Among the parts where they were in the last frame: what rides begins from there.
    void before_update(const slide::World<Real>& world, const SlideStep& step, WorldFrame& frame) {
        if (step.height) height_ = static_cast<Real>(*step.height);
        if (height_ == hero_.body().height) return;
        const bool is_changed = hero_.change_body(world, {hero_.body().radius, height_});
        if (is_changed || step.height)
            frame.events.emplace_back(is_changed ? "changed-body" : "no-room");
    }
    void move(const slide::World<Real>& world, const SlideStep& step, WorldFrame& frame) {
        if (step.jump > 0.0 && hero_.on_ground()) {
            falling_ = step.jump * file_.up;
            frame.events.emplace_back("jumped");
        }
        falling_ = falling_ + file_.time_step * file_.gravity;
        const Vec3 displacement = step.displacement + file_.time_step * falling_;
        const auto moved = hero_.move(world, slide::narrowed<Real>(displacement));
        if (moved.on_ground || (moved.hit_ceiling && dot(falling_, file_.up) > 0.0)) falling_ = {};
        copy_ride(moved.ride, frame);
        copy_move(moved.walk.moved, frame);
        frame.skin = double{moved.skin};
        frame.gap_proved = moved.gap_proved;
        frame.feet = slide::widened(moved.feet);
        frame.on_ground = moved.on_ground;
        if (moved.on_ground) frame.ground = touch_of(moved.ground);
        add_events(moved, frame);
    }
    [[nodiscard]] const slide::Shape<Real>& shape() const { return hero_.shape(); }
    [[nodiscard]] Vec3 position() const { return slide::widened(hero_.centre()); }

private:
    static void add_events(const slide::CharacterFrame<Real>& moved, WorldFrame& frame) {
        const auto add = [&](bool happened, std::string_view event) {
            if (happened) frame.events.push_back(event);
        };
        add(moved.landed, "landed");
        add(moved.left_ground, "left-ground");
        add(moved.climbed, "climbed");
        add(moved.hit_ceiling, "hit-ceiling");
        add(moved.held_at_ledge, "held-at-ledge");
        add(moved.is_crushed(), "crushed");
    }

    const SlideWorldFile& file_;
    slide::Character<Real> hero_;
    Real height_;
    Vec3 falling_;
};

// --- The run -------------------------------------------------------------------------------------

template <class Real>
WorldPartPicture picture_of_part(const slide::World<Real>& world, const SlideWorldFile& file,
                                 std::uint32_t part) {
    const SlideWorldMesh& mesh = file.meshes[file.parts[part].mesh];
    WorldPartPicture picture;
    picture.is_moving = file.parts[part].motion.is_moving();
    picture.faces = mesh.faces;
    picture.positions = mesh.positions;
    if (picture.is_moving) return picture;
    if (mesh.kind != SlideObstacle::Mesh) {
        for (Vec3& p : picture.positions)
            p = apply(world.pose(part), p);
        return picture;
    }
    for (std::uint32_t face = 0; face < mesh.faces.size(); ++face) {
        const Corners corners = corners_of(world.triangle(part, face));
        for (std::size_t k = 0; k < 3; ++k)
            picture.positions[mesh.faces[face][k]] = corners[k];
    }
    return picture;
}

void add_poses(const SlideWorldFile& file, double seconds, WorldOutcome& outcome) {
    for (std::size_t i = 0; i < outcome.pictures.size(); ++i)
        if (outcome.pictures[i].is_moving)
            outcome.pictures[i].poses.push_back(pose_after(file.parts[i], seconds));
}

// [ns] Of this thread alone, where the system tells: on a busy machine the longest frame would otherwise
// be the one in which another program ran.
std::uint64_t thread_ns() {
#ifdef CLOCK_THREAD_CPUTIME_ID
    timespec now{};
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
        return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
               static_cast<std::uint64_t>(now.tv_nsec);
#endif
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::steady_clock::now().time_since_epoch())
                                          .count());
}

template <class Real, class Mover>
Expected<WorldOutcome> run_steps(const SlideWorldFile& file, const WorldRunOptions& options,
                                 RunningWorld<Real>& world, Mover mover, Progress& progress) {
    WorldOutcome outcome;
    outcome.precision = options.precision;
    outcome.radii = slide::widened(mover.shape().radii);
    outcome.half_axis = slide::widened(mover.shape().half_axis);
    outcome.side_axes = {slide::widened(mover.shape().side_axes[0]),
                         slide::widened(mover.shape().side_axes[1])};
    outcome.start = mover.position();
    outcome.faces = world.world().face_count();
    std::optional<WorldJudge<Real>> judge;
    if (options.check) judge.emplace(world.world(), file);
    if (judge) outcome.faces_not_checked = judge->skipped();
    for (std::uint32_t i = 0; options.pictures && i < file.parts.size(); ++i)
        outcome.pictures.push_back(picture_of_part(world.world(), file, i));
    add_poses(file, 0.0, outcome);
    for (const SlideStep& step : file.steps) {
        if (stop_requested()) return stopped();
        WorldFrame frame;
        mover.before_update(world.world(), step, frame);
        if (auto advanced = world.advance(); !advanced) return advanced.error();
        const std::uint64_t begin = thread_ns();
        mover.move(world.world(), step, frame);
        frame.ns = thread_ns() - begin;
        frame.time = world.seconds();
        frame.position = mover.position();
        if (judge) frame.check = judge->ask(mover.shape(), frame.position, frame.skin);
        outcome.skin = std::max(outcome.skin, frame.skin);
        add_poses(file, frame.time, outcome);
        outcome.frames.push_back(std::move(frame));
        progress.advance(1);
    }
    return outcome;
}

template <class Real>
Expected<WorldOutcome> run_in(const SlideWorldFile& file, const WorldRunOptions& options,
                              Progress& progress) {
    RunningWorld<Real> world;
    if (auto built = world.build(file); !built) return built.error();
    const Vec3 start = file.mover.start.value_or(Vec3{});
    if (options.is_character)
        return run_steps(file, options, world, CharacterWalker<Real>(file, start), progress);
    return run_steps(file, options, world, PlainWalker<Real>(file, start), progress);
}

// What is finite as a double need not be as a float.
Expected<void> check_floats(const SlideWorldFile& file) {
    constexpr double kMost = std::numeric_limits<float>::max();
    const auto fits = [](const Vec3& v) { return norm_max(v) <= kMost; };
    const auto refuse = [](const std::string& what) {
        return Error{what + " does not fit in a float; --precision double takes it"};
    };
    for (const SlideWorldMesh& mesh : file.meshes)
        for (const Vec3& p : mesh.positions)
            if (!fits(p)) return refuse("a coordinate of a part");
    if (!fits(file.mover.start.value_or(Vec3{}))) return refuse("'start'");
    const slide::Shape<double>& shape = file.mover.shape;
    if (!fits(shape.radii) || !fits(shape.half_axis)) return refuse("the shape");
    for (std::size_t i = 0; i < file.steps.size(); ++i)
        if (!fits(file.steps[i].displacement)) return refuse("move " + std::to_string(i));
    return {};
}

}  // namespace

std::size_t WorldOutcome::proved_count() const noexcept {
    return static_cast<std::size_t>(std::count_if(
        frames.begin(), frames.end(), [](const WorldFrame& f) { return f.gap_proved; }));
}

std::size_t WorldOutcome::contradicted_count() const noexcept {
    return static_cast<std::size_t>(
        std::count_if(frames.begin(), frames.end(), [](const WorldFrame& f) {
            return f.gap_proved && f.check && (!f.check->keeps_skin || f.check->penetration > 0.0);
        }));
}

double WorldOutcome::max_penetration() const noexcept {
    double most = 0.0;
    for (const WorldFrame& frame : frames)
        if (frame.check) most = std::max(most, frame.check->penetration);
    return most;
}

Expected<WorldOutcome> run_world(const SlideWorldFile& file, const WorldRunOptions& options,
                                 Progress& progress) {
    if (options.precision == Precision::Double) return run_in<double>(file, options, progress);
    if (auto fits = check_floats(file); !fits) return fits.error();
    return run_in<float>(file, options, progress);
}

}  // namespace graze::app

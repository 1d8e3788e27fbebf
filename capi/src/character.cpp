// Characters that walk in worlds.
#include <memory>
#include <utility>
#include <variant>

#include "errors.hpp"
#include "graze.h"
#include "graze/slide.hpp"
#include "handles.hpp"
#include "slide_queries.hpp"
#include "slide_values.hpp"
#include "views.hpp"
#include "world_object.hpp"

namespace graze::capi {
namespace {

static_assert(sizeof(graze_character_options) == 80 && sizeof(graze_character_frame) == 152);

constexpr EarlierSizes kNoEarlierOptions{0};

using AnyCharacter = std::variant<slide::Character<double>, slide::Character<float>>;

struct CharacterObject {
    static constexpr HandleKind kHandle = HandleKind::Character;
    static constexpr const char* kName = "character";
    explicit CharacterObject(AnyCharacter made) noexcept : character(std::move(made)) {}
    InUse in_use;
    AnyCharacter character;
    std::uint64_t world = 0;  // the one that it moved in last
};

graze_character_options default_options() noexcept {
    const slide::CharacterOptions<double> usual;
    graze_character_options options{};
    options.size = sizeof options;
    write_vector(usual.up, options.up);
    options.least_upward = usual.least_upward;
    options.layers = usual.layers;
    return options;
}

template <class Real>
graze_status read_character_options(const graze_character_options* given,
                                    slide::CharacterOptions<Real>& options) noexcept {
    graze_character_options o = default_options();
    if (const graze_status status = read_options(given, kNoEarlierOptions, "options", o))
        return status;
    const auto length = [](double x, const char* name, Real& number) {
        if (const graze_status status = read_number(x, name, number)) return status;
        return number >= Real{0} ? GRAZE_OK : fail(GRAZE_INVALID_OPTION, "%s is below 0", name);
    };
    Checks checks;
    checks.then([&] { return read_point(o.up, "options: up", options.up); })
        .then([&] {
            return options.up == Vec<Real>{}
                       ? fail(GRAZE_INVALID_OPTION, "options: up has a length of 0")
                       : GRAZE_OK;
        })
        .then([&] {
            return read_number(o.least_upward, "options: least_upward", options.least_upward);
        })
        .then([&] { return length(o.step_height, "options: step_height", options.step_height); })
        .then([&] {
            return length(o.snap_distance, "options: snap_distance", options.snap_distance);
        })
        .then([&] { return length(o.skin, "options: skin", options.skin); });
    options.layers = o.layers;
    options.stops_at_ledges = o.stops_at_ledges != 0;
    return checks.status();
}

template <class Real>
graze_status read_body(double radius, double height, slide::Capsule<Real>& body) noexcept {
    Checks checks;
    checks.then([&] { return read_positive(radius, "radius", body.radius); }).then([&] {
        return read_not_negative(height, "height", body.height);
    });
    return checks.status();
}

template <class Real>
graze_status make_character(double radius, double height, const double* feet,
                            const graze_character_options* given, graze_character& made) {
    slide::Capsule<Real> body;
    Vec<Real> at;
    slide::CharacterOptions<Real> options;
    Checks checks;
    checks.then([&] { return read_body(radius, height, body); })
        .then([&] { return read_point(feet, "feet", at); })
        .then([&] { return read_character_options(given, options); });
    if (checks.failed()) return checks.status();
    const slide::Character<Real> character(body, at, options);
    if (!is_shape(character.shape()))
        return fail(GRAZE_OUT_OF_RANGE, "a radius of %g and a height of %g are no capsule", radius,
                    height);
    made.id = add_object(std::make_shared<CharacterObject>(character));
    return GRAZE_OK;
}

graze_character_frame no_frame() noexcept {
    graze_character_frame frame{};
    frame.overlap = kInfinity;
    frame.ride = GRAZE_RIDE_UNPROVED;
    return frame;
}

template <class Real>
graze_character_frame frame_of(const slide::CharacterFrame<Real>& from) noexcept {
    graze_character_frame frame{};
    write_vector(slide::widened(from.feet), frame.feet);
    frame.skin = double{from.skin};
    frame.ride_time = from.ride.time;
    frame.overlap = from.ride.overlap;
    frame.ride = static_cast<graze_ride_outcome>(from.ride.outcome);
    frame.gap_proved = from.gap_proved ? 1 : 0;
    frame.on_ground = from.on_ground ? 1 : 0;
    frame.landed = from.landed ? 1 : 0;
    frame.left_ground = from.left_ground ? 1 : 0;
    frame.climbed = from.climbed ? 1 : 0;
    frame.hit_ceiling = from.hit_ceiling ? 1 : 0;
    frame.held_at_ledge = from.held_at_ledge ? 1 : 0;
    if (from.on_ground) frame.ground = to_c(from.ground);
    return frame;
}

// Takes both, and calls body(object, character, world) where they have the same numbers.
template <class Body>
graze_status with_character(graze_character handle, graze_world world, Body body) {
    Taken<CharacterObject> object;
    if (const graze_status status = object.take(handle.id, Access::Change, "character"))
        return status;
    const auto meet = [&]<class Real>(slide::World<Real>& in) {
        auto* character = std::get_if<slide::Character<Real>>(&object->character);
        if (character == nullptr)
            return fail(GRAZE_INVALID_INPUT, "world: its scalar is not that of the character");
        return body(*object, *character, in);
    };
    return with_searched<WorldObject>(world.id, Access::Read, meet);
}

void write_point(const Vec3& v, double* output) noexcept {
    if (output == nullptr) return;
    output[0] = v.x;
    output[1] = v.y;
    output[2] = v.z;
}

}  // namespace
}  // namespace graze::capi

using namespace graze::capi;
using graze::slide::Character;
using graze::slide::World;

graze_status graze_character_options_init(graze_character_options* options,
                                          uint64_t size) noexcept {
    return init_options(options, kNoEarlierOptions, size, default_options());
}

graze_status graze_character_create(graze_scalar scalar, double radius, double height,
                                    const double* feet, const graze_character_options* options,
                                    graze_character* character) noexcept {
    return guarded([&] {
        write(character, graze_character{0});
        if (character == nullptr) return fail(GRAZE_NULL_POINTER, "character is NULL");
        if (const graze_status status = check_scalar(scalar)) return status;
        return scalar == GRAZE_FLOAT32
                   ? make_character<float>(radius, height, feet, options, *character)
                   : make_character<double>(radius, height, feet, options, *character);
    });
}

graze_status graze_character_destroy(graze_character character) noexcept {
    return destroy_object<CharacterObject>(character.id);
}

graze_status graze_character_move(graze_character character, graze_world world,
                                  const double* displacement,
                                  graze_character_frame* frame) noexcept {
    return guarded([&] {
        write(frame, no_frame());
        if (frame == nullptr) return fail(GRAZE_NULL_POINTER, "frame is NULL");
        const auto go = [&]<class Real>(CharacterObject& object, Character<Real>& hero,
                                        const World<Real>& in) {
            graze::Vec<Real> by;
            if (const graze_status status = read_point(displacement, "displacement", by))
                return status;
            // What it stood on in another world has a number that means nothing here.
            if (object.world != 0 && object.world != world.id) hero.teleport(hero.feet());
            object.world = world.id;
            *frame = frame_of(hero.move(in, by));
            return graze_status{GRAZE_OK};
        };
        return with_character(character, world, go);
    });
}

graze_status graze_character_change_body(graze_character character, graze_world world,
                                         double radius, double height, int32_t* changed) noexcept {
    return guarded([&] {
        write(changed, int32_t{0});
        if (changed == nullptr) return fail(GRAZE_NULL_POINTER, "changed is NULL");
        const auto go = [&]<class Real>(CharacterObject&, Character<Real>& hero,
                                        const World<Real>& in) {
            graze::slide::Capsule<Real> body;
            if (const graze_status status = read_body(radius, height, body)) return status;
            *changed = hero.change_body(in, body) ? 1 : 0;
            return graze_status{GRAZE_OK};
        };
        return with_character(character, world, go);
    });
}

graze_status graze_character_teleport(graze_character character, const double* feet) noexcept {
    return guarded([&] {
        Taken<CharacterObject> object;
        if (const graze_status status = object.take(character.id, Access::Change, "character"))
            return status;
        const auto go = [&]<class Real>(Character<Real>& hero) {
            graze::Vec<Real> to;
            if (const graze_status status = read_point(feet, "feet", to)) return status;
            hero.teleport(to);
            return graze_status{GRAZE_OK};
        };
        return std::visit(go, object->character);
    });
}

graze_status graze_character_state(graze_character character, double* feet, double* centre,
                                   int32_t* on_ground) noexcept {
    return guarded([&] {
        write_point({}, feet);
        write_point({}, centre);
        write(on_ground, int32_t{0});
        Taken<CharacterObject> object;
        if (const graze_status status = object.take(character.id, Access::Read, "character"))
            return status;
        const auto tell = [&](const auto& hero) {
            write_point(graze::slide::widened(hero.feet()), feet);
            write_point(graze::slide::widened(hero.centre()), centre);
            write(on_ground, hero.on_ground() ? 1 : 0);
        };
        std::visit(tell, object->character);
        return graze_status{GRAZE_OK};
    });
}

#include "capi/random_calls.hpp"

#include <graze.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "capi/dice.hpp"

namespace graze::capi_test {
namespace {

// Coordinates on the heap in one of many layouts, with nothing readable before or behind.
class Coordinates {
public:
    Coordinates(Dice& dice, std::uint64_t count, std::uint64_t points) {
        const bool is_float = dice.one_in(3);
        const std::int64_t width = is_float ? 4 : 8;
        const std::int64_t gap = dice.one_in(3) ? static_cast<std::int64_t>(dice.below(9)) : 0;
        const std::int64_t element = static_cast<std::int64_t>(3 * points) * width + gap;
        const std::int64_t size = element * static_cast<std::int64_t>(count);
        bytes_.resize(static_cast<std::size_t>(size));
        const bool is_odd = dice.one_in(40);
        for (std::int64_t at = 0; at < size; at += element)
            for (std::int64_t k = 0; k + width <= element - gap; k += width)
                put(at + k, is_odd && dice.one_in(4) ? dice.odd_number() : dice.coordinate(),
                    is_float);
        view_ = {bytes_.data(),
                 count,
                 element,
                 3 * width,
                 width,
                 is_float ? GRAZE_FLOAT32 : GRAZE_FLOAT64,
                 0};
        if (gap == 0 && dice.one_in(2))
            view_.stride = view_.point_stride = view_.coordinate_stride = 0;
        if (count > 0 && dice.one_in(8)) {
            view_.data = bytes_.data() + element * static_cast<std::int64_t>(count - 1);
            view_.stride = -element;
        }
        if (dice.wrong()) spoil(dice);
    }
    graze_view* get() { return is_null_ ? nullptr : &view_; }

private:
    void put(std::int64_t at, double x, bool is_float) {
        const auto small = static_cast<float>(std::fabs(x) > 1e38 ? kInfinity : x);
        if (is_float)
            std::memcpy(bytes_.data() + at, &small, sizeof small);
        else
            std::memcpy(bytes_.data() + at, &x, sizeof x);
    }
    void spoil(Dice& dice) {
        switch (dice.below(6)) {
            case 0:
                is_null_ = true;
                break;
            case 1:
                view_.data = nullptr;
                break;
            case 2:
                view_.scalar = dice.wrong_enum();
                break;
            case 3:
                view_.reserved = 1;
                break;
            case 4:
                view_.count = (std::uint64_t{1} << 41) + dice.below(9);
                break;
            default:
                view_.coordinate_stride = dice.one_in(2) ? std::numeric_limits<std::int64_t>::min()
                                                         : std::numeric_limits<std::int64_t>::max();
        }
    }
    std::vector<std::byte> bytes_;
    graze_view view_{};
    bool is_null_ = false;
};

// Handles that live, and those that do not. `size`: what belongs to a handle, its number of vertices say.
struct Handles {
    struct One {
        std::uint64_t id = 0;
        std::uint64_t size = 0;
        std::vector<std::uint64_t> parts;
    };
    std::vector<One> living;
    std::vector<std::uint64_t> dead;
};

struct CallbackState {
    Dice* dice = nullptr;
    std::uint64_t handle = 0;
    bool may_cancel = false;
};

std::int32_t random_progress(void* user, double fraction) {
    const auto* state = static_cast<const CallbackState*>(user);
    std::uint64_t count = 0;
    (void)graze_mesh_kept_impacts({state->handle}, nullptr, 0, &count);  // in use: refused
    return fraction >= 0.0 && state->may_cancel ? 1 : 0;
}
std::int32_t random_stop(void* user) {
    return static_cast<const CallbackState*>(user)->may_cancel ? 1 : 0;
}
std::int32_t random_accepts(void*, graze_kind kind, std::uint32_t a, std::uint32_t b) {
    return (static_cast<std::uint32_t>(kind) + a + b) % 3 == 0 ? 0 : 1;
}
double random_energy(void* user, const double* positions, std::uint64_t coordinates) {
    auto* state = static_cast<CallbackState*>(user);
    if (state->dice->one_in(50)) return state->dice->odd_number();
    double sum = 0.0;
    for (std::uint64_t i = 0; i < coordinates; ++i)
        sum += positions[i];
    return sum;
}

class Caller {
public:
    explicit Caller(const Dice& dice) : dice_(dice) {}
    ~Caller() {
        for (const auto& one : meshes_.living)
            (void)graze_mesh_destroy({one.id});
        for (const auto& one : bodies_.living)
            (void)graze_body_destroy({one.id});
        for (const auto& one : levels_.living)
            (void)graze_level_destroy({one.id});
        for (const auto& one : worlds_.living)
            (void)graze_world_destroy({one.id});
        for (const auto& one : characters_.living)
            (void)graze_character_destroy({one.id});
    }
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;

    void call() {
        // Something to work with, most of the time.
        function_ = static_cast<int>(dice_.below(kFunctions));
        if (dice_.one_in(4)) {
            if (meshes_.living.size() < 3) function_ = 5;
            if (bodies_.living.size() < 3) function_ = 20;
            if (levels_.living.size() < 2) function_ = 28;
            if (worlds_.living.size() < 2) function_ = 43;
            if (characters_.living.size() < 2) function_ = 61;
        }
        claims_ = false;
        count(make_call());
    }
    bool is_done() const { return dice_.is_used_up(); }
    const CallCounts& counts() const { return counts_; }

private:
    void count(graze_status status) {
        const bool is_known = status >= GRAZE_OK && status <= GRAZE_INTERNAL;
        const std::string text = graze_last_error();
        const auto f = static_cast<std::size_t>(function_);
        if (!is_known || status == GRAZE_INTERNAL || (status == GRAZE_OK) != text.empty() ||
            (status != GRAZE_OK && claims_) || graze_last_error_index() < -1 ||
            graze_abi_version() != GRAZE_ABI_VERSION || graze_version() == nullptr)
            violation(std::string(graze_status_text(status)) +
                      (claims_ ? ", with a claim: " : ": ") + text);
        if (is_known) ++counts_.by_status[static_cast<std::size_t>(status)];
        ++(status == GRAZE_OK ? counts_.succeeded : counts_.refused)[f];
    }

    void violation(const std::string& text) {
        if (counts_.violations++ == 0)
            counts_.first_violation = "function " + std::to_string(function_) + ": " + text;
    }

    // --- arguments
    template <class T>
    T* or_null(T* right) {
        return dice_.wrong() ? nullptr : right;
    }
    std::uint64_t size_or_wrong(std::uint64_t right) {
        return dice_.wrong() ? dice_.wrong_count(right) : right;
    }
    std::int32_t enum_or_wrong(std::uint64_t values) {
        return dice_.wrong() ? dice_.wrong_enum() : static_cast<std::int32_t>(dice_.below(values));
    }
    // A living handle, most often; otherwise a freed one, one of another kind, or any number.
    Handles::One pick(const Handles& handles) {
        if (!dice_.wrong() && !handles.living.empty())
            return handles.living[dice_.below(handles.living.size())];
        Handles::One one;
        one.size = 4;
        switch (dice_.below(4)) {
            case 0:
                one.id = handles.dead.empty() ? 0 : handles.dead[dice_.below(handles.dead.size())];
                break;
            case 1:
                one.id = dice_.bits();
                break;
            case 2: {
                const Handles& others = &handles == &meshes_ ? levels_ : meshes_;
                one.id = others.living.empty() ? 0 : others.living[0].id;
                break;
            }
            default:
                one.id = 0;
        }
        return one;
    }
    std::vector<std::uint32_t> indices(std::uint64_t count, std::uint64_t vertices) {
        std::vector<std::uint32_t> values(count);
        for (std::uint32_t& i : values)
            i = static_cast<std::uint32_t>(dice_.below(std::max<std::uint64_t>(vertices, 1)));
        if (!values.empty() && dice_.wrong())
            values[dice_.below(count)] = static_cast<std::uint32_t>(dice_.bits());
        return values;
    }
    void born(Handles& handles, std::uint64_t id, std::uint64_t size) {
        if (id == 0) return;
        claims_ = true;
        handles.living.push_back({id, size, {}});
    }
    graze_status destroy(Handles& handles, graze_status (*destroy_one)(std::uint64_t)) {
        const Handles::One one = pick(handles);
        const graze_status status = destroy_one(one.id);
        const auto is_it = [&](const Handles::One& other) { return other.id == one.id; };
        const auto found = std::find_if(handles.living.begin(), handles.living.end(), is_it);
        const bool lived = found != handles.living.end();
        if ((status == GRAZE_OK) != (lived || one.id == 0)) violation("freed what is not there");
        if (lived && status == GRAZE_OK) {
            handles.dead.push_back(one.id);
            handles.living.erase(found);
        }
        return status;
    }

    template <class Options>
    void spoil_query(Options& options) {
        options.min_separation = dice_.number(dice_.one_in(3) ? 0.125 : 0.0);
        options.distance_tolerance = dice_.number(1e-6);
        options.time_width = dice_.number(1e-9);
        options.t_max = dice_.number(1.0);
        options.max_checks = dice_.wrong() ? dice_.below(2) : 2000;
        options.norm = enum_or_wrong(2);
        options.reserved = dice_.wrong() ? 1 : 0;
        if (dice_.wrong()) options.size = dice_.below(2 * sizeof options);
    }
    graze_query_options query_options() {
        graze_query_options options{};
        (void)graze_query_options_init(&options, sizeof options);
        spoil_query(options);
        return options;
    }
    template <class T, class Make>
    void list_by_vertex(std::vector<T>& storage, std::uint64_t vertices, const T*& data,
                        std::uint64_t& count, Make make) {
        if (!dice_.one_in(6)) return;
        storage.resize(vertices);
        for (T& value : storage)
            value = make();
        data = or_null(storage.data());
        count = size_or_wrong(vertices);
    }
    graze_step_options step_options(std::uint64_t vertices, std::uint64_t handle) {
        graze_step_options options{};
        (void)graze_step_options_init(&options, sizeof options);
        spoil_query(options);
        options.threads = dice_.wrong() ? dice_.wrong_enum() : 1;
        if (options.threads > 2) options.threads = 2;
        list_by_vertex(radii_, vertices, options.radius, options.radius_count,
                       [&] { return dice_.one_in(60) ? dice_.odd_number() : 0.01; });
        list_by_vertex(bodies_of_, vertices, options.body, options.body_count,
                       [&] { return static_cast<std::uint32_t>(dice_.below(3)); });
        list_by_vertex(fixed_, vertices, options.fixed, options.fixed_count,
                       [&] { return static_cast<std::uint8_t>(dice_.below(2)); });
        list_by_vertex(layers_, vertices, options.layers, options.layers_count,
                       [&] { return static_cast<std::uint32_t>(dice_.below(4)); });
        list_by_vertex(mask_, vertices, options.mask, options.mask_count,
                       [&] { return static_cast<std::uint32_t>(dice_.below(4)); });
        options.within_bodies = static_cast<std::int32_t>(dice_.below(2));
        state_ = {&dice_, handle, dice_.one_in(4)};
        if (dice_.one_in(8)) options.accepts = &random_accepts;
        if (dice_.one_in(8)) options.progress = &random_progress;
        if (dice_.one_in(8)) options.stop = &random_stop;
        options.user = &state_;
        return options;
    }
    graze_rigid_options rigid_options() {
        graze_rigid_options options{};
        (void)graze_rigid_options_init(&options, sizeof options);
        options.min_separation = dice_.one_in(6) ? dice_.number(0.01) : 0.0;
        options.time_width = dice_.number(1e-9);
        options.t_max = dice_.number(1.0);
        options.max_checks = dice_.wrong() ? 0 : 300;
        options.model = enum_or_wrong(2);
        options.reserved = dice_.wrong() ? 1 : 0;
        if (dice_.wrong()) options.size = dice_.below(2 * sizeof options);
        state_ = {&dice_, 0, dice_.one_in(4)};
        if (dice_.one_in(8)) options.progress = &random_progress;
        if (dice_.one_in(8)) options.stop = &random_stop;
        options.user = &state_;
        return options;
    }
    graze_pose pose() {
        constexpr double kRotations[4][4] = {
            {1, 0, 0, 0}, {0.6, 0.8, 0, 0}, {0, 0, 1, 0}, {0.5, 0.5, -0.5, 0.5}};
        graze_pose pose{};
        std::copy_n(kRotations[dice_.below(4)], 4, pose.rotation);
        for (double& x : pose.translation)
            x = dice_.coordinate();
        if (dice_.wrong()) pose.rotation[dice_.below(4)] = dice_.odd_number();
        if (dice_.wrong()) pose.translation[dice_.below(3)] = dice_.odd_number();
        return pose;
    }
    graze_mover mover() {
        graze_mover mover{};
        (void)graze_mover_init(&mover, sizeof mover);
        for (double& r : mover.radii)
            r = dice_.one_in(60) ? dice_.odd_number() : 0.5;
        if (dice_.one_in(4)) mover.half_axis[dice_.below(3)] = dice_.number(0.25);
        if (dice_.one_in(4)) set_box(mover);
        if (dice_.wrong()) mover.side_axes[dice_.below(2)][dice_.below(3)] = dice_.odd_number();
        if (dice_.wrong()) mover.up[dice_.below(3)] = dice_.odd_number();
        mover.skin = dice_.number(0.0);
        mover.least_upward = dice_.number(0.7);
        mover.step_height = dice_.number(0.25);
        mover.layers = dice_.wrong() ? 2 : ~0U;
        mover.reserved = dice_.wrong() ? 1 : 0;
        if (dice_.wrong()) mover.size = dice_.below(2 * sizeof mover);
        return mover;
    }
    void set_box(graze_mover& mover) {
        const std::vector<double> half = {dice_.number(0.5), dice_.number(0.25), dice_.number(0.5)};
        const graze_pose turned = pose();
        (void)graze_mover_set_box(&mover, dice_.one_in(2) ? GRAZE_FLOAT32 : GRAZE_FLOAT64,
                                  or_null(half.data()), dice_.number(0.125),
                                  dice_.one_in(2) ? nullptr : turned.rotation);
    }
    // Of exactly that length, so that reading on is noticed.
    std::vector<double> numbers(std::uint64_t count) {
        std::vector<double> values(count);
        for (double& x : values)
            x = dice_.coordinate();
        if (count > 0 && dice_.wrong()) values[dice_.below(count)] = dice_.odd_number();
        return values;
    }

    template <class Options>
    graze_status init(graze_status (*function)(Options*, std::uint64_t)) {
        std::vector<Options> options(1);
        return function(or_null(options.data()),
                        dice_.wrong() ? dice_.below(2 * sizeof(Options)) : sizeof(Options));
    }

    // --- queries
    graze_status ccd() {
        const graze_kind kind = enum_or_wrong(4);
        const std::uint64_t length = kind == 2 ? 6 : kind == 3 ? 9 : 12;
        const std::vector<double> start = numbers(length);
        const std::vector<double> end = numbers(length);
        const graze_query_options options = query_options();
        graze_result result{};
        result.verdict = GRAZE_SEPARATED;
        graze_result* const out = or_null(&result);
        const graze_status status =
            graze_ccd(kind, or_null(start.data()), or_null(end.data()), size_or_wrong(length),
                      dice_.one_in(4) ? nullptr : &options, out);
        claims_ = out != nullptr && (result.verdict != GRAZE_UNRESOLVED || result.toi_lower > 0);
        return status;
    }
    graze_status ccd_batch() {
        const graze_kind kind = enum_or_wrong(4);
        const std::uint64_t points = kind == 2 ? 2 : kind == 3 ? 3 : 4;
        const std::uint64_t count = dice_.below(4);
        Coordinates start(dice_, count, points);
        Coordinates end(dice_, count, points);
        const graze_query_options options = query_options();
        std::vector<graze_result> results(count);
        return graze_ccd_batch(kind, start.get(), end.get(), dice_.one_in(4) ? nullptr : &options,
                               or_null(results.data()), size_or_wrong(count));
    }
    graze_status distance_lower() {
        const graze_kind kind = enum_or_wrong(4);
        const std::uint64_t length = kind == 2 ? 6 : kind == 3 ? 9 : 12;
        const std::vector<double> positions = numbers(length);
        double distance = 1.0;
        return graze_distance_lower(kind, or_null(positions.data()), size_or_wrong(length),
                                    enum_or_wrong(2), or_null(&distance));
    }
    graze_status contact_point() {
        const graze_kind kind = enum_or_wrong(4);
        const std::uint64_t length = kind == 2 ? 6 : kind == 3 ? 9 : 12;
        const std::vector<double> start = numbers(length);
        const std::vector<double> end = numbers(length);
        graze_contact contact;
        return graze_contact_point(kind, or_null(start.data()), or_null(end.data()),
                                   size_or_wrong(length), dice_.number(0.5), or_null(&contact));
    }

    // --- meshes
    graze_status mesh_create() {
        const std::uint64_t vertices = 1 + dice_.below(10);
        const std::uint64_t faces = dice_.below(7);
        const std::uint64_t edges = dice_.below(3);
        const std::vector<std::uint32_t> face = indices(3 * faces, vertices);
        const std::vector<std::uint32_t> edge = indices(2 * edges, vertices);
        if (meshes_.living.size() > 8) return destroy_mesh();
        // A count that is wrong, but not too large, claims memory that is not there.
        const auto count = [&](std::uint64_t right) {
            return dice_.wrong()
                       ? (std::uint64_t{1} << 32) + dice_.bits() % (std::uint64_t{1} << 50)
                       : right;
        };
        graze_mesh mesh{77};
        graze_mesh* const out = or_null(&mesh);
        const graze_status status =
            graze_mesh_create(count(vertices), or_null(face.data()), count(faces),
                              or_null(edge.data()), count(edges), out);
        if (out != nullptr) born(meshes_, mesh.id, vertices);
        return status;
    }
    graze_status destroy_mesh() {
        function_ = 6;
        return destroy(meshes_, [](std::uint64_t id) { return graze_mesh_destroy({id}); });
    }
    graze_status mesh_counts() {
        std::uint64_t a = 0;
        std::uint64_t b = 0;
        std::uint64_t c = 0;
        return graze_mesh_counts({pick(meshes_).id}, or_null(&a), or_null(&b), or_null(&c));
    }
    graze_status mesh_edges() {
        const std::uint64_t capacity = dice_.below(20);
        std::vector<std::uint32_t> edges(2 * capacity);
        std::uint64_t count = 0;
        return graze_mesh_edges({pick(meshes_).id}, or_null(edges.data()),
                                dice_.wrong() ? std::uint64_t{1} << 60 : capacity, or_null(&count));
    }
    graze_status first_impact() {
        const Handles::One mesh = pick(meshes_);
        Coordinates start(dice_, size_off(mesh.size), 1);
        Coordinates end(dice_, size_off(mesh.size), 1);
        const graze_step_options options = step_options(mesh.size, mesh.id);
        graze_step_result result{};
        graze_step_result* const out = or_null(&result);
        const graze_status status =
            graze_mesh_first_impact({mesh.id}, start.get(), end.get(), or_defaults(options), out);
        claims_ = out != nullptr && (result.verdict != GRAZE_UNRESOLVED || result.toi_lower > 0);
        return status;
    }
    graze_status all_impacts() {
        const Handles::One mesh = pick(meshes_);
        Coordinates start(dice_, size_off(mesh.size), 1);
        Coordinates end(dice_, size_off(mesh.size), 1);
        const graze_step_options options = step_options(mesh.size, mesh.id);
        const std::uint64_t capacity = dice_.below(30);
        std::vector<graze_impact> impacts(capacity);
        std::uint64_t count = 0;
        graze_step_result result;
        return graze_mesh_all_impacts(
            {mesh.id}, start.get(), end.get(), or_defaults(options), or_null(impacts.data()),
            dice_.wrong() ? std::uint64_t{1} << 60 : capacity, or_null(&count), or_null(&result));
    }
    graze_status kept_impacts() {
        const std::uint64_t capacity = dice_.below(30);
        std::vector<graze_impact> impacts(capacity);
        std::uint64_t count = 0;
        return graze_mesh_kept_impacts({pick(meshes_).id}, or_null(impacts.data()), capacity,
                                       or_null(&count));
    }
    graze_status safe_step() {
        const Handles::One mesh = pick(meshes_);
        Coordinates start(dice_, size_off(mesh.size), 1);
        Coordinates end(dice_, size_off(mesh.size), 1);
        const graze_step_options options = step_options(mesh.size, mesh.id);
        std::vector<double> positions(3 * mesh.size);
        graze_safe_step step{};
        graze_safe_step* const out = or_null(&step);
        const graze_status status = graze_mesh_largest_safe_step(
            {mesh.id}, start.get(), end.get(), or_defaults(options), or_null(positions.data()),
            size_or_wrong(positions.size()), out);
        claims_ = out != nullptr && step.fraction > 0.0;
        return status;
    }
    graze_status line_search() {
        const Handles::One mesh = pick(meshes_);
        Coordinates start(dice_, size_off(mesh.size), 1);
        Coordinates end(dice_, size_off(mesh.size), 1);
        const graze_step_options options = step_options(mesh.size, mesh.id);
        graze_line_search_options search{};
        (void)graze_line_search_options_init(&search, sizeof search);
        search.kept_fraction = dice_.number(0.5);
        search.max_kept = dice_.number(1e-3);
        search.max_halvings = dice_.wrong() ? dice_.wrong_enum() : 10;
        if (dice_.wrong()) search.size = dice_.below(2 * sizeof search);
        std::vector<double> positions(3 * mesh.size);
        graze_line_search result{};
        graze_line_search* const out = or_null(&result);
        const graze_status status = graze_mesh_line_search(
            {mesh.id}, start.get(), end.get(), dice_.wrong() ? nullptr : &random_energy, &state_,
            dice_.one_in(4) ? nullptr : &search, or_defaults(options), or_null(positions.data()),
            size_or_wrong(positions.size()), out);
        claims_ = out != nullptr && result.alpha > 0.0;
        return status;
    }
    graze_status free_radii() {
        const Handles::One mesh = pick(meshes_);
        Coordinates at(dice_, size_off(mesh.size), 1);
        const graze_step_options options = step_options(mesh.size, mesh.id);
        std::vector<double> radii(mesh.size);
        return graze_mesh_free_radii({mesh.id}, at.get(), dice_.number(1.0), or_defaults(options),
                                     or_null(radii.data()), size_or_wrong(mesh.size));
    }
    graze_status free_fractions() {
        const Handles::One mesh = pick(meshes_);
        Coordinates start(dice_, size_off(mesh.size), 1);
        Coordinates end(dice_, size_off(mesh.size), 1);
        const graze_step_options options = step_options(mesh.size, mesh.id);
        std::vector<double> fractions(mesh.size);
        std::vector<double> positions(3 * mesh.size);
        return graze_mesh_free_fractions(
            {mesh.id}, start.get(), end.get(), or_defaults(options), or_null(fractions.data()),
            size_or_wrong(mesh.size), or_null(positions.data()), size_or_wrong(positions.size()));
    }
    graze_status intersections() {
        const Handles::One mesh = pick(meshes_);
        Coordinates at(dice_, size_off(mesh.size), 1);
        const graze_step_options options = step_options(mesh.size, mesh.id);
        const std::uint64_t capacity = dice_.below(20);
        std::vector<graze_intersection> found(capacity);
        std::uint64_t count = 0;
        return graze_mesh_intersections({mesh.id}, at.get(), or_defaults(options),
                                        or_null(found.data()), capacity, or_null(&count));
    }
    graze_status clearance() {
        const Handles::One mesh = pick(meshes_);
        Coordinates at(dice_, size_off(mesh.size), 1);
        const graze_step_options options = step_options(mesh.size, mesh.id);
        std::vector<double> values(mesh.size);
        double least = 1.0;
        return graze_mesh_clearance({mesh.id}, at.get(), dice_.number(1.0), or_defaults(options),
                                    or_null(values.data()), size_or_wrong(mesh.size),
                                    or_null(&least));
    }
    std::uint64_t size_off(std::uint64_t right) {
        return dice_.wrong() ? dice_.below(right + 3) : right;
    }
    const graze_step_options* or_defaults(const graze_step_options& options) {
        return dice_.one_in(4) ? nullptr : &options;
    }

    // --- bodies
    graze_status body_create() {
        if (bodies_.living.size() > 8) return destroy_body();
        const std::uint64_t vertices = 4 + dice_.below(5);
        Coordinates positions(dice_, vertices, 1);
        std::vector<std::uint32_t> corners = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
        if (dice_.one_in(3)) corners = indices(3 * (1 + dice_.below(6)), vertices);
        std::vector<std::uint32_t> counts(corners.size() / 3, 3);
        // More corners than there are make a wrong sum, or no triangles: found before any is read. Two
        // wrongs could make a right, of memory that is not there.
        std::uint64_t corner_count = corners.size();
        if (dice_.wrong())
            counts[0] = static_cast<std::uint32_t>(dice_.one_in(2) ? dice_.below(7) : dice_.bits());
        else if (dice_.wrong())
            corner_count += 1 + dice_.below(2);
        const bool are_given = dice_.one_in(2);
        graze_body body{77};
        graze_body* const out = or_null(&body);
        const graze_status status = graze_body_create(
            positions.get(), are_given ? or_null(counts.data()) : nullptr,
            are_given ? counts.size() : 0, or_null(corners.data()), corner_count, out);
        if (out != nullptr) born(bodies_, body.id, vertices);
        return status;
    }
    graze_status destroy_body() {
        function_ = 21;
        return destroy(bodies_, [](std::uint64_t id) { return graze_body_destroy({id}); });
    }
    graze_status body_inspect() {
        graze_body_info info;
        return graze_body_inspect({pick(bodies_).id}, or_null(&info));
    }
    graze_status rigid_first_impact() {
        const graze_body_step a = {pose(), pose()};
        const graze_body_step b = {pose(), pose()};
        const graze_rigid_options options = rigid_options();
        graze_rigid_result result{};
        graze_rigid_result* const out = or_null(&result);
        const graze_status status =
            graze_rigid_first_impact({pick(bodies_).id}, {pick(bodies_).id}, or_null(&a),
                                     or_null(&b), dice_.one_in(8) ? nullptr : &options, out);
        claims_ = out != nullptr && status != GRAZE_CANCELLED &&
                  (result.verdict != GRAZE_UNRESOLVED || result.toi_lower > 0);
        return status;
    }
    graze_status rigid_all_collisions() {
        const graze_body_step a = {pose(), pose()};
        const graze_body_step b = {pose(), pose()};
        const graze_rigid_options options = rigid_options();
        const std::uint64_t capacity = dice_.below(12);
        std::vector<graze_rigid_contact> contacts(capacity);
        std::uint64_t count = 0;
        std::int32_t complete = 0;
        return graze_rigid_all_collisions({pick(bodies_).id}, {pick(bodies_).id}, or_null(&a),
                                          or_null(&b), &options, dice_.number(-0.1),
                                          or_null(contacts.data()), capacity, or_null(&count),
                                          or_null(&complete));
    }
    graze_status rigid_start_state() {
        const graze_pose a = pose();
        const graze_pose b = pose();
        graze_start_state state = 0;
        return graze_rigid_start_state({pick(bodies_).id}, or_null(&a), {pick(bodies_).id},
                                       or_null(&b), or_null(&state));
    }
    graze_status rigid_distance() {
        const graze_pose a = pose();
        const graze_pose b = pose();
        const graze_rigid_options options = rigid_options();
        graze_rigid_gap gap{};
        graze_rigid_gap* const out = or_null(&gap);
        const graze_status status = graze_rigid_distance(
            {pick(bodies_).id}, or_null(&a), {pick(bodies_).id}, or_null(&b), &options, out);
        claims_ = out != nullptr && status != GRAZE_CANCELLED &&
                  (gap.lower > 0.0 || gap.upper < kInfinity);
        return status;
    }

    // --- levels
    graze_status level_create() {
        if (levels_.living.size() > 6) return destroy_level();
        graze_level level{77};
        graze_level* const out = or_null(&level);
        const graze_status status = graze_level_create(enum_or_wrong(2), out);
        if (out != nullptr) born(levels_, level.id, 0);
        return status;
    }
    graze_status destroy_level() {
        function_ = 29;
        return destroy(levels_, [](std::uint64_t id) { return graze_level_destroy({id}); });
    }
    struct Part {
        std::uint64_t vertices;
        std::vector<std::uint32_t> faces;
        std::vector<graze_face_marks> marks;
    };
    Part part() {
        Part part;
        part.vertices = 3 + dice_.below(6);
        part.faces = indices(3 * dice_.below(6), part.vertices);
        const std::uint64_t marks = dice_.one_in(3) ? dice_.below(3) : 0;
        for (std::uint64_t i = 0; i < marks; ++i)
            part.marks.push_back({static_cast<std::uint32_t>(dice_.bits()),
                                  static_cast<std::uint32_t>(dice_.below(4)),
                                  static_cast<std::int32_t>(dice_.below(2))});
        return part;
    }
    std::uint64_t too_many_or(std::uint64_t right) {
        return dice_.wrong() ? (std::uint64_t{1} << 31) + dice_.bits() % (std::uint64_t{1} << 60)
                             : right;
    }
    Handles::One* living_level(std::uint64_t id) {
        for (Handles::One& one : levels_.living)
            if (one.id == id) return &one;
        return nullptr;
    }
    graze_status add_part() {
        const Part p = part();
        Coordinates positions(dice_, p.vertices, 1);
        const Handles::One level = pick(levels_);
        if (level.parts.size() > 8) return destroy_level();  // small levels, or all moves grow slow
        std::uint32_t number = 0;
        const graze_status status = graze_level_add_part(
            {level.id}, positions.get(), or_null(p.faces.data()), too_many_or(p.faces.size() / 3),
            or_null(p.marks.data()), p.marks.size(), or_null(&number));
        if (Handles::One* one = status == GRAZE_OK ? living_level(level.id) : nullptr)
            one->parts.push_back(p.vertices);
        return status;
    }
    std::uint32_t part_number(const Handles::One& level) {
        if (dice_.wrong() || level.parts.empty()) return static_cast<std::uint32_t>(dice_.bits());
        return static_cast<std::uint32_t>(dice_.below(level.parts.size()));
    }
    graze_status replace_part() {
        const Part p = part();
        Coordinates positions(dice_, p.vertices, 1);
        const Handles::One level = pick(levels_);
        const std::uint32_t number = part_number(level);
        const graze_status status = graze_level_replace_part(
            {level.id}, number, positions.get(), or_null(p.faces.data()),
            too_many_or(p.faces.size() / 3), or_null(p.marks.data()), p.marks.size());
        if (Handles::One* one = status == GRAZE_OK ? living_level(level.id) : nullptr)
            one->parts[number] = p.vertices;
        return status;
    }
    graze_status move_part() {
        const Handles::One level = pick(levels_);
        const std::uint32_t number = part_number(level);
        const std::uint64_t vertices = number < level.parts.size() ? level.parts[number] : 3;
        Coordinates positions(dice_, size_off(vertices), 1);
        return graze_level_move_part({level.id}, number, positions.get());
    }
    graze_status level_counts() {
        std::uint64_t a = 0;
        std::uint64_t b = 0;
        return graze_level_counts({pick(levels_).id}, or_null(&a), or_null(&b));
    }
    // Of a level or of a world: `handles` are those of the function.
    template <class Handle>
    graze_status move(const Handles& handles,
                      graze_status (*function)(Handle, const graze_mover*, const double*,
                                               const double*, graze_move*)) {
        const graze_mover by = mover();
        const std::vector<double> start = numbers(3);
        const std::vector<double> along = numbers(3);
        graze_move result{};
        graze_move* const out = or_null(&result);
        const graze_status status = function({pick(handles).id}, or_null(&by),
                                             or_null(start.data()), or_null(along.data()), out);
        claims_ = out != nullptr && result.gap_proved != 0;
        return status;
    }
    template <class Handle>
    graze_status snap(const Handles& handles,
                      graze_status (*function)(Handle, const graze_mover*, const double*, double,
                                               graze_snap*)) {
        const graze_mover by = mover();
        const std::vector<double> start = numbers(3);
        graze_snap result{};
        graze_snap* const out = or_null(&result);
        const graze_status status = function({pick(handles).id}, or_null(&by),
                                             or_null(start.data()), dice_.number(1.0), out);
        claims_ = out != nullptr && result.gap_proved != 0;
        return status;
    }
    void claim(const graze_sweep* out) {
        claims_ = out != nullptr && (out->verdict != GRAZE_UNRESOLVED || out->toi_lower > 0);
    }
    template <class Handle>
    graze_status sweep(const Handles& handles,
                       graze_status (*function)(Handle, const graze_mover*, const double*,
                                                const double*, double, graze_sweep*)) {
        const graze_mover by = mover();
        const std::vector<double> start = numbers(3);
        const std::vector<double> along = numbers(3);
        graze_sweep result{};
        graze_sweep* const out = or_null(&result);
        const graze_status status =
            function({pick(handles).id}, or_null(&by), or_null(start.data()), or_null(along.data()),
                     dice_.number(0.0), out);
        claim(out);
        return status;
    }
    template <class Handle>
    graze_status ray(const Handles& handles,
                     graze_status (*function)(Handle, const double*, const double*, std::uint32_t,
                                              graze_sweep*)) {
        const std::vector<double> start = numbers(3);
        const std::vector<double> along = numbers(3);
        graze_sweep result{};
        graze_sweep* const out = or_null(&result);
        const graze_status status =
            function({pick(handles).id}, or_null(start.data()), or_null(along.data()), ~0U, out);
        claim(out);
        return status;
    }
    template <class Handle>
    graze_status gap(const Handles& handles,
                     graze_status (*function)(Handle, const graze_mover*, const double*, double,
                                              std::int32_t*, double*, graze_touch*)) {
        const graze_mover by = mover();
        const std::vector<double> centre = numbers(3);
        std::int32_t found = 0;
        double lower = 1.0;
        graze_touch touch;
        double* const out = or_null(&lower);
        const graze_status status =
            function({pick(handles).id}, or_null(&by), or_null(centre.data()), dice_.number(1.0),
                     or_null(&found), out, or_null(&touch));
        claims_ = out != nullptr && lower > -kInfinity;
        return status;
    }
    template <class Handle>
    graze_status nearest(const Handles& handles,
                         graze_status (*function)(Handle, const double*, double, std::uint32_t,
                                                  std::int32_t*, double*, graze_touch*)) {
        const std::vector<double> point = numbers(3);
        std::int32_t found = 0;
        double lower = 1.0;
        graze_touch touch;
        double* const out = or_null(&lower);
        const graze_status status =
            function({pick(handles).id}, or_null(point.data()), dice_.number(1.0), ~0U,
                     or_null(&found), out, or_null(&touch));
        claims_ = out != nullptr && lower > 0.0;
        return status;
    }
    template <class Handle>
    graze_status overlap(const Handles& handles,
                         graze_status (*function)(Handle, const graze_mover*, const double*, double,
                                                  graze_verdict*)) {
        const graze_mover by = mover();
        const std::vector<double> centre = numbers(3);
        graze_verdict verdict = GRAZE_SEPARATED;
        graze_verdict* const out = or_null(&verdict);
        const graze_status status = function({pick(handles).id}, or_null(&by),
                                             or_null(centre.data()), dice_.number(0.0), out);
        claims_ = out != nullptr && verdict != GRAZE_UNRESOLVED;
        return status;
    }

    // --- worlds: `size` of a handle is how many meshes it has
    graze_status world_create() {
        if (worlds_.living.size() > 6) return destroy_world();
        graze_world world{77};
        graze_world* const out = or_null(&world);
        const graze_status status = graze_world_create(enum_or_wrong(2), out);
        if (out != nullptr) born(worlds_, world.id, 0);
        return status;
    }
    graze_status destroy_world() {
        function_ = 44;
        return destroy(worlds_, [](std::uint64_t id) { return graze_world_destroy({id}); });
    }
    Handles::One* living_world(std::uint64_t id) {
        for (Handles::One& one : worlds_.living)
            if (one.id == id) return &one;
        return nullptr;
    }
    // Something with a number more: add(world, number) of a living world, most often.
    template <class Add>
    graze_status add_mesh(Add add) {
        const Handles::One world = pick(worlds_);
        std::uint32_t number = 0;
        const graze_status status = add(graze_world{world.id}, or_null(&number));
        if (Handles::One* one = status == GRAZE_OK ? living_world(world.id) : nullptr) ++one->size;
        return status;
    }
    graze_status add_triangles() {
        const Part p = part();
        Coordinates positions(dice_, p.vertices, 1);
        return add_mesh([&](graze_world world, std::uint32_t* number) {
            return graze_world_add_mesh(world, positions.get(), or_null(p.faces.data()),
                                        too_many_or(p.faces.size() / 3), or_null(p.marks.data()),
                                        p.marks.size(), number);
        });
    }
    graze_status add_solid(int kind) {
        const graze_face_marks marks{3, 1, static_cast<std::int32_t>(dice_.below(2))};
        const graze_face_marks* const given = dice_.one_in(2) ? &marks : nullptr;
        const double lengths[3] = {dice_.number(0.5), dice_.number(0.25), dice_.number(0.75)};
        return add_mesh([&](graze_world world, std::uint32_t* number) {
            if (kind == 0) return graze_world_add_sphere(world, lengths[0], given, number);
            if (kind == 1)
                return graze_world_add_capsule(world, lengths[0], lengths[1], given, number);
            return graze_world_add_box(world, or_null(lengths), given, number);
        });
    }
    // Numbers that disagree are found before a height or a mark is read.
    graze_status add_height_field() {
        const auto columns = static_cast<std::uint32_t>(2 + dice_.below(4));
        const auto rows = static_cast<std::uint32_t>(2 + dice_.below(4));
        std::vector<double> heights(std::size_t{columns} * rows);
        for (double& h : heights)
            h = dice_.one_in(8) ? dice_.odd_number() : dice_.coordinate();
        if (dice_.one_in(3)) std::fill(heights.begin(), heights.end(), 0.25);
        graze_height_field field{columns,
                                 rows,
                                 {dice_.number(0.5), dice_.number(1)},
                                 or_null(heights.data()),
                                 heights.size(),
                                 enum_or_wrong(2),
                                 0};
        if (dice_.wrong())
            field.height_count = dice_.wrong_count(heights.size());
        else if (dice_.wrong())
            field.columns = 0;
        const std::uint64_t faces = std::uint64_t{2} * (columns - 1) * (rows - 1);
        const std::vector<graze_face_marks> marks(faces, graze_face_marks{1, 1, 0});
        const std::uint64_t counts[] = {0, 1, faces};
        const std::uint64_t count =
            dice_.wrong() ? (std::uint64_t{1} << 31) : counts[dice_.below(3)];
        return add_mesh([&](graze_world world, std::uint32_t* number) {
            return graze_world_add_height_field(world, or_null(&field), or_null(marks.data()),
                                                count, number);
        });
    }
    graze_status add_world_part() {
        const Handles::One world = pick(worlds_);
        if (world.parts.size() > 12) return destroy_world();  // or all moves grow slow
        const graze_pose at = pose();
        const auto mesh =
            dice_.wrong()
                ? static_cast<std::uint32_t>(dice_.bits())
                : static_cast<std::uint32_t>(dice_.below(std::max<std::uint64_t>(world.size, 1)));
        std::uint32_t number = 0;
        const graze_status status =
            graze_world_add_part({world.id}, mesh, or_null(&at), ~0U, or_null(&number));
        if (Handles::One* one = status == GRAZE_OK ? living_world(world.id) : nullptr)
            one->parts.push_back(mesh);
        return status;
    }
    graze_status remove_part() {
        const Handles::One world = pick(worlds_);
        return graze_world_remove_part({world.id}, part_number(world));
    }
    graze_status set_layers() {
        const Handles::One world = pick(worlds_);
        return graze_world_set_layers({world.id}, part_number(world), dice_.one_in(8) ? 2 : ~0U);
    }
    graze_status move_world_part() {
        const Handles::One world = pick(worlds_);
        const graze_pose to = pose();
        const std::vector<double> pivot = numbers(3);
        return graze_world_move_part({world.id}, part_number(world), or_null(&to),
                                     dice_.one_in(2) ? pivot.data() : nullptr);
    }
    graze_status place_part() {
        const Handles::One world = pick(worlds_);
        const graze_pose to = pose();
        return graze_world_place_part({world.id}, part_number(world), or_null(&to));
    }
    graze_status part_pose() {
        const Handles::One world = pick(worlds_);
        graze_pose found;
        return graze_world_part_pose({world.id}, part_number(world), or_null(&found));
    }
    graze_status world_counts() {
        std::uint64_t a = 0;
        std::uint64_t b = 0;
        return graze_world_counts({pick(worlds_).id}, or_null(&a), or_null(&b));
    }
    graze_status world_query() {
        switch (dice_.below(7)) {
            case 0:
                return move(worlds_, &graze_world_climb);
            case 1:
                return snap(worlds_, &graze_world_snap);
            case 2:
                return sweep(worlds_, &graze_world_sweep);
            case 3:
                return gap(worlds_, &graze_world_gap);
            case 4:
                return overlap(worlds_, &graze_world_overlap);
            case 5:
                return ray(worlds_, &graze_world_ray);
            default:
                return nearest(worlds_, &graze_world_nearest);
        }
    }
    graze_status ride() {
        const graze_mover by = mover();
        const std::vector<double> start = numbers(3);
        const Handles::One world = pick(worlds_);
        graze_ride result{};
        graze_ride* const out = or_null(&result);
        const graze_status status =
            graze_world_ride({world.id}, or_null(&by), or_null(start.data()),
                             dice_.one_in(2) ? GRAZE_NO_PART : part_number(world), out);
        claims_ = out != nullptr && result.time > 0.0;
        return status;
    }

    // --- characters
    graze_status character_create() {
        if (characters_.living.size() > 6) return destroy_character();
        graze_character_options options{};
        (void)graze_character_options_init(&options, sizeof options);
        options.step_height = dice_.number(0.25);
        options.snap_distance = dice_.number(0.0);
        options.skin = dice_.number(0.0);
        options.stops_at_ledges = static_cast<std::int32_t>(dice_.below(2));
        if (dice_.wrong()) options.up[1] = dice_.odd_number();
        if (dice_.wrong()) options.size = dice_.below(2 * sizeof options);
        const std::vector<double> feet = numbers(3);
        graze_character character{77};
        graze_character* const out = or_null(&character);
        const graze_status status =
            graze_character_create(enum_or_wrong(2), dice_.number(0.25), dice_.number(1.0),
                                   or_null(feet.data()), dice_.one_in(4) ? nullptr : &options, out);
        if (out != nullptr) born(characters_, character.id, 0);
        return status;
    }
    graze_status destroy_character() {
        function_ = 62;
        return destroy(characters_, [](std::uint64_t id) { return graze_character_destroy({id}); });
    }
    graze_status character_move() {
        const std::vector<double> along = numbers(3);
        graze_character_frame frame{};
        graze_character_frame* const out = or_null(&frame);
        const graze_status status = graze_character_move({pick(characters_).id}, {pick(worlds_).id},
                                                         or_null(along.data()), out);
        claims_ = out != nullptr && (frame.gap_proved != 0 || frame.ride_time > 0.0);
        return status;
    }
    graze_status change_body() {
        std::int32_t changed = 1;
        std::int32_t* const out = or_null(&changed);
        const graze_status status =
            graze_character_change_body({pick(characters_).id}, {pick(worlds_).id},
                                        dice_.number(0.25), dice_.number(0.75), out);
        claims_ = out != nullptr && changed != 0;
        return status;
    }
    graze_status teleport_or_state() {
        std::vector<double> feet = numbers(3);
        if (dice_.one_in(2))
            return graze_character_teleport({pick(characters_).id}, or_null(feet.data()));
        double centre[3];
        std::int32_t on_ground = 0;
        return graze_character_state({pick(characters_).id}, or_null(feet.data()), or_null(centre),
                                     or_null(&on_ground));
    }

    graze_status make_call() {
        switch (function_) {
            case 0:
                return init(&graze_query_options_init);
            case 1:
                return ccd();
            case 2:
                return ccd_batch();
            case 3:
                return distance_lower();
            case 4:
                return contact_point();
            case 5:
                return mesh_create();
            case 6:
                return destroy_mesh();
            case 7:
                return mesh_counts();
            case 8:
                return mesh_edges();
            case 9:
                return init(&graze_step_options_init);
            case 10:
                return first_impact();
            case 11:
                return all_impacts();
            case 12:
                return kept_impacts();
            case 13:
                return safe_step();
            case 14:
                return init(&graze_line_search_options_init);
            case 15:
                return line_search();
            case 16:
                return free_radii();
            case 17:
                return free_fractions();
            case 18:
                return intersections();
            case 19:
                return clearance();
            case 20:
                return body_create();
            case 21:
                return destroy_body();
            case 22:
                return body_inspect();
            case 23:
                return init(&graze_rigid_options_init);
            case 24:
                return rigid_first_impact();
            case 25:
                return rigid_all_collisions();
            case 26:
                return rigid_start_state();
            case 27:
                return rigid_distance();
            case 28:
                return level_create();
            case 29:
                return destroy_level();
            case 30:
                return add_part();
            case 31:
                return replace_part();
            case 32:
                return move_part();
            case 33:
                return level_counts();
            case 34:
                return init(&graze_mover_init);
            case 35:
                return move(levels_, &graze_level_slide);
            case 36:
                return move(levels_, &graze_level_climb);
            case 37:
                return snap(levels_, &graze_level_snap);
            case 38:
                return sweep(levels_, &graze_level_sweep);
            case 39:
                return gap(levels_, &graze_level_gap);
            case 40:
                return overlap(levels_, &graze_level_overlap);
            case 41:
                return ray(levels_, &graze_level_ray);
            case 42:
                return nearest(levels_, &graze_level_nearest);
            case 43:
                return world_create();
            case 44:
                return destroy_world();
            case 45:
                return add_triangles();
            case 46:
                return add_solid(0);
            case 47:
                return add_solid(1);
            case 48:
                return add_solid(2);
            case 49:
                return add_height_field();
            case 50:
                return add_world_part();
            case 51:
                return remove_part();
            case 52:
                return set_layers();
            case 53:
                return move_world_part();
            case 54:
                return place_part();
            case 55:
                return graze_world_update({pick(worlds_).id});
            case 56:
                return part_pose();
            case 57:
                return world_counts();
            case 58:
                return move(worlds_, &graze_world_slide);
            case 59:
                return world_query();
            case 60:
                return ride();
            case 61:
                return character_create();
            case 62:
                return destroy_character();
            case 63:
                return character_move();
            case 64:
                return change_body();
            default:
                return dice_.one_in(4) ? init(&graze_character_options_init) : teleport_or_state();
        }
    }

    Dice dice_;
    CallCounts counts_;
    Handles meshes_;
    Handles bodies_;
    Handles levels_;
    Handles worlds_;
    Handles characters_;
    CallbackState state_;
    std::vector<double> radii_;
    std::vector<std::uint32_t> bodies_of_;
    std::vector<std::uint8_t> fixed_;
    std::vector<std::uint32_t> layers_;
    std::vector<std::uint32_t> mask_;
    int function_ = 0;
    bool claims_ = false;  // the output holds what is only right beside GRAZE_OK
};

}  // namespace

CallCounts call_at_random(std::uint64_t calls, std::uint64_t seed) {
    Caller caller{Dice(seed)};
    for (std::uint64_t i = 0; i < calls; ++i)
        caller.call();
    return caller.counts();
}

CallCounts call_by_bytes(std::span<const std::uint8_t> bytes) {
    Caller caller{Dice(bytes)};
    while (!caller.is_done())
        caller.call();
    return caller.counts();
}

}  // namespace graze::capi_test

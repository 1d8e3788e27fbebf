// The planes that hold a ball at a position: half-spaces, one for each triangle near it that needs
// one.
//
// A triangle lies on one side of every plane through its highest vertex along a direction n. A ball
// whose centre stays in { y : n.(y - c) >= offset } keeps the distance `offset` from the plane
// through c, and at least the hard radius from each triangle that rises over that plane by no more
// than offset - hard: such a triangle is covered, and needs no plane of its own. With the centre at
// the rest radius above flat ground, all triangles of the ground are covered by the plane of the
// one below the centre, whatever their edges, and though they may not quite meet: nothing to snag
// on. Derivation: docs/derivations/slide_mover.md, SM-1 to SM-3.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <span>

#include "slide/near_list.hpp"
#include "slide/plane_set.hpp"
#include "slide/separation.hpp"

namespace graze::slide {

// Distances of a centre from the level, in the frame, each below the next.
struct Offsets {
    double hard = 0.0;      // what is promised: the ball and the skin
    double kept = 0.0;      // proved after every move: so that the next one can prove `hard` again
    double settled = 0.0;   // nearer than this, a ball is moved back to rest
    double rest = 0.0;      // where it slides and rests
    double contact = 0.0;   // farther than this, a plane has been left
    double witness = 0.0;   // farther than this, a triangle says nothing of the ground
    double step = 0.0;      // [length in the frame] ground that differs by this in height is one
    double skin = 0.0;      // [length in the frame]
    double rounding = 0.0;  // at most what rounding a position takes from a distance
};

struct NearContact {
    const NearTriangle* triangle = nullptr;
    Direction direction;  // from the triangle to the centre
    Vec3 normal;          // the same, of unit length
    double distance = 0.0;

    [[nodiscard]] NearFace face() const noexcept {
        return {triangle->part, triangle->face, triangle->tag, false};
    }
};

struct ContactPlane {
    NearFace face;
    Direction direction;  // of the contact that it stands for
    Vec3 normal;          // unit length
    Vec3 point;
    double offset = 0.0;  // that the centre keeps: normal . (centre - point) >= offset
    double least = 0.0;   // offset less the height of the centre: > 0 where it is to be lifted
    bool of_face = false;
    const NearContact* contact = nullptr;  // that it stands for, as long as that is remembered
};

// The triangles within a distance: of too many the nearest. Memory without initial values: most of
// it is never used.
class NearSet {
public:
    static constexpr int kMost = 24;

    NearSet() noexcept {}  // NOLINT(modernize-use-equals-default): a default one would clear all
    void clear() noexcept {
        count_ = 0;
        smallest_ = HUGE_VAL;
    }
    // Null where there is no room.
    [[nodiscard]] const NearContact* remember(const NearContact& near, bool keeps) noexcept {
        if (count_ == kMost) return nullptr;
        add(near, keeps);
        return &near_[static_cast<std::size_t>(count_ - 1)];
    }
    // `keeps`: does the triangle stay where it is until the set is cleared?
    void add(const NearContact& near, bool keeps) noexcept {
        add(*near.triangle, near.direction, near.normal, near.distance, keeps);
    }
    // The same, made where it stays: to copy what was written just before stalls the processor.
    [[gnu::always_inline]] void add(const NearTriangle& triangle, const Direction& direction,
                                    const Vec3& normal, double distance, bool keeps) noexcept {
        smallest_ = std::min(smallest_, distance);
        const std::size_t slot =
            count_ < kMost ? static_cast<std::size_t>(count_++) : slot_of_farther(distance);
        if (slot == kMost) return;
        ::new (&near_[slot]) NearContact{&triangle, direction, normal, distance};
        if (!keeps) [[unlikely]]
            keep_copy(slot);
    }
    [[nodiscard]] std::span<const NearContact> all() const noexcept {
        return {near_.data(), static_cast<std::size_t>(count_)};
    }
    // Proved lower bound of the distances of all that were added.
    [[nodiscard]] double smallest() const noexcept { return smallest_; }
    // First faces, then edges and vertices; the nearer ones first.
    void sort() noexcept;

private:
    // That of the farthest, if it is farther than this; else kMost.
    [[nodiscard]] std::size_t slot_of_farther(double distance) const noexcept;
    void keep_copy(std::size_t slot) noexcept;

    union {
        std::array<NearContact, kMost> near_;
    };
    union {
        std::array<NearTriangle, kMost> copies_;
    };
    int count_ = 0;
    double smallest_ = HUGE_VAL;
};

class ContactPlanes {
public:
    ContactPlanes() noexcept {}  // NOLINT(modernize-use-equals-default)
    ContactPlanes(const ContactPlanes&) = delete;
    ContactPlanes& operator=(const ContactPlanes&) = delete;
    void clear() noexcept { count_ = 0; }
    // Planes for all contacts, but for edges and vertices of which only the ground around them can
    // tell whether they are obstacles: true where there are some.
    // Requires: `near` sorted.
    [[nodiscard]] bool add_all(const NearSet& near, const Vec3& centre,
                               const Offsets& offsets) noexcept;
    // Planes for those, with all triangles within the witness distance.
    void add_doubtful(const NearSet& near, const NearSet& witnesses, const Vec3& centre,
                      const Offsets& offsets) noexcept;
    // Unless there are kMostPlanes already.
    void add(const ContactPlane& plane) noexcept {
        add_made([&] { return plane; });
    }
    // What make() returns, made where it stays.
    template <class Make>
    void add_made(const Make& make) noexcept {
        if (count_ < kMostPlanes)
            ::new (&planes_[static_cast<std::size_t>(count_++)]) ContactPlane(make());
    }
    [[nodiscard]] std::span<const ContactPlane> all() const noexcept {
        return {planes_.data(), static_cast<std::size_t>(count_)};
    }
    [[nodiscard]] const ContactPlane& operator[](int i) const noexcept {
        return planes_[static_cast<std::size_t>(i)];
    }

private:
    union {
        std::array<ContactPlane, kMostPlanes> planes_;
    };
    int count_ = 0;
};

// How far the triangle rises over the plane through plane.point.
[[nodiscard]] double height_over(const ContactPlane& plane, const NearTriangle& t) noexcept;

// The side of a face that the centre is on.
struct Ground {
    Vec3 normal;
    double height = 0.0;  // of the centre
};
// None for thin triangles and round obstacles.
[[nodiscard]] std::optional<Ground> ground_below(const NearTriangle& t,
                                                 const Vec3& centre) noexcept;

// Does the ground go on where the edge or vertex ends? It does where there is ground below the
// centre, or on its other side (the ball is then over a crack), at nearly the same height.
[[nodiscard]] bool goes_on(const Direction& edge, const Vec3& normal, const NearSet& witnesses,
                           const Vec3& centre, const Offsets& offsets) noexcept;

}  // namespace graze::slide

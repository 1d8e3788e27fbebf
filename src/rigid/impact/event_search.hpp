// All crossings of features of two bodies in a step (RI-7): candidates by slabs of time, then
// roots.
#pragma once

#include <cstdint>
#include <vector>

#include "graze/rigid/impact.hpp"
#include "rigid/impact/crossing.hpp"
#include "rigid/impact/slab.hpp"

namespace graze::rigid::detail {

class EventSearch {
public:
    EventSearch(const RigidBody& a, const RigidBody& b, const ImpactOptions& options,
                const RelativeMotion& motion)
        : a_(tree_of(a)), b_(tree_of(b)), options_(options), motion_(motion), stop_(options.stop) {}

    // May throw std::bad_alloc.
    [[nodiscard]] AllImpacts run(double min_properness);

private:
    struct Pair {
        std::uint32_t a;  // nodes
        std::uint32_t b;
    };
    // Features that may meet in [from, to]. For a vertex and a piece: vertex and piece; for edges:
    // edges of the polyhedra.
    struct Candidate {
        ContactType type;
        std::uint32_t a;
        std::uint32_t b;
        double from;
        double to;
    };

    [[nodiscard]] bool is_spent() noexcept;
    void divide(const Frame& first, const Frame& last, const std::vector<Pair>& pairs);
    [[nodiscard]] bool descend(const Slab& slab, const std::vector<Pair>& pairs,
                               std::vector<Pair>& left);
    [[nodiscard]] bool have_ridges(const Piece& a, const Piece& b) const noexcept;
    void add_candidates(const Piece& a, std::uint32_t index_a, const Piece& b,
                        std::uint32_t index_b, double from, double to);
    void join_windows();
    void resolve(const Candidate& candidate, double min_properness);
    [[nodiscard]] Crossing features_of(const Candidate& candidate) const noexcept;
    [[nodiscard]] Contact contact_at(const Candidate& candidate, const Crossing& features,
                                     double t) const noexcept;
    void set_edge_contact(const Crossing& features, const Frame& frame,
                          Contact& result) const noexcept;
    [[nodiscard]] bool is_end_of_overlap(const Contact& contact) const noexcept;

    const BodyTree& a_;
    const BodyTree& b_;
    const ImpactOptions& options_;
    const RelativeMotion& motion_;
    std::vector<Candidate> candidates_;
    AllImpacts result_;
    StopPoll stop_;
};

}  // namespace graze::rigid::detail

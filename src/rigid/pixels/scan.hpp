// Steps four to six (Buss 2005, section 9): pixels in order, and which features share one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graze/core/stop.hpp"
#include "rigid/pixels/records.hpp"

namespace graze::rigid::pixels {

// Where and when two features share a pixel, by their records.
struct Meeting {
    double time = 0.0;  // [fraction of the step]
    double t_a = 0.0;   // the screen's time of A's feature
    std::int32_t row = 0;
    std::int32_t h = 0;
};

// The hash table of step six: the earliest meeting of each pair of features.
class PairTable {
public:
    struct Entry {
        std::uint32_t a = 0;
        std::uint32_t b = 0;
        Meeting meeting;
    };
    void clear();
    // False where the pair is known already.
    bool add(std::uint32_t a, std::uint32_t b, const Meeting& meeting);
    // In the order of their first finds.
    [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }

private:
    [[nodiscard]] std::size_t slot_of(std::uint32_t a, std::uint32_t b) const noexcept;
    void grow();
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> slots_;  // 1 + index of an entry; 0: free. A power of two of them.
};

// Step five: a vertex of one body whose pixel lies in the interior of a face of the other.
struct VertexInFace {
    std::uint32_t vertex = 0;
    std::uint32_t face = 0;
    bool vertex_of_a = true;
    double time = 0.0;  // by the record at which the face was entered: where Newton's method begins
    bool is_on_fold = false;  // the time is that of the pixel: the face is seen edge-on
};

struct Scan {
    RowRange rows;
    std::size_t most_pairs = 0;  // what comes after these is left out
    std::vector<VertexInFace> in_faces;
    PairTable edges;          // two edges
    PairTable vertex_edges;   // a vertex of A, an edge of B
    PairTable edge_vertices;  // an edge of A, a vertex of B
    PairTable vertices;       // two vertices
    std::size_t compared = 0;

    // Buffers.
    std::vector<std::uint32_t> fold_of;     // by face: 1 + the record of its fold that began last
    std::vector<std::int32_t> entries_of;   // by face: how often it is entered
    std::vector<std::int32_t> boundary_of;  // by face: records of its edges at the height at hand
    std::vector<double> entry_time;         // by face: the screen's time where it was entered
    std::vector<std::uint32_t> entered;     // the faces with entries
    std::vector<std::uint32_t> open_a;      // records that reach the height at hand
    std::vector<std::uint32_t> open_b;

    [[nodiscard]] std::size_t pairs() const noexcept {
        return in_faces.size() + edges.entries().size() + vertex_edges.entries().size() +
               edge_vertices.entries().size() + vertices.entries().size();
    }
};

// Step four: buckets by row, in each row by h_min, and a copy by h_max.
void sort_pixels(PixelBody& of, const RowRange& rows);
// Step five, for the vertices of `points` and the faces of `faces`.
void find_vertices_in_faces(const PixelBody& points, const PixelBody& faces, bool points_of_a,
                            Scan& scan, StopPoll& stop);
// Step six.
void find_crossings(const PixelBody& a, const PixelBody& b, Scan& scan, StopPoll& stop);

}  // namespace graze::rigid::pixels

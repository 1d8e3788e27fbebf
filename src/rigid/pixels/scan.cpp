#include "rigid/pixels/scan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

namespace graze::rigid::pixels {
namespace {

bool is_earlier(const Meeting& x, const Meeting& y) noexcept {
    if (x.time != y.time) return x.time < y.time;
    return x.row != y.row ? x.row < y.row : x.h < y.h;
}

// Keys row by row, in each row by height.
template <class Record, class Height>
void sort_by_height(const std::vector<Record>& records, const RowRange& rows, Height height,
                    std::vector<std::uint32_t>& ends, std::vector<HeightKey>& keys) {
    ends.assign(rows.count() + 1, 0);
    for (const Record& r : records)
        ++ends[static_cast<std::size_t>(r.row - rows.first) + 1];
    for (std::size_t i = 1; i < ends.size(); ++i)
        ends[i] += ends[i - 1];
    keys.resize(records.size());
    // From behind, so that what is at one height stays in the order of the records.
    for (std::size_t i = records.size(); i-- > 0;) {
        const auto row = static_cast<std::size_t>(records[i].row - rows.first);
        keys[--ends[row + 1]] = {height(records[i]), static_cast<std::uint32_t>(i)};
    }
    // Each end has become the beginning of its row.
    for (std::size_t i = 0; i + 1 < ends.size(); ++i)
        ends[i] = ends[i + 1];
    ends.back() = static_cast<std::uint32_t>(records.size());
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        std::sort(keys.begin() + ends[i], keys.begin() + ends[i + 1],
                  [](const HeightKey& x, const HeightKey& y) {
                      return x.h != y.h ? x.h < y.h : x.index < y.index;
                  });
    }
}

std::span<const HeightKey> row_of(const std::vector<HeightKey>& keys,
                                  const std::vector<std::uint32_t>& ends, std::size_t row) {
    return std::span(keys).subspan(ends[row], ends[row + 1] - ends[row]);
}

// The faces above and below a record in h, for the line between its row and the next: crossing it
// upwards the edge has the face on its left above it, as A is seen along the flow; B is seen from
// behind. A record that does not cross this line, or comes back over it, has none.
struct Sides {
    std::uint32_t above = kNoFace;
    std::uint32_t below = kNoFace;
    bool crosses = false;
};
Sides sides_of(const PixelRecord& r, double sign) noexcept {
    if (r.from_above == r.to_above) return {};
    const bool left_above = r.to_above == (sign < 0.0);
    return left_above ? Sides{r.left, r.right, true} : Sides{r.right, r.left, true};
}

struct PixelTime {
    double t = 0.0;
    double doubt = 0.0;  // half of the time duration of the pixel
};

// The time of a record at one of its pixels: it runs evenly from h_first to h_last.
PixelTime time_at(const PixelRecord& r, std::int32_t h) noexcept {
    const double duration = r.t_last - r.t_first;
    const auto rise = static_cast<double>(r.h_last - r.h_first);
    if (rise == 0.0) return {r.t_first + 0.5 * duration, 0.5 * std::fabs(duration)};
    const double pixels = std::fabs(rise) + 1.0;
    const double at = std::fabs(static_cast<double>(h - r.h_first)) + 0.5;
    const double share = std::min(at / pixels, 1.0);
    return {r.t_first + share * duration, 0.5 * std::fabs(duration) / pixels};
}

// The time of a meeting at a pixel, if it may be within the step for all that the pixel tells.
std::optional<double> time_of(const PixelTime& a, const PixelTime& b) noexcept {
    const double time = a.t - b.t;
    const double doubt = a.doubt + b.doubt;
    if (!(time + doubt >= 0.0) || !(time - doubt <= 1.0)) return std::nullopt;
    return std::clamp(time, 0.0, 1.0);
}

bool is_over(const Scan& scan, StopPoll& stop) noexcept {
    return scan.pairs() > scan.most_pairs || stop();
}

class FaceScan {
public:
    FaceScan(const PixelBody& points, const PixelBody& faces, bool points_of_a, Scan& scan,
             StopPoll& stop)
        : points_(points), faces_(faces), points_of_a_(points_of_a), scan_(scan), stop_(stop) {
        scan.entries_of.assign(faces.body.faces.size(), 0);
        scan.boundary_of.assign(faces.body.faces.size(), 0);
        scan.fold_of.assign(faces.body.faces.size(), 0);
        scan.entry_time.resize(faces.body.faces.size());
        scan.entered.clear();
    }

    // At one height faces are entered first and left last.
    void scan_row(std::size_t row) {
        const auto points = row_of(points_.vertices_by_h, points_.vertex_row_ends, row);
        if (points.empty()) return;
        const auto enter = row_of(faces_.by_min, faces_.row_ends, row);
        const auto leave = row_of(faces_.by_max, faces_.row_ends, row);
        std::size_t next_enter = 0;
        std::size_t next_leave = 0;
        for (const HeightKey& p : points) {
            if (is_over(scan_, stop_)) break;
            while (next_enter < enter.size() && enter[next_enter].h <= p.h)
                begin(enter[next_enter++].index);
            while (next_leave < leave.size() && leave[next_leave].h < p.h)
                end(faces_.records[leave[next_leave++].index]);
            report(points_.vertices[p.index]);
        }
        for (const std::uint32_t f : scan_.entered)
            scan_.entries_of[f] = 0;
        scan_.entered.clear();
        for (std::size_t i = 0; i < next_enter; ++i) {
            for (const std::uint32_t f : faces_at(faces_.records[enter[i].index]))
                if (f != kNoFace) forget(f);
        }
    }

private:
    void forget(std::uint32_t face) {
        scan_.boundary_of[face] = 0;
        scan_.fold_of[face] = 0;
    }
    static std::array<std::uint32_t, 2> faces_at(const PixelRecord& r) noexcept {
        return {r.left, r.right};
    }
    // How many records of its edges a face has at the height at hand.
    void count_boundary(const PixelRecord& r, std::int32_t by) {
        if (r.is_virtual()) return;
        for (const std::uint32_t f : faces_at(r))
            if (f != kNoFace) scan_.boundary_of[f] += by;
    }
    void begin(std::uint32_t index) {
        const PixelRecord& r = faces_.records[index];
        count_boundary(r, 1);
        // A fold has its face on the left.
        if (r.is_fold) scan_.fold_of[r.left] = index + 1;
        const Sides sides = sides_of(r, faces_.body.sign);
        if (sides.crosses) return enter(sides.above, r);
        enter(r.left, r);
        enter(r.right, r);
    }
    void end(const PixelRecord& r) {
        count_boundary(r, -1);
        const Sides sides = sides_of(r, faces_.body.sign);
        if (sides.crosses) return leave(sides.below);
        leave(r.left);
        leave(r.right);
    }
    void enter(std::uint32_t face, const PixelRecord& r) {
        if (face == kNoFace) return;
        if (scan_.entries_of[face]++ > 0) return;
        scan_.entry_time[face] = 0.5 * (r.t_first + r.t_last);
        scan_.entered.push_back(face);
    }
    void leave(std::uint32_t face) {
        if (face == kNoFace || scan_.entries_of[face] == 0) return;
        if (--scan_.entries_of[face] > 0) return;
        auto at = std::find(scan_.entered.begin(), scan_.entered.end(), face);
        *at = scan_.entered.back();
        scan_.entered.pop_back();
    }
    void report(const VertexPixel& p) {
        scan_.compared += scan_.entered.size();
        for (const std::uint32_t f : scan_.entered) {
            // On an edge of the face step six finds the vertex (RP-5).
            if (scan_.boundary_of[f] > 0) continue;
            if (const std::uint32_t fold = scan_.fold_of[f]; fold > 0) {
                const PixelRecord& r = faces_.records[fold - 1];
                if (r.h_max >= p.h) {
                    report_on_fold(p, f, time_at(r, p.h));
                    continue;
                }
            }
            const double t = scan_.entry_time[f];
            const double guess = points_of_a_ ? p.t - t : t - p.t;
            scan_.in_faces.push_back(
                {p.vertex, f, points_of_a_, std::clamp(guess, 0.0, 1.0), false});
        }
    }
    // There the plane of the face is met many pixels away from it, if at all (RP-5).
    void report_on_fold(const VertexPixel& p, std::uint32_t face, const PixelTime& at) {
        const PixelTime here{p.t, 0.0};
        const auto time = points_of_a_ ? time_of(here, at) : time_of(at, here);
        if (time) scan_.in_faces.push_back({p.vertex, face, points_of_a_, *time, true});
    }

    const PixelBody& points_;
    const PixelBody& faces_;
    bool points_of_a_;
    Scan& scan_;
    StopPoll& stop_;
};

class CrossingScan {
public:
    CrossingScan(const PixelBody& a, const PixelBody& b, Scan& scan, StopPoll& stop)
        : a_(a), b_(b), scan_(scan), stop_(stop) {}

    // Records of either body in the order of h_min, each against those of the other body that have
    // begun and not ended.
    void scan_row(std::size_t row) {
        const auto of_a = row_of(a_.by_min, a_.row_ends, row);
        const auto of_b = row_of(b_.by_min, b_.row_ends, row);
        if (of_a.empty() || of_b.empty()) return;
        scan_.open_a.clear();
        scan_.open_b.clear();
        std::size_t i = 0;
        std::size_t j = 0;
        while ((i < of_a.size() || j < of_b.size()) && !is_over(scan_, stop_)) {
            const bool take_a = j == of_b.size() || (i < of_a.size() && of_a[i].h <= of_b[j].h);
            const std::uint32_t index = take_a ? of_a[i++].index : of_b[j++].index;
            const PixelRecord& r = take_a ? a_.records[index] : b_.records[index];
            // Virtual edges are never part of a collision.
            if (r.is_virtual()) continue;
            if (take_a) {
                compare_open(r.h_min, scan_.open_b, b_.records,
                             [&](const PixelRecord& other) { compare(r, other); });
                scan_.open_a.push_back(index);
            } else {
                compare_open(r.h_min, scan_.open_a, a_.records,
                             [&](const PixelRecord& other) { compare(other, r); });
                scan_.open_b.push_back(index);
            }
        }
    }

private:
    template <class Compare>
    void compare_open(std::int32_t h, std::vector<std::uint32_t>& open,
                      const std::vector<PixelRecord>& records, Compare compare) {
        std::size_t kept = 0;
        for (const std::uint32_t i : open) {
            if (records[i].h_max < h) continue;
            open[kept++] = i;
            compare(records[i]);
        }
        open.resize(kept);
        scan_.compared += kept;
    }

    // The ends of an edge that lie in the row, at most two.
    struct Ends {
        std::array<std::int32_t, 2> h{};
        std::array<std::uint32_t, 2> vertex{};
        std::array<double, 2> t{};
        std::size_t count = 0;
        void add(std::int32_t at, std::uint32_t v, double time) {
            h[count] = at;
            t[count] = time;
            vertex[count++] = v;
        }
        // Of a vertex it is known; an edge along the flow has a long duration in one pixel.
        [[nodiscard]] PixelTime time(std::size_t i) const noexcept { return {t[i], 0.0}; }
        [[nodiscard]] bool has(std::int32_t at) const noexcept {
            for (std::size_t i = 0; i < count; ++i)
                if (h[i] == at) return true;
            return false;
        }
    };
    static Ends ends_of(const PixelRecord& r, const Body& body, std::int32_t low,
                        std::int32_t high) {
        Ends ends;
        if (r.from_vertex && r.h_first >= low && r.h_first <= high)
            ends.add(r.h_first, body.edge(r.edge).from, r.t_first);
        if (r.to_vertex && r.h_last >= low && r.h_last <= high)
            ends.add(r.h_last, body.edge(r.edge).to, r.t_last);
        return ends;
    }

    void compare(const PixelRecord& a, const PixelRecord& b) {
        std::int32_t low = std::max(a.h_min, b.h_min);
        std::int32_t high = std::min(a.h_max, b.h_max);
        const Ends ends_a = ends_of(a, a_.body, low, high);
        const Ends ends_b = ends_of(b, b_.body, low, high);
        for (std::size_t i = 0; i < ends_a.count; ++i) {
            const Pixel at{a.row, ends_a.h[i]};
            for (std::size_t j = 0; j < ends_b.count; ++j) {
                if (ends_b.h[j] == at.h)
                    add(scan_.vertices, {ends_a.vertex[i], ends_b.vertex[j]}, ends_a.time(i),
                        ends_b.time(j), at);
            }
            if (!ends_b.has(at.h))
                add(scan_.vertex_edges, {ends_a.vertex[i], b.edge}, ends_a.time(i),
                    time_at(b, at.h), at);
        }
        for (std::size_t j = 0; j < ends_b.count; ++j) {
            const Pixel at{a.row, ends_b.h[j]};
            if (!ends_a.has(at.h))
                add(scan_.edge_vertices, {a.edge, ends_b.vertex[j]}, time_at(a, at.h),
                    ends_b.time(j), at);
        }
        // Times run evenly along both, so that the earliest pixel is at an end of the overlap.
        while (low <= high && (ends_a.has(low) || ends_b.has(low)))
            ++low;
        while (low <= high && (ends_a.has(high) || ends_b.has(high)))
            --high;
        if (low > high) return;
        for (const std::int32_t h : {low, high})
            add(scan_.edges, {a.edge, b.edge}, time_at(a, h), time_at(b, h), {a.row, h});
    }

    struct Pixel {
        std::int32_t row = 0;
        std::int32_t h = 0;
    };
    struct FeaturePair {
        std::uint32_t a = 0;
        std::uint32_t b = 0;
    };
    // Dropped where the time is not in [0, 1], whatever it is within the pixel.
    static void add(PairTable& table, const FeaturePair& pair, const PixelTime& t_a,
                    const PixelTime& t_b, const Pixel& at) {
        if (const auto time = time_of(t_a, t_b))
            table.add(pair.a, pair.b, {*time, t_a.t, at.row, at.h});
    }

    const PixelBody& a_;
    const PixelBody& b_;
    Scan& scan_;
    StopPoll& stop_;
};

// Rows one by one, until there are too many pairs or a stop is asked for.
template <class RowScan>
void scan_rows(RowScan& each, Scan& scan, StopPoll& stop) {
    for (std::size_t row = 0; row < scan.rows.count() && !is_over(scan, stop); ++row)
        each.scan_row(row);
}

}  // namespace

void PairTable::clear() {
    // A table that was far too large this time begins small again, so that one large step does not
    // make all later ones slow.
    if (16 * entries_.size() < slots_.size())
        slots_.resize(std::min<std::size_t>(64, slots_.size()));
    std::fill(slots_.begin(), slots_.end(), 0U);
    entries_.clear();
}

std::size_t PairTable::slot_of(std::uint32_t a, std::uint32_t b) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t key = (static_cast<std::uint64_t>(a) << 32U) | b;
    // Fibonacci hashing: the golden ratio of 2^64, and the upper bits.
    std::size_t slot = static_cast<std::size_t>((key * 0x9e37'79b9'7f4a'7c15ULL) >> 32U) & mask;
    while (slots_[slot] != 0) {
        const Entry& e = entries_[slots_[slot] - 1];
        if (e.a == a && e.b == b) break;
        slot = (slot + 1) & mask;
    }
    return slot;
}

void PairTable::grow() {
    slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), 0);
    for (std::size_t i = 0; i < entries_.size(); ++i)
        slots_[slot_of(entries_[i].a, entries_[i].b)] = static_cast<std::uint32_t>(i) + 1;
}

bool PairTable::add(std::uint32_t a, std::uint32_t b, const Meeting& meeting) {
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    const std::size_t slot = slot_of(a, b);
    if (slots_[slot] == 0) {
        entries_.push_back({a, b, meeting});
        slots_[slot] = static_cast<std::uint32_t>(entries_.size());
        return true;
    }
    Meeting& known = entries_[slots_[slot] - 1].meeting;
    if (is_earlier(meeting, known)) known = meeting;
    return false;
}

void sort_pixels(PixelBody& of, const RowRange& rows) {
    sort_by_height(
        of.records, rows, [](const PixelRecord& r) { return r.h_min; }, of.row_ends, of.by_min);
    sort_by_height(
        of.records, rows, [](const PixelRecord& r) { return r.h_max; }, of.row_ends, of.by_max);
    sort_by_height(
        of.vertices, rows, [](const VertexPixel& v) { return v.h; }, of.vertex_row_ends,
        of.vertices_by_h);
}

void find_vertices_in_faces(const PixelBody& points, const PixelBody& faces, bool points_of_a,
                            Scan& scan, StopPoll& stop) {
    FaceScan each(points, faces, points_of_a, scan, stop);
    scan_rows(each, scan, stop);
}

void find_crossings(const PixelBody& a, const PixelBody& b, Scan& scan, StopPoll& stop) {
    CrossingScan each(a, b, scan, stop);
    scan_rows(each, scan, stop);
}

}  // namespace graze::rigid::pixels

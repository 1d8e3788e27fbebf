#include "mesh_view.hpp"

namespace graze::app {
namespace {

// More candidates than this are no picture.
constexpr std::uint64_t kMostCandidates = 200'000;

// Pairs by columns.
struct PairColumns {
    std::vector<std::uint8_t> kind;
    std::vector<std::uint32_t> a;
    std::vector<std::uint32_t> b;

    void add(std::uint8_t of_kind, std::uint32_t first, std::uint32_t second) {
        kind.push_back(of_kind);
        a.push_back(first);
        b.push_back(second);
    }
    [[nodiscard]] ViewObject object() const {
        ViewObject pairs;
        pairs.add_list("kind", std::span<const std::uint8_t>(kind));
        pairs.add_list("a", std::span<const std::uint32_t>(a));
        pairs.add_list("b", std::span<const std::uint32_t>(b));
        return pairs;
    }
};

ViewObject impacts_object(const std::vector<io::RecordedImpact>& impacts) {
    PairColumns pairs;
    std::vector<double> lower;
    std::vector<double> upper;
    for (const io::RecordedImpact& impact : impacts) {
        pairs.add(static_cast<std::uint8_t>(impact.kind), impact.a, impact.b);
        lower.push_back(impact.result.toi_lower);
        upper.push_back(impact.result.toi_upper);
    }
    ViewObject object = pairs.object();
    object.add_list("toi_lower", std::span<const double>(lower));
    object.add_list("toi_upper", std::span<const double>(upper));
    return object;
}

void add_candidates(ViewObject& view, const Candidates* candidates) {
    if (candidates == nullptr || candidates->size() > kMostCandidates) {
        view.add("candidates", Json(nullptr));
        return;
    }
    PairColumns pairs;
    for (const QueryKind kind : kAllQueryKinds) {
        for (const IndexPair& pair : candidates->pairs(kind))
            pairs.add(static_cast<std::uint8_t>(kind), pair.first, pair.second);
    }
    view.add("candidates", pairs.object());
}

void add_intersections(ViewObject& view, const std::optional<std::vector<Intersection>>& found) {
    if (!found) {
        view.add("intersections", Json(nullptr));
        return;
    }
    PairColumns pairs;
    for (const Intersection& pair : *found)
        pairs.add(static_cast<std::uint8_t>(pair.kind), pair.a, pair.b);
    view.add("intersections", pairs.object());
}

}  // namespace

ViewObject mesh_view(std::string_view name, const ViewedStep& step) {
    ViewObject view("mesh", name);
    view.add_rows<3>("faces", step.mesh.faces);
    view.add_rows<2>("edges", step.mesh.edges);
    view.add_list("start", step.start);
    view.add_list("end", step.end);
    view.add("toi_lower", json_number(step.toi_lower));
    view.add("impacts", impacts_object(step.impacts));
    view.add("first", json_optional(step.first));
    if (step.bounds) {
        ViewObject bounds;
        bounds.add_list("radius", std::span<const double>(step.bounds->radius));
        bounds.add_list("fraction", std::span<const double>(step.bounds->fraction));
        view.add("bounds", bounds);
    } else {
        view.add("bounds", Json(nullptr));
    }
    view.add("options", options_json(step.options));
    add_intersections(view, step.intersections);
    add_candidates(view, step.candidates);
    return view;
}

void RunFrames::add(std::span<const Vec3> positions, Json statistics) {
    if (seen_++ % stride_ != 0) return;
    std::vector<float> coordinates;
    for (const Vec3& p : positions)
        for (const double value : {p.x, p.y, p.z})
            coordinates.push_back(static_cast<float>(value));
    bytes_ += sizeof(float) * coordinates.size();
    frames_.push_back({ViewObject::list_of(coordinates), std::move(statistics)});
    while (bytes_ > most_bytes_ && frames_.size() > 2)
        thin_out();
}

void RunFrames::thin_out() {
    std::vector<Frame> kept;
    for (std::size_t i = 0; i < frames_.size(); i += 2)
        kept.push_back(std::move(frames_[i]));
    bytes_ = bytes_ / frames_.size() * kept.size();
    frames_ = std::move(kept);
    stride_ *= 2;
}

ViewObject RunFrames::view() const {
    ViewObject view("sim", name_);
    view.add_rows<3>("faces", std::span<const FaceIndices>(faces_));
    std::vector<ViewObject> positions;
    Json statistics = Json::array();
    for (const Frame& frame : frames_) {
        positions.push_back(frame.positions);
        statistics.push_back(frame.statistics);
    }
    view.add("frames", positions);
    view.add("statistics", statistics);
    return view;
}

Json options_json(const CcdOptions& options) {
    return {{"min_separation", options.min_separation},
            {"norm", options.norm == Norm::Max ? "max" : "euclidean"},
            {"t_max", options.t_max},
            {"distance_tolerance", options.distance_tolerance},
            {"time_width", options.time_width},
            {"max_checks", options.max_checks}};
}

Json figures_json(const FrameFigures& figures) {
    const auto number = [](const std::optional<double>& value) {
        return value ? json_number(*value) : Json(nullptr);
    };
    return {{"frame", figures.frame},
            {"energy", number(figures.energy)},
            {"contacts", number(figures.contacts)},
            {"iterations", number(figures.iterations)},
            {"seconds", number(figures.seconds)},
            {"seconds_detection", number(figures.seconds_detection)}};
}

}  // namespace graze::app

#include "mesh_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graze/mesh/contact.hpp"
#include "pictures/scene_svg.hpp"

namespace graze::app {
namespace {

// By vertex: the smallest vertex that edges lead to.
std::vector<std::uint32_t> pieces_of(const MeshTopology& mesh) {
    std::vector<std::uint32_t> piece(mesh.vertex_count);
    std::iota(piece.begin(), piece.end(), 0U);
    const auto root = [&](std::uint32_t v) {
        while (piece[v] != v) {
            piece[v] = piece[piece[v]];
            v = piece[v];
        }
        return v;
    };
    for (const auto& [i, k] : mesh.edges) {
        const std::uint32_t a = root(i);
        const std::uint32_t b = root(k);
        piece[std::max(a, b)] = std::min(a, b);
    }
    for (std::uint32_t v = 0; v < piece.size(); ++v)
        piece[v] = root(v);
    return piece;
}

// The vertices of both sides of a pair.
struct PairVertices {
    std::vector<std::uint32_t> a;
    std::vector<std::uint32_t> b;
};

PairVertices vertices_of(const MeshTopology& mesh, const Impact& impact) {
    const auto list = [](const auto& indices) {
        return std::vector<std::uint32_t>(indices.begin(), indices.end());
    };
    switch (impact.kind) {
        case QueryKind::VertexFace:
            return {{impact.a}, list(mesh.faces[impact.b])};
        case QueryKind::EdgeEdge:
            return {list(mesh.edges[impact.a]), list(mesh.edges[impact.b])};
        case QueryKind::VertexVertex:
            return {{impact.a}, {impact.b}};
        case QueryKind::VertexEdge:
            break;
    }
    return {{impact.a}, list(mesh.edges[impact.b])};
}

// By face: when the first of its impacts may begin, infinity where it has none. A face takes part
// with its corners and sides.
std::vector<double> face_times(const MeshTopology& mesh, const std::vector<Impact>& impacts) {
    std::vector<double> by_vertex(mesh.vertex_count, kInfinity);
    std::vector<double> by_edge(mesh.edges.size(), kInfinity);
    std::vector<double> by_face(mesh.faces.size(), kInfinity);
    const auto lower = [](double& time, const Impact& impact) {
        time = std::min(time, impact.result.toi_lower);
    };
    for (const Impact& impact : impacts) {
        const bool is_edge_a = impact.kind == QueryKind::EdgeEdge;
        lower(is_edge_a ? by_edge[impact.a] : by_vertex[impact.a], impact);
        lower(impact.kind == QueryKind::VertexFace     ? by_face[impact.b]
              : impact.kind == QueryKind::VertexVertex ? by_vertex[impact.b]
                                                       : by_edge[impact.b],
              impact);
    }
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        const FaceIndices& face = mesh.faces[f];
        for (std::size_t i = 0; i < 3; ++i) {
            by_face[f] = std::min(by_face[f], by_vertex[face[i]]);
            const auto [low, high] = std::minmax(face[i], face[(i + 1) % 3]);
            const EdgeIndices side = {low, high};
            const auto at = std::lower_bound(mesh.edges.begin(), mesh.edges.end(), side);
            if (at != mesh.edges.end() && *at == side)
                by_face[f] = std::min(by_face[f],
                                      by_edge[static_cast<std::size_t>(at - mesh.edges.begin())]);
        }
    }
    return by_face;
}

class StepPicture {
public:
    explicit StepPicture(const DrawnStep& step) : step_(step), pieces_(pieces_of(step.mesh)) {
        find_first();
        make_shapes();
    }

    [[nodiscard]] std::string svg() {
        choose_eye();
        add_start();
        if (first_) {
            add_first();
            add_close_up();
        }
        add_end();
        picture_.title =
            fmt::format("A step of a mesh: from {} to {}", step_.name_start, step_.name_end);
        add_legend();
        add_notes();
        return scene_svg(picture_);
    }

private:
    struct Shapes {
        std::array<SceneShape, 3> full;    // of the first side, of the other, of the rest
        std::array<SceneShape, 3> drawn;   // coarser, where there are too many faces
        std::array<SceneShape, 3> ghosts;  // coarser still
        std::array<SceneShape, 3> near;    // around the first contact
    };

    void find_first();
    void make_shapes();
    void choose_eye();
    void add_start();
    void add_first();
    void add_close_up();
    void add_end();
    void add_legend();
    void add_notes();
    [[nodiscard]] std::size_t side_of(std::uint32_t vertex) const;
    [[nodiscard]] std::vector<Vec3> at(double time) const;
    [[nodiscard]] ScenePanel panel_at(double time, const std::array<SceneShape, 3>& shapes) const;
    void add_ghosts(ScenePanel& panel) const;
    void add_trails(ScenePanel& panel, double until) const;
    [[nodiscard]] std::vector<SceneFeature> features() const;
    void paint_first_face(ScenePanel& panel) const;
    [[nodiscard]] SceneMark first_mark() const;
    [[nodiscard]] bool moves(std::uint32_t vertex) const {
        return !(step_.pair.start[vertex] == step_.pair.end[vertex]);
    }

    const DrawnStep& step_;
    std::vector<std::uint32_t> pieces_;
    std::optional<Impact> first_;
    double time_ = 0.0;     // of the first contact
    ContactPoint contact_;  // there
    double size_ = 1.0;
    Shapes shapes_;
    bool has_others_ = false;
    bool is_hidden_ = false;  // the first contact
    ScenePicture picture_;
};

constexpr std::array<char, 3> kSidePaints = {'a', 'b', 'c'};

void StepPicture::find_first() {
    first_ = step_.outcome.first;
    if (!first_) return;
    time_ = std::clamp(first_->result.toi_lower, 0.0, 1.0);
    contact_ = contact_at(step_.mesh, step_.pair.start, step_.pair.end, *first_, time_);
}

// 0: in one piece with the first feature, 1: with the second (if that is another one), 2: neither.
// Where nothing touches: 0 moves, 2 rests.
std::size_t StepPicture::side_of(std::uint32_t vertex) const {
    if (!first_) return moves(vertex) ? 0 : 2;
    const PairVertices pair = vertices_of(step_.mesh, *first_);
    if (pieces_[vertex] == pieces_[pair.a[0]]) return 0;
    return pieces_[vertex] == pieces_[pair.b[0]] ? 1 : 2;
}

void StepPicture::make_shapes() {
    const MeshTopology& mesh = step_.mesh;
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        SceneShape& shape = shapes_.full[side_of(mesh.faces[f][0])];
        shape.faces.add(mesh.faces[f]);
        shape.origin.push_back(f);
    }
    for (const auto& edge : step_.pair.edges)
        shapes_.full[side_of(edge[0])].lines.push_back(edge);
    for (const std::uint32_t point : mesh.points)
        shapes_.full[side_of(point)].dots.push_back(point);
    const double faces = static_cast<double>(std::max<std::size_t>(mesh.faces.size(), 1));
    constexpr double kPanels = 3.5;
    for (std::size_t i = 0; i < 3; ++i) {
        const double share = static_cast<double>(shapes_.full[i].faces.size()) / faces;
        const auto most = [&](double all) {
            return static_cast<std::size_t>(std::max(all * std::max(share, 0.1), 16.0));
        };
        shapes_.drawn[i] = coarsened(shapes_.full[i], step_.pair.start,
                                     most(static_cast<double>(kMostSceneFaces) / kPanels));
        shapes_.ghosts[i] =
            coarsened(shapes_.drawn[i], step_.pair.start, most(double{kMostGhostFaces}));
    }
}

std::vector<Vec3> StepPicture::at(double time) const {
    std::vector<Vec3> positions;
    positions.reserve(step_.pair.start.size());
    for (std::size_t i = 0; i < step_.pair.start.size(); ++i)
        positions.push_back((1.0 - time) * step_.pair.start[i] + time * step_.pair.end[i]);
    return positions;
}

ScenePanel StepPicture::panel_at(double time, const std::array<SceneShape, 3>& shapes) const {
    ScenePanel panel;
    for (std::size_t i = 0; i < 3; ++i)
        panel.parts.push_back({&shapes[i], at(time), kSidePaints[i], {}, false});
    return panel;
}

void StepPicture::choose_eye() {
    const ScenePanel panel = panel_at(time_, shapes_.drawn);
    Vec3 low = step_.pair.start[0];
    Vec3 high = low;
    for (const auto* positions : {&step_.pair.start, &step_.pair.end}) {
        for (const Vec3& x : *positions) {
            for (std::size_t i = 0; i < 3; ++i) {
                low[i] = std::min(low[i], x[i]);
                high[i] = std::max(high[i], x[i]);
            }
        }
    }
    const double size = norm(high - low);
    size_ = size > 0.0 ? size : 1.0;
    Sight sight{
        .place = contact_.on_a, .across = {}, .size = size_, .has_place = first_.has_value()};
    if (first_) {
        const ContactPoint before =
            contact_at(step_.mesh, step_.pair.start, step_.pair.end, *first_, 0.0);
        sight.across = {contact_.normal,
                        (contact_.on_a - before.on_a) - (contact_.on_b - before.on_b)};
    }
    std::vector<SightBody> bodies;
    for (const ScenePart& part : panel.parts)
        bodies.push_back({part.positions, &part.shape->faces});
    picture_.eye = best_eye(sight, bodies);
    is_hidden_ = first_ && is_hidden(sight, picture_.eye, bodies);
}

void StepPicture::add_ghosts(ScenePanel& panel) const {
    for (std::size_t i = 0; i < 3; ++i) {
        const SceneShape& ghost = shapes_.ghosts[i];
        const auto moves_at_all = [&](std::size_t f) {
            const auto face = ghost.faces[f];
            return std::any_of(face.begin(), face.end(),
                               [&](std::uint32_t corner) { return moves(corner); });
        };
        bool is_moving = !ghost.lines.empty();
        for (std::size_t f = 0; f < ghost.faces.size() && !is_moving; ++f)
            is_moving = moves_at_all(f);
        if (is_moving) panel.parts.push_back({&ghost, step_.pair.start, 'c', {}, true});
    }
}

// Of some vertices that move, evenly spread.
void StepPicture::add_trails(ScenePanel& panel, double until) const {
    constexpr std::size_t kMostTrails = 28;
    std::vector<std::uint32_t> moving;
    for (std::uint32_t v = 0; v < step_.pair.start.size(); ++v) {
        if (moves(v)) moving.push_back(v);
    }
    const std::size_t count = std::min(kMostTrails, moving.size());
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t v = moving[i * moving.size() / count];
        const Vec3& from = step_.pair.start[v];
        panel.trails.push_back({from, (1.0 - until) * from + until * step_.pair.end[v]});
    }
}

std::vector<SceneFeature> StepPicture::features() const {
    const PairVertices pair = vertices_of(step_.mesh, *first_);
    const std::vector<Vec3> positions = at(time_);
    const auto feature = [&](const std::vector<std::uint32_t>& vertices, char paint) {
        SceneFeature made{{}, paint};
        for (const std::uint32_t v : vertices)
            made.corners.push_back(positions[v]);
        return made;
    };
    return {feature(pair.b, 'b'), feature(pair.a, 'a')};
}

// The face of the first pair, if it has one, is darker than the others.
void StepPicture::paint_first_face(ScenePanel& panel) const {
    if (first_->kind != QueryKind::VertexFace) return;
    for (ScenePart& part : panel.parts) {
        for (const std::size_t face : part.shape->origin)
            part.face_paint.push_back(face == first_->b ? 'e' : part.paint);
    }
}

SceneMark StepPicture::first_mark() const {
    const bool is_contact = first_->result.verdict == Verdict::Contact;
    // The normal of a contact point leads to the first feature; here from it.
    return {is_contact ? SceneMark::Kind::First : SceneMark::Kind::Doubtful, contact_.on_a,
            -contact_.normal, impact_text(*first_)};
}

void StepPicture::add_start() {
    ScenePanel panel = panel_at(0.0, shapes_.drawn);
    panel.title = "start";
    panel.subtitle = "t = 0";
    if (first_) {
        const std::vector<double> times = face_times(step_.mesh, step_.outcome.impacts);
        const double room = std::max(step_.t_max - time_, 1e-300);
        for (ScenePart& part : panel.parts) {
            for (const std::size_t face : part.shape->origin) {
                const double share = (times[face] - time_) / room;
                const bool touches = times[face] < kInfinity;
                part.face_paint.push_back(
                    touches
                        ? static_cast<char>('p' + std::clamp(static_cast<int>(5.0 * share), 0, 4))
                        : part.paint);
            }
        }
        const std::size_t count = step_.outcome.impacts.size();
        panel.subtitle = fmt::format("t = 0; {} {} in the step", count,
                                     count == 1 ? "pair touches" : "pairs touch");
        if (!step_.outcome.is_all) panel.subtitle = "t = 0; looked for the first pair only";
    }
    picture_.panels.push_back(std::move(panel));
}

void StepPicture::add_first() {
    ScenePanel panel = panel_at(time_, shapes_.drawn);
    const bool is_contact = first_->result.verdict == Verdict::Contact;
    panel.title =
        fmt::format("{}: t = {:.6g}", is_contact ? "first contact" : "unresolved from", time_);
    panel.subtitle = impact_text(*first_);
    paint_first_face(panel);
    add_ghosts(panel);
    add_trails(panel, time_);
    panel.features = features();
    for (const Impact& impact : step_.outcome.impacts) {
        if (impact.result.toi_lower > first_->result.toi_upper || impact == *first_) continue;
        const ContactPoint other = contact_at(step_.mesh, step_.pair.start, step_.pair.end, impact,
                                              std::clamp(impact.result.toi_lower, 0.0, 1.0));
        panel.marks.push_back({SceneMark::Kind::Other, other.on_a, {}, impact_text(impact)});
    }
    has_others_ = !panel.marks.empty();
    panel.marks.push_back(first_mark());
    picture_.panels.push_back(std::move(panel));
}

void StepPicture::add_close_up() {
    double reach = 0.0;
    for (const SceneFeature& feature : features()) {
        for (const Vec3& x : feature.corners)
            reach = std::max(reach, norm(x - contact_.on_a));
    }
    const double half = std::clamp(0.9 * reach, size_ / 200.0, size_ / 8.0);
    ScenePanel panel = panel_at(time_, shapes_.near);
    for (std::size_t i = 0; i < 3; ++i)
        shapes_.near[i] = near_part(shapes_.full[i], panel.parts[i].positions, contact_.on_a,
                                    1.6 * half, kMostCloseUpFaces / 3);
    panel.title = "the same, from near";
    panel.subtitle = close_up_text(is_hidden_);
    paint_first_face(panel);
    panel.features = features();
    panel.marks = {first_mark()};
    panel.close_up = CloseUp{contact_.on_a, half, is_hidden_};
    picture_.panels.push_back(std::move(panel));
}

void StepPicture::add_end() {
    ScenePanel panel = panel_at(1.0, shapes_.drawn);
    panel.title = "end";
    panel.subtitle = first_ ? "t = 1, as if nothing were in the way" : "t = 1";
    if (!first_) {
        add_ghosts(panel);
        add_trails(panel, 1.0);
    }
    picture_.panels.push_back(std::move(panel));
}

void StepPicture::add_legend() {
    std::vector<LegendItem>& legend = picture_.legend;
    const auto has = [&](std::size_t i) {
        const SceneShape& shape = shapes_.drawn[i];
        return shape.faces.size() + shape.lines.size() + shape.dots.size() > 0;
    };
    if (!first_) {
        if (has(0)) legend.push_back(body_item('a', "moves"));
        if (has(2)) legend.push_back(body_item('c', "rests"));
        legend.push_back(ghost_item("start"));
        legend.push_back(trail_item("way of some vertices"));
        return;
    }
    legend.push_back(body_item('a', has(1) ? "A: what touches first" : "the mesh"));
    if (has(1)) legend.push_back(body_item('b', "B: what it touches"));
    if (has(2)) legend.push_back(body_item('c', "the rest"));
    legend.push_back(ramp_item("faces that touch in the step, first to last"));
    const bool is_contact = first_->result.verdict == Verdict::Contact;
    legend.push_back(mark_item(
        is_contact ? SceneMark::Kind::First : SceneMark::Kind::Doubtful,
        is_contact ? "first contact, and its normal" : "first approach that is not decided"));
    if (has_others_)
        legend.push_back(mark_item(SceneMark::Kind::Other, "other pair at the same time"));
    legend.push_back(ghost_item("start"));
    legend.push_back(trail_item("way of some vertices"));
}

void StepPicture::add_notes() {
    std::vector<std::string>& notes = picture_.notes;
    const MeshOutcome& outcome = step_.outcome;
    if (!first_) {
        notes.push_back("Nothing touches in the step.");
    } else {
        notes.push_back(fmt::format(
            "First: {}, t in [{}, {}]; before that nothing touches. Faces that would hide it are "
            "drawn as glass.",
            impact_text(*first_), outcome.toi_lower, outcome.toi_upper));
    }
    notes.push_back(fmt::format(
        "The eye is {:g}\u00b0 around the y-axis, from z towards x, and {:g}\u00b0 up; all panels "
        "but the close-up have one scale.",
        picture_.eye.azimuth(), picture_.eye.elevation()));
    std::size_t drawn = 0;
    for (const SceneShape& shape : shapes_.drawn)
        drawn += shape.faces.size();
    if (drawn < step_.mesh.faces.size())
        notes.push_back(left_out_note("The mesh", drawn, step_.mesh.faces.size()));
}

struct ElementNames {
    std::string_view a;
    std::string_view b;
};

ElementNames elements_of(QueryKind kind) {
    switch (kind) {
        case QueryKind::VertexFace:
            return {"vertex", "face"};
        case QueryKind::EdgeEdge:
            return {"edge", "edge"};
        case QueryKind::VertexVertex:
            return {"vertex", "vertex"};
        case QueryKind::VertexEdge:
            break;
    }
    return {"vertex", "edge"};
}

}  // namespace

std::string impact_text(const Impact& impact) {
    const auto [a, b] = elements_of(impact.kind);
    return fmt::format("{} {}, {} {}", a, impact.a, b, impact.b);
}

std::string step_svg(const DrawnStep& step) {
    return StepPicture(step).svg();
}

}  // namespace graze::app

#include "graze/narrow/query_kind.hpp"

namespace graze {

std::string_view short_name(QueryKind kind) noexcept {
    switch (kind) {
        case QueryKind::VertexFace:
            return "vf";
        case QueryKind::EdgeEdge:
            return "ee";
        case QueryKind::VertexVertex:
            return "vv";
        case QueryKind::VertexEdge:
            return "ve";
    }
    return "?";
}

std::string_view long_name(QueryKind kind) noexcept {
    switch (kind) {
        case QueryKind::VertexFace:
            return "vertex-face";
        case QueryKind::EdgeEdge:
            return "edge-edge";
        case QueryKind::VertexVertex:
            return "vertex-vertex";
        case QueryKind::VertexEdge:
            return "vertex-edge";
    }
    return "?";
}

std::optional<QueryKind> query_kind_from_name(std::string_view name) noexcept {
    for (const QueryKind kind : kAllQueryKinds) {
        if (name == short_name(kind) || name == long_name(kind)) return kind;
    }
    return std::nullopt;
}

}  // namespace graze

#include "graze/narrow/method.hpp"

#include "graze/core/assert.hpp"
#include "graze/narrow/box_separation.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/narrow/safe_cubic.hpp"
#include "graze/narrow/tight_inclusion.hpp"

namespace graze {

Guarantee guarantee_for(const Guarantee& declared, const CcdOptions& options) noexcept {
    if (options.min_separation == 0.0 || declared.exact_separations) return declared;
    Guarantee weaker = declared;
    weaker.no_false_positives = false;
    weaker.proved_toi_upper = false;
    weaker.progress_when_apart = false;
    weaker.always_resolves = false;
    return weaker;
}

bool supports(const Method& method, QueryKind kind) noexcept {
    switch (kind) {
        case QueryKind::VertexFace:
            return method.vertex_face != nullptr;
        case QueryKind::EdgeEdge:
            return method.edge_edge != nullptr;
        case QueryKind::VertexVertex:
            return method.vertex_vertex != nullptr;
        case QueryKind::VertexEdge:
            return method.vertex_edge != nullptr;
    }
    return false;
}

bool supports(const Method& method, const CcdOptions& options) noexcept {
    if (!is_valid(options)) return false;
    if (options.min_separation == 0.0) return true;
    return options.norm == Norm::Euclidean ? method.guarantee.min_separation_euclidean
                                           : method.guarantee.min_separation_max_norm;
}

Expected<void> MethodRegistry::add(const Method& method) {
    if (method.name.empty()) return Error{"a method needs a name"};
    if (find(method.name) != nullptr) {
        return Error{"there is already a method '" + std::string(method.name) + "'"};
    }
    bool answers_something = false;
    for (const QueryKind kind : kAllQueryKinds)
        answers_something |= supports(method, kind);
    if (!answers_something) {
        return Error{"method '" + std::string(method.name) + "' answers no kind of query"};
    }
    methods_.push_back(method);
    return {};
}

const Method* MethodRegistry::find(std::string_view name) const noexcept {
    for (const Method& method : methods_) {
        if (method.name == name) return &method;
    }
    return nullptr;
}

std::string MethodRegistry::names() const {
    std::string list;
    for (const Method& method : methods_) {
        if (!list.empty()) list += ", ";
        list += method.name;
    }
    return list;
}

MethodRegistry builtin_methods() {
    MethodRegistry registry;
    for (const Method& method : {make_certified(), make_box_separation(), make_tight_inclusion(),
                                 make_tight_inclusion_paper(), make_safe_cubic(), make_cubic()}) {
        [[maybe_unused]] const Expected<void> added = registry.add(method);
        GRAZE_ASSERT(added.has_value());
    }
    return registry;
}

}  // namespace graze

#include "mesh_calls.hpp"

#include <limits>
#include <stdexcept>

namespace graze::python {

SharedCandidates::Use::Use(const SharedCandidates* shared, Kind kind)
    : shared_(shared), kind_(kind) {
    if (shared == nullptr) return;
    int users = shared->users_.load();
    const auto is_free = [&] { return kind == Kind::Read ? users >= 0 : users == 0; };
    while (is_free()) {
        const int next = kind == Kind::Read ? users + 1 : -1;
        if (shared->users_.compare_exchange_weak(users, next)) return;
    }
    throw std::runtime_error("candidates: are in use by another call");
}

SharedCandidates::Use::~Use() {
    if (shared_ != nullptr) shared_->users_ += kind_ == Kind::Read ? -1 : 1;
}

StepArguments::StepArguments(Options& options, const Interrupt& interrupt) {
    std::string method = "certified";
    options.take("method", method);
    options_.method = method_named(method);
    take_query_options(options, options_.query);
    options.take("threads", options_.threads);
    radius_ = Numbers(options.object("radius"), "radius");
    options_.radius = radius_.span();
    take_candidates(options);
    take_filter(options, interrupt);
    take_progress(options, interrupt);
    // Progress is reported often enough for signals, except by methods whose queries may take long;
    // a token is asked before each pair, which costs `certified` several percent.
    if (method != "certified") options_.stop = interrupt.token();
}

void StepArguments::take_candidates(Options& options) {
    candidates_ = options.object("candidates");
    if (candidates_.is_none()) return;
    if (!py::isinstance<SharedCandidates>(candidates_))
        throw_type_error("candidates", "is not what MeshStepper.candidates() returns");
    shared_ = candidates_.cast<const SharedCandidates*>();
    options_.candidates = &shared_->value;
}

void StepArguments::take_filter(Options& options, const Interrupt& interrupt) {
    body_ = optional_indices(options.object("body"), "body");
    layers_ = optional_indices(options.object("layers"), "layers");
    mask_ = optional_indices(options.object("mask"), "mask");
    fixed_ = optional_flags(options.object("fixed"), "fixed");
    PairFilter& filter = options_.filter;
    options.take("within_bodies", filter.within_bodies);
    filter.body = body_;
    filter.layers = layers_;
    filter.mask = mask_;
    filter.fixed = fixed_;
    accepts_ = options.object("accepts");
    if (accepts_.is_none()) return;
    filter.accepts = [this, &interrupt](QueryKind kind, std::uint32_t a, std::uint32_t b) {
        return called_back(interrupt, true, [&] {
            return py::cast<bool>(py::bool_(accepts_(std::string(short_name(kind)), a, b)));
        });
    };
}

void StepArguments::take_progress(Options& options, const Interrupt& interrupt) {
    progress_ = options.object("progress");
    const bool has_callback = !progress_.is_none();
    options_.progress = [this, &interrupt, has_callback](double fraction) {
        interrupt.poll();
        if (!has_callback) return !interrupt.is_stopped();
        return called_back(interrupt, false,
                           [&] { return !progress_(fraction).is(py::bool_(false)); });
    };
}

double energy_at(const py::object& energy, std::span<const Vec3> positions,
                 const Interrupt& interrupt) {
    return called_back(interrupt, std::numeric_limits<double>::quiet_NaN(), [&] {
        return py::cast<double>(
            py::float_(energy(array_of(std::vector<Vec3>(positions.begin(), positions.end())))));
    });
}

py::object impact_tuple(const std::optional<Impact>& impact) {
    if (!impact) return py::none();
    const CcdResult& r = impact->result;
    return py::make_tuple(std::string(short_name(impact->kind)), impact->a, impact->b,
                          static_cast<int>(r.verdict), r.toi_lower, r.toi_upper, r.tolerance,
                          r.checks);
}

}  // namespace graze::python

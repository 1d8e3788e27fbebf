// Batches of queries, the exact oracle, and what a method's answers prove.
#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "calls.hpp"
#include "errors.hpp"
#include "graze/io/query_file.hpp"
#include "graze/narrow/contact_point.hpp"
#include "graze/oracle/oracle.hpp"
#include "graze/verify/exact_check.hpp"
#include "graze/verify/oracle_method.hpp"
#include "graze/verify/parallel.hpp"
#include "modules.hpp"
#include "options.hpp"

namespace graze::python {
namespace {

// Rows of result arrays.
struct DistanceRow {
    double lower;
    double upper;
};
struct PointRow {
    double u;
    double v;
    std::array<double, 3> on_a;
    std::array<double, 3> on_b;
    std::array<double, 3> normal;
    double distance_upper;
};

// Queries are gathered so many at a time, into 24 kB of stack: both arrays are read where they lie.
constexpr std::size_t kChunk = 128;
// And so many are one piece of work of a thread.
constexpr std::size_t kBlock = 16 * kChunk;

// Bytes between verdict and toi_lower are no part of a result; as zeros they are the same in every run.
void clear_padding(std::span<CcdResult> results) noexcept {
    constexpr std::size_t kFirst = offsetof(CcdResult, verdict) + sizeof(Verdict);
    constexpr std::size_t kLast = offsetof(CcdResult, toi_lower);
    for (CcdResult& result : results)
        std::memset(reinterpret_cast<std::byte*>(&result) + kFirst, 0, kLast - kFirst);
}

// One end of `count` queries into the interleaved motions: `offset` is 0 for the start, 1 for the end.
template <class Motion, class Real>
void gather_end(const QueryArray& array, std::size_t first, std::span<Motion> motions,
                std::size_t offset) noexcept {
    constexpr std::size_t kVertices = Motion::kVertices;
    static_assert(sizeof(Motion) == kVertices * sizeof(MovingPoint));
    static_assert(sizeof(MovingPoint) == 6 * sizeof(double) &&
                  std::is_trivially_copyable_v<Motion>);
    auto* out = reinterpret_cast<std::byte*>(motions.data()) + 3 * offset * sizeof(double);
    const std::byte* query = array.data + static_cast<py::ssize_t>(first) * array.strides[0];
    const bool is_dense = array.strides[2] == py::ssize_t{sizeof(Real)} &&
                          array.strides[1] == py::ssize_t{3 * sizeof(Real)};
    for (std::size_t i = 0; i < motions.size(); ++i, query += array.strides[0]) {
        for (std::size_t v = 0; v < kVertices; ++v, out += sizeof(MovingPoint)) {
            std::array<Real, 3> from;
            if (is_dense) {
                std::memcpy(from.data(), query + 3 * v * sizeof(Real), sizeof from);
            } else {
                const std::byte* p = query + static_cast<py::ssize_t>(v) * array.strides[1];
                for (std::size_t k = 0; k < 3; ++k)
                    std::memcpy(&from[k], p + static_cast<py::ssize_t>(k) * array.strides[2],
                                sizeof(Real));
            }
            const std::array<double, 3> to{double{from[0]}, double{from[1]}, double{from[2]}};
            std::memcpy(out, to.data(), sizeof to);
        }
    }
}

template <class Motion>
void gather(const QueryArrays& arrays, std::size_t first, std::span<Motion> motions) noexcept {
    for (std::size_t offset = 0; offset < 2; ++offset) {
        const QueryArray& array = offset == 0 ? arrays.start : arrays.end;
        if (array.is_float)
            gather_end<Motion, float>(array, first, motions, offset);
        else
            gather_end<Motion, double>(array, first, motions, offset);
    }
}

template <class Motion>
void answer_block(const Method& method, const QueryArrays& arrays, const CcdOptions& options,
                  std::size_t first, std::span<CcdResult> results, const StopToken& stop) noexcept {
    std::array<Motion, kChunk> motions;
    for (std::size_t done = 0; done < results.size() && !stop.stop_requested(); done += kChunk) {
        const std::size_t count = std::min(kChunk, results.size() - done);
        const std::span<Motion> chunk(motions.data(), count);
        gather<Motion>(arrays, first + done, chunk);
        run_batch<Motion>(method, chunk, options, results.subspan(done, count));
        clear_padding(results.subspan(done, count));
    }
}

// body(first, last) for blocks of [0, count), on threads; Ctrl-C ends it.
template <class Body>
void for_each_block(std::size_t count, std::size_t block, unsigned threads,
                    const Interrupt& interrupt, const Body& body) {
    const verify::Workers workers{.threads = threads, .done = {}, .stop = interrupt.token()};
    verify::for_each_index(workers, (count + block - 1) / block, [&](std::size_t i) {
        interrupt.poll();
        if (!interrupt.is_stopped()) body(i * block, std::min((i + 1) * block, count));
    });
}

unsigned threads_of(const py::int_& threads) {
    const auto value = threads.cast<long long>();
    if (value < 0 || value > 4096)
        throw py::value_error("threads: " + std::to_string(value) + " is not in [0, 4096]");
    return static_cast<unsigned>(value);
}

// A new array of results, or the one that the caller wants written to.
py::array results_array(py::handle out, std::size_t count) {
    const auto size = static_cast<py::ssize_t>(count);
    if (out.is_none()) return py::array(py::dtype::of<CcdResult>(), std::vector<py::ssize_t>{size});
    if (!py::isinstance<py::array>(out)) throw_type_error("out", "is not an array");
    py::array array = py::reinterpret_borrow<py::array>(out);
    if (!array.dtype().is(py::dtype::of<CcdResult>()) &&
        !array.dtype().equal(py::dtype::of<CcdResult>()))
        throw_type_error("out", "has another dtype than graze.RESULT");
    if (array.ndim() != 1 || array.shape(0) != size || (array.flags() & py::array::c_style) == 0)
        throw_shape_error("out", array, "(" + std::to_string(count) + ",), contiguous");
    if (!array.writeable()) throw py::value_error("out: is read-only");
    return array;
}

struct Request {
    QueryKind kind;
    QueryArrays arrays;
    CcdOptions options;
    unsigned threads = 1;
};

Request request_of(const std::string& kind_name, py::handle start, py::handle end,
                   const py::dict& given, const py::int_& threads) {
    const QueryKind kind = kind_of(kind_name);
    Request request{kind, query_arrays(start, end, kind), {}, threads_of(threads)};
    Options options(given);
    take_query_options(options, request.options);
    options.finish();
    return request;
}

py::array answer(const std::string& kind, py::handle start, py::handle end,
                 const std::string& method_name, const py::dict& given, const py::int_& threads,
                 py::handle out) {
    const Request request = request_of(kind, start, end, given, threads);
    const Method& method = method_named(method_name);
    if (!supports(method, request.kind))
        throw_error({"method '" + method_name + "' answers no queries of kind '" + kind + "'",
                     ErrorCode::Unsupported});
    if (!supports(method, request.options))
        throw_error({"method '" + method_name + "' honours no such min_separation",
                     ErrorCode::Unsupported});
    const py::array array = results_array(out, request.arrays.size());
    const std::span<CcdResult> results(static_cast<CcdResult*>(const_cast<void*>(array.data())),
                                       request.arrays.size());
    const Interrupt interrupt;
    // What the oracle and slow baselines take: a block is then a query, so that Ctrl-C is heard.
    const bool is_slow = method.role == MethodRole::GroundTruth || method.bisects;
    const std::size_t block = is_slow ? 1 : kBlock;
    released(interrupt, [&] {
        for_each_block(results.size(), block, request.threads, interrupt,
                       [&](std::size_t first, std::size_t last) {
                           visit(request.kind, [&]<class Motion>(std::type_identity<Motion>) {
                               answer_block<Motion>(method, request.arrays, request.options, first,
                                                    results.subspan(first, last - first),
                                                    interrupt.token());
                           });
                       });
        return true;
    });
    return array;
}

io::QueryRecord record_at(const QueryArrays& arrays, QueryKind kind, std::size_t index) {
    return visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        return io::record_of(motion_at<Motion>(arrays, index));
    });
}

// By query: which claims the answer would break, as bits in the order of claim_names.
py::array faults(const std::string& kind, py::handle start, py::handle end,
                 const py::array& answers, const py::dict& given, const py::int_& threads) {
    const Request request = request_of(kind, start, end, given, threads);
    const py::array found = results_array(answers, request.arrays.size());
    const auto* results = static_cast<const CcdResult*>(found.data());
    py::array_t<std::uint16_t> bits(static_cast<py::ssize_t>(request.arrays.size()));
    std::uint16_t* const out = bits.mutable_data();
    const Interrupt interrupt;
    released(interrupt, [&] {
        const auto check_one = [&](std::size_t i) {
            const verify::Question question{
                request.kind, record_at(request.arrays, request.kind, i), request.options};
            const verify::ClaimSet set =
                verify::faults_of(question, verify::exact_answer(question), results[i]);
            unsigned mask = 0;
            for (const verify::Claim claim : verify::kAllClaims)
                mask |= set.has(claim) ? 1U << verify::index_of(claim) : 0U;
            out[i] = static_cast<std::uint16_t>(mask);
        };
        for_each_block(request.arrays.size(), 1, request.threads, interrupt,
                       [&](std::size_t first, std::size_t) { check_one(first); });
        return true;
    });
    return bits;
}

py::array minimum_distance(const std::string& kind, py::handle start, py::handle end,
                           const py::dict& given, const py::int_& threads) {
    const Request request = request_of(kind, start, end, given, threads);
    std::vector<DistanceRow> rows(request.arrays.size());
    const Interrupt interrupt;
    released(interrupt, [&] {
        for_each_block(rows.size(), 1, request.threads, interrupt, [&](std::size_t i, std::size_t) {
            const auto record = record_at(request.arrays, request.kind, i);
            const auto bracket =
                oracle::minimum_distance(verify::oracle_query(record, request.kind),
                                         verify::oracle_norm(request.options.norm));
            rows[i] = bracket.valid ? DistanceRow{bracket.lower, bracket.upper}
                                    : DistanceRow{0.0, kInfinity};
        });
        return true;
    });
    return array_of_rows(std::move(rows));
}

py::array contact_points(const std::string& kind_name, py::handle start, py::handle end,
                         py::handle times) {
    const QueryKind kind = kind_of(kind_name);
    const QueryArrays arrays = query_arrays(start, end, kind);
    const Numbers time(times, "time");
    if (time.span().size() != arrays.size())
        throw py::value_error("time: has " + std::to_string(time.span().size()) + " numbers, not " +
                              std::to_string(arrays.size()));
    std::vector<PointRow> rows(arrays.size());
    const Interrupt interrupt;
    released(interrupt, [&] {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const ContactPoint p = visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
                return contact_point(motion_at<Motion>(arrays, i), time.span()[i]);
            });
            rows[i] = {p.u,
                       p.v,
                       triple_of(p.on_a),
                       triple_of(p.on_b),
                       triple_of(p.normal),
                       p.distance_upper};
        }
        return true;
    });
    return array_of_rows(std::move(rows));
}

const char* role_name(MethodRole role) noexcept {
    switch (role) {
        case MethodRole::Detector:
            return "detector";
        case MethodRole::Filter:
            return "filter";
        case MethodRole::AsPublished:
            return "as-published";
        case MethodRole::GroundTruth:
            return "ground-truth";
    }
    return "detector";
}

py::dict guarantee_dict(const Guarantee& g) {
    py::dict d;
    d["no_false_negatives"] = g.no_false_negatives;
    d["no_false_positives"] = g.no_false_positives;
    d["proved_toi_lower"] = g.proved_toi_lower;
    d["proved_toi_upper"] = g.proved_toi_upper;
    d["proved_tolerance"] = g.proved_tolerance;
    d["progress_when_separated"] = g.progress_when_separated;
    d["always_resolves"] = g.always_resolves;
    d["scale_invariant"] = g.scale_invariant;
    d["exact_separations"] = g.exact_separations;
    d["min_separation_euclidean"] = g.min_separation_euclidean;
    d["min_separation_max_norm"] = g.min_separation_max_norm;
    return d;
}

py::list method_list() {
    py::list list;
    for (const Method& method : methods().all()) {
        py::list kinds;
        for (const QueryKind kind : kAllQueryKinds)
            if (supports(method, kind)) kinds.append(std::string(short_name(kind)));
        list.append(py::make_tuple(std::string(method.name), std::string(method.summary),
                                   role_name(method.role), py::tuple(kinds),
                                   guarantee_dict(method.guarantee)));
    }
    return list;
}

py::list claim_names() {
    py::list names;
    for (const verify::Claim claim : verify::kAllClaims)
        names.append(py::make_tuple(std::string(verify::name(claim)),
                                    std::string(verify::breach_of(claim))));
    return names;
}

}  // namespace

void add_queries(py::module_& m) {
    PYBIND11_NUMPY_DTYPE(CcdResult, verdict, toi_lower, toi_upper, checks, tolerance);
    PYBIND11_NUMPY_DTYPE(DistanceRow, lower, upper);
    PYBIND11_NUMPY_DTYPE(PointRow, u, v, on_a, on_b, normal, distance_upper);
    m.attr("RESULT") = py::dtype::of<CcdResult>();
    m.def("ccd", &answer);
    m.def("faults", &faults);
    m.def("minimum_distance", &minimum_distance);
    m.def("contact_points", &contact_points);
    m.def("methods", &method_list);
    m.def("claims", &claim_names);
}

}  // namespace graze::python

// Recordings: the steps of a mesh with what was asked and answered, to the bit (docs/FORMATS.md).
//
// Written step by step: a program that dies leaves a recording that can be read up to its last whole
// step. What is here is plain data; graze/verify/step_recorder.hpp records a MeshStepper.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/vec3.hpp"
#include "graze/io/byte_reader.hpp"
#include "graze/io/crc64.hpp"
#include "graze/narrow/ccd.hpp"
#include "graze/narrow/query_bounds.hpp"
#include "graze/narrow/query_kind.hpp"
#include "graze/surface/faces.hpp"

namespace graze::io {

// The connectivity of all steps of a recording.
struct RecordedMesh {
    std::size_t vertex_count = 0;
    std::vector<FaceIndices> faces;
    std::vector<EdgeIndices> edges;  // loose ones: no side of a face
    friend bool operator==(const RecordedMesh&, const RecordedMesh&) = default;
};
// Depends on every number of it, and on nothing else.
[[nodiscard]] std::uint64_t hash_of(const RecordedMesh& mesh);

// All that decides the answers to a step besides mesh and positions: StepOptions as values. Lists by
// vertex are empty or have a value for each.
struct RecordedSettings {
    std::string method;
    CcdOptions query{};
    BoundSource bounds = BoundSource::Query;
    std::optional<QueryBounds> declared;
    std::vector<double> radius;
    std::vector<Vec3> rest;
    std::vector<std::uint32_t> body;
    bool within_bodies = true;
    std::vector<std::uint8_t> fixed;
    std::vector<std::uint32_t> layers;
    std::vector<std::uint32_t> mask;
};

enum class RecordedSearch : std::uint8_t { FirstImpact, AllImpacts };

// Work counts (CcdResult::checks) are no answer, and are 0.
struct RecordedImpact {
    QueryKind kind = QueryKind::VertexFace;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    CcdResult result;
    friend bool operator==(const RecordedImpact&, const RecordedImpact&) = default;
};

struct RecordedAnswer {
    Verdict verdict = Verdict::Unresolved;
    double toi_lower = 0.0;
    double toi_upper = kInfinity;
    std::uint64_t count = 0;              // of impacts that were found
    std::vector<RecordedImpact> impacts;  // all of them, or the first in time alone
    std::optional<std::uint64_t> first;   // index of the first in time among `impacts`
    std::uint64_t hash = 0;               // hash_of() the answer with all impacts
};
// Depends on every bit of verdict, times and impacts; neither on `count` nor on `hash`.
[[nodiscard]] std::uint64_t hash_of(const RecordedAnswer& answer);
// The answer without all impacts but the first in time; its hash stays that of all.
[[nodiscard]] RecordedAnswer with_first_alone(const RecordedAnswer& answer);

struct RecordedStep {
    std::uint64_t index = 0;  // from 0
    RecordedSearch search = RecordedSearch::AllImpacts;
    std::vector<Vec3> start;
    std::vector<Vec3> end;
    std::shared_ptr<const RecordedSettings> settings;  // not null; of several steps at once
    RecordedAnswer answer;
};

// Named numbers between steps: the statistics of a frame, say.
struct RecordedMark {
    std::uint64_t steps_before = 0;
    std::string name;
    std::vector<std::pair<std::string, double>> numbers;
};

using RecordedEvent = std::variant<RecordedStep, RecordedMark>;

// Writes a recording. Each call hands its bytes to the operating system before it returns, so that
// they outlive the process; finish() also waits for the disk. Errors name the file and are final: what
// was added before stays readable.
class Recorder {
public:
    // Begins the file anew. `version`: of the program that records, as text.
    // Errors: CannotWrite; IndexOutOfRange, a face or edge that names no vertex; WrongSize.
    [[nodiscard]] static Expected<Recorder> create(const std::filesystem::path& path,
                                                   const RecordedMesh& mesh,
                                                   std::string_view version);

    // Positions of any bits, also NaN, come back as they are. Settings are stored where they differ
    // from those before, the start where it differs from the end before.
    // Errors: WrongSize, a list that has not a value for each vertex; CannotWrite, DiskFull.
    [[nodiscard]] Expected<void> add(std::span<const Vec3> start, std::span<const Vec3> end,
                                     const RecordedSettings& settings, RecordedSearch search,
                                     const RecordedAnswer& answer);
    [[nodiscard]] Expected<void> mark(std::string_view name,
                                      std::span<const std::pair<std::string, double>> numbers);
    // Nothing can be added after it. A recording without it is read as cut.
    [[nodiscard]] Expected<void> finish();

    [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }

private:
    struct Closer {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    Recorder() = default;
    [[nodiscard]] Expected<void> write(std::span<const unsigned char> bytes);
    [[nodiscard]] Expected<void> write_block(unsigned char tag,
                                             std::span<const unsigned char> content);

    std::string name_;
    std::unique_ptr<std::FILE, Closer> file_;
    std::optional<Error> failure_;
    Crc64 crc_;
    std::size_t vertex_count_ = 0;
    std::vector<Vec3> last_end_;
    std::vector<unsigned char> settings_;
    std::uint64_t steps_ = 0;
};

// Reads a recording event by event.
// Guarantee: what is given out has the bits that were recorded, or a checksum of 64 bits failed to
// notice. Memory stays below kMostMemory times the bytes that were read, plus 1 MiB, whatever the file
// states: deflate packs at most 1032 bytes into one, and what is unpacked is held a few times over while
// it is decoded.
class Recording {
public:
    static constexpr std::uint64_t kMostUnpacked = 1032;
    static constexpr std::uint64_t kMostMemory = 8 * kMostUnpacked;

    // Errors: CannotRead; Unsupported, another version; Malformed: no recording, damaged, or cut
    // before the end of its mesh.
    [[nodiscard]] static Expected<Recording> open(const std::filesystem::path& path);
    // The same from any stream; `name` stands at the start of every message.
    [[nodiscard]] static Expected<Recording> read(std::unique_ptr<ByteStream> stream,
                                                  std::string name);

    [[nodiscard]] const RecordedMesh& mesh() const noexcept { return mesh_; }
    [[nodiscard]] const std::string& version() const noexcept { return version_; }

    // The next event; nullopt at the end. Damage is an error after the last event before it, and the
    // same error again from then on.
    [[nodiscard]] Expected<std::optional<RecordedEvent>> next();
    // True once next() came to an end that is not that of finish(): the program that recorded died,
    // or the file was cut. What was given out is whole.
    [[nodiscard]] bool is_cut() const noexcept { return is_cut_; }
    // Steps that were given out.
    [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
    // Bytes that they and what is before them take in the file.
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

private:
    struct Block {
        unsigned char tag = 0;
        std::vector<unsigned char> content;
    };
    Recording(std::unique_ptr<ByteStream> stream, std::string name)
        : reader_(std::move(stream), std::move(name)) {}
    [[nodiscard]] Expected<void> read_head();
    [[nodiscard]] Expected<std::optional<Block>> next_block();
    [[nodiscard]] Expected<std::optional<RecordedEvent>> next_event();
    [[nodiscard]] Expected<RecordedStep> step_of(std::span<const unsigned char> content);
    [[nodiscard]] Expected<RecordedMark> mark_of(std::span<const unsigned char> content);
    [[nodiscard]] Error damage(std::string_view what) const;

    ByteReader reader_;
    Crc64 crc_;
    RecordedMesh mesh_;
    std::string version_;
    std::vector<Vec3> last_end_;
    std::shared_ptr<const RecordedSettings> settings_;
    std::uint64_t steps_ = 0;
    std::uint64_t bytes_ = 0;
    bool is_at_end_ = false;
    bool is_cut_ = false;
    std::optional<Error> failure_;
};

// Does the file begin as a recording does? False also where it cannot be read.
[[nodiscard]] bool is_recording(const std::filesystem::path& path);

}  // namespace graze::io

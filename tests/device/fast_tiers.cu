// The fast tiers of certified as code for a graphics processor: the same source, for host and
// device. Run with a device, it compares the bits of both; without one, that it compiles is the
// test.
// Defends G-CERTIFIED-5 (docs/GUARANTEES.md).
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "graze/narrow/query_kind.hpp"
#include "narrow/certified/fast_tiers.hpp"
#include "narrow/certified/tiers/cascade-inl.hpp"
#include "narrow/certified/tiers/separation-inl.hpp"

namespace {

using graze::certified::FastAnswer;

template <class Motion>
__global__ void answer_all(const Motion* motions, FastAnswer* answers, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) answers[i] = graze::certified::portable::answer(motions[i], {});
}

// Numbers that are neither nice nor small, the same on every machine.
class Noise {
public:
    double next() {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<double>(static_cast<std::int64_t>(state_ >> 11)) * 0x1p-53 - 0.25;
    }

private:
    std::uint64_t state_ = 1;
};

template <class Motion>
std::vector<Motion> random_motions(int count) {
    Noise noise;
    std::vector<Motion> motions(static_cast<std::size_t>(count));
    for (Motion& motion : motions) {
        std::array<graze::MovingPoint, Motion::kVertices> corners;
        for (graze::MovingPoint& corner : corners) {
            corner.start = {noise.next(), noise.next(), noise.next()};
            corner.end = {noise.next(), noise.next(), noise.next()};
        }
        motion = graze::motion_from_vertices<Motion>(corners);
    }
    return motions;
}

bool same(const FastAnswer& a, const FastAnswer& b) {
    return a.state == b.state && a.tier == b.tier && a.lower == b.lower && a.upper == b.upper;
}

// The number of answers that differ, or -1 where there is no device.
template <class Motion>
int differences(const char* kind) {
    constexpr int kCount = 1 << 20;
    const std::vector<Motion> motions = random_motions<Motion>(kCount);
    std::vector<FastAnswer> answers(motions.size());
    Motion* device_motions = nullptr;
    FastAnswer* device_answers = nullptr;
    if (cudaMalloc(&device_motions, motions.size() * sizeof(Motion)) != cudaSuccess) return -1;
    if (cudaMalloc(&device_answers, motions.size() * sizeof(FastAnswer)) != cudaSuccess) return -1;
    cudaMemcpy(device_motions, motions.data(), motions.size() * sizeof(Motion),
               cudaMemcpyHostToDevice);
    answer_all<Motion><<<kCount / 256, 256>>>(device_motions, device_answers, kCount);
    const cudaError_t copied =
        cudaMemcpy(answers.data(), device_answers, motions.size() * sizeof(FastAnswer),
                   cudaMemcpyDeviceToHost);
    cudaFree(device_motions);
    cudaFree(device_answers);
    if (copied != cudaSuccess) return kCount;
    int differ = 0;
    int open = 0;
    int contacts = 0;
    for (std::size_t i = 0; i < motions.size(); ++i) {
        differ += same(answers[i], graze::certified::portable::answer(motions[i], {})) ? 0 : 1;
        open += answers[i].state == FastAnswer::State::Open ? 1 : 0;
        contacts += answers[i].state == FastAnswer::State::Contact ? 1 : 0;
    }
    std::printf("%s: %d queries, %d contacts, %d left open, %d differ from the host\n", kind,
                kCount, contacts, open, differ);
    return differ;
}

}  // namespace

int main() {
    const int found[] = {differences<graze::VertexFaceMotion>("vertex-face"),
                         differences<graze::EdgeEdgeMotion>("edge-edge"),
                         differences<graze::VertexVertexMotion>("vertex-vertex"),
                         differences<graze::VertexEdgeMotion>("vertex-edge")};
    int differ = 0;
    for (const int count : found) {
        if (count < 0) {
            std::puts("no device");
            return 0;
        }
        differ += count;
    }
    return differ == 0 ? 0 : 1;
}

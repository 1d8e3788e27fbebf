// The narrow phase of ipc-toolkit, by graze: an ipc::NarrowPhaseCCD.
//
//   graze::adapters::IpcNarrowPhase ccd;
//   candidates.compute_collision_free_stepsize(mesh, V0, V1, min_distance, ccd);
//
// In graze/adapters/ipc_toolkit_step.hpp: whole steps in one call.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <ipc/ccd/narrow_phase_ccd.hpp>

#include "graze/adapters/conservative.hpp"

namespace graze::adapters {

class IpcNarrowPhase : public ipc::NarrowPhaseCCD {
public:
    enum class Mode : std::uint8_t {
        // A motion that does not come within min_distance is no collision.
        Exact,
        // It is one where it comes within the distance that is to be kept, of which there is no more than
        // 1e-4: as the class that ipc-toolkit uses by default.
        DropIn,
    };

    // The vectors of the interface: of two or three numbers, of three.
    using VectorMax3 = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 3, 1>;
    using MaxRef = Eigen::Ref<const VectorMax3>;
    using Ref = Eigen::Ref<const Eigen::Vector3d>;

    explicit IpcNarrowPhase(Mode how = Mode::Exact, double rescaling = 0.8) noexcept
        : mode(how), conservative_rescaling(rescaling) {}

    // Each: true on a collision in [0, tmax], which is clamped to [0, 1]; then [0, toi) is proved to be
    // farther than min_distance, and of the distance beyond it (1 - conservative_rescaling) is kept at toi.
    // False: no collision, proved, and toi is infinite. Not decided, or not finite: true, with the time that is
    // proved. Throws std::invalid_argument: a negative min_distance, a rescaling not in (0, 1].
    bool point_point_ccd(const MaxRef& p0_t0, const MaxRef& p1_t0, const MaxRef& p0_t1,
                         const MaxRef& p1_t1, double& toi, double min_distance = 0.0,
                         double tmax = 1.0) const override {
        const VertexVertexMotion motion{moving(p0_t0, p0_t1), moving(p1_t0, p1_t1)};
        return answer(motion, toi, min_distance, tmax);
    }
    bool point_edge_ccd(const MaxRef& p_t0, const MaxRef& e0_t0, const MaxRef& e1_t0,
                        const MaxRef& p_t1, const MaxRef& e0_t1, const MaxRef& e1_t1, double& toi,
                        double min_distance = 0.0, double tmax = 1.0) const override {
        const VertexEdgeMotion motion{moving(p_t0, p_t1),
                                      {moving(e0_t0, e0_t1), moving(e1_t0, e1_t1)}};
        return answer(motion, toi, min_distance, tmax);
    }
    bool point_triangle_ccd(const Ref& p_t0, const Ref& t0_t0, const Ref& t1_t0, const Ref& t2_t0,
                            const Ref& p_t1, const Ref& t0_t1, const Ref& t1_t1, const Ref& t2_t1,
                            double& toi, double min_distance = 0.0,
                            double tmax = 1.0) const override {
        const VertexFaceMotion motion{
            moving(p_t0, p_t1), {moving(t0_t0, t0_t1), moving(t1_t0, t1_t1), moving(t2_t0, t2_t1)}};
        return answer(motion, toi, min_distance, tmax);
    }
    bool edge_edge_ccd(const Ref& ea0_t0, const Ref& ea1_t0, const Ref& eb0_t0, const Ref& eb1_t0,
                       const Ref& ea0_t1, const Ref& ea1_t1, const Ref& eb0_t1, const Ref& eb1_t1,
                       double& toi, double min_distance = 0.0, double tmax = 1.0) const override {
        const EdgeEdgeMotion motion{{moving(ea0_t0, ea0_t1), moving(ea1_t0, ea1_t1)},
                                    {moving(eb0_t0, eb0_t1), moving(eb1_t0, eb1_t1)}};
        return answer(motion, toi, min_distance, tmax);
    }

    // Read at each call.
    Mode mode;
    double conservative_rescaling;
    std::uint64_t max_checks = ConservativeOptions{}.max_checks;

private:
    // In the plane z = 0 where there are two numbers.
    template <class V>
    [[nodiscard]] static Vec3 position(const V& v) {
        return {v[0], v[1], v.size() > 2 ? v[2] : 0.0};
    }
    template <class V>
    [[nodiscard]] static MovingPoint moving(const V& start, const V& end) {
        return {position(start), position(end)};
    }
    template <class Motion>
    bool answer(const Motion& motion, double& toi, double min_distance, double tmax) const {
        ConservativeOptions options;
        options.min_distance = min_distance;
        options.rescaling = conservative_rescaling;
        options.t_max = tmax;
        options.max_checks = max_checks;
        if (mode == Mode::DropIn) {
            options.near_approach_counts = true;
            options.largest_kept = 1e-4;
        }
        const ConservativeResult result = conservative_ccd(motion, options);
        toi = result.toi;
        return result.hit;
    }
};

}  // namespace graze::adapters

// The interface that ipc-toolkit declares under this name: what an adapter is compiled against in tests.
#pragma once

#include <Eigen/Core>

namespace Eigen {
template <class V>
using ConstRef = const Ref<const V>&;
}

namespace ipc {

using VectorMax3d = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 3, 1>;

class NarrowPhaseCCD {
public:
    virtual ~NarrowPhaseCCD() = default;

    virtual bool point_point_ccd(Eigen::ConstRef<VectorMax3d> p0_t0,
                                 Eigen::ConstRef<VectorMax3d> p1_t0,
                                 Eigen::ConstRef<VectorMax3d> p0_t1,
                                 Eigen::ConstRef<VectorMax3d> p1_t1, double& toi,
                                 double min_distance = 0.0, double tmax = 1.0) const = 0;
    virtual bool point_edge_ccd(Eigen::ConstRef<VectorMax3d> p_t0,
                                Eigen::ConstRef<VectorMax3d> e0_t0,
                                Eigen::ConstRef<VectorMax3d> e1_t0,
                                Eigen::ConstRef<VectorMax3d> p_t1,
                                Eigen::ConstRef<VectorMax3d> e0_t1,
                                Eigen::ConstRef<VectorMax3d> e1_t1, double& toi,
                                double min_distance = 0.0, double tmax = 1.0) const = 0;
    virtual bool point_triangle_ccd(
        Eigen::ConstRef<Eigen::Vector3d> p_t0, Eigen::ConstRef<Eigen::Vector3d> t0_t0,
        Eigen::ConstRef<Eigen::Vector3d> t1_t0, Eigen::ConstRef<Eigen::Vector3d> t2_t0,
        Eigen::ConstRef<Eigen::Vector3d> p_t1, Eigen::ConstRef<Eigen::Vector3d> t0_t1,
        Eigen::ConstRef<Eigen::Vector3d> t1_t1, Eigen::ConstRef<Eigen::Vector3d> t2_t1, double& toi,
        double min_distance = 0.0, double tmax = 1.0) const = 0;
    virtual bool edge_edge_ccd(
        Eigen::ConstRef<Eigen::Vector3d> ea0_t0, Eigen::ConstRef<Eigen::Vector3d> ea1_t0,
        Eigen::ConstRef<Eigen::Vector3d> eb0_t0, Eigen::ConstRef<Eigen::Vector3d> eb1_t0,
        Eigen::ConstRef<Eigen::Vector3d> ea0_t1, Eigen::ConstRef<Eigen::Vector3d> ea1_t1,
        Eigen::ConstRef<Eigen::Vector3d> eb0_t1, Eigen::ConstRef<Eigen::Vector3d> eb1_t1,
        double& toi, double min_distance = 0.0, double tmax = 1.0) const = 0;
};

}  // namespace ipc

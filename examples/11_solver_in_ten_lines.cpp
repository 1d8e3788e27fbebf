// A solver whose meshes are Eigen matrices: each step as far as it is proved to be free.
//
// A square of cloth falls onto a tetrahedron. The solver proper is the loop in main().
#include <Eigen/Core>
#include <cstdio>
#include <cstdlib>

#include "graze/mesh.hpp"
#include "graze/mesh/eigen.hpp"

namespace {

using Positions = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;  // no copies
constexpr int kSide = 9;
constexpr int kCloth = kSide * kSide;

Positions positions() {
    Positions V(kCloth + 4, 3);
    for (int i = 0; i < kCloth; ++i)
        V.row(i) << 0.25 * (i % kSide) - 1.0, 0.25 * (i / kSide) - 1.0, 1.5;
    V.bottomRows(4) << -1, -1, 0, 1, -1, 0, 0, 1, 0, 0.1, 0.1, 1;
    return V;
}

Eigen::MatrixXi faces() {
    Eigen::MatrixXi F(2 * (kSide - 1) * (kSide - 1) + 4, 3);
    int row = 0;
    for (int i = 0; i + 1 < kSide; ++i) {
        for (int j = 0; j + 1 < kSide; ++j) {
            const int a = i * kSide + j;
            F.row(row++) << a, a + 1, a + kSide;
            F.row(row++) << a + 1, a + kSide + 1, a + kSide;
        }
    }
    F.bottomRows(4) << 0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3;
    F.bottomRows(4).array() += kCloth;
    return F;
}

// What the solver would like to do: fall. (Forces, constraints and a linear system are up to you.)
Positions displacement() {
    Positions dV = Positions::Zero(kCloth + 4, 3);
    dV.topRows(kCloth).col(2).setConstant(-0.05);
    return dV;
}

}  // namespace

int main() {
    Positions V = positions();
    auto stepper = graze::MeshStepper::create(V, Eigen::MatrixXi(), faces());
    if (!stepper) return EXIT_FAILURE;
    graze::StepOptions options;
    options.query.min_separation = 1e-3;
    for (int i = 0; i < 40; ++i) {
        const auto step = graze::free_fractions(*stepper, V, V + displacement(), options);
        if (!step) return EXIT_FAILURE;
        if (!graze::write_positions(*step, V)) return EXIT_FAILURE;
    }
    const auto clearance = stepper->clearance(V, 1.0);
    const bool is_free = stepper->intersections(V)->empty();
    std::printf("least distance %.4f, lowest vertex %.3f, free: %s\n", clearance->least,
                V.topRows(kCloth).col(2).minCoeff(), is_free ? "yes" : "no");
    // The cloth lies on the tip, and hangs down around it.
    return is_free && clearance->least > 0.0009 && V.topRows(kCloth).col(2).maxCoeff() > 0.9
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}

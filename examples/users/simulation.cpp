// Simulation: a triangle falls on another one; Eigen matrices in and out, never an intersection.
#include <cstdio>
#include <graze/mesh/eigen.hpp>

int main() {
    Eigen::MatrixXd V(6, 3);
    V << 0, 0, 0, 2, 0, 0, 0, 2, 0, 0.5, 0.5, 1, 1, 0.5, 1, 0.5, 1, 1;
    Eigen::MatrixXi F(2, 3);
    F << 0, 1, 2, 3, 4, 5;
    graze::StepOptions options;
    options.query.min_separation = 1e-4;  // [length]
    for (int frame = 0; frame < 3; ++frame) {
        Eigen::MatrixXd target = V;
        target.bottomRows(3).col(2).array() -= 0.6;  // what the solver wants
        const auto step = graze::largest_safe_step(V, target, F, options);
        if (!step || !graze::write_positions(*step, V)) return 1;
        std::printf("%.9f of the step, height %.9f\n", step->fraction, V(3, 2));
    }
    return V(3, 2) > 1e-4 ? 0 : 1;
}

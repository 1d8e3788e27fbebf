// Energies against finite differences.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <vector>

#include "graze/sim/energy.hpp"

namespace graze::sim {

// The gradient of every element against central differences of its value. `relative`: to the largest
// component of the gradient, or to `scale` where that is larger.
inline void expect_gradient_of_value(const Energy& energy, std::vector<Vec3> x, double step,
                                     double relative, double scale = 0.0) {
    for (std::size_t e = 0; e < energy.element_count(); ++e) {
        ElementDerivatives d;
        energy.derivatives(e, x, d);
        const auto vertices = energy.vertices(e);
        const auto rows = static_cast<Eigen::Index>(3 * vertices.size());
        const double size = std::max(scale, d.gradient.head(rows).cwiseAbs().maxCoeff());
        for (std::size_t i = 0; i < vertices.size(); ++i)
            for (std::size_t k = 0; k < 3; ++k) {
                const double at = x[vertices[i]][k];
                x[vertices[i]][k] = at + step;
                const double above = energy.value(e, x);
                x[vertices[i]][k] = at - step;
                const double below = energy.value(e, x);
                x[vertices[i]][k] = at;
                EXPECT_NEAR(d.gradient(static_cast<Eigen::Index>(3 * i + k)),
                            (above - below) / (2.0 * step), relative * size)
                    << "element " << e << ", vertex " << i << ", axis " << k;
            }
    }
}

// The Hessian of every element against central differences of its gradient; where the true Hessian has
// negative eigenvalues, only that the projected one has none.
inline void expect_hessian_of_gradient(const Energy& energy, std::vector<Vec3> x, double step,
                                       double relative) {
    for (std::size_t e = 0; e < energy.element_count(); ++e) {
        ElementDerivatives d;
        energy.derivatives(e, x, d);
        const auto vertices = energy.vertices(e);
        const auto rows = static_cast<Eigen::Index>(3 * vertices.size());
        Eigen::MatrixXd differences(rows, rows);
        for (std::size_t i = 0; i < vertices.size(); ++i)
            for (std::size_t k = 0; k < 3; ++k) {
                ElementDerivatives above;
                ElementDerivatives below;
                const double at = x[vertices[i]][k];
                x[vertices[i]][k] = at + step;
                energy.derivatives(e, x, above);
                x[vertices[i]][k] = at - step;
                energy.derivatives(e, x, below);
                x[vertices[i]][k] = at;
                differences.col(static_cast<Eigen::Index>(3 * i + k)) =
                    (above.gradient - below.gradient).head(rows) / (2.0 * step);
            }
        const Eigen::MatrixXd hessian = d.hessian.topLeftCorner(rows, rows);
        const double size = differences.cwiseAbs().maxCoeff();
        const Eigen::MatrixXd symmetric = 0.5 * (differences + differences.transpose());
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> of_true(symmetric);
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> of_projected(hessian);
        EXPECT_GE(of_projected.eigenvalues()(0), -1e-9 * size) << "element " << e;
        EXPECT_LE((hessian - hessian.transpose()).cwiseAbs().maxCoeff(), 1e-9 * size);
        if (of_true.eigenvalues()(0) < -1e-4 * size) continue;
        EXPECT_LE((hessian - symmetric).cwiseAbs().maxCoeff(), relative * size) << "element " << e;
    }
}

}  // namespace graze::sim

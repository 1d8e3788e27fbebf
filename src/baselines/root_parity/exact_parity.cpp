#include "baselines/root_parity/exact_parity.hpp"

#include "baselines/root_parity/exact_image.hpp"

namespace graze::parity {

template <class Motion>
Parity exact_parity(const Motion& motion, double t_max) noexcept {
    const ExactImage<Motion> image(motion, t_max);
    TriangleList<Motion> list;
    const Parity found = cut_into_triangles(image, list);
    return found == Parity::Even ? crossings(list, image) : found;
}

template Parity exact_parity(const VertexFaceMotion&, double) noexcept;
template Parity exact_parity(const EdgeEdgeMotion&, double) noexcept;

}  // namespace graze::parity

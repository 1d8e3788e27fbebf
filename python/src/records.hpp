// Lists of queries as arrays: start and end of shape (n, vertices, 3).
#pragma once

#include <vector>

#include "arrays.hpp"
#include "graze/io/polygon_mesh.hpp"
#include "graze/io/query_file.hpp"

namespace graze::python {

// (start, end, truth, first_time): truth is 1, 0 or -1 (unknown), first_time (n, 2) with NaN where
// it is unknown.
[[nodiscard]] py::tuple arrays_of_records(const std::vector<io::QueryRecord>& records,
                                          QueryKind kind);

// Lists of polygons as (V, corner counts, corners).
[[nodiscard]] py::tuple arrays_of_polygons(const io::PolygonMesh& mesh);

}  // namespace graze::python

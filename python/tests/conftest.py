from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[2]

settings.register_profile(
    "graze",
    derandomize=True,
    deadline=None,
    max_examples=60,
    database=None,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("graze")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "long: takes long; run by ./test.sh --nightly")


@pytest.fixture
def build_dir() -> Path:
    folder = os.environ.get("GRAZE_BUILD_DIR")
    if not folder:
        pytest.skip("GRAZE_BUILD_DIR is not set: run by ctest")
    return Path(folder)


@pytest.fixture
def scene():
    """Two triangles, the upper of which falls through the lower."""
    V = np.array(
        [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0.5, 0.5, 1], [1, 0.5, 1], [0.5, 1, 1]], dtype=float
    )
    W = V.copy()
    W[3:, 2] = -1
    return V, W, np.array([[0, 1, 2], [3, 4, 5]])

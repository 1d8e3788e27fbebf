// Steps of meshes and runs as the tool writes them, made from a few numbers.
import { raw } from './fixtures.mjs';

/** A square of 2 n^2 triangles; height(x, y) for x, y in [-1, 1]. */
function sheet(n, height) {
  const positions = new Float64Array(3 * (n + 1) ** 2);
  for (let j = 0, k = 0; j <= n; ++j) {
    for (let i = 0; i <= n; ++i) {
      const [x, y] = [2 * i / n - 1, 2 * j / n - 1];
      positions[k++] = x;
      positions[k++] = height(x, y);
      positions[k++] = y;
    }
  }
  return positions;
}
function sheetFaces(n) {
  const faces = new Uint32Array(6 * n * n);
  for (let j = 0, k = 0; j < n; ++j) {
    for (let i = 0; i < n; ++i) {
      const v = j * (n + 1) + i;
      for (const corner of [v, v + n + 1, v + 1, v + 1, v + n + 1, v + n + 2]) faces[k++] = corner;
    }
  }
  return faces;
}
function edgesOf(faces) {
  const keys = new Set();
  for (let i = 0; i < faces.length; ++i) {
    const [a, b] = [faces[i], faces[i % 3 === 2 ? i - 2 : i + 1]];
    keys.add(Math.min(a, b) * 2 ** 26 + Math.max(a, b));
  }
  return Float64Array.from(keys).sort().reduce((list, key, i) => {
    list[2 * i] = Math.floor(key / 2 ** 26);
    list[2 * i + 1] = key % 2 ** 26;
    return list;
  }, new Uint32Array(2 * keys.size));
}

/** A cloth that falls onto a bump below it: its vertices over the bump touch it, the sooner the nearer. */
export function meshView(n = 24, name = 'falling cloth') {
  const bump = (x, y) => -0.35 + 0.3 * Math.exp(-6 * (x * x + y * y));
  const folds = (x, y) => 0.25 + 0.06 * Math.sin(9 * x) * Math.cos(7 * y);
  const [cloth, ground] = [sheet(n, folds), sheet(n, bump)];
  const fallen = sheet(n, (x, y) => folds(x, y) - 0.45);
  const count = cloth.length / 3;
  const faces = Uint32Array.from([...sheetFaces(n), ...sheetFaces(n).map((v) => v + count)]);
  const impacts = { kind: [], a: [], b: [], lower: [] };
  const ofSheet = faces.length / 6;
  for (let v = 0; v < count; ++v) {
    const [i, j] = [v % (n + 1), Math.floor(v / (n + 1))];
    const gap = cloth[3 * v + 1] - ground[3 * v + 1];
    if (gap >= 0.45 || i >= n || j >= n) continue;
    impacts.kind.push(0);
    impacts.a.push(v);
    impacts.b.push(ofSheet + 2 * (j * n + i));
    impacts.lower.push(gap / 0.45);
  }
  const first = impacts.lower.indexOf(Math.min(...impacts.lower));
  const fraction = Array.from({ length: 2 * count }, () => 1);
  impacts.a.forEach((v, k) => { fraction[v] = impacts.lower[k]; });
  const candidates = { kind: raw('u8', impacts.kind), a: raw('u32', impacts.a), b: raw('u32', impacts.b) };
  return {
    type: 'mesh', name, faces: raw('u32', faces), edges: raw('u32', edgesOf(faces)),
    start: raw('f64', [...cloth, ...ground]), end: raw('f64', [...fallen, ...ground]),
    impacts: { ...candidates, toi_lower: raw('f64', impacts.lower), toi_upper: raw('f64', impacts.lower.map((t) => t + 1e-9)) },
    first: first < 0 ? null : first, toi_lower: first < 0 ? null : impacts.lower[first], bounds: { radius: raw('f64', fraction.map((f) => 0.2 * f)), fraction: raw('f64', fraction) },
    intersections: { kind: raw('u8', []), a: raw('u32', []), b: raw('u32', []) }, candidates,
  };
}

/** 2 n^2 triangles that wave, without impacts: for times. */
export function largeMeshView(n = 708) {
  const none = { kind: raw('u8', []), a: raw('u32', []), b: raw('u32', []) };
  return {
    type: 'mesh', name: `${2 * n * n} triangles`, faces: raw('u32', sheetFaces(n)), edges: raw('u32', []),
    start: raw('f64', sheet(n, (x, y) => 0.1 * Math.sin(20 * x) * Math.sin(20 * y))),
    end: raw('f64', sheet(n, (x, y) => 0.3 * Math.cos(3 * x) * Math.cos(3 * y))),
    impacts: { ...none, toi_lower: raw('f64', []), toi_upper: raw('f64', []) }, first: null, toi_lower: null, bounds: null, intersections: null, candidates: null,
  };
}

export function simView(frames = 40, n = 20, name = 'waving flag') {
  const statistics = Array.from({ length: frames }, (_, frame) => ({
    frame, energy: frame === 0 ? 0 : 1 + Math.sin(frame / 5), contacts: Math.max(0, Math.round(8 * Math.sin(frame / 9))), iterations: 5 + frame % 4,
    seconds: 0.02 + 0.01 * Math.abs(Math.sin(frame)), seconds_detection: 0.01,
  }));
  return {
    type: 'sim', name, faces: raw('u32', sheetFaces(n)), statistics,
    frames: statistics.map(({ frame }) => raw('f32', sheet(n, (x, y) => 0.15 * (x + 1) * Math.sin(5 * x - frame / 4) + 0.05 * y))),
  };
}

// A coarser surface of the same vertices, for pictures that must come soon.

/** More triangles than this are drawn coarsely while something moves. */
export const FEW_TRIANGLES = 250_000;
const CELLS = 100;

/**
 * Vertices of one cell of a grid become one of them; triangles that lose a corner go. `positions` are in
 * [-1, 1]. The indices are of the same vertices, so that positions, motions and values are shared.
 */
export function coarseFaces(positions: ArrayLike<number>, faces: Uint32Array): Uint32Array {
  for (let cells = CELLS; ; cells = Math.floor(cells / 1.5)) {
    const coarse = clustered(positions, faces, cells);
    if (coarse.length <= 3 * FEW_TRIANGLES / 2 || cells < 20) return coarse;
  }
}

function clustered(positions: ArrayLike<number>, faces: Uint32Array, cells: number): Uint32Array {
  const first = new Map<number, number>();
  const chosen = new Uint32Array(positions.length / 3);
  const cell = (x: number): number => Math.min(Math.max(Math.floor((x + 1) / 2 * cells), 0), cells - 1);
  for (let v = 0; v < chosen.length; ++v) {
    const key = cell(positions[3 * v]!) + cells * (cell(positions[3 * v + 1]!) + cells * cell(positions[3 * v + 2]!));
    const known = first.get(key);
    if (known === undefined) first.set(key, v);
    chosen[v] = known ?? v;
  }
  const kept = new Uint32Array(faces.length);
  let count = 0;
  for (let i = 0; i < faces.length; i += 3) {
    const [a, b, c] = [chosen[faces[i]!]!, chosen[faces[i + 1]!]!, chosen[faces[i + 2]!]!];
    if (a === b || b === c || c === a) continue;
    kept[count++] = a;
    kept[count++] = b;
    kept[count++] = c;
  }
  return kept.slice(0, count);
}

// Documents as the tool writes them, made from a few numbers: for tests and pictures of the page.

/** A list of numbers as raw data in base64. */
export function raw(dtype, values) {
  const types = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array };
  const list = types[dtype].from(values);
  return { dtype, count: list.length, base64: Buffer.from(list.buffer, list.byteOffset, list.byteLength).toString('base64') };
}

/** As the tool escapes it: no character of the document can end its element. */
export function embed(template, document) {
  const escapes = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026', '\u2028': '\\u2028', '\u2029': '\\u2029' };
  const json = JSON.stringify(document).replace(/[<>&\u2028\u2029]/g, (c) => escapes[c]);
  return template.replace('<!--GRAZE-DOCUMENT-->', () => `<script type="application/json" id="graze-document">${json}</script>`);
}

export function page(views, title = 'fixture') {
  return { graze: '0.1.0', title, views };
}

function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const FACE = [[0, 0, 0], [1.2, 0.05, 0.1], [0.15, -0.1, 1.1]];

/** A vertex that falls through a triangle which tilts: contact near t = 0.45. */
export const FALLING = [
  [0.35, 0.9, 0.3], ...FACE,
  [0.45, -0.7, 0.42], [0.1, 0.25, -0.1], [1.1, -0.3, 0.2], [0.0, 0.15, 1.25],
].flat();
/** The same vertex, which passes beside the triangle. */
export const PASSING = [
  [1.2, 0.9, 0.9], ...FACE,
  [1.3, -0.7, 1.0], ...FACE,
].flat();

export function queryView(queries = [FALLING], extra = {}) {
  return {
    type: 'query', name: 'falling vertex', kind: 'vf', count: queries.length, queries: raw('f64', queries.flat()), labels: null,
    truth: null, options: { min_separation: 0, norm: 'euclidean', t_max: 1 }, ...extra,
  };
}
export function edgesView() {
  const query = [[-1, 0.6, 0], [1, 0.5, 0.1], [0.1, 0, -1], [-0.1, 0, 1], [-1, -0.5, 0.2], [1, -0.2, 0], [0.3, 0.1, -1], [0.2, 0, 1]];
  return { ...queryView(), name: 'crossing edges', kind: 'ee', queries: raw('f64', query.flat()), truth: [1] };
}
export function pointsView() {
  return { ...queryView(), name: 'two vertices', kind: 'vv', queries: raw('f64', [0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0]) };
}
export function pointEdgeView() {
  return { ...queryView(), name: 'vertex and edge', kind: 've',
    queries: raw('f64', [0, 1, 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, -1, 0, 0, 1, 0, 0]) };
}
/** Many queries with names and truth. */
export function manyView(count = 1000) {
  const next = random(7);
  const queries = Array.from({ length: count }, () => Array.from({ length: 24 }, () => next() * 2 - 1));
  return { ...queryView(queries), name: 'random.csv', labels: queries.map((_, i) => `pair ${i % 17}-${i}`) };
}

// --- Rigid bodies ---

function box(x, y, z) {
  const vertices = [];
  for (const k of [-1, 1]) for (const j of [-1, 1]) for (const i of [-1, 1]) vertices.push(i * x, j * y, k * z);
  const faces = [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5];
  return { vertices: raw('f64', vertices), faces: raw('u32', faces) };
}
const turn = (axis, angle) => [Math.cos(angle / 2), ...axis.map((x) => x * Math.sin(angle / 2))];

/** A bar that swings over a block and hits it. */
export function rigidView() {
  return {
    type: 'rigid', name: 'swinging bar',
    bodies: [
      { name: 'bar', ...box(1.1, 0.12, 0.2), times: [0, 1], poses: raw('f64', [...turn([0, 0, 1], 1.2), -0.6, 1.2, 0, ...turn([0, 0, 1], -0.5), 0.2, 0.4, 0]) },
      { name: 'block', ...box(0.4, 0.4, 0.4), times: [0, 1], poses: raw('f64', [1, 0, 0, 0, 0.6, 0, 0.1, ...turn([0, 1, 0], 0.5), 0.5, 0, 0.1]) },
    ],
    first: null, collisions: [],
  };
}

// --- A level ---

/** A floor of 12 by 12 with walls, a few steps and a ramp; with the module, a ball that is pushed through it. */
export function slideView(graze = null, shape = { radii: [0.5, 0.5, 0.5] }) {
  const vertices = [];
  const faces = [];
  const quad = (a, b, c, d) => {
    const n = vertices.length / 3;
    vertices.push(...a, ...b, ...c, ...d);
    faces.push(n, n + 1, n + 2, n, n + 2, n + 3);
  };
  const block = (x0, y0, z0, x1, y1, z1) => {
    quad([x0, y1, z0], [x0, y1, z1], [x1, y1, z1], [x1, y1, z0]);
    quad([x0, y0, z0], [x0, y1, z0], [x1, y1, z0], [x1, y0, z0]);
    quad([x1, y0, z1], [x1, y1, z1], [x0, y1, z1], [x0, y0, z1]);
    quad([x0, y0, z1], [x0, y1, z1], [x0, y1, z0], [x0, y0, z0]);
    quad([x1, y0, z0], [x1, y1, z0], [x1, y1, z1], [x1, y0, z1]);
  };
  quad([-6, 0, -6], [-6, 0, 6], [6, 0, 6], [6, 0, -6]);
  block(-6, 0, -6.4, 6, 2, -6);
  block(-6, 0, 6, 6, 2, 6.4);
  block(-6.4, 0, -6.4, -6, 2, 6.4);
  block(6, 0, -6.4, 6.4, 2, 6.4);
  block(1, 0, -3, 1.4, 1.6, 4);
  block(-4, 0, 2, -1, 1.2, 2.4);
  for (let i = 0; i < 4; ++i) block(2.4 + 0.6 * i, 0, -4, 3 + 0.6 * i, 0.2 * (i + 1), -1);
  quad([-4, 0, -4], [-4, 0, -2], [-1.5, 1, -2], [-1.5, 1, -4]);
  const start = [-4.5, 0.51, -1];
  const level = graze?.level(vertices, faces);
  const frames = [];
  let position = start;
  for (let i = 0; i < 120; ++i) {
    const angle = i < 60 ? 0.35 : 1.9;
    const moved = level?.move(shape, position, [0.12 * Math.cos(angle), -0.02, 0.12 * Math.sin(angle)], 0.002)
      ?? { position: [position[0] + 0.02, position[1], position[2]], contacts: [], stopped: 'free', iterations: 1, gapProved: true };
    position = moved.position;
    frames.push({
      position, contacts: moved.contacts.map(({ face, point, normal, time }) => ({ face, point, normal, time })), stopped: moved.stopped,
      iterations: moved.iterations, penetration: 0, gap: level?.gap(shape, position, 2).gapLower ?? 0.01, keeps_skin: true, gap_proved: moved.gapProved,
    });
  }
  level?.destroy();
  return {
    type: 'slide', name: 'walled floor', vertices: raw('f64', vertices), faces: raw('u32', faces),
    shape: { type: 'shape', radii: shape.radii, half_axis: shape.halfAxis ?? [0, 0, 0], side_axes: shape.sideAxes ?? [] },
    skin: 0.002, start, frames,
  };
}

export const HOSTILE = '</script><img src=x onerror="window.hacked=1"><script>window.hacked=2</script>\u2028&lt;b&gt;';

/** Names that would run a script if any of them were taken for markup. */
export function hostilePage() {
  return page([
    queryView([FALLING, PASSING], { name: HOSTILE, labels: [HOSTILE, HOSTILE] }),
    { ...rigidView(), name: HOSTILE, bodies: rigidView().bodies.map((body) => ({ ...body, name: HOSTILE })) },
    { ...slideView(), name: HOSTILE },
    { type: HOSTILE, name: HOSTILE },
  ], HOSTILE);
}

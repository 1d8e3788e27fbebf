// The WebAssembly module behind functions of plain values.
import type {
  BodyContact, Collisions, FeatureType, Gap, Impact, LevelContact, Method, MethodRole, Move, MovingShape,
  NearestPoint, PairStep, Pose, QueryKind, QueryOptions, QueryResult, StairAction, StartState, StopReason,
  TraceBox, Vector, Verdict,
} from './types.js';

/** An input that cannot be answered, or a module that has run out of memory. */
export class GrazeError extends Error {
  override name = 'GrazeError';
}

type Pointer = number;

interface Exports {
  memory: WebAssembly.Memory;
  _initialize?(): void;
  graze_alloc(bytes: number): Pointer;
  graze_free(memory: Pointer): void;
  graze_version(): Pointer;
  graze_methods(): Pointer;
  graze_last_error(): Pointer;
  graze_run(method: number, kind: number, count: number, queries: Pointer, options: Pointer, results: Pointer): void;
  graze_tier(kind: number, query: Pointer, options: Pointer): Pointer;
  graze_nearest(kind: number, query: Pointer, count: number, times: Pointer, to: Pointer): void;
  graze_distance_lower(kind: number, query: Pointer, norm: number): number;
  graze_trace(kind: number, query: Pointer, options: Pointer, capacity: number, to: Pointer): number;
  graze_body_create(vertices: number, positions: Pointer, faces: number, indices: Pointer): Pointer;
  graze_body_destroy(body: Pointer): void;
  graze_pair_pose(step: Pointer, which: number, time: number, to: Pointer): void;
  graze_first_impact(a: Pointer, b: Pointer, step: Pointer, separation: number, checks: number, to: Pointer): void;
  graze_all_impacts(a: Pointer, b: Pointer, step: Pointer, checks: number, properness: number, capacity: number, to: Pointer): number;
  graze_level_create(vertices: number, positions: Pointer, faces: number, indices: Pointer): Pointer;
  graze_level_destroy(level: Pointer): void;
  graze_move(level: Pointer, shape: Pointer, start: Pointer, displacement: Pointer, skin: number, to: Pointer): void;
  graze_climb(level: Pointer, shape: Pointer, start: Pointer, displacement: Pointer, skin: number, up: Pointer, height: number, to: Pointer): void;
  graze_gap(level: Pointer, shape: Pointer, centre: Pointer, reach: number, to: Pointer): void;
}

const KINDS: readonly QueryKind[] = ['vf', 'ee', 'vv', 've'];
const VERDICTS: readonly Verdict[] = ['separated', 'contact', 'unresolved'];
const ROLES: readonly MethodRole[] = ['detector', 'filter', 'as-published', 'ground-truth'];
const POINT_FEATURES: readonly FeatureType[] = ['vertex', 'edge', 'face'];
const LEVEL_FEATURES: readonly FeatureType[] = ['face', 'edge', 'vertex'];
const STARTS: readonly StartState[] = ['separated', 'contact', 'a-inside-b', 'b-inside-a', 'unresolved'];
const CONTACTS: readonly BodyContact['type'][] = ['vf', 'fv', 'ee', 'ff'];
const STOPS: readonly StopReason[] = ['free', 'blocked', 'pushed-out', 'limit'];
const STAIRS: readonly StairAction[] = ['not-needed', 'climbed', 'no-room', 'too-high', 'not-walkable'];

const RESULT_NUMBERS = 5;
const NEAREST_NUMBERS = 16;
const BOX_NUMBERS = 8;
const CONTACT_NUMBERS = 13;
const TOUCH_NUMBERS = 9;
const MOVE_NUMBERS = 8 + 8 * TOUCH_NUMBERS;

/** How many vertices a query of this kind has. */
export function vertexCount(kind: QueryKind): number {
  return kind === 'vv' ? 2 : kind === 've' ? 3 : 4;
}

/** What is left out of the options has these values, those of the C++ library. */
export const DEFAULT_OPTIONS: Required<QueryOptions> = {
  minSeparation: 0, norm: 'euclidean', distanceTolerance: 1e-6, timeWidth: 1e-9, tMax: 1, maxChecks: 1_000_000,
};

const vector = (n: ArrayLike<number>, at: number): Vector => [n[at]!, n[at + 1]!, n[at + 2]!];

function result(n: ArrayLike<number>, at: number): QueryResult {
  return {
    verdict: VERDICTS[n[at]!] ?? 'unresolved', toiLower: n[at + 1]!, toiUpper: n[at + 2]!, checks: n[at + 3]!,
    tolerance: n[at + 4]!,
  };
}

function bodyContact(n: ArrayLike<number>, at: number): BodyContact {
  return {
    type: CONTACTS[n[at]!] ?? 'ff', a: n[at + 1]!, b: n[at + 2]!, time: n[at + 3]!, point: vector(n, at + 4),
    normal: vector(n, at + 7), properness: n[at + 10]!, timeLower: n[at + 11]!, timeUpper: n[at + 12]!,
  };
}

function levelContact(n: ArrayLike<number>, at: number): LevelContact {
  return {
    face: n[at]!, feature: LEVEL_FEATURES[n[at + 1]!] ?? 'face', time: n[at + 2]!, point: vector(n, at + 3),
    normal: vector(n, at + 6),
  };
}

function move(n: ArrayLike<number>): Move {
  const count = n[7]!;
  return {
    position: vector(n, 0), stopped: STOPS[n[3]!] ?? 'blocked', skin: n[4]!, gapProved: n[5] === 1, iterations: n[6]!,
    contacts: Array.from({ length: count }, (_, i) => levelContact(n, 8 + i * TOUCH_NUMBERS)),
  };
}

function optionNumbers(options: QueryOptions): number[] {
  const o = { ...DEFAULT_OPTIONS, ...options };
  return [o.minSeparation, o.norm === 'max' ? 1 : 0, o.distanceTolerance, o.timeWidth, o.tMax, o.maxChecks];
}

function stepNumbers(step: PairStep): number[] {
  const numbers: number[] = [];
  for (const pose of [step.a.start, step.a.end, step.b.start, step.b.end]) {
    if (pose.length !== 7) throw new GrazeError('a pose has seven numbers: rotation w x y z, translation x y z');
    numbers.push(...Array.from(pose));
  }
  return numbers;
}

function shapeNumbers(shape: MovingShape): number[] {
  const [p, q] = shape.sideAxes ?? [[0, 0, 0], [0, 0, 0]];
  return [...shape.radii, ...(shape.halfAxis ?? [0, 0, 0]), ...p, ...q];
}

/** A body in the memory of the module. */
export class Body {
  /** @internal */
  constructor(readonly graze: Graze, /** @internal */ readonly handle: Pointer) {}
  destroy(): void {
    this.graze.call((e) => e.graze_body_destroy(this.handle));
  }
}

/** A level in the memory of the module. */
export class Level {
  /** @internal */
  constructor(readonly graze: Graze, /** @internal */ readonly handle: Pointer) {}

  /** Moves the shape by the displacement, or as far along what it meets as that allows. skin 0: the default. */
  move(shape: MovingShape, start: Vector, displacement: Vector, skin = 0): Move {
    return move(this.graze.compute([shapeNumbers(shape), start, displacement], MOVE_NUMBERS,
      (e, [s, p, d], to) => e.graze_move(this.handle, s!, p!, d!, skin, to)));
  }
  /** The same, over steps up to `height` along `up`. */
  climb(shape: MovingShape, start: Vector, displacement: Vector, up: Vector, height: number, skin = 0):
    Move & { action: StairAction } {
    const n = this.graze.compute([shapeNumbers(shape), start, displacement, up], MOVE_NUMBERS + 1,
      (e, [s, p, d, u], to) => e.graze_climb(this.handle, s!, p!, d!, skin, u!, height, to));
    return { ...move(n), action: STAIRS[n[MOVE_NUMBERS]!] ?? 'not-needed' };
  }
  /** The nearest face within `reach` of the shape's surface, and a proved lower bound of the gap. */
  gap(shape: MovingShape, centre: Vector, reach: number): Gap {
    const n = this.graze.compute([shapeNumbers(shape), centre], 2 + TOUCH_NUMBERS,
      (e, [s, c], to) => e.graze_gap(this.handle, s!, c!, reach, to));
    return { found: n[0] === 1, gapLower: n[1]!, contact: levelContact(n, 2) };
  }
  destroy(): void {
    this.graze.call((e) => e.graze_level_destroy(this.handle));
  }
}

/** The library. One thread asks it at a time: another one (a worker) makes its own of `module`. */
export class Graze {
  readonly version: string;
  readonly methods: readonly Method[];
  readonly #exports: Exports;
  #scratch: Pointer = 0;
  #scratchBytes = 0;
  #failure: string | undefined;

  /** @internal use load(), instantiate() or fromModule() */
  constructor(instance: WebAssembly.Instance, readonly module: WebAssembly.Module) {
    this.#exports = instance.exports as unknown as Exports;
    this.#exports._initialize?.();
    this.version = this.#text(this.#exports.graze_version());
    this.methods = this.#text(this.#exports.graze_methods()).trimEnd().split('\n').map((line) => {
      const [name, role, kinds, declared, summary] = line.split('\t') as [string, string, string, string, string];
      const has = (bit: number): boolean => (Number(declared) & (1 << bit)) !== 0;
      return {
        name, summary, role: ROLES[Number(role)] ?? 'detector',
        kinds: KINDS.filter((_, i) => (Number(kinds) & (1 << i)) !== 0),
        guarantee: {
          noFalseNegatives: has(0), noFalsePositives: has(1), provedToiLower: has(2), provedToiUpper: has(3),
          provedTolerance: has(4), alwaysResolves: has(5), minSeparationEuclidean: has(6), minSeparationMaxNorm: has(7),
        },
      };
    });
  }

  /** One query: all vertices at the start, three numbers each, then all at the end. */
  query(kind: QueryKind, positions: ArrayLike<number>, options: QueryOptions = {}, method = 'certified'): QueryResult {
    return this.queries(kind, positions, options, method, 1)[0]!;
  }
  /** Many queries of one kind, one after the other. */
  queries(kind: QueryKind, positions: ArrayLike<number>, options: QueryOptions = {}, method = 'certified',
          count = positions.length / (6 * vertexCount(kind))): QueryResult[] {
    const numbers = this.queryNumbers(kind, positions, options, method, count);
    return Array.from({ length: count }, (_, i) => result(numbers, i * RESULT_NUMBERS));
  }
  /** The same as numbers: verdict, toiLower, toiUpper, checks, tolerance of each. */
  queryNumbers(kind: QueryKind, positions: ArrayLike<number>, options: QueryOptions = {}, method = 'certified',
               count = positions.length / (6 * vertexCount(kind))): Float64Array {
    const index = this.methods.findIndex((m) => m.name === method);
    if (index < 0) throw new GrazeError(`there is no method '${method}'`);
    const kindIndex = this.#kind(kind, positions, count);
    return this.compute([positions, optionNumbers(options)], count * RESULT_NUMBERS,
      (e, [q, o], to) => e.graze_run(index, kindIndex, count, q!, o!, to));
  }
  /** Which tier of `certified` decides the query. */
  tier(kind: QueryKind, positions: ArrayLike<number>, options: QueryOptions = {}): string {
    const kindIndex = this.#kind(kind, positions, 1);
    let name = '';
    this.compute([positions, optionNumbers(options)], 0, (e, [q, o]) => {
      name = this.#text(e.graze_tier(kindIndex, q!, o!));
    });
    return name;
  }
  /** The nearest points at these times, 0 <= t <= 1. */
  nearest(kind: QueryKind, positions: ArrayLike<number>, times: ArrayLike<number>): NearestPoint[] {
    const kindIndex = this.#kind(kind, positions, 1);
    const n = this.compute([positions, times], times.length * NEAREST_NUMBERS,
      (e, [q, t], to) => e.graze_nearest(kindIndex, q!, times.length, t!, to));
    const feature = (at: number): NearestPoint['featureA'] => ({ type: POINT_FEATURES[n[at]!] ?? 'vertex', index: n[at + 1]! });
    return Array.from({ length: times.length }, (_, i) => {
      const at = i * NEAREST_NUMBERS;
      return {
        u: n[at]!, v: n[at + 1]!, onA: vector(n, at + 2), onB: vector(n, at + 5), normal: vector(n, at + 8),
        distance: n[at + 11]!, featureA: feature(at + 12), featureB: feature(at + 14),
      };
    });
  }
  /** A proved lower bound of the distance at the start. */
  distanceLower(kind: QueryKind, positions: ArrayLike<number>, norm: 'euclidean' | 'max' = 'euclidean'): number {
    const kindIndex = this.#kind(kind, positions, 1);
    let distance = 0;
    this.compute([positions], 0, (e, [q]) => {
      distance = e.graze_distance_lower(kindIndex, q!, norm === 'max' ? 1 : 0);
    });
    return distance;
  }
  /** The first boxes that `tight-inclusion` looks at. */
  trace(kind: QueryKind, positions: ArrayLike<number>, options: QueryOptions = {}, capacity = 20_000): TraceBox[] {
    const kindIndex = this.#kind(kind, positions, 1);
    let count = 0;
    const n = this.compute([positions, optionNumbers(options)], capacity * BOX_NUMBERS, (e, [q, o], to) => {
      count = e.graze_trace(kindIndex, q!, o!, capacity, to);
    });
    return Array.from({ length: count }, (_, i) => {
      const at = i * BOX_NUMBERS;
      return {
        t: n[at]!, u: n[at + 1]!, v: n[at + 2]!, dt: n[at + 3]!, du: n[at + 4]!, dv: n[at + 5]!, level: n[at + 6]!,
        kept: n[at + 7] === 1,
      };
    });
  }

  /** A body of triangles. */
  body(vertices: ArrayLike<number>, faces: ArrayLike<number>): Body {
    return new Body(this, this.#create(vertices, faces, 'graze_body_create'));
  }
  /** The world pose of A or B at the time, 0 <= t <= 1, on their true paths. */
  pairPose(step: PairStep, which: 'a' | 'b', time: number): Pose {
    return this.compute([stepNumbers(step)], 7,
      (e, [s], to) => e.graze_pair_pose(s!, which === 'a' ? 0 : 1, time, to));
  }
  firstImpact(a: Body, b: Body, step: PairStep, options: { minSeparation?: number; maxChecks?: number } = {}): Impact {
    const n = this.compute([stepNumbers(step)], 5 + CONTACT_NUMBERS, (e, [s], to) =>
      e.graze_first_impact(a.handle, b.handle, s!, options.minSeparation ?? 0, options.maxChecks ?? 1e8, to));
    return {
      verdict: VERDICTS[n[0]!] ?? 'unresolved', toiLower: n[1]!, toiUpper: n[2]!, checks: n[3]!,
      start: STARTS[n[4]!] ?? 'unresolved', contact: bodyContact(n, 5),
    };
  }
  /** Every crossing that is proper enough, in the order of time. */
  allImpacts(a: Body, b: Body, step: PairStep,
             options: { maxChecks?: number; minProperness?: number; capacity?: number } = {}): Collisions {
    const capacity = options.capacity ?? 10_000;
    let count = 0;
    const n = this.compute([stepNumbers(step)], 1 + capacity * CONTACT_NUMBERS, (e, [s], to) => {
      count = e.graze_all_impacts(a.handle, b.handle, s!, options.maxChecks ?? 1e8, options.minProperness ?? -0.1,
        capacity, to);
    });
    return {
      complete: n[0] === 1, count,
      contacts: Array.from({ length: Math.min(count, capacity) }, (_, i) => bodyContact(n, 1 + i * CONTACT_NUMBERS)),
    };
  }
  /** A level of triangles, which may overlap, cross and meet in any manner. */
  level(vertices: ArrayLike<number>, faces: ArrayLike<number>): Level {
    return new Level(this, this.#create(vertices, faces, 'graze_level_create'));
  }

  /** @internal Copies the inputs into the module, calls, and copies `outputs` numbers out of it. */
  compute(inputs: ArrayLike<number>[], outputs: number,
          call: (exports: Exports, inputs: Pointer[], to: Pointer) => void): Float64Array {
    const total = inputs.reduce((sum, input) => sum + input.length, outputs);
    return this.call((e) => {
      const base = this.#reserve(total * 8);
      const numbers = new Float64Array(e.memory.buffer, base, total);
      const pointers: Pointer[] = [];
      let at = 0;
      for (const input of inputs) {
        numbers.set(input, at);
        pointers.push(base + at * 8);
        at += input.length;
      }
      const to = base + at * 8;
      call(e, pointers, to);
      // A call may have grown the memory, and an old view of it is then empty.
      return new Float64Array(e.memory.buffer, to, outputs).slice();
    });
  }
  /** @internal A trap leaves the module in no known state. */
  call<T>(body: (exports: Exports) => T): T {
    if (this.#failure !== undefined) throw new GrazeError(this.#failure);
    try {
      return body(this.#exports);
    } catch (error) {
      if (error instanceof GrazeError) throw error;
      this.#failure = `the module has stopped (${String(error)}); load it again`;
      throw new GrazeError(this.#failure);
    }
  }

  #reserve(bytes: number): Pointer {
    if (bytes > this.#scratchBytes) {
      if (this.#scratch !== 0) this.#exports.graze_free(this.#scratch);
      this.#scratchBytes = 0;
      this.#scratch = this.#exports.graze_alloc(bytes);
      if (this.#scratch === 0) throw new GrazeError(`no memory for ${bytes} bytes`);
      this.#scratchBytes = bytes;
    }
    return this.#scratch;
  }
  #create(vertices: ArrayLike<number>, faces: ArrayLike<number>, make: 'graze_body_create' | 'graze_level_create'): Pointer {
    if (vertices.length % 3 !== 0 || faces.length % 3 !== 0) {
      throw new GrazeError('vertices have three coordinates, faces three vertices');
    }
    return this.call((e) => {
      const base = this.#reserve(vertices.length * 8 + faces.length * 4);
      new Float64Array(e.memory.buffer, base, vertices.length).set(vertices);
      const indices = base + vertices.length * 8;
      new Uint32Array(e.memory.buffer, indices, faces.length).set(faces);
      const handle = e[make](vertices.length / 3, base, faces.length / 3, indices);
      if (handle === 0) throw new GrazeError(this.#text(e.graze_last_error()));
      return handle;
    });
  }
  #kind(kind: QueryKind, positions: ArrayLike<number>, count: number): number {
    const index = KINDS.indexOf(kind);
    if (index < 0) throw new GrazeError(`there is no kind '${String(kind)}' of query`);
    if (!Number.isInteger(count) || positions.length !== count * 6 * vertexCount(kind)) {
      throw new GrazeError(`a query of kind ${kind} has ${6 * vertexCount(kind)} coordinates`);
    }
    return index;
  }
  #text(at: Pointer): string {
    const bytes = new Uint8Array(this.#exports.memory.buffer);
    let end = at;
    while (bytes[end] !== 0) end += 1;
    return new TextDecoder().decode(bytes.slice(at, end));
  }
}

/** Compiles the bytes of graze.wasm. */
export async function instantiate(bytes: BufferSource): Promise<Graze> {
  return fromModule(await WebAssembly.compile(bytes));
}

/** Another instance of a module that is compiled already, with memory of its own. */
export async function fromModule(module: WebAssembly.Module): Promise<Graze> {
  const imports: WebAssembly.Imports = {};
  // What the C library would ask of a system. None of it is needed: no file, no clock, no text.
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== 'function') continue;
    const none = name === 'emscripten_notify_memory_growth' ? (): void => {} : (): number => {
      if (name === 'proc_exit' || name === 'abort') throw new GrazeError('the module has stopped');
      return 52;  // ENOSYS
    };
    (imports[from] ??= {})[name] = none;
  }
  return new Graze(await WebAssembly.instantiate(module, imports), module);
}

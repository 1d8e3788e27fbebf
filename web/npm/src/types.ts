// What goes into the module and what comes out of it.

/** Vertex-face, edge-edge, vertex-vertex, vertex-edge. */
export type QueryKind = 'vf' | 'ee' | 'vv' | 've';
export type Verdict = 'separated' | 'contact' | 'unresolved';
export type Norm = 'euclidean' | 'max';

/** As CcdOptions of the C++ library; what is left out has its default. */
export interface QueryOptions {
  /** [length] >= 0: contact means distance <= minSeparation, measured in `norm`. */
  minSeparation?: number;
  norm?: Norm;
  /** [length] > 0: how close may count as contact, for methods that have such a tolerance. */
  distanceTolerance?: number;
  /** [fraction of the step] > 0: requested width of [toiLower, toiUpper]. */
  timeWidth?: number;
  /** [fraction of the step] in [0, 1]: only [0, tMax] is tested. */
  tMax?: number;
  /** Work budget >= 1, in the unit of the method's `checks`. */
  maxChecks?: number;
}

export interface QueryResult {
  verdict: Verdict;
  /** [0, toiLower) is proved free; infinity where separated. */
  toiLower: number;
  /** Contact at or before it is proved; infinity without a proof. */
  toiUpper: number;
  checks: number;
  tolerance: number;
}

export interface Guarantee {
  noFalseNegatives: boolean;
  noFalsePositives: boolean;
  provedToiLower: boolean;
  provedToiUpper: boolean;
  provedTolerance: boolean;
  alwaysResolves: boolean;
  minSeparationEuclidean: boolean;
  minSeparationMaxNorm: boolean;
}

export type MethodRole = 'detector' | 'filter' | 'as-published' | 'ground-truth';

export interface Method {
  name: string;
  summary: string;
  role: MethodRole;
  kinds: QueryKind[];
  guarantee: Guarantee;
}

export type Vector = [number, number, number];
export type FeatureType = 'vertex' | 'edge' | 'face';

/** Where two primitives are nearest to each other at one time: an estimate. */
export interface NearestPoint {
  u: number;
  v: number;
  onA: Vector;
  onB: Vector;
  normal: Vector;
  /** The distance of the two points, rounded up. */
  distance: number;
  featureA: { type: FeatureType; index: number };
  featureB: { type: FeatureType; index: number };
}

/** A box of the domain (t, u, v) of `tight-inclusion`, in the order of the search. */
export interface TraceBox {
  /** Lower corner and widths. */
  t: number;
  u: number;
  v: number;
  dt: number;
  du: number;
  dv: number;
  level: number;
  /** False: excluded, there is no contact in it. */
  kept: boolean;
}

/** Rotation w x y z, translation x y z. */
export type Pose = ArrayLike<number>;

/** Both ends of the step of two bodies. */
export interface PairStep {
  a: { start: Pose; end: Pose };
  b: { start: Pose; end: Pose };
}

export interface BodyContact {
  /** A's feature first; `ff` only for the first impact. */
  type: 'vf' | 'fv' | 'ee' | 'ff';
  /** Vertex, edge or face, by type; -1 where none is known. */
  a: number;
  b: number;
  time: number;
  /** In the world. */
  point: Vector;
  normal: Vector;
  properness: number;
  timeLower: number;
  timeUpper: number;
}

export type StartState = 'separated' | 'contact' | 'a-inside-b' | 'b-inside-a' | 'unresolved';

export interface Impact {
  verdict: Verdict;
  toiLower: number;
  toiUpper: number;
  checks: number;
  start: StartState;
  contact: BodyContact;
}

export interface Collisions {
  /** Nothing was left out. */
  complete: boolean;
  /** How many there are; `contacts` holds at most as many as were asked for. */
  count: number;
  contacts: BodyContact[];
}

/**
 * An ellipsoid along the axes; with a half axis swept along a segment: a capsule. With side axes, too, swept
 * over a box: a box with rounded edges. Axes are perpendicular to each other.
 */
export interface MovingShape {
  radii: Vector;
  halfAxis?: Vector;
  sideAxes?: [Vector, Vector];
}

export interface LevelContact {
  face: number;
  feature: FeatureType;
  time: number;
  point: Vector;
  normal: Vector;
}

export type StopReason = 'free' | 'blocked' | 'pushed-out' | 'limit';
export type StairAction = 'not-needed' | 'climbed' | 'no-room' | 'too-high' | 'not-walkable';

export interface Move {
  position: Vector;
  stopped: StopReason;
  /** As used: what the gap at `position` is at least, where gapProved. */
  skin: number;
  gapProved: boolean;
  iterations: number;
  contacts: LevelContact[];
}

export interface Gap {
  found: boolean;
  /** From below; negative where shape and level overlap. */
  gapLower: number;
  contact: LevelContact;
}

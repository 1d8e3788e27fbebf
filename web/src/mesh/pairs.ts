// Pairs of elements of a mesh: which vertices they have, and what is drawn of them.
import type { QueryKind } from '../../npm/src/types.js';
import { DocumentError, indices, isObject, numbers, type Json } from '../document.js';

export const KINDS: QueryKind[] = ['vf', 'ee', 'vv', 've'];
const ELEMENTS: Record<QueryKind, [string, string]> = {
  vf: ['vertex', 'face'], ee: ['edge', 'edge'], vv: ['vertex', 'vertex'], ve: ['vertex', 'edge'],
};

export interface Pairs {
  kind: Uint32Array;
  a: Uint32Array;
  b: Uint32Array;
}
export interface Impacts extends Pairs {
  toiLower: Float64Array;
  toiUpper: Float64Array;
}

export interface Elements {
  vertexCount: number;
  faces: Uint32Array;
  edges: Uint32Array;
}

function readPairs(value: Json | undefined, what: string, kinds: number): Pairs | null {
  if (value === null || value === undefined) return null;
  if (!isObject(value)) throw new DocumentError(`${what}: not an object`);
  const pairs = { kind: indices(value['kind'], what), a: indices(value['a'], what), b: indices(value['b'], what) };
  if (pairs.a.length !== pairs.kind.length || pairs.b.length !== pairs.kind.length || pairs.kind.some((kind) => kind >= kinds)) {
    throw new DocumentError(`${what}: not a list of pairs`);
  }
  return pairs;
}

/** Pairs of the mesh alone: others are no error of the page's, but nothing to draw. */
function isThere(mesh: Elements, vertices: number[]): boolean {
  return vertices.length > 0 && vertices.every((v) => v < mesh.vertexCount);
}

export function readImpacts(value: Json | undefined): Impacts {
  const pairs = readPairs(value, 'impacts', KINDS.length);
  if (!pairs || !isObject(value)) throw new DocumentError('impacts: missing');
  const impacts = { ...pairs, toiLower: numbers(value['toi_lower'], 'impacts'), toiUpper: numbers(value['toi_upper'], 'impacts') };
  if (impacts.toiLower.length !== pairs.a.length || impacts.toiUpper.length !== pairs.a.length) {
    throw new DocumentError('impacts: not a time for each');
  }
  return impacts;
}
export function readCandidates(value: Json | undefined): Pairs | null {
  return readPairs(value, 'candidates', KINDS.length);
}
export function readIntersections(value: Json | undefined): Pairs | null {
  return readPairs(value, 'intersections', 5);
}

const face = (mesh: Elements, i: number): number[] => (3 * i + 2 < mesh.faces.length ? [...mesh.faces.subarray(3 * i, 3 * i + 3)] : []);
const edge = (mesh: Elements, i: number): number[] => (2 * i + 1 < mesh.edges.length ? [...mesh.edges.subarray(2 * i, 2 * i + 2)] : []);

/** The vertices of both elements, as query files order them; none where the mesh has no such pair. */
export function verticesOf(mesh: Elements, kind: QueryKind, a: number, b: number): [number[], number[]] {
  const first = kind === 'ee' ? edge(mesh, a) : [a];
  const second = kind === 'vf' ? face(mesh, b) : kind === 'vv' ? [b] : edge(mesh, b);
  return isThere(mesh, first) && isThere(mesh, second) ? [first, second] : [[], []];
}
/** Of an intersection: edge and face, vertex and face, edge and edge, two vertices, vertex and edge. */
function intersectionVertices(mesh: Elements, kind: number, a: number, b: number): [number[], number[]] {
  if (kind === 0) {
    const [first, second] = [edge(mesh, a), face(mesh, b)];
    return isThere(mesh, first) && isThere(mesh, second) ? [first, second] : [[], []];
  }
  return verticesOf(mesh, KINDS[kind - 1]!, a, b);
}

function outline(element: number[], lines: number[]): void {
  if (element.length === 2) lines.push(element[0]!, element[1]!);
  if (element.length === 3) lines.push(element[0]!, element[1]!, element[1]!, element[2]!, element[2]!, element[0]!);
}
/** The sides of all elements of the pairs, as pairs of vertices. */
export function outlines(mesh: Elements, pairs: Pairs, kindOf: 'query' | 'intersection' = 'query', most = Infinity): Uint32Array {
  const lines: number[] = [];
  for (let i = 0; i < Math.min(pairs.kind.length, most); ++i) {
    const kind = pairs.kind[i]!;
    const elements = kindOf === 'query' ? verticesOf(mesh, KINDS[kind]!, pairs.a[i]!, pairs.b[i]!)
      : intersectionVertices(mesh, kind, pairs.a[i]!, pairs.b[i]!);
    for (const element of elements) outline(element, lines);
  }
  return Uint32Array.from(lines);
}

export function pairName(kind: QueryKind, a: number, b: number): string {
  return `${ELEMENTS[kind][0]} ${a}, ${ELEMENTS[kind][1]} ${b}`;
}

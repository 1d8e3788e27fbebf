// The document that the tool writes into the page (docs/viewer.md), read with suspicion.
import type { QueryKind } from '../npm/src/types.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export class DocumentError extends Error {}

export interface ViewData extends JsonObject {
  type: string;
  name: string;
}

export interface PageDocument {
  version: string;
  title: string;
  views: ViewData[];
}

const ARRAYS = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array } as const;

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** A list of numbers: a plain one, or raw little-endian data in base64. */
export function numbers(value: Json | undefined, what: string): Float64Array {
  if (Array.isArray(value)) {
    if (!value.every((x) => typeof x === 'number' || x === null)) throw new DocumentError(`${what}: not a list of numbers`);
    return Float64Array.from(value as (number | null)[], (x) => x ?? NaN);
  }
  return Float64Array.from(raw(value, what));
}
/** The same of whole numbers, such as faces. */
export function indices(value: Json | undefined, what: string): Uint32Array {
  if (Array.isArray(value)) {
    if (!value.every((x) => typeof x === 'number' && Number.isInteger(x) && x >= 0)) {
      throw new DocumentError(`${what}: not a list of indices`);
    }
    return Uint32Array.from(value as number[]);
  }
  return Uint32Array.from(raw(value, what));
}

function raw(value: Json | undefined, what: string): ArrayLike<number> {
  if (!isObject(value) || typeof value['base64'] !== 'string' || typeof value['dtype'] !== 'string') {
    throw new DocumentError(`${what}: missing`);
  }
  const Type = ARRAYS[value['dtype'] as keyof typeof ARRAYS];
  if (!Type) throw new DocumentError(`${what}: unknown dtype`);
  const bytes = bytesOf(value['base64']);
  if (bytes.length % Type.BYTES_PER_ELEMENT !== 0) throw new DocumentError(`${what}: cut short`);
  const list = new Type(bytes.buffer);
  if (typeof value['count'] === 'number' && value['count'] !== list.length) {
    throw new DocumentError(`${what}: ${list.length} numbers where ${value['count']} are announced`);
  }
  return list;
}

export function text(value: Json | undefined, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise;
}
export function number(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
/** Of the tool's JSON, which writes null for what is not finite. */
export function time(value: Json | undefined): number {
  return typeof value === 'number' ? value : Infinity;
}
export function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

export function queryKind(value: Json | undefined): QueryKind {
  if (value === 'vf' || value === 'ee' || value === 'vv' || value === 've') return value;
  throw new DocumentError('kind: must be vf, ee, vv or ve');
}

export function readDocument(source: string | null): PageDocument {
  if (source === null || source.trim() === '') return { version: '', title: 'graze', views: [] };
  let json: Json;
  try {
    json = JSON.parse(source) as Json;
  } catch (error) {
    throw new DocumentError(`the document is not JSON: ${String(error)}`);
  }
  if (!isObject(json)) throw new DocumentError('the document is not an object');
  const views = list(json['views']).filter(isObject)
    .map((view): ViewData => ({ ...view, type: text(view['type']), name: text(view['name'], text(view['type'])) }));
  return { version: text(json['graze']), title: text(json['title'], 'graze'), views };
}

// Two primitives that move: when they touch, by proof, and what every method says about it.
import { Group, Vector3 } from 'three';
import { vertexCount } from '../../npm/src/module.js';
import type { NearestPoint, QueryKind, QueryOptions, QueryResult, Verdict } from '../../npm/src/types.js';
import { DocumentError, isObject, list, number, numbers, queryKind, text, time, type Json, type ViewData } from '../document.js';
import { button, card, clear, copyText, el } from '../dom.js';
import { brief, toDecimal, toHex } from '../numbers.js';
import { DomainPlot } from '../query/domain.js';
import { MethodTable, type ToolAnswer } from '../query/methods.js';
import { QueryList } from '../query/list.js';
import { regressionSource } from '../query/regression.js';
import { VertexTable } from '../query/vertices.js';
import { View3D, type Handle } from '../scene.js';
import { Timeline, type Mark } from '../timeline.js';
import type { View, ViewContext } from './view.js';

export interface QueryInput {
  kind: QueryKind;
  count: number;
  positions: Float64Array;
  labels: string[];
  truth: (boolean | null)[];
  options: Required<Pick<QueryOptions, 'minSeparation' | 'norm' | 'tMax'>> & QueryOptions;
  answers: ToolAnswer[];
}

/** Names of the vertices, those of the first primitive first, and how many it has. */
export const VERTEX_NAMES: Record<QueryKind, [names: string[], ofFirst: number]> = {
  vf: [['p', 'f₀', 'f₁', 'f₂'], 1],
  ee: [['a₀', 'a₁', 'b₀', 'b₁'], 2],
  vv: [['a', 'b'], 1],
  ve: [['p', 'e₀', 'e₁'], 1],
};
const KIND_NAMES: Record<QueryKind, string> = { vf: 'vertex–face', ee: 'edge–edge', vv: 'vertex–vertex', ve: 'vertex–edge' };
const SAMPLES = 401;

export function readQueries(data: ViewData): QueryInput {
  const kind = queryKind(data['kind']);
  const positions = numbers(data['queries'], 'queries');
  const size = 6 * vertexCount(kind);
  const count = number(data['count'], positions.length / size);
  if (count < 1 || positions.length !== count * size) {
    throw new DocumentError(`queries: ${positions.length} numbers where ${count} queries have ${count * size}`);
  }
  const o = isObject(data['options']) ? data['options'] : {};
  return {
    kind, count, positions,
    labels: list(data['labels']).map((label) => text(label)),
    truth: list(data['truth']).map((value) => (value === null ? null : value === 1 || value === true)),
    options: {
      minSeparation: number(o['min_separation'], 0), norm: o['norm'] === 'max' ? 'max' : 'euclidean', tMax: number(o['t_max'], 1),
      ...(typeof o['distance_tolerance'] === 'number' ? { distanceTolerance: o['distance_tolerance'] } : {}),
      ...(typeof o['time_width'] === 'number' ? { timeWidth: o['time_width'] } : {}),
      ...(typeof o['max_checks'] === 'number' ? { maxChecks: o['max_checks'] } : {}),
    },
    answers: list(data['answers']).filter(isObject).map((answer) => ({
      method: text(answer['method']),
      verdict: list(answer['verdict']).map(verdictOf),
      toiLower: list(answer['toi_lower']).map(time),
      toiUpper: list(answer['toi_upper']).map(time),
    })),
  };
}

function verdictOf(value: Json): Verdict {
  if (value === 'separated' || value === 0) return 'separated';
  return value === 'contact' || value === 1 ? 'contact' : 'unresolved';
}

export const queryView = (data: ViewData, context: ViewContext): View => new QueryView(readQueries(data), data.name, context);

class QueryView implements View {
  readonly help: [string, string][] = [
    ['drag a vertex', 'move it, at the start (ring) or at the end (square); answers follow'],
    ['↑ ↓', 'previous, next query'],
    ['Z', 'zoom to the bracket of the first contact, and back'],
    ['L', 'logarithmic distance'],
    ['F', 'fit the picture'],
    ['R', 'undo the edits'],
    ['C', 'copy as a regression test'],
  ];
  readonly #input: QueryInput;
  readonly #name: string;
  readonly #context: ViewContext;
  readonly #scene: View3D;
  readonly #timeline: Timeline;
  readonly #static = new Group();
  readonly #moving = new Group();
  readonly #verdict = el('div', {});
  readonly #nearest = el('dl', { class: 'pairs' });
  readonly #methods: MethodTable;
  readonly #domain: DomainPlot;
  readonly #vertices: VertexTable;
  readonly #list: QueryList | null;
  #index = 0;
  #positions: Float64Array = new Float64Array();
  #result!: QueryResult;
  #logarithmic = false;
  // Positions in the picture: those of the query, moved to the origin and scaled to the unit.
  #centre: [number, number, number] = [0, 0, 0];
  #scale = 1;

  constructor(input: QueryInput, name: string, context: ViewContext) {
    this.#input = input;
    this.#name = name;
    this.#context = context;
    this.#scene = new View3D(context.stage, `${KIND_NAMES[input.kind]} query`);
    this.#scene.scene.add(this.#static, this.#moving);
    context.stage.append(this.#legend());
    this.#timeline = new Timeline(context.dock, { label: 'time', max: input.options.tMax, onChange: (t) => this.#setTime(t) });
    this.#timeline.onWindow = () => this.#sampleDistance();
    this.#timeline.addButton(button('bracket', 'Zoom to the first contact (Z)', () => this.#zoomToBracket()));
    this.#timeline.addButton(button('whole step', 'Show the whole step', () => this.#timeline.setWindow(0, input.options.tMax)));
    this.#timeline.addButton(button('log', 'Logarithmic distance (L)', () => this.#toggleLogarithmic()));
    this.#methods = new MethodTable(context.graze, input.kind, (t) => this.#setTimeAndSlider(t));
    this.#domain = new DomainPlot(context.graze, input.kind);
    this.#vertices = new VertexTable(input.kind, (positions) => this.#edit(positions));
    context.panel.append(
      card('Certified answer', this.#verdict, this.#nearest),
      card('All methods', this.#methods.element),
      card('Search of tight-inclusion in (t, u, v)', this.#domain.element),
      card('Vertices', this.#vertices.element, this.#actions()));
    this.#list = input.count > 1 ? new QueryList(context.list, context.graze, input, (index) => this.#select(index)) : null;
    this.#select(0);
  }

  key(event: KeyboardEvent): boolean {
    switch (event.key.toLowerCase()) {
      case 'arrowup': this.#select(this.#index - 1); return true;
      case 'arrowdown': this.#select(this.#index + 1); return true;
      case 'z': this.#zoomToBracket(); return true;
      case 'l': this.#toggleLogarithmic(); return true;
      case 'f': this.#fit(); return true;
      case 'r': this.#reset(); return true;
      case 'c': void this.#copyRegression(); return true;
      default: return this.#timeline.key(event);
    }
  }
  dispose(): void {
    this.#methods.dispose();
    this.#domain.dispose();
    this.#timeline.dispose();
    this.#scene.dispose();
  }

  // --- State ---

  get #size(): number {
    return 6 * vertexCount(this.#input.kind);
  }
  #original(): Float64Array {
    return this.#input.positions.slice(this.#index * this.#size, (this.#index + 1) * this.#size);
  }
  #select(index: number): void {
    if (index < 0 || index >= this.#input.count) return;
    this.#index = index;
    this.#positions = this.#original();
    this.#list?.select(index);
    this.#timeline.setWindow(0, this.#input.options.tMax);
    this.#frame();
    this.#update();
    const { toiLower, verdict } = this.#result;
    this.#setTimeAndSlider(verdict === 'separated' ? 0 : Math.min(toiLower, this.#input.options.tMax));
    this.#fit();
  }
  #reset(): void {
    this.#positions = this.#original();
    this.#update();
  }
  #edit(positions: Float64Array): void {
    this.#positions = positions;
    this.#update();
  }
  /** After a change of the positions: answers, marks, pictures. */
  #update(): void {
    const { graze } = this.#context;
    const { kind, options, answers, truth } = this.#input;
    const edited = this.#isEdited();
    this.#result = graze.query(kind, this.#positions, options);
    this.#showVerdict(edited ? null : truth[this.#index] ?? null, edited);
    this.#timeline.setMarks(this.#marks());
    this.#sampleDistance();
    this.#vertices.show(this.#positions);
    this.#methods.show(this.#positions, options, this.#result, edited ? [] : answers, this.#index);
    this.#domain.show(this.#positions, options);
    this.#drawStatic();
    this.#setTime(this.#timeline.value);
  }
  #isEdited(): boolean {
    const original = this.#original();
    return this.#positions.some((x, i) => !Object.is(x, original[i]));
  }
  #marks(): Mark[] {
    const { verdict, toiLower, toiUpper } = this.#result;
    const end = this.#input.options.tMax;
    if (verdict === 'separated') return [{ from: 0, to: end, colour: 'free', label: 'proved free' }];
    const marks: Mark[] = [];
    if (toiLower > 0) marks.push({ from: 0, to: toiLower, colour: 'free', label: 'proved free' });
    const upper = Math.min(toiUpper, end);
    if (verdict === 'contact') marks.push({ from: toiLower, to: upper, colour: 'contact', label: 'first contact' });
    else marks.push({ from: toiLower, to: end, colour: 'warning', label: 'nothing proved' });
    return marks;
  }
  #setTimeAndSlider(t: number): void {
    this.#timeline.value = t;
    this.#setTime(this.#timeline.value);
  }
  #setTime(t: number): void {
    const [point] = this.#context.graze.nearest(this.#input.kind, this.#positions, [t]);
    if (point) {
      this.#showNearest(point);
      this.#drawMoving(t, point);
    }
  }
  #zoomToBracket(): void {
    const { verdict, toiLower, toiUpper } = this.#result;
    const [low, high] = this.#timeline.window;
    const end = this.#input.options.tMax;
    if (verdict === 'separated' || high - low < end * 0.99) {
      this.#timeline.setWindow(0, end);
      return;
    }
    const upper = Math.min(toiUpper, end);
    const width = Math.max((upper - toiLower) * 8, 1e-7 * end);
    this.#timeline.setWindow((toiLower + upper) / 2 - width / 2, (toiLower + upper) / 2 + width / 2);
    this.#setTimeAndSlider(toiLower);
  }
  #toggleLogarithmic(): void {
    this.#logarithmic = !this.#logarithmic;
    this.#timeline.setLogarithmic(this.#logarithmic);
  }
  #sampleDistance(): void {
    if (this.#positions.length === 0) return;
    const [low, high] = this.#timeline.window;
    const times = Float64Array.from({ length: SAMPLES }, (_, i) => Math.min(low + (high - low) * i / (SAMPLES - 1), 1));
    const points = this.#context.graze.nearest(this.#input.kind, this.#positions, times);
    this.#timeline.setCurve({ times, values: points.map((p) => p.distance), label: 'distance' });
  }

  // --- Panel ---

  #showVerdict(truth: boolean | null, edited: boolean): void {
    const { verdict, toiLower, toiUpper, tolerance } = this.#result;
    const { options, kind } = this.#input;
    const exact = options.minSeparation === 0;
    clear(this.#verdict);
    const chips: HTMLElement[] = [];
    if (edited) chips.push(el('span', { class: 'chip muted' }, 'edited'));
    if (truth !== null) {
      const agrees = verdict !== 'unresolved' && truth === (verdict === 'contact');
      chips.push(el('span', { class: `chip ${agrees ? 'good' : 'bad'}` }, agrees ? 'agrees with the file' : `the file says ${truth ? 'contact' : 'separated'}`));
    }
    const words = { separated: 'Separated', contact: 'Contact', unresolved: 'Unresolved' }[verdict];
    const rows = el('dl', { class: 'pairs' });
    const row = (name: string, value: number): void => {
      rows.append(el('dt', {}, name), el('dd', {}, toDecimal(value), ' ', el('span', { class: 'hex' }, toHex(value))));
    };
    if (verdict === 'separated') {
      rows.append(el('dt', {}, 'free'), el('dd', {}, `all of [0, ${toDecimal(options.tMax)}], proved`));
    } else {
      row('free before', toiLower);
      if (Number.isFinite(toiUpper)) row('contact by', toiUpper);
      if (Number.isFinite(toiUpper)) rows.append(el('dt', {}, 'width'), el('dd', {}, brief(toiUpper - toiLower)));
      if (!exact && Number.isFinite(tolerance)) row('within', tolerance);
    }
    if (!exact) rows.append(el('dt', {}, 'separation'), el('dd', {}, `${toDecimal(options.minSeparation)}, ${options.norm} norm`));
    rows.append(el('dt', {}, 'decided by'), el('dd', {}, `tier ${this.#context.graze.tier(kind, this.#positions, options)}`));
    this.#verdict.append(
      el('div', { class: `verdict ${verdict}`, 'data-verdict': verdict }, words, ...chips),
      el('p', { class: 'muted small' }, `${KIND_NAMES[kind]}, query ${this.#index + 1} of ${this.#input.count}`,
        this.#input.labels[this.#index] ? ` · ${this.#input.labels[this.#index]}` : ''),
      rows);
  }
  #showNearest(point: NearestPoint): void {
    const { kind } = this.#input;
    clear(this.#nearest);
    const row = (name: string, value: string): void => {
      this.#nearest.append(el('dt', {}, name), el('dd', {}, value));
    };
    row('distance at t', brief(point.distance, 6));
    if (kind !== 'vv') row(kind === 've' ? 'u' : 'u, v', kind === 've' ? brief(point.u, 6) : `${brief(point.u, 6)}, ${brief(point.v, 6)}`);
    row('normal', point.normal.map((x) => brief(x)).join(', '));
    row('features', `${point.featureA.type} ${point.featureA.index}, ${point.featureB.type} ${point.featureB.index}`);
  }
  #actions(): HTMLElement {
    return el('div', { class: 'row' },
      button('copy as regression test', 'Copy the C++ source of a regression test (C)', () => void this.#copyRegression(), 'primary'),
      button('copy hex floats', 'Copy the vertices as hex floats', () => void this.#copyHex()),
      button('undo edits', 'Back to the query of the file (R)', () => this.#reset()));
  }
  async #copyRegression(): Promise<void> {
    const origin = this.#isEdited() ? `edited, from number ${this.#index} of ${this.#name}` : `number ${this.#index} of ${this.#name}`;
    const source = regressionSource(this.#context.graze, this.#input.kind, this.#positions, this.#input.options, origin);
    this.#context.notify(await copyText(source) ? 'Regression test copied' : 'The browser did not let the page copy');
  }
  async #copyHex(): Promise<void> {
    const n = vertexCount(this.#input.kind);
    const lines = Array.from({ length: n }, (_, i) => [0, n].map((side) =>
      `{${[0, 1, 2].map((axis) => toHex(this.#positions[3 * (i + side) + axis]!)).join(', ')}}`).join(', '));
    this.#context.notify(await copyText(`${lines.join('\n')}\n`) ? 'Copied' : 'The browser did not let the page copy');
  }
  #legend(): HTMLElement {
    const [first, second] = { vf: ['vertex', 'face'], ee: ['edge a', 'edge b'], vv: ['vertex a', 'vertex b'], ve: ['vertex', 'edge'] }[this.#input.kind] as [string, string];
    return el('div', { class: 'legend' },
      el('span', {}, el('span', { class: 'swatch a' }), first), el('span', {}, el('span', { class: 'swatch b' }), second),
      el('span', {}, '○ start  ▫ end  ● now'), el('span', {}, el('span', { class: 'swatch contact' }), 'first contact'));
  }

  // --- Picture ---

  #frame(): void {
    const n = this.#positions.length / 3;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < n; ++i) {
      for (let axis = 0; axis < 3; ++axis) {
        const x = this.#positions[3 * i + axis]!;
        if (!Number.isFinite(x)) continue;
        low[axis] = Math.min(low[axis]!, x);
        high[axis] = Math.max(high[axis]!, x);
      }
    }
    const finite = low.every(Number.isFinite);
    // Halves first: a sum of two large numbers may overflow.
    this.#centre = finite ? low.map((x, axis) => x / 2 + high[axis]! / 2) as [number, number, number] : [0, 0, 0];
    this.#scale = finite ? Math.max(...low.map((x, axis) => high[axis]! / 2 - x / 2)) : 1;
    if (!(this.#scale > 0)) this.#scale = Math.max(...this.#centre.map(Math.abs)) || 1;
  }
  #place(x: number, y: number, z: number): Vector3 {
    const [cx, cy, cz] = this.#centre;
    const s = this.#scale;
    // What is not finite has no place; it is drawn in the middle, and the verdict says that nothing is known.
    const inside = (value: number): number => (Number.isFinite(value) ? value : 0);
    return new Vector3(inside(x / s - cx / s), inside(y / s - cy / s), inside(z / s - cz / s));
  }
  #vertexAt(i: number, t: number): Vector3 {
    const end = this.#positions.length / 2;
    const at = (axis: number): number => (1 - t) * this.#positions[3 * i + axis]! + t * this.#positions[end + 3 * i + axis]!;
    return this.#place(at(0), at(1), at(2));
  }
  #fit(): void {
    const points = Array.from({ length: this.#positions.length / 3 }, (_, i) =>
      this.#place(this.#positions[3 * i]!, this.#positions[3 * i + 1]!, this.#positions[3 * i + 2]!));
    this.#scene.fit(points, new Vector3(0.62, 0.45, 0.95));
  }

  /** Edges of the first and of the second primitive, by vertices. */
  #edges(): [first: number[][], second: number[][]] {
    switch (this.#input.kind) {
      case 'vf': return [[], [[1, 2], [2, 3], [3, 1]]];
      case 'ee': return [[[0, 1]], [[2, 3]]];
      case 've': return [[], [[1, 2]]];
      case 'vv': return [[], []];
    }
  }
  #segments(edges: number[][], t: number): number[] {
    return edges.flatMap((edge) => edge.flatMap((i) => this.#vertexAt(i, t).toArray()));
  }

  #drawStatic(): void {
    const scene = this.#scene;
    scene.empty(this.#static);
    scene.clearLabels();
    scene.handles.length = 0;
    const { kind } = this.#input;
    const n = vertexCount(kind);
    const [names, ofFirst] = VERTEX_NAMES[kind];
    const [first, second] = this.#edges();
    for (const t of [0, 1]) {
      this.#static.add(scene.lines(this.#segments(first, t), 'a', 1.4, { opacity: 0.55, dashed: t === 1 }));
      this.#static.add(scene.lines(this.#segments(second, t), 'b', 1.4, { opacity: 0.55, dashed: t === 1 }));
      if (kind === 'vf') this.#static.add(scene.surface([1, 2, 3].flatMap((i) => this.#vertexAt(i, t).toArray()), null, 'b', 0.08));
    }
    for (let i = 0; i < n; ++i) {
      const colour = i < ofFirst ? 'a' : 'b';
      this.#static.add(scene.lines([...this.#vertexAt(i, 0).toArray(), ...this.#vertexAt(i, 1).toArray()], colour, 1, { opacity: 0.5 }));
      for (const side of [0, 1]) {
        const position = this.#vertexAt(i, side);
        this.#static.add(scene.mark(side === 0 ? 'ring' : 'square', position, 20, colour, 2));
        scene.handles.push(this.#handle(i, side, position));
      }
      scene.label(names[i] ?? '', this.#vertexAt(i, 0), colour);
    }
    const { verdict, toiLower } = this.#result;
    if (verdict === 'contact') this.#drawContact(toiLower);
  }
  #drawContact(t: number): void {
    const [point] = this.#context.graze.nearest(this.#input.kind, this.#positions, [Math.min(t, 1)]);
    if (!point) return;
    const at = this.#place(...point.onB);
    const tip = at.clone().add(new Vector3(...point.normal).multiplyScalar(0.35));
    this.#static.add(this.#scene.lines([...at.toArray(), ...tip.toArray()], 'contact', 2.5));
    this.#static.add(this.#scene.mark('ring', at, 34, 'contact', 3), this.#scene.mark('disc', tip, 12, 'contact', 3));
    this.#scene.label('n', tip, 'contact');
  }
  #handle(vertex: number, side: number, position: Vector3): Handle {
    return {
      position,
      move: (to: Vector3) => {
        const positions = this.#positions.slice();
        const at = side * positions.length / 2 + 3 * vertex;
        to.toArray().forEach((x, axis) => {
          positions[at + axis] = x * this.#scale + this.#centre[axis]!;
        });
        position.copy(to);
        // This draws new handles; the one that is held goes on writing to the same vertex.
        if (positions.every(Number.isFinite)) this.#edit(positions);
      },
    };
  }
  #drawMoving(t: number, point: NearestPoint): void {
    const scene = this.#scene;
    scene.empty(this.#moving);
    const { kind } = this.#input;
    const [first, second] = this.#edges();
    const [, ofFirst] = VERTEX_NAMES[kind];
    this.#moving.add(scene.lines(this.#segments(first, t), 'a', 4), scene.lines(this.#segments(second, t), 'b', 4));
    if (kind === 'vf') this.#moving.add(scene.surface([1, 2, 3].flatMap((i) => this.#vertexAt(i, t).toArray()), null, 'b', 0.42));
    for (let i = 0; i < vertexCount(kind); ++i) {
      const size = i < ofFirst && kind !== 'ee' ? 22 : 15;
      this.#moving.add(scene.mark('disc', this.#vertexAt(i, t), size, i < ofFirst ? 'a' : 'b'));
    }
    const a = this.#place(...point.onA);
    const b = this.#place(...point.onB);
    if (a.distanceTo(b) > 1e-9) this.#moving.add(scene.lines([...a.toArray(), ...b.toArray()], 'muted', 1.5, { dashed: true, onTop: true }));
    scene.render();
  }
}

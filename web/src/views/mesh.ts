// A step of a whole mesh: what touches, when, and how far each vertex may go.
import { Vector3 } from 'three';
import { DocumentError, indices, isObject, number, numbers, type JsonObject, type ViewData } from '../document.js';
import { button, card, clear, el } from '../dom.js';
import { MovingVertices, SCALE } from '../mesh/moving.js';
import {
  KINDS, outlines, pairName, readCandidates, readImpacts, readIntersections, verticesOf, type Elements, type Impacts, type Pairs,
} from '../mesh/pairs.js';
import { brief } from '../numbers.js';
import { View3D } from '../scene.js';
import { Timeline, type Mark } from '../timeline.js';
import { queryView } from './query.js';
import type { View, ViewContext } from './view.js';

interface MeshInput extends Elements {
  name: string;
  start: Float64Array;
  end: Float64Array;
  impacts: Impacts;
  first: number | null;
  /** Proved free before it; 0 where nothing is proved. */
  toiLower: number;
  bounds: { radius: Float64Array; fraction: Float64Array } | null;
  intersections: Pairs | null;
  candidates: Pairs | null;
  /** As queries have them. */
  options: JsonObject;
  /** Of the impacts: by the time from which they may touch. */
  order: Uint32Array;
}

/** So many are listed; all are drawn. */
const LISTED = 400;
/** Edges of larger meshes would cover the faces. */
const MOST_EDGES = 60_000;

function readBounds(value: JsonObject, count: number): MeshInput['bounds'] {
  const bounds = { radius: numbers(value['radius'], 'bounds'), fraction: numbers(value['fraction'], 'bounds') };
  if (bounds.radius.length !== count || bounds.fraction.length !== count) throw new DocumentError('bounds: not one for each vertex');
  return bounds;
}

export function readMesh(data: ViewData): MeshInput {
  const start = numbers(data['start'], 'start');
  const end = numbers(data['end'], 'end');
  if (start.length % 3 !== 0 || start.length !== end.length) throw new DocumentError('start, end: not as many positions');
  const vertexCount = start.length / 3;
  const faces = indices(data['faces'], 'faces');
  const edges = indices(data['edges'], 'edges');
  for (const list of [faces, edges]) {
    if (list.some((vertex) => vertex >= vertexCount)) throw new DocumentError('faces, edges: a vertex that there is not');
  }
  const impacts = readImpacts(data['impacts']);
  const first = typeof data['first'] === 'number' && data['first'] < impacts.kind.length ? data['first'] : null;
  const order = Uint32Array.from(impacts.kind.keys()).sort((i, k) => impacts.toiLower[i]! - impacts.toiLower[k]! || i - k);
  return {
    name: data.name, vertexCount, start, end, faces, edges, impacts, first, order,
    toiLower: data['toi_lower'] === null ? Infinity : number(data['toi_lower'], 0),
    bounds: isObject(data['bounds']) ? readBounds(data['bounds'], vertexCount) : null,
    options: isObject(data['options']) ? data['options'] : { min_separation: 0, norm: 'euclidean', t_max: 1 },
    intersections: readIntersections(data['intersections']), candidates: readCandidates(data['candidates']),
  };
}

export const meshView = (data: ViewData, context: ViewContext): View => new MeshView(readMesh(data), context);

/** The step, or the one query of a pair that was opened from it. */
class MeshView implements View {
  readonly #input: MeshInput;
  readonly #context: ViewContext;
  #shown: View;

  constructor(input: MeshInput, context: ViewContext) {
    this.#input = input;
    this.#context = context;
    this.#shown = this.#step(input.first);
  }
  get help(): [string, string][] {
    return this.#shown.help ?? [];
  }
  key(event: KeyboardEvent): boolean {
    if (event.key === 'Escape' && !(this.#shown instanceof StepView)) {
      this.#back(null);
      return true;
    }
    return this.#shown.key?.(event) ?? false;
  }
  dispose(): void {
    this.#shown.dispose();
  }

  #step(selected: number | null): View {
    return new StepView(this.#input, this.#context, selected, (impact) => this.#open(impact));
  }
  #clear(): void {
    this.#shown.dispose();
    for (const part of [this.#context.stage, this.#context.dock, this.#context.panel, this.#context.list]) clear(part);
  }
  #open(impact: number): void {
    const { impacts, start, end, name } = this.#input;
    const kind = KINDS[impacts.kind[impact]!]!;
    const vertices = verticesOf(this.#input, kind, impacts.a[impact]!, impacts.b[impact]!).flat();
    if (vertices.length === 0) {
      this.#context.notify('The mesh has no such pair.');
      return;
    }
    const positions = [start, end].flatMap((list) => vertices.flatMap((v) => [...list.subarray(3 * v, 3 * v + 3)]));
    const pair = pairName(kind, impacts.a[impact]!, impacts.b[impact]!);
    this.#clear();
    this.#shown = queryView({
      type: 'query', name: `${name}: ${pair}`, kind, queries: positions, count: 1, labels: null, truth: null,
      options: this.#input.options,
    }, this.#context);
    this.#context.list.append(el('div', { class: 'card' }, el('p', {}, pair),
      button('← back to the mesh', 'Back to the mesh (Esc)', () => this.#back(impact))));
    document.body.dataset['view'] = 'query';
  }
  #back(selected: number | null): void {
    this.#clear();
    document.body.dataset['view'] = 'mesh';
    this.#shown = this.#step(selected);
  }
}

type Shading = 'time' | 'fraction' | 'radius' | 'plain';

class StepView implements View {
  readonly help: [string, string][] = [
    ['click a pair', 'select it, in the picture or in the list; again, or Enter: open it as a query'],
    ['↑ ↓', 'previous, next impact in time'],
    ['F', 'fit the picture'],
    ['G', 'go to the first contact'],
    ['D', 'draw every triangle of a large mesh now'],
  ];
  readonly #input: MeshInput;
  readonly #context: ViewContext;
  readonly #open: (impact: number) => void;
  readonly #scene: View3D;
  readonly #vertices: MovingVertices;
  readonly #timeline: Timeline;
  readonly #selectedLines;
  readonly #selectedPoints;
  readonly #details = el('div', {});
  readonly #entries: HTMLElement[] = [];
  #selected = -1; // in the order of time

  constructor(input: MeshInput, context: ViewContext, selected: number | null, open: (impact: number) => void) {
    this.#input = input;
    this.#context = context;
    this.#open = open;
    this.#scene = new View3D(context.stage, `step of a mesh of ${input.faces.length / 3} triangles`);
    this.#vertices = new MovingVertices(input.start, input.end);
    this.#scene.scene.add(this.#vertices.group);
    this.#draw();
    this.#selectedLines = this.#vertices.lines(new Uint32Array(), 'accent', { onTop: true });
    this.#selectedPoints = this.#vertices.points(new Uint32Array(), 'accent', { onTop: true, size: 8 });
    this.#timeline = new Timeline(context.dock, { label: 'time', onChange: (t) => this.#setTime(t) });
    this.#timeline.setMarks(this.#marks());
    if (this.#vertices.isLarge) {
      this.#timeline.addButton(button('every triangle', 'Draw every triangle now (D)', () => this.#vertices.drawWhole(this.#scene)));
    }
    context.panel.append(this.#summary(), card('Selected pair', this.#details), this.#controls());
    this.#fillList();
    this.#shade(this.#input.impacts.kind.length > 0 ? 'time' : this.#input.bounds ? 'fraction' : 'plain');
    this.#scene.controls?.addEventListener('change', () => this.#disturb());
    this.#scene.canvas.addEventListener('click', (event) => this.#pick(event));
    this.#scene.canvas.addEventListener('dblclick', () => this.#openSelected());
    if (selected !== null) this.#select(input.order.indexOf(selected));
    else this.#showDetails();
    this.#fit(new Vector3(0.5, 0.45, 0.75));
  }

  key(event: KeyboardEvent): boolean {
    switch (event.key.toLowerCase()) {
      case 'arrowup': this.#select(this.#selected - 1); return true;
      case 'arrowdown': this.#select(this.#selected + 1); return true;
      case 'enter': this.#openSelected(); return true;
      case 'f': this.#fit(); return true;
      case 'g': this.#select(0); return true;
      case 'd': this.#vertices.drawWhole(this.#scene); return true;
      default: return this.#timeline.key(event);
    }
  }
  dispose(): void {
    this.#timeline.dispose();
    this.#vertices.dispose();
    this.#scene.dispose();
  }

  // --- Picture ---

  #draw(): void {
    const { faces, edges, impacts, intersections, candidates } = this.#input;
    this.#vertices.surface(faces, 'muted');
    if (edges.length / 2 <= MOST_EDGES || faces.length === 0) this.#vertices.lines(edges, 'text', { opacity: 0.25 });
    this.#layer('start', this.#vertices.lines(edges, 'free', { opacity: 0.35 }, 0), false);
    this.#layer('end', this.#vertices.lines(edges, 'warning', { opacity: 0.35 }, 1), false);
    this.#layer('candidates', this.#vertices.lines(candidates ? outlines(this.#input, candidates) : new Uint32Array(), 'muted', { opacity: 0.6 }), false);
    this.#layer('impacts', this.#vertices.lines(outlines(this.#input, impacts), 'contact', { mapped: true }), true);
    this.#layer('intersections at the start', this.#vertices.lines(
      intersections ? outlines(this.#input, intersections, 'intersection') : new Uint32Array(), 'warning', { onTop: true }), true);
  }
  readonly #layers: { name: string; object: { visible: boolean }; count: number }[] = [];
  #layer(name: string, object: ReturnType<MovingVertices['lines']>, visible: boolean): void {
    const count = object.geometry.index!.count;
    object.visible = visible && count > 0;
    this.#layers.push({ name, object, count });
  }
  #shade(by: Shading): void {
    const { impacts, bounds, vertexCount } = this.#input;
    const values = new Float32Array(vertexCount).fill(-1);
    if (by === 'time') {
      for (let i = 0; i < impacts.kind.length; ++i) {
        const time = Math.min(impacts.toiLower[i]!, 1);
        for (const v of verticesOf(this.#input, KINDS[impacts.kind[i]!]!, impacts.a[i]!, impacts.b[i]!).flat()) {
          if (values[v]! < 0 || time < values[v]!) values[v] = time;
        }
      }
    } else if (by !== 'plain' && bounds) {
      const list = bounds[by];
      let most = by === 'fraction' ? 1 : 0;
      for (const value of list) if (Number.isFinite(value)) most = Math.max(most, value);
      for (let v = 0; v < vertexCount; ++v) values[v] = most > 0 ? Math.min(list[v]! / most, 1) : 0;
    }
    this.#vertices.setValues(values);
    this.#scene.render();
  }
  #setTime(t: number): void {
    this.#vertices.time = t;
    this.#disturb();
    this.#scene.render();
  }
  #disturb(): void {
    this.#vertices.disturb(this.#scene);
  }
  #fit(direction?: Vector3): void {
    this.#scene.fit(this.#vertices.box, direction);
  }

  // --- Pairs ---

  #verticesOf(impact: number): number[] {
    const { impacts } = this.#input;
    return verticesOf(this.#input, KINDS[impacts.kind[impact]!]!, impacts.a[impact]!, impacts.b[impact]!).flat();
  }
  #pick(event: MouseEvent): void {
    const box = this.#scene.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const point = new Vector3();
    const middle = new Vector3();
    let best = -1;
    let nearest = 18;
    for (let k = 0; k < Math.min(this.#input.order.length, 20_000); ++k) {
      const vertices = this.#verticesOf(this.#input.order[k]!);
      if (vertices.length === 0) continue;
      middle.set(0, 0, 0);
      for (const v of vertices) middle.add(this.#vertices.position(v, point));
      const at = this.#scene.project(middle.divideScalar(vertices.length));
      const distance = Math.hypot(at.x - x, at.y - y);
      if (at.behind || distance >= nearest) continue;
      best = k;
      nearest = distance;
    }
    if (best >= 0) this.#select(best);
  }
  #select(place: number): void {
    const { order, impacts } = this.#input;
    if (place < 0 || place >= order.length) return;
    this.#entries[this.#selected]?.setAttribute('aria-current', 'false');
    this.#selected = place;
    this.#entries[place]?.setAttribute('aria-current', 'true');
    this.#entries[place]?.scrollIntoView({ block: 'nearest' });
    const impact = order[place]!;
    const one = { kind: impacts.kind.subarray(impact, impact + 1), a: impacts.a.subarray(impact, impact + 1), b: impacts.b.subarray(impact, impact + 1) };
    this.#vertices.setIndex(this.#selectedLines, outlines(this.#input, one));
    this.#vertices.setIndex(this.#selectedPoints, Uint32Array.from(this.#verticesOf(impact)));
    this.#timeline.change(Math.min(impacts.toiLower[impact]!, 1));
    this.#showDetails();
  }
  #openSelected(): void {
    if (this.#selected >= 0) this.#open(this.#input.order[this.#selected]!);
  }

  // --- Numbers ---

  #marks(): Mark[] {
    const { first, impacts, toiLower } = this.#input;
    const marks: Mark[] = [];
    if (toiLower > 0) marks.push({ from: 0, to: Math.min(toiLower, 1), colour: 'free', label: 'proved free' });
    if (first === null) return marks;
    const [from, to] = [impacts.toiLower[first]!, impacts.toiUpper[first]!];
    const isProved = Number.isFinite(to);
    marks.push({ from, to: isProved ? Math.min(to, 1) : from, colour: isProved ? 'contact' : 'warning', label: isProved ? 'first contact' : 'may touch' });
    return marks;
  }
  #summary(): HTMLElement {
    const { vertexCount, faces, edges, impacts, intersections, candidates, first } = this.#input;
    const rows: [string, string][] = [
      ['vertices', vertexCount.toLocaleString('en')],
      ['edges', (edges.length / 2).toLocaleString('en')],
      ['faces', (faces.length / 3).toLocaleString('en')],
      ['candidates', candidates ? candidates.kind.length.toLocaleString('en') : 'not listed'],
      ['impacts', impacts.kind.length.toLocaleString('en')],
      ['first contact', first === null ? 'none' : brief(impacts.toiLower[first]!, 6)],
      ['intersections at the start', intersections ? intersections.kind.length.toLocaleString('en') : 'not tested'],
    ];
    return card('Step', el('dl', { class: 'pairs' }, ...rows.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)])));
  }
  #showDetails(): void {
    clear(this.#details);
    const { order, impacts } = this.#input;
    const impact = this.#selected >= 0 ? order[this.#selected]! : -1;
    if (impact < 0) {
      this.#details.append(el('p', {}, order.length > 0 ? 'Click a pair in the picture or in the list.' : 'No pair touches in this step.'));
      return;
    }
    const kind = KINDS[impacts.kind[impact]!]!;
    this.#details.append(
      el('p', {}, pairName(kind, impacts.a[impact]!, impacts.b[impact]!)),
      el('dl', { class: 'pairs' },
        el('dt', {}, 'touches not before'), el('dd', {}, brief(impacts.toiLower[impact]!, 9)),
        el('dt', {}, 'touches by'), el('dd', {}, Number.isFinite(impacts.toiUpper[impact]!) ? brief(impacts.toiUpper[impact]!, 9) : 'not proved')),
      button('open as a query', 'Open this pair as a query (Enter)', () => this.#openSelected()));
  }
  #controls(): HTMLElement {
    const { bounds, impacts } = this.#input;
    const shadings: [Shading, string][] = [['plain', 'one colour']];
    if (bounds) shadings.unshift(['fraction', 'fraction of the step that is free'], ['radius', 'radius that is free']);
    if (impacts.kind.length > 0) shadings.unshift(['time', 'time of impact']);
    const select = el('select', { 'aria-label': 'Colour of the vertices' },
      ...shadings.map(([value, label]) => el('option', { value }, label)));
    select.addEventListener('change', () => this.#shade(select.value as Shading));
    const toggles = this.#layers.filter(({ count }) => count > 0).map(({ name, object }) => {
      const box = el('input', { type: 'checkbox' });
      box.checked = object.visible;
      box.addEventListener('change', () => {
        object.visible = box.checked;
        this.#scene.render();
      });
      return el('label', { class: 'toggle' }, box, ` ${name}`);
    });
    const scale = el('div', { title: 'from 0 (dark) to 1, or to the largest radius (light)' });
    Object.assign(scale.style, { background: SCALE, height: '8px', borderRadius: '4px', margin: '8px 0' });
    return card('Show', el('label', {}, 'colour: ', select), scale, ...toggles.map((t) => el('div', {}, t)));
  }
  #fillList(): void {
    const { order, impacts } = this.#input;
    for (let place = 0; place < Math.min(order.length, LISTED); ++place) {
      const impact = order[place]!;
      const kind = KINDS[impacts.kind[impact]!]!;
      const entry = el('button', {
        type: 'button', class: 'view-entry',
        onclick: () => (this.#selected === place ? this.#openSelected() : this.#select(place)),
      }, el('span', { class: 'view-type' }, brief(impacts.toiLower[impact]!, 4)),
        el('span', { class: 'view-name' }, pairName(kind, impacts.a[impact]!, impacts.b[impact]!)));
      this.#entries.push(entry);
    }
    this.#context.list.append(...this.#entries);
    if (order.length > LISTED) this.#context.list.append(el('p', { class: 'muted' }, `${order.length - LISTED} later ones are drawn, not listed.`));
  }
}

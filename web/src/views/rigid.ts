// Two rigid bodies on their true paths: first contact, and all collisions with their properness.
import { Box3, EdgesGeometry, Group, Matrix4, type MeshLambertMaterial, Quaternion, Vector3 } from 'three';
import type { Body } from '../../npm/src/module.js';
import type { BodyContact, Impact, PairStep, Pose, Vector } from '../../npm/src/types.js';
import { DocumentError, indices, isObject, list, numbers, text, time, type Json, type ViewData } from '../document.js';
import { button, card, clear, el } from '../dom.js';
import { brief, toDecimal, toHex } from '../numbers.js';
import { View3D } from '../scene.js';
import type { ColourName } from '../theme.js';
import { Timeline, type Mark } from '../timeline.js';
import type { View, ViewContext } from './view.js';

interface BodyData {
  name: string;
  vertices: Float64Array;
  faces: Uint32Array;
  poses: Float64Array;
  times: Float64Array;
}

const COLOURS: ColourName[] = ['a', 'b', 'warning', 'free'];
// So long a search holds up the page for a second or so; beyond it the tool is to be asked.
const CHECKS = 2_000_000;
const PATH_SAMPLES = 48;
const PATHS = 40;

function readBody(json: Json, index: number): BodyData {
  if (!isObject(json)) throw new DocumentError(`body ${index}: not an object`);
  const body = {
    name: text(json['name'], `body ${index}`), vertices: numbers(json['vertices'], 'vertices'), faces: indices(json['faces'], 'faces'),
    poses: numbers(json['poses'], 'poses'), times: numbers(json['times'] ?? [0, 1], 'times'),
  };
  if (body.vertices.length === 0 || body.vertices.length % 3 !== 0 || body.faces.length % 3 !== 0) throw new DocumentError(`${body.name}: no triangles`);
  if (body.faces.some((i) => i >= body.vertices.length / 3)) throw new DocumentError(`${body.name}: a face without its vertices`);
  if (body.times.length === 0 || body.poses.length !== 7 * body.times.length) throw new DocumentError(`${body.name}: seven numbers per pose`);
  return body;
}

function contactOf(json: Json): BodyContact | null {
  if (!isObject(json)) return null;
  const vector = (value: Json | undefined): Vector => {
    const n = list(value).map((x) => (typeof x === 'number' ? x : 0));
    return [n[0] ?? 0, n[1] ?? 0, n[2] ?? 0];
  };
  const at = typeof json['time'] === 'number' ? json['time'] : 0;
  const type = text(json['type']);
  return {
    type: type === 'vf' || type === 'fv' || type === 'ee' ? type : 'ff', a: Number(json['a']), b: Number(json['b']), time: at,
    point: vector(json['position']), normal: vector(json['normal']),
    properness: typeof json['properness'] === 'number' ? json['properness'] : 0,
    timeLower: typeof json['time_lower'] === 'number' ? json['time_lower'] : at,
    timeUpper: typeof json['time_upper'] === 'number' ? json['time_upper'] : at,
  };
}

export const rigidView = (data: ViewData, context: ViewContext): View => new RigidView(data, context);

class RigidView implements View {
  readonly help: [string, string][] = [
    ['↑ ↓', 'previous, next collision'],
    ['Z', 'go to the first contact'],
    ['X', 'see through the bodies'],
    ['F', 'fit the picture'],
  ];
  readonly #context: ViewContext;
  readonly #bodies: BodyData[];
  readonly #scene: View3D;
  readonly #timeline: Timeline;
  readonly #groups: Group[] = [];
  readonly #contacts = new Group();
  readonly #rows = el('tbody', {});
  readonly #step: PairStep | null;
  readonly #handles: Body[] = [];
  #impact: Impact | null = null;
  #collisions: BodyContact[] = [];
  #complete: boolean | null = null;
  #chosen = -1;
  readonly #surfaces: MeshLambertMaterial[] = [];
  #seesThrough = false;
  #centre = new Vector3();
  #scale = 1;
  #offsets: Vector3[] = [];

  constructor(data: ViewData, context: ViewContext) {
    this.#context = context;
    this.#bodies = list(data['bodies']).map(readBody);
    if (this.#bodies.length === 0) throw new DocumentError('no bodies');
    this.#scene = new View3D(context.stage, 'Rigid bodies');
    this.#timeline = new Timeline(context.dock, { label: 'time', onChange: (t) => this.#setTime(t) });
    this.#timeline.addButton(button('first contact', 'Go to the first contact (Z)', () => this.#goToFirst()));
    this.#timeline.addButton(button('see through', 'See through the bodies (X)', () => this.#toggleOpacity()));
    const [a, b] = this.#bodies;
    const pose = (body: BodyData, last: boolean): Pose => (last ? body.poses.slice(-7) : body.poses.slice(0, 7));
    this.#step = a && b && this.#bodies.length === 2
      ? { a: { start: pose(a, false), end: pose(a, true) }, b: { start: pose(b, false), end: pose(b, true) } } : null;
    this.#frame();
    this.#build();
    this.#compute();
    context.stage.append(el('div', { class: 'legend' },
      ...this.#bodies.map((body, i) => el('span', {}, el('span', { class: `swatch ${COLOURS[i % COLOURS.length]}` }), body.name)),
      el('span', {}, el('span', { class: 'swatch contact' }), 'contact')));
    this.#fillPanel(data['first'], list(data['collisions']).map(contactOf).filter((c) => c !== null));
    this.#goToFirst();
    this.#fit();
  }

  key(event: KeyboardEvent): boolean {
    switch (event.key.toLowerCase()) {
      case 'arrowup': this.#choose(Math.max(this.#chosen - 1, 0)); return true;
      case 'arrowdown': this.#choose(Math.min(this.#chosen + 1, this.#collisions.length - 1)); return true;
      case 'z': this.#goToFirst(); return true;
      case 'x': this.#toggleOpacity(); return true;
      case 'f': this.#fit(); return true;
      default: return this.#timeline.key(event);
    }
  }
  dispose(): void {
    for (const body of this.#handles) body.destroy();
    this.#timeline.dispose();
    this.#scene.dispose();
  }

  // --- Motion ---

  #poseAt(index: number, t: number): Pose {
    const body = this.#bodies[index]!;
    if (this.#step) return this.#context.graze.pairPose(this.#step, index === 0 ? 'a' : 'b', t);
    let k = 0;
    while (k + 2 < body.times.length && body.times[k + 1]! <= t) k += 1;
    const from = body.poses.slice(7 * k, 7 * k + 7);
    if (body.times.length === 1) return from;
    const to = body.poses.slice(7 * k + 7, 7 * k + 14);
    const [t0, t1] = [body.times[k]!, body.times[k + 1]!];
    const fraction = t1 > t0 ? Math.min(Math.max((t - t0) / (t1 - t0), 0), 1) : 0;
    return this.#context.graze.pairPose({ a: { start: from, end: to }, b: { start: from, end: to } }, 'a', fraction);
  }
  #worldPoint(pose: Pose, x: number, y: number, z: number): Vector3 {
    return new Vector3(x, y, z).applyQuaternion(quaternion(pose)).add(new Vector3(pose[4], pose[5], pose[6]));
  }
  #place(p: Vector3): Vector3 {
    return p.clone().sub(this.#centre).divideScalar(this.#scale);
  }
  #frame(): void {
    const box = new Box3();
    this.#bodies.forEach((body, i) => {
      const own = new Box3();
      for (let v = 0; v < body.vertices.length; v += 3) own.expandByPoint(new Vector3(body.vertices[v], body.vertices[v + 1], body.vertices[v + 2]));
      this.#offsets.push(own.getCenter(new Vector3()));
      const corners = [own.min, own.max];
      for (const t of [0, 0.25, 0.5, 0.75, 1]) {
        const pose = this.#poseAt(i, t);
        for (const cx of corners) for (const cy of corners) for (const cz of corners) box.expandByPoint(this.#worldPoint(pose, cx.x, cy.y, cz.z));
      }
    });
    this.#centre = box.getCenter(new Vector3());
    const size = box.getSize(new Vector3());
    this.#scale = Math.max(size.x, size.y, size.z) / 2 || 1;
    this.#box = new Box3(this.#place(box.min), this.#place(box.max));
  }
  #box = new Box3();
  #fit(): void {
    this.#scene.fit(this.#box, new Vector3(0.5, 0.45, 1));
  }
  #setTime(t: number): void {
    this.#bodies.forEach((_, i) => {
      const pose = this.#poseAt(i, t);
      const o = this.#offsets[i]!;
      const group = this.#groups[i]!;
      group.matrix = new Matrix4().compose(this.#place(this.#worldPoint(pose, o.x, o.y, o.z)), quaternion(pose), new Vector3(1, 1, 1));
    });
    this.#scene.render();
  }

  // --- Answers, of the library on this page ---

  #compute(): void {
    if (!this.#step) return;
    const { graze } = this.#context;
    for (const body of this.#bodies) this.#handles.push(graze.body(body.vertices, body.faces));
    const [a, b] = this.#handles as [Body, Body];
    this.#impact = graze.firstImpact(a, b, this.#step, { maxChecks: CHECKS });
  }
  #collide(): void {
    const [a, b] = this.#handles;
    if (!this.#step || !a || !b) return;
    const all = this.#context.graze.allImpacts(a, b, this.#step, { maxChecks: CHECKS, capacity: 2000 });
    this.#collisions = all.contacts;
    this.#complete = all.complete;
    this.#fillRows();
    this.#context.notify(`${all.count} ${all.count === 1 ? 'collision' : 'collisions'}${all.complete ? ', complete' : ', possibly more'}`);
  }
  #goToFirst(): void {
    const t = this.#impact && this.#impact.verdict !== 'separated' ? Math.min(this.#impact.toiLower, 1) : 0;
    this.#timeline.value = t;
    this.#setTime(t);
  }
  #choose(index: number): void {
    const contact = this.#collisions[index];
    if (!contact) return;
    this.#chosen = index;
    [...this.#rows.children].forEach((row, i) => row.setAttribute('aria-current', i === index ? 'true' : 'false'));
    this.#rows.children[index]?.scrollIntoView({ block: 'nearest' });
    this.#timeline.value = contact.time;
    this.#setTime(contact.time);
    this.#drawContacts();
  }
  #toggleOpacity(): void {
    this.#seesThrough = !this.#seesThrough;
    for (const material of this.#surfaces) {
      material.transparent = this.#seesThrough;
      material.opacity = this.#seesThrough ? 0.3 : 1;
      material.depthWrite = !this.#seesThrough;
      material.needsUpdate = true;
    }
    this.#scene.render();
  }

  // --- Panel ---

  #fillPanel(tool: Json | undefined, listed: BodyContact[]): void {
    const answer = el('div', {});
    const impact = this.#impact;
    if (impact) {
      const words = { separated: 'Separated', contact: 'Contact', unresolved: 'Unresolved' }[impact.verdict];
      const rows = el('dl', { class: 'pairs' });
      const row = (name: string, value: string, hex?: string): void => {
        rows.append(el('dt', {}, name), el('dd', {}, value, ' ', hex ? el('span', { class: 'hex' }, hex) : null));
      };
      if (impact.verdict === 'separated') row('free', 'all of [0, 1], proved on the true paths');
      else {
        row('free before', toDecimal(impact.toiLower), toHex(impact.toiLower));
        if (Number.isFinite(impact.toiUpper)) row('contact by', toDecimal(impact.toiUpper), toHex(impact.toiUpper));
      }
      row('at the start', impact.start);
      if (impact.contact.a >= 0) {
        row('faces', `${impact.contact.a} of A, ${impact.contact.b} of B`);
        row('point', impact.contact.point.map((x) => brief(x)).join(', '));
        row('normal', impact.contact.normal.map((x) => brief(x)).join(', '));
      }
      row('checks', String(impact.checks));
      const chips = isObject(tool) ? [this.#agreement(impact, tool)] : [];
      answer.append(el('div', { class: `verdict ${impact.verdict}`, 'data-verdict': impact.verdict }, words, ...chips), rows);
    } else answer.append(el('p', { class: 'muted' }, 'The first contact is computed for two bodies.'));
    this.#collisions = listed;
    this.#fillRows();
    const head = el('tr', {}, ...['time', 'type', 'A', 'B', 'properness'].map((name, i) => el('th', { class: i > 1 ? 'n' : '' }, name)));
    this.#context.panel.append(
      card('First contact', answer),
      card('Collisions', el('div', { class: 'row' }, this.#step ? button('find all', 'Every crossing of features, computed on this page', () => this.#collide()) : null),
        el('div', { class: 'scroll' }, el('table', { class: 'collisions' }, el('thead', {}, head), this.#rows)),
        el('p', { class: 'small muted' }, 'Properness ≥ 0: the bodies face each other there, as at every first contact; below 0 they already overlap nearby.')),
      card('Bodies', el('dl', { class: 'pairs' }, ...this.#bodies.flatMap((body) => [el('dt', {}, body.name),
        el('dd', {}, `${body.vertices.length / 3} vertices, ${body.faces.length / 3} triangles`)]))));
    this.#timeline.setMarks(this.#marks());
  }
  // Poses are normalised on the way: the last digits may differ, the exact time lies in both brackets.
  #agreement(impact: Impact, tool: { [key: string]: Json }): HTMLElement {
    const agrees = tool['verdict'] === impact.verdict
      && (impact.verdict === 'separated' || (time(tool['toi_lower']) <= impact.toiUpper && impact.toiLower <= time(tool['toi_upper'])));
    return el('span', { class: `chip ${agrees ? 'good' : 'bad'}` }, agrees ? 'as the tool' : 'the tool says otherwise');
  }
  #marks(): Mark[] {
    const marks: Mark[] = [];
    if (this.#impact) {
      const { verdict, toiLower, toiUpper } = this.#impact;
      if (verdict === 'separated') marks.push({ from: 0, to: 1, colour: 'free', label: 'proved free' });
      else {
        if (toiLower > 0) marks.push({ from: 0, to: toiLower, colour: 'free', label: 'proved free' });
        marks.push({ from: toiLower, to: Math.min(toiUpper, 1), colour: verdict === 'contact' ? 'contact' : 'warning', label: verdict === 'contact' ? 'first contact' : 'nothing proved' });
      }
    }
    for (const c of this.#collisions.slice(0, 500)) marks.push({ from: c.time, to: c.time, colour: 'accent', label: ' ', flag: true });
    return marks;
  }
  #fillRows(): void {
    clear(this.#rows);
    this.#rows.append(...this.#collisions.slice(0, 500).map((c, i) => el('tr', { class: 'pick', onclick: () => this.#choose(i) },
      el('td', {}, brief(c.time, 6)), el('td', {}, c.type), el('td', { class: 'n' }, c.a), el('td', { class: 'n' }, c.b),
      el('td', { class: `n ${c.properness < 0 ? 'note warning' : ''}` }, brief(c.properness, 3)))));
    if (this.#collisions.length === 0) this.#rows.append(el('tr', {}, el('td', { colspan: '5', class: 'muted' }, this.#complete === null ? 'none listed' : 'none')));
    this.#timeline.setMarks(this.#marks());
    this.#drawContacts();
  }

  // --- Picture ---

  #build(): void {
    this.#bodies.forEach((body, i) => {
      const colour = COLOURS[i % COLOURS.length]!;
      const o = this.#offsets[i]!;
      const local = Array.from(body.vertices, (x, k) => (x - [o.x, o.y, o.z][k % 3]!) / this.#scale);
      const surface = this.#scene.surface(local, body.faces, colour);
      this.#surfaces.push(surface.material);
      const edges = new EdgesGeometry(surface.geometry, 15).getAttribute('position').array;
      const group = new Group();
      group.matrixAutoUpdate = false;
      group.add(surface, this.#scene.lines(Array.from(edges), 'text', 1.2, { opacity: 0.65 }));
      this.#groups.push(group);
      this.#scene.scene.add(group, this.#ghost(i, Array.from(edges), 0), this.#ghost(i, Array.from(edges), 1), this.#paths(i, colour));
    });
    this.#scene.scene.add(this.#contacts);
  }
  #ghost(i: number, edges: number[], t: number): Group {
    const pose = this.#poseAt(i, t);
    const o = this.#offsets[i]!;
    const group = new Group();
    group.add(this.#scene.lines(edges, COLOURS[i % COLOURS.length]!, 1, { opacity: 0.35, dashed: t === 1 }));
    group.matrixAutoUpdate = false;
    group.matrix = new Matrix4().compose(this.#place(this.#worldPoint(pose, o.x, o.y, o.z)), quaternion(pose), new Vector3(1, 1, 1));
    return group;
  }
  #paths(i: number, colour: ColourName): Group {
    const body = this.#bodies[i]!;
    const count = body.vertices.length / 3;
    const every = Math.max(1, Math.ceil(count / PATHS));
    const poses = Array.from({ length: PATH_SAMPLES + 1 }, (_, k) => this.#poseAt(i, k / PATH_SAMPLES));
    const points: number[] = [];
    for (let v = 0; v < count; v += every) {
      const at = poses.map((pose) => this.#place(this.#worldPoint(pose, body.vertices[3 * v]!, body.vertices[3 * v + 1]!, body.vertices[3 * v + 2]!)));
      for (let k = 0; k + 1 < at.length; ++k) points.push(...at[k]!.toArray(), ...at[k + 1]!.toArray());
    }
    const group = new Group();
    group.add(this.#scene.lines(points, colour, 1, { opacity: 0.3 }));
    return group;
  }
  #drawContacts(): void {
    this.#scene.empty(this.#contacts);
    const at = (point: Vector): Vector3 => this.#place(new Vector3(...point));
    for (const c of this.#collisions.slice(0, 300)) this.#contacts.add(this.#scene.mark('disc', at(c.point), 8, 'accent', 4));
    const chosen = this.#collisions[this.#chosen] ?? (this.#impact?.verdict === 'contact' ? this.#impact.contact : null);
    if (chosen) {
      const from = at(chosen.point);
      const tip = from.clone().addScaledVector(new Vector3(...chosen.normal), 0.3);
      this.#contacts.add(this.#scene.lines([...from.toArray(), ...tip.toArray()], 'contact', 3, { onTop: true }),
        this.#scene.mark('ring', from, 32, 'contact', 5), this.#scene.mark('disc', tip, 12, 'contact', 5));
    }
    this.#scene.render();
  }
}

function quaternion(pose: Pose): Quaternion {
  return new Quaternion(pose[1], pose[2], pose[3], pose[0]).normalize();
}

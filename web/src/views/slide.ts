// A ball, an ellipsoid, a capsule or a rounded box that slides through a level: its path, what it met, how near it came;
// and a walk through the level with the mover itself.
import { Box3, EdgesGeometry, Group, Mesh, MeshLambertMaterial, SphereGeometry, Vector3 } from 'three';
import type { Level } from '../../npm/src/module.js';
import type { MovingShape, Vector } from '../../npm/src/types.js';
import { DocumentError, indices, isObject, list, numbers, text, type Json, type ViewData } from '../document.js';
import { button, card, clear, el } from '../dom.js';
import { brief, toDecimal, toHex } from '../numbers.js';
import { View3D } from '../scene.js';
import { Timeline, type Mark } from '../timeline.js';
import type { View, ViewContext } from './view.js';

interface Touch {
  face: number;
  part?: string;
  point: Vector;
  normal: Vector;
}

interface Frame {
  position: Vector;
  stopped: string;
  iterations: number;
  gap: number | null;
  gapProved: boolean;
  contacts: Touch[];
  ground: string;
  events: string[];
}

// A part of a world that moves: its pose at the start, and after each frame.
interface MovingPart {
  vertices: Float64Array;
  faces: Uint32Array;
  poses: Float64Array;
  group: Group;
}

const POSE_NUMBERS = 7;
const AXES: Vector[] = [[0, 1, 0], [0, 0, 1], [1, 0, 0]];

function vector(value: Json | undefined, otherwise: Vector = [0, 0, 0]): Vector {
  const n = list(value);
  return n.length >= 3 && n.every((x) => typeof x === 'number') ? [n[0] as number, n[1] as number, n[2] as number] : otherwise;
}

function readFrame(json: Json): Frame {
  const frame = isObject(json) ? json : {};
  return {
    position: vector(frame['position']), stopped: text(frame['stopped'], 'free'), iterations: Number(frame['iterations'] ?? 0),
    gap: typeof frame['gap'] === 'number' ? frame['gap'] : null, gapProved: frame['gap_proved'] !== false,
    contacts: list(frame['contacts']).filter(isObject).map((c) => ({ face: Number(c['face']), part: text(c['part']), point: vector(c['point']), normal: vector(c['normal']) })),
    ground: text(frame['ground']), events: list(frame['events']).map((event) => text(event)),
  };
}

function readMoving(json: Json, index: number): MovingPart {
  const part = isObject(json) ? json : {};
  const vertices = numbers(part['vertices'], `moving[${index}].vertices`);
  const faces = indices(part['faces'], `moving[${index}].faces`);
  const poses = numbers(part['poses'], `moving[${index}].poses`);
  if (poses.length < POSE_NUMBERS || poses.length % POSE_NUMBERS !== 0) throw new DocumentError(`moving[${index}].poses: none, or cut short`);
  if (faces.some((i) => i >= vertices.length / 3)) throw new DocumentError(`moving[${index}].faces: without their vertices`);
  return { vertices, faces, poses, group: new Group() };
}

export const slideView = (data: ViewData, context: ViewContext): View => new SlideView(data, context);

class SlideView implements View {
  readonly help: [string, string][] = [
    ['P', 'walk through the level, and back to the recorded path'],
    ['W A S D', 'while walking: forward, left, back, right (arrows, too)'],
    ['space', 'while walking: jump'],
    ['U', 'which axis points up'],
    ['F', 'fit the picture'],
  ];
  readonly #context: ViewContext;
  readonly #scene: View3D;
  readonly #timeline: Timeline;
  readonly #vertices: Float64Array;
  readonly #faces: Uint32Array;
  readonly #shape: Required<MovingShape>;
  readonly #skin: number;
  readonly #frames: Frame[];
  readonly #start: Vector;
  readonly #level: Level;
  readonly #moving: MovingPart[];
  #levelWalked: Level | null = null;
  readonly #body = new Group();
  readonly #touches = new Group();
  readonly #trail = new Group();
  readonly #details = el('dl', { class: 'pairs' });
  readonly #hud = el('div', { class: 'hud', role: 'status' });
  readonly #walkButton: HTMLButtonElement;
  readonly #walker: Walker;
  #centre = new Vector3();
  #scale = 1;
  #box = new Box3();
  #up = 0;

  constructor(data: ViewData, context: ViewContext) {
    this.#context = context;
    this.#vertices = numbers(data['vertices'], 'vertices');
    this.#faces = indices(data['faces'], 'faces');
    this.#moving = list(data['moving']).map(readMoving);
    if ((this.#faces.length === 0 && this.#moving.length === 0) || this.#faces.some((i) => i >= this.#vertices.length / 3)) throw new DocumentError('faces: none, or without their vertices');
    const shape = isObject(data['shape']) ? data['shape'] : {};
    this.#shape = { radii: vector(shape['radii'], [1, 1, 1]), halfAxis: vector(shape['half_axis']), sideAxes: [0, 1].map((i) => vector(list(shape['side_axes'])[i])) as [Vector, Vector] };
    this.#skin = typeof data['skin'] === 'number' ? data['skin'] : 0;
    this.#frames = list(data['frames']).map(readFrame);
    const box = new Box3().setFromArray(Array.from(this.#verticesAt(0)));
    this.#start = vector(data['start'], this.#frames[0]?.position ?? box.getCenter(new Vector3()).setComponent(1, box.max.y).toArray());
    this.#level = context.graze.level(this.#vertices, this.#faces);
    // A capsule stands on its axis.
    const longest = this.#shape.halfAxis.map(Math.abs);
    if (this.#axes().length === 1) this.#up = longest[1]! >= Math.max(...longest) ? 0 : longest[2]! >= Math.max(...longest) ? 1 : 2;
    this.#scene = new View3D(context.stage, 'Level and path');
    this.#timeline = new Timeline(context.dock, {
      label: 'move', max: Math.max(this.#frames.length, 1), step: 1, seconds: Math.min(Math.max(this.#frames.length / 60, 2), 12),
      onChange: (frame) => this.#show(frame),
    });
    this.#walkButton = button('walk', 'Walk through the level (P)', () => this.#toggleWalk(), 'primary');
    this.#timeline.addButton(this.#walkButton);
    this.#timeline.addButton(button('up: y', 'Which axis points up (U)', () => this.#nextUp(), 'up'));
    this.#walker = new Walker(this.#shape, this.#skin, AXES[this.#up]!, context.stage);
    this.#hud.hidden = true;
    context.stage.append(this.#hud, el('div', { class: 'legend' }, el('span', {}, el('span', { class: 'swatch a' }), 'shape'),
      el('span', {}, el('span', { class: 'swatch b' }), 'path'), el('span', {}, el('span', { class: 'swatch contact' }), 'contacts')));
    this.#build(box);
    this.#fillPanel();
    this.#setUp();
    this.#show(0);
    this.#fit();
    // Once the page has its layout.
    this.#walker.onStep = (position, moved) => this.#walked(position, moved);
  }

  key(event: KeyboardEvent): boolean {
    if (this.#walker.isWalking && this.#walker.press(event.key)) return true;
    switch (event.key.toLowerCase()) {
      case 'p': this.#toggleWalk(); return true;
      case 'u': this.#nextUp(); return true;
      case 'f': this.#fit(); return true;
      default: return this.#timeline.key(event);
    }
  }
  dispose(): void {
    this.#walker.dispose();
    this.#levelWalked?.destroy();
    this.#level.destroy();
    this.#timeline.dispose();
    this.#scene.dispose();
  }

  // --- What moves ---

  /** Rotates the picture of a part as after a frame; returns where its origin is. */
  #pose(part: MovingPart, frame: number): Vector3 {
    const first = POSE_NUMBERS * Math.min(Math.max(Math.round(frame), 0), part.poses.length / POSE_NUMBERS - 1);
    const [w, x, y, z, tx, ty, tz] = Array.from(part.poses.subarray(first, first + POSE_NUMBERS));
    part.group.quaternion.set(x!, y!, z!, w!);
    return new Vector3(tx, ty, tz);
  }
  /** All vertices, those of moving parts where they are after a frame. */
  #verticesAt(frame: number): Float64Array {
    const all = Array.from(this.#vertices);
    for (const part of this.#moving) {
      const at = this.#pose(part, frame);
      for (let i = 0; i < part.vertices.length; i += 3) {
        all.push(...new Vector3(part.vertices[i], part.vertices[i + 1], part.vertices[i + 2]).applyQuaternion(part.group.quaternion).add(at).toArray());
      }
    }
    return Float64Array.from(all);
  }
  #allFaces(): Uint32Array {
    const all = Array.from(this.#faces);
    let first = this.#vertices.length / 3;
    for (const part of this.#moving) {
      for (const i of part.faces) all.push(i + first);
      first += part.vertices.length / 3;
    }
    return Uint32Array.from(all);
  }
  #placeMoving(frame: number): void {
    for (const part of this.#moving) {
      part.group.position.copy(this.#place(this.#pose(part, frame).toArray()));
    }
  }

  // --- The recorded path ---

  #positionAt(frame: number): Vector {
    return frame <= 0 ? this.#start : this.#frames[Math.min(frame, this.#frames.length) - 1]?.position ?? this.#start;
  }
  #show(frame: number): void {
    const position = this.#positionAt(frame);
    this.#body.position.copy(this.#place(position));
    this.#placeMoving(frame);
    const recorded = frame > 0 ? this.#frames[frame - 1] : undefined;
    this.#drawTouches(recorded?.contacts ?? []);
    clear(this.#details);
    const row = (name: string, ...value: (string | HTMLElement)[]): void => {
      this.#details.append(el('dt', {}, name), el('dd', {}, ...value));
    };
    position.forEach((x, i) => row('xyz'[i]!, toDecimal(x), ' ', el('span', { class: 'hex' }, toHex(x))));
    if (recorded) {
      row('stopped', recorded.stopped);
      row('iterations', String(recorded.iterations));
      row('gap in the tool', recorded.gap === null ? 'none near' : brief(recorded.gap, 6), recorded.gapProved ? '' : ' (not proved)');
    }
    if (recorded && recorded.ground !== '') row('ground', recorded.ground);
    if (recorded && recorded.events.length > 0) row('events', recorded.events.join(', '));
    const gap = this.#level.gap(this.#shape, position, this.#reach());
    row(this.#moving.length > 0 ? 'gap to what stands' : 'gap here', gap.found ? `at least ${brief(gap.gapLower, 6)}${this.#moving.length > 0 ? '' : `, to face ${gap.contact.face}`}` : `more than ${brief(this.#reach(), 3)}`);
    row('contacts', recorded && recorded.contacts.length > 0 ? recorded.contacts.map((c) => c.part || `face ${c.face}`).join(', ') : 'none');
    this.#scene.render();
  }
  #reach(): number {
    return Math.max(...this.#shape.radii) * 4;
  }
  #fillPanel(): void {
    const counts = new Map<string, number>();
    for (const frame of this.#frames) counts.set(frame.stopped, (counts.get(frame.stopped) ?? 0) + 1);
    const gaps = this.#frames.map((f) => f.gap ?? NaN);
    const least = gaps.reduce((a, b) => (b < a ? b : a), Infinity);
    const proved = this.#frames.filter((f) => f.gapProved).length;
    this.#context.panel.append(
      card('This move', this.#details),
      card('All moves', el('dl', { class: 'pairs' },
        el('dt', {}, 'moves'), el('dd', {}, `${this.#frames.length}: ${[...counts].map(([reason, n]) => `${n} ${reason}`).join(', ') || 'none'}`),
        el('dt', {}, 'gap proved'), el('dd', {}, `after ${proved} of ${this.#frames.length} moves`),
        el('dt', {}, 'smallest gap'), el('dd', {}, Number.isFinite(least) ? `${brief(least, 6)} (skin ${brief(this.#skin, 4)})` : 'none'),
        el('dt', {}, 'shape'), el('dd', {}, `radii ${this.#shape.radii.map((r) => brief(r)).join(', ')}${this.#axes().map((axis) => `; half axis ${axis.toArray().map((x) => brief(x)).join(', ')}`).join('')}`),
        el('dt', {}, 'level'), el('dd', {}, `${this.#allFaces().length / 3} triangles${this.#moving.length > 0 ? `, parts that move: ${this.#moving.length}` : ''}`))),
      card('Walk', el('p', {}, 'Walk through the level with the mover of the library: after every move the gap to every face is at least the skin, by proof.'),
        ...(this.#moving.length > 0 ? [el('p', {}, 'Parts that move stand still meanwhile, where they are in this frame.')] : []),
        el('div', { class: 'row' }, button('walk', 'Walk through the level (P)', () => this.#toggleWalk(), 'primary'))));
    this.#timeline.setCurve({ times: this.#frames.map((_, i) => i + 1), values: gaps, label: 'gap' });
    // Moves that ended alike, one after the other, are one band.
    const marks: Mark[] = [];
    let reason = '';
    this.#frames.forEach(({ stopped }, i) => {
      const last = marks.at(-1);
      if (stopped === reason && last) last.to = i + 1.5;
      else if (stopped !== 'free') marks.push({ from: i + 0.5, to: i + 1.5, colour: stopped === 'blocked' ? 'contact' : 'warning' });
      reason = stopped === 'free' ? '' : stopped;
    });
    for (const mark of marks) if (mark.to - mark.from > this.#frames.length / 12) mark.label = mark.colour === 'contact' ? 'blocked' : 'pushed out or at a limit';
    this.#timeline.setMarks(marks);
  }

  // --- Walking ---

  #toggleWalk(): void {
    const walking = !this.#walker.isWalking;
    this.#timeline.stop();
    this.#walkButton.classList.toggle('on', walking);
    this.#hud.hidden = !walking;
    if (walking) {
      const from = this.#positionAt(this.#timeline.value);
      this.#walker.start(this.#levelToWalk(), from, () => this.#heading());
      this.#zoomTo(from);
      this.#scene.canvas.focus();
    } else {
      this.#walker.stop();
      this.#show(this.#timeline.value);
    }
  }
  /** Parts that move stand where they are in the frame from which the walk begins. */
  #levelToWalk(): Level {
    if (this.#moving.length === 0) return this.#level;
    this.#levelWalked?.destroy();
    this.#levelWalked = this.#context.graze.level(this.#verticesAt(this.#timeline.value), this.#allFaces());
    return this.#levelWalked;
  }
  #zoomTo(position: Vector): void {
    this.#scene.releaseCamera();
    const target = this.#place(position);
    const radius = Math.max(...this.#shape.radii) / this.#scale;
    const back = this.#scene.camera.position.clone().sub(this.#scene.controls?.target ?? new Vector3()).normalize();
    this.#scene.camera.position.copy(target).addScaledVector(back, radius * 14);
    this.#scene.controls?.target.copy(target);
    this.#scene.controls?.update();
    this.#last = target;
  }
  #last = new Vector3();
  /** Away from the camera, along the ground. */
  #heading(): Vector3 {
    const up = new Vector3(...AXES[this.#up]!);
    const look = this.#scene.camera.getWorldDirection(new Vector3());
    look.addScaledVector(up, -look.dot(up));
    return look.lengthSq() > 1e-12 ? look.normalize() : new Vector3(1, 0, 0);
  }
  #walked(position: Vector, moved: WalkReport): void {
    const at = this.#place(position);
    this.#body.position.copy(at);
    // The camera comes along.
    const delta = at.clone().sub(this.#last);
    this.#last = at;
    this.#scene.camera.position.add(delta);
    this.#scene.controls?.target.add(delta);
    this.#scene.controls?.update();
    this.#drawTouches(moved.contacts);
    this.#hud.replaceChildren(
      el('div', {}, el('b', {}, `gap ≥ ${brief(moved.gap, 4)}`), moved.gapProved ? ' proved' : ''),
      el('div', { class: 'muted' }, `least so far ${brief(moved.least, 4)}, skin ${brief(moved.skin, 4)}`),
      el('div', { class: 'muted' }, `${moved.stopped}, contacts: ${moved.contacts.length}`));
    Object.assign(this.#hud.dataset, { gap: String(moved.gap), least: String(moved.least), position: position.join(' '), moves: String(moved.moves) });
    this.#scene.render();
  }
  #nextUp(): void {
    this.#up = (this.#up + 1) % AXES.length;
    this.#setUp();
    this.#fit();
  }
  #setUp(): void {
    const axis = AXES[this.#up]!;
    this.#scene.camera.up.set(...axis);
    this.#walker.up = axis;
    const label = this.#timeline.element.querySelector('.up');
    if (label) label.textContent = `up: ${'yzx'[this.#up]}`;
  }

  // --- Picture ---

  #place(p: Vector): Vector3 {
    return new Vector3(...p).sub(this.#centre).divideScalar(this.#scale);
  }
  #fit(): void {
    const direction = [new Vector3(0.45, 0.85, 0.8), new Vector3(0.45, -0.8, 0.85), new Vector3(0.85, 0.45, 0.8)][this.#up]!;
    this.#scene.fit(this.#box, direction);
  }
  #build(box: Box3): void {
    this.#centre = box.getCenter(new Vector3());
    const size = box.getSize(new Vector3());
    this.#scale = Math.max(size.x, size.y, size.z) / 2 || 1;
    this.#box = new Box3(this.#place(box.min.toArray()), this.#place(box.max.toArray()));
    const local = Array.from(this.#vertices, (x, i) => (x - this.#centre.getComponent(i % 3)) / this.#scale);
    const surface = this.#scene.surface(local, this.#faces, 'faint');
    const edges = new EdgesGeometry(surface.geometry, 12).getAttribute('position').array;
    for (const part of this.#moving) {
      const own = this.#scene.surface(Array.from(part.vertices, (x) => x / this.#scale), part.faces, 'b');
      part.group.add(own, this.#scene.lines(Array.from(new EdgesGeometry(own.geometry, 12).getAttribute('position').array), 'text', 1, { opacity: 0.5 }));
      this.#scene.scene.add(part.group);
    }
    const path: number[] = [];
    for (let i = 0; i < this.#frames.length; ++i) path.push(...this.#place(this.#positionAt(i)).toArray(), ...this.#place(this.#positionAt(i + 1)).toArray());
    this.#trail.add(this.#scene.lines(path, 'b', 3));
    this.#body.add(this.#shapeMesh());
    this.#scene.scene.add(surface, this.#scene.lines(Array.from(edges), 'text', 1, { opacity: 0.5 }), this.#trail, this.#body, this.#touches);
  }
  /** What the ellipsoid is swept along: nothing, a segment, or the edges of a box. */
  #axes(): Vector3[] {
    return [this.#shape.halfAxis, ...this.#shape.sideAxes].map((axis) => new Vector3(...axis)).filter((axis) => axis.lengthSq() > 0);
  }
  /** Each point of the ellipsoid goes to the corner of the core that is farthest along its normal. */
  #shapeMesh(): Mesh {
    const radii = new Vector3(...this.#shape.radii).divideScalar(this.#scale);
    const axes = this.#axes().map((axis) => axis.divideScalar(this.#scale));
    const geometry = new SphereGeometry(1, 48, 32);
    const points = geometry.getAttribute('position');
    for (let i = 0; i < points.count; ++i) {
      const unit = new Vector3().fromBufferAttribute(points, i);
      const normal = unit.clone().divide(radii);
      const point = unit.multiply(radii);
      for (const axis of axes) point.addScaledVector(axis, normal.dot(axis) < 0 ? -1 : 1);
      points.setXYZ(i, point.x, point.y, point.z);
    }
    return new Mesh(geometry, this.#scene.coloured(new MeshLambertMaterial({ transparent: true, opacity: 0.9 }), 'a'));
  }
  #drawTouches(touches: Touch[]): void {
    this.#scene.empty(this.#touches);
    const length = Math.max(...this.#shape.radii) / this.#scale;
    const points = touches.flatMap((c) => {
      const at = this.#place(c.point);
      return [...at.toArray(), ...at.addScaledVector(new Vector3(...c.normal), length).toArray()];
    });
    this.#touches.add(this.#scene.lines(points, 'contact', 4, { onTop: true }));
    const rims = touches.flatMap((c) => {
      const corners = Number.isInteger(c.face) && 3 * c.face + 2 < this.#faces.length
        ? [0, 1, 2].map((k) => this.#faces[3 * c.face + k]!).map((v) => this.#place([this.#vertices[3 * v]!, this.#vertices[3 * v + 1]!, this.#vertices[3 * v + 2]!])) : [];
      return corners.flatMap((p, k) => [...p.toArray(), ...corners[(k + 1) % 3]!.toArray()]);
    });
    this.#touches.add(this.#scene.lines(rims, 'contact', 2));
  }
}

interface WalkReport {
  gap: number;
  least: number;
  skin: number;
  gapProved: boolean;
  stopped: string;
  contacts: Touch[];
  moves: number;
}

const KEYS: Record<string, [forward: number, right: number]> = {
  w: [1, 0], s: [-1, 0], a: [0, -1], d: [0, 1], arrowup: [1, 0], arrowdown: [-1, 0], arrowleft: [0, -1], arrowright: [0, 1],
};

// Keys and a stick for fingers become displacements; the mover decides where they lead.
class Walker {
  onStep: (position: Vector, report: WalkReport) => void = () => {};
  up: Vector;
  isWalking = false;
  #level: Level | null = null;
  readonly #shape: MovingShape;
  readonly #skin: number;
  readonly #stick = el('div', { class: 'stick', 'aria-label': 'Walk' });
  readonly #knob = el('div', { class: 'knob' });
  readonly #held = new Set<string>();
  readonly #released = (event: KeyboardEvent): void => void this.#held.delete(event.key.toLowerCase());
  #position: Vector = [0, 0, 0];
  #from: Vector = [0, 0, 0];
  #heading: () => Vector3 = () => new Vector3();
  #stickAt: [number, number] = [0, 0];
  #fall = 0;
  #onGround = false;
  #jump = false;
  #least = Infinity;
  #moves = 0;
  #animation = 0;

  constructor(shape: MovingShape, skin: number, up: Vector, stage: HTMLElement) {
    this.#shape = shape;
    this.#skin = skin;
    this.up = up;
    this.#stick.append(this.#knob);
    this.#stick.hidden = true;
    stage.append(this.#stick);
    addEventListener('keyup', this.#released);
    this.#listen();
  }
  get #size(): number {
    return Math.max(...this.#shape.radii);
  }
  start(level: Level, position: Vector, heading: () => Vector3): void {
    this.#level = level;
    this.#position = this.#from = position;
    this.#heading = heading;
    this.#fall = 0;
    this.#least = Infinity;
    this.#moves = 0;
    this.isWalking = true;
    this.#stick.hidden = !matchMedia('(pointer: coarse)').matches;
    let last = performance.now();
    const next = (now: number): void => {
      // A page that was hidden goes on where it was.
      this.#step(Math.min((now - last) / 1000, 0.05));
      last = now;
      this.#animation = requestAnimationFrame(next);
    };
    this.#animation = requestAnimationFrame(next);
  }
  stop(): void {
    cancelAnimationFrame(this.#animation);
    this.isWalking = false;
    this.#held.clear();
    this.#stick.hidden = true;
  }
  press(key: string): boolean {
    const name = key.toLowerCase();
    if (name === ' ') this.#jump = true;
    else if (name in KEYS) this.#held.add(name);
    else return false;
    return true;
  }
  dispose(): void {
    this.stop();
    removeEventListener('keyup', this.#released);
  }

  #direction(): Vector3 {
    const up = new Vector3(...this.up);
    const ahead = this.#heading();
    const right = new Vector3().crossVectors(ahead, up);
    const sum = ahead.clone().multiplyScalar(-this.#stickAt[1]).addScaledVector(right, this.#stickAt[0]);
    for (const key of this.#held) {
      const [f, r] = KEYS[key]!;
      sum.addScaledVector(ahead, f).addScaledVector(right, r);
    }
    return sum.length() > 1 ? sum.normalize() : sum;
  }
  #step(seconds: number): void {
    const level = this.#level;
    if (level === null) return;
    const size = this.#size;
    const up = new Vector3(...this.up);
    if (this.#jump && this.#onGround) this.#fall = -7 * size;
    this.#jump = false;
    this.#fall = Math.min(this.#fall + 22 * size * seconds, 30 * size);
    const along = this.#direction().multiplyScalar(7 * size * seconds).toArray();
    const walked = level.climb(this.#shape, this.#position, along, this.up, size * 0.6, this.#skin);
    const fallen = level.move(this.#shape, walked.position, up.clone().multiplyScalar(-this.#fall * seconds).toArray(), this.#skin);
    this.#onGround = this.#fall > 0 && fallen.contacts.some((c) => new Vector3(...c.normal).dot(up) > 0.5);
    const hitCeiling = this.#fall < 0 && fallen.contacts.some((c) => new Vector3(...c.normal).dot(up) < -0.5);
    if (this.#onGround || hitCeiling) this.#fall = 0;
    this.#position = fallen.position;
    const gap = level.gap(this.#shape, this.#position, 4 * size);
    this.#least = Math.min(this.#least, gap.gapLower);
    this.#moves += 1;
    // Out of the level, for ever down: back to where the walk began.
    if (new Vector3(...this.#position).sub(new Vector3(...this.#from)).dot(up) < -200 * size) this.#position = this.#from;
    this.onStep(this.#position, {
      gap: gap.gapLower, least: this.#least, skin: fallen.skin, gapProved: walked.gapProved && fallen.gapProved, stopped: walked.stopped,
      contacts: [...walked.contacts, ...fallen.contacts], moves: this.#moves,
    });
  }
  #listen(): void {
    const move = (event: PointerEvent): void => {
      const box = this.#stick.getBoundingClientRect();
      const x = (event.clientX - box.left - box.width / 2) / (box.width / 2);
      const y = (event.clientY - box.top - box.height / 2) / (box.height / 2);
      const length = Math.max(Math.hypot(x, y), 1);
      this.#stickAt = [x / length, y / length];
      this.#knob.style.transform = `translate(${this.#stickAt[0] * 36}px, ${this.#stickAt[1] * 36}px)`;
    };
    this.#stick.addEventListener('pointerdown', (event) => {
      this.#stick.setPointerCapture(event.pointerId);
      move(event);
    });
    this.#stick.addEventListener('pointermove', (event) => {
      if (this.#stick.hasPointerCapture(event.pointerId)) move(event);
    });
    this.#stick.addEventListener('pointerup', () => {
      this.#stickAt = [0, 0];
      this.#knob.style.transform = '';
    });
  }
}

// The boxes of the domain (t, u, v) as `tight-inclusion` splits and excludes them.
import type { Graze } from '../../npm/src/module.js';
import type { QueryKind, QueryOptions, TraceBox } from '../../npm/src/types.js';
import { Canvas2D } from '../canvas2d.js';
import { button, el } from '../dom.js';
import { colours } from '../theme.js';

const CAPACITY = 20_000;
// More boxes than these are no picture any more, and take long to draw.
const DRAWN = 700;
// The search ends with boxes of 10^-6 of the domain; the box in view grows with them by this much.
const MARGIN = 3;

interface Frame3 {
  low: [number, number, number];
  size: [number, number, number];
}

export class DomainPlot {
  readonly element = el('div', {});
  readonly #graze: Graze;
  readonly #kind: QueryKind;
  readonly #canvas: Canvas2D;
  readonly #slider = el('input', { type: 'range', min: '0', max: '0', step: '1', 'aria-label': 'Level of the search' });
  readonly #caption = el('p', { class: 'small muted' });
  readonly #zoomButton: HTMLButtonElement;
  #boxes: TraceBox[] = [];
  #levels: [first: number, last: number][] = [];
  #level = 0;
  #zoomed = false;
  #yaw = 0.62;
  #pitch = 0.42;
  #timer = 0;
  #animation = 0;

  constructor(graze: Graze, kind: QueryKind) {
    this.#graze = graze;
    this.#kind = kind;
    const holder = el('div', {});
    this.#zoomButton = button('zoom', 'Enlarge what is left of the domain', () => {
      this.#zoomed = !this.#zoomed;
      this.#zoomButton.classList.toggle('on', this.#zoomed);
      this.#canvas.redraw();
    });
    this.element.append(holder, el('div', { class: 'row' },
      button('▶', 'Play the search', () => this.#play(), 'round'), this.#zoomButton), this.#slider, this.#caption);
    this.#canvas = new Canvas2D(holder, 'domain', (context, width, height) => this.#draw(context, width, height));
    this.#canvas.canvas.setAttribute('aria-label', 'Boxes of the domain');
    this.#slider.addEventListener('input', () => this.#show(Number(this.#slider.value)));
    this.#turnable(this.#canvas.canvas);
  }

  show(positions: Float64Array, options: QueryOptions): void {
    clearTimeout(this.#timer);
    clearInterval(this.#animation);
    this.#timer = window.setTimeout(() => {
      // The search has its own separation, in the max-norm; a budget changes nothing but where it ends.
      const maxChecks = Math.min(options.maxChecks ?? Infinity, 2 * CAPACITY);
      this.#boxes = this.#graze.trace(this.#kind, positions, { ...options, norm: 'max', maxChecks }, CAPACITY);
      this.#levels = [];
      this.#boxes.forEach((box, i) => {
        const last = this.#levels[box.level];
        if (last) last[1] = i + 1;
        else this.#levels[box.level] = [i, i + 1];
      });
      this.#slider.max = String(Math.max(this.#levels.length - 1, 0));
      this.#show(Math.max(this.#levels.length - 1, 0));
    }, 80);
  }
  dispose(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#animation);
    this.#canvas.dispose();
  }

  #show(level: number): void {
    this.#level = level;
    this.#slider.value = String(level);
    const range = this.#levels[level];
    const boxes = range ? this.#boxes.slice(...range) : [];
    const kept = boxes.filter((b) => b.kept).length;
    const box = boxes[0];
    const all = this.#boxes.length === CAPACITY ? `the first ${CAPACITY}` : `${this.#boxes.length}`;
    this.#caption.textContent = box
      ? `Level ${level}: ${boxes.length} boxes of ${power(box.dt)} × ${power(box.du)} × ${power(box.dv)}; ${boxes.length - kept} excluded, ${kept} left. ${all} boxes in all.`
      : 'No boxes.';
    this.#canvas.redraw();
  }
  #play(): void {
    clearInterval(this.#animation);
    let level = 0;
    this.#show(level);
    this.#animation = window.setInterval(() => {
      level += 1;
      if (level >= this.#levels.length) clearInterval(this.#animation);
      else this.#show(level);
    }, 180);
  }
  #turnable(canvas: HTMLCanvasElement): void {
    canvas.addEventListener('pointerdown', (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener('pointermove', (event) => {
      if (!canvas.hasPointerCapture(event.pointerId)) return;
      this.#yaw += event.movementX * 0.01;
      this.#pitch = Math.min(Math.max(this.#pitch + event.movementY * 0.01, -0.2), 1.5);
      this.#canvas.redraw();
    });
  }

  // --- Drawing: t to the right, u back, v up ---

  #frame(): Frame3 {
    const range = this.#levels[this.#level];
    const kept = range ? this.#boxes.slice(...range).filter((b) => b.kept) : [];
    if (!this.#zoomed || kept.length === 0) return { low: [0, 0, 0], size: [1, 1, 1] };
    const low: [number, number, number] = [Infinity, Infinity, Infinity];
    const high = [0, 0, 0];
    for (const b of kept) {
      [b.t, b.u, b.v].forEach((x, i) => { low[i] = Math.min(low[i]!, x); });
      [b.t + b.dt, b.u + b.du, b.v + b.dv].forEach((x, i) => { high[i] = Math.max(high[i]!, x); });
    }
    const size = low.map((x, i) => (high[i]! - x) * MARGIN) as [number, number, number];
    return { low: low.map((x, i) => x - size[i]! * (1 - 1 / MARGIN) / 2) as [number, number, number], size };
  }
  #draw(context: CanvasRenderingContext2D, width: number, height: number): void {
    const palette = colours();
    const frame = this.#frame();
    const scale = Math.min(width, height * 1.15) * 0.52;
    const [cy, sy, cp, sp] = [Math.cos(this.#yaw), Math.sin(this.#yaw), Math.cos(this.#pitch), Math.sin(this.#pitch)];
    const project = (t: number, u: number, v: number): [number, number] => {
      const x = (t - frame.low[0]) / frame.size[0] - 0.5;
      const z = (u - frame.low[1]) / frame.size[1] - 0.5;
      const y = (v - frame.low[2]) / frame.size[2] - 0.5;
      const right = x * cy - z * sy;
      const back = x * sy + z * cy;
      return [width / 2 + right * scale, height / 2 - 4 - (y * cp + back * sp) * scale];
    };
    context.clearRect(0, 0, width, height);
    context.lineJoin = 'round';
    this.#drawCube(context, project);
    const range = this.#levels[this.#level];
    const now = range ? this.#boxes.slice(...range) : [];
    const earlier = this.#boxes.slice(0, range?.[0] ?? 0).filter((b) => !b.kept && inside(b, frame));
    context.strokeStyle = palette.faint;
    context.globalAlpha = 0.4;
    context.lineWidth = 0.7;
    outlines(context, thinned(earlier, DRAWN), project);
    context.globalAlpha = 0.8;
    context.strokeStyle = palette.free;
    context.lineWidth = 1;
    outlines(context, thinned(now.filter((x) => !x.kept && inside(x, frame)), DRAWN), project);
    const kept = thinned(now.filter((x) => x.kept), DRAWN);
    context.strokeStyle = context.fillStyle = palette.contact;
    context.lineWidth = 1.3;
    context.globalAlpha = 0.18;
    fill(context, kept, project);
    context.globalAlpha = 1;
    outlines(context, kept, project);
    this.#drawAxes(context, project, frame);
  }
  #drawCube(context: CanvasRenderingContext2D, project: Projection): void {
    const whole: TraceBox = { t: 0, u: 0, v: 0, dt: 1, du: 1, dv: 1, level: 0, kept: true };
    context.strokeStyle = colours().line;
    context.lineWidth = 1;
    outlines(context, [whole], project);
    if (this.#kind !== 'vf') return;
    // Of a face only u + v <= 1.
    context.setLineDash([4, 3]);
    context.beginPath();
    for (const [from, to] of [[[0, 1, 0], [0, 0, 1]], [[1, 1, 0], [1, 0, 1]], [[0, 1, 0], [1, 1, 0]], [[0, 0, 1], [1, 0, 1]]] as const) {
      context.moveTo(...project(...(from as [number, number, number])));
      context.lineTo(...project(...(to as [number, number, number])));
    }
    context.stroke();
    context.setLineDash([]);
  }
  #drawAxes(context: CanvasRenderingContext2D, project: Projection, frame: Frame3): void {
    context.fillStyle = colours().muted;
    context.font = '12px system-ui, sans-serif';
    context.textAlign = 'center';
    const at = (t: number, u: number, v: number): [number, number] => project(
      frame.low[0] + t * frame.size[0], frame.low[1] + u * frame.size[1], frame.low[2] + v * frame.size[2]);
    const swatch = (label: string, point: [number, number], dx: number, dy: number): void => context.fillText(label, point[0] + dx, point[1] + dy);
    swatch('t', at(1, 0, 0), 10, 6);
    if (this.#kind !== 'vv') swatch('u', at(0, 1, 0), -10, 2);
    if (this.#kind === 'vf' || this.#kind === 'ee') swatch('v', at(0, 0, 1), 0, -6);
    swatch('0', at(0, 0, 0), -6, 14);
  }
}

type Projection = (t: number, u: number, v: number) => [number, number];

function power(width: number): string {
  const exponent = Math.log2(width);
  return width === 1 ? '1' : Number.isInteger(exponent) ? `2^${exponent}` : width.toPrecision(3);
}

function inside(b: TraceBox, frame: Frame3): boolean {
  return b.t + b.dt >= frame.low[0] && b.t <= frame.low[0] + frame.size[0] && b.u + b.du >= frame.low[1]
    && b.u <= frame.low[1] + frame.size[1] && b.v + b.dv >= frame.low[2] && b.v <= frame.low[2] + frame.size[2]
    && (b.dt <= frame.size[0] * 1.01 && b.du <= frame.size[1] * 1.01 && b.dv <= frame.size[2] * 1.01);
}

function thinned<T>(list: T[], most: number): T[] {
  const every = Math.ceil(list.length / most);
  return every <= 1 ? list : list.filter((_, i) => i % every === 0);
}

function corners(b: TraceBox, project: Projection): [number, number][] {
  const points: [number, number][] = [];
  for (const v of [0, 1]) for (const u of [0, 1]) for (const t of [0, 1]) points.push(project(b.t + t * b.dt, b.u + u * b.du, b.v + v * b.dv));
  return points;
}
const EDGES = [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]] as const;
const FACES = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]] as const;

// One path for all of them: a canvas draws one path of a thousand boxes faster than a thousand paths.
function outlines(context: CanvasRenderingContext2D, boxes: TraceBox[], project: Projection): void {
  context.beginPath();
  for (const b of boxes) {
    const p = corners(b, project);
    if (isDot(p)) {
      context.moveTo(p[0]![0] + 1.5, p[0]![1]);
      context.arc(p[0]![0], p[0]![1], 1.5, 0, 2 * Math.PI);
      continue;
    }
    for (const [i, j] of EDGES) {
      context.moveTo(...p[i]!);
      context.lineTo(...p[j]!);
    }
  }
  context.stroke();
}
function fill(context: CanvasRenderingContext2D, boxes: TraceBox[], project: Projection): void {
  context.beginPath();
  for (const b of boxes) {
    const p = corners(b, project);
    if (isDot(p)) continue;
    for (const face of FACES) {
      face.forEach((corner, i) => (i === 0 ? context.moveTo(...p[corner]!) : context.lineTo(...p[corner]!)));
      context.closePath();
    }
  }
  context.fill();
}
// What is a point in the picture is still a dot.
function isDot(p: [number, number][]): boolean {
  return Math.hypot(p[7]![0] - p[0]![0], p[7]![1] - p[0]![1]) < 4;
}

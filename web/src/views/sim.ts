// Frames of a run: a simulation, or a recording. With what it took and what it found.
import { Vector3 } from 'three';
import { DocumentError, indices, isObject, list, number, numbers, type Json, type ViewData } from '../document.js';
import { card, el } from '../dom.js';
import { MovingVertices } from '../mesh/moving.js';
import { brief } from '../numbers.js';
import { FramePlot, type Series } from '../plot.js';
import { View3D } from '../scene.js';
import { Timeline } from '../timeline.js';
import type { View, ViewContext } from './view.js';

interface Statistics {
  frame: number;
  energy: number | null;
  contacts: number | null;
  iterations: number | null;
  seconds: number | null;
  seconds_detection: number | null;
}
type Figure = Exclude<keyof Statistics, 'frame'>;

interface SimInput {
  faces: Uint32Array;
  frames: Json[];
  statistics: Statistics[];
}

const finite = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null);

export function readRun(data: ViewData): SimInput {
  const frames = list(data['frames']);
  if (frames.length === 0) throw new DocumentError('frames: none');
  const statistics = list(data['statistics']).map((value, i): Statistics => {
    const s = isObject(value) ? value : {};
    return {
      frame: number(s['frame'], i), energy: finite(s['energy']), contacts: finite(s['contacts']), iterations: finite(s['iterations']),
      seconds: finite(s['seconds']), seconds_detection: finite(s['seconds_detection']),
    };
  });
  return { faces: indices(data['faces'], 'faces'), frames, statistics };
}

export const simView = (data: ViewData, context: ViewContext): View => new SimView(readRun(data), context);

class SimView implements View {
  readonly help: [string, string][] = [['click a plot', 'go to that frame'], ['F', 'fit the picture'],
    ['D', 'draw every triangle of a large mesh now']];
  readonly #input: SimInput;
  readonly #scene: View3D;
  readonly #vertices: MovingVertices;
  readonly #timeline: Timeline;
  readonly #plots: FramePlot[] = [];
  readonly #figures = el('dl', { class: 'pairs' });
  readonly #count: number;

  constructor(input: SimInput, context: ViewContext) {
    this.#input = input;
    const start = this.#positions(0);
    this.#count = start.length;
    if (input.faces.some((v) => 3 * v >= this.#count)) throw new DocumentError('faces: a vertex that there is not');
    this.#scene = new View3D(context.stage, `run of ${input.frames.length} frames`);
    // The picture holds the first and the last frame, and stays where it is.
    const middle = this.#positions(Math.floor(input.frames.length / 2));
    const end = this.#positions(input.frames.length - 1);
    const reach = Float64Array.of(...extent([start, middle, end]));
    this.#vertices = new MovingVertices(start, start, reach);
    this.#vertices.surface(input.faces, 'muted');
    const edges = edgesOf(input.faces);
    if (edges.length > 0) this.#vertices.lines(edges, 'text', { opacity: 0.3 });
    if (input.faces.length === 0) this.#vertices.points(Uint32Array.from({ length: this.#count / 3 }, (_, i) => i), 'muted');
    this.#scene.scene.add(this.#vertices.group);
    this.#timeline = new Timeline(context.dock, {
      label: 'frame', max: Math.max(input.frames.length - 1, 0), step: 1, seconds: Math.max(2, input.frames.length / 30),
      onChange: (frame) => this.#show(frame),
    });
    this.#addPlots(context.panel);
    context.panel.prepend(card('Frame', this.#figures));
    this.#scene.controls?.addEventListener('change', () => this.#vertices.disturb(this.#scene));
    this.#show(0);
    this.#fit(new Vector3(0.4, 0.45, 0.8));
  }
  key(event: KeyboardEvent): boolean {
    switch (event.key.toLowerCase()) {
      case 'f': this.#fit(); return true;
      case 'd': this.#vertices.drawWhole(this.#scene); return true;
      default: return this.#timeline.key(event);
    }
  }
  dispose(): void {
    for (const plot of this.#plots) plot.dispose();
    this.#timeline.dispose();
    this.#vertices.dispose();
    this.#scene.dispose();
  }

  #positions(frame: number): Float64Array {
    const positions = numbers(this.#input.frames[frame], `frame ${frame}`);
    if (positions.length % 3 !== 0 || (this.#count !== undefined && positions.length !== this.#count)) {
      throw new DocumentError(`frame ${frame}: not as many positions as the first`);
    }
    return positions;
  }
  #fit(direction?: Vector3): void {
    this.#scene.fit(this.#vertices.box, direction);
  }
  #addPlots(panel: HTMLElement): void {
    const series = (name: string, figure: Figure, colour: Series['colour']): Series =>
      ({ name, colour, values: this.#input.statistics.map((s) => s[figure]) });
    const plots: [string, Series[]][] = [
      ['Kinetic energy', [series('energy', 'energy', 'a')]],
      ['Contacts', [series('contacts', 'contacts', 'contact')]],
      ['Seconds', [series('all', 'seconds', 'muted'), series('detection', 'seconds_detection', 'accent')]],
      ['Iterations', [series('iterations', 'iterations', 'b')]],
    ];
    for (const [title, lines] of plots) {
      if (!lines.some((line) => line.values.some((value) => value !== null))) continue;
      const plot = new FramePlot(title, lines, (frame) => this.#timeline.change(frame));
      this.#plots.push(plot);
      panel.append(el('section', { class: 'card' }, plot.element));
    }
  }
  #show(frame: number): void {
    this.#vertices.setPositions(this.#positions(frame));
    for (const plot of this.#plots) plot.frame = frame;
    const s = this.#input.statistics[frame];
    const rows: [string, number | null | undefined][] = [
      ['frame', s?.frame ?? frame], ['contacts', s?.contacts], ['kinetic energy', s?.energy], ['iterations', s?.iterations],
      ['seconds', s?.seconds], ['of it detection', s?.seconds_detection],
    ];
    this.#figures.replaceChildren(...rows.filter(([, value]) => typeof value === 'number')
      .flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, brief(value!, 5))]));
    this.#vertices.disturb(this.#scene);
    this.#scene.render();
  }
}

/** Two opposite corners of a box around all positions. */
function extent(lists: Float64Array[]): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const positions of lists) {
    for (let i = 0; i < positions.length; ++i) {
      const axis = i % 3;
      box[axis] = Math.min(box[axis]!, positions[i]!);
      box[axis + 3] = Math.max(box[axis + 3]!, positions[i]!);
    }
  }
  return box;
}

/** The sides of the faces; none of meshes so large that they would cover them. */
function edgesOf(faces: Uint32Array): Uint32Array {
  if (faces.length > 120_000) return new Uint32Array();
  const seen = new Set<number>();
  const edges: number[] = [];
  for (let i = 0; i < faces.length; ++i) {
    const [a, b] = [faces[i]!, faces[i % 3 === 2 ? i - 2 : i + 1]!];
    const key = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
    if (a === b || seen.has(key)) continue;
    seen.add(key);
    edges.push(a, b);
  }
  return Uint32Array.from(edges);
}

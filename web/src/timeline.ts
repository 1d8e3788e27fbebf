// Time along the bottom of a view: a slider with a curve over it, and marks for what is proved.
import { Canvas2D } from './canvas2d.js';
import { button, el } from './dom.js';
import { brief, toDecimal } from './numbers.js';
import { colours, type ColourName } from './theme.js';

export interface Mark {
  from: number;
  to: number;
  colour: ColourName;
  label?: string;
  /** A line with a flag instead of a band. */
  flag?: boolean;
}

export interface Curve {
  times: ArrayLike<number>;
  values: ArrayLike<number>;
  label: string;
}

export interface TimelineOptions {
  label: string;
  min?: number;
  max?: number;
  /** 0: any number; 1: frames. */
  step?: number;
  /** How long a run takes that is played, in seconds. */
  seconds?: number;
  onChange(value: number): void;
}

const LEFT = 58;
const RIGHT = 14;
const TOP = 20;
const BOTTOM = 22;

export class Timeline {
  readonly element: HTMLElement;
  readonly #canvas: Canvas2D;
  readonly #slider: HTMLElement;
  readonly #readout = el('output', { class: 'readout' });
  readonly #play: HTMLButtonElement;
  readonly #buttons = el('div', { class: 'row' });
  readonly #options: Required<TimelineOptions>;
  #value: number;
  #low: number;
  #high: number;
  #marks: Mark[] = [];
  #curve: Curve | null = null;
  #logarithmic = false;
  #animation = 0;

  constructor(root: HTMLElement, options: TimelineOptions) {
    this.#options = { min: 0, max: 1, step: 0, seconds: 4, ...options };
    this.#value = this.#low = this.#options.min;
    this.#high = this.#options.max;
    this.#slider = el('div', { class: 'timeline', role: 'slider', tabindex: '0', 'aria-label': options.label });
    this.#play = button('▶', 'Play (space)', () => this.togglePlay(), 'round');
    this.element = el('div', { class: 'timeline-box' },
      el('div', { class: 'timeline-head' }, this.#play, this.#readout, this.#buttons), this.#slider);
    root.append(this.element);
    this.#canvas = new Canvas2D(this.#slider, 'fill', (context, width, height) => this.#draw(context, width, height));
    this.#listen();
    this.value = this.#value;
  }

  get value(): number {
    return this.#value;
  }
  /** Sets it without calling onChange. */
  set value(value: number) {
    this.#value = this.#clamped(value);
    this.#slider.setAttribute('aria-valuemin', String(this.#options.min));
    this.#slider.setAttribute('aria-valuemax', String(this.#options.max));
    this.#slider.setAttribute('aria-valuenow', String(this.#value));
    this.#readout.textContent = this.#options.step === 1 ? `${this.#options.label} ${this.#value} of ${this.#options.max}`
      : `t = ${toDecimal(this.#value)}`;
    this.#canvas.redraw();
  }
  setMarks(marks: Mark[]): void {
    this.#marks = marks;
    this.#canvas.redraw();
  }
  setCurve(curve: Curve | null): void {
    this.#curve = curve;
    this.#canvas.redraw();
  }
  get window(): [number, number] {
    return [this.#low, this.#high];
  }
  setWindow(low: number, high: number): void {
    const { min, max } = this.#options;
    const least = Math.max((max - min) * 1e-15, Number.MIN_VALUE);
    const width = Math.min(Math.max(high - low, least), max - min);
    this.#low = Math.min(Math.max(low, min), max - width);
    this.#high = Math.min(this.#low + width, max);
    this.onWindow(this.#low, this.#high);
    this.#canvas.redraw();
  }
  /** Called when what is shown of the step has changed: a curve may be wanted in finer steps. */
  onWindow: (low: number, high: number) => void = () => {};
  addButton(element: HTMLElement): void {
    this.#buttons.append(element);
  }
  setLogarithmic(on: boolean): void {
    this.#logarithmic = on;
    this.#canvas.redraw();
  }
  change(value: number): void {
    this.value = value;
    this.#options.onChange(this.#value);
  }
  togglePlay(): void {
    if (this.#animation !== 0) {
      this.stop();
      return;
    }
    const { min, max, seconds } = this.#options;
    const range = this.#high - this.#low || max - min;
    let at = this.#value >= this.#high - range * 1e-6 ? this.#low : this.#value;
    let last = performance.now();
    this.#play.textContent = '❚❚';
    const next = (now: number): void => {
      at += (now - last) / 1000 / seconds * range;
      last = now;
      this.change(Math.min(at, this.#high));
      if (at < this.#high) this.#animation = requestAnimationFrame(next);
      else this.stop();
    };
    this.#animation = requestAnimationFrame(next);
  }
  stop(): void {
    cancelAnimationFrame(this.#animation);
    this.#animation = 0;
    this.#play.textContent = '▶';
  }
  /** Keys of the slider; true where it took one. */
  key(event: KeyboardEvent): boolean {
    const coarse = this.#options.step || (this.#high - this.#low) / 100;
    const step = event.shiftKey ? (this.#options.step ? 10 : coarse / 10) : coarse;
    const to = { ArrowRight: this.#value + step, ArrowLeft: this.#value - step, Home: this.#low, End: this.#high }[event.key];
    if (event.key === ' ') this.togglePlay();
    else if (event.key === '+' || event.key === '=') this.#zoom(0.5, this.#value);
    else if (event.key === '-') this.#zoom(2, this.#value);
    else if (to !== undefined) {
      this.stop();
      this.change(to);
    } else return false;
    return true;
  }
  dispose(): void {
    this.stop();
    this.#canvas.dispose();
  }

  #clamped(value: number): number {
    const { min, max, step } = this.#options;
    const rounded = step > 0 ? Math.round(value / step) * step : value;
    return Math.min(Math.max(Number.isFinite(rounded) ? rounded : min, min), max);
  }
  #x(t: number, width: number): number {
    return LEFT + (t - this.#low) / (this.#high - this.#low || 1) * (width - LEFT - RIGHT);
  }
  #timeAt(event: MouseEvent): number {
    const box = this.#slider.getBoundingClientRect();
    const fraction = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
    return this.#low + Math.min(Math.max(fraction, 0), 1) * (this.#high - this.#low);
  }
  #zoom(factor: number, around: number): void {
    const width = (this.#high - this.#low) * factor;
    const fraction = (around - this.#low) / (this.#high - this.#low || 1);
    this.setWindow(around - width * fraction, around + width * (1 - fraction));
  }
  #listen(): void {
    const slider = this.#slider;
    slider.addEventListener('pointerdown', (event) => {
      slider.setPointerCapture(event.pointerId);
      this.stop();
      this.change(this.#timeAt(event));
      slider.focus({ preventScroll: true });
    });
    slider.addEventListener('pointermove', (event) => {
      if (slider.hasPointerCapture(event.pointerId)) this.change(this.#timeAt(event));
    });
    slider.addEventListener('wheel', (event) => {
      if (this.#options.step === 1) return;
      event.preventDefault();
      this.#zoom(event.deltaY > 0 ? 1.25 : 0.8, this.#timeAt(event));
    }, { passive: false });
    slider.addEventListener('dblclick', () => this.setWindow(this.#options.min, this.#options.max));
  }

  // --- Drawing ---

  #draw(context: CanvasRenderingContext2D, width: number, height: number): void {
    const palette = colours();
    const bottom = height - BOTTOM;
    context.clearRect(0, 0, width, height);
    context.font = '11px system-ui, sans-serif';
    context.save();
    context.beginPath();
    context.rect(LEFT, 0, width - LEFT - RIGHT, bottom + 1);
    context.clip();
    for (const mark of this.#marks) if (!mark.flag) this.#drawBand(context, mark, width, bottom);
    context.restore();
    this.#drawAxis(context, width, bottom);
    if (this.#curve) this.#drawCurve(context, this.#curve, width, bottom);
    for (const mark of this.#marks) this.#drawMarkLabel(context, mark, width, bottom);
    const x = this.#x(this.#value, width);
    if (x >= LEFT - 1 && x <= width - RIGHT + 1) {
      context.strokeStyle = palette.text;
      context.fillStyle = palette.text;
      context.lineWidth = 1.5;
      context.beginPath();
      context.moveTo(x, TOP - 6);
      context.lineTo(x, bottom);
      context.stroke();
      context.beginPath();
      context.arc(x, bottom, 5.5, 0, 2 * Math.PI);
      context.fill();
    }
  }
  #drawBand(context: CanvasRenderingContext2D, mark: Mark, width: number, bottom: number): void {
    const from = this.#x(Math.max(mark.from, this.#low), width);
    // What is too narrow to see is made just wide enough.
    const to = Math.max(this.#x(Math.min(mark.to, this.#high), width), from + 2);
    if (mark.to < this.#low || mark.from > this.#high) return;
    context.fillStyle = colours()[mark.colour];
    context.globalAlpha = to - from < 6 ? 1 : 0.22;
    context.fillRect(from, TOP - 4, to - from, bottom - TOP + 4);
    context.globalAlpha = 1;
    context.fillRect(from, bottom - 3, to - from, 3);
  }
  #drawMarkLabel(context: CanvasRenderingContext2D, mark: Mark, width: number, bottom: number): void {
    if (!mark.label || mark.to < this.#low || mark.from > this.#high) return;
    const from = Math.max(this.#x(mark.from, width), LEFT);
    const to = Math.min(this.#x(mark.to, width), width - RIGHT);
    context.fillStyle = colours()[mark.colour];
    if (mark.flag) {
      context.fillRect(from - 0.5, TOP, 1, bottom - TOP);
      context.beginPath();
      context.moveTo(from - 4, TOP - 5);
      context.lineTo(from + 4, TOP - 5);
      context.lineTo(from, TOP + 2);
      context.fill();
    }
    const size = context.measureText(mark.label).width;
    const middle = (from + to) / 2;
    context.textAlign = 'center';
    context.fillText(mark.label, Math.min(Math.max(middle, LEFT + size / 2), width - RIGHT - size / 2), TOP - 8);
  }
  #drawAxis(context: CanvasRenderingContext2D, width: number, bottom: number): void {
    const palette = colours();
    context.strokeStyle = palette.line;
    context.fillStyle = palette.muted;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(LEFT, bottom + 0.5);
    context.lineTo(width - RIGHT, bottom + 0.5);
    context.stroke();
    const span = this.#high - this.#low;
    const room = Math.max(Math.floor((width - LEFT - RIGHT) / 90), 1);
    let step = 10 ** Math.floor(Math.log10(span / room || 1));
    while (span / step > room * 2) step *= 5;
    if (span / step > room) step *= 2;
    if (this.#options.step === 1) step = Math.max(1, Math.round(step));
    context.textAlign = 'center';
    const digits = Math.max(0, Math.min(15, -Math.floor(Math.log10(step)) + 1));
    for (let i = Math.ceil(this.#low / step); i * step <= this.#high + step * 1e-9 && i < this.#low / step + 40; ++i) {
      const x = this.#x(i * step, width);
      context.fillRect(x - 0.5, bottom, 1, 4);
      const label = String(Number((i * step).toFixed(digits)));
      const size = context.measureText(label).width / 2;
      context.fillText(label, Math.min(x, width - size - 2), bottom + 16);
    }
  }
  #drawCurve(context: CanvasRenderingContext2D, curve: Curve, width: number, bottom: number): void {
    const palette = colours();
    let least = Infinity;
    let most = 0;
    for (let i = 0; i < curve.values.length; ++i) {
      const value = curve.values[i]!;
      if (Number.isFinite(value)) most = Math.max(most, value);
      if (value > 0) least = Math.min(least, value);
    }
    if (!(most > 0)) most = 1;
    if (!(least < most)) least = most / 10;
    const low = Math.max(least, most * 1e-17);
    const height = (value: number): number => {
      if (!this.#logarithmic) return bottom - Math.max(value, 0) / most * (bottom - TOP - 2);
      const fraction = value > 0 ? (Math.log10(value) - Math.log10(low)) / (Math.log10(most) - Math.log10(low) || 1) : 0;
      return bottom - Math.max(fraction, 0) * (bottom - TOP - 2);
    };
    context.fillStyle = palette.muted;
    context.textAlign = 'right';
    context.fillText(brief(most, most >= 1e6 || most < 1e-4 ? 2 : 3), LEFT - 6, TOP + 8);
    context.fillText(this.#logarithmic ? brief(low, 2) : '0', LEFT - 6, bottom + 3);
    context.save();
    context.translate(12, (TOP + bottom) / 2);
    context.rotate(-Math.PI / 2);
    context.textAlign = 'center';
    context.fillText(curve.label, 0, 0);
    context.restore();
    context.save();
    context.beginPath();
    context.rect(LEFT, TOP - 6, width - LEFT - RIGHT, bottom - TOP + 7);
    context.clip();
    context.strokeStyle = palette.accent;
    context.lineWidth = 2;
    context.lineJoin = 'round';
    context.beginPath();
    let drawn = false;
    for (let i = 0; i < curve.times.length; ++i) {
      const value = curve.values[i]!;
      if (!Number.isFinite(value)) {
        drawn = false;
        continue;
      }
      const x = this.#x(curve.times[i]!, width);
      if (drawn) context.lineTo(x, height(value));
      else context.moveTo(x, height(value));
      drawn = true;
    }
    context.stroke();
    context.restore();
  }
}

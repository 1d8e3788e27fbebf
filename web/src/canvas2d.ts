// A canvas that is as sharp as the screen, and drawn again when its size or the theme changes.
import { el } from './dom.js';
import { onTheme } from './theme.js';

export class Canvas2D {
  readonly canvas: HTMLCanvasElement;
  readonly #draw: (context: CanvasRenderingContext2D, width: number, height: number) => void;
  readonly #observer: ResizeObserver;
  readonly #stopTheme: () => void;
  #pending = 0;

  constructor(root: HTMLElement, className: string,
              draw: (context: CanvasRenderingContext2D, width: number, height: number) => void) {
    this.canvas = el('canvas', { class: className });
    this.#draw = draw;
    root.append(this.canvas);
    this.#observer = new ResizeObserver(() => this.redraw());
    this.#observer.observe(this.canvas);
    this.#stopTheme = onTheme(() => this.redraw());
  }
  redraw(): void {
    if (this.#pending === 0) this.#pending = requestAnimationFrame(() => this.#paint());
  }
  dispose(): void {
    if (this.#pending !== 0) cancelAnimationFrame(this.#pending);
    this.#observer.disconnect();
    this.#stopTheme();
  }
  #paint(): void {
    this.#pending = 0;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    const ratio = Math.min(devicePixelRatio, 3);
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const context = this.canvas.getContext('2d');
    if (!context) return;
    context.scale(ratio, ratio);
    this.#draw(context, width, height);
  }
}

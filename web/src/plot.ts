// Small plots of numbers by frame, with the frame that is shown; a click goes to another one.
import { Canvas2D } from './canvas2d.js';
import { el } from './dom.js';
import { brief } from './numbers.js';
import { colours, type ColourName } from './theme.js';

export interface Series {
  name: string;
  colour: ColourName;
  values: (number | null)[];
}

export class FramePlot {
  readonly element: HTMLElement;
  readonly #canvas: Canvas2D;
  readonly #series: Series[];
  readonly #count: number;
  #frame = 0;

  constructor(title: string, series: Series[], onPick: (frame: number) => void) {
    this.#series = series;
    this.#count = Math.max(...series.map((s) => s.values.length), 1);
    const box = el('div', { class: 'frame-plot', role: 'img', 'aria-label': title });
    box.style.height = '96px';
    this.element = el('figure', { class: 'plot' }, el('figcaption', {}, title), box);
    this.element.style.margin = '0';
    this.#canvas = new Canvas2D(box, 'fill', (context, width, height) => this.#draw(context, width, height));
    box.addEventListener('pointerdown', (event) => {
      const bounds = box.getBoundingClientRect();
      onPick(Math.round((event.clientX - bounds.left) / bounds.width * (this.#count - 1)));
    });
  }
  set frame(frame: number) {
    this.#frame = frame;
    this.#canvas.redraw();
  }
  dispose(): void {
    this.#canvas.dispose();
  }

  #draw(context: CanvasRenderingContext2D, width: number, height: number): void {
    const palette = colours();
    const top = 16;
    const most = Math.max(...this.#series.flatMap((s) => s.values.map((v) => v ?? 0)), 0) || 1;
    const x = (frame: number): number => (this.#count > 1 ? frame / (this.#count - 1) : 0) * (width - 2) + 1;
    const y = (value: number): number => height - 2 - value / most * (height - top - 4);
    context.clearRect(0, 0, width, height);
    context.font = '11px system-ui, sans-serif';
    context.strokeStyle = palette.line;
    context.strokeRect(0.5, top - 0.5, width - 1, height - top - 1);
    let left = 2;
    for (const { name, colour, values } of this.#series) {
      context.strokeStyle = context.fillStyle = palette[colour];
      context.lineWidth = 1.5;
      context.beginPath();
      let drawn = false;
      values.forEach((value, frame) => {
        if (value === null) drawn = false;
        else if (drawn) context.lineTo(x(frame), y(value));
        else {
          context.moveTo(x(frame), y(value));
          drawn = true;
        }
      });
      context.stroke();
      const value = values[this.#frame];
      const label = `${name} ${value === null || value === undefined ? '–' : brief(value, 4)}`;
      context.textAlign = 'left';
      context.fillText(label, left, 11);
      left += context.measureText(label).width + 12;
    }
    context.fillStyle = palette.text;
    context.fillRect(x(this.#frame) - 0.5, top, 1, height - top - 1);
  }
}

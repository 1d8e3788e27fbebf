// Every coordinate, exactly: in decimal or in hex, to be read and to be changed.
import { vertexCount } from '../../npm/src/module.js';
import type { QueryKind } from '../../npm/src/types.js';
import { button, el } from '../dom.js';
import { parseNumber, toDecimal, toHex } from '../numbers.js';
import { VERTEX_NAMES } from '../views/query.js';

export class VertexTable {
  readonly element = el('div', {});
  readonly #inputs: HTMLInputElement[] = [];
  readonly #onEdit: (positions: Float64Array) => void;
  #positions: Float64Array = new Float64Array();
  #hex = false;

  constructor(kind: QueryKind, onEdit: (positions: Float64Array) => void) {
    this.#onEdit = onEdit;
    const n = vertexCount(kind);
    const [names, ofFirst] = VERTEX_NAMES[kind];
    const toggle = button('hex', 'Hex floats or decimal', () => {
      this.#hex = !this.#hex;
      toggle.classList.toggle('on', this.#hex);
      this.show(this.#positions);
    });
    this.element.append(el('div', { class: 'row' }, toggle, el('span', { class: 'small muted' }, 'every digit counts; both forms can be typed')));
    ['start', 'end'].forEach((side, s) => {
      const grid = el('div', { class: 'grid3' }, el('span', {}), ...['x', 'y', 'z'].map((axis) => el('span', { class: 'small muted' }, axis)));
      for (let i = 0; i < n; ++i) {
        grid.append(el('span', { class: `vertex ${i < ofFirst ? 'a' : 'b'}` }, names[i] ?? ''));
        for (let axis = 0; axis < 3; ++axis) {
          const input = el('input', { type: 'text', spellcheck: 'false', autocomplete: 'off', 'aria-label': `${names[i]} ${'xyz'[axis]} at the ${side}` });
          const at = 3 * (s * n + i) + axis;
          input.addEventListener('change', () => this.#typed(input, at));
          this.#inputs[at] = input;
          grid.append(input);
        }
      }
      this.element.append(el('p', { class: 'small muted' }, side === 'start' ? 'At the start (t = 0)' : 'At the end (t = 1)'), grid);
    });
  }

  show(positions: Float64Array): void {
    this.#positions = positions;
    this.#inputs.forEach((input, i) => {
      const x = positions[i]!;
      input.value = this.#hex ? toHex(x) : toDecimal(x);
      input.title = `${toDecimal(x)} = ${toHex(x)}`;
      input.classList.remove('wrong');
    });
  }

  #typed(input: HTMLInputElement, at: number): void {
    const value = parseNumber(input.value);
    input.classList.toggle('wrong', value === null);
    if (value === null) return;
    const positions = this.#positions.slice();
    positions[at] = value;
    this.#onEdit(positions);
  }
}

// The queries of a file with many: by number, name, verdict. Only what is in view is in the page.
import type { Graze } from '../../npm/src/module.js';
import type { QueryResult } from '../../npm/src/types.js';
import { clear, el } from '../dom.js';
import { brief } from '../numbers.js';
import type { QueryInput } from '../views/query.js';

const HEIGHT = 31;
// Answered at a time, so that the page stays alive with a million queries.
const BATCH = 500;

export class QueryList {
  readonly #graze: Graze;
  readonly #input: QueryInput;
  readonly #select: (index: number) => void;
  readonly #search = el('input', { type: 'search', placeholder: 'filter: number or name', 'aria-label': 'Filter queries' });
  readonly #choice = el('select', { 'aria-label': 'Which verdicts' });
  readonly #count = el('span', { class: 'small muted' });
  readonly #items = el('div', { class: 'items' });
  readonly #results: QueryResult[] = [];
  #shown: number[] = [];
  #current = 0;

  constructor(root: HTMLElement, graze: Graze, input: QueryInput, select: (index: number) => void) {
    this.#graze = graze;
    this.#input = input;
    this.#select = select;
    const wrong = input.truth.length > 0 ? [['wrong', 'differs from the file']] : [];
    for (const [value, label] of [['', 'all verdicts'], ['contact', 'contact'], ['separated', 'separated'], ['unresolved', 'unresolved'], ...wrong]) {
      this.#choice.append(el('option', { value }, label));
    }
    root.append(el('div', { class: 'filter' }, this.#search, this.#choice, this.#count), this.#items);
    this.#search.addEventListener('input', () => this.#filter());
    this.#choice.addEventListener('change', () => this.#filter());
    this.#items.addEventListener('scroll', () => this.#draw());
    new ResizeObserver(() => this.#draw()).observe(this.#items);
    this.#filter();
    this.#answer();
  }
  select(index: number): void {
    this.#current = index;
    const row = this.#shown.indexOf(index);
    if (row >= 0) {
      const top = row * HEIGHT;
      const { scrollTop, clientHeight } = this.#items;
      if (top < scrollTop || top + HEIGHT > scrollTop + clientHeight) this.#items.scrollTop = top - clientHeight / 2;
    }
    this.#draw();
  }

  #answer(): void {
    const { kind, positions, options, count } = this.#input;
    const size = positions.length / count;
    const from = this.#results.length;
    const to = Math.min(from + BATCH, count);
    this.#results.push(...this.#graze.queries(kind, positions.subarray(from * size, to * size), options));
    if (this.#choice.value !== '') this.#filter();
    else this.#draw();
    if (to < count && this.#items.isConnected) setTimeout(() => this.#answer(), 0);
  }
  #isShown(index: number): boolean {
    const wanted = this.#choice.value;
    const words = this.#search.value.trim().toLowerCase();
    const verdict = this.#results[index]?.verdict;
    const truth = this.#input.truth[index] ?? null;
    if (wanted === 'wrong') {
      if (verdict === undefined || truth === null || truth === (verdict === 'contact')) return false;
    } else if (wanted !== '' && verdict !== wanted) return false;
    return words === '' || String(index) === words || (this.#input.labels[index] ?? '').toLowerCase().includes(words);
  }
  #filter(): void {
    this.#shown = [];
    for (let i = 0; i < this.#input.count; ++i) if (this.#isShown(i)) this.#shown.push(i);
    this.#draw();
  }
  #draw(): void {
    const { scrollTop, clientHeight } = this.#items;
    const first = Math.max(Math.floor(scrollTop / HEIGHT) - 4, 0);
    const last = Math.min(first + Math.ceil(clientHeight / HEIGHT) + 8, this.#shown.length);
    const total = this.#input.count;
    this.#count.textContent = this.#shown.length === total ? `${total} queries` : `${this.#shown.length} of ${total} queries`;
    const spacer = (rows: number): HTMLElement => {
      const element = el('div', {});
      element.style.height = `${rows * HEIGHT}px`;
      return element;
    };
    clear(this.#items);
    this.#items.append(spacer(first), ...this.#shown.slice(first, last).map((index) => this.#item(index)), spacer(this.#shown.length - last));
  }
  #item(index: number): HTMLElement {
    const result = this.#results[index];
    const words = !result ? '…' : result.verdict === 'contact' ? brief(result.toiLower, 3) : result.verdict === 'separated' ? 'free' : '?';
    const item = el('button', { type: 'button', class: 'item', 'aria-current': index === this.#current ? 'true' : 'false', onclick: () => this.#select(index) },
      el('span', { class: 'number' }, index), el('span', { class: 'name' }, this.#input.labels[index] ?? ''),
      el('span', { class: `chip ${result?.verdict ?? 'muted'}` }, words));
    item.style.height = `${HEIGHT}px`;
    return item;
  }
}

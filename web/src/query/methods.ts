// Verdicts of all methods side by side: who misses, who is late, who raises a false alarm.
import type { Graze } from '../../npm/src/module.js';
import type { Method, QueryKind, QueryOptions, QueryResult, Verdict } from '../../npm/src/types.js';
import { clear, el } from '../dom.js';
import { brief, toDecimal, toHex } from '../numbers.js';
import { Asker } from './asker.js';

/** What the tool answered when it wrote the page: one entry per query. */
export interface ToolAnswer {
  method: string;
  verdict: Verdict[];
  toiLower: number[];
  toiUpper: number[];
}

// Methods that prove no such time say 0.
function freeBefore(method: Method, result: QueryResult): string {
  if (!method.guarantee.provedToiLower) return '–';
  return Number.isFinite(result.toiLower) ? brief(result.toiLower, 7) : 'all';
}

interface Remark {
  text: string;
  kind: '' | 'bad' | 'warning';
}

/** Compared with `certified`, which is exact where there is no minimum separation. */
export function remarkOn(method: Method, result: QueryResult, certified: QueryResult, options: QueryOptions): Remark {
  if ((options.minSeparation ?? 0) > 0) {
    const supported = options.norm === 'max' ? method.guarantee.minSeparationMaxNorm : method.guarantee.minSeparationEuclidean;
    if (!supported) return { text: 'no such separation', kind: '' };
  }
  if (result.verdict === 'unresolved') return { text: 'not decided', kind: '' };
  if (certified.verdict === 'contact' && result.verdict === 'separated') return { text: 'misses the contact', kind: 'bad' };
  if (certified.verdict === 'separated' && result.verdict === 'contact') {
    return { text: 'false alarm', kind: method.guarantee.noFalsePositives ? 'bad' : 'warning' };
  }
  if (certified.verdict !== 'contact' || result.verdict !== 'contact') return { text: '', kind: '' };
  if (result.toiLower > certified.toiUpper) {
    return { text: `late by ${brief(result.toiLower - certified.toiUpper, 2)}`, kind: 'bad' };
  }
  const early = certified.toiLower - result.toiLower;
  return early > 1e-12 && method.guarantee.provedToiLower ? { text: `early by ${brief(early, 2)}`, kind: '' } : { text: '', kind: '' };
}

export class MethodTable {
  readonly element = el('div', {});
  readonly #graze: Graze;
  readonly #kind: QueryKind;
  readonly #methods: readonly Method[];
  readonly #goTo: (t: number) => void;
  readonly #asker: Asker;
  readonly #table: HTMLTableElement;
  readonly #body = el('tbody', {});
  readonly #summary = el('p', { class: 'small muted' });
  #timer = 0;

  constructor(graze: Graze, kind: QueryKind, goTo: (t: number) => void) {
    this.#graze = graze;
    this.#kind = kind;
    this.#methods = graze.methods.filter((m) => m.kinds.includes(kind));
    this.#goTo = goTo;
    this.#asker = new Asker(graze);
    this.#table = el('table', { class: 'methods' },
      el('thead', {}, el('tr', {}, el('th', {}, 'method'), el('th', {}, 'verdict'), el('th', { class: 'n' }, 'free before'))), this.#body);
    this.element.append(el('div', { class: 'scroll' }, this.#table), this.#summary);
  }

  /** A little later, so that dragging stays smooth; rows are filled as their methods answer. */
  show(positions: Float64Array, options: QueryOptions, certified: QueryResult, answers: ToolAnswer[], index: number): void {
    clearTimeout(this.#timer);
    this.#asker.cancel();
    this.#table.dataset['done'] = 'false';
    const rows = new Map(this.#methods.map((m) => [m.name, this.#pendingRow(m)]));
    let left = rows.size;
    let differing = 0;
    let compared = 0;
    const answered = (name: string, result: QueryResult): void => {
      const method = this.#methods.find((m) => m.name === name);
      if (!method) return;
      const tool = answers.find((a) => a.method === name);
      if (tool && tool.verdict[index] !== undefined) {
        compared += 1;
        differing += tool.verdict[index] === result.verdict && tool.toiLower[index] === result.toiLower && tool.toiUpper[index] === result.toiUpper ? 0 : 1;
      }
      rows.get(name)?.replaceWith(this.#row(method, result, remarkOn(method, result, certified, options)));
      left -= 1;
      if (left === 0) this.#summarise(compared, differing);
    };
    this.#timer = window.setTimeout(() => {
      clear(this.#body);
      this.#body.append(...rows.values(), ...this.#rowsOfTool(answers, index));
      this.#summary.textContent = 'computing …';
      this.#asker.ask(this.#kind, positions, options, [...rows.keys()], answered);
    }, 80);
  }
  dispose(): void {
    clearTimeout(this.#timer);
    this.#asker.dispose();
  }

  #summarise(compared: number, differing: number): void {
    this.#table.dataset['done'] = 'true';
    this.#summary.textContent = compared === 0 ? 'Computed on this page, against certified.'
      : differing === 0 ? `Computed on this page; the same bits as the tool gave for ${compared} methods.`
        : `${differing} of ${compared} methods answer other bits here than the tool did: please report it.`;
    this.#summary.className = differing > 0 ? 'small note bad' : 'small muted';
  }
  #pendingRow(method: Method): HTMLElement {
    return el('tr', { title: method.summary }, el('td', {}, method.name), el('td', { class: 'muted' }, '…'), el('td', {}));
  }
  /** What only the tool can ask: the exact oracle. */
  #rowsOfTool(answers: ToolAnswer[], index: number): HTMLElement[] {
    return answers.filter((a) => a.verdict[index] !== undefined && !this.#graze.methods.some((m) => m.name === a.method))
      .map((a) => el('tr', { title: `toi_lower ${toDecimal(a.toiLower[index]!)}\ntoi_upper ${toDecimal(a.toiUpper[index]!)}` },
        el('td', {}, a.method, el('div', { class: 'note' }, 'by the tool')),
        el('td', {}, el('span', { class: `chip ${a.verdict[index]}` }, a.verdict[index]!)),
        el('td', { class: 'n' }, Number.isFinite(a.toiLower[index]!) ? brief(a.toiLower[index]!, 7) : 'all')));
  }
  #row(method: Method, result: QueryResult, remark: Remark): HTMLElement {
    const title = `${method.summary}\ntoi_lower ${toDecimal(result.toiLower)} = ${toHex(result.toiLower)}\n`
      + `toi_upper ${toDecimal(result.toiUpper)}\ntolerance ${toDecimal(result.tolerance)}\nchecks ${result.checks}`;
    return el('tr', { class: 'pick', title, 'data-method': method.name, 'data-verdict': result.verdict,
      onclick: () => { if (Number.isFinite(result.toiLower)) this.#goTo(result.toiLower); } },
      el('td', {}, method.name, remark.text ? el('div', { class: `note ${remark.kind}` }, remark.text) : null),
      el('td', {}, el('span', { class: `chip ${result.verdict}` }, result.verdict)),
      el('td', { class: 'n' }, freeBefore(method, result)));
  }
}

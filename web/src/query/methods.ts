// Verdicts of all methods side by side: who misses, who is late, who raises a false alarm.
import type { Graze } from '../../npm/src/module.js';
import type { Method, QueryKind, QueryOptions, QueryResult, Verdict } from '../../npm/src/types.js';
import { clear, el } from '../dom.js';
import { brief, toDecimal, toHex } from '../numbers.js';

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
  readonly #methods: readonly Method[];
  readonly #goTo: (t: number) => void;
  readonly #body = el('tbody', {});
  readonly #summary = el('p', { class: 'small muted' });
  #timer = 0;

  constructor(graze: Graze, kind: QueryKind, goTo: (t: number) => void) {
    this.#graze = graze;
    this.#methods = graze.methods.filter((m) => m.kinds.includes(kind));
    this.#goTo = goTo;
    this.#kind = kind;
    this.element.append(
      el('div', { class: 'scroll' }, el('table', { class: 'methods' },
        el('thead', {}, el('tr', {}, el('th', {}, 'method'), el('th', {}, 'verdict'), el('th', { class: 'n' }, 'free before'))),
        this.#body)),
      this.#summary);
  }
  readonly #kind: QueryKind;

  /** One method at a time, a little later: dragging stays smooth, and slow methods do not hold up the rest. */
  show(positions: Float64Array, options: QueryOptions, certified: QueryResult, answers: ToolAnswer[], index: number): void {
    clearTimeout(this.#timer);
    const rows: HTMLElement[] = [];
    let at = 0;
    let differing = 0;
    let compared = 0;
    const next = (): void => {
      const method = this.#methods[at++];
      if (!method) {
        clear(this.#body);
        this.#body.append(...rows);
        this.#summary.textContent = compared === 0 ? 'Computed on this page, against certified.'
          : differing === 0 ? `Computed on this page; the same bits as the tool gave for ${compared} methods.`
            : `${differing} of ${compared} methods answer other bits here than the tool did: please report it.`;
        this.#summary.className = differing > 0 ? 'small note bad' : 'small muted';
        return;
      }
      const result = this.#graze.query(this.#kind, positions, options, method.name);
      const tool = answers.find((a) => a.method === method.name);
      if (tool && tool.verdict[index] !== undefined) {
        compared += 1;
        if (tool.verdict[index] !== result.verdict || tool.toiLower[index] !== result.toiLower || tool.toiUpper[index] !== result.toiUpper) {
          differing += 1;
        }
      }
      rows.push(this.#row(method, result, remarkOn(method, result, certified, options)));
      this.#timer = window.setTimeout(next, 0);
    };
    this.#timer = window.setTimeout(next, 60);
  }
  dispose(): void {
    clearTimeout(this.#timer);
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

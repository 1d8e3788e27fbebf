// Header, list of views, help, theme, keys: what all views have in common.
import licences from 'graze-licences';
import type { Graze } from '../npm/src/module.js';
import { DocumentError, type PageDocument, type ViewData } from './document.js';
import { button, clear, el } from './dom.js';
import { toggleTheme } from './theme.js';
import { factoryOf } from './views/index.js';
import type { View } from './views/view.js';

const TYPE_NAMES: Record<string, string> = {
  query: 'query', mesh: 'mesh', rigid: 'rigid bodies', slide: 'slide', sim: 'simulation',
};

const COMMON_KEYS: [string, string][] = [
  ['?', 'this help'],
  ['T', 'dark or light'],
  ['[ ]', 'previous, next view'],
  ['B', 'show or hide the list'],
  ['← →', 'one step of time; with shift a tenth (or ten frames)'],
  ['Home, End', 'first, last time shown'],
  ['space', 'play'],
  ['+ −', 'zoom in time'],
  ['drag, wheel', 'turn and zoom the picture; right button or two fingers: move'],
];

export class Shell {
  readonly #document: PageDocument;
  readonly #graze: Graze;
  readonly #stage = el('div', { class: 'stage' });
  readonly #dock = el('div', { class: 'dock' });
  readonly #panel = el('aside', { class: 'panel', 'aria-label': 'Details' });
  readonly #list = el('div', { class: 'sublist' });
  readonly #views = el('nav', { class: 'views', 'aria-label': 'Views' });
  readonly #toast = el('div', { class: 'toast', role: 'status', 'aria-live': 'polite' });
  readonly #help = el('dialog', { class: 'help', 'aria-label': 'Help' });
  readonly #sidebar: HTMLElement;
  #view: View | null = null;
  #current = -1;
  #toastTimer = 0;

  constructor(root: HTMLElement, page: PageDocument, graze: Graze) {
    this.#document = page;
    this.#graze = graze;
    document.title = page.title === 'graze' ? 'graze' : `${page.title} · graze`;
    this.#sidebar = el('div', { class: 'sidebar' }, this.#views, this.#list);
    root.replaceChildren(
      el('header', { class: 'header' },
        button('☰', 'Show or hide the list (B)', () => this.#toggleSidebar(), 'icon'),
        el('span', { class: 'brand' }, 'graze'),
        el('h1', { class: 'title', title: page.title }, page.title),
        el('span', { class: 'spacer' }),
        el('span', { class: 'version', title: 'Answers on this page are computed by graze in WebAssembly' }, `${graze.version} wasm`),
        button('◐', 'Dark or light (T)', toggleTheme, 'icon'),
        button('?', 'Help (?)', () => this.#openHelp(), 'icon')),
      el('div', { class: 'body' }, this.#sidebar, el('main', { class: 'main' }, this.#stage, this.#dock), this.#panel),
      this.#toast, this.#help);
    addEventListener('keydown', (event) => this.#key(event));
    this.#help.addEventListener('click', (event) => {
      if (event.target === this.#help) this.#help.close();
    });
    page.views.forEach((view, index) => this.#views.append(this.#entry(view, index)));
    if (page.views.length <= 1) this.#views.classList.add('single');
    if (page.views.length === 0) {
      this.#stage.append(el('p', { class: 'notice' }, 'This page holds no document. The command `graze view` writes one into it.'));
    } else this.show(0);
  }

  show(index: number): void {
    const data = this.#document.views[index];
    if (!data || index === this.#current) return;
    this.#view?.dispose();
    this.#view = null;
    for (const part of [this.#stage, this.#dock, this.#panel, this.#list]) clear(part);
    this.#current = index;
    [...this.#views.children].forEach((entry, i) => entry.setAttribute('aria-current', i === index ? 'true' : 'false'));
    document.body.dataset['view'] = data.type;
    try {
      this.#view = factoryOf(data.type)(data, {
        graze: this.#graze, stage: this.#stage, dock: this.#dock, panel: this.#panel, list: this.#list,
        notify: (message) => this.notify(message),
      });
    } catch (error) {
      // What is wrong with one view must not take the others away.
      if (!(error instanceof DocumentError)) console.error(error);
      clear(this.#stage);
      this.#stage.append(el('p', { class: 'notice' }, `${data.name}: ${error instanceof Error ? error.message : String(error)}`));
    }
    this.#showSidebar();
  }
  #showSidebar(): void {
    document.body.classList.toggle('no-list', this.#document.views.length <= 1 && this.#list.childElementCount === 0);
  }
  notify(message: string): void {
    this.#toast.textContent = message;
    this.#toast.classList.add('visible');
    clearTimeout(this.#toastTimer);
    this.#toastTimer = window.setTimeout(() => this.#toast.classList.remove('visible'), 2500);
  }

  #entry(view: ViewData, index: number): HTMLElement {
    return el('button', { type: 'button', class: 'view-entry', title: view.name, onclick: () => this.show(index) },
      el('span', { class: 'view-type' }, TYPE_NAMES[view.type] ?? view.type), el('span', { class: 'view-name' }, view.name));
  }
  #toggleSidebar(): void {
    document.body.classList.toggle('no-sidebar');
  }
  #openHelp(): void {
    const keys = [...(this.#view?.help ?? []), ...COMMON_KEYS];
    this.#help.replaceChildren(
      el('div', { class: 'help-head' }, el('h2', {}, 'Help'), button('✕', 'Close (Esc)', () => this.#help.close(), 'icon')),
      el('dl', { class: 'keys' }, ...keys.flatMap(([key, what]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, what)])),
      el('p', {}, 'Nothing on this page comes from a network, and nothing leaves it. Verdicts are computed here by the ',
        'library itself, compiled to WebAssembly; queries get the bits that the native one gives.'),
      el('p', {}, 'Separated and the free interval before the first contact are proofs. Nearest points, normals and ',
        'the curve of the distance are estimates in floating point.'),
      el('details', {}, el('summary', {}, 'Licences'), el('pre', { class: 'licences' }, licences)));
    this.#help.showModal();
  }
  #key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const types = target instanceof HTMLInputElement && target.type !== 'range' && target.type !== 'checkbox';
    if (types || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return;
    if (event.ctrlKey || event.metaKey || event.altKey || this.#help.open) return;
    if (event.key === ' ' && target instanceof HTMLButtonElement) return;
    if (this.#ownKey(event) || this.#view?.key?.(event)) event.preventDefault();
  }
  #ownKey(event: KeyboardEvent): boolean {
    switch (event.key) {
      case '?': case 'F1': this.#openHelp(); return true;
      case 't': case 'T': toggleTheme(); return true;
      case 'b': case 'B': this.#toggleSidebar(); return true;
      case '[': this.show(this.#current - 1); return true;
      case ']': this.show(this.#current + 1); return true;
      default: return false;
    }
  }
}

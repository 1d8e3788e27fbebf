// Elements from values. Text is always set as text, never as markup: names come from files.

type Child = Node | string | number | null | undefined | false;
type Properties = { class?: string; title?: string; onclick?: (event: MouseEvent) => void } & Record<string, unknown>;

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Properties = {}, ...children: Child[]):
  HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'class') element.className = String(value);
    else if (name.startsWith('on') && typeof value === 'function') {
      element.addEventListener(name.slice(2), value as EventListener);
    } else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((c): c is Node | string | number => c !== null && c !== undefined && c !== false)
    .map((c) => (typeof c === 'number' ? String(c) : c)));
  return element;
}

export function button(label: string, title: string, onclick: () => void, kind = ''): HTMLButtonElement {
  return el('button', { type: 'button', class: `button ${kind}`, title, 'aria-label': title, onclick }, label);
}

/** A titled box of the panel. */
export function card(title: string, ...children: Child[]): HTMLElement {
  return el('section', { class: 'card' }, el('h2', {}, title), ...children);
}

export function clear(element: Element): void {
  element.replaceChildren();
}

/** Where the clipboard is not to be had (file:// in some browsers) the old way still is. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el('textarea', { class: 'offscreen', 'aria-hidden': 'true' });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = el('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

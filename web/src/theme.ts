// Dark and light, and one palette for both that does not rely on telling red from green
// (Okabe and Ito's colours, in shades that have contrast on either ground).

export type ColourName =
  | 'ground' | 'panel' | 'text' | 'muted' | 'line' | 'grid' | 'a' | 'b' | 'free' | 'contact' | 'warning' | 'accent' | 'faint';

const NAMES: ColourName[] = ['ground', 'panel', 'text', 'muted', 'line', 'grid', 'a', 'b', 'free', 'contact', 'warning', 'accent', 'faint'];

type Listener = () => void;
const listeners = new Set<Listener>();
let cached: Record<ColourName, string> | undefined;

/** The colours of the style sheet, as it has them now. */
export function colours(): Record<ColourName, string> {
  if (!cached) {
    const style = getComputedStyle(document.documentElement);
    cached = Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])) as Record<ColourName, string>;
  }
  return cached;
}

export function isDark(): boolean {
  const chosen = document.documentElement.dataset['theme'];
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

export function toggleTheme(): void {
  document.documentElement.dataset['theme'] = isDark() ? 'light' : 'dark';
  changed();
}

/** Called now and whenever the colours change; returns how to stop that. */
export function onTheme(listener: Listener): () => void {
  listeners.add(listener);
  listener();
  return () => listeners.delete(listener);
}

function changed(): void {
  cached = undefined;
  for (const listener of listeners) listener();
}
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);

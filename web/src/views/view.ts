// What a view is to the shell.
import type { Graze } from '../../npm/src/module.js';
import type { ViewData } from '../document.js';

export interface ViewContext {
  graze: Graze;
  /** The picture. */
  stage: HTMLElement;
  /** Below the picture: time. */
  dock: HTMLElement;
  /** Beside the picture: numbers and controls. */
  panel: HTMLElement;
  /** Below the list of views: the list of what is in this one. */
  list: HTMLElement;
  /** A short message that goes away by itself. */
  notify(message: string): void;
}

export interface View {
  dispose(): void;
  /** True where it took the key. */
  key?(event: KeyboardEvent): boolean;
  /** Keys and gestures, for the help. */
  help?: [key: string, what: string][];
}

/** Throws a DocumentError where the data is not what it should be. */
export type ViewFactory = (data: ViewData, context: ViewContext) => View;

// Asks methods in a worker, so that a search that takes seconds holds up nothing.
import worker from 'graze-worker';
import type { Graze } from '../../npm/src/module.js';
import type { QueryKind, QueryOptions, QueryResult } from '../../npm/src/types.js';
import type { Reply, Task } from '../worker.js';

// Where there can be no worker: what a method decides within so many checks, or Unresolved.
const CHECKS_WITHOUT_WORKER = 20_000;

export class Asker {
  readonly #graze: Graze;
  #worker: Worker | null = null;
  #broken = false;
  #pending = 0;
  #id = 0;
  #timer = 0;

  constructor(graze: Graze) {
    this.#graze = graze;
  }
  /** Forgets what was asked before. */
  ask(kind: QueryKind, positions: Float64Array, options: QueryOptions, methods: string[], answer: (method: string, result: QueryResult) => void): void {
    this.cancel();
    const id = ++this.#id;
    this.#pending = methods.length;
    const worker = this.#start();
    if (!worker) {
      this.#askHere(kind, positions, options, methods, answer);
      return;
    }
    worker.onmessage = (event: MessageEvent<Reply>): void => {
      if (event.data.id !== id) return;
      this.#pending -= 1;
      answer(event.data.method, event.data.result);
    };
    worker.onerror = (): void => {
      this.#broken = true;
      this.ask(kind, positions, options, methods, answer);
    };
    const task: Task = { id, kind, positions, options, methods, ...(this.#isNew ? { module: this.#graze.module } : {}) };
    this.#isNew = false;
    worker.postMessage(task);
  }
  cancel(): void {
    clearTimeout(this.#timer);
    // A method cannot be interrupted; its worker can be given up.
    if (this.#pending > 0 || this.#broken) this.#end();
    this.#pending = 0;
  }
  dispose(): void {
    this.cancel();
    this.#end();
  }

  #isNew = false;
  #start(): Worker | null {
    if (this.#broken) return null;
    if (!this.#worker) {
      try {
        const url = URL.createObjectURL(new Blob([worker], { type: 'text/javascript' }));
        this.#worker = new Worker(url);
        URL.revokeObjectURL(url);
        this.#isNew = true;
      } catch {
        this.#broken = true;
      }
    }
    return this.#worker;
  }
  #end(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }
  #askHere(kind: QueryKind, positions: Float64Array, options: QueryOptions, methods: string[], answer: (method: string, result: QueryResult) => void): void {
    const [method, ...others] = methods;
    if (method === undefined) return;
    const maxChecks = Math.min(options.maxChecks ?? Infinity, CHECKS_WITHOUT_WORKER);
    answer(method, this.#graze.query(kind, positions, { ...options, maxChecks }, method));
    this.#timer = window.setTimeout(() => this.#askHere(kind, positions, options, others, answer), 0);
  }
}

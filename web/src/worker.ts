// Beside the page: asks methods that may take seconds, one after the other.
import { fromModule, type Graze } from '../npm/src/module.js';
import type { QueryKind, QueryOptions, QueryResult } from '../npm/src/types.js';

export interface Task {
  module?: WebAssembly.Module;
  id: number;
  kind: QueryKind;
  positions: Float64Array;
  options: QueryOptions;
  methods: string[];
}
export interface Reply {
  id: number;
  method: string;
  result: QueryResult;
}

let graze: Promise<Graze> | undefined;

self.onmessage = (event: MessageEvent<Task>): void => {
  const task = event.data;
  if (task.module) graze = fromModule(task.module);
  void graze?.then((here) => {
    for (const method of task.methods) {
      const reply: Reply = { id: task.id, method, result: here.query(task.kind, task.positions, task.options, method) };
      postMessage(reply);
    }
  });
};

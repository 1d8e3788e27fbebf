// Which view shows which type of data. A new view is a file beside this one and a line below.
import { DocumentError } from '../document.js';
import { meshView } from './mesh.js';
import { queryView } from './query.js';
import { simView } from './sim.js';
import { rigidView } from './rigid.js';
import { slideView } from './slide.js';
import type { ViewFactory } from './view.js';

const FACTORIES = new Map<string, ViewFactory>([
  ['mesh', meshView],
  ['query', queryView],
  ['sim', simView],
  ['rigid', rigidView],
  ['slide', slideView],
]);

export function factoryOf(type: string): ViewFactory {
  const factory = FACTORIES.get(type);
  if (!factory) throw new DocumentError(`this page cannot show views of type '${type}'`);
  return factory;
}

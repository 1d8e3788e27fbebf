// Which view shows which type of data. A new view is a file beside this one and a line below.
import { DocumentError } from '../document.js';
import { queryView } from './query.js';
import { rigidView } from './rigid.js';
import { slideView } from './slide.js';
import type { ViewFactory } from './view.js';

const FACTORIES = new Map<string, ViewFactory>([
  ['query', queryView],
  ['rigid', rigidView],
  ['slide', slideView],
]);

export function factoryOf(type: string): ViewFactory {
  const factory = FACTORIES.get(type);
  if (!factory) throw new DocumentError(`this page cannot show views of type '${type}'`);
  return factory;
}

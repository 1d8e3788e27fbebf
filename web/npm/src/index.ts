// graze in WebAssembly, for Node.js and for pages that are served.
import { instantiate, type Graze } from './module.js';

export * from './module.js';
export type * from './types.js';

/** The module beside this file, or the bytes that are given. */
export async function load(bytes?: BufferSource): Promise<Graze> {
  if (bytes !== undefined) return instantiate(bytes);
  const url = new URL('./graze.wasm', import.meta.url);
  if (url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return instantiate(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href}: ${response.status} ${response.statusText}`);
  return instantiate(await response.arrayBuffer());
}

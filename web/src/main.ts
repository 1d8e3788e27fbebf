// The page: reads the document that is in it, starts the module, shows the views.
import wasm from 'graze-wasm';
import { instantiate } from '../npm/src/module.js';
import { readDocument } from './document.js';
import { el } from './dom.js';
import { Shell } from './shell.js';

async function moduleBytes(): Promise<ArrayBuffer> {
  const text = atob(wasm);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).arrayBuffer();
}

async function start(): Promise<void> {
  const root = el('div', { class: 'app' });
  document.body.append(root);
  try {
    const page = readDocument(document.getElementById('graze-document')?.textContent ?? null);
    const graze = await instantiate(await moduleBytes());
    new Shell(root, page, graze);
  } catch (error) {
    root.replaceChildren(el('p', { class: 'notice' }, `This page could not start: ${error instanceof Error ? error.message : String(error)}`));
    throw error;
  }
  document.documentElement.dataset['ready'] = 'true';
}

void start();

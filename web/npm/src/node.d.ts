// The one thing of Node.js that the loader uses.
declare module 'node:fs/promises' {
  export function readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
}

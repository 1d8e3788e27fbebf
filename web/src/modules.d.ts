// What build.mjs puts into the bundle.
declare module 'graze-wasm' {
  /** graze.wasm, deflated (raw), in base64. */
  const text: string;
  export default text;
}
declare module 'graze-licences' {
  const text: string;
  export default text;
}
declare module 'graze-worker' {
  /** src/worker.ts, bundled. */
  const text: string;
  export default text;
}

// How fast surfaces are drawn, in a browser without a window and in software: a table, no test.
//   GRAZE_PAGE=build/release/web/page.html node web/tests/frame_rates.mjs [PAGE.html...]
// Of pages that the tool has made: how long they take to their first picture.
import { browserPath, launch, open, openFile } from './chromium.mjs';
import { page as documentOf } from './fixtures.mjs';
import { largeMeshView } from './mesh_fixtures.mjs';

if (!browserPath()) {
  console.error('no browser');
  process.exit(1);
}
const STEPS = 15;

/** Milliseconds from each key to the picture that it makes, until a pixel of it can be read. */
const frameTimes = (page, key) => page.evaluate(async ({ key, steps }) => {
  const gl = document.querySelector('canvas.view3d').getContext('webgl2');
  const pixel = new Uint8Array(4);
  const times = [];
  for (let i = 0; i < steps; ++i) {
    const begin = performance.now();
    window.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => {
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      done();
    }));
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b);
}, { key, steps: STEPS });

const browser = await launch();
console.log('| triangles | page | first picture | step of the slider | frames a second |');
console.log('|---|---|---|---|---|');
for (const n of [71, 224, 708]) {
  const { page, opened, bytes, close } = await open(browser, documentOf([largeMeshView(n)]));
  await frameTimes(page, 'ArrowRight');
  const times = await frameTimes(page, 'ArrowRight');
  const median = times[STEPS >> 1];
  console.log(`| ${(2 * n * n).toLocaleString('en')} | ${(bytes / 2 ** 20).toFixed(1)} MiB | ${(opened / 1000).toFixed(2)} s | ${median.toFixed(0)} ms | ${(1000 / median).toFixed(0)} |`);
  await close();
}
for (const file of process.argv.slice(2)) {
  const { opened, bytes, close } = await openFile(browser, file);
  console.log(`${file}: ${(bytes / 2 ** 20).toFixed(2)} MiB, first picture after ${(opened / 1000).toFixed(2)} s`);
  await close();
}
await browser.close();

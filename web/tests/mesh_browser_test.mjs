// The views of meshes and of runs, in a browser without a window. GRAZE_SCREENSHOTS: a folder for pictures;
// GRAZE_TIMES: how long a million triangles may take is tested, too.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { browserPath, launch, open } from './chromium.mjs';
import { HOSTILE, page as documentOf } from './fixtures.mjs';
import { largeMeshView, meshView, simView } from './mesh_fixtures.mjs';

if (!browserPath()) {
  console.log('no browser: skipped');
  process.exit(77);
}
const shots = process.env.GRAZE_SCREENSHOTS;
const browser = await launch();
let failures = 0;

async function test(name, document, body) {
  const begin = performance.now();
  const opened = await open(browser, document);
  try {
    await body(opened.page, opened);
    assert.deepEqual(opened.errors, []);
    console.log(`ok    ${name} (${Math.round(performance.now() - begin)} ms)`);
  } catch (error) {
    ++failures;
    console.log(`FAIL  ${name}\n${error.stack}`);
  }
  if (shots) await opened.page.screenshot({ path: join(shots, `${name.replaceAll(/\W+/g, '_')}.png`), timeout: 120_000 });
  await opened.close();
}

const picture = async (page) => (await page.locator('canvas.view3d').screenshot()).toString('base64');
/** How many different colours a grid of points of the picture has. */
const colours = async (page) => page.evaluate(async (png) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const copy = document.createElement('canvas');
  [copy.width, copy.height] = [60, 40];
  const context = copy.getContext('2d');
  context.drawImage(image, 0, 0, 60, 40);
  const data = context.getImageData(0, 0, 60, 40).data;
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add(data[i] * 65536 + data[i + 1] * 256 + data[i + 2]);
  return seen.size;
}, await picture(page));
/** Waits until what was drawn is there, by asking for one pixel of it. */
const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => {
  const gl = document.querySelector('canvas.view3d').getContext('webgl2');
  const pixel = new Uint8Array(4);
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  done(pixel[0]);
})));
const frame = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const slider = (page) => page.locator('[role=slider]');
const value = async (page) => Number(await slider(page).getAttribute('aria-valuenow'));

await test('a step is drawn, and moves with the slider', documentOf([meshView()]), async (page) => {
  assert.ok(await colours(page) > 50);
  const text = await page.locator('.panel').innerText();
  assert.match(text, /1,250/);
  assert.match(text, /2,304/);
  const [before, at] = [await picture(page), await value(page)];
  assert.ok(at > 0 && at < 1, 'begins at the first contact');
  await page.keyboard.press('End');
  await frame(page);
  assert.equal(await value(page), 1);
  assert.notEqual(await picture(page), before);
});

await test('colours and layers can be chosen', documentOf([meshView()]), async (page) => {
  const by = page.locator('select');
  const seen = new Set([await picture(page)]);
  for (const shading of ['fraction', 'radius', 'plain']) {
    await by.selectOption(shading);
    await frame(page);
    seen.add(await picture(page));
  }
  assert.ok(seen.size >= 3);
  for (const layer of ['start', 'end', 'candidates', 'impacts']) {
    const before = await picture(page);
    await page.locator('label.toggle', { hasText: layer }).locator('input').click();
    await frame(page);
    assert.notEqual(await picture(page), before, layer);
  }
});

await test('a pair is opened as a query, and closed again', documentOf([meshView()]), async (page) => {
  const entries = page.locator('.sublist .view-entry');
  assert.ok(await entries.count() > 10);
  await entries.nth(2).click();
  const at = await value(page);
  assert.match(await page.locator('.panel').innerText(), /vertex \d+, face \d+/);
  await entries.nth(2).click();
  assert.equal(await page.evaluate(() => document.body.dataset.view), 'query');
  await page.locator('.panel', { hasText: 'Certified answer' }).waitFor();
  assert.match((await page.locator('.panel').innerText()).toLowerCase(), /contact/);
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.body.dataset.view), 'mesh');
  await page.keyboard.press('ArrowDown');
  assert.ok(await value(page) <= at);
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.body.dataset.view), 'query');
  await page.getByRole('button', { name: /Back to the mesh/ }).click();
  assert.ok(await colours(page) > 50);
});

await test('a click in the picture selects the nearest pair', documentOf([meshView()]), async (page) => {
  const box = await page.locator('canvas.view3d').boundingBox();
  await page.keyboard.press('ArrowDown');
  for (const [dx, dy] of [[0, 0], [0, 30], [30, 0], [-30, 0], [0, -30], [30, 30]]) {
    await page.mouse.click(box.x + box.width / 2 + dx, box.y + box.height / 2 + dy);
  }
  assert.match(await page.locator('.panel').innerText(), /touches not before/);
});

await test('a run plays, stops, and shows its figures', documentOf([simView()]), async (page) => {
  assert.ok(await colours(page) > 20);
  const before = await picture(page);
  await page.keyboard.press('Space');
  await page.waitForFunction(() => Number(document.querySelector('[role=slider]').getAttribute('aria-valuenow')) > 2, null, { timeout: 20_000 });
  await page.keyboard.press('Space');
  const at = await value(page);
  await page.waitForTimeout(200);
  assert.equal(await value(page), at, 'stopped');
  await frame(page);
  assert.notEqual(await picture(page), before);
  assert.ok(await page.locator('.frame-plot').count() >= 3);
  const plot = await page.locator('.frame-plot').first().boundingBox();
  await page.mouse.click(plot.x + plot.width - 2, plot.y + plot.height / 2);
  assert.equal(await value(page), 39);
  assert.match(await page.locator('.panel').innerText(), /kinetic energy/i);
});

await test('damaged views are reported, others still shown', documentOf([
  { ...meshView(4), faces: [0, 1, 99] }, { ...meshView(4), impacts: null }, { ...simView(2, 3), frames: [] },
  { ...simView(2, 3), frames: [{ dtype: 'f32', count: 5, base64: 'AAAA' }] }, { ...meshView(6), name: 'whole' },
]), async (page) => {
  for (let i = 0; i < 4; ++i) {
    await page.locator('.views .view-entry').nth(i).click();
    assert.ok(await page.locator('.notice').count() > 0, `view ${i}`);
  }
  await page.locator('.views .view-entry').nth(4).click();
  assert.equal(await page.locator('.notice').count(), 0);
});

await test('names are text', documentOf([meshView(6, HOSTILE), simView(3, 3, HOSTILE)], HOSTILE), async (page) => {
  await page.locator('.sublist .view-entry').first().click();
  await page.keyboard.press('Enter');
  await page.keyboard.press(']');
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('img').count(), 0);
});

await test('a million triangles', documentOf([largeMeshView()]), async (page, { opened, bytes }) => {
  await page.evaluate(() => {
    window.draws = 0;
    window.largest = 0;
    for (const name of ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced']) {
      const draw = WebGL2RenderingContext.prototype[name];
      WebGL2RenderingContext.prototype[name] = function (...parameters) {
        ++window.draws;
        window.largest = Math.max(window.largest, parameters[1]);
        return draw.apply(this, parameters);
      };
    }
  });
  let best = Infinity;
  for (let i = 0; i < 5; ++i) {
    const begin = performance.now();
    await page.keyboard.press('ArrowRight');
    await drawn(page);
    best = Math.min(best, performance.now() - begin);
  }
  const draws = await page.evaluate(() => window.draws) / 5;
  assert.ok(await page.evaluate(() => window.largest) < 1_000_000);
  // All of it, where that is asked for.
  await page.keyboard.press('d');
  await page.waitForFunction(() => window.largest >= 3_000_000, null, { timeout: 60_000 });
  console.log(`      ${(bytes / 2 ** 20).toFixed(0)} MiB, first picture ${(opened / 1000).toFixed(1)} s, step ${best.toFixed(0)} ms, ${draws} draw calls`);
  assert.ok(draws >= 1 && draws <= 20);
  // Seconds count where nothing else runs.
  if (!process.env.GRAZE_TIMES) return;
  assert.ok(opened < 15_000);
  assert.ok(best < 1000);
});

await browser.close();
process.exit(failures > 0 ? 1 : 0);

// The page in a browser without a window: every view opens without an error, answers what the module
// answers here, and takes no name for a script.
//   GRAZE_PAGE     page.html
//   GRAZE_PACKAGE  the folder of the package
// Exit code 77: there is no browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { browserPath, launch, open, PAGE } from './chromium.mjs';
import * as fixtures from './fixtures.mjs';

if (browserPath() === null) {
  console.log('no chromium: the page is not tested (install the package chromium, or set GRAZE_CHROMIUM)');
  process.exit(77);
}

const { load } = await import(pathToFileURL(join(process.env.GRAZE_PACKAGE, 'index.js')).href);
const graze = await load();
const { page, queryView, FALLING, PASSING } = fixtures;
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });

/** Opens, runs, and fails on whatever the browser complained about. */
async function withPage(document, body, options) {
  const opened = await open(browser, document, options);
  try {
    await body(opened.page, opened);
    assert.deepEqual(opened.errors, []);
  } finally {
    await opened.close();
  }
}

const verdict = (p) => p.locator('.verdict').getAttribute('data-verdict');
const now = async (p) => Number(await p.getByRole('slider', { name: 'time' }).getAttribute('aria-valuenow'));

test('a page of one query is below 1.5 MB, and says what the module says', async () => {
  await withPage(page([queryView()]), async (p, { bytes, opened, cpu }) => {
    assert.ok(bytes < 1.5e6, `${bytes} bytes`);
    assert.equal(await verdict(p), 'contact');
    const expected = graze.query('vf', FALLING);
    assert.ok((await p.locator('.verdict + p + dl').innerText()).includes(String(expected.toiLower)));
    assert.equal(await now(p), expected.toiLower);
    console.log(`${bytes} bytes, open after ${opened.toFixed(0)} ms, ${cpu.toFixed(2)} s of them work of its thread`);
  });
});
test('every kind of query opens, in dark and light', async () => {
  const views = [queryView(), fixtures.edgesView(), fixtures.pointsView(), fixtures.pointEdgeView()];
  for (const colorScheme of ['light', 'dark']) {
    await withPage(page(views), async (p) => {
      for (let i = 0; i < views.length; ++i) {
        await p.locator('.view-entry').nth(i).click();
        assert.equal(await verdict(p), 'contact');
        await p.locator('table.methods[data-done="true"]').waitFor();
        const missing = await p.locator('table.methods tr[data-method="certified"]').getAttribute('data-verdict');
        assert.equal(missing, 'contact');
      }
      await p.keyboard.press('t');
    }, { colorScheme });
  }
});
test('all methods are answered as here', async () => {
  await withPage(page([queryView()]), async (p) => {
    await p.locator('table.methods[data-done="true"]').waitFor();
    for (const row of await p.locator('table.methods tbody tr').all()) {
      const method = await row.getAttribute('data-method');
      assert.equal(await row.getAttribute('data-verdict'), graze.query('vf', FALLING, {}, method).verdict, method);
    }
  });
});
test('answers of the tool are compared bit by bit', async () => {
  const result = graze.query('vf', FALLING);
  const answer = { method: 'certified', verdict: [result.verdict], toi_lower: [result.toiLower], toi_upper: [result.toiUpper] };
  await withPage(page([queryView([FALLING], { answers: [answer] })]), async (p) => {
    await p.getByText('the same bits as the tool gave for 1 methods').waitFor();
  });
  await withPage(page([queryView([FALLING], { answers: [{ ...answer, toi_lower: [0.5] }] })]), async (p) => {
    await p.getByText('1 of 1 methods answer other bits').waitFor();
  });
});
test('the slider moves by mouse and keys', async () => {
  await withPage(page([queryView()]), async (p) => {
    const slider = p.getByRole('slider', { name: 'time' });
    const box = await slider.boundingBox();
    await p.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const middle = await now(p);
    assert.ok(Math.abs(middle - 0.47) < 0.05, `${middle}`);
    await p.keyboard.press('ArrowRight');
    assert.ok(await now(p) > middle);
    await p.keyboard.press('Home');
    assert.equal(await now(p), 0);
    await p.keyboard.press('End');
    assert.equal(await now(p), 1);
    await p.keyboard.press('z');
    const { toiLower } = graze.query('vf', FALLING);
    assert.equal(await now(p), toiLower);
  });
});
test('dragging a vertex changes the verdict as the library says', async () => {
  await withPage(page([queryView()]), async (p) => {
    const values = () => p.evaluate(() => [...document.querySelectorAll('.grid3 input')].map((i) => Number(i.value)));
    const before_ = await values();
    const canvas = await p.locator('canvas.view3d').boundingBox();
    // The start of p is marked by its label, which stands beside it.
    const label = await p.locator('.label.a').first().boundingBox();
    const [x, y] = [label.x - 8, label.y + 22];
    // Below the triangle, where the vertex ends.
    const end = [x + 40, canvas.y + canvas.height - 30];
    await p.mouse.move(x, y);
    await p.mouse.down();
    for (let i = 1; i <= 8; ++i) await p.mouse.move(x + (end[0] - x) * i / 8, y + (end[1] - y) * i / 8);
    await p.mouse.up();
    const moved = await values();
    assert.notDeepEqual(moved.slice(0, 3), before_.slice(0, 3));
    assert.deepEqual(moved.slice(3), before_.slice(3));
    const expected = graze.query('vf', moved);
    assert.equal(await verdict(p), expected.verdict);
    assert.equal(expected.verdict, 'separated');
    await p.keyboard.press('r');
    assert.equal(await verdict(p), 'contact');
  });
});
test('coordinates can be typed, in hex, too; nonsense is refused', async () => {
  await withPage(page([queryView([PASSING])]), async (p) => {
    assert.equal(await verdict(p), 'separated');
    const type = async (name, text) => {
      await p.getByLabel(name).fill(text);
      await p.getByLabel(name).press('Enter');
    };
    for (const [axis, start] of [['x', '0x1.999999999999ap-2'], ['z', '0.3']]) {
      for (const side of ['start', 'end']) await type(`p ${axis} at the ${side}`, start);
    }
    assert.equal(await verdict(p), 'contact');
    const query = PASSING.slice();
    query[0] = query[12] = 0.4;
    query[2] = query[14] = 0.3;
    assert.equal(graze.query('vf', query).verdict, 'contact');
    await type('p x at the start', 'abc');
    assert.ok(await p.getByLabel('p x at the start').evaluate((e) => e.classList.contains('wrong')));
    assert.equal(await verdict(p), 'contact');
  });
});
test('coordinates of every size are shown and answered, those that are not finite as unresolved', async () => {
  const scaled = (factor) => FALLING.map((x) => x * factor);
  const stretched = FALLING.map((x, i) => x * [1e-200, 1, 1e150][i % 3]);
  const cases = [scaled(2 ** 900), scaled(2 ** -1000), scaled(2 ** -1070), stretched, Array(24).fill(0), Array(24).fill(1e308),
    FALLING.with?.(4, NaN) ?? FALLING.map((x, i) => (i === 4 ? NaN : x)), FALLING.map((x, i) => (i === 7 ? Infinity : x))];
  await withPage(page([queryView(cases)]), async (p) => {
    for (const [i, query] of cases.entries()) {
      if (i > 0) await p.keyboard.press('ArrowDown');
      await p.getByText(`query ${i + 1} of ${cases.length}`).waitFor();
      assert.equal(await verdict(p), graze.query('vf', query).verdict, `query ${i}`);
    }
    assert.equal(await verdict(p), 'unresolved');
  });
});
test('a list of many queries can be filtered', async () => {
  await withPage(page([fixtures.manyView(1000)]), async (p) => {
    await p.getByText('1000 queries').waitFor();
    await p.getByLabel('Which verdicts').selectOption('contact');
    await p.waitForFunction(() => /^\d+ of 1000 queries$/.test(document.querySelector('.filter .small').textContent));
    await p.waitForTimeout(300);
    const count = Number((await p.locator('.filter .small').innerText()).split(' ')[0]);
    const data = fixtures.manyView(1000);
    const all = new Float64Array(Uint8Array.from(Buffer.from(data.queries.base64, 'base64')).buffer);
    assert.equal(count, graze.queries('vf', all).filter((r) => r.verdict === 'contact').length);
    await p.getByLabel('Which verdicts').selectOption('');
    await p.getByLabel('Filter queries').fill('pair 3-');
    assert.equal(Number((await p.locator('.filter .small').innerText()).split(' ')[0]), 59);
    await p.locator('.item').nth(1).click();
    await p.getByText('query 21 of 1000').waitFor();
  });
});
test('a regression test is copied, and its number is that of the tool', async () => {
  await withPage(page([queryView()]), async (p) => {
    await p.context().grantPermissions(['clipboard-read', 'clipboard-write']).catch(() => {});
    await p.keyboard.press('c');
    await p.getByText('Regression test copied').waitFor();
    const source = await p.evaluate(() => navigator.clipboard.readText()).catch(() => null);
    if (source === null) return;
    assert.match(source, /TEST\(Regression[0-9a-f]{8}, SeenInTheViewer\)/);
    assert.match(source, /constexpr VertexFaceMotion kMotion/);
    assert.match(source, /0x1\.6666666666666p-2/);
  });
  await withPage(page([fixtures.pointsView()]), async (p) => {
    await p.context().grantPermissions(['clipboard-read', 'clipboard-write']).catch(() => {});
    await p.keyboard.press('c');
    await p.getByText('Regression test copied').waitFor();
    const source = await p.evaluate(() => navigator.clipboard.readText()).catch(() => null);
    // As `graze repro --kind vv` names it.
    if (source !== null) assert.match(source, /TEST\(Regression6717ef98, /);
  });
});
test('the search of tight-inclusion is shown level by level', async () => {
  await withPage(page([queryView()]), async (p) => {
    const slider = p.getByLabel('Level of the search');
    await p.waitForFunction(() => Number(document.querySelector('[aria-label="Level of the search"]').max) > 10);
    await slider.fill('3');
    await p.getByText(/^Level 3: \d+ boxes/).waitFor();
  });
});
test('rigid bodies meet when the module says they do; all collisions are found', async () => {
  await withPage(page([fixtures.rigidView()]), async (p) => {
    assert.equal(await verdict(p), 'contact');
    await p.getByRole('button', { name: 'Every crossing of features' }).click();
    await p.locator('table.collisions tr.pick').first().waitFor();
    await p.locator('table.collisions tr.pick').first().click();
    assert.ok(await now(p) > 0.79);
    await p.keyboard.press('Home');
    assert.equal(await now(p), 0);
  });
});
test('walking into a wall stays out of it', async () => {
  await withPage(page([fixtures.slideView(graze)]), async (p) => {
    await p.keyboard.press('p');
    const state = () => p.locator('.hud').evaluate((e) => ({ ...e.dataset }));
    await p.waitForFunction(() => Number(document.querySelector('.hud').dataset.moves) > 2);
    const from = (await state()).position;
    const moves = Number((await state()).moves);
    await p.keyboard.down('w');
    await p.waitForFunction((n) => Number(document.querySelector('.hud').dataset.moves) > n, moves + 25, { timeout: 60_000 });
    await p.keyboard.down('d');
    await p.waitForFunction((n) => Number(document.querySelector('.hud').dataset.moves) > n, moves + 45, { timeout: 60_000 });
    await p.keyboard.up('w');
    await p.keyboard.up('d');
    const after_ = await state();
    assert.notEqual(after_.position, from);
    assert.ok(Number(after_.least) > 0, `least gap ${after_.least}`);
    const [x, y, z] = after_.position.split(' ').map(Number);
    assert.ok(Math.abs(x) < 5.5 && Math.abs(z) < 5.5 && y > 0.5, after_.position);
  });
});
test('the gap of a rounded box is that of the box', async () => {
  const view = fixtures.slideView(graze, { radii: [0.1, 0.1, 0.1], halfAxis: [0.4, 0, 0], sideAxes: [[0, 0.4, 0], [0, 0, 0.4]] });
  await withPage(page([view]), async (p) => {
    await p.keyboard.press('End');
    const shown = await p.locator('dt', { hasText: 'gap here' }).locator('+ dd').textContent();
    const gap = view.frames.at(-1).gap;
    assert.ok(gap < 0.1, `${gap}`);
    assert.ok(Math.abs(Number(/at least ([-.0-9e]+)/.exec(shown)[1]) - gap) <= 1e-5 * gap, `${shown}, expected ${gap}`);
  });
});
test('parts of a world move with the path, and hold who walks', async () => {
  // A plate that rises under the ball, by one in the last of two frames.
  const view = {
    type: 'slide', name: 'lift', vertices: [-9, 0, -9, 9, 0, -9, 9, 0, 9, -9, 0, 9], faces: [0, 2, 1, 0, 3, 2],
    moving: [{ vertices: [-3, 0, -3, 3, 0, -3, 3, 0, 3, -3, 0, 3], faces: [0, 2, 1, 0, 3, 2],
      poses: [1, 0, 0, 0, 0, 0.25, 0, 1, 0, 0, 0, 0, 0.25, 0, 1, 0, 0, 0, 0, 1.25, 0] }],
    shape: { type: 'ball', radii: [0.5, 0.5, 0.5], half_axis: [0, 0, 0] }, skin: 0.002, start: [0, 0.76, 0],
    frames: [{ position: [0, 0.76, 0], ground: 'lift', events: ['landed'] }, { position: [0, 1.76, 0], ground: 'lift' }],
  };
  await withPage(page([view]), async (p) => {
    await p.keyboard.press('End');
    assert.match(await p.locator('dl.pairs').first().innerText(), /ground\s+lift/);
    await p.keyboard.press('p');
    await p.waitForFunction(() => Number(document.querySelector('.hud').dataset.moves) > 8, null, { timeout: 60_000 });
    const state = await p.locator('.hud').evaluate((e) => ({ ...e.dataset }));
    assert.ok(Number(state.least) > 0, `least gap ${state.least}`);
    assert.ok(Number(state.position.split(' ')[1]) > 1.75, state.position);
  });
});
test('names in a document run no script', async () => {
  await withPage(fixtures.hostilePage(), async (p) => {
    const views = await p.locator('.view-entry').count();
    assert.equal(views, 4);
    for (let i = 0; i < views; ++i) {
      await p.locator('.view-entry').nth(i).click();
      await p.waitForTimeout(100);
    }
    assert.equal(await p.evaluate(() => window.hacked), undefined);
    assert.equal(await p.locator('img').count(), 0);
    assert.ok((await p.title()).startsWith(fixtures.HOSTILE.slice(0, 20)));
  });
});
test('damaged documents are reported, and nothing else breaks', async () => {
  const cut = { ...queryView(), queries: { ...queryView().queries, count: 7 } };
  const views = [{ type: 'query', name: 'nothing' }, cut, { type: 'rigid', name: 'none', bodies: [{}] }, { type: 'slide', name: 'none' }, queryView()];
  await withPage(page(views), async (p) => {
    for (let i = 0; i < 4; ++i) {
      await p.locator('.view-entry').nth(i).click();
      await p.locator('.notice').waitFor();
    }
    await p.locator('.view-entry').nth(4).click();
    assert.equal(await verdict(p), 'contact');
  });
});
test('help opens and closes by keys, and holds the licences', async () => {
  await withPage(page([queryView()]), async (p) => {
    await p.keyboard.press('?');
    await p.getByRole('dialog').waitFor();
    assert.ok((await p.locator('.licences').textContent()).includes('three.js authors'));
    await p.keyboard.press('Escape');
    assert.equal(await p.locator('dialog[open]').count(), 0);
  });
});
test('a telephone shows picture, slider and verdict', async () => {
  await withPage(page([queryView()]), async (p) => {
    assert.equal(await verdict(p), 'contact');
    const width = await p.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${width} wide`);
    await p.getByRole('slider', { name: 'time' }).tap();
  }, { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, hasTouch: true, isMobile: true });
});
test('the page allows scripts by their hash alone', () => {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(readFileSync(PAGE, 'utf8'))[1];
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'sha256-[A-Za-z0-9+/=]+' 'wasm-unsafe-eval';/);
  assert.match(policy, /connect-src 'none'/);
  assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval'[^;]*'unsafe-eval'/);
});

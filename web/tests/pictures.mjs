// The pictures of docs/viewer.md.
//   GRAZE_PAGE=<build>/web/page.html GRAZE_PACKAGE=<build>/web/package node web/tests/pictures.mjs FOLDER
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, open } from './chromium.mjs';
import { meshView } from './mesh_fixtures.mjs';
import { edgesView, FALLING, page, PASSING, queryView, rigidView, slideView } from './fixtures.mjs';

const { load } = await import(pathToFileURL(resolve(process.env.GRAZE_PACKAGE, 'index.js')).href);
const graze = await load();
const folder = process.argv[2] ?? '.';
const browser = await launch();

async function picture(name, document, options, prepare = async () => {}) {
  const opened = await open(browser, document, { viewport: { width: 1360, height: 820 }, ...options });
  await prepare(opened.page);
  // Until the methods have answered and the picture is drawn.
  await opened.page.waitForTimeout(1500);
  await opened.page.screenshot({ path: join(folder, name) });
  if (opened.errors.length > 0) throw new Error(opened.errors.join('\n'));
  await opened.close();
}

await picture('viewer_query.png', page([queryView([FALLING, PASSING]), edgesView(), rigidView(), slideView(graze)], 'A contact, seen'), {});
await picture('viewer_rigid.png', page([rigidView()], 'A swinging bar'), { colorScheme: 'dark' }, async (p) => {
  await p.getByRole('button', { name: 'Every crossing of features' }).click();
});
await picture('viewer_slide.png', page([slideView(graze)], 'A walled floor'), {}, async (p) => {
  for (let i = 0; i < 6; ++i) await p.keyboard.press('Shift+ArrowRight');
});
await picture('viewer_mesh.png', page([meshView(40)], 'A falling cloth'), {}, async (p) => {
  for (let i = 0; i < 30; ++i) await p.keyboard.press('ArrowDown');
});
await browser.close();

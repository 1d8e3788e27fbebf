// A browser without a window, with drawing in software; and pages of documents in it.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { embed } from './fixtures.mjs';

export const PAGE = process.env.GRAZE_PAGE ?? 'page.html';

export function browserPath() {
  const candidates = [process.env.GRAZE_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  return candidates.find((path) => path && existsSync(path)) ?? null;
}

export async function launch() {
  return chromium.launch({
    executablePath: browserPath(), headless: true,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--use-gl=angle', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
      '--disable-dev-shm-usage', '--hide-scrollbars'],
  });
}

/** Opens the document from file://, and collects whatever goes wrong. */
export async function open(browser, document, options = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'graze-page-'));
  const file = join(folder, 'page.html');
  writeFileSync(file, embed(readFileSync(PAGE, 'utf8'), document));
  const opened = await openFile(browser, file, options);
  return { ...opened, close: async () => {
    await opened.close();
    rmSync(folder, { recursive: true });
  } };
}

export async function openFile(browser, file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, offline: true, ...options });
  const page = await context.newPage();
  const errors = [];
  page.on('console', (message) => { if (message.type() === 'error') errors.push(message.text()); });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => { if (!/^(file|data|blob):/.test(request.url())) errors.push(`asked for ${request.url()}`); });
  // Processor time of the page, which a busy machine does not change.
  const session = await context.newCDPSession(page);
  await session.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
  await session.send('Performance.enable');
  const begin = performance.now();
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'true', null, { timeout: 60_000 });
  const opened = performance.now() - begin;
  const { metrics } = await session.send('Performance.getMetrics');
  const cpu = metrics.find((metric) => metric.name === 'TaskDuration').value;
  return { page, errors, opened, cpu, bytes: readFileSync(file).length, close: () => context.close() };
}

// The module in Node.js: the same bits as the native library, and an interface that refuses bad input.
//   GRAZE_PACKAGE    the folder of the package
//   GRAZE_REFERENCE  the program web_reference
//   GRAZE_QUERIES    how many generated queries (default 20000)
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const { load, GrazeError, vertexCount } = await import(pathToFileURL(join(process.env.GRAZE_PACKAGE, 'index.js')).href);
const graze = await load();

// --- The file of the native library, block by block ---

class Reference {
  #file;
  #at = 0;
  constructor(path) {
    this.#file = openSync(path);
  }
  line() {
    const bytes = Buffer.alloc(4096);
    const read = readSync(this.#file, bytes, 0, bytes.length, this.#at);
    if (read === 0) return null;
    const end = bytes.indexOf(10);
    this.#at += end + 1;
    return bytes.subarray(0, end).toString().split(' ');
  }
  numbers(count) {
    const list = new Float64Array(count);
    const bytes = new Uint8Array(list.buffer);
    let done = 0;
    while (done < bytes.length) {
      const read = readSync(this.#file, bytes, done, bytes.length - done, this.#at + done);
      assert.ok(read > 0, 'the reference is cut short');
      done += read;
    }
    this.#at += done;
    return list;
  }
  close() {
    closeSync(this.#file);
  }
}

const RESULT = 5;

function options(n) {
  return { minSeparation: n[0], norm: n[1] === 1 ? 'max' : 'euclidean', distanceTolerance: n[2], timeWidth: n[3], tMax: n[4], maxChecks: n[5] };
}

function compareQueries(reference, [kind, count, ...methods], report) {
  const n = Number(count);
  const size = 6 * vertexCount(kind);
  const with_ = options(reference.numbers(6));
  const queries = reference.numbers(n * size);
  for (const method of methods) {
    const expected = reference.numbers(n * RESULT);
    const actual = graze.queryNumbers(kind, queries, with_, method);
    report.answers += n;
    if (Buffer.from(expected.buffer).equals(Buffer.from(actual.buffer, actual.byteOffset, actual.byteLength))) continue;
    for (let i = 0; i < n; ++i) {
      const [e, a] = [expected, actual].map((list) => Array.from(list.subarray(i * RESULT, (i + 1) * RESULT)));
      if (e.every((x, k) => Object.is(x, a[k]))) continue;
      report.differing.set(method, (report.differing.get(method) ?? 0) + 1);
      report.example ??= `${method} ${kind} ${JSON.stringify(with_)}: native ${e}, wasm ${a}, query ${Array.from(queries.subarray(i * size, (i + 1) * size))}`;
    }
  }
}

function poseStep(n) {
  const pose = (i) => n.subarray(7 * i, 7 * i + 7);
  return { a: { start: pose(0), end: pose(1) }, b: { start: pose(2), end: pose(3) } };
}

const VERDICTS = ['separated', 'contact', 'unresolved'];

// Brackets have the bits of the native library.
function compareBodies(reference, [vertices, faces, count], report) {
  const positions = reference.numbers(3 * vertices);
  const indices = Uint32Array.from(reference.numbers(3 * faces));
  const a = graze.body(positions, indices);
  const b = graze.body(positions, indices);
  for (let i = 0; i < Number(count); ++i) {
    const step = poseStep(reference.numbers(28));
    const [verdict, lower, upper] = reference.numbers(5);
    const impact = graze.firstImpact(a, b, step);
    assert.equal(impact.verdict, VERDICTS[verdict]);
    assert.deepEqual([impact.toiLower, impact.toiUpper], [lower, upper]);
    report.impacts += impact.verdict === 'contact' ? 1 : 0;
    if (impact.verdict !== 'contact') continue;
    const all = graze.allImpacts(a, b, step);
    assert.equal(all.contacts.length, all.count);
    assert.ok(all.contacts.every((c) => c.timeUpper >= impact.toiLower && c.timeLower <= c.timeUpper));
  }
  a.destroy();
  b.destroy();
}

// Each move ends where the native library's does, to the bit, with the same proof.
function compareMoves(reference, [vertices, faces, count], report) {
  const level = graze.level(reference.numbers(3 * vertices), Uint32Array.from(reference.numbers(3 * faces)));
  const [radii, halfAxis, ...sideAxes] = [0, 1, 2, 3].map(() => Array.from(reference.numbers(3)));
  const shape = { radii, halfAxis, sideAxes };
  let position = Array.from(reference.numbers(3));
  for (let i = 0; i < Number(count); ++i) {
    const n = reference.numbers(3 + 8);
    const moved = level.move(shape, position, Array.from(n.subarray(0, 3)));
    const expected = Array.from(n.subarray(3, 6));
    assert.deepEqual(Array.from(moved.position), expected, `move ${i}`);
    assert.equal(moved.skin, n[7]);
    assert.ok(moved.gapProved && n[8] === 1);
    assert.ok(level.gap(shape, moved.position, 1).gapLower > 0);
    report.moves += 1;
    position = expected;
  }
  level.destroy();
}

const report = { answers: 0, differing: new Map(), example: undefined, impacts: 0, moves: 0 };
let folder;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'graze-reference-'));
  const file = join(folder, 'reference');
  execFileSync(process.env.GRAZE_REFERENCE, [file, process.env.GRAZE_QUERIES ?? '20000'], { stdio: 'inherit' });
  const reference = new Reference(file);
  for (let line = reference.line(); line !== null; line = reference.line()) {
    const [block, ...rest] = line;
    ({ queries: compareQueries, rigid: compareBodies, slide: compareMoves })[block](reference, rest, report);
  }
  reference.close();
});
after(() => rmSync(folder, { recursive: true }));

test('every method answers every query with the bits of the native library', () => {
  assert.deepEqual([...report.differing], [], report.example);
  assert.ok(report.answers > 20_000, `${report.answers} answers`);
  console.log(`${report.answers} answers compared`);
});
test('bodies meet with the brackets of the native library', () => {
  assert.ok(report.impacts > 10, `${report.impacts} impacts`);
});
test('what slides goes where it goes in the native library', () => {
  assert.equal(report.moves, 3 * 2000);
});

// --- The interface ---

const FALLING = [0.25, 1, 0.25, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.25, -1, 0.25, 0, 0, 0, 1, 0, 0, 0, 0, 1];

test('a vertex that falls through a triangle meets it at the half', () => {
  const result = graze.query('vf', FALLING);
  assert.equal(result.verdict, 'contact');
  assert.ok(result.toiLower <= 0.5 && result.toiUpper >= 0.5 && result.toiUpper - result.toiLower <= 1e-9);
  const [nearest] = graze.nearest('vf', FALLING, [0.5]);
  assert.equal(nearest.distance, 0);
  assert.deepEqual([nearest.u, nearest.v], [0.25, 0.25]);
  assert.equal(graze.distanceLower('vf', FALLING) > 0.99, true);
});
test('input that is not finite is unresolved, never separated', () => {
  for (const bad of [NaN, Infinity, -Infinity]) {
    for (const method of graze.methods) {
      const query = FALLING.slice();
      query[4] = bad;
      assert.equal(graze.query('vf', query, {}, method.name).verdict, 'unresolved');
    }
  }
});
test('options out of their range are unresolved', () => {
  for (const bad of [{ maxChecks: 0 }, { maxChecks: NaN }, { tMax: 2 }, { minSeparation: -1 }, { timeWidth: 0 }, { distanceTolerance: NaN }]) {
    assert.equal(graze.query('vf', FALLING, bad).verdict, 'unresolved', JSON.stringify(bad));
  }
});
test('a wrong number of coordinates, an unknown kind or method is refused', () => {
  assert.throws(() => graze.query('vf', FALLING.slice(1)), GrazeError);
  assert.throws(() => graze.query('xy', FALLING), GrazeError);
  assert.throws(() => graze.query('vf', FALLING, {}, 'magic'), GrazeError);
  assert.throws(() => graze.body([0, 0, 0], [0, 1, 2]), GrazeError);
  assert.throws(() => graze.level([0, 0], []), GrazeError);
});
test('the trace covers the domain: what a box splits into lies in it', () => {
  const boxes = graze.trace('vf', FALLING);
  assert.deepEqual([boxes[0].t, boxes[0].dt, boxes[0].du, boxes[0].dv, boxes[0].kept], [0, 1, 1, 1, true]);
  const tight = graze.query('vf', FALLING, {}, 'tight-inclusion');
  assert.equal(boxes.length, tight.checks);
  for (const box of boxes) {
    assert.ok(box.t >= 0 && box.t + box.dt <= 1 && box.u >= 0 && box.u + box.du <= 1 && box.v >= 0 && box.v + box.dv <= 1);
  }
  // Some kept box of every level holds the contact.
  const levels = new Set(boxes.map((b) => b.level));
  for (const level of levels) {
    assert.ok(boxes.some((b) => b.level === level && b.kept && b.t <= 0.5 && b.t + b.dt >= 0.5 && b.u <= 0.25 && b.u + b.du >= 0.25));
  }
});
test('memory that grows loses no answer', () => {
  const many = new Float64Array(24 * 200_000);
  for (let i = 0; i < 200_000; ++i) many.set(FALLING, 24 * i);
  const numbers = graze.queryNumbers('vf', many);
  assert.equal(numbers.length, 1_000_000);
  assert.equal(numbers[999_995], 1);
});

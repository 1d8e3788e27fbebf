// A query as the source of a regression test, in the form that `graze repro` writes.
//
// The exact first time is that of `certified`, asked for neighbouring doubles. `graze repro` also
// states how near separated primitives come, which takes the exact oracle of the tool.
import { DEFAULT_OPTIONS, vertexCount, type Graze } from '../../npm/src/module.js';
import type { QueryKind, QueryOptions, QueryResult } from '../../npm/src/types.js';
import { bitsOf, toHex } from '../numbers.js';

const LONG_NAMES: Record<QueryKind, string> = { vf: 'vertex-face', ee: 'edge-edge', vv: 'vertex-vertex', ve: 'vertex-edge' };
const TYPES: Record<QueryKind, string> = { vf: 'VertexFaceMotion', ee: 'EdgeEdgeMotion', vv: 'VertexVertexMotion', ve: 'VertexEdgeMotion' };
const KINDS: QueryKind[] = ['vf', 'ee', 'vv', 've'];

const pairsOf = (kind: QueryKind, positions: Float64Array): number[][][] => {
  const n = vertexCount(kind);
  return Array.from({ length: n }, (_, i) => [0, n].map((side) => [0, 1, 2].map((axis) => positions[3 * (i + side) + axis]!)));
};

/** FNV-1a over kind and coordinates: the same id as the tool's. */
export function regressionId(kind: QueryKind, positions: Float64Array): string {
  let state = 0xcbf29ce484222325n;
  const add = (value: bigint, bytes: number): void => {
    for (let i = 0; i < bytes; ++i) state = BigInt.asUintN(64, (state ^ ((value >> BigInt(8 * i)) & 0xffn)) * 0x100000001b3n);
  };
  add(BigInt(KINDS.indexOf(kind)), 1);
  for (const pair of pairsOf(kind, positions)) for (const point of pair) for (const x of point) add(bitsOf(x), 8);
  return (state >> 32n).toString(16).padStart(8, '0');
}

// One line of a comment, whatever the name of the file holds.
function oneLine(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, ' ').replace(/\\/g, '/').slice(0, 160);
}

function checkIf(declared: string, expectation: string): string {
  return `    if (declared.${declared}) {\n        ${expectation};\n    }\n`;
}

function truthChecks(exact: QueryResult, decided: boolean): string {
  const progress = exact.toiLower > 0 ? checkIf('progress_when_separated', 'EXPECT_GT(result.toi_lower, 0.0)') : '';
  if (exact.verdict === 'separated') {
    return checkIf('no_false_positives', 'EXPECT_NE(result.verdict, Verdict::Contact)')
      + checkIf('proved_toi_upper', 'EXPECT_EQ(result.toi_upper, kInfinity)') + progress;
  }
  if (!decided) return '';
  return checkIf('no_false_negatives', 'EXPECT_NE(result.verdict, Verdict::Separated)')
    + checkIf('proved_toi_lower', 'EXPECT_LE(result.toi_lower, kFirstTimeUpper)')
    + checkIf('proved_toi_upper', 'EXPECT_GE(result.toi_upper, kFirstTimeLower)') + progress;
}

export function regressionSource(graze: Graze, kind: QueryKind, positions: Float64Array, options: QueryOptions, origin: string): string {
  const o = { ...DEFAULT_OPTIONS, ...options };
  const answer = graze.query(kind, positions, o);
  const exact = graze.query(kind, positions, { ...o, timeWidth: Number.MIN_VALUE });
  // With a separation a contact is one within a tolerance: not exact, and nothing to hold others to.
  const decided = exact.verdict === 'contact' && o.minSeparation === 0;
  const truth = exact.verdict === 'separated' ? 'separated'
    : decided ? `contact, first at t in [${toHex(exact.toiLower)}, ${toHex(exact.toiUpper)}]` : 'not decided without the oracle';
  const motion = pairsOf(kind, positions)
    .map((pair) => `    {${pair.map((point) => `{${point.map(toHex).join(', ')}}`).join(',\n     ')}},\n`).join('');
  const times = decided ? `
// Neighbouring doubles around the exact first time of contact, or equal where it is a double.
constexpr double kFirstTimeLower = ${toHex(exact.toiLower)};
constexpr double kFirstTimeUpper = ${toHex(exact.toiUpper)};
` : '';
  return `// A query seen in the viewer.
//
// ${LONG_NAMES[kind]} query, ${oneLine(origin)}.
// Exact truth: ${truth}.
// When this was written, \`certified\` said: ${answer.verdict},
// toi_lower ${toHex(answer.toiLower)}, toi_upper ${toHex(answer.toiUpper)}, tolerance ${toHex(answer.tolerance)}.
#include <gtest/gtest.h>

#include <string>

#include "graze/narrow/method.hpp"

namespace graze {
namespace {

// Corners in the order of the query files, each at the start and at the end of the step.
// clang-format off
constexpr ${TYPES[kind]} kMotion = motion_from_vertices<${TYPES[kind]}>({{
${motion}}});
// clang-format on

constexpr CcdOptions kOptions = {.min_separation = ${toHex(o.minSeparation)},
                                 .norm = Norm::${o.norm === 'max' ? 'Max' : 'Euclidean'},
                                 .distance_tolerance = ${toHex(o.distanceTolerance)},
                                 .time_width = ${toHex(o.timeWidth)},
                                 .t_max = ${toHex(o.tMax)},
                                 .max_checks = ${o.maxChecks}};
${times}
void expect_what_it_declares(const Method& method) {
    SCOPED_TRACE(std::string(method.name));
    const Guarantee declared = guarantee_for(method.guarantee, kOptions);
    const CcdResult result = run(method, kMotion, kOptions);
${truthChecks(exact, decided)}${checkIf('always_resolves', 'EXPECT_NE(result.verdict, Verdict::Unresolved)')}    EXPECT_TRUE(result.toi_lower >= 0.0 && result.toi_upper >= 0.0 && result.tolerance >= 0.0);
    if (result.verdict == Verdict::Separated) {
        EXPECT_EQ(result, separated(result.checks));
    }
}

TEST(Regression${regressionId(kind, positions)}, SeenInTheViewer) {
    const MethodRegistry registry = builtin_methods();
    for (const Method& method : registry.all()) {
        if (!supports(method, ${TYPES[kind]}::kKind) || !supports(method, kOptions)) continue;
        expect_what_it_declares(method);
    }
}

}  // namespace
}  // namespace graze
`;
}

// Doubles as text: shortest decimal, and hex floats as C++ writes them. Both give the same bits back.

const view = new DataView(new ArrayBuffer(8));

export function bitsOf(x: number): bigint {
  view.setFloat64(0, x);
  return view.getBigUint64(0);
}
export function fromBits(bits: bigint): number {
  view.setBigUint64(0, BigInt.asUintN(64, bits));
  return view.getFloat64(0);
}

/** "0x1.8p+1", as std::to_chars writes them behind "0x": no trailing zeros, subnormals with a leading 0. */
export function toHex(x: number): string {
  if (!Number.isFinite(x)) return toDecimal(x);
  const bits = bitsOf(x);
  const sign = bits >> 63n ? '-' : '';
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const digits = (bits & 0xfffffffffffffn).toString(16).padStart(13, '0').replace(/0+$/, '');
  if (exponent === 0 && digits === '') return `${sign}0x0p+0`;
  const power = exponent === 0 ? -1022 : exponent - 1023;
  return `${sign}0x${exponent === 0 ? 0 : 1}${digits === '' ? '' : `.${digits}`}p${power < 0 ? '' : '+'}${power}`;
}

export function toDecimal(x: number): string {
  if (Number.isNaN(x)) return 'nan';
  if (x === Infinity) return 'inf';
  if (x === -Infinity) return '-inf';
  return Object.is(x, -0) ? '-0' : String(x);
}

/** Decimal or hex; null where the text is no finite number. */
export function parseNumber(text: string): number | null {
  const trimmed = text.trim();
  const hex = /^([+-]?)0x([0-9a-f]+)(?:\.([0-9a-f]*))?(?:p([+-]?\d+))?$/i.exec(trimmed);
  if (hex) {
    const [, sign, whole, fraction = '', exponent = '0'] = hex;
    if ((whole + fraction).length > 14) return null;
    // At most 56 bits: exact only where they fit in 53, which what toHex() writes does.
    const significand = Number(BigInt(`0x${whole}${fraction}`));
    let power = Number(exponent) - 4 * fraction.length;
    let value = significand;
    // In steps, so that neither factor overflows; towards small numbers one rounding at the end.
    while (power > 1000) { value *= 2 ** 1000; power -= 1000; }
    while (power < -1000) { value *= 2 ** -500; power += 500; if (value === 0) break; }
    value *= 2 ** power;
    return Number.isFinite(value) ? (sign === '-' ? -value : value) : null;
  }
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

/** A few digits, for tables and labels. */
export function brief(x: number, digits = 4): string {
  if (!Number.isFinite(x)) return x > 0 ? '∞' : x < 0 ? '−∞' : 'nan';
  if (x === 0) return '0';
  const size = Math.abs(x);
  const text = size >= 1e6 || size < 1e-4 ? x.toExponential(Math.max(digits - 1, 1)) : String(Number(x.toPrecision(digits)));
  return text.replace('-', '−').replace('e−', 'e-');
}

/** The number of doubles between two. */
export function ulpsBetween(a: number, b: number): bigint {
  const order = (x: number): bigint => {
    const bits = bitsOf(x);
    return bits >> 63n ? -(bits & 0x7fffffffffffffffn) : bits;
  };
  const difference = order(a) - order(b);
  return difference < 0n ? -difference : difference;
}

export function nextUp(x: number): number {
  if (Number.isNaN(x) || x === Infinity) return x;
  if (x === 0) return Number.MIN_VALUE;
  return fromBits(bitsOf(x) + (x > 0 ? 1n : -1n));
}

// Numbers and names as texts, the same everywhere.

// Controls but tabs and line breaks, and marks that turn the direction of what follows.
// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** The text with marks that nobody sees, and that could turn a name round, as \xNN, as the command line shows them. */
export function visible(text: string): string {
  return text.replace(controls, (mark) =>
    Array.from(
      new TextEncoder().encode(mark),
      (byte) => `\\x${byte.toString(16).padStart(2, "0")}`,
    ).join(""),
  );
}

/** Three digits that count, and all before the point: a year or a count is not rounded to tens. "" if not known. */
export function short(value: number | null): string {
  if (value === null || Number.isNaN(value)) return "";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(1).replace("e+", "e");
  return String(size < 100 ? Number(value.toPrecision(3)) : Math.round(value));
}

/** All digits that count, up to ten; for round numbers, such as marks of an axis. */
export function exact(value: number): string {
  const rounded = Number(value.toPrecision(10));
  const size = Math.abs(rounded);
  const plain = String(rounded);
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return plain;
  const power = rounded.toExponential().replace("e+", "e");
  return power.length <= plain.length ? power : plain;
}

/** Writes numbers that belong together, such as times, with the digits that tell each from the next. */
export function tellApart(numbers: ArrayLike<number>): (value: number) => string {
  let least = Infinity;
  for (let i = 1; i < numbers.length; ++i) {
    const step = Math.abs(numbers[i]! - numbers[i - 1]!);
    if (step > 0 && step < least) least = step;
  }
  if (!Number.isFinite(least)) return exact;
  const digits = Math.min(100, Math.max(0, 1 - Math.floor(Math.log10(least) + 1e-9)));
  return (value) => exact(Number(value.toFixed(digits)));
}

export function percent(value: number | null): string {
  return value === null || Number.isNaN(value) ? "" : `${(100 * value).toFixed(1)}\u00a0%`;
}

/** A number stays on the line of its percent sign. */
export function heldTogether(text: string): string {
  return text.replace(/(\d) %/g, "$1\u00a0%");
}

/** Of an objective over that of the model, less one. It is told on the time points of the search, where another
 *  answer may be a little ahead. */
export function howFarBehind(behind: number | null): string {
  if (behind === null || Number.isNaN(behind)) return "";
  return ` (${short(100 * Math.abs(behind))}\u00a0% ${behind < 0 ? "ahead" : "behind"})`;
}

/** "Channel V1", and not "Channel channel7". */
export function channelTitle(name: string): string {
  return /^chan/i.test(name) ? name : `Channel ${name}`;
}

/** "1 trial", "2 trials". */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** A label with many digits after the point, with those that count; other labels as they are. */
export function shortNumber(label: string): string {
  return label.length > 8 && /^[-+]?[0-9]*\.[0-9]+(e[-+]?[0-9]+)?$/i.test(label)
    ? short(Number(label))
    : label;
}

// Numbers as texts, the same everywhere.

/** Three digits that count; "" if not known. */
export function short(value: number | null): string {
  if (value === null || Number.isNaN(value)) return "";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(1).replace("e+", "e");
  return String(Number(value.toPrecision(3)));
}

export function percent(value: number | null): string {
  return value === null || Number.isNaN(value) ? "" : `${(100 * value).toFixed(1)}\u00a0%`;
}

/** "1 trial", "2 trials". */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** A label that is a long number, with the digits that count; other labels as they are. */
export function shortNumber(label: string): string {
  return label.length > 8 && /^[-+]?[0-9.]+(e[-+]?[0-9]+)?$/i.test(label)
    ? short(Number(label))
    : label;
}

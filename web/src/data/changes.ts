// What changes in a component between two options, by the rule of `milcci show`.
import { cosine, largestAbsolute } from "./statistics";

export type ChangeKind = "gained" | "lost" | "changed";

export interface MemberChange {
  channel: number;
  kind: ChangeKind;
  before: number;
  after: number;
}

export interface VariantChange {
  from: number;
  to: number;
  /** Cosine of the two variants. */
  similarity: number;
  /** Largest difference first. */
  members: MemberChange[];
}

/** Of the largest membership that the component has under any option. */
const noticeable = 0.1;

/** `variants` are the component's memberships per option, each with one number per channel. */
export function changeBetween(
  variants: readonly Float64Array[],
  from: number,
  to: number,
): VariantChange {
  const threshold = noticeable * Math.max(...variants.map(largestAbsolute));
  const before = variants[from]!;
  const after = variants[to]!;
  const members: MemberChange[] = [];
  for (let channel = 0; channel < before.length; ++channel) {
    const a = before[channel]!;
    const b = after[channel]!;
    if (Math.abs(b - a) <= threshold) continue;
    const was = Math.abs(a) > threshold;
    const is = Math.abs(b) > threshold;
    const kind = was === is ? "changed" : is ? "gained" : "lost";
    members.push({ channel, kind, before: a, after: b });
  }
  members.sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before));
  return { from, to, similarity: cosine(before, after), members };
}

/**
 * The pair of options that differ most: neighbours where options are ordered or two, else the strongest
 * option against each other one. Null if there is one option.
 */
export function largestChange(
  variants: readonly Float64Array[],
  isOrdered: boolean,
  strongest: number,
): VariantChange | null {
  const isInOrder = isOrdered || variants.length === 2;
  let most: { from: number; to: number; similarity: number } | null = null;
  for (let to = 0; to < variants.length; ++to) {
    if (to === (isInOrder ? 0 : strongest)) continue;
    const from = isInOrder ? to - 1 : strongest;
    const similarity = cosine(variants[from]!, variants[to]!);
    if (!most || similarity < most.similarity) most = { from, to, similarity };
  }
  return most && changeBetween(variants, most.from, most.to);
}

// True components of simulated trials, and what was found of them.
import type { Match } from "./format";
import type { Report } from "./report";
import { unpack } from "./unpack";

export interface TrueComponent {
  /** Position among all true components. */
  position: number;
  name: string;
  options: readonly string[];
  /** Per option one number per channel, in the scale of the model. */
  variants: Float64Array[];
  match: Match | null;
}

export function trueComponents(report: Report): TrueComponent[] {
  const { truth } = report.data;
  if (!truth) return [];
  const components: TrueComponent[] = [];
  for (const { name, options, values: packed } of truth.memberships) {
    const { shape, values } = unpack(packed);
    const [nComponents = 0, nOptions = 0, nChannels = 0] = shape;
    for (let j = 0; j < nComponents; ++j) {
      const position = components.length;
      components.push({
        position,
        name: `${name} ${j + 1}`,
        options,
        variants: Array.from({ length: nOptions }, (_, i) => {
          const first = (j * nOptions + i) * nChannels;
          return values.subarray(first, first + nChannels);
        }),
        match: truth.matches.find((match) => match.truth === position) ?? null,
      });
    }
  }
  return components;
}

/** The true variant that belongs to an option of the model: of the same name, or the only one; null if the truth
 *  has other options, as with bins. */
export function trueVariant(
  { options, variants }: TrueComponent,
  option: string,
): Float64Array | null {
  return variants[variants.length === 1 ? 0 : options.indexOf(option)] ?? null;
}

/** The true trace in a trial, or null if the page has none. */
export function trueTrace(report: Report, position: number, trial: number): Float64Array | null {
  const packed = report.data.truth?.traces;
  if (!packed) return null;
  const { shape, values } = unpack(packed);
  const [, nTrials = 0, nPoints = 0] = shape;
  const first = (position * nTrials + trial) * nPoints;
  return values.subarray(first, first + nPoints);
}

// Histograms below each other on one axis, each as shares of its own numbers.
import type { Histogram } from "../data/statistics";
import { short } from "../ui/words";
import { cursorDrawing } from "./cursor_drawing";
import type { Drawing, Frame } from "./drawing";
import { axisBelow, label, linearScale, svg, svgFigure } from "./svg";

export interface HistogramsSpec {
  label: string;
  axis: string;
  /** All with the same bins. */
  parts: readonly { name: string; colour: string; histogram: Histogram }[];
}

const partHeight = 92;
const nameHeight = 22;
const margin = 8;

export function histograms(spec: HistogramsSpec, frame: Frame): Drawing {
  const { width } = frame;
  const edges = spec.parts[0]?.histogram.edges ?? [0, 1];
  const low = edges[0]!;
  const high = edges[edges.length - 1]!;
  const x = linearScale([low, high], [margin, width - margin]);
  const bottom = spec.parts.length * partHeight;
  const share = (part: number, bin: number) => {
    const { counts } = spec.parts[part]!.histogram;
    return (
      counts[bin]! /
      Math.max(
        1,
        counts.reduce((sum, n) => sum + n, 0),
      )
    );
  };

  const draw = () => {
    const picture = svgFigure(width, bottom + 44, spec.label);
    const axis = { scale: x, low, high, title: spec.axis };
    picture.append(axisBelow(axis, { y: bottom, top: 0, nTicks: width / 90 }));
    spec.parts.forEach(({ name, colour, histogram }, p) => {
      const base = (p + 1) * partHeight;
      const most = Math.max(...histogram.counts.map((_, b) => share(p, b)), 1e-9);
      const y = linearScale([0, most], [base, base - partHeight + nameHeight + 6]);
      picture.append(label(name, margin, base - partHeight + nameHeight / 2, { width }));
      histogram.counts.forEach((_, b) => {
        const [left, top] = [x(edges[b]!), y(share(p, b))];
        const size = { width: x(edges[b + 1]!) - left - 1, height: base - top };
        picture.append(svg("rect", { x: left, y: top, ...size, fill: colour }));
      });
      picture.append(
        svg("path", { d: `M${margin} ${base}H${width - margin}`, stroke: "var(--line)" }),
      );
    });
    return picture;
  };

  const nColumns = edges.length - 1;
  return cursorDrawing(spec.label, draw, frame, {
    nRows: spec.parts.length,
    nColumns,
    cellAt: (px, py) => {
      const part = Math.floor(py / partHeight);
      const bin = Math.floor(((px - margin) / (width - 2 * margin)) * nColumns);
      return part < spec.parts.length && bin >= 0 && bin < nColumns ? [part, bin] : null;
    },
    rectOf: (part, bin) => ({
      x: x(edges[bin]!),
      y: part * partHeight + nameHeight,
      width: x(edges[bin + 1]!) - x(edges[bin]!),
      height: partHeight - nameHeight,
    }),
    describe: (part, bin) => {
      const count = spec.parts[part]!.histogram.counts[bin]!;
      return `${spec.parts[part]!.name}\n${short(edges[bin]!)} to ${short(edges[bin + 1]!)}: ${count}`;
    },
  });
}

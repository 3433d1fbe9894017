// Noise: what the model describes of each channel against what it leaves, and how slow traces are.
import { numbers } from "../data/unpack";
import { bars } from "../draw/bars";
import { lines } from "../draw/lines";
import { categoryColours } from "../draw/theme";
import { h } from "../ui/dom";
import { figure } from "../ui/figure";
import { firstOf } from "../ui/more";
import { counted, short } from "../ui/words";
import type { Panel, PanelHost } from "./panel";

export const noise: Panel = {
  id: "noise",
  title: "Noise",
  about: "How much of each channel the model describes, and how much it takes for noise.",
  uses: ["component", "channel"],
  isAvailable: ({ data }) => data.noise !== null,
  render(host) {
    const channels = readChannels(host);
    host.body.append(
      h("div", { class: "side-by-side" }, ratioFigure(host, channels), levelFigure(host, channels)),
      host.report.components.some(({ time_constant }) => time_constant) ? slowness(host) : "",
    );
  },
};

/** Names in a sentence. */
const mostNamed = 5;

interface ChannelNoise {
  channel: number;
  level: number;
  signal: number;
  ratio: number;
}

/** Of all channels, the clearest first. What the model leaves is measured where there are trials. */
function readChannels({ report }: PanelHost): ChannelNoise[] {
  const data = report.data.noise!;
  const level = numbers(data.residual ?? data.level);
  const [signal, ratio] = [numbers(data.signal), numbers(data.ratio)];
  const known = (x: number | undefined) => (x !== undefined && Number.isFinite(x) ? x : -Infinity);
  return report.channelNames
    .map((_, n) => ({ channel: n, level: level[n]!, signal: signal[n]!, ratio: ratio[n]! }))
    .sort((a, b) => known(b.ratio) - known(a.ratio));
}

function whatIsLeft({ report }: PanelHost): string {
  return report.data.noise!.residual
    ? "what it leaves"
    : "the noise level by which the fit weighs channels (with a floor, so quiet channels may be quieter)";
}

function describeChannel({ report }: PanelHost, row: ChannelNoise): string {
  return (
    `${report.channelNames[row.channel]!}\nsignal ${short(row.signal)}, noise ${short(row.level)}\n` +
    `ratio of variances ${short(row.ratio)}`
  );
}

function toTable({ report }: PanelHost, channels: readonly ChannelNoise[]) {
  return {
    header: ["channel", "group", "signal", "noise", "ratio"],
    rows: channels.map(({ channel, signal, level, ratio }) => [
      report.channelNames[channel]!,
      report.groupOf(channel),
      signal,
      level,
      ratio,
    ]),
  };
}

/** Channels that have no place on a logarithmic axis, in words. */
function leftOut({ report }: PanelHost, channels: readonly ChannelNoise[]): string {
  const named = (rows: readonly ChannelNoise[]) => {
    const names = rows.slice(0, mostNamed).map(({ channel }) => report.channelNames[channel]!);
    return names.join(", ") + (rows.length > mostNamed ? ", …; the table has all of them" : "");
  };
  const zero = channels.filter(({ ratio }) => ratio <= 0);
  const unknown = channels.filter(({ ratio }) => Number.isNaN(ratio));
  const words: string[] = [];
  if (zero.length > 0) {
    const n = counted(zero.length, "channel");
    words.push(`Not drawn: ${n} of which the model describes nothing, ratio 0 (${named(zero)}).`);
  }
  if (unknown.length > 0) {
    words.push(`Not known: ${counted(unknown.length, "channel")} (${named(unknown)}).`);
  }
  return words.map((text) => ` ${text}`).join("");
}

/** Why the figure has no point of it. */
function whyNotDrawn({ ratio }: ChannelNoise): string {
  return ratio > 0 ? "" : ratio <= 0 ? "ratio 0" : "not known";
}

function ratioFigure(host: PanelHost, channels: readonly ChannelNoise[]): HTMLElement {
  const { report, state } = host;
  const rank = channels.findIndex(({ channel }) => channel === state.selection.channel);
  const selected = channels[rank];
  return figure(host, {
    name: "signal to noise",
    title: "Signal to noise, ranked",
    note: `Variance of what the model describes over ${whatIsLeft(host)}; above 1 signal prevails.${leftOut(host, channels)}`,
    draw: (frame) =>
      lines(
        {
          label: "Signal to noise of all channels",
          x: channels.map((_, i) => i + 1),
          xTitle: "rank of the channel",
          yTitle: "ratio of variances",
          lines: [
            {
              name: "ratio",
              values: channels.map(({ ratio }) => (ratio > 0 ? ratio : NaN)),
            },
          ],
          verticals: selected
            ? [{ x: rank + 1, name: report.channelNames[selected.channel]! }]
            : [],
          hasKey: false,
          isLog: true,
          describe: (i) => describeChannel(host, channels[i]!),
          choose: (i) => {
            state.select({ channel: channels[i]!.channel });
          },
        },
        frame,
      ),
    table: () => {
      const { header, rows } = toTable(host, channels);
      return {
        header: [...header, "not_drawn"],
        rows: rows.map((row, i) => [...row, whyNotDrawn(channels[i]!)]),
      };
    },
  });
}

function levelFigure(host: PanelHost, channels: readonly ChannelNoise[]): HTMLElement {
  const { report, state } = host;
  const { channel } = state.selection;
  const own = channels.filter((row) => row.channel === channel);
  const sorted = [...own, ...channels.filter((row) => row.channel !== channel)];
  const { shown, button } = firstOf(host, sorted, "channels");
  const element = figure(host, {
    name: "signal and noise",
    title: "Signal and noise",
    note:
      `Standard deviations in the unit of the data as fitted; noise is ${whatIsLeft(host)}. ` +
      "The largest ratio comes first, and before all the selected channel.",
    draw: (frame) =>
      bars(
        {
          label: "Signal and noise per channel",
          series: [
            { name: "signal", colour: categoryColours[0]! },
            { name: "noise", colour: categoryColours[1]! },
          ],
          rows: shown.map((row) => ({
            name: report.channelNames[row.channel]!,
            note: report.groupOf(row.channel),
            isSelected: row.channel === channel,
            bars: [{ value: row.signal }, { value: row.level }],
          })),
          axis: "standard deviation",
          describe: (r) => describeChannel(host, shown[r]!),
          choose: (r) => {
            state.select({ channel: shown[r]!.channel });
          },
        },
        frame,
      ),
    table: () => toTable(host, channels),
  });
  if (button) element.append(button);
  return element;
}

/** Components without a bar, and why. */
function withoutConstant({ report: { components } }: PanelHost): string {
  const names = components
    .filter(({ is_dead, time_constant }) => !is_dead && time_constant === null)
    .map(({ name }) => name);
  if (names.length === 0) return "";
  const named = names.slice(0, mostNamed).join(", ") + (names.length > mostNamed ? ", …" : "");
  return ` Not known (${named}): within a trial it does not fall so far.`;
}

function slowness(host: PanelHost): HTMLElement {
  const { report, state } = host;
  const { components } = report;
  const constant = (j: number) => components[j]!.time_constant ?? NaN;
  return figure(host, {
    name: "time constants",
    title: "Time constants of traces",
    note:
      "After how many time points the correlation of a trace with itself has fallen to 1/e: the larger, the slower " +
      `it changes.${withoutConstant(host)}`,
    draw: (frame) =>
      bars(
        {
          label: "Time constants of traces",
          series: [{ name: "time constant", colour: "var(--bar)" }],
          rows: components.map(({ name }, j) => ({
            name,
            isSelected: j === state.selection.component,
            bars: [{ value: constant(j) }],
          })),
          axis: "time points",
          describe: (j) => `${components[j]!.name}: ${short(constant(j)) || "not known"}`,
          choose: (component) => {
            state.select({ component });
          },
        },
        frame,
      ),
    table: () => ({
      header: ["component", "time_constant"],
      rows: components.map(({ name, time_constant }) => [name, time_constant]),
    }),
  });
}

// Data, fit and residual of one trial as heat maps of channels over time.
import { timeTitle } from "../data/events";
import type { Report } from "../data/report";
import { largestAbsolute } from "../data/statistics";
import { residualOf, rowsOf, type TrialData } from "../data/trial_data";
import { heatMap } from "../draw/heat_map";
import { select } from "../ui/controls";
import { h } from "../ui/dom";
import { figure } from "../ui/figure";
import { short, tellApart } from "../ui/words";
import type { PanelHost } from "./panel";

export interface ShownTrial {
  trial: number;
  data: TrialData;
  channels: readonly number[];
}

const orderKey = "order of channels";

type Order = "members" | "all" | "groups";

function orders({ report, state }: PanelHost): { order: Order; name: string }[] {
  const { component: j } = state.selection;
  const { name, is_dead } = report.component(j);
  return [
    ...(is_dead ? [] : [{ order: "members" as const, name: `members of ${name}` }]),
    { order: "all", name: is_dead ? "all" : "all, members first" },
    ...(report.data.channels.groups ? [{ order: "groups" as const, name: "all, by group" }] : []),
  ];
}

function chosenOrder(host: PanelHost): Order {
  const known = orders(host);
  const chosen = host.memory.get(orderKey);
  return (known.find(({ order }) => order === chosen) ?? known[0]!).order;
}

export function channelOrderPicker(host: PanelHost): HTMLElement {
  const known = orders(host);
  const chosen = chosenOrder(host);
  const picker = select({
    label: "Channels",
    names: known.map(({ name }) => name),
    value: known.findIndex(({ order }) => order === chosen),
    onChange: (i) => {
      host.memory.set(orderKey, known[i]!.order);
      host.redraw();
    },
  });
  return h("div", { class: "controls" }, picker);
}

/** Channels in the chosen order. */
export function channelOrder(host: PanelHost): number[] {
  const { report, state } = host;
  const order = chosenOrder(host);
  const all = Array.from(report.channelNames.keys());
  if (order === "groups") return byGroup(report, all);
  const members = report.members(state.selection.component);
  if (order === "members") return members;
  const isMember = new Set(members);
  return [...members, ...all.filter((n) => !isMember.has(n))];
}

/** Groups in the order of their first channel. */
function byGroup(report: Report, channels: readonly number[]): number[] {
  const names = [...new Set(channels.map((n) => report.groupOf(n)))];
  const place = new Map(names.map((name, g) => [name, g]));
  const placeOf = (n: number) => place.get(report.groupOf(n))!;
  return [...channels].sort((a, b) => placeOf(a) - placeOf(b));
}

export function mapFigures(host: PanelHost, shown: ShownTrial): HTMLElement[] {
  const { data, channels } = shown;
  const nTimes = data.times.length;
  const values = rowsOf(data.values, channels, nTimes);
  const fit = rowsOf(data.fit, channels, nTimes);
  const residual = rowsOf(residualOf(data), channels, nTimes);
  // One scale for all three, so that what is left can be compared with what there was.
  const isSigned = values.some((x) => x < 0) || fit.some((x) => x < 0);
  const most = Math.max(largestAbsolute(values), largestAbsolute(fit), 1e-300);
  const range: [number, number] = isSigned ? [-most, most] : [0, most];
  const kind = isSigned ? "signed" : "amounts";
  return [
    oneMap(host, shown, { title: "Data", values, kind, range }),
    oneMap(host, shown, { title: "Fit", values: fit, kind, range }),
    oneMap(host, shown, {
      title: "Residual",
      values: residual,
      kind: "signed",
      range: [-most, most],
    }),
  ];
}

interface OneMap {
  title: string;
  values: Float64Array;
  kind: "signed" | "amounts";
  range: [number, number];
}

function oneMap(host: PanelHost, { trial, data, channels }: ShownTrial, map: OneMap): HTMLElement {
  const { report, state } = host;
  const { title, values, kind, range } = map;
  const nTimes = data.times.length;
  const trialName = report.trialNames[trial]!;
  const selected =
    state.selection.channel === null ? -1 : channels.indexOf(state.selection.channel);
  return figure(host, {
    name: `trial ${trialName} ${title.toLowerCase()}`,
    title,
    draw: (frame) =>
      heatMap(
        {
          label: `${title} of trial ${trialName}`,
          rows: {
            title: "channel",
            names: channels.map((n) => report.channelNames[n]!),
            selected: selected < 0 ? [] : [selected],
          },
          columns: { title: timeTitle(report), numbers: data.times },
          values,
          kind,
          range,
          legend: title.toLowerCase(),
          maxHeight: 360,
          describe: (row, t) => {
            const n = channels[row]!;
            const name = [report.channelNames[n]!, report.groupOf(n)].filter(Boolean).join(", ");
            const value = short(values[row * nTimes + t]!) || "no value";
            return `${name}\n${timeTitle(report)} ${tellApart(data.times)(data.times[t]!)}\n${title}: ${value}`;
          },
          choose: (row) => {
            state.select({ channel: channels[row]! });
          },
        },
        frame,
      ),
    table: () => ({
      header: ["channel", "group", "time", title.toLowerCase()],
      rows: channels.flatMap((n, row) =>
        Array.from(data.times, (time, t) => [
          report.channelNames[n]!,
          report.groupOf(n),
          time,
          values[row * nTimes + t]!,
        ]),
      ),
    }),
  });
}

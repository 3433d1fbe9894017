// What a panel is. A panel is one file in this folder that exports one `Panel`; panels/index.ts lists them
// in the order of the page.
//
// The page builds a section with the panel's title and its sentence, and calls `render` when the section
// is first scrolled to. It calls it again, with an empty body, when something in `uses` has changed and the
// section is visible, or the theme has changed. So `render` builds everything anew from the report and the
// selection, and keeps nothing; what must outlive it (an open menu, a cursor, a choice of the panel's own)
// goes into `host.memory`. An element with a `data-key` that had the focus gets it back.
//
//     export const noise: Panel = {
//       id: "noise",
//       title: "Noise",
//       about: "How much of each channel the model describes, and how much it leaves as noise.",
//       uses: ["channel"],
//       isAvailable: (report) => report.data.noise !== null,
//       render(host) {
//         host.body.append(figure(host, { ... }));            // see ui/figure.ts
//       },
//     };
//
// To select something: `host.state.select({ channel: 3 })`. To tell a screen reader: `host.say(text)`.
// To redraw this panel alone, after a change of its own memory: `host.redraw()`.
import type { Report } from "../data/report";
import type { Theme } from "../draw/theme";
import type { SelectionKey, State } from "../state";

export interface PanelHost {
  readonly report: Report;
  readonly state: State;
  readonly theme: Theme;
  /** Empty when `render` is called. */
  readonly body: HTMLElement;
  /** Outlives a redraw. */
  readonly memory: Map<string, unknown>;
  /** Has the live region read a text. */
  say: (text: string) => void;
  redraw: () => void;
}

export interface Panel {
  /** Unique, fit for an HTML id. */
  readonly id: string;
  readonly title: string;
  /** One sentence that explains the panel to a newcomer, or says what it shows in this report. */
  readonly about: string | ((report: Report) => string);
  /** What of the selection it shows; nothing else redraws it. */
  readonly uses: readonly SelectionKey[];
  isAvailable: (report: Report) => boolean;
  render: (host: PanelHost) => void;
}

// A figure in a panel: title, drawing, the table behind it, downloads.
import type { Table } from "../data/csv";
import type { Drawing, Frame } from "../draw/drawing";
import type { PanelHost } from "../panels/panel";
import { h, withCode } from "./dom";
import { pixelsOf, saveCsv, savePng, saveSvg } from "./download";
import { tableView } from "./table_view";

export interface FigureSpec {
  /** Of downloaded files. */
  name: string;
  /** Unique in its panel and the same whatever is selected; by default the name. */
  key?: string;
  title: string;
  /** A sentence that says how to read it. */
  note?: string;
  draw: (frame: Frame) => Drawing;
  /** All numbers of the figure, at full precision. */
  table: () => Table;
}

/** Widths that journals ask for, in millimetres. */
const paperWidths = [85, 120, 180];

export function figure(host: PanelHost, spec: FigureSpec): HTMLElement {
  const tableKey = `table ${spec.key ?? spec.name}`;
  const isTable = host.memory.get(tableKey) === true;
  const stage = h("div", { class: "stage" });
  const toggle = h(
    "button",
    {
      type: "button",
      "aria-pressed": String(isTable),
      "data-key": tableKey,
      onclick: () => {
        host.memory.set(tableKey, !isTable);
        host.redraw();
      },
    },
    "Table",
  );
  const element = h(
    "figure",
    { class: "figure" },
    h(
      "figcaption",
      {},
      h("h3", {}, spec.title),
      h("div", { class: "tools" }, toggle, downloads(host, spec)),
      spec.note ? h("p", { class: "note" }, ...withCode(spec.note)) : null,
    ),
    stage,
  );
  if (isTable) stage.append(tableView(spec.table(), spec.title));
  else
    keepDrawn(stage, (size) =>
      spec.draw({ ...size, theme: host.theme, memory: host.memory, say: host.say }),
    );
  return element;
}

type Size = Pick<Frame, "width" | "mostHeight">;
type Draw = (paperWidth?: number) => void;

/** Figures that are on the page but not drawn yet. */
const waiting: Draw[] = [];

/** Draws new figures now; on paper the width is given, because the screen's does not hold there. */
export function drawWaiting(paperWidth?: number): void {
  for (const draw of waiting.splice(0)) draw(paperWidth);
}

/** Draws when asked to, and again when the width has changed. */
function keepDrawn(stage: HTMLElement, draw: (size: Size) => Drawing): void {
  let drawn = 0;
  let drawing: Drawing | null = null;
  const update = (size: Size = { width: Math.floor(stage.clientWidth) }) => {
    const { width } = size;
    if (width < 40 || width === drawn) return;
    const hadFocus = stage.contains(document.activeElement);
    drawing?.destroy?.();
    drawing = draw(size);
    drawn = width;
    stage.replaceChildren(drawing.node);
    if (hadFocus) stage.querySelector<HTMLElement>("[data-key]")?.focus();
  };
  const observer = new ResizeObserver(() => {
    if (stage.isConnected) {
      update();
      return;
    }
    observer.disconnect();
    drawing?.destroy?.();
  });
  observer.observe(stage);
  waiting.push((paperWidth) => {
    const isBesideOthers = stage.closest(".three") !== null;
    if (paperWidth === undefined) {
      update();
    } else {
      const width = isBesideOthers ? Math.floor(paperWidth / 2) - 16 : paperWidth;
      update({ width, mostHeight: paperWidth });
    }
  });
}

function downloads(host: PanelHost, spec: FigureSpec): HTMLElement {
  const forPaper = (mm: number) => {
    const frame = { width: pixelsOf(mm), memory: new Map<string, unknown>(), say: () => undefined };
    return spec.draw({ ...frame, theme: "light" }).toSvg();
  };
  const item = (text: string, save: () => void) =>
    h(
      "button",
      {
        type: "button",
        onclick: () => {
          menu.open = false;
          save();
        },
      },
      text,
    );
  const menu = h(
    "details",
    { class: "menu" },
    h("summary", { "data-key": `downloads ${spec.key ?? spec.name}` }, "Download"),
    h(
      "div",
      {},
      item("CSV, all numbers", () => {
        saveCsv(spec.name, spec.table());
      }),
      ...paperWidths.flatMap((mm) => [
        item(`SVG, ${mm} mm wide`, () => {
          saveSvg(spec.name, forPaper(mm));
        }),
        item(`PNG, ${mm} mm wide`, () => {
          savePng(spec.name, forPaper(mm)).catch((error: unknown) => {
            host.say(`The figure could not be saved: ${String(error)}`);
          });
        }),
      ]),
    ),
  );
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape") menu.open = false;
  });
  menu.addEventListener("focusout", (event) => {
    if (!menu.contains(event.relatedTarget as Node | null)) menu.open = false;
  });
  return menu;
}

// Panels of parts that reports do not have yet: they appear when their part is there.
import type { Report } from "../data/report";
import { h } from "../ui/dom";
import type { Panel } from "./panel";

function door(id: "validation" | "selection", title: string, about: string): Panel {
  return {
    id,
    title,
    about,
    uses: [],
    isAvailable: ({ data }: Report) => data[id] !== null,
    render: ({ body, report }) => {
      const text = JSON.stringify(report.data[id], null, 2);
      body.append(h("pre", { class: "scroll", tabindex: 0, "aria-label": title }, text));
    },
  };
}

export const validation = door(
  "validation",
  "Validation",
  "How well trials kept apart are described.",
);
export const selection = door(
  "selection",
  "Selection",
  "How the numbers of components were chosen.",
);

// The section of a panel: drawn when it is scrolled to, and again when what it shows has changed and it is
// visible.
import type { Panel, PanelHost } from "../panels/panel";
import type { Theme } from "../draw/theme";
import type { SelectionKey, State } from "../state";
import { h, withCode } from "./dom";
import { drawWaiting } from "./figure";

export class Section {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
  readonly #body = h("div", { class: "panel-body" });
  readonly #memory = new Map<string, unknown>();
  #isVisible = false;
  #isOld = true;

  constructor(
    readonly panel: Panel,
    readonly state: State,
    readonly theme: () => Theme,
    readonly say: (text: string) => void,
  ) {
    const id = `heading-${panel.id}`;
    const about =
      typeof panel.about === "string"
        ? h("p", { class: "about" }, ...withCode(panel.about))
        : h("p", { class: "about verdict" }, panel.about(state.report));
    this.heading = h("h2", { id, tabindex: -1 }, panel.title);
    this.element = h(
      "section",
      { id: panel.id, class: "panel", "aria-labelledby": id },
      this.heading,
      about,
      this.#body,
    );
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#update();
  }

  /** Tells it what has changed; without an argument everything has. */
  change(keys?: ReadonlySet<SelectionKey>): void {
    if (keys && !this.panel.uses.some((key) => keys.has(key))) return;
    this.#isOld = true;
    this.#update();
  }

  /** Draws even if nobody has scrolled to it; on paper with the width that figures have there. */
  draw(paperWidth?: number): void {
    this.#isOld = false;
    const focused = document.activeElement;
    const key = this.#body.contains(focused) ? focused?.getAttribute("data-key") : null;
    // Held at its height, so that the page does not jump while it is empty.
    this.#body.style.minHeight = `${this.#body.clientHeight}px`;
    this.#body.replaceChildren();
    try {
      this.panel.render(this.#host());
      drawWaiting(paperWidth);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const text = `This panel could not be drawn: ${reason}`;
      this.#body.replaceChildren(h("p", { class: "news" }, text));
      console.error(error);
    }
    this.#body.style.minHeight = "";
    if (key) this.#body.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  }

  #update(): void {
    if (this.#isVisible && this.#isOld) this.draw();
  }

  #host(): PanelHost {
    return {
      report: this.state.report,
      state: this.state,
      theme: this.theme(),
      body: this.#body,
      memory: this.#memory,
      say: this.say,
      redraw: () => {
        this.change();
      },
    };
  }
}

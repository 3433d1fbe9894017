// The page: a bar with what is selected, a list of panels, the panels.
import type { ComponentData } from "../data/format";
import type { Theme } from "../draw/theme";
import { panels } from "../panels";
import { keepInHash, type State } from "../state";
import { search, select } from "./controls";
import { h } from "./dom";
import { Section } from "./section";
import { visible } from "./words";

/** Of figures on A4 and Letter with usual margins, in pixels. */
const paperWidth = 660;

export function buildPage(state: State): void {
  const { report } = state;
  const live = h("div", { class: "unseen", role: "status", "aria-live": "polite" });
  const say = (text: string) => (live.textContent = visible(text));
  let theme: Theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";

  const sections = panels
    .filter((panel) => panel.isAvailable(report))
    .map((panel) => new Section(panel, state, () => theme, say));
  const setTheme = (next: Theme) => {
    theme = next;
    document.documentElement.dataset.theme = next;
    for (const section of sections) section.change();
  };
  setTheme(theme);

  const picker = h("div", { class: "picker" });
  const refreshPicker = () => {
    const focused = document.activeElement?.getAttribute("data-key");
    picker.replaceChildren(...pickers(state, say));
    if (focused) picker.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  };
  refreshPicker();
  const themeSwitch = h("button", {
    type: "button",
    class: "theme",
    "aria-label": "Switch between light and dark",
    onclick: () => {
      setTheme(theme === "light" ? "dark" : "light");
    },
  });

  const focusMain = () => {
    main.focus();
  };
  document.body.append(
    h("a", { class: "skip", href: "#main", onclick: focusMain }, "Skip to the report"),
    h(
      "header",
      { class: "bar" },
      h("h1", {}, h("bdi", {}, report.data.title)),
      picker,
      themeSwitch,
    ),
  );
  const main = h("main", { id: "main", tabindex: -1 }, ...sections.map(({ element }) => element));
  document.body.append(
    h("div", { class: "columns" }, navigation(sections), main),
    h("footer", {}, `Made by milcci ${report.data.software}. This page needs no network.`),
    live,
  );

  watch(sections);
  keepInHash(state);
  state.subscribe((changed) => {
    refreshPicker();
    for (const section of sections) section.change(changed);
  });
  let before: Theme = theme;
  addEventListener("beforeprint", () => {
    before = theme;
    setTheme("light");
    for (const section of sections) section.draw(paperWidth);
    for (const details of main.querySelectorAll("details.folded")) details.setAttribute("open", "");
  });
  addEventListener("afterprint", () => {
    setTheme(before);
  });
}

function pickers(state: State, say: (text: string) => void): HTMLElement[] {
  const { report, selection } = state;
  return [
    select({
      label: "Component",
      names: report.components.map(pickerName),
      value: selection.component,
      onChange: (component) => {
        state.select({ component });
      },
    }),
    search({
      label: "Channel",
      names: report.channelNames,
      value: selection.channel,
      onChange: (channel) => {
        state.select({ channel });
      },
      say,
    }),
  ];
}

/** Links that scroll by script: inside a notebook, a hash would lead away from the page. */
function navigation(sections: readonly Section[]): HTMLElement {
  const items = sections.map(({ panel, element, heading }) => {
    const link = h("a", { href: `#${panel.id}` }, panel.title);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      element.scrollIntoView();
      heading.focus({ preventScroll: true });
    });
    return h("li", {}, link);
  });
  return h("nav", { "aria-label": "Panels" }, h("ul", {}, ...items));
}

function watch(sections: readonly Section[]): void {
  const of = new Map<Element, Section>(sections.map((section) => [section.element, section]));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) of.get(target)?.setVisible(isIntersecting);
    },
    { rootMargin: "300px" },
  );
  for (const { element } of sections) observer.observe(element);
}

/** With its certainty, unless it is firm. */
function pickerName({ name, is_dead, certainty }: ComponentData): string {
  if (is_dead) return `${name} (dead)`;
  return certainty && certainty !== "firm" ? `${name} (${certainty})` : name;
}

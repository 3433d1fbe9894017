// The panels in the order of the page.
import { components } from "./components";
import { summary } from "./summary";
import type { Panel } from "./panel";

export const panels: readonly Panel[] = [summary, components];

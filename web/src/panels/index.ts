// The panels in the order of the page.
import { components } from "./components";
import type { Panel } from "./panel";
import { traces } from "./traces";

export const panels: readonly Panel[] = [components, traces];

// The panels in the order of the page.
import { components } from "./components";
import type { Panel } from "./panel";
import { traces } from "./traces";
import { trials } from "./trials";

export const panels: readonly Panel[] = [components, traces, trials];

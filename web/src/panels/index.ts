// The panels in the order of the page.
import { components } from "./components";
import type { Panel } from "./panel";

export const panels: readonly Panel[] = [components];

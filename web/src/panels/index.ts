// The panels in the order of the page.
import { comparison } from "./comparison";
import { components } from "./components";
import { selection, validation } from "./doors";
import { dynamics } from "./dynamics";
import { fit } from "./fit";
import { groups } from "./groups";
import { labels } from "./labels";
import { noise } from "./noise";
import type { Panel } from "./panel";
import { summary } from "./summary";
import { traces } from "./traces";
import { trials } from "./trials";
import { truth } from "./truth";

export const panels: readonly Panel[] = [
  summary,
  components,
  traces,
  trials,
  dynamics,
  groups,
  labels,
  noise,
  fit,
  truth,
  comparison,
  validation,
  selection,
];

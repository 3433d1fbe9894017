// Colour maps as tables of 256 colours. All can be told apart by colour-blind readers; sequential ones also
// in greyscale.
import { colour, type Theme } from "./theme";

export interface ColourMap {
  /** 256 pixels as in ImageData: alpha, blue, green, red from the highest byte (little-endian). */
  pixels: Uint32Array;
  missing: number;
  css: (fraction: number) => string;
}

type Rgb = readonly [number, number, number];

// Every 32nd colour of viridis (Nathaniel Smith and Stefan van der Walt, CC0).
const viridisAnchors = [
  "#440154",
  "#472d7b",
  "#3b528b",
  "#2c728e",
  "#21918c",
  "#28ae80",
  "#5ec962",
  "#addc30",
  "#fde725",
];

const kept = new Map<string, ColourMap>();

/** From dark to light; for values whose zero is nothing special. */
export function viridis(theme: Theme): ColourMap {
  return keep(`viridis ${theme}`, viridisAnchors, theme);
}

/** From the colour of the paper, which is zero, to a strong blue; for values that are mostly zero. */
export function amounts(theme: Theme): ColourMap {
  const anchors =
    theme === "light"
      ? ["#ffffff", "#cfe1f2", "#93c0e4", "#4c8ac2", "#1f5a99", "#0a2f5c"]
      : ["#1d2128", "#1d3d5c", "#27649a", "#4791d0", "#8cc0ee", "#e6f2fd"];
  return keep(`amounts ${theme}`, anchors, theme);
}

/** Blue below zero, orange above it, paper in the middle; for signed values. */
export function signed(theme: Theme): ColourMap {
  const anchors =
    theme === "light"
      ? ["#08306b", "#2f6fae", "#9cc3e3", "#ffffff", "#f8bd86", "#d96a14", "#6e2a04"]
      : ["#cfe5fb", "#64a8e6", "#24537f", "#1d2128", "#7c4417", "#e58a3c", "#ffe1c4"];
  return keep(`signed ${theme}`, anchors, theme);
}

/** Colours of `n` ordered lines that can be seen on the paper. */
export function ramp(n: number, theme: Theme): string[] {
  const anchors = viridisAnchors.map(parse);
  const [first, last] = theme === "light" ? [0, 0.75] : [0.35, 1];
  return Array.from({ length: n }, (_, i) =>
    toHex(between(anchors, first + ((last - first) * i) / Math.max(1, n - 1))),
  );
}

function toHex(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

function keep(name: string, anchors: readonly string[], theme: Theme): ColourMap {
  let map = kept.get(name);
  if (!map) {
    map = makeMap(anchors.map(parse), colour(theme, "--line"));
    kept.set(name, map);
  }
  return map;
}

function makeMap(anchors: readonly Rgb[], missing: string): ColourMap {
  const table = Array.from({ length: 256 }, (_, i) => between(anchors, i / 255));
  return {
    pixels: Uint32Array.from(table, toPixel),
    missing: toPixel(parse(missing)),
    css: (fraction) => {
      const i = Math.round(255 * Math.min(1, Math.max(0, fraction)));
      return `rgb(${table[i]!.map(Math.round).join(",")})`;
    },
  };
}

function between(anchors: readonly Rgb[], fraction: number): Rgb {
  const position = fraction * (anchors.length - 1);
  const i = Math.min(anchors.length - 2, Math.floor(position));
  const low = anchors[i]!;
  const high = anchors[i + 1]!;
  const mix = (c: 0 | 1 | 2) => low[c] + (position - i) * (high[c] - low[c]);
  return [mix(0), mix(1), mix(2)];
}

function parse(hex: string): Rgb {
  const part = (i: number) => parseInt(hex.slice(i, i + 2), 16);
  return [part(1), part(3), part(5)];
}

function toPixel([red, green, blue]: Rgb): number {
  return (
    ((255 << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0
  );
}

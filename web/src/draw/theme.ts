// Colours of the page, light and dark. The style sheet reads them as custom properties, and so do SVG
// figures; a figure for paper gets the light values in their place.

export type Theme = "light" | "dark";

const light = {
  "--paper": "#ffffff",
  "--raised": "#f6f7f9",
  "--ink": "#1b1f26",
  "--quiet": "#596273",
  "--line": "#d5dae2",
  "--accent": "#0b5cad",
  "--accent-soft": "#e3eefa",
  "--good": "#00694b",
  "--doubt": "#8a5a00",
  "--bad": "#a8320a",
  "--bad-soft": "#fdece6",
  "--bar": "#4c8ac2",
  "--gained": "#007a58",
  "--lost": "#c04a00",
};

const dark: typeof light = {
  "--paper": "#14171c",
  "--raised": "#1d2128",
  "--ink": "#e8ebf0",
  "--quiet": "#a3adbc",
  "--line": "#363d49",
  "--accent": "#7db8f0",
  "--accent-soft": "#1e3247",
  "--good": "#4fd0a5",
  "--doubt": "#e5b04b",
  "--bad": "#ff9a76",
  "--bad-soft": "#3d2218",
  "--bar": "#5b9bd5",
  "--gained": "#3fc79a",
  "--lost": "#f08a4b",
};

export type ColourName = keyof typeof light;

const values = { light, dark };

/** The style sheet of both: dark where the reader's system is, unless a switch says otherwise. */
export function themeStyle(): string {
  const declare = (theme: Theme) =>
    Object.entries(values[theme])
      .map(([name, value]) => `${name}:${value};`)
      .join("");
  return `
    :root { color-scheme: light; ${declare("light")} }
    :root[data-theme="dark"] { color-scheme: dark; ${declare("dark")} }`;
}

export function colour(theme: Theme, name: ColourName): string {
  return values[theme][name];
}

/** The text with custom properties replaced by the values of the light theme. */
export function resolveColours(text: string): string {
  return text.replace(/var\((--[a-z-]+)\)/g, (whole, name: string) =>
    name in light ? light[name as ColourName] : whole,
  );
}

/** Okabe and Ito's colours, which differ for colour-blind readers, too; without black and yellow. */
export const categoryColours: readonly string[] = [
  "#0072b2",
  "#d55e00",
  "#009e73",
  "#cc79a7",
  "#e69f00",
  "#56b4e9",
];

export const dashes: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

/** Colour and dashes of the i-th of several lines or groups: neighbours differ in both, for prints in grey. */
export function seriesStyle(i: number): { colour: string; dash: readonly number[] } {
  const n = categoryColours.length;
  const turn = i + Math.floor(i / n);
  return { colour: categoryColours[i % n]!, dash: dashes[turn % dashes.length]! };
}

// Figures and tables as files: SVG, PNG at 300 dots per inch, CSV.
import { toCsv, type Table } from "../data/csv";
import { resolveColours } from "../draw/theme";

const pixelsPerMm = 96 / 25.4;
const dotsPerInch = 300;

/** Width of a figure's frame that is `mm` wide on paper. */
export function pixelsOf(mm: number): number {
  return Math.round(mm * pixelsPerMm);
}

export function saveCsv(name: string, table: Table): void {
  save(`${name}.csv`, new Blob([toCsv(table)], { type: "text/csv;charset=utf-8" }));
}

export function saveSvg(name: string, picture: SVGSVGElement): void {
  save(`${name}.svg`, new Blob([svgText(picture)], { type: "image/svg+xml" }));
}

export async function savePng(name: string, picture: SVGSVGElement): Promise<void> {
  const scale = dotsPerInch / 96;
  const { width, height } = sizeOf(picture);
  const url = URL.createObjectURL(new Blob([svgText(picture)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const context = canvas.getContext("2d");
    if (!context) throw new Error("this browser gave no canvas to draw on");
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, "image/png");
    });
    if (!blob) throw new Error("the figure is too large for this browser");
    save(`${name}.png`, blob);
  } finally {
    URL.revokeObjectURL(url);
  }
}

function sizeOf(picture: SVGSVGElement): { width: number; height: number } {
  return {
    width: Number(picture.getAttribute("width")),
    height: Number(picture.getAttribute("height")),
  };
}

/** A file of its own: with its size in millimetres, and colours instead of custom properties. */
export function svgText(picture: SVGSVGElement): string {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  const { width, height } = sizeOf(copy);
  copy.setAttribute("width", `${(width / pixelsPerMm).toFixed(2)}mm`);
  copy.setAttribute("height", `${(height / pixelsPerMm).toFixed(2)}mm`);
  const text = resolveColours(new XMLSerializer().serializeToString(copy));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
}

function save(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name.replace(/[\\/:*?"<>|\s]+/g, "-");
  link.click();
  // Some browsers read the address only after the click.
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  }, 10_000);
}

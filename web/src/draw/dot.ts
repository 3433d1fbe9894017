// Dots of several shapes, which differ in prints in grey, too.
import { svg } from "./svg";

export type DotShape = "circle" | "square" | "diamond";

export function dot(shape: DotShape, x: number, y: number, radius: number, fill: string) {
  if (shape === "circle") return svg("circle", { cx: x, cy: y, r: radius, fill });
  if (shape === "square") {
    const side = 1.8 * radius;
    return svg("rect", { x: x - side / 2, y: y - side / 2, width: side, height: side, fill });
  }
  const r = 1.35 * radius;
  return svg("path", { d: `M${x - r} ${y}L${x} ${y - r}L${x + r} ${y}L${x} ${y + r}Z`, fill });
}

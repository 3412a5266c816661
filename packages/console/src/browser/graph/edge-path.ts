import type { Point } from "./layout-graph.ts";

/** Returns a smooth line through points for the `d` of a path. It leaves and arrives vertically. */
export function edgePath(points: readonly Point[]): string {
  const [first, ...others] = points;
  if (!first) return "";
  let at = first;
  const curves = others.map((point) => {
    const half = round((at.y + point.y) / 2);
    const curve = `C${round(at.x)} ${half} ${round(point.x)} ${half} ${round(point.x)} ${round(point.y)}`;
    at = point;
    return curve;
  });
  return [`M${round(first.x)} ${round(first.y)}`, ...curves].join("");
}

const round = (value: number): string => String(Math.round(value * 10) / 10);

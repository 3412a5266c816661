import { expect, test } from "vitest";
import { drawLineChart } from "./line-chart.ts";

test("a chart places its points on its axes", () => {
  const svg = drawLineChart({
    title: "Growth",
    x: { label: "x", logarithmic: true },
    y: { label: "y" },
    series: [
      {
        name: "a < b",
        points: [
          [1_000, 0],
          [10_000, 40],
          [100_000, 80],
        ],
      },
      { name: "empty", points: [] },
    ],
    drawnBy: "a test",
  });
  // From the left below to the right above, the second point in the middle.
  expect(svg).toContain('d="M84 340 L302 196 L520 52"');
  expect(svg).toContain("a &lt; b: 1,000 → 0, 10,000 → 40, 100,000 → 80.");
  expect(svg).not.toMatch(/empty|NaN/);
  // A comment of XML ends at two hyphens.
  expect(svg.match(/--/g)).toHaveLength(2);
  const ticks = [...svg.matchAll(/class="tick"[^>]*>([\d,.]+)</g)].map(([, tick]) => tick);
  expect(ticks).toEqual(["1,000", "10,000", "100,000", "0", "20", "40", "60", "80"]);
});

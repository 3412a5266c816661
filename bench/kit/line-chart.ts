/** A line of a chart. */
export interface Series {
  readonly name: string;
  /** In the order of x. */
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly dashed?: boolean;
  /** Series of one color belong together; the color of its place when absent. */
  readonly color?: number;
}

export interface Axis {
  readonly label: string;
  /** A step along the axis multiplies by ten. All values must be above 0. */
  readonly logarithmic?: boolean;
}

export interface LineChart {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  /** The command that draws it, without its options: a comment of XML may not contain two hyphens. */
  readonly drawnBy: string;
}

const size = { width: 800, height: 400 };
const plot = { left: 84, top: 52, right: 520, bottom: 340 };
const colors = ["#0550ae", "#bc4c00", "#116329", "#8250df", "#57606a", "#a40e26"];
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Draws a chart as SVG. Series without points are left out. */
export function drawLineChart({ title, x, y, series, drawnBy }: LineChart): string {
  const drawn = series.filter(({ points }) => points.length > 0);
  const all = drawn.flatMap(({ points }) => points);
  const [across, up] = [
    scale(
      x,
      all.map(([value]) => value),
      [plot.left, plot.right],
    ),
    scale(
      y,
      all.map(([, value]) => value),
      [plot.bottom, plot.top],
    ),
  ];
  const lines = drawn.map(({ name, points, dashed = false, color }, index) => {
    const stroke = colors[(color ?? index) % colors.length] ?? "";
    const path = points.map(([px, py]) => `${round(across.place(px))} ${round(up.place(py))}`).join(" L");
    const dots = points.length > 10 ? [] : points;
    const key = plot.top + 14 + index * 24;
    return `<g stroke="${stroke}" fill="${stroke}"><path class="line${dashed ? " dashed" : ""}" d="M${path}"/>${dots
      .map(([px, py]) => `<circle cx="${round(across.place(px))}" cy="${round(up.place(py))}" r="3.2"/>`)
      .join("")}<path class="line${dashed ? " dashed" : ""}" d="M540 ${key} h28"/></g>
<text class="key" x="576" y="${key + 4}">${escaped(name)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" role="img" aria-labelledby="t d">
<!-- Drawn by ${drawnBy}. -->
<title id="t">${escaped(title)}</title>
<desc id="d">${escaped(drawn.map(({ name, points }) => `${name}: ${points.map(([px, py]) => `${shown(px)} → ${shown(py)}`).join(", ")}.`).join(" "))}</desc>
<style>
.bg{fill:#fff}.title{font-size:15px;font-weight:650;fill:#1f2328}.tick,.key{font-size:12.5px;fill:#1f2328}.label{font-size:13px;fill:#57606a}
.grid{stroke:#d0d7de;stroke-width:1}.line{fill:none;stroke-width:2}.dashed{stroke-dasharray:6 4}
</style>
<rect class="bg" width="${size.width}" height="${size.height}"/>
<text class="title" x="${plot.left}" y="28">${escaped(title)}</text>
${across.ticks.map((tick) => `<path class="grid" d="M${round(across.place(tick))} ${plot.top} V${plot.bottom}"/><text class="tick" x="${round(across.place(tick))}" y="${plot.bottom + 18}" text-anchor="middle">${shown(tick)}</text>`).join("\n")}
${up.ticks.map((tick) => `<path class="grid" d="M${plot.left} ${round(up.place(tick))} H${plot.right}"/><text class="tick" x="${plot.left - 8}" y="${round(up.place(tick) + 4)}" text-anchor="end">${shown(tick)}</text>`).join("\n")}
<text class="label" x="${(plot.left + plot.right) / 2}" y="${plot.bottom + 42}" text-anchor="middle">${escaped(x.label)}</text>
<text class="label" transform="translate(22 ${(plot.top + plot.bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(y.label)}</text>
${lines.join("\n")}
</svg>
`;
}

interface Scale {
  readonly ticks: readonly number[];
  readonly place: (value: number) => number;
}

function scale({ logarithmic = false }: Axis, values: readonly number[], [from, to]: readonly [number, number]): Scale {
  const ticks = logarithmic ? powersOfTen(values) : evenSteps(Math.max(0, ...values));
  const measure = (value: number): number => (logarithmic ? Math.log10(value) : value);
  const [first, last] = [measure(ticks[0] ?? 0), measure(ticks.at(-1) ?? 1)];
  return { ticks, place: (value) => from + ((measure(value) - first) / (last - first)) * (to - from) };
}

function powersOfTen(values: readonly number[]): number[] {
  const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  return Array.from({ length: Math.max(high - low, 1) + 1 }, (_, index) => 10 ** (low + index));
}

/** About five steps of 1, 2 or 5 times a power of ten, from 0 to the first that is not below `most`. */
function evenSteps(most: number): number[] {
  const rough = (most || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  return Array.from({ length: Math.ceil((most || 1) / step) + 1 }, (_, index) => index * step);
}

const round = (value: number): number => Math.round(value * 10) / 10;
const shown = (value: number): string =>
  value.toLocaleString("en-US", value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });

/** One metric of a Prometheus text exposition. */
export interface ExposedMetric {
  name: string;
  help: string;
  type: string;
  /** Each time series by its name and labels, with its value. */
  samples: { name: string; labels: Record<string, string>; value: number }[];
}

const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

/** Reads the text format strictly: throws for a line that it does not know. https://prometheus.io/docs/instrumenting/exposition_formats/ */
export function readExposition(text: string): ExposedMetric[] {
  const metrics: ExposedMetric[] = [];
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, word, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    const latest = metrics.at(-1);
    if (word === "HELP") metrics.push({ name, help: rest, type: "", samples: [] });
    else if (word === "TYPE" && latest?.name === name && latest.type === "") latest.type = rest;
    else if (latest !== undefined && sampleOf(line).name.startsWith(latest.name)) latest.samples.push(sampleOf(line));
    else throw new Error(`not in its place, or not known: ${line}`);
  }
  return metrics;
}

function sampleOf(line: string): ExposedMetric["samples"][0] {
  const [, name, labels = "", value] = sampleLine.exec(line) ?? [];
  if (name === undefined) throw new Error(`no sample: ${line}`);
  const pairs = [...labels.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)].map(
    ([, key, text]) => [key, text] as const,
  );
  return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
}

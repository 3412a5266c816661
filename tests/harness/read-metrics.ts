import { createZoneEmit, measureQueues } from "@crosszone/execution";
import { createLogger, createMetrics } from "@crosszone/service-kit";
import { executionEvents } from "@crosszone/telemetry";
import { parser } from "@prometheus-io/lezer-promql";

/** One metric of a Prometheus text exposition. */
export interface ExposedMetric {
  name: string;
  help: string;
  type: string;
  /** Each time series by its name and labels, with its value. */
  samples: { name: string; labels: Record<string, string>; value: number }[];
}

const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

/** Parses the text format strictly. Throws for an unknown line. https://prometheus.io/docs/instrumenting/exposition_formats/ */
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

type Node = ReturnType<typeof parser.parse>["topNode"];

/**
 * Parses PromQL with Prometheus's grammar, and returns the metrics that it selects. Throws for an incomplete expression.
 * https://prometheus.io/docs/prometheus/latest/querying/basics/
 */
export function readPromql(expression: string) {
  const { topNode } = parser.parse(expression);
  const textOf = ({ from, to }: Node): string => expression.slice(from, to);
  const labelsAround = (node: Node): string[] => {
    const groupings = [];
    for (let at = node.parent; at !== null; at = at.parent)
      if (at.name === "AggregateExpr") groupings.push(...below(at.getChild("AggregateModifier"), "LabelName"));
    return groupings.map(textOf);
  };
  for (const node of below(topNode, "⚠")) throw new Error(`no PromQL at ${node.from}: ${expression}`);
  return below(topNode, "VectorSelector").map((node) => {
    const matchers = below(node, "UnquotedLabelMatcher").map((matcher) => ({
      label: below(matcher, "LabelName").map(textOf).join(""),
      isEqual: below(matcher, "EqlSingle").length > 0,
      value: JSON.parse(below(matcher, "StringLiteral").map(textOf).join("")) as string,
    }));
    return {
      name: below(node, "Identifier").map(textOf).join(""),
      /** Whether it is selected over a range, as counters are. */
      isRange: node.parent?.name === "MatrixSelector",
      /** Labels that are matched, or kept by an aggregation around it. */
      labels: [...matchers.map(({ label }) => label), ...labelsAround(node)],
      /** Label values that are matched with `=`. */
      equal: Object.fromEntries(matchers.filter(({ isEqual }) => isEqual).map(({ label, value }) => [label, value])),
    };
  });
}

/** Returns all nodes of a kind in a tree, in order. */
function below(root: Node | null, name: string): Node[] {
  const found: Node[] = [];
  root?.cursor().iterate((node) => {
    if (node.name === name) found.push(node.node);
  });
  return found;
}

/** Returns Kafka's metrics of a zone, after a message of each outcome. */
export async function showKafkaMetrics(): Promise<ExposedMetric[]> {
  const metrics = createMetrics();
  const logger = createLogger({ zone: "execution", level: "silent", events: executionEvents });
  const emit = createZoneEmit({ logger, metrics });
  const at = { channel: "agent_tasks", group: "agent-bridge", attempt: 1 } as const;
  const because = "a test";
  emit("bus_message_handled", { ...at, duration_ms: 1 });
  emit("bus_message_failed", { ...at, again_in_ms: 1, cause: because });
  emit("bus_message_dead", { ...at, because });
  emit("bus_message_refused", { channel: at.channel, because });
  measureQueues(metrics, async () => [{ ...at, waiting: 1, oldestMs: 1 }]);
  return readExposition((await metrics.render()).body).filter(({ name }) => name.startsWith("bus_"));
}

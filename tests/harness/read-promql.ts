import { parser } from "@prometheus-io/lezer-promql";

/** A metric that an expression asks for. */
export interface AskedMetric {
  readonly name: string;
  /** Whether it is looked at over a time, as counters are. */
  readonly isRange: boolean;
  /** Labels that are matched, or that an aggregation around it keeps. */
  readonly labels: readonly string[];
  /** Of these labels, values that must be equal. */
  readonly equal: Readonly<Record<string, string>>;
}

type Node = ReturnType<typeof parser.parse>["topNode"];

/** Reads PromQL by the grammar of Prometheus itself. Throws for what is not a whole expression. https://prometheus.io/docs/prometheus/latest/querying/basics/ */
export function readPromql(expression: string): AskedMetric[] {
  const { topNode } = parser.parse(expression);
  const textOf = ({ from, to }: Node): string => expression.slice(from, to);
  const metrics: AskedMetric[] = [];
  const labelsAround = (node: Node): string[] => {
    const groupings = [];
    for (let at = node.parent; at !== null; at = at.parent)
      if (at.name === "AggregateExpr") groupings.push(...below(at.getChild("AggregateModifier"), "LabelName"));
    return groupings.map(textOf);
  };
  for (const node of below(topNode, "⚠")) throw new Error(`no PromQL at ${node.from}: ${expression}`);
  for (const node of below(topNode, "VectorSelector")) {
    const matchers = below(node, "UnquotedLabelMatcher").map((matcher) => ({
      label: below(matcher, "LabelName").map(textOf).join(""),
      isEqual: below(matcher, "EqlSingle").length > 0,
      value: JSON.parse(below(matcher, "StringLiteral").map(textOf).join("")) as string,
    }));
    metrics.push({
      name: below(node, "Identifier").map(textOf).join(""),
      isRange: node.parent?.name === "MatrixSelector",
      labels: [...matchers.map(({ label }) => label), ...labelsAround(node)],
      equal: Object.fromEntries(matchers.filter(({ isEqual }) => isEqual).map(({ label, value }) => [label, value])),
    });
  }
  return metrics;
}

/** All nodes of a kind in a tree, in order. */
function below(root: Node | null, name: string): Node[] {
  const found: Node[] = [];
  root?.cursor().iterate((node) => {
    if (node.name === name) found.push(node.node);
  });
  return found;
}

import { createCounter } from "@crosszone/service-kit";
import type { Telemetry } from "./telemetry.ts";
import { budgetScopes } from "../usage/budget.ts";
import type { UsageObserver } from "../usage/sql-usage.ts";

/**
 * Counts the use of language models. Calls of a crashed process are in the table `model_call`, but not in these
 * metrics.
 */
export function observeUsage({ metrics: { registry } }: Pick<Telemetry, "metrics">): UsageObserver {
  // Models are named by the zone's configuration, which bounds the label.
  const labels = { model: () => true };
  const calls = createCounter(registry, {
    name: "model_calls_total",
    labels: { ...labels, counted: ["yes", "no"] },
  });
  const tokens = createCounter(registry, {
    name: "model_tokens_total",
    labels: { ...labels, kind: ["input", "cached_input", "output"] },
  });
  const cost = createCounter(registry, {
    name: "model_cost_dollars_total",
    labels,
  });
  const refused = createCounter(registry, {
    name: "model_calls_refused_total",
    labels: { scope: budgetScopes },
  });
  return {
    used: ({ model, input, cached, output, cost: dollars, estimated }) => {
      calls.add({ model, counted: estimated ? "no" : "yes" });
      tokens.add({ model, kind: "input" }, input);
      tokens.add({ model, kind: "cached_input" }, cached);
      tokens.add({ model, kind: "output" }, output);
      if (dollars !== null) cost.add({ model }, dollars);
    },
    refused: (scope) => refused.add({ scope }),
  };
}

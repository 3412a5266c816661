import { createCounter } from "@crosszone/service-kit";
import type { ExecutionDeps } from "./deps.ts";
import { budgetScopes } from "./usage/budget.ts";
import type { UsageObserver } from "./usage/sql-usage.ts";

/** Counts what calls of language models use. A call of a process that dies is in the table `model_call` and not here. */
export function observeUsage({ metrics: { registry } }: Pick<ExecutionDeps, "metrics">): UsageObserver {
  // A model is named by the configuration of the zone.
  const labels = { model: () => true };
  const calls = createCounter(registry, {
    name: "model_calls_total",
    help: "Calls of language models that ended, by model, and by whether the provider counted their tokens",
    labels: { ...labels, counted: ["yes", "no"] },
  });
  const tokens = createCounter(registry, {
    name: "model_tokens_total",
    help: "Tokens of these calls; those of cached_input are in input too",
    labels: { ...labels, kind: ["input", "cached_input", "output"] },
  });
  const cost = createCounter(registry, {
    name: "model_cost_dollars_total",
    help: "What these calls cost in US dollars, for models with a known price",
    labels,
  });
  const refused = createCounter(registry, {
    name: "model_calls_refused_total",
    help: "Calls of language models that were not made because a budget had no room, by the scope of the budget",
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

import type { McpObserver } from "@crosszone/assistant";
import { createCounter } from "@crosszone/service-kit";
import type { AssistantObserver } from "../agents/assistant/assistant-agent.ts";
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
  const calls = createCounter(registry, "model_calls_total", { ...labels, counted: ["yes", "no"] });
  const tokens = createCounter(registry, "model_tokens_total", {
    ...labels,
    kind: ["input", "cached_input", "output"],
  });
  const cost = createCounter(registry, "model_cost_dollars_total", labels);
  const refused = createCounter(registry, "model_calls_refused_total", { scope: budgetScopes });
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

/** Turns events of the assistant into log lines. */
export function observeAssistant({ logger }: Pick<Telemetry, "logger">): AssistantObserver {
  return {
    used: (usage, { task_id, correlation_id }) => logger.info("model_used", { task_id, correlation_id, ...usage }),
    toolFailed: (agent_name, cause) => logger.error("model_tool_failed", { agent_name, cause }),
    callRetried: (because) => logger.warn("model_call_retried", { because }),
    settlingFailed: (cause) => logger.error("model_use_not_recorded", { cause }),
    summaryFailed: (cause) => logger.warn("summary_failed", { cause }),
    settingsChanged: () => logger.info("assistant_file_applied"),
    settingsRefused: ({ message }) => logger.error("assistant_file_not_usable", { because: message }),
  };
}

/** Turns events of MCP servers into log lines. */
export function observeMcp({ logger }: Pick<Telemetry, "logger">): McpObserver {
  return {
    offered: (server, tools) => logger.info("mcp_tools_offered", { server, tools }),
    withheld: (server, tools) =>
      logger.warn("mcp_tools_withheld", { server, tools, how: `crosszone mcp approve ${server}` }),
    failed: (server, because) => logger.warn("mcp_server_failed", { server, because }),
  };
}

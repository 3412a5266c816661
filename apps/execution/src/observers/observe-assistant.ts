import type { McpObserver } from "@crosszone/assistant";
import type { AssistantObserver } from "../agents/assistant/assistant-agent.ts";
import type { Telemetry } from "./telemetry.ts";

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

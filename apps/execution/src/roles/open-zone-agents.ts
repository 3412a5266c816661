import type { AssistantLimits } from "@crosszone/assistant";
import type { McpServers } from "@crosszone/assistant/mcp";
import type { OpenModel } from "@crosszone/assistant/runtime";
import { ConfigError, type FollowedFiles, followFiles } from "@crosszone/service-kit";
import { errorText } from "@crosszone/service-kit/text";
import type { Tracer } from "@crosszone/service-kit/tracing";
import { createAgentDirectory, type RegisteredAgents, type ZoneAgents } from "../agents/agent-directory.ts";
import type { Agent } from "../agents/agent.ts";
import { assistantName, createAssistantAgent } from "../agents/assistant/assistant-agent.ts";
import { createChooseAssistant } from "../agents/assistant/settings/choose-assistant.ts";
import type { AssistantFile } from "../agents/assistant/settings/assistant-file.ts";
import { readAssistantFile } from "../agents/assistant/settings/read-assistant-file.ts";
import type { ThreadSummaries } from "../agents/assistant/sql-thread-summaries.ts";
import type { ApprovalFor } from "../inputs/approvals.ts";
import type { ExecutionConfig } from "../config/config.ts";
import { spendingOf, type Usage } from "../usage/sql-usage.ts";
import { openNamedModel } from "./connect-model.ts";
import type { FileLoaded } from "./file-loaded.ts";
import type { RoleParts } from "./role-parts.ts";

interface AgentSources extends Pick<RoleParts, "config" | "emit"> {
  readonly tracer: Tracer;
  /** The connected language model. */
  readonly model: OpenModel | undefined;
  /** Computes from its input alone. */
  readonly builtin: Agent;
  readonly registered: readonly RegisteredAgents[];
  /** Pays for model calls. */
  readonly usage: Usage;
  /** Remembers long threads for the assistant. */
  readonly summaries: ThreadSummaries;
  /** The assistant's MCP servers; none when absent. */
  readonly mcp?: McpServers;
  /** The approval policy. */
  readonly approvalFor: ApprovalFor;
  /** Returns what ASSISTANT_FILE says now. */
  readonly assistantFile: () => AssistantFile;
}

/** Follows ASSISTANT_FILE. A version that can't be used is reported, and the previous one stays in force. */
export function openAssistantFile(
  { config, emit }: Pick<RoleParts, "config" | "emit">,
  loaded: FileLoaded,
): Promise<FollowedFiles<AssistantFile>> {
  const paths = config.ASSISTANT_FILE === undefined ? [] : [config.ASSISTANT_FILE];
  return followFiles({
    paths,
    read: async () => readAssistantFile(config),
    store: async (file) => paths.length > 0 && loaded("assistant", file, paths),
    onApplied: () => emit("assistant_file_applied"),
    onFailure: (error) => emit("assistant_file_not_usable", { because: errorText(error) }),
  });
}

/** Creates the zone's agents: the assistant when a model is connected, the built-in agent, and registered agents. */
export async function openZoneAgents(sources: AgentSources): Promise<ZoneAgents> {
  const { config, tracer, emit, model, builtin, registered, usage, summaries, mcp, approvalFor, assistantFile } =
    sources;
  if (model === undefined) {
    emit("model_not_connected", { how: howToConnect });
    return { all: [builtin], default: config.DEFAULT_AGENT ?? builtin.name, registered };
  }
  refuseUnpriced(model, config);
  const { createAssistant } = await import("@crosszone/assistant/runtime");
  const others = createAgentDirectory({ all: [builtin], default: builtin.name, registered });
  const capturesContent = tracer.recording && config.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT;
  const parts = { limits: limitsOf(config), emit, tracer: { start: tracer.start, capturesContent } };
  const assistant = createAssistantAgent({
    choose: createChooseAssistant({
      main: createAssistant({ model, ...parts }),
      current: assistantFile,
      open: async (name) => createAssistant({ model: await openNamedModel(name, config), ...parts }),
    }),
    modelLabel: model.label,
    listAgents: () => others.list(),
    trusted: new Set([builtin.name]),
    mcp,
    tracer,
    showDetail: config.SHOW_AGENT_ERRORS,
    memoryOf: summaries.memoryOf,
    spendingOf: spendingOf(usage.reserve, assistantName),
    approvalFor,
    emit,
  });
  emit("model_connected", { model: model.name });
  return { all: [assistant, builtin], default: config.DEFAULT_AGENT ?? assistant.name, registered };
}

/** Without a price, a budget in dollars would limit nothing. */
function refuseUnpriced({ name, priced }: OpenModel, { BUDGETS: budgets }: ExecutionConfig): void {
  if (priced || budgets.every(({ unit }) => unit === "tokens")) return;
  const expected = "budgets in tokens";
  throw new ConfigError([{ name: "BUDGETS", wrong: `has a budget in usd, but ${name} has no known price`, expected }]);
}

/** One line; `docs/models.md` has the details. */
const howToConnect = "set ANTHROPIC_API_KEY, OPENAI_API_KEY or OPENAI_BASE_URL";

function limitsOf(config: ExecutionConfig): Partial<AssistantLimits> {
  return {
    steps: config.MAX_MODEL_STEPS,
    outputTokens: config.MAX_MODEL_OUTPUT_TOKENS,
    inputTokens: config.MAX_MODEL_INPUT_TOKENS,
    silenceMs: config.MODEL_SILENCE_MS,
  };
}

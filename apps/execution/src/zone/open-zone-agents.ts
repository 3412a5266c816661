import type { ExecutionColumn } from "@crosszone/agent-calls";
import { type AssistantLimits, chooseModel, howToConnect, isModelProblem } from "@crosszone/assistant";
import type { McpServers } from "@crosszone/assistant/mcp";
import type { OpenModel, Prompter } from "@crosszone/assistant/runtime";
import { createBuiltinAgent } from "@crosszone/builtin-agent";
import type { JobKind } from "@crosszone/jobs";
import { ConfigError, createRecordCodec, type Emit, type Vault } from "@crosszone/service-kit";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { Workflows } from "@crosszone/workflow";
import { createAgentDirectory, type RegisteredAgents, type ZoneAgents } from "../agents/agent-directory.ts";
import { assistantName, createAssistantAgent } from "../agents/assistant/assistant-agent.ts";
import {
  type AssistantSettings,
  createChooseAssistant,
  modelsIn,
  namedModel,
  promptModels,
} from "../agents/assistant/assistant-settings.ts";
import type { ThreadSummaries } from "../agents/conversations.ts";
import { createPromptKind } from "../agents/workflows/prompt-steps.ts";
import type { ApprovalFor } from "../people/approvals.ts";
import { spendingOf, type ModelUsage } from "../usage/sql-usage.ts";
import type { ExecutionConfig } from "./config/variables.ts";

/**
 * Opens the configured model. Undefined when none is configured, or when this process runs no tasks. Rejects with a
 * `ConfigError` when the server at OPENAI_BASE_URL doesn't say which model it has.
 */
export async function connectModel(config: ExecutionConfig): Promise<OpenModel | undefined> {
  const choice = chooseModel(config);
  if (choice === undefined || !config.EXECUTION_ROLES.includes("rpc")) return undefined;
  if (isModelProblem(choice)) throw new ConfigError([choice]);
  const { accessOf, listModels, openModel } = await import("@crosszone/assistant/runtime");
  const { provider, id = await onlyModel(() => listModels(config.OPENAI_BASE_URL ?? "", config.OPENAI_API_KEY)) } =
    choice;
  return openModel(provider, id, accessOf(provider, config));
}

async function onlyModel(list: () => Promise<readonly string[]>): Promise<string> {
  const expected = "openai/<id of a model on that server>";
  const problem = (wrong: string): ConfigError => new ConfigError([{ name: "MODEL", wrong, expected }]);
  const ids = await list().catch((error: unknown) => {
    const why = error instanceof Error && error.message.startsWith("it ") ? error.message : "it can't be reached";
    throw problem(`is not set, and the server at OPENAI_BASE_URL doesn't list its models: ${why}`);
  });
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return only;
  const some = ids.slice(0, 10).join(", ");
  throw problem(`is not set, and the server at OPENAI_BASE_URL has ${ids.length} models${some && `: ${some}`}`);
}

/** Opens the model `provider/id` of the section `assistant`. Rejects with a `ConfigError` when it can't be used. */
async function openNamedModel(name: string, config: ExecutionConfig): Promise<OpenModel> {
  const choice = namedModel(name, config);
  if (typeof choice === "string")
    throw new ConfigError([
      { name: "EXECUTION_FILE", wrong: `names a model in assistant that can't be used: ${choice}` },
    ]);
  const { accessOf, openModel } = await import("@crosszone/assistant/runtime");
  return openModel(choice.provider, choice.id, accessOf(choice.provider, config));
}

/** Opens every model that the variables and the section `assistant` name, that of MODEL first. Empty when no model is connected. */
export async function connectModels(config: ExecutionConfig, assistant: AssistantSettings): Promise<OpenModel[]> {
  const main = await connectModel(config);
  if (main === undefined) return [];
  const names = new Set(modelsIn(assistant).map(([, name]) => name));
  const others = await Promise.all([...names].map((name) => openNamedModel(name, config)));
  return [main, ...others.filter(({ name }) => name !== main.name)];
}

interface ModelSources {
  readonly config: ExecutionConfig;
  readonly emit: Emit<ExecutionEvent>;
  readonly tracer: Tracer;
  /** The connected language model. */
  readonly model: OpenModel | undefined;
}

/** Creates the zone's agents: the assistant when a model is connected, the built-in agent, and registered agents. */
export async function openZoneAgents(
  sources: ModelSources & {
    readonly registered: readonly RegisteredAgents[];
    /** Pays for model calls. */
    readonly usage: ModelUsage;
    /** Remembers long threads for the assistant. */
    readonly summaries: ThreadSummaries;
    /** The assistant's MCP servers; none when absent. */
    readonly mcp?: McpServers;
    readonly approvalFor: ApprovalFor;
    /** Returns what the section `assistant` says now. */
    readonly assistantSettings: () => AssistantSettings;
  },
): Promise<ZoneAgents> {
  const { config, tracer, emit, model, registered, usage, summaries, mcp, approvalFor, assistantSettings } = sources;
  const builtin = createBuiltinAgent({ hasModel: model !== undefined });
  if (model === undefined) {
    emit("model_not_connected", { how: howToConnect });
    return { all: [builtin], default: config.DEFAULT_AGENT ?? builtin.name, registered };
  }
  refuseUnpriced(model, config);
  const { createAssistant } = await import("@crosszone/assistant/runtime");
  const others = createAgentDirectory({ all: [builtin], default: builtin.name, registered });
  const parts = modelPartsOf(sources);
  const assistant = createAssistantAgent({
    choose: createChooseAssistant({
      main: createAssistant({ model, ...parts }),
      current: assistantSettings,
      open: async (name) => createAssistant({ model: await openNamedModel(name, config), ...parts }),
    }),
    modelLabel: model.label,
    listAgents: () => others.list(),
    trusted: new Set([builtin.name]),
    mcp,
    tracer,
    showDetail: config.SHOW_AGENT_ERRORS,
    memoryOf: summaries.memoryOf,
    spendingOf: spendingOf(usage, assistantName),
    approvalFor,
    emit,
  });
  emit("model_connected", { model: model.name });
  return { all: [assistant, builtin], default: config.DEFAULT_AGENT ?? assistant.name, registered };
}

/** What every use of a model has. */
function modelPartsOf({ config, tracer, emit }: ModelSources) {
  const capturesContent = tracer.recording && config.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT;
  const limits: Partial<AssistantLimits> = {
    steps: config.MAX_MODEL_STEPS,
    outputTokens: config.MAX_MODEL_OUTPUT_TOKENS,
    inputTokens: config.MAX_MODEL_INPUT_TOKENS,
    silenceMs: config.MODEL_SILENCE_MS,
  };
  return { limits, emit, tracer: { start: tracer.start, capturesContent } };
}

/** Creates what calls models for steps of workflows, in this process. Opens each model once. */
export function createZonePrompts(
  sources: ModelSources & {
    readonly workflows: Workflows;
    readonly usage: ModelUsage;
    readonly vault: Vault | undefined;
  },
): JobKind<ExecutionColumn> {
  const { config, model: main, workflows: runs, usage, vault } = sources;
  const opened = new Map<string | undefined, Promise<Prompter>>();
  return createPromptKind({
    runs,
    advancesRuns: config.EXECUTION_ROLES.includes("workflow"),
    codec: createRecordCodec(vault),
    usage,
    prompterOf: async (name) => {
      if (main === undefined) return `No language model is connected. An operator can ${howToConnect}.`;
      const isAllowed = name === undefined || promptModels(config)?.includes(name) !== false;
      if (!isAllowed) return `The model ${JSON.stringify(name)} is not allowed: PROMPT_MODELS does not have it.`;
      const choice = name === undefined ? undefined : namedModel(name, config);
      if (typeof choice === "string") return `The model ${JSON.stringify(name)} can't be used: ${choice}.`;
      return opened.getOrInsertComputed(name, async () => {
        const { createPrompter } = await import("@crosszone/assistant/runtime");
        const model = name === undefined ? main : await openNamedModel(name, config);
        return createPrompter({ model, ...modelPartsOf(sources) });
      });
    },
  });
}

/** Without a price, a budget in dollars would limit nothing. */
function refuseUnpriced({ name, priced }: OpenModel, { BUDGETS: budgets }: ExecutionConfig): void {
  if (priced || budgets.every(({ unit }) => unit === "tokens")) return;
  const expected = "budgets in tokens";
  throw new ConfigError([{ name: "BUDGETS", wrong: `has a budget in usd, but ${name} has no known price`, expected }]);
}

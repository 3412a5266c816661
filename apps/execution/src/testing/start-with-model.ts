import { LLMock } from "@copilotkit/aimock";
import { createBuiltinAgent } from "@crosszone/builtin-agent";
import { createLogger, createMetrics } from "@crosszone/service-kit";
import { createTracer, type Tracer } from "@crosszone/service-kit/tracing";
import { executionEvents } from "@crosszone/telemetry";
import { onTestFinished } from "vitest";
import type { Agent } from "../agents/agent.ts";
import { assistantName } from "../agents/assistant/assistant-agent.ts";
import { createSqlMcpPins } from "../agents/assistant/sql-mcp-pins.ts";
import { createSqlThreadSummaries } from "../agents/assistant/sql-thread-summaries.ts";
import { loadExecutionConfig } from "../config/config.ts";
import { openExecutionDatabase } from "../database/open-execution-database.ts";
import { createZoneEmit } from "../observers/create-emit.ts";
import type { ApprovalFor } from "../inputs/approvals.ts";
import { connectModel } from "../roles/connect-model.ts";
import { createFileLoaded } from "../roles/file-loaded.ts";
import { openMcp } from "../roles/open-mcp.ts";
import { openAssistantFile, openZoneAgents } from "../roles/open-zone-agents.ts";
import { createSqlUsageReader, createUsageOf } from "../usage/sql-usage-reader.ts";
import { createSqlUsage } from "../usage/sql-usage.ts";
import { byRequester } from "./new-input.ts";
import { startZone } from "./start-zone.ts";

/** Starts a server with the providers' APIs and scripted answers. Ends with the test. */
export async function startModel(): Promise<LLMock> {
  const mock = await LLMock.create({ port: 0 });
  onTestFinished(() => mock.stop());
  return mock;
}

/** The variables that connect the test's server as Anthropic. */
export const anthropic = (mock: LLMock): Record<string, string> => ({
  ANTHROPIC_API_KEY: "sk-ant-planted-secret",
  ANTHROPIC_BASE_URL: `${mock.url}/v1`,
});
export interface WithModelOptions {
  readonly others?: readonly Agent[];
  readonly tracer?: Tracer;
  /** The approval policy; the requester's when absent. */
  readonly approvalFor?: ApprovalFor;
  /** Contains the secrets of MCP servers. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a zone with the model at a URL, and agents besides the built-in one. */
export async function startWithModel(
  env: Record<string, string>,
  { others = [], tracer = createTracer(), environment = {}, approvalFor = byRequester }: WithModelOptions = {},
) {
  const log: string[] = [];
  const destination = { write: (line: string) => void log.push(line) };
  const logger = createLogger({ zone: "execution", level: "debug", events: executionEvents, destination });
  const { values: config } = loadExecutionConfig(env);
  const registered = [
    { find: async (name: string) => others.find((one) => one.name === name), list: async () => others },
  ];
  const model = await connectModel(config);
  const builtin = createBuiltinAgent({ hasModel: model !== undefined });
  const database = await openExecutionDatabase({ url: "sqlite::memory:" });
  onTestFinished(() => database.close());
  const metrics = createMetrics();
  const emit = createZoneEmit({ logger, metrics });
  const usageDeps = { budgets: config.BUDGETS, now: () => new Date() };
  const usage = createSqlUsage(database, { ...usageDeps, emit });
  const usageOf = createUsageOf(createSqlUsageReader(database, usageDeps), assistantName);
  const summaries = createSqlThreadSummaries(database, assistantName, { retentionMs: 60_000 });
  const loaded = createFileLoaded(async () => undefined);
  const { mcp, close } = await openMcp({ config, environment, pins: createSqlMcpPins(database), emit, loaded });
  onTestFinished(close);
  const parts = { config, tracer, emit, model, builtin, registered, usage, summaries, mcp, approvalFor };
  const assistantFile = await openAssistantFile({ config, emit }, loaded);
  onTestFinished(assistantFile.close);
  const agents = await openZoneAgents({ ...parts, assistantFile: assistantFile.current });
  // The first answer loads the provider's package.
  const limits = { maxBytes: 200_000, syncWindowMs: 30_000 };
  const zone = await startZone(agents.all, { registered, tracer, usageOf, ...limits });
  return { zone, log, agents, metrics, database, mcp };
}

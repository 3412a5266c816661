import { LLMock } from "@copilotkit/aimock";
import { createHealth, createLogger, createMetrics } from "@crosszone/service-kit";
import { createTracer, type Tracer } from "@crosszone/service-kit/tracing";
import { onTestFinished } from "vitest";
import type { Agent } from "../agents/agent.ts";
import { createBuiltinAgent } from "../agents/builtin/builtin-agent.ts";
import { loadExecutionConfig } from "../config.ts";
import { openExecutionDatabase } from "../database/open-execution-database.ts";
import { executionEvents } from "../log-events.ts";
import { createSqlMcpPins } from "../mcp/sql-mcp-pins.ts";
import { connectModel } from "../roles/connect-model.ts";
import { openAgentsOfZone } from "../roles/open-agents-of-zone.ts";
import { openMcp } from "../roles/open-mcp.ts";
import { createSqlUsage } from "../usage/sql-usage.ts";
import { startZone } from "./start-zone.ts";

/** A provider of language models. Ends with the test. */
export async function startModel(): Promise<LLMock> {
  const mock = await LLMock.create({ port: 0 });
  onTestFinished(() => mock.stop());
  return mock;
}

export interface WithModelOptions {
  readonly others?: readonly Agent[];
  readonly tracer?: Tracer;
  /** Has the secrets of MCP servers. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A zone whose model is at a URL, with agents beside the built-in one. */
export async function startWithModel(
  env: Record<string, string>,
  { others = [], tracer = createTracer(), environment = {} }: WithModelOptions = {},
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
  const usage = createSqlUsage(database, { budgets: config.BUDGETS, now: () => new Date() });
  const basis = { config, logger, health: createHealth(), metrics: createMetrics(), tracer };
  const mcp = await openMcp({ ...basis, pins: createSqlMcpPins(database) }, environment);
  onTestFinished(() => mcp?.close());
  const agents = await openAgentsOfZone(basis, { model, builtin, registered, usage, mcp });
  // The first answer loads the provider's package.
  const zone = await startZone(agents.all, { registered, tracer, syncWindowMs: 30_000 });
  return { zone, log, agents, mcp };
}

/** The variables that connect it. */
export const anthropic = (mock: LLMock): Record<string, string> => ({
  ANTHROPIC_API_KEY: "sk-ant-planted-secret",
  ANTHROPIC_BASE_URL: `${mock.url}/v1`,
});

import {
  AgentFailure,
  createAddressRules,
  createCheckedFetch,
  createSecretSource,
  type SecretSource,
} from "@crosszone/agent-bridge";
import { chooseModel, type McpServer } from "@crosszone/assistant";
import type { McpServers, McpWay } from "@crosszone/assistant/mcp";
import { ConfigError, type Emit, type Environment } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { ExecutionConfig } from "../config/config.ts";
import type { McpPinStore } from "../agents/assistant/sql-mcp-pins.ts";

/** The MCP servers of MCP_SERVERS, and how the zone reaches them. */
export interface McpAccess {
  readonly servers: readonly McpServer[];
  readonly way: McpWay;
  readonly close: () => Promise<void>;
}

export interface McpOptions {
  readonly config: ExecutionConfig;
  /** Contains the servers' tokens. */
  readonly environment: Environment;
  readonly pins: McpPinStore;
  readonly emit: Emit<ExecutionEvent>;
}

/**
 * Opens the MCP servers. Undefined when none is configured, or when this process has no model. Rejects with a
 * `ConfigError` for a token that can't be read.
 */
export async function openMcp({ config, environment, pins, emit }: McpOptions): Promise<McpServers | undefined> {
  if (config.MCP_SERVERS.length === 0 || !config.EXECUTION_ROLES.includes("rpc")) return undefined;
  if (chooseModel(config) === undefined) return undefined;
  const { servers, way, close } = await openMcpAccess(config, environment);
  await refuseUnreadable(servers);
  const { createMcpServers } = await import("@crosszone/assistant/mcp");
  const mcp = createMcpServers({ ...way, servers, pins, emit });
  return {
    ...mcp,
    close: async () => {
      await mcp.close();
      await close();
    },
  };
}

/**
 * Creates what the variables configure for MCP servers. Naming a server in MCP_SERVERS allows its origin, as
 * AGENT_ORIGINS does for agents.
 */
export async function openMcpAccess(config: ExecutionConfig, environment: Environment): Promise<McpAccess> {
  const secrets = createSecretSource({ environment, dir: config.AGENT_SECRETS_DIR });
  const { MCP_SERVERS: named } = config;
  const rules = createAddressRules({ origins: named.map(({ url }) => new URL(url).origin) });
  const { fetch, close } = createCheckedFetch(rules);
  const servers = named.map(({ name, url, token, isReadOnly }): McpServer => ({
    name,
    url,
    isReadOnly,
    readToken: async () => token && readToken(secrets, token),
  }));
  const limits = {
    connectMs: 5_000,
    callMs: config.MCP_TIMEOUT_MS,
    mostBytes: config.MAX_AGENT_RESPONSE,
    listedMs: 60_000,
    failedMs: 30_000,
  };
  return { servers, way: { fetch, limits }, close };
}

async function readToken(secrets: SecretSource, reference: string): Promise<string> {
  const token = await secrets.read(reference);
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new AgentFailure(
    "secret_unavailable",
    `The secret ${reference} contains characters that are invalid in a token.`,
  );
}

/** A token that can't be read at startup was likely forgotten. */
async function refuseUnreadable(servers: readonly McpServer[]): Promise<void> {
  const read = await Promise.allSettled(servers.map(({ readToken: one }) => one()));
  const problems = read.flatMap((result) =>
    result.status === "fulfilled" ? [] : [{ name: "MCP_SERVERS", wrong: `can't be used: ${said(result.reason)}` }],
  );
  if (problems.length > 0) throw new ConfigError(problems);
}

const said = (reason: unknown): string => (reason as Error).message.replace(/\.$/, "");

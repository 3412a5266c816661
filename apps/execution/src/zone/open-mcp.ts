import {
  AgentFailure,
  createAddressRules,
  createCheckedFetch,
  createSecretSource,
  type SecretSource,
} from "@crosszone/agent-bridge";
import type { McpOAuth, McpServer } from "@crosszone/assistant";
import { ConfigError, type Environment } from "@crosszone/service-kit";
import type { McpPinStore } from "../agents/assistant/mcp-pins.ts";
import type { DeclaredMcpServer } from "../agents/assistant/mcp-settings.ts";
import { hasModel } from "./config/config.ts";
import type { ExecutionConfig } from "./config/variables.ts";
import type { RoleParts } from "./open-store.ts";

/**
 * Opens the MCP servers of the section `mcp`, none when this process has no model. Rejects with a `ConfigError` for a secret that can't be
 * read.
 */
export async function openMcp({ config, environment, emit, settings }: RoleParts, pins: McpPinStore) {
  const declared = (await settings.follow("mcp", undefined, () => true))();
  const isUsed = declared.length > 0 && hasModel(config) === true;
  if (!isUsed) return { mcp: undefined, declared, close: async () => undefined };
  const { servers, limits, close } = openMcpAccess(declared, config, environment);
  await refuseUnreadable(servers);
  const { createMcpServers } = await import("@crosszone/assistant/mcp");
  const mcp = createMcpServers({ limits, servers, pins, emit });
  return {
    mcp,
    declared,
    close: async () => {
      await mcp.close();
      await close();
    },
  };
}

/** Creates what the file configures, and how the zone reaches it. A URL in it allows its origin, as AGENT_ORIGINS does for agents. */
export function openMcpAccess(
  declared: readonly DeclaredMcpServer[],
  config: ExecutionConfig,
  environment: Environment,
) {
  const secrets = createSecretSource({ environment, dir: config.AGENT_SECRETS_DIR });
  const closing: (() => Promise<void>)[] = [];
  const servers = declared.map((one): McpServer => {
    const { name, url, command = "", args = [], env = [], cwd, start_timeout: startMs = 60_000 } = one;
    const { read_only: isReadOnly, timeout: callMs, agents, channels } = one;
    const usual = { name, isReadOnly, callMs, agents, channels };
    if (url === undefined) {
      const variables = ["PATH", ...env].flatMap((key) =>
        environment[key] === undefined ? [] : [[key, environment[key]]],
      );
      return { ...usual, reach: { command, args, environment: Object.fromEntries(variables), cwd, startMs } };
    }
    const { fetch, close } = createCheckedFetch(createAddressRules({ origins: originsOf(url, one.oauth) }));
    closing.push(close);
    const { token, oauth } = one;
    const readToken = token === undefined ? undefined : () => readOne(secrets, token);
    return { ...usual, reach: { url, fetch, readToken, oauth: oauth && grantOf(oauth, secrets) } };
  });
  const limits = { connectMs: 5_000, mostBytes: config.MAX_AGENT_RESPONSE, listedMs: 60_000, failedMs: 30_000 };
  return { servers, limits, close: async () => void (await Promise.all(closing.map((close) => close()))) };
}

/**
 * A server without OAuth is called at its origin only. With OAuth, the server and its issuer may name any public
 * address for metadata and tokens.
 */
function originsOf(url: string, oauth: DeclaredMcpServer["oauth"]): string[] {
  const { origin } = new URL(url);
  if (oauth === undefined) return [origin];
  return [origin, new URL(oauth.issuer).origin, "https://*"];
}

function grantOf(oauth: NonNullable<DeclaredMcpServer["oauth"]>, secrets: SecretSource): McpOAuth {
  const { issuer, client_id: clientId, client_secret, private_key = "", scopes } = oauth;
  const readCredentials: McpOAuth["readCredentials"] = async () =>
    client_secret === undefined
      ? { key: await secrets.read(private_key) }
      : { secret: await readOne(secrets, client_secret) };
  return { issuer, clientId, scopes, readCredentials };
}

async function readOne(secrets: SecretSource, reference: string): Promise<string> {
  const token = await secrets.read(reference);
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new AgentFailure(
    "secret_unavailable",
    `The secret ${reference} contains characters that are invalid in a token.`,
  );
}

/** A secret that can't be read at startup was likely forgotten. */
async function refuseUnreadable(servers: readonly McpServer[]): Promise<void> {
  const secrets = servers.flatMap(({ reach }) =>
    "url" in reach ? [reach.readToken, reach.oauth?.readCredentials].filter((read) => read !== undefined) : [],
  );
  const problems = (await Promise.allSettled(secrets.map((read) => read()))).flatMap((result) =>
    result.status === "fulfilled"
      ? []
      : [{ name: "EXECUTION_FILE", wrong: `has a server in mcp that can't be used: ${said(result.reason)}` }],
  );
  if (problems.length > 0) throw new ConfigError(problems);
}

const said = (reason: unknown): string => (reason as Error).message.replace(/\.$/, "");

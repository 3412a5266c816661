import {
  AgentFailure,
  createAddressRules,
  createCheckedFetch,
  createSecretSource,
  isSecretReference,
  type SecretSource,
} from "@crosszone/agent-bridge";
import type { McpOAuth, McpServer } from "@crosszone/assistant";
import type { ParamProblem } from "@crosszone/contracts";
import { ConfigError, duration, type Environment } from "@crosszone/service-kit";
import { FileProblemsError, readYamlFile } from "@crosszone/service-kit/yaml";
import { z } from "zod";
import type { McpPinStore } from "../agents/assistant/assistant-store.ts";
import { type ExecutionConfig, hasModel } from "./config/config.ts";
import type { FileLoaded, RoleParts } from "./open-store.ts";

const text = z.string().min(1).max(1_000);
const texts = z.array(text).max(100);

/** Never repeats the text, which may be the secret itself. */
const secret = z.string().refine(isSecretReference, {
  error: "must name a secret, not contain it: write env:AGENT_SECRET_… or file:…",
});

const address = z.string().refine(isAddress, {
  error: "must be a URL that starts with http:// or https://, without a user or password",
});

const oauthSchema = z
  .strictObject({
    issuer: address,
    client_id: text,
    client_secret: secret.optional(),
    private_key: secret.optional(),
    scopes: texts.default([]),
  })
  .refine(({ client_secret, private_key }) => (client_secret === undefined) !== (private_key === undefined), {
    error: "needs one of client_secret and private_key",
  });

const server = z
  .strictObject({
    name: z.string().regex(/^[A-Za-z][A-Za-z\d-]{0,31}$/, {
      error: "must begin with a letter and have 32 letters, digits and - at most",
    }),
    url: address.optional(),
    token: secret.optional(),
    oauth: oauthSchema.optional(),
    command: text.optional(),
    args: z.array(z.string().max(10_000)).max(100).optional(),
    env: z.array(z.string().regex(/^[A-Za-z_]\w*$/, { error: "must be the name of a variable" })).optional(),
    cwd: text.optional(),
    start_timeout: duration({ min: 100 }).optional(),
    read_only: z.boolean().default(false),
    timeout: duration({ min: 100 }).prefault("60s"),
    agents: texts.optional(),
    channels: texts.optional(),
  })
  .refine(({ url, command }) => (url === undefined) !== (command === undefined), {
    error: "needs one of url and command",
  })
  .refine(({ token, oauth: grant }) => token === undefined || grant === undefined, {
    error: "has both token and oauth: keep one",
  })
  .refine(({ url, token, oauth: grant }) => url !== undefined || (token ?? grant) === undefined, {
    error: "has a command: token and oauth are for a url",
  })
  .refine(
    ({ command, args, env, cwd, start_timeout: start }) =>
      command !== undefined || (args ?? env ?? cwd ?? start) === undefined,
    { error: "has a url: args, env, cwd and start_timeout are for a command" },
  );

/** The content of MCP_FILE. Unknown members are rejected, because they are likely typos. */
const file = z.strictObject({ servers: z.array(server).max(50) });

/** A server of MCP_FILE. */
type DeclaredMcpServer = z.output<typeof server>;

/**
 * Reads MCP_FILE; no servers when it is not set. Rejects with a `FileProblemsError` that names each mistake by line,
 * without its value.
 */
export async function readMcpFile(path: string | undefined): Promise<readonly DeclaredMcpServer[]> {
  if (path === undefined) return [];
  const { value, problemAt } = await readYamlFile(path, "file of MCP servers");
  const read = file.safeParse(value);
  const problems = read.success ? repeatedNames(read.data.servers) : problemsIn(read.error);
  if (!read.success || problems.length > 0) throw new FileProblemsError(problems.map(problemAt));
  return read.data.servers;
}

function problemsIn({ issues }: z.ZodError): ParamProblem[] {
  return issues.flatMap((issue): ParamProblem[] => {
    const pointer = issue.path.map((part) => `/${String(part)}`).join("");
    const message = issue.message.endsWith("received undefined") ? "is missing" : issue.message;
    if (issue.code !== "unrecognized_keys") return [{ pointer, message }];
    const near = issue.keys.length === 1 ? (/ \(.*\)$/.exec(message)?.[0] ?? "") : "";
    return issue.keys.map((key) => ({ pointer: `${pointer}/${key}`, message: `is not a known member${near}` }));
  });
}

/** Names become names of tools, which models tell apart without case. */
function repeatedNames(servers: readonly DeclaredMcpServer[]): ParamProblem[] {
  const names = servers.map(({ name }) => name.toLowerCase());
  return names.flatMap((name, at) =>
    names.indexOf(name) === at
      ? []
      : [{ pointer: `/servers/${at}/name`, message: "is also the name of another server" }],
  );
}

function isAddress(given: string): boolean {
  const url = URL.parse(given);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

/**
 * Opens the MCP servers of MCP_FILE, none when it is not set or this process has no model. Rejects with a `FileProblemsError` for a mistake in
 * the file, and with a `ConfigError` for a secret that can't be read.
 */
export async function openMcp({ config, environment, emit }: RoleParts, pins: McpPinStore, loaded: FileLoaded) {
  const declared = await readMcpFile(config.MCP_FILE);
  if (config.MCP_FILE !== undefined) await loaded("mcp", declared, [config.MCP_FILE]);
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
    result.status === "fulfilled" ? [] : [{ name: "MCP_FILE", wrong: `can't be used: ${said(result.reason)}` }],
  );
  if (problems.length > 0) throw new ConfigError(problems);
}

const said = (reason: unknown): string => (reason as Error).message.replace(/\.$/, "");

import { parseOriginPattern, parseSecretBinding } from "@crosszone/agent-bridge";
import { auditConstants, auditVariables } from "@crosszone/audit";
import {
  type ConfigValues,
  defineConfig,
  duration,
  filePath,
  groupOf,
  list,
  type LoadedConfig,
  matching,
  nonEmpty,
  oneOf,
  port,
  secret,
  url,
  variable,
  wholeNumber,
  yesOrNo,
  zoneVariables,
} from "@crosszone/service-kit";
import { plainJson } from "@crosszone/service-kit/json";
import type { JSONWebKeySet } from "jose";
import { z } from "zod";
import { type HostProfileName, hostProfiles } from "../../doors/host-profile.ts";
import { type Budget, parseBudget } from "../../usage/budget.ts";
import { executionConstants } from "./constants.ts";

/** A URL of this zone without a path, as an origin. */
const originUrl = () =>
  url()
    .refine((text) => ["", "/"].includes(new URL(text).pathname + new URL(text).search), { error: "it has a path" })
    .transform((text) => new URL(text).origin);

const profileNames = Object.keys(hostProfiles) as HostProfileName[];

/** What a process does: `rpc` answers the zone link, `bridge` calls agents over HTTP, `workflow` advances runs. */
const roles = ["rpc", "bridge", "workflow"] as const;

/** Values of OpenTelemetry's own instrumentations; the first two are older spellings. There are no events that could hold content. */
const capture = z
  .enum(["true", "false", "SPAN_ONLY", "NO_CONTENT"])
  .transform((value) => value === "true" || value === "SPAN_ONLY")
  .describe("NO_CONTENT or SPAN_ONLY");

/** The roles of a process, where it listens, how much it accepts, and what its traces hold. */
const processVariables = {
  ...groupOf("Roles", {
    EXECUTION_ROLES: variable(
      list(oneOf(roles)).refine((named) => named.length > 0, { error: "it names no role" }),
      { default: roles.join(",") },
    )`
      Work of this process. rpc answers verification, bridge calls agents over HTTP, workflow advances workflow runs.
      All processes share one database.`,
  }),
  ...groupOf("Listen", {
    HOST_PROFILE: variable(oneOf(profileNames), { default: "plain" })`
      Platform of this process; it sets address, port and paths. plain: 127.0.0.1:4000. cloud-run: $PORT. agentcore
      and container-apps: 8080. foundry: 8088.`,
    EXECUTION_HOST: variable(z.string().describe("a host name or address").optional())`
      Address to listen on. If unset, HOST_PROFILE decides. Outside this machine, callers must authenticate.`,
    EXECUTION_PORT: variable(port().optional())`Port to listen on. If unset, HOST_PROFILE decides.`,
    PORT: variable(port().optional())`Port that Cloud Run assigns. Only read with HOST_PROFILE=cloud-run.`,
    EXECUTION_PUBLIC_URL: variable(url().optional(), { example: "https://execution.example.com" })`
      URL of this zone for agents and callers. Agents download large files from it; without it, they get a description.
      Without it, the zone's agent card uses the host of the request. Another machine needs https:.`,
  }),
  ...groupOf("Capacity", {
    MAX_RUNNING_TASKS: variable(wholeNumber({ min: 1 }), { default: "100" })`
      Tasks, and agent calls, that one process runs at the same time. Execution refuses more tasks as rate_limited;
      more agent calls wait. The max_concurrency of an agent is a lower limit.`,
    MAX_REQUESTS_PER_MINUTE: variable(wholeNumber(), { default: "6000" })`
      Requests per caller and minute; 0 turns the limit off. Execution refuses more as rate_limited.`,
  }),
  ...groupOf("Logs, metrics and traces", {
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: variable(capture, { default: "NO_CONTENT" })`
      SPAN_ONLY records prompts, answers and tool calls in spans, shortened. Use it only if the collector can store
      private text.`,
  }),
};

/** How long tasks can take and are kept, how execution reads their files, and where workflow definitions are. */
const taskVariables = {
  ...groupOf("Workflows", {
    WORKFLOWS_DIR: variable(nonEmpty("a folder").optional(), { example: "/etc/crosszone/workflows" })`
      Folder of workflow definitions in JSON or YAML, one per file. Execution reads it at start and adds new versions.`,
  }),
  ...groupOf("Tasks", {
    TASK_DEADLINE: variable(duration({ min: 1 }), { default: "10m" })`
      How long a task can take before it times out.`,
    TASK_RETENTION: variable(duration({ min: 1 }), { default: "1d" })`
      How long execution keeps a finished task with its answer. Keep it longer than any outage of verification.`,
  }),
  ...groupOf("Files", {
    VERIFICATION_URL: variable(url().optional(), { example: "https://crosszone.example.com" })`
      URL of the verification zone, for reading files. Without it, agents get no file contents. Another machine needs
      https:.`,
  }),
};

const broker = matching(/^([\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i, "host:port");
const topicPrefix = matching(/^[\w.-]{0,200}$/, "letters, digits, dots, dashes and underscores");

/** How to reach Kafka, and its topics. */
const kafkaVariables = groupOf("Kafka", {
  KAFKA_BROKERS: variable(list(broker).optional(), { example: "kafka-1.example.com:9093,kafka-2.example.com:9093" })`
    Kafka brokers as host:port. Without them, messages stay in the database.`,
  KAFKA_PROPERTIES_FILE: variable(filePath().optional(), { example: "/etc/crosszone/kafka.properties" })`
    Properties file of the client, as managed services print it: client.id, security.protocol, sasl.* and ssl.*.
    Without it, the connection is unencrypted.`,
  KAFKA_TOPIC_PREFIX: variable(topicPrefix, { default: "" })`
    Text before the name of each topic, so that several installations can share a cluster.`,
});

/** A text that `parse` does not throw for. */
const parsed = (parse: (entry: string) => unknown, error: string, words: string) =>
  z
    .string()
    .refine(
      (entry) => {
        try {
          parse(entry);
          return true;
        } catch {
          return false;
        }
      },
      { error },
    )
    .describe(words);

const origin = parsed(
  parseOriginPattern,
  "it is neither an origin nor *. followed by a domain of at least two parts",
  "an origin, or *. and a domain",
);

const binding = parsed(
  parseSecretBinding,
  "it is not a secret reference, then = and an origin",
  "env:AGENT_SECRET_… or file:…, then = and an origin",
);

/** Questions and answers must not leave this machine. */
const exchangesUrl = z
  .url({ protocol: /^http$/, hostname: /^(localhost|127\.0\.0\.1|\[::1\])$/ })
  .describe("an http: URL on this machine");

/** Sign-in to the console: its address, and its secret at the identity provider. */
export const consoleVariables = groupOf("Sign in to the console", {
  CONSOLE_URL: variable(originUrl().optional(), { example: "https://console.example.com" })`
    URL of the console in a browser, without a path: the address of this zone. People sign in there by the
    section console of EXECUTION_FILE. Another machine needs https:.`,
  CONSOLE_CLIENT_SECRET: variable(secret(1).optional(), { secret: true })`
    Client secret of the console at the identity provider. If unset, the console is a public client with PKCE.`,
});

/** The file of settings. */
const settingsVariables = groupOf("Settings", {
  EXECUTION_FILE: variable(list(z.string()).optional(), { example: "/etc/crosszone/execution.yaml" })`
    YAML file of the settings, or several: agents, programs, hooks, schedules, MCP servers, approvals, the console and the assistant,
    each a section. Edits apply without a restart. If unset, every section has its default.`,
});

/** Which agent answers, and agents over HTTP: where they can be, who can change them, and how many calls run at once. */
const agentVariables = {
  ...groupOf("Agents", {
    DEFAULT_AGENT: variable(nonEmpty("the name of an agent or a workflow").optional(), { example: "proofreader" })`
      Agent or workflow that answers if a message, its thread and its channel name none. If unset: the assistant, or
      builtin without a model.`,
    THREAD_RETENTION: variable(duration({ min: 60_000, max: 315_360_000_000 }), { default: "30d" })`
      How long execution remembers a thread after its last message: the agent's open question, conversation ID and
      summary.`,
    SHOW_AGENT_ERRORS: variable(yesOrNo(), { default: "false" })`
      Whether the answer in Slack says why an agent failed. Use it in development: errors can show internal addresses.`,
  }),
  ...groupOf("Agents over HTTP", {
    ADMIN_TOKENS: variable(list(secret(32)).optional(), { secret: true })`
      Bearer tokens that create the first API token. Each has every scope while no live API token has tokens:write.
      Without this and API tokens, the API is off.`,
    AGENT_ORIGINS: variable(list(origin), { default: "", example: "https://agents.example.com,http://127.0.0.1:8090" })`
      Origins where agents can be. http://localhost:* allows any port; *.example.com allows all subdomains. If unset:
      https: at public addresses only.`,
    AGENT_CARD_SIGNATURES: variable(z.enum(["off", "if-present", "require"]), { default: "off" })`
      Whether the agent cards that choose how an agent is called need a valid signature. if-present rejects invalid
      signatures, require also unsigned cards. The trusted keys are the section card_keys.`,
    AGENT_EXCHANGES_URL: variable(exchangesUrl.optional())`
      URL that receives each agent request and response as JSON, for development. The local Slack shows them in its
      Traffic tab.`,
    AGENT_SECRETS_DIR: variable(nonEmpty("a folder").optional(), { example: "/run/secrets/agents" })`
      Folder of agent secrets that are configured as file:name. Not needed for env:AGENT_SECRET_….`,
    AGENT_SECRETS_ORIGINS: variable(list(binding), {
      default: "",
      example: "env:AGENT_SECRET_SCOUT=https://agents.example.com,file:scout-key=https://agents.example.com",
    })`
      Which secrets execution can send to which origins. It sends unlisted secrets only to agents of EXECUTION_FILE.`,
  }),
};

const key = () => secret(1).describe("a key, with no space or line break at either end").optional();

const budget = z
  .string()
  .transform((text, context): Budget => parseBudget(text) ?? (context.addIssue("it is not a budget"), z.NEVER))
  .describe("such as person/day=5usd");

/** The language model, its credentials and its limits. */
export const modelVariables = {
  ...groupOf("Connect a model", {
    MODEL: variable(nonEmpty("anthropic/<id>, openai/<id>, bedrock/<id>, or none").optional(), {
      example: "anthropic/claude-sonnet-4-6",
    })`
      The language model. Not needed with one of ANTHROPIC_API_KEY and OPENAI_API_KEY. With OPENAI_BASE_URL,
      openai/<id> names a model of that server.`,
    ANTHROPIC_API_KEY: variable(key(), { secret: true })`
      Key of the Anthropic API. It connects a model and stays in this zone.`,
    ANTHROPIC_BASE_URL: variable(url().optional(), { example: "https://gateway.example.com/anthropic/v1" })`
      URL of an Anthropic-compatible gateway, including the version. If unset, it is https://api.anthropic.com/v1.`,
    OPENAI_API_KEY: variable(key(), { secret: true })`
      Key of the OpenAI API, or of the server at OPENAI_BASE_URL. It connects a model and stays in this zone.`,
    OPENAI_BASE_URL: variable(url().optional(), { example: "http://127.0.0.1:11434/v1" })`
      URL of a server with OpenAI's chat API, such as Ollama, vLLM or LiteLLM. Without MODEL, the server's only model
      answers.`,
    PROMPT_MODELS: variable(list(nonEmpty("a model")), {
      default: "",
      example: "anthropic/claude-haiku-4-5, openai/gpt-5-mini",
    })`
      Models that prompt steps of workflows can name besides that of MODEL. If unset, they can name every model of a
      connected provider.`,
    AWS_REGION: variable(nonEmpty("a region").optional(), { example: "eu-central-1" })`
      AWS region of Amazon Bedrock. Required with MODEL=bedrock/<id>. The AWS SDK finds credentials: access keys,
      AWS_BEARER_TOKEN_BEDROCK, a profile, or the role of the process.`,
  }),
  ...groupOf("Tune the assistant", {
    BUDGETS: variable(list(budget), {
      default: "",
      example: "person/day=5usd, team/month=500usd, channel/day=2000000tokens",
    })`
      Spending limits for language models, as scope/period=amount. Scopes: person, channel, team, agent. Periods in
      UTC: day, month. Amounts: usd, tokens.`,
    MAX_MODEL_INPUT_TOKENS: variable(wholeNumber({ min: 100 }), { default: "32000" })`
      Estimated tokens of earlier messages that the model reads, and again of text files. The assistant summarizes
      older messages.`,
  }),
};

/** Parses a key set from JSON text. Rejects private keys, because readers of the configuration could sign with them. */
const publicKeySet: z.ZodType<JSONWebKeySet, string> = z
  .string()
  .transform((text, context) => {
    const value = plainJson(text);
    if (value !== undefined) return value;
    context.addIssue("it is neither a URL nor JSON");
    return z.NEVER;
  })
  .pipe(
    z.object({
      keys: z
        .array(
          z.looseObject({ kty: z.enum(["RSA", "EC", "OKP"]), d: z.undefined("it contains a private key").optional() }),
        )
        .min(1),
    }),
  )
  .transform((set) => set as unknown as JSONWebKeySet)
  .describe('an https: URL, or public keys as a JSON Web Key Set, {"keys":[…]}');

const keySource = z.union([
  z
    .string()
    .regex(/^https?:/)
    .pipe(url()),
  publicKeySet,
]);

/** Which callers execution accepts, how they authenticate, and how the zone serves HTTPS. */
export const callerVariables = {
  ...groupOf("Authenticate callers", {
    CALLER_AUTH: variable(oneOf(["none", "bearer", "jwt", "hmac", "mtls", "platform"]).optional())`
      How callers authenticate. platform trusts the host of HOST_PROFILE. If unset: bearer with EXECUTION_TOKEN,
      otherwise none, only for this machine.`,
    EXECUTION_TOKEN: variable(list(secret(32)).optional(), { secret: true })`
      Token that verification sends, or with CALLER_AUTH=hmac signs requests with. List two while you replace one.`,
    CALLER_JWT_ISSUER: variable(list(url()).optional(), { example: "https://accounts.google.com" })`
      Issuers whose tokens execution accepts: the iss claim.`,
    CALLER_JWT_AUDIENCE: variable(list().optional(), { example: "https://execution.example.com" })`
      Audiences that execution accepts: the aud claim. Usually the URL or ID of this zone.`,
    CALLER_JWT_JWKS: variable(keySource.optional(), { example: "https://www.googleapis.com/oauth2/v3/certs" })`
      The issuer's public keys: their URL, or the keys themselves as JSON. Another machine needs https:.`,
    CALLER_TLS_CA_FILE: variable(filePath().optional(), { example: "/etc/crosszone/ca.crt" })`
      PEM file of the authority that signed client certificates, for CALLER_AUTH=mtls.`,
    CALLER_ALLOWED: variable(list().optional(), {
      example: "email:verification@my-project.iam.gserviceaccount.com",
    })`
      Callers that execution accepts. With CALLER_AUTH=jwt, as claim:value of the token. With CALLER_AUTH=mtls, as a
      name in the client certificate, such as CN=verification.`,
  }),
  ...groupOf("Serve HTTPS", {
    TLS_CERT_FILE: variable(filePath().optional(), { example: "/etc/crosszone/tls.crt" })`
      PEM file of the server certificate and its chain. With it, the zone serves HTTPS only. It rereads the file on a
      change.`,
    TLS_KEY_FILE: variable(filePath().optional(), { example: "/etc/crosszone/tls.key" })`
      PEM file of the private key of TLS_CERT_FILE.`,
  }),
};

/** The listener for programs. */
export const askVariables = groupOf("Programs that ask", {
  ASK_PORT: variable(port().optional(), { example: "4100" })`
    Port of the listener for programs, which ask agents over A2A and MCP. Only processes with the role rpc listen on it.
    If unset, programs can't ask.`,
  ASK_URL: variable(originUrl().optional(), { example: "https://ask.example.com" })`
    URL of that listener for programs, without a path. Tokens of an identity provider must be for it: the aud claim.
    If unset, only programs on this machine are served. Another machine needs https:.`,
});

/** Every variable and constant that the execution zone reads, in the order of the reference. */
export const executionConfig = defineConfig({
  ...settingsVariables,
  ...modelVariables,
  ...callerVariables,
  ...askVariables,
  ...consoleVariables,
  ...processVariables,
  ...zoneVariables,
  ...auditVariables,
  ...agentVariables,
  ...taskVariables,
  ...kafkaVariables,
  ...executionConstants,
  ...auditConstants,
});

/** The values of the variables and constants. */
export type ExecutionConfig = ConfigValues<typeof executionConfig>;

/** The values with the files of secrets and warnings. */
export type LoadedExecutionConfig = LoadedConfig<typeof executionConfig>;

import { parseOriginPattern, parseSecretBinding } from "@crosszone/agent-bridge";
import { byteSize, defineConfig, duration, list, secret, wholeNumber, yesOrNo } from "@crosszone/service-kit";
import { z } from "zod";
import { groupOf } from "./group-of.ts";

const origin = z
  .string()
  .refine((entry) => isParsed(parseOriginPattern, entry), {
    error: "it is neither an origin nor *. followed by a domain of at least two parts",
  })
  .describe("an origin, or *. and a domain");

/** Questions and answers must not leave this machine. */
const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/;

const binding = z
  .string()
  .refine((entry) => isParsed(parseSecretBinding, entry), {
    error: "it is not a secret reference, then = and an origin",
  })
  .describe("env:AGENT_SECRET_… or file:…, then = and an origin");

function isParsed(parse: (entry: string) => unknown, entry: string): boolean {
  try {
    parse(entry);
    return true;
  } catch {
    return false;
  }
}

/** Which agent answers, and agents over HTTP: where they can be, who can change them, and how many calls run at once. */
export const agentVariables = defineConfig({
  ...groupOf("Agents", {
    DEFAULT_AGENT: {
      schema: z.string().trim().min(1).describe("the name of an agent or a workflow").optional(),
      description:
        "Agent or workflow that answers if a message, its thread and its channel name none. If unset: the assistant, or builtin without a model.",
      example: "proofreader",
    },
    CONVERSATION_RETENTION: {
      schema: duration({ min: 60_000 }),
      default: "14d",
      description: "How long an agent's conversation is kept after its last message: open question, ID and summary.",
      formerly: "CONVERSATION_RETENTION_MS",
    },
    SHOW_AGENT_ERRORS: {
      schema: yesOrNo(),
      default: "false",
      description:
        "Whether the answer in Slack says why an agent failed. Use it in development: errors can show internal addresses.",
    },
  }),
  ...groupOf("Agents over HTTP", {
    AGENTS_FILE: {
      schema: list(z.string()).optional(),
      description: "YAML files that register agents, in addition to agents registered over the API.",
      example: "/etc/crosszone/agents.yaml",
    },
    AGENTS_FILE_FOLLOW: {
      schema: yesOrNo(),
      default: "false",
      description:
        "Whether edits of AGENTS_FILE apply without a restart. Execution logs a mistake and keeps the previous agents.",
    },
    AGENT_ADMIN_TOKENS: {
      schema: list(secret(32)).optional(),
      secret: true,
      description:
        "Bearer tokens that can change agents, workflows and runs over the API. Without this and AGENT_VIEW_TOKENS, the API is off.",
    },
    AGENT_VIEW_TOKENS: {
      schema: list(secret(32)).optional(),
      secret: true,
      description: "Bearer tokens that can view agents, tasks, workflows and runs, but cannot change them.",
    },
    AGENT_ORIGINS: {
      schema: list(origin),
      default: "",
      description:
        "Origins where agents can be. http://localhost:* allows any port; *.example.com allows all subdomains. If unset: https: at public addresses only.",
      example: "https://agents.example.com,http://127.0.0.1:8090",
    },
    AGENT_EXCHANGES_URL: {
      schema: z
        .url({ protocol: /^http$/, hostname: loopback })
        .describe("an http: URL on this machine")
        .optional(),
      description:
        "URL that receives each agent request and response as JSON, for development. The local Slack shows them in its Traffic tab.",
    },
    AGENT_SECRETS_DIR: {
      schema: z.string().min(1).describe("a folder").optional(),
      description: "Folder of agent secrets that are configured as file:name. Not needed for env:AGENT_SECRET_….",
      example: "/run/secrets/agents",
    },
    AGENT_SECRETS_ORIGINS: {
      schema: list(binding),
      default: "",
      description:
        "Which secrets execution can send to which origins. It sends unlisted secrets only to agents of AGENTS_FILE.",
      example: "env:AGENT_SECRET_SCOUT=https://agents.example.com,file:scout-key=https://agents.example.com",
    },
    AGENT_CA_FILE: {
      schema: z.string().min(1).describe("the path of a file").optional(),
      description: "PEM file of authorities that signed agents' certificates, in addition to the public authorities.",
      example: "/etc/crosszone/agents-ca.crt",
    },
  }),
  ...groupOf("Capacity", {
    MAX_AGENT_RESPONSE: {
      schema: byteSize({ min: 1024 }),
      default: "10MB",
      description: "Largest response of an agent or an MCP server.",
    },
    MAX_AGENT_CALLS: {
      schema: wholeNumber({ min: 1, max: 10_000 }),
      default: "100",
      description:
        "Agent calls that one process runs at the same time. More wait. The max_concurrency of an agent is a lower limit.",
    },
  }),
});

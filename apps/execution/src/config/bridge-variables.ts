import { parseOriginPattern, parseSecretBinding } from "@crosszone/agent-bridge";
import { byteSize, defineConfig, list, secret, wholeNumber, yesOrNo } from "@crosszone/service-kit";
import { z } from "zod";

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

/** Agents over HTTP: where they can be, who can change them, and how many calls run at once. */
export const bridgeVariables = defineConfig({
  AGENTS_FILE: {
    schema: list(z.string()).optional(),
    description: "YAML files that register agents, in addition to agents registered over the API.",
    example: "/etc/crosszone/agents.yaml",
    group: "Agents over HTTP",
  },
  AGENTS_FILE_FOLLOW: {
    schema: yesOrNo(),
    default: "false",
    description:
      "Whether edits of AGENTS_FILE apply without a restart. Execution logs a mistake and keeps the previous agents.",
    group: "Agents over HTTP",
  },
  AGENT_ADMIN_TOKENS: {
    schema: list(secret(32)).optional(),
    secret: true,
    description:
      "Bearer tokens that can change agents, workflows and runs over the API. Without this and AGENT_VIEW_TOKENS, the API is off.",
    group: "Agents over HTTP",
  },
  AGENT_VIEW_TOKENS: {
    schema: list(secret(32)).optional(),
    secret: true,
    description: "Bearer tokens that can view agents, tasks, workflows and runs, but cannot change them.",
    group: "Agents over HTTP",
  },
  AGENT_ORIGINS: {
    schema: list(origin),
    default: "",
    description:
      "Origins where agents can be. http://localhost:* allows any port; *.example.com allows all subdomains. If unset: https: at public addresses only.",
    example: "https://agents.example.com,http://127.0.0.1:8090",
    group: "Agents over HTTP",
  },
  AGENT_EXCHANGES_URL: {
    schema: z
      .url({ protocol: /^http$/, hostname: loopback })
      .describe("an http: URL on this machine")
      .optional(),
    description:
      "URL that receives each agent request and response as JSON, for development. The local Slack shows them in its Traffic tab.",
    group: "Agents over HTTP",
  },
  AGENT_SECRETS_DIR: {
    schema: z.string().min(1).describe("a folder").optional(),
    description: "Folder of agent secrets that are configured as file:name. Not needed for env:AGENT_SECRET_….",
    example: "/run/secrets/agents",
    group: "Agents over HTTP",
  },
  AGENT_SECRETS_ORIGINS: {
    schema: list(binding),
    default: "",
    description:
      "Which secrets execution can send to which origins. It sends unlisted secrets only to agents of AGENTS_FILE.",
    example: "env:AGENT_SECRET_SCOUT=https://agents.example.com,file:scout-key=https://agents.example.com",
    group: "Agents over HTTP",
  },
  AGENT_CA_FILE: {
    schema: z.string().min(1).describe("the path of a file").optional(),
    description: "PEM file of authorities that signed agents' certificates, in addition to the public authorities.",
    example: "/etc/crosszone/agents-ca.crt",
    group: "Agents over HTTP",
  },
  MAX_AGENT_RESPONSE: {
    schema: byteSize({ min: 1024 }),
    default: "10MB",
    description: "Largest response of an agent or an MCP server.",
    group: "Capacity",
  },
  MAX_AGENT_CALLS: {
    schema: wholeNumber({ min: 1, max: 10_000 }),
    default: "100",
    description:
      "Agent calls that one process runs at the same time. More wait. The max_concurrency of an agent is a lower limit.",
    group: "Capacity",
  },
});

function isParsed(parse: (entry: string) => unknown, entry: string): boolean {
  try {
    parse(entry);
    return true;
  } catch {
    return false;
  }
}

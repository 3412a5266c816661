import { parseOriginPattern, parseSecretBinding } from "@crosszone/agent-bridge";
import { byteSize, defineConfig, duration, list, secret, wholeNumber, yesOrNo } from "@crosszone/service-kit";
import { z } from "zod";

const group = "Agents over HTTP";

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

/** Which agents are asked over HTTP, who may change them, and how much of that there is at once. */
export const bridgeVariables = defineConfig({
  AGENTS_FILE: {
    schema: list(z.string()).optional(),
    description:
      "YAML file of agents, in addition to agents registered over the API; several with commas. Read at the start.",
    example: "/etc/crosszone/agents.yaml",
    group,
  },
  AGENTS_FILE_FOLLOW: {
    schema: yesOrNo(),
    default: "false",
    description:
      "Whether edits of AGENTS_FILE apply without a restart. A mistake is then logged, at the start too, and leaves the agents as they were.",
    group,
  },
  AGENT_ADMIN_TOKENS: {
    schema: list(secret(32)).optional(),
    secret: true,
    description:
      "Bearer tokens that can register and change agents at /api/v1/agents. Separate several with commas. The API is off unless this or AGENT_VIEW_TOKENS is set.",
    group,
  },
  AGENT_VIEW_TOKENS: {
    schema: list(secret(32)).optional(),
    secret: true,
    description:
      "Bearer tokens that can view agents, tasks, workflows and runs, over the API and on the runs page, but cannot change anything. Separate several with commas.",
    group,
  },
  AGENT_ORIGINS: {
    schema: list(origin),
    default: "",
    description:
      "Where agents may be, with commas: origins, http://localhost:* for any port, *.example.com for all hosts below a domain, https://* for any public address. Empty: only https: at public addresses; an agent on this machine or in a private network must be listed.",
    example: "https://agents.example.com,http://127.0.0.1:8090",
    group,
  },
  AGENT_EXCHANGES_URL: {
    schema: z
      .url({ protocol: /^http$/, hostname: loopback })
      .describe("an http: URL on this machine")
      .optional(),
    description:
      "For development: the URL to which every request to an agent and its response are posted as JSON. The local Slack shows them in its Traffic tab.",
    group,
  },
  AGENT_SECRETS_DIR: {
    schema: z.string().min(1).describe("a folder").optional(),
    description: "Folder of the secrets that agents are configured with as file:name. env:AGENT_SECRET_… needs none.",
    example: "/run/secrets/agents",
    group,
  },
  AGENT_SECRETS_ORIGINS: {
    schema: list(binding),
    default: "",
    description:
      "Which secrets can be sent to which origins, separated by commas. Write origins as in AGENT_ORIGINS. A listed secret is sent only to its origins. An unlisted secret is sent only to agents of AGENTS_FILE, not to agents registered over the API.",
    example: "env:AGENT_SECRET_SCOUT=https://agents.example.com,file:scout-key=https://agents.example.com",
    group,
  },
  AGENT_CA_FILE: {
    schema: z.string().min(1).describe("the path of a file").optional(),
    description: "Authorities, PEM, that certificates of agents may also come from, beside those that Node trusts.",
    example: "/etc/crosszone/agents-ca.crt",
    group,
  },
  MAX_AGENT_RESPONSE: {
    schema: byteSize({ min: 1024 }),
    default: "10MB",
    description: "Largest answer of an agent.",
    group,
  },
  MAX_AGENT_CALLS: {
    schema: wholeNumber({ min: 1, max: 10_000 }),
    default: "100",
    description: "Calls to agents that one process has under way; more wait. An agent's own max_concurrency is less.",
    group,
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

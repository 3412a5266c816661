import { parseOriginPattern, parseSecretBinding } from "@crosszone/agent-bridge";
import { duration, groupOf, list, nonEmpty, secret, variable, yesOrNo } from "@crosszone/service-kit";
import { z } from "zod";

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

/** Which agent answers, and agents over HTTP: where they can be, who can change them, and how many calls run at once. */
export const agentVariables = {
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
    AGENTS_FILE: variable(list(z.string()).optional(), { example: "/etc/crosszone/agents.yaml" })`
      YAML files that register agents, in addition to agents registered over the API. Edits apply without a restart.
      Execution logs a mistake in an edit and keeps the previous agents.`,
    APPROVALS_FILE: variable(nonEmpty("a file").optional(), { example: "/etc/crosszone/approvals.yaml" })`
      YAML file that says which calls of tools need people to approve them, and who decides. Edits apply without a restart.
      If unset: the requester approves calls with side effects.`,
    ADMIN_TOKENS: variable(list(secret(32)).optional(), { secret: true })`
      Bearer tokens that create the first API token. Each has every scope while no live API token has tokens:write.
      Without this and API tokens, the API is off.`,
    AGENT_ORIGINS: variable(list(origin), { default: "", example: "https://agents.example.com,http://127.0.0.1:8090" })`
      Origins where agents can be. http://localhost:* allows any port; *.example.com allows all subdomains. If unset:
      https: at public addresses only.`,
    AGENT_CARD_SIGNATURES: variable(z.enum(["off", "if-present", "require"]), { default: "off" })`
      Whether the agent cards that choose how an agent is called need a valid signature. if-present rejects invalid
      signatures, require also unsigned cards. The trusted keys are card_keys of AGENTS_FILE.`,
    AGENT_EXCHANGES_URL: variable(exchangesUrl.optional())`
      URL that receives each agent request and response as JSON, for development. The local Slack shows them in its
      Traffic tab.`,
    AGENT_SECRETS_DIR: variable(nonEmpty("a folder").optional(), { example: "/run/secrets/agents" })`
      Folder of agent secrets that are configured as file:name. Not needed for env:AGENT_SECRET_….`,
    AGENT_SECRETS_ORIGINS: variable(list(binding), {
      default: "",
      example: "env:AGENT_SECRET_SCOUT=https://agents.example.com,file:scout-key=https://agents.example.com",
    })`
      Which secrets execution can send to which origins. It sends unlisted secrets only to agents of AGENTS_FILE.`,
  }),
};

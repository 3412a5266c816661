import type { AgentHealth, AgentSettings } from "@crosszone/contracts";
import { RefusedError } from "../api/failures.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { exitCodes, UsageError } from "../program/errors.ts";
import { checkUrl, readDuration } from "../program/options.ts";
import { harmlessJson, harmlessLine } from "../text/terminal-text.ts";
import { settingsText } from "./agents.ts";
import { healthText, isAnswered, outcomeText, questionText } from "./agents-test.ts";
import { orNearAgent } from "./unknown-names.ts";

/** The options with which `agents add` and `agents set` write settings. */
const settingOptions = {
  description: { flags: "--description <text>", help: "description that people read in /agents" },
  protocol: { flags: "--protocol <protocol>", help: "auto, a2a-1.0, jsonrpc-2.0 or simple-a2a" },
  timeout: { flags: "--timeout <time>", help: "timeout of one call, such as 90s or 5m" },
  bearer: {
    flags: "--bearer <secret>",
    help: "env:AGENT_SECRET_… or file:…, listed in AGENT_SECRETS_ORIGINS; sent as a bearer token",
  },
  sideEffects: {
    flags: "--side-effects <value>",
    help: "yes or no: whether it changes something outside of Crosszone",
  },
  json: jsonOption,
} as const;

type SettingValues = Readonly<
  Partial<Record<"description" | "protocol" | "timeout" | "bearer" | "sideEffects", string | undefined>>
>;

function settingsIn({ description, protocol, timeout, bearer, sideEffects }: SettingValues): Partial<AgentSettings> {
  if (sideEffects !== undefined && !/^(yes|no)$/.test(sideEffects))
    throw new UsageError(`--side-effects must be yes or no, got "${harmlessLine(sideEffects)}".`);
  return {
    description,
    protocol,
    ...(timeout !== undefined && { timeout_ms: readDuration("--timeout", timeout) }),
    ...(bearer !== undefined && { auth: { type: "bearer" as const, token: bearer } }),
    ...(sideEffects !== undefined && { side_effects: sideEffects === "yes" }),
  };
}

export const addAgent: Command = defineCommand({
  name: "agents add",
  summary: "Registers an agent by its URL and checks that it answers. Exits with 1 if it does not.",
  operands: ["<agent>", "<url>"],
  options: {
    ask: { flags: "--ask <text>", help: "what to ask it (default: an example of its card; Hello without a card)" },
    question: { flags: "--no-question", help: "don't ask it anything" },
    ...settingOptions,
  },
  examples: [
    ["crosszone agents add counter http://127.0.0.1:8090", "an agent on this machine"],
    ['crosszone agents add counter http://127.0.0.1:8090 --ask "How many words?"', "with a question of your own"],
    ["crosszone agents add mine https://a.example.com --bearer env:AGENT_SECRET_MINE", "an agent that needs a token"],
  ],
  run: async (call, { api, stdout, stderr }) => {
    const [name = "", url = ""] = call.operands;
    const { ask, question, json, ...values } = call.values;
    checkUrl("<url>", url);
    checkName(name);
    const { agents } = api();
    const agent = await agents.add({ name, url, ...settingsIn(values) }).catch((error: unknown) => {
      if (!(error instanceof RefusedError) || error.kind !== "name-taken") throw error;
      throw new UsageError(`The agent "${name}" exists already. Change it with: crosszone agents set ${name} …`);
    });
    const health = await agents.check(name);
    const isAsked = health.status !== "unhealthy" && question !== false;
    const text = isAsked ? (ask ?? (agent.side_effects === true ? undefined : harmlessQuestion(health))) : undefined;
    const test = text === undefined ? undefined : await agents.test({ agent: name, text });
    if (json) stdout.write(`${harmlessJson({ ...agent, health, test })}\n`);
    else stdout.write(`Added ${name}.\n${healthText(health)}${test ? questionText(text) : ""}`);
    if (test && !json) (isAnswered(test) ? stdout : stderr).write(outcomeText(test));
    if (health.status === "unhealthy" || (test && !isAnswered(test))) {
      stderr.write(`It does not answer. Fix it, then: crosszone agents test ${name}\n`);
      return exitCodes.failed;
    }
    if (!json) stdout.write(`Ask it: crosszone ask ${name} "…"   In Slack: ask ${name}: …\n`);
    return exitCodes.done;
  },
});

/** Returns an example question of an agent's card, which its author offers to anyone; undefined if there is none. */
function harmlessQuestion({ card }: AgentHealth): string | undefined {
  if (!card) return "Hello";
  const skills = Array.isArray(card["skills"]) ? (card["skills"] as { readonly examples?: unknown }[]) : [];
  const examples = skills.flatMap((skill): unknown[] => (Array.isArray(skill?.examples) ? skill.examples : []));
  return examples.find((example): example is string => typeof example === "string" && example.trim() !== "");
}

/** Throws a `UsageError` with a suggestion for a name that people in Slack and shells would have to quote. */
function checkName(name: string): void {
  if (/^[\w.-]+$/.test(name)) return;
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  const hint = slug === "" ? "" : ` Try: ${slug}`;
  throw new UsageError(`<agent> must have letters, digits, - _ and . only, got "${harmlessLine(name)}".${hint}`);
}

export const setAgent: Command = defineCommand({
  name: "agents set",
  summary: "Changes the settings of a registered agent. Settings that you leave out stay as they are.",
  operands: ["<agent>"],
  options: { url: { flags: "--url <url>", help: "URL of the agent or of its card" }, ...settingOptions },
  examples: [["crosszone agents set counter --url http://127.0.0.1:8091 --timeout 2m", "it has moved"]],
  run: async ({ values: { url, json: _json, ...values }, operands: [name = ""] }, { api }) => {
    if (url !== undefined) checkUrl("--url", url);
    const patch = { url, ...settingsIn(values) };
    if (Object.keys(patch).length === 0) throw new UsageError("Nothing to change: name at least one setting.");
    const { agents } = api();
    const agent = await agents.change(name, patch).catch(orNearAgent(agents, name));
    return { json: agent, text: `Changed ${harmlessLine(name)}.\n${settingsText(agent)}` };
  },
});

import type {
  AgentActivity,
  AgentFailedCall,
  AgentFailedCallList,
  AgentHealth,
  AgentRecord,
  AgentSettings,
} from "@crosszone/contracts";
import { dayOfCalls, shortId } from "@crosszone/service-kit/text";
import { RefusedError } from "../api/send.ts";
import { type ParsedCommand, type Command, defineCommand, jsonOption } from "../program/command.ts";
import { checkUrl, pageNotice, pageOptions, readDuration, readNumber, readPage } from "../program/options.ts";
import { exitCodes, UsageError } from "../program/session.ts";
import { shortDuration, factsText, harmlessJson, harmlessLine, ownName, table } from "../text/terminal-text.ts";
import {
  agentConformance,
  agentsMigrateCommand,
  agentsTestCommand,
  healthText,
  isAnswered,
  questionText,
  rollBackAgents,
  testOutcomeText,
} from "./agents-test.ts";
import { peopleOf } from "./tasks.ts";
import { orNearAgent } from "../program/unknown-names.ts";

const agentsListCommand: Command = defineCommand({
  name: "agents list",
  summary: "Lists the registered agents by name, with their calls and failures of 24 hours, and what waits for them.",
  options: {
    waiting: { flags: "--waiting", help: "only agents that questions wait for" },
    ...pageOptions,
    json: jsonOption,
  },
  examples: [
    ["crosszone agents", "short form of the same"],
    ["crosszone agents list --waiting", "which agents people wait for"],
  ],
  run: async ({ values }, { api }) => {
    const list = await api().agents.list({ ...readPage(values), waiting: values.waiting });
    const rows = list.agents.map(({ name, protocol, enabled, url, activity }) => {
      const { circuit = "", failed_at, failure = "" } = activity ?? {};
      const failed = failed_at === undefined ? "" : `${failure} ${agoOf(failed_at)}`;
      return [
        name,
        protocol,
        enabled ? "on" : "off",
        circuit,
        waitingText(activity),
        dayOfCalls(activity),
        failed,
        url,
      ];
    });
    const head = ["AGENT", "PROTOCOL", "STATE", "CIRCUIT", "WAITING", "24 HOURS", "LAST FAILURE", "URL"];
    return { json: list, text: { head, rows, none: "No agents." }, notice: pageNotice(list, rows.length) };
  },
});

const showAgent: Command = defineCommand({
  name: "agents show",
  summary: "Shows an agent's settings, what its card says, its calls of 24 hours, and what waits for it.",
  operands: ["<agent>"],
  options: {
    waiting: { flags: "--waiting", help: "also list the questions that wait for it" },
    failed: { flags: "--failed", help: "also list its failed calls, and the workflow and step that made each" },
    json: jsonOption,
  },
  examples: [
    ["crosszone agents show counter --json", "for programs"],
    ["crosszone agents show counter --waiting", "which people wait for it, and since when"],
    ["crosszone agents show counter --failed", "in which workflows and questions it fails"],
  ],
  run: async ({ values: { waiting, failed }, operands: [name = ""] }, session) => {
    const { agents, tasks } = session.api();
    const agent = await agents.get(name).catch(orNearAgent(agents, name));
    const failures = failed === true ? await agents.failedCalls(name, { limit: 200, offset: 0 }) : undefined;
    const settings = settingsText(agent) + (failures === undefined ? "" : `\n${failuresText(failures)}`);
    if (waiting !== true) return { json: { ...agent, failures }, text: settings };
    const waits = await tasks.list({ agent: name, open: true, limit: 20, offset: 0 });
    const people = await peopleOf(waits.tasks, session);
    const rows = waits.tasks.map((task, at) => [
      people[at] ?? "",
      shortId(task.task_id),
      task.agent,
      agoOf(task.created_at),
    ]);
    const list = rows.length === 0 ? "No question waits for it.\n" : table(["PERSON", "TASK", "ASKED", "SINCE"], rows);
    const notice = pageNotice(waits, rows.length).replace(
      "--limit",
      `${ownName} tasks list --agent ${name} --open: --limit`,
    );
    return { json: { ...agent, failures, waiting: waits }, text: `${settings}\n${list}`, notice };
  },
});

const enableAgent: Command = switchCommand("enable", "Turns an agent on.");

const disableAgent: Command = switchCommand("disable", "Turns an agent off. Its settings are kept.");

const removeAgent: Command = defineCommand({
  name: "agents remove",
  summary: "Deletes an agent from the registry. Remove agents of EXECUTION_FILE in that file.",
  operands: ["<agent>"],
  examples: [["crosszone agents remove counter", "people can no longer ask it"]],
  run: async ({ operands: [name = ""] }, { api }) => {
    const { agents } = api();
    await agents.remove(name).catch(orNearAgent(agents, name));
    return { text: `Removed ${harmlessLine(name)}.\n` };
  },
});

function switchCommand(change: "enable" | "disable", summary: string): Command {
  return defineCommand({
    name: `agents ${change}`,
    summary,
    operands: ["<agent>"],
    options: { json: jsonOption },
    examples: [[`crosszone agents ${change} counter`, summary.replace(/[.;].*$/, "").toLowerCase()]],
    run: async ({ operands: [name = ""] }, { api }) => {
      const { agents } = api();
      const agent = await agents[change](name).catch(orNearAgent(agents, name));
      return { json: agent, text: `${harmlessLine(agent.name)} is ${agent.enabled ? "on" : "off"}.\n` };
    },
  });
}

const agoOf = (at: string): string => `${shortDuration(Date.now() - Date.parse(at))} ago`;

function waitingText({ waiting = 0, waiting_since }: Partial<AgentActivity> = {}): string {
  return waiting_since === undefined ? String(waiting) : `${waiting}, oldest ${agoOf(waiting_since)}`;
}

/** Lists failed calls, each with the step or the question that made it. */
function failuresText({ calls, total }: AgentFailedCallList): string {
  if (total === 0) return "No call has failed in 7 days.\n";
  const rows = calls.map((call) => [agoOf(call.at), call.kind, String(call.attempts), ...makerOf(call)]);
  return table(["FAILED", "WHY", "ATTEMPTS", "MADE BY", "ID"], rows);
}

function makerOf({ made_by, workflow_id, path, run_id, correlation_id }: AgentFailedCall): [string, string] {
  if (made_by === "run") return [workflow_id === undefined ? "a run" : `${workflow_id}, step ${path}`, run_id];
  return [{ task: "a question", program: "a program", test: "a test" }[made_by], correlation_id];
}

/** Returns what the agent's card says, where the registration says nothing. */
function descriptionText({ description, card }: AgentRecord): string {
  return description || !card?.description ? description : `${card.description} (its card)`;
}

function settingsText(agent: AgentRecord): string {
  const { name, url, card, protocol, auth, enabled, source } = agent;
  const { timeout_ms, max_concurrency, previous, updated_at, activity } = agent;
  const { failed_at, failure } = activity ?? {};
  return factsText({
    name,
    url,
    description: descriptionText(agent),
    examples:
      card?.skills.flatMap(({ examples }) => examples.map((text) => JSON.stringify(text))).join(", ") || undefined,
    protocol,
    auth: auth.type,
    state: enabled ? "on" : "off",
    source,
    timeout: `${timeout_ms / 1_000} s`,
    concurrency: String(max_concurrency),
    before: previous && `${previous.protocol} at ${previous.url}, until ${previous.at}`,
    updated: updated_at,
    circuit: activity?.circuit,
    "last failure": failed_at && `${failure}, ${failed_at} (${agoOf(failed_at)})`,
    waiting: activity && waitingText(activity),
    "24 hours": activity && dayOfCalls(activity),
  });
}

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

type SettingValues = ParsedCommand<typeof settingOptions>["values"];

function settingsIn({ description, protocol, timeout, bearer, sideEffects }: SettingValues): Partial<AgentSettings> {
  if (sideEffects !== undefined && !/^(yes|no)$/.test(sideEffects))
    throw new UsageError(`--side-effects must be yes or no, got "${harmlessLine(sideEffects)}".`);
  return {
    description,
    protocol,
    timeout_ms: timeout === undefined ? undefined : readDuration("--timeout", timeout),
    auth: bearer === undefined ? undefined : { type: "bearer", token: bearer },
    side_effects: sideEffects === undefined ? undefined : sideEffects === "yes",
  };
}

const addAgent: Command = defineCommand({
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
      throw new UsageError(`The agent "${name}" exists already. Change it with: ${ownName} agents set ${name} …`);
    });
    const health = await agents.check(name);
    const isAsked = health.status !== "unhealthy" && question !== false;
    const text = isAsked ? (ask ?? (agent.side_effects === true ? undefined : harmlessQuestion(health))) : undefined;
    const test = text === undefined ? undefined : await agents.test({ agent: name, text });
    if (json) stdout.write(`${harmlessJson({ ...agent, health, test })}\n`);
    else stdout.write(`Added ${name}.\n${healthText(health)}${test ? questionText(text) : ""}`);
    if (test && !json) (isAnswered(test) ? stdout : stderr).write(testOutcomeText(test));
    if (health.status === "unhealthy" || (test && !isAnswered(test))) {
      stderr.write(`It does not answer. Fix it, then: ${ownName} agents test ${name}\n`);
      return exitCodes.failed;
    }
    if (!json) stdout.write(`Ask it: ${ownName} ask ${name} "…"   In Slack: ask ${name}: …\n`);
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

const setAgent: Command = defineCommand({
  name: "agents set",
  summary: "Changes the settings of a registered agent. Settings that you leave out stay as they are.",
  operands: ["<agent>"],
  options: { url: { flags: "--url <url>", help: "URL of the agent or of its card" }, ...settingOptions },
  examples: [["crosszone agents set counter --url http://127.0.0.1:8091 --timeout 2m", "it has moved"]],
  run: async ({ values: { url, json: _json, ...values }, operands: [name = ""] }, { api }) => {
    if (url !== undefined) checkUrl("--url", url);
    const patch = { url, ...settingsIn(values) };
    if (Object.values(patch).every((value) => value === undefined))
      throw new UsageError("Nothing to change: name at least one setting.");
    const { agents } = api();
    const agent = await agents.change(name, patch).catch(orNearAgent(agents, name));
    return { json: agent, text: `Changed ${harmlessLine(name)}.\n${settingsText(agent)}` };
  },
});

const agentsDevCommand: Command = defineCommand({
  name: "agents dev",
  summary: "Runs your agent beside a local Slack, which shows every exchange, and restarts it on edits.",
  operands: ["[file, folder or url]"],
  options: {
    command: { flags: "--command <line>", help: "the command line that starts the agent, run in the target's folder" },
    port: { flags: "--port <port>", help: "the agent's own port, if it does not read PORT" },
    protocol: { flags: "--protocol <protocol>", help: "auto (default), a2a-1.0, jsonrpc-2.0 or simple-a2a" },
    name: { flags: "--name <name>", help: "the agent's name in Slack (default: its card's name)" },
  },
  examples: [
    ["crosszone agents dev agent.py", "run it, ask it, edit it"],
    ["crosszone agents dev --command 'npm start'", "start it with a command line, in this folder"],
    ["crosszone agents dev http://127.0.0.1:8090", "an agent that runs already"],
  ],
  run: async ({ values, operands: [target] }, session) => {
    const { command, port, protocol, name } = values;
    if (target === undefined && command === undefined)
      throw new UsageError("Name the agent's file, folder or URL, or give its command: --command <line>.");
    const { runDev } = await import("../agent-dev/run-dev.ts");
    const ownPort = port === undefined ? undefined : readNumber("--port", port, [1, 65_535]);
    return runDev({ target: target ?? ".", command, protocol, name, port: ownPort }, session);
  },
});

/** In the order of the help. */
export const agentCommands: readonly Command[] = [
  agentsListCommand,
  showAgent,
  addAgent,
  setAgent,
  agentsTestCommand,
  enableAgent,
  disableAgent,
  removeAgent,
  agentConformance,
  agentsMigrateCommand,
  rollBackAgents,
  agentsDevCommand,
];

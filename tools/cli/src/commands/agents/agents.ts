import type {
  AgentActivity,
  AgentFailedCall,
  AgentFailedCallList,
  AgentHealth,
  AgentRecord,
  AgentSettings,
} from "@crosszone/contracts";
import { dayOfCalls, shortId } from "@crosszone/service-kit/text";
import { RefusedError } from "../../api/send.ts";
import { type Command, defineCommand, jsonOption, type ParsedCommand } from "../../program/command.ts";
import { checkUrl, readDuration, readNumber } from "../../program/options.ts";
import { actRow, listRow } from "../../program/row.ts";
import { exitCodes, UsageError } from "../../program/session.ts";
import { factsText, harmlessJson, harmlessLine, ownName, shortDuration, table } from "../../text/terminal-text.ts";
import { peopleOf } from "../ask/tasks.ts";
import { agentsMigrateCommand, rollBackAgents } from "./agents-migrate.ts";
import { agentsTest, healthText, isAnswered, questionText, testOutcomeText } from "./agents-test.ts";
import { agentConformance } from "./conformance.ts";

const agentsList = listRow({
  name: "agents list",
  operation: "listAgents",
  summary: "Lists the registered agents by name, with their calls and failures of 24 hours, and what waits for them.",
  examples: [
    ["crosszone agents", "short form of the same"],
    ["crosszone agents list --waiting", "which agents people wait for"],
  ],
  of: ({ agents }) => agents,
  columns: ({ name, protocol, enabled, url, activity }) => ({
    AGENT: name,
    PROTOCOL: protocol,
    STATE: enabled ? "on" : "off",
    CIRCUIT: activity?.circuit ?? "",
    WAITING: waitingText(activity),
    "24 HOURS": dayOfCalls(activity),
    "LAST FAILURE": activity?.failed_at === undefined ? "" : `${activity.failure} ${agoOf(activity.failed_at)}`,
    URL: url,
  }),
  none: "No agents.",
  names: { kind: "agent", of: ({ name }) => name },
});

const operands = { name: "<agent>" };

const showAgent = actRow({
  name: "agents show",
  operation: "getAgent",
  summary: "Shows an agent's settings, what its card says, its calls of 24 hours, and what waits for it.",
  operands,
  options: {
    waiting: { flags: "--waiting", help: "also list the questions that wait for it" },
    failed: { flags: "--failed", help: "also list its failed calls, and the workflow and step that made each" },
  },
  examples: [
    ["crosszone agents show counter --json", "for programs"],
    ["crosszone agents show counter --waiting", "which people wait for it, and since when"],
    ["crosszone agents show counter --failed", "in which workflows and questions it fails"],
  ],
  show: async (shown, { values: { waiting, failed }, session, api }) => {
    const { name } = shown;
    const failures = failed === true ? await api.call("listFailedCalls", { name, limit: 200 }) : undefined;
    const settings = settingsText(shown) + (failures === undefined ? "" : `\n${failuresText(failures)}`);
    if (waiting !== true) return { json: { ...shown, failures }, text: settings };
    const waits = await api.call("listTasks", { agent: name, open: true, limit: 20 });
    const people = await peopleOf(waits.tasks, session);
    const rows = waits.tasks.map((task, at) => [
      people[at] ?? "",
      shortId(task.task_id),
      task.agent,
      agoOf(task.created_at),
    ]);
    const list = rows.length === 0 ? "No question waits for it.\n" : table(["PERSON", "TASK", "ASKED", "SINCE"], rows);
    const more = `There are ${waits.total}: ${ownName} tasks list --agent ${name} --open\n`;
    const notice = waits.total === rows.length ? "" : more;
    return { json: { ...shown, failures, waiting: waits }, text: `${settings}\n${list}`, notice };
  },
});

const switchRow = (operation: "enableAgent" | "disableAgent", summary: string): Command =>
  actRow({
    name: `agents ${operation.replace("Agent", "")}`,
    operation,
    summary,
    operands,
    examples: [
      [`crosszone agents ${operation.replace("Agent", "")} counter`, summary.replace(/[.;].*$/, "").toLowerCase()],
    ],
    show: ({ name, enabled }) => `${harmlessLine(name)} is ${enabled ? "on" : "off"}.\n`,
  });

const removeAgent = actRow({
  name: "agents remove",
  operation: "deleteAgent",
  summary: "Deletes an agent from the registry. Remove agents of EXECUTION_FILE in that file.",
  operands,
  examples: [["crosszone agents remove counter", "people can no longer ask it"]],
  show: (_, { operands: [name = ""] }) => `Removed ${harmlessLine(name)}.\n`,
});

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
    json: jsonOption,
  },
  examples: [
    ["crosszone agents add counter http://127.0.0.1:8090", "an agent on this machine"],
    ['crosszone agents add counter http://127.0.0.1:8090 --ask "How many words?"', "with a question of your own"],
    ["crosszone agents add mine https://a.example.com --bearer env:AGENT_SECRET_MINE", "an agent that needs a token"],
  ],
  run: async (call, { api: open, stdout, stderr }) => {
    const [name = "", url = ""] = call.operands;
    const { ask, question, json, ...values } = call.values;
    checkUrl("<url>", url);
    checkName(name);
    const api = open();
    const body = { name, url, ...settingsIn(values) };
    const added = await api.call("createAgent", { body }).catch((error: unknown) => {
      if (!(error instanceof RefusedError) || error.kind !== "name-taken") throw error;
      throw new UsageError(`The agent "${name}" exists already. Change it with: ${ownName} agents set ${name} …`);
    });
    const health = await api.call("checkAgent", { name });
    const isAsked = health.status !== "unhealthy" && question !== false;
    const text = isAsked ? (ask ?? (added.side_effects === true ? undefined : harmlessQuestion(health))) : undefined;
    const test = text === undefined ? undefined : await api.call("testAgent", { body: { agent: name, text } });
    if (json) stdout.write(`${harmlessJson({ ...added, health, test })}\n`);
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

const setAgent = actRow({
  name: "agents set",
  operation: "changeAgent",
  summary: "Changes the settings of a registered agent. Settings that you leave out stay as they are.",
  operands,
  options: { url: { flags: "--url <url>", help: "URL of the agent or of its card" }, ...settingOptions },
  examples: [["crosszone agents set counter --url http://127.0.0.1:8091 --timeout 2m", "it has moved"]],
  ask: ({ values: { url, ...values } }) => {
    if (url !== undefined) checkUrl("--url", url);
    const body = { url, ...settingsIn(values) };
    if (Object.values(body).some((value) => value !== undefined)) return { body };
    throw new UsageError("Nothing to change: name at least one setting.");
  },
  show: (changed) => `Changed ${harmlessLine(changed.name)}.\n${settingsText(changed)}`,
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
    const { runDev } = await import("../../agent-dev/run-dev.ts");
    const ownPort = port === undefined ? undefined : readNumber("--port", port, [1, 65_535]);
    return runDev({ target: target ?? ".", command, protocol, name, port: ownPort }, session);
  },
});

/** In the order of the help. */
export const agentCommands: readonly Command[] = [
  agentsList,
  showAgent,
  addAgent,
  setAgent,
  agentsTest,
  switchRow("enableAgent", "Turns an agent on."),
  switchRow("disableAgent", "Turns an agent off. Its settings are kept."),
  removeAgent,
  agentConformance,
  agentsMigrateCommand,
  rollBackAgents,
  agentsDevCommand,
];

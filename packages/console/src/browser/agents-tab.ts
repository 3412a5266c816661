import type { AgentFailedCall, AgentFailedCallList, AgentRecord, AgentTest, TaskList } from "@crosszone/contracts";
import { asksBack, dayOfCalls, showUnseen, visibleLine } from "@crosszone/service-kit/text";
import { type ComponentChild, type ComponentChildren, h } from "preact";
import { confirmed } from "./dialog.ts";
import { factList, idChip, whyFailed, muted, saidLine, section, showContent, stateChip, timeMark } from "./frame.ts";
import { type Column, keepFresh, type List, openList, rowLink, rowTable } from "./list.ts";
import type { Place, Tab } from "./navigation.ts";
import { may } from "./session.ts";
import { JsonView } from "./values.ts";
import { countText, durationText, type ShownState, timesText } from "./words.ts";

/** Lists the agents with their failures and who waits for them, and shows one. */
export const agentsTab: Tab = {
  name: "Agents",
  segments: ["agents"],
  scope: "runs:read",
  open: (place) => {
    const [, name] = place.parts;
    if (name === undefined) openList(place, agentList(place));
    else openAgentView(place, name);
  },
};

/** Describes an agent: by its registration, and where that says nothing by its card. */
const aboutOf = ({ card, description }: AgentRecord): string => visibleLine(description || (card?.description ?? ""));

const waits = (
  { activity: { waiting, waiting_since } = { waiting: 0 } }: AgentRecord,
  now: number,
): ComponentChildren =>
  waiting_since === undefined ? "No one waits" : [`${countText(waiting)} wait, oldest `, timeMark(waiting_since, now)];

const lastFailure = ({ activity }: AgentRecord, now: number): ComponentChildren =>
  activity?.failed_at === undefined
    ? "No failure in a day"
    : [`${activity.failure?.replaceAll("_", " ") ?? ""} `, timeMark(activity.failed_at, now)];

const eitherOr = (yes: string, no: string) => Object.entries({ "": "All", true: yes, false: no });

const agentList = ({ api, signal }: Place): List<AgentRecord> => ({
  title: "Agents",
  fields: [
    { name: "q", label: "Name or description" },
    { name: "waiting", label: "Waiting", options: eitherOr("People wait", "No one waits") },
    { name: "enabled", label: "Enabled", options: eitherOr("On", "Off") },
  ],
  columns: [
    { head: "State", area: "state", cell: (agent) => stateChip(...standing(agent)) },
    {
      head: "Agent",
      area: "name",
      cell: (agent) => [
        rowLink(`/console/agents/${encodeURIComponent(agent.name)}`, visibleLine(agent.name)),
        h("span", { class: "muted" }, aboutOf(agent)),
      ],
    },
    { head: "24 hours", area: "more", cell: ({ activity }) => dayOfCalls(activity) },
    { head: "Who waits", area: "end", cell: waits },
    { head: "Last failure", area: "when", cell: lastFailure },
  ],
  read: async (filter) => {
    const { agents, next_cursor } = await api.call("listAgents", { ...filter, limit: 50 }, signal);
    return { rows: agents, next: next_cursor };
  },
  keyOf: ({ name }) => name,
  stateOf: (agent) => standing(agent)[0],
  empty: "No agents yet. Add one with crosszone agents add, or in the section agents of EXECUTION_FILE.",
});

/** Whether calls reach an agent, as far as the zone knows. */
function standing({ activity, enabled }: AgentRecord): readonly [look: ShownState, words: string] {
  const { circuit, ended = 0, failed = 0, waiting = 0 } = activity ?? {};
  if (!enabled) return ["skipped", "Off"];
  if (circuit === "open") return ["failed", "Circuit open"];
  if (circuit === "half_open") return ["timed_out", "Circuit half-open"];
  if (failed > 0) return failed === ended ? ["failed", "Fails"] : ["timed_out", "Fails at times"];
  if (ended > 0) return ["succeeded", "Answers"];
  return waiting > 0 ? ["running", "In work"] : ["pending", "Not called lately"];
}

/** What the user did on the page of an agent, and what came of it. */
interface Done {
  said: string;
  test?: AgentTest | "running";
}

type ShownAgent = readonly [agent: AgentRecord, waiting: TaskList, failed: AgentFailedCallList];

const changesOf = (name: string): string => `/console/audit?target=${encodeURIComponent(`agent:${name}`)}`;

/** Shows an agent, tests it and changes it. */
function openAgentView(place: Place, name: string): void {
  const { api, session, signal } = place;
  const done: Done = { said: "" };
  document.title = `${visibleLine(name)} · Agents · Crosszone`;

  const fresh = keepFresh<ShownAgent>(place, {
    read: () => {
      const waiting = api.call("listTasks", { agent: name, open: true, limit: 20 }, signal);
      const failed = api.call("listFailedCalls", { name, limit: 50 }, signal);
      return Promise.all([api.call("getAgent", { name }, signal), waiting, failed]);
    },
    pauseMs: () => 10_000,
    show: (shown) => {
      if (shown === undefined) return;
      const [agent, waiting, failed] = shown;
      const acts = may(session, "agents:write") ? { change, test } : undefined;
      showContent(
        h(
          "div",
          { class: "agent" },
          agentHeader(agent, done, acts),
          testResult(done.test),
          failedCalls(failed, api.now()),
          waitingList(waiting, api.now()),
          section("Settings in force", settings(agent)),
          may(session, "audit:read") &&
            section("Changes", h("a", { href: changesOf(name) }, "Changes in the audit log")),
        ),
      );
    },
  });

  /** Does something, and shows what came of it; an error as a sentence. */
  async function run(act: () => Promise<unknown>): Promise<void> {
    done.said = await whyFailed(act());
    fresh.refresh();
  }

  function test(text: string): void {
    done.test = "running";
    fresh.show();
    void run(async () => {
      delete done.test;
      done.test = await api.call("testAgent", { body: { agent: name, text } });
    });
  }

  async function change(isOn: boolean): Promise<void> {
    const [verb, look] = isOn ? (["Enable", "primary"] as const) : (["Disable", "dangerous"] as const);
    const text = isOn ? "People can ask it at once." : "It gets no more questions. Its settings are kept.";
    const question = { title: `${verb} this agent?`, text, yes: `${verb} agent`, no: "Change nothing", look };
    done.said = await confirmed(question, () => api.call(isOn ? "enableAgent" : "disableAgent", { name }));
    fresh.refresh();
  }
}

interface AgentActs {
  readonly change: (isOn: boolean) => Promise<void>;
  readonly test: (text: string) => void;
}

/** `acts`: undefined when the user may not change agents. */
function agentHeader(agent: AgentRecord, { said, test }: Done, acts: AgentActs | undefined): ComponentChild {
  const { enabled, name, source } = agent;
  const [look, verb] = enabled ? ["dangerous", "Disable…"] : ["primary", "Enable…"];
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    acts?.test(new FormData(event.currentTarget as HTMLFormElement).get("text") as string);
  }
  // The zone rejects changes of an agent that a file declares.
  const switches = acts && source === "api";
  return h(
    "header",
    { class: "surface" },
    h(
      "div",
      { class: "run-title" },
      h("h1", null, visibleLine(name)),
      h("span", { class: "state" }, stateChip(...standing(agent))),
      h(
        "div",
        { class: "choices" },
        switches && h("button", { class: look, onClick: () => void acts.change(!enabled) }, verb),
      ),
    ),
    muted(aboutOf(agent)),
    examples(agent),
    muted(`In 24 hours: ${dayOfCalls(agent.activity)}`),
    acts &&
      h(
        "form",
        { class: "find", onSubmit: submit },
        h("input", { name: "text", "aria-label": "Question", required: true, defaultValue: "Hello! What can you do?" }),
        h("button", { disabled: test === "running" }, test === "running" ? "Testing…" : "Test"),
      ),
    saidLine(said),
  );
}

const healthWords = { healthy: "healthy", reachable: "without an agent card", unhealthy: "not healthy" } as const;

function testResult(test: Done["test"]): ComponentChild {
  if (test === undefined || test === "running") return undefined;
  const { duration_ms, failure, health, output, status } = test;
  const isAsking = asksBack(failure?.kind);
  const said = isAsking ? "Asked back" : "Answered";
  const chip = isAsking || status === "answered" ? stateChip("succeeded", said) : stateChip("failed", "Failed");
  return section(
    "Test",
    h("p", { role: "status" }, chip, ` in ${durationText(duration_ms)}, ${healthWords[health.status]}`),
    [health.problem, failure?.message].map((text) => text !== undefined && h("p", { class: "said" }, showUnseen(text))),
    output !== undefined && h(JsonView, { value: output }),
  );
}

/** Lists the latest failed calls, with the way to the step or the question that made each. */
function failedCalls({ calls, total }: AgentFailedCallList, now: number): ComponentChild {
  const columns: Column<AgentFailedCall>[] = [
    { head: "Why", area: "state", cell: ({ kind }) => stateChip("failed", kind.replaceAll("_", " ")) },
    { head: "Made by", area: "name", cell: makerOf },
    { head: "Attempts", area: "more", cell: ({ attempts }) => timesText(attempts) },
    { head: "Ended", area: "when", cell: ({ at }) => timeMark(at, now) },
  ];
  const keyOf = ({ at, run_id, task_id }: AgentFailedCall): string => JSON.stringify([run_id, task_id, at]);
  const rest = total - calls.length;
  const more = rest > 0 ? `, the latest ${String(calls.length)} of ${countText(total)}` : "";
  return calls.length === 0
    ? section("Failed calls", muted("No call has failed in 7 days."))
    : h(
        "section",
        { class: "surface list usage", key: "failed" },
        h("h2", { id: "failed-title" }, `Failed calls${more}`),
        rowTable({ columns, keyOf, labelledBy: "failed-title" }, calls, now),
      );
}

function makerOf({ correlation_id, made_by, path, run_id, workflow_id }: AgentFailedCall): ComponentChild {
  if (made_by === "run") {
    if (workflow_id === undefined || path === undefined) return "A run that is deleted";
    const step = new URLSearchParams({ step: path }).toString();
    const words = `${workflow_id}, step ${path}`;
    return rowLink(`/console/runs/${encodeURIComponent(run_id)}#${step}`, words);
  }
  if (made_by === "task")
    return rowLink(
      `/console/messages/${encodeURIComponent(correlation_id)}`,
      `Question ${visibleLine(correlation_id)}`,
    );
  return made_by === "test" ? "A test of the agent" : "A program on Kafka";
}

/** Lists what people can ask an agent, as the author of its card says. */
const examples = ({ card }: AgentRecord): ComponentChild => {
  const all = card?.skills.flatMap((skill) => skill.examples.map((example) => `“${visibleLine(example)}”`)) ?? [];
  return all.length > 0 && muted(`Its card offers: ${all.join(", ")}`);
};

function waitingList({ tasks, total }: TaskList, now: number): ComponentChild {
  const rows = tasks.map(({ correlation_id, created_at, task_id, title }) => {
    const href = `/console/messages/${encodeURIComponent(correlation_id)}`;
    return h(
      "li",
      { key: task_id },
      h("a", { href }, title === undefined ? idChip(correlation_id) : visibleLine(title)),
      " asked ",
      timeMark(created_at, now),
    );
  });
  const rest = total - rows.length;
  return section(
    "Who waits",
    rows.length === 0 ? muted("No one waits for it.") : h("ul", null, rows),
    rest > 0 && muted(`And ${countText(rest)} more.`),
  );
}

function settings(agent: AgentRecord): ComponentChild {
  const { auth, breaker, max_concurrency, previous, protocol, retry, side_effects, source, timeout_ms, updated_at } =
    agent;
  return factList([
    ["Address", h("span", { class: "path" }, visibleLine(agent.url))],
    ["Protocol", protocol],
    ["Credentials", auth.type],
    ["Timeout", durationText(timeout_ms)],
    ["Calls at once", countText(max_concurrency)],
    ["Retries", `${String(retry.max_retries)}, ${durationText(retry.base_ms)} to ${durationText(retry.max_ms)} apart`],
    ["Circuit", `opens after ${String(breaker.failures)} failures, for ${durationText(breaker.open_ms)}`],
    ["Side effects", side_effects === true ? "yes" : "no"],
    ["Before", previous && `${previous.protocol} at ${visibleLine(previous.url)}`],
    ["Declared in", source === "file" ? "the section agents of EXECUTION_FILE" : "the API"],
    ["Changed", new Date(updated_at).toLocaleString()],
  ]);
}

import type { AgentAuditList, AgentList, AgentRecord, AgentTest, TaskList } from "@crosszone/contracts";
import { showUnseen, visibleLine } from "@crosszone/service-kit/text";
import { type ComponentChild, type ComponentChildren, h } from "preact";
import { confirmed } from "./dialog.ts";
import { countText } from "./find/message-words.ts";
import { showContent, stateChip, timeMark } from "./frame.ts";
import { keepFresh, type List, openList, rowLink } from "./list.ts";
import type { Place, Tab } from "./navigation.ts";
import { JsonView } from "./run/values.ts";
import { may } from "./session.ts";
import { durationText, type ShownState } from "./words.ts";

/** Lists the agents with what ails them, and shows one. */
export const agentsTab: Tab = {
  name: "Agents",
  segments: ["agents"],
  open: (place) => {
    const [, name] = place.parts;
    if (name === undefined) openList(place, agentList(place));
    else openAgent(place, name);
  },
};

/** Whether calls reach an agent, by what the zone knows of it. */
function standing({ activity, enabled }: AgentRecord): readonly [words: string, look: ShownState] {
  if (!enabled) return ["Off", "skipped"];
  if (activity?.circuit === "open") return ["Circuit open", "failed"];
  if (activity?.circuit === "half_open") return ["Circuit half-open", "timed_out"];
  const { ended = 0, failed = 0 } = activity ?? {};
  if (failed > 0) return failed === ended ? ["Fails", "failed"] : ["Fails at times", "timed_out"];
  return ended > 0 ? ["Answers", "succeeded"] : ["Not called lately", "pending"];
}

const lastHour = ({ activity: { ended = 0, failed = 0 } = { waiting: 0 } }: AgentRecord): string =>
  failed === 0 ? `${countText(ended)} calls` : `${countText(ended)} calls, ${countText(failed)} failed`;

function waits({ activity }: AgentRecord, now: number): ComponentChildren {
  const { waiting = 0, waiting_since } = activity ?? {};
  return waiting_since === undefined ? "0" : [`${countText(waiting)}, oldest `, timeMark(waiting_since, now)];
}

function lastFailure({ activity }: AgentRecord, now: number): ComponentChildren {
  const { failed_at, failure = "" } = activity ?? {};
  return failed_at === undefined ? "None in a day" : [failure.replaceAll("_", " "), " ", timeMark(failed_at, now)];
}

const agentList = ({ api, query, signal }: Place): List<AgentRecord> => ({
  title: "Agents",
  fields: [
    { name: "q", label: "Name or description" },
    {
      name: "waiting",
      label: "Waiting",
      options: [
        ["", "All"],
        ["true", "Questions wait for it"],
        ["false", "Nothing waits"],
      ],
    },
    {
      name: "enabled",
      label: "On",
      options: [
        ["", "All"],
        ["true", "On"],
        ["false", "Off"],
      ],
    },
  ],
  columns: [
    {
      head: "Agent",
      area: "name",
      cell: ({ description, name }) => [
        rowLink(`/console/agents/${encodeURIComponent(name)}`, visibleLine(name)),
        h("span", { class: "muted" }, visibleLine(description)),
      ],
    },
    {
      head: "State",
      area: "state",
      cell: (agent) => {
        const [words, look] = standing(agent);
        return stateChip(look, words);
      },
    },
    { head: "Last hour", area: "more", cell: lastHour },
    { head: "Waiting", area: "end", cell: waits },
    { head: "Last failure", area: "when", cell: lastFailure },
  ],
  read: async ({ cursor = 0, ...filter }) => {
    const offset = Number(cursor);
    const { agents, total } = await api.get<AgentList>("/agents", { ...filter, limit: 50, offset }, signal);
    return { rows: agents, next: offset + agents.length < total ? String(offset + agents.length) : undefined };
  },
  keyOf: ({ name }) => name,
  stateOf: (agent) => standing(agent)[1],
  empty: "No agents yet. Add one with crosszone agents add, or in AGENTS_FILE.",
});

interface ShownAgent {
  readonly agent: AgentRecord;
  readonly waiting: TaskList;
}

/** What the user did on the page of an agent, and what came of it. */
interface Acts {
  said: string;
  test?: AgentTest | "running";
  changes?: AgentAuditList;
}

function openAgent(place: Place, name: string): void {
  const { api, session, signal } = place;
  const at = `/agents/${encodeURIComponent(name)}`;
  const acts: Acts = { said: "" };
  document.title = `${visibleLine(name)} · Agents · Crosszone`;

  const fresh = keepFresh<ShownAgent>(place, {
    read: async () => {
      const [agent, waiting] = await Promise.all([
        api.get<AgentRecord>(at, {}, signal),
        api.get<TaskList>("/tasks", { agent: name, waiting: true, limit: 20 }, signal),
      ]);
      return { agent, waiting };
    },
    pauseMs: () => 10_000,
    show: (shown) => {
      if (shown === undefined) return;
      const { agent, waiting } = shown;
      showContent(
        h(
          "div",
          { class: "agent" },
          agentHeader(agent, acts, may(session, "agents:write") && { switchOn, test }),
          testResult(acts.test),
          waitingList(waiting, api.now()),
          h("section", { class: "surface" }, h("h2", null, "Settings in force"), settings(agent)),
          may(session, "audit:read") && changeList(acts.changes, () => void readChanges(), api.now()),
        ),
      );
    },
  });

  /** Does something and shows what came of it; an error as a sentence. */
  async function run(act: () => Promise<unknown>): Promise<void> {
    acts.said = await act().then(
      () => "",
      (error: unknown) => (error as Error).message,
    );
    fresh.refresh();
  }

  const readChanges = (): Promise<void> =>
    run(async () => {
      acts.changes = await api.get<AgentAuditList>(`${at}/audit`, { limit: 20 }, signal);
    });

  const test = (text: string): Promise<void> => {
    acts.test = "running";
    fresh.show();
    return run(async () => {
      delete acts.test;
      acts.test = await api.act<AgentTest>("/agent-tests", { agent: name, text });
    });
  };

  async function switchOn(isOn: boolean): Promise<void> {
    const question = {
      title: isOn ? "Enable this agent?" : "Disable this agent?",
      text: isOn
        ? "People can ask it again at once."
        : "It gets no more questions. Running calls end. Its settings are kept.",
      yes: isOn ? "Enable agent" : "Disable agent",
      no: "Keep it as it is",
      look: isOn ? "primary" : "dangerous",
    } as const;
    acts.said = await confirmed(question, () => api.act(`${at}/${isOn ? "enable" : "disable"}`));
    fresh.refresh();
  }
}

interface AgentActs {
  readonly switchOn: (isOn: boolean) => Promise<void>;
  readonly test: (text: string) => Promise<void>;
}

function agentHeader(agent: AgentRecord, { said, test }: Acts, acts: AgentActs | false): ComponentChild {
  const [words, look] = standing(agent);
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const text = new FormData(event.currentTarget as HTMLFormElement).get("text") as string;
    if (acts !== false) void acts.test(text);
  }
  return h(
    "header",
    { class: "surface" },
    h(
      "div",
      { class: "run-title" },
      h("h1", null, visibleLine(agent.name)),
      h("span", { class: "state" }, stateChip(look, words)),
      acts &&
        agent.source === "api" &&
        h(
          "button",
          {
            type: "button",
            class: agent.enabled ? "dangerous" : "primary",
            onClick: () => void acts.switchOn(!agent.enabled),
          },
          agent.enabled ? "Disable…" : "Enable…",
        ),
    ),
    h("p", { class: "muted" }, visibleLine(agent.description)),
    acts &&
      h(
        "form",
        { class: "filters", onSubmit: submit },
        h(
          "label",
          null,
          h("span", null, "Question"),
          h("input", { name: "text", required: true, defaultValue: "Hello! What can you do?" }),
        ),
        h("button", { type: "submit", disabled: test === "running" }, test === "running" ? "Testing…" : "Test"),
      ),
    h("p", { class: "said", role: "alert" }, said),
  );
}

const healthWords = {
  healthy: "Healthy",
  reachable: "Reachable, without an agent card",
  unhealthy: "Not healthy",
} as const;

function testResult(test: Acts["test"]): ComponentChild {
  if (test === undefined || test === "running") return undefined;
  const { duration_ms, failure, health, output, status } = test;
  return h(
    "section",
    { class: "surface part", role: "status", "aria-label": "Test" },
    h("h2", null, "Test"),
    h(
      "p",
      null,
      stateChip(status === "answered" ? "succeeded" : "failed", status === "answered" ? "Answered" : "Failed"),
      ` in ${durationText(duration_ms)} · ${healthWords[health.status]}`,
    ),
    health.problem !== undefined && h("p", { class: "said" }, showUnseen(health.problem)),
    failure && h("p", { class: "said" }, showUnseen(failure.message)),
    output !== undefined && h(JsonView, { value: output }),
  );
}

function waitingList({ tasks, total }: TaskList, now: number): ComponentChild {
  const rest = total - tasks.length;
  return h(
    "section",
    { class: "surface", "aria-labelledby": "waiting" },
    h("h2", { id: "waiting" }, "Who waits"),
    tasks.length === 0
      ? h("p", { class: "muted" }, "No question waits for it.")
      : h(
          "ul",
          null,
          tasks.map(({ correlation_id, created_at, task_id }) =>
            h(
              "li",
              { key: task_id },
              h(
                "a",
                { class: "path", href: `/console/messages/${encodeURIComponent(correlation_id)}` },
                correlation_id,
              ),
              " asked ",
              timeMark(created_at, now),
            ),
          ),
        ),
    rest > 0 && h("p", { class: "muted" }, `And ${countText(rest)} more.`),
  );
}

function settings(agent: AgentRecord): ComponentChild {
  const {
    auth,
    breaker,
    max_concurrency,
    previous,
    protocol,
    retry,
    send_thread,
    side_effects,
    source,
    timeout_ms,
    updated_at,
    url,
  } = agent;
  const fact = (name: string, value: ComponentChildren): ComponentChild[] =>
    value === undefined ? [] : [h("dt", null, name), h("dd", null, value)];
  return h(
    "dl",
    { class: "facts" },
    fact("Address", h("span", { class: "path" }, visibleLine(url))),
    fact("Protocol", protocol),
    fact("Credentials", auth.type),
    fact("Timeout", durationText(timeout_ms)),
    fact("Calls at once", countText(max_concurrency)),
    fact(
      "Retries",
      `${countText(retry.max_retries)}, from ${durationText(retry.base_ms)} to ${durationText(retry.max_ms)} apart`,
    ),
    fact("Circuit", `Opens after ${countText(breaker.failures)} failures, for ${durationText(breaker.open_ms)}`),
    fact("Side effects", side_effects === true ? "Yes" : "No"),
    fact("Gets the thread", send_thread === true ? "Yes" : "No"),
    fact("Before", previous && `${previous.protocol} at ${previous.url}`),
    fact("Source", source === "file" ? "AGENTS_FILE: change it there" : "API"),
    fact("Changed", new Date(updated_at).toLocaleString()),
  );
}

function changeList(changes: AgentAuditList | undefined, onOpen: () => void, now: number): ComponentChild {
  return h(
    "section",
    { class: "surface", "aria-labelledby": "changes" },
    h("h2", { id: "changes" }, "Changes"),
    changes === undefined
      ? h("button", { type: "button", onClick: onOpen }, "Show changes")
      : h(
          "ul",
          null,
          changes.entries.map(({ action, actor, at, revision }) =>
            h("li", { key: revision }, `${action.replaceAll("_", " ")} by ${visibleLine(actor)} `, timeMark(at, now)),
          ),
        ),
  );
}

import { setTimeout as pause } from "node:timers/promises";
import type { A2AAgent, Call } from "../a2a/a2a-agent.ts";
import { isEnded, isIdle, stateOf } from "../a2a/read-task.ts";
import { answered, sendAndFollow, optionFor, question, taskOf, type Course } from "../a2a/scenarios.ts";
import { demand, NotJudged, type Check } from "../run/check.ts";
import { objectOf, quoted, type JsonObject } from "../wire/json.ts";
import { a2a } from "./sources.ts";

/** Milliseconds within which a call that does not wait returns. */
export const atOnceMs = 1_500;

const slowCourse = (agent: A2AAgent): Promise<Course> =>
  agent.once("slow", () => sendAndFollow(agent, () => agent.send(question(agent, "slow", optionFor.slow))));

/** Sends the slow question without waiting, and returns its task while it runs. */
export async function runningTask(agent: A2AAgent): Promise<{ readonly task: JsonObject; readonly sent: Call }> {
  const sent = await agent.send(question(agent, "slow", optionFor.slow));
  const task = taskOf(sent, agent);
  if (!task) throw new NotJudged("The slow question is answered without a task.");
  if (isIdle(task)) throw new NotJudged("The slow question was answered at once: give a slower one with --slow.");
  return { task, sent };
}

const wordOf = (task: JsonObject): string => quoted(objectOf(task["status"])?.["state"]);

export const executionChecks: readonly Check<A2AAgent>[] = [
  {
    id: "returns-at-once",
    level: { "a2a-1.0": "must", "jsonrpc-2.0": "should" },
    title: "Returns at once when asked to",
    rule: "With returnImmediately (0.3: blocking false) the call returns a task while the work continues.",
    source: a2a("322-sendmessageconfiguration", "711-messagesendparams-object"),
    fix: "Store the task, answer with its state, and do the work in the background.",
    needs: ["task-members", "get-task"],
    judge: async (agent) => {
      const { sent, message } = await slowCourse(agent);
      if (message) throw new NotJudged("The slow question is answered with a message, without a task.");
      const task = taskOf(sent, agent);
      const seconds = (sent.tookMs / 1_000).toFixed(1);
      demand(task !== undefined, `There is no task: ${sent.problem ?? `HTTP ${sent.status}`}.`, sent);
      demand(sent.tookMs < atOnceMs || !isIdle(task), `The call took ${seconds} s and returned ${wordOf(task)}.`, sent);
    },
  },
  {
    id: "waits-for-the-end",
    level: { "a2a-1.0": "must", "jsonrpc-2.0": "should" },
    title: "Waits for the end otherwise",
    rule: "Without returnImmediately (0.3: with blocking true) the call returns when the task has ended or waits for the caller.",
    source: a2a("322-sendmessageconfiguration", "711-messagesendparams-object"),
    fix: "Hold the response until the task is in a terminal state, input-required or auth-required.",
    needs: ["task-members"],
    explainedBy: ["answer-is-final"],
    judge: async (agent) => {
      const waits = agent.dialect.version === "1.0" ? undefined : true;
      const call = await agent.send(agent.questions.slow ?? agent.questions.answered, { waits });
      const task = taskOf(call, agent);
      if (!task) throw new NotJudged("The answer has no task.");
      demand(isIdle(task), `The call returned while the task was ${wordOf(task)}.`, call);
    },
  },
  {
    id: "states-go-forward",
    level: "must",
    title: "Goes through its states in order",
    rule: "A task is submitted before it works, and its end is the last state.",
    source: a2a("413-taskstate", "63-taskstate-enum"),
    fix: "Don't set the state submitted again, and nothing after a terminal state.",
    needs: ["task-members"],
    judge: async (agent) => {
      const { tasks, last } = agent.questions.slow === undefined ? await answered(agent) : await slowCourse(agent);
      const states = tasks.map(stateOf);
      const begun = states.findIndex((state) => state !== "submitted");
      const fellBack = begun !== -1 && states.slice(begun).includes("submitted");
      const ended = tasks.slice(0, -1).some(isEnded);
      demand(!fellBack && !ended, `The states were ${[...new Set(states)].join(", ")}, in this order.`, last);
    },
  },
];

export interface Cancellation {
  readonly task: JsonObject;
  readonly call: Call;
  /** The task 2.5 seconds later, when the slow question would have been answered. */
  readonly later: Promise<Call>;
}

/** Cancels a running task, once. */
export const canceled = (agent: A2AAgent): Promise<Cancellation> =>
  agent.once("canceled", async () => {
    const { task } = await runningTask(agent);
    const call = await agent.call("cancel", { id: task["id"] });
    const later = pause(2_500).then(() => agent.call("get", { id: task["id"] }));
    // Only some of the checks read it.
    later.catch(() => {});
    return { task, call, later };
  });

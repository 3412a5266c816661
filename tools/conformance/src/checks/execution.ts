import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type A2AAgent, type A2ACall, capabilityOf, errorOf } from "../a2a/a2a-agent.ts";
import {
  answered,
  courseOf,
  demandError,
  demandStreamError,
  demandStreaming,
  follow,
  isEnded,
  isIdle,
  payloadOf,
  peek,
  question,
  readTaskStream,
  stateOf,
  taskOf,
} from "../a2a/scenarios.ts";
import { type Check, demand, judging, NotJudged } from "../check.ts";
import { type JsonObject, objectOf, quoted } from "../wire.ts";
import { a2a, a2a1 } from "./sources.ts";
import { endedTask } from "./tasks.ts";

/** Milliseconds within which a call that does not wait returns, and a stream begins. */
export const atOnceMs = 1_500;

/** Sends the slow question without waiting, and returns its task while it runs. */
async function runningTask(agent: A2AAgent): Promise<JsonObject> {
  const task = taskOf(await agent.send(question(agent, "slow")), agent);
  if (!task) throw new NotJudged("The slow question is answered without a task.");
  if (isIdle(task)) throw new NotJudged("The slow question was answered at once: give a slower one with --slow.");
  return task;
}

const wordOf = (task: JsonObject): string => quoted(objectOf(task["status"])?.["state"]);

/** Cancels a running task, once. `later` is the task when the slow question would have been answered. */
const canceled = (agent: A2AAgent) =>
  agent.once("canceled", async () => {
    const task = await runningTask(agent);
    const call = await agent.call("cancel", { id: task["id"] });
    const later = pause(2_500).then(() => agent.call("get", { id: task["id"] }));
    // Only some of the checks read it.
    later.catch(() => {});
    return { task, call, later };
  });

export const executionChecks: readonly Check<A2AAgent>[] = [
  {
    id: "returns-at-once",
    level: { "a2a-1.0": "must", "jsonrpc-2.0": "should" },
    title: "Returns at once when asked to",
    rule: "With returnImmediately (0.3: blocking false) the call returns a task while the work continues.",
    source: a2a("322-sendmessageconfiguration", "711-messagesendparams-object"),
    fix: "Store the task, answer with its state, and do the work in the background.",
    needs: ["task-members", "get-task"],
    alsoAlone: true,
    judge: async (agent) => {
      const { sent, message } = await courseOf(agent, "slow");
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
    title: "Goes through its states in order",
    rule: "A task is submitted before it works, and its end is the last state.",
    source: a2a("413-taskstate", "63-taskstate-enum"),
    fix: "Don't set the state submitted again, and nothing after a terminal state.",
    needs: ["task-members"],
    judge: async (agent) => {
      const { tasks, last } =
        agent.questions.slow === undefined ? await answered(agent) : await courseOf(agent, "slow");
      const states = tasks.map(stateOf);
      const begun = states.findIndex((state) => state !== "submitted");
      const fellBack = begun !== -1 && states.slice(begun).includes("submitted");
      const ended = tasks.slice(0, -1).some(isEnded);
      demand(!fellBack && !ended, `The states were ${[...new Set(states)].join(", ")}, in this order.`, last);
    },
  },
  {
    id: "cancel-unknown",
    title: "Rejects a cancel of an unknown task",
    rule: "Canceling a task that does not exist gets TaskNotFoundError.",
    source: a2a("315-cancel-task", "82-a2a-specific-errors"),
    fix: "Serve CancelTask (0.3: tasks/cancel), and answer with code -32001 for an unknown id.",
    needs: ["get-unknown"],
    judge: async (agent) =>
      demandError(await agent.call("cancel", { id: randomUUID() }), [-32001], "Canceling an unknown task"),
  },
  {
    id: "cancel-ended",
    title: "Rejects a cancel of an ended task",
    rule: "Canceling a task that is completed gets TaskNotCancelableError.",
    source: a2a("315-cancel-task", "82-a2a-specific-errors"),
    fix: "Check the state first, and answer with code -32002 when the task has ended.",
    needs: ["get-task", "cancel-unknown"],
    judge: async (agent) => {
      const { id } = await endedTask(agent);
      demandError(await agent.call("cancel", { id }), [-32002], "Canceling an ended task");
    },
  },
  {
    id: "cancel-running",
    title: "Cancels a running task, or says that it can't",
    rule: "Canceling a running task returns the task, or TaskNotCancelableError.",
    source: a2a("315-cancel-task", "74-taskscancel"),
    fix: "Return the task itself, without a wrapper, after the cancellation.",
    needs: ["returns-at-once", "cancel-unknown"],
    judge: async (agent) => {
      const { call, task } = await canceled(agent);
      if (errorOf(call)?.["code"] === -32002) return;
      const now = taskOf(call, agent);
      demand(now !== undefined, "The result is not a task.", call);
      demand(now["id"] === task["id"], `The result is the task ${quoted(now["id"])}.`, call);
    },
  },
  {
    id: "cancel-state",
    level: "should",
    title: "Sets the state canceled",
    rule: "A canceled task is in the state canceled.",
    source: a2a("315-cancel-task", "63-taskstate-enum"),
    fix: "Stop the work and set the state TASK_STATE_CANCELED (0.3: canceled) before the response.",
    needs: ["cancel-running"],
    judge: async (agent) => {
      const { call, later } = await canceled(agent);
      const now = taskOf(call, agent);
      if (!now) throw new NotJudged("The agent can't cancel this task.");
      const isDone = stateOf(now) === "completed" && call.tookMs < atOnceMs;
      if (isDone) throw new NotJudged("The slow question was answered before it was canceled: give a slower one.");
      const state = isEnded(now) ? stateOf(now) : stateOf(taskOf(await later, agent) ?? {});
      demand(state === "canceled", `The state is ${quoted(state)}.`, call);
    },
  },
  {
    id: "canceled-stays-canceled",
    title: "Leaves a canceled task canceled",
    rule: "A canceled task has ended: work that is still under way does not change it.",
    source: a2a("413-taskstate", "61-task-object"),
    fix: "Drop what the work brings after the cancellation.",
    needs: ["cancel-state"],
    judge: async (agent) => {
      const call = await (await canceled(agent)).later;
      const state = stateOf(taskOf(call, agent) ?? {});
      demand(state === "canceled", `Later the state is ${quoted(state)}.`, call);
    },
  },
];

/** Makes the judge of the stream of a running task, subscribed to while it runs. */
const onSubscription = judging(
  (agent: A2AAgent) =>
    agent.once("subscribed", async () => {
      demandStreaming(agent);
      const { id } = await runningTask(agent);
      return readTaskStream(agent, (options) => agent.call("subscribe", { id }, options));
    }),
  ({ call }) => call,
);

/** Streams the slow question, leaves at the first event, and returns the task's id. */
async function left(agent: A2AAgent): Promise<unknown> {
  demandStreaming(agent);
  const call = await peek(agent, question(agent, "slow"));
  const payload = payloadOf(objectOf(call.events[0]?.json)?.["result"], agent.dialect);
  return payload?.value[payload.kind === "task" ? "id" : "taskId"];
}

async function setPush(agent: A2AAgent): Promise<A2ACall> {
  const { id: taskId } = await endedTask(agent);
  const url = "https://example.com/webhook";
  const params =
    agent.dialect.version === "1.0" ? { taskId, id: "check", url } : { taskId, pushNotificationConfig: { url } };
  return agent.call("push", params);
}

export const subscriptionChecks: readonly Check<A2AAgent>[] = [
  {
    id: "subscribe-running",
    title: "Resumes the stream of a running task",
    rule: "A subscription to a task that runs opens a stream; in 1.0 its first event is the task.",
    source: a2a("316-subscribe-to-task", "79-tasksresubscribe"),
    fix: "Serve SubscribeToTask (0.3: tasks/resubscribe): first the task as it is, then its updates.",
    needs: ["stream-events", "returns-at-once"],
    judge: onSubscription(({ call, payloads }, { dialect }) => {
      const came = errorOf(call) ? `the error ${quoted(errorOf(call)?.["code"])}` : `HTTP ${call.status}`;
      if (payloads.length === 0) return `The subscription gets ${came} and no event.`;
      const first = payloads[0]?.kind;
      return dialect.version === "0.3" || first === "task" || `The first event is ${quoted(first)}.`;
    }),
  },
  {
    id: "subscribe-closes",
    title: "Closes a resumed stream at the end of the task",
    rule: "The stream reports the end of the task and closes.",
    source: a2a("316-subscribe-to-task", "79-tasksresubscribe"),
    fix: "End every stream of a task when the task ends.",
    needs: ["subscribe-running", "stream-closes"],
    judge: onSubscription(({ call, payloads }) => {
      if (call.ended !== "whole") return "The task has ended, and the stream is still open.";
      const last = payloads.at(-1);
      return (last !== undefined && isEnded(last.value)) || "The last event is not the end of the task.";
    }),
  },
  {
    id: "subscribe-ended",
    title: "Rejects a subscription to an ended task",
    rule: "There is nothing to stream of an ended task: UnsupportedOperationError.",
    source: a2a1("316-subscribe-to-task"),
    fix: "Check the state first, and answer with code -32004 when the task has ended.",
    needs: ["stream-opens", "get-task"],
    judge: async (agent) => {
      const { id } = await endedTask(agent);
      demandStreamError(await agent.call("subscribe", { id }), -32004, "A subscription to an ended task");
    },
  },
  {
    id: "subscribe-unknown",
    title: "Rejects a subscription to an unknown task",
    rule: "A subscription to a task that does not exist gets TaskNotFoundError.",
    source: a2a("316-subscribe-to-task", "82-a2a-specific-errors"),
    fix: "Answer with code -32001 for an unknown id.",
    needs: ["stream-opens", "get-unknown"],
    judge: async (agent) => {
      const call = await agent.call("subscribe", { id: randomUUID() });
      demandStreamError(call, -32001, "A subscription to an unknown task");
    },
  },
  {
    id: "stream-left-task-goes-on",
    level: { "a2a-1.0": "must", "jsonrpc-2.0": "should" },
    title: "Goes on when the caller leaves the stream",
    rule: "A task does not depend on the stream: it goes on when the connection closes.",
    source: a2a("352-streaming-event-delivery", "79-tasksresubscribe"),
    fix: "Don't cancel the work when the response is closed. Callers cancel with CancelTask (0.3: tasks/cancel).",
    needs: ["stream-events", "get-task"],
    judge: async (agent) => {
      const id = await left(agent);
      if (id === undefined) throw new NotJudged("The stream has no task.");
      const { tasks, last } = await follow(agent, id);
      const state = stateOf(tasks.at(-1) ?? {});
      demand(state === "completed", `After the caller left, the task is ${quoted(state)}.`, last);
    },
  },
  {
    id: "push-off",
    level: { "a2a-1.0": "must", "jsonrpc-2.0": "should" },
    title: "Rejects push notifications that it does not offer",
    rule: "Without the capability pushNotifications in the card, calls about them get PushNotificationNotSupportedError.",
    source: a2a("334-capability-validation", "82-a2a-specific-errors"),
    fix: "Answer calls about push notifications with code -32003, or set the capability in the card.",
    needs: ["version-spoken", "card-members", "get-task"],
    judge: async (agent) => {
      if (capabilityOf(agent, "pushNotifications")) throw new NotJudged("The card offers push notifications.");
      const codes = agent.dialect.version === "1.0" ? [-32003] : [-32003, -32004, -32601];
      demandError(await setPush(agent), codes, "A push notification configuration");
    },
  },
  {
    id: "push-on",
    title: "Takes push notifications that it offers",
    rule: "With the capability pushNotifications, the agent takes a configuration and returns it, or rejects the URL.",
    source: a2a("317-create-push-notification-config", "75-taskspushnotificationconfigset"),
    fix: "Serve the push notification methods, or take the capability out of the card.",
    needs: ["version-spoken", "card-members", "get-task"],
    judge: async (agent) => {
      if (!capabilityOf(agent, "pushNotifications")) throw new NotJudged("The card offers no push notifications.");
      const call = await setPush(agent);
      const code = errorOf(call)?.["code"];
      demand(![-32003, -32004, -32601].includes(code as number), `The call gets the error ${quoted(code)}.`, call);
    },
  },
];

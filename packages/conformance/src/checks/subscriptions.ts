import { randomUUID } from "node:crypto";
import { type A2AAgent, type Call, capabilityOf, errorOf } from "../a2a/a2a-agent.ts";
import { isEnded, payloadOf, stateOf } from "../a2a/read-task.ts";
import {
  demandError,
  demandStreamError,
  demandStreaming,
  follow,
  peek,
  question,
  readStream,
} from "../a2a/scenarios.ts";
import { type Check, demand, judging, NotJudged } from "../run/check.ts";
import { objectOf, quoted } from "../wire/json.ts";
import { runningTask } from "./execution.ts";
import { endedTask } from "./tasks.ts";
import { a2a, a2a1 } from "./sources.ts";

/** Makes the judge of the stream of a running task, subscribed to while it runs. */
const onSubscription = judging(
  (agent: A2AAgent) =>
    agent.once("subscribed", async () => {
      demandStreaming(agent);
      const { id } = await runningTask(agent);
      return readStream(agent, (options) => agent.call("subscribe", { id }, options));
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

async function setPush(agent: A2AAgent): Promise<Call> {
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

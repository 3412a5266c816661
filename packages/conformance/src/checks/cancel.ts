import { randomUUID } from "node:crypto";
import { errorOf, type A2AAgent } from "../a2a/a2a-agent.ts";
import { isEnded, stateOf } from "../a2a/read-task.ts";
import { demandError, taskOf } from "../a2a/scenarios.ts";
import { demand, NotJudged, type Check } from "../run/check.ts";
import { quoted } from "../wire/json.ts";
import { canceled } from "./execution.ts";
import { endedTask } from "./tasks.ts";
import { a2a } from "./sources.ts";

export const cancelChecks: readonly Check<A2AAgent>[] = [
  {
    id: "cancel-unknown",
    level: "must",
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
    level: "must",
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
    level: "must",
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
      const state = isEnded(now) ? stateOf(now) : stateOf(taskOf(await later, agent) ?? {});
      demand(state === "canceled", `The state is ${quoted(state)}.`, call);
    },
  },
  {
    id: "canceled-stays-canceled",
    level: "must",
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

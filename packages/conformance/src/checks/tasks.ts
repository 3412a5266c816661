import { type A2AAgent, errorOf } from "../a2a/a2a-agent.ts";
import { artifactsOf, isEnded, stateOf } from "../a2a/read-task.ts";
import { answered, answeredTask, demandError, onAnswer, taskOf } from "../a2a/scenarios.ts";
import { type Check, demand, judging, NotJudged } from "../run/check.ts";
import { type JsonObject, objectOf, objectsOf, quoted } from "../wire/json.ts";
import { unknownTask } from "./envelope.ts";
import { a2a } from "./sources.ts";

/** The ended task of the answered question, fetched once more. */
const fetchedAgain = (agent: A2AAgent) =>
  agent.once("fetched again", async () => {
    const ended = await endedTask(agent);
    const call = await agent.call("get", { id: ended["id"] });
    return { ended, call, task: taskOf(call, agent) };
  });

const onFetchedAgain = judging(fetchedAgain, ({ call }) => call);

/** The task that answered the question, which has ended. */
export async function endedTask(agent: A2AAgent): Promise<JsonObject> {
  const { task } = await answeredTask(agent);
  if (!isEnded(task)) throw new NotJudged("Needs a question whose task ends: --question <text>.");
  return task;
}

const patterns = {
  "1.0": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/,
  "0.3": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/,
};

export const taskChecks: readonly Check<A2AAgent>[] = [
  {
    id: "get-unknown",
    title: "Rejects an unknown task with -32001",
    rule: "A task that does not exist gets TaskNotFoundError.",
    source: a2a("313-get-task", "82-a2a-specific-errors"),
    fix: "Serve GetTask (0.3: tasks/get), and answer with code -32001 for an unknown id.",
    needs: ["version-spoken", "error-object"],
    judge: async (agent) => demandError(await unknownTask(agent), [-32001], "A call for an unknown task"),
  },
  {
    id: "get-task",
    title: "Returns a task by its id",
    rule: "Each task can be fetched by its id, with its state and artifacts, also when it has ended.",
    source: a2a("313-get-task", "73-tasksget"),
    fix: "Keep tasks after they have ended, and return them from GetTask (0.3: tasks/get) without a wrapper.",
    needs: ["get-unknown", "task-members"],
    judge: onFetchedAgain(({ ended, task }) => {
      if (!task) return "The id of the answer's task does not lead to a task.";
      return task["id"] === ended["id"] || `The task has the id ${quoted(task["id"])}.`;
    }),
  },
  {
    id: "get-same-answer",
    title: "Returns the same answer again",
    rule: "A fetched task has the artifacts that the caller was given.",
    source: a2a("313-get-task", "73-tasksget"),
    fix: "Store the artifacts with the task.",
    needs: ["get-task"],
    judge: onFetchedAgain(({ ended, task = {} }) => {
      const [then, now] = [ended, task].map((each) => JSON.stringify(artifactsOf(each).map(({ parts }) => parts)));
      return then === now || `The artifacts were ${then}, and are ${now}.`;
    }),
  },
  {
    id: "ended-stays-ended",
    title: "Keeps the state of an ended task",
    rule: "A task that has ended does not change its state.",
    source: a2a("413-taskstate", "61-task-object"),
    fix: "Reject every change of a task in a terminal state.",
    needs: ["get-task"],
    judge: async (agent) => {
      const { call, ended, task } = await fetchedAgain(agent);
      const [then, now] = [stateOf(ended), task && stateOf(task)];
      demand(then === now, `The state was ${then}, and is ${now}.`, call);
      const { tasks, last } = await answered(agent);
      const ends = tasks.map((each) => isEnded(each));
      demand(!ends.slice(0, -1).includes(true), "The state changed after the end.", last);
    },
  },
  {
    id: "ended-rejects-messages",
    title: "Rejects messages to an ended task",
    rule: "A task that has ended accepts no further message: in 1.0 UnsupportedOperationError, in 0.3 an error.",
    source: a2a("311-send-message", "71-messagesend"),
    fix: "Check the state of the task that message.taskId names, and answer with code -32004.",
    needs: ["get-task"],
    judge: async (agent) => {
      const { id, contextId } = await endedTask(agent);
      const call = await agent.send(agent.questions.answered, { message: { taskId: id, contextId } });
      if (agent.dialect.version === "1.0") demandError(call, [-32004], "A message to an ended task");
      else demand(errorOf(call) !== undefined, "A message to an ended task is not rejected.", call);
    },
  },
  {
    id: "timestamp-format",
    title: "Writes timestamps as ISO 8601",
    rule: "A timestamp is an ISO 8601 date and time; in 1.0 it is UTC and ends with Z.",
    source: a2a("561-timestamps", "62-taskstatus-object"),
    fix: "Write 2026-01-31T09:30:00.000Z.",
    needs: ["task-members"],
    judge: onAnswer(({ tasks }, { dialect }) => {
      const all = tasks.map((task) => objectOf(task["status"])?.["timestamp"] ?? undefined);
      const stamps = all.filter((stamp) => stamp !== undefined);
      if (stamps.length === 0) throw new NotJudged("The tasks have no timestamps.");
      const pattern = patterns[dialect.version];
      const wrong = stamps.find((stamp) => typeof stamp !== "string" || !pattern.test(stamp));
      return wrong === undefined || `The timestamp is ${quoted(wrong)}.`;
    }),
  },
  {
    id: "history-limited",
    level: { "a2a-1.0": "must", "jsonrpc-2.0": "should" },
    title: "Returns no more history than wanted",
    rule: "historyLength is the most messages of the history to return, the newest.",
    source: a2a("324-history-length-semantics", "731-taskqueryparams-object"),
    fix: "Return the last historyLength messages.",
    needs: ["get-task"],
    judge: async (agent) => {
      const { id } = await endedTask(agent);
      const call = await agent.call("get", { id, historyLength: 1 });
      const task = taskOf(call, agent);
      demand(task !== undefined, "With historyLength 1 the response has no task.", call);
      const history = objectsOf(task["history"]);
      demand(history.length <= 1, `With historyLength 1 there are ${history.length} messages.`, call);
    },
  },
];

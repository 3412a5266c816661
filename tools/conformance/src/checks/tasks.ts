import { type A2AAgent, type A2ACall, errorOf } from "../a2a/a2a-agent.ts";
import {
  answered,
  answeredTask,
  artifactsOf,
  demandError,
  isEnded,
  onAnswer,
  stateOf,
  taskOf,
} from "../a2a/scenarios.ts";
import { type Check, demand, judging, NotJudged } from "../check.ts";
import { type JsonObject, objectOf, objectsIn, quoted, stringOf } from "../wire.ts";
import { unknownTask } from "./envelope.ts";
import { a2a, a2a1 } from "./sources.ts";

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
      const history = objectsIn(task["history"]);
      demand(history.length <= 1, `With historyLength 1 there are ${history.length} messages.`, call);
    },
  },
];

const source = a2a1("314-list-tasks");

const onList = judging(
  (agent: A2AAgent): Promise<A2ACall> => agent.once("listed", () => agent.call("list", {})),
  (call) => call,
);

const pageOf = ({ response }: A2ACall): JsonObject => objectOf(response?.["result"]) ?? {};

const tasksOf = (call: A2ACall): readonly JsonObject[] => objectsIn(pageOf(call)["tasks"]);

/** Makes the judge of the tasks of the conversation of the answered question. */
const onListOfContext = judging(
  (agent: A2AAgent) =>
    agent.once("listed context", async () => {
      const { task } = await answeredTask(agent);
      const contextId = stringOf(task["contextId"]);
      if (contextId === undefined) throw new NotJudged("The task has no contextId.");
      return { task, contextId, call: await agent.call("list", { contextId }) };
    }),
  ({ call }) => call,
);

export const listChecks: readonly Check<A2AAgent>[] = [
  {
    id: "list-tasks",
    title: "Lists tasks",
    rule: "ListTasks returns tasks, nextPageToken, pageSize and totalSize, also when they are empty or 0.",
    source,
    fix: 'Serve ListTasks with all four members. On the last page nextPageToken is "".',
    needs: ["version-spoken", "error-object"],
    judge: onList((call) => {
      const { tasks, nextPageToken, pageSize, totalSize } = pageOf(call);
      const wrong = [
        Array.isArray(tasks) ? "" : "tasks",
        typeof nextPageToken === "string" ? "" : "nextPageToken",
        Number.isInteger(pageSize) ? "" : "pageSize",
        Number.isInteger(totalSize) ? "" : "totalSize",
      ].filter(Boolean);
      return wrong.length === 0 || `Missing or of another type: ${wrong.join(", ")}.`;
    }),
  },
  {
    id: "list-by-context",
    title: "Lists the tasks of a conversation",
    rule: "With a contextId, exactly the tasks of that conversation are returned.",
    source,
    fix: "Filter by params.contextId.",
    needs: ["list-tasks", "get-task"],
    judge: onListOfContext(({ call, contextId, task }) => {
      const tasks = tasksOf(call);
      if (tasks.every(({ id }) => id !== task["id"])) return "The task of the answer is not in the list.";
      const other = tasks.find((each) => each["contextId"] !== contextId);
      return !other || `There is a task of ${quoted(other["contextId"])}.`;
    }),
  },
  {
    id: "list-without-artifacts",
    title: "Leaves artifacts out of lists",
    rule: "Without includeArtifacts, listed tasks have no member artifacts, not even an empty one.",
    source,
    fix: "Remove the member artifacts unless params.includeArtifacts is true.",
    needs: ["list-by-context"],
    judge: onListOfContext(
      ({ call }) => tasksOf(call).every((task) => !("artifacts" in task)) || "A listed task has the member artifacts.",
    ),
  },
  {
    id: "list-page-size",
    title: "Returns no more tasks than wanted",
    rule: "pageSize is the most tasks to return.",
    source,
    fix: "Cut the list to params.pageSize, and return a token for the next page.",
    needs: ["list-tasks"],
    judge: async (agent) => {
      const call = await agent.call("list", { pageSize: 1 });
      demand(tasksOf(call).length <= 1, `With pageSize 1 there are ${tasksOf(call).length} tasks.`, call);
    },
  },
  {
    id: "list-order",
    title: "Lists the newest task first",
    rule: "Tasks are sorted by the timestamp of their status, the newest first.",
    source,
    fix: "Sort by status.timestamp, descending.",
    needs: ["list-tasks"],
    judge: onList((call) => {
      const stamps = tasksOf(call).flatMap((task) => stringOf(objectOf(task["status"])?.["timestamp"]) ?? []);
      const times = stamps.map(Date.parse);
      const sorted = times.toSorted((a, b) => b - a);
      return quoted(times) === quoted(sorted) || `The timestamps are ${stamps.slice(0, 5).join(", ")}.`;
    }),
  },
];

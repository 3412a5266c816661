import type { A2AAgent, Call } from "../a2a/a2a-agent.ts";
import { answeredTask } from "../a2a/scenarios.ts";
import { type Check, demand, judging, NotJudged } from "../run/check.ts";
import { objectOf, objectsOf, quoted, stringOf, type JsonObject } from "../wire/json.ts";
import { a2a1 } from "./sources.ts";

const source = a2a1("314-list-tasks");

const onList = judging(
  (agent: A2AAgent): Promise<Call> => agent.once("listed", () => agent.call("list", {})),
  (call) => call,
);

const pageOf = ({ response }: Call): JsonObject => objectOf(response?.["result"]) ?? {};

const tasksOf = (call: Call): readonly JsonObject[] => objectsOf(pageOf(call)["tasks"]);

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

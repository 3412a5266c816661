import type { A2AAgent, Call } from "../a2a/a2a-agent.ts";
import { answeredTask } from "../a2a/scenarios.ts";
import { demand, NotJudged, type Check } from "../run/check.ts";
import { objectOf, objectsOf, quoted, stringOf, type JsonObject } from "../wire/json.ts";
import { a2a1 } from "./sources.ts";

const source = a2a1("314-list-tasks");

const listed = (agent: A2AAgent): Promise<Call> => agent.once("listed", () => agent.call("list", {}));

const pageOf = ({ response }: Call): JsonObject => objectOf(response?.["result"]) ?? {};

const tasksOf = (call: Call): readonly JsonObject[] => objectsOf(pageOf(call)["tasks"]);

/** The tasks of the conversation of the answered question. */
const ofContext = (agent: A2AAgent) =>
  agent.once("listed context", async () => {
    const { task } = await answeredTask(agent);
    const contextId = stringOf(task["contextId"]);
    if (contextId === undefined) throw new NotJudged("The task has no contextId.");
    return { task, contextId, call: await agent.call("list", { contextId }) };
  });

export const listChecks: readonly Check<A2AAgent>[] = [
  {
    id: "list-tasks",
    level: "must",
    title: "Lists tasks",
    rule: "ListTasks returns tasks, nextPageToken, pageSize and totalSize, also when they are empty or 0.",
    source,
    fix: 'Serve ListTasks with all four members. On the last page nextPageToken is "".',
    needs: ["version-spoken", "error-object"],
    judge: async (agent) => {
      const call = await listed(agent);
      const page = pageOf(call);
      const wrong = [
        Array.isArray(page["tasks"]) ? "" : "tasks",
        typeof page["nextPageToken"] === "string" ? "" : "nextPageToken",
        Number.isInteger(page["pageSize"]) ? "" : "pageSize",
        Number.isInteger(page["totalSize"]) ? "" : "totalSize",
      ].filter(Boolean);
      demand(wrong.length === 0, `Missing or of another type: ${wrong.join(", ")}.`, call);
    },
  },
  {
    id: "list-by-context",
    level: "must",
    title: "Lists the tasks of a conversation",
    rule: "With a contextId, exactly the tasks of that conversation are returned.",
    source,
    fix: "Filter by params.contextId.",
    needs: ["list-tasks", "get-task"],
    judge: async (agent) => {
      const { call, contextId, task } = await ofContext(agent);
      const tasks = tasksOf(call);
      demand(
        tasks.some(({ id }) => id === task["id"]),
        "The task of the answer is not in the list.",
        call,
      );
      const other = tasks.find((each) => each["contextId"] !== contextId);
      demand(other === undefined, `There is a task of ${quoted(other?.["contextId"])}.`, call);
    },
  },
  {
    id: "list-without-artifacts",
    level: "must",
    title: "Leaves artifacts out of lists",
    rule: "Without includeArtifacts, listed tasks have no member artifacts, not even an empty one.",
    source,
    fix: "Remove the member artifacts unless params.includeArtifacts is true.",
    needs: ["list-by-context"],
    judge: async (agent) => {
      const { call } = await ofContext(agent);
      demand(!tasksOf(call).some((task) => "artifacts" in task), "A listed task has the member artifacts.", call);
    },
  },
  {
    id: "list-page-size",
    level: "must",
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
    level: "must",
    title: "Lists the newest task first",
    rule: "Tasks are sorted by the timestamp of their status, the newest first.",
    source,
    fix: "Sort by status.timestamp, descending.",
    needs: ["list-tasks"],
    judge: async (agent) => {
      const call = await listed(agent);
      const stamps = tasksOf(call).flatMap((task) => stringOf(objectOf(task["status"])?.["timestamp"]) ?? []);
      const times = stamps.map(Date.parse);
      const sorted = times.toSorted((a, b) => b - a);
      demand(quoted(times) === quoted(sorted), `The timestamps are ${stamps.slice(0, 5).join(", ")}.`, call);
    },
  },
];

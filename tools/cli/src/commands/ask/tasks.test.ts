import type { TaskRecord } from "@crosszone/contracts";
import type { FakeAnswers } from "../../testing/fake-zone.ts";
import { message, reference, task } from "../../testing/records.ts";
import { testCommands } from "../../testing/run-cli.ts";

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const listOf = (total: number, ...tasks: readonly TaskRecord[]) => ({
  tasks,
  total,
  ...(total > tasks.length && { next_cursor: "c2" }),
});
const waits: TaskRecord = { ...task, state: "input_required", error: undefined, ended_at: undefined };
const others = ["c-2", "c-3"].map((correlation_id) => ({ ...waits, correlation_id }));
const zone: FakeAnswers = {
  "GET /tasks?limit=20&state=input_required": listOf(3, waits, ...others),
  [`GET /messages?reference=${reference}&limit=1`]: { messages: [{ message }], names: { U1: "Ann Lee" } },
  "GET /messages?reference=c-2&limit=1": { messages: [{ message: { ...message, user_id: "U2" } }] },
  "GET /messages?reference=c-3&limit=1": { messages: [] },
  [`GET /tasks/${task.task_id}`]: { ...waits, user_id: "U3" },
  "GET /tasks?limit=20": listOf(2, { ...task, created_at: ago(7_270_000) }),
  "GET /tasks?limit=1&cursor=c1&state=error&agent=a+b&correlation_id=c-1": listOf(0),
};

testCommands(zone, [
  [
    "Q21: who waits is named; without a known name, by id",
    "tasks list --waiting",
    { out: [/^PERSON .*\nAnn Lee +bc81.*\nU2 +bc81.*\nU3 +bc81/m] },
  ],
  [
    "tasks are listed with all that identifies them, a failed one with the kind of its error",
    "tasks",
    {
      out: /^TASK +AGENT +STATE +AGE +REFERENCE\nbc81\S+ +counter.* words +agent_unavailable +2h 01m +f8a5\S+\n$/,
      err: "There are more: --cursor c2 shows the next page, --all shows all.\n",
    },
  ],
  [
    "tasks are filtered, and one JSON document",
    'tasks list --state error --agent "a b" --reference c-1 --limit 1 --cursor c1 --json',
    { json: listOf(0) },
  ],
]);

import type { TaskRecord } from "@crosszone/contracts";
import type { FakeAnswers } from "../testing/fake-zone.ts";
import { task } from "../testing/records.ts";
import { testCommands } from "../testing/run-cli.ts";

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const listOf = (total: number, ...tasks: readonly TaskRecord[]) => ({
  tasks,
  total,
  ...(total > tasks.length && { next_cursor: "c2" }),
});
const zone: FakeAnswers = {
  "GET /tasks?limit=20": listOf(2, { ...task, created_at: ago(7_270_000) }),
  "GET /tasks?limit=1&cursor=c1&state=error&agent=a+b&correlation_id=c-1": listOf(0),
};

testCommands(zone, [
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

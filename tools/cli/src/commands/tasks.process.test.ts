// suite: rest
import type { TaskRecord } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { startFakeZone, runCli } from "../testing/fake-zone.ts";

const reference = "f8a53243-76d1-4764-b836-4766d22d188e";
const task: TaskRecord = {
  task_id: "bc81fc9b-e33d-4ef0-9c4a-a27cc023bd3b",
  state: "error",
  caller: "verification",
  agent: "counter\u001b[2J of very many words",
  correlation_id: reference,
  attempts: 1,
  error: { kind: "agent_unavailable", code: -32_010, message: "Agent unavailable" },
  created_at: "2026-11-21T09:30:00.000Z",
  deadline: "2026-11-21T09:40:00.000Z",
  ended_at: "2026-11-21T09:30:08.500Z",
  team: "3WQmNkZ0y8mXo3n1m1Dq7g",
};

const listOf = (total: number, ...tasks: readonly TaskRecord[]) => ({ tasks, total, limit: 20, offset: 0 });

test("tasks are listed with all that identifies them, a failed one with the kind of its error", async () => {
  const listed = { ...task, created_at: new Date(Date.now() - 7_270_000).toISOString() };
  const zone = await startFakeZone({
    "GET /tasks?limit=20&offset=0": listOf(2, listed),
    "GET /tasks?limit=1&offset=3&state=error&agent=a+b&correlation_id=c-1": listOf(0),
  });
  const { out, err, code } = await runCli(zone.url, ["tasks"]).done;
  expect([code, err]).toEqual([0, "1 to 1 of 2; --limit and --offset show others.\n"]);
  expect(out).toMatch(
    /^TASK +AGENT +STATE +AGE +REFERENCE\nbc81\S+ +counter.* words +agent_unavailable +2h 01m +f8a5\S+\n$/,
  );
  const argv = ["--state", "error", "--agent", "a b", "--reference", "c-1", "--limit", "1", "--offset", "3", "--json"];
  const json = await runCli(zone.url, ["tasks", "list", ...argv]).done;
  expect(JSON.parse(json.out)).toMatchObject({ tasks: [], total: 0 });
});

test("messages that were missed are listed with their authors, and more can be shown", async () => {
  const message = {
    reference,
    revision: 1,
    state: "missed",
    team_id: "T1",
    channel: "C1",
    thread_ts: "1.0",
    user_id: "U1",
  };
  const received_at = new Date(Date.now() - 90_000_000).toISOString();
  const listed = { message: { ...message, attempts: 0, received_at } };
  const zone = await startFakeZone({
    "GET /messages?limit=20&state=missed": { messages: [listed], next_cursor: "c" },
  });
  const { out, err, code } = await runCli(zone.url, ["tasks", "list", "--missed"]).done;
  expect([code, err]).toEqual([0, "Only the newest 1; --limit shows more.\n"]);
  expect(out).toMatch(/^AGE +STATE +PERSON +CHANNEL .*\n\S+ \S+ +missed +U1 +C1 +f8a5\S+ *\n$/);
});

test("an unknown state gets the nearest one as a suggestion", async () => {
  const zone = await startFakeZone({});
  expect(await runCli(zone.url, ["tasks", "--state", "eror"]).done).toMatchObject({
    code: 2,
    err: expect.stringContaining("Did you mean error?") as unknown,
  });
});

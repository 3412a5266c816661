import type { AgentCall, TaskRecord } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { answerWith, problem, startFakeZone, type FakeAnswer, runCli } from "../testing/fake-zone.ts";

const reference = "f8a53243-76d1-4764-b836-4766d22d188e";
const call: AgentCall = {
  agent: "counter",
  state: "failed",
  attempts: 4,
  error_kind: "unreachable",
  error_message: "127.0.0.1:4001 refuses connections: nothing listens there",
  created_at: "2026-11-21T09:30:00.250Z",
  deadline: "2026-11-21T09:40:00.000Z",
  ended_at: "2026-11-21T09:30:08.250Z",
};
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
const shown: TaskRecord = { ...task, agent_calls: [call] };

const listOf =
  (total: number, ...tasks: readonly TaskRecord[]): FakeAnswer =>
  (response) =>
    answerWith(response, 200, { tasks, total, limit: 20, offset: 0 });
const notFound: FakeAnswer = (response) => problem(response, { kind: "task-not-found", status: 404 });

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

test("a task is shown by its id or by its reference, the newest one if several have it", async () => {
  const zone = await startFakeZone({
    [`GET /tasks/${task.task_id}`]: (response) => answerWith(response, 200, shown),
    [`GET /tasks/${reference}`]: notFound,
    [`GET /tasks?correlation_id=${reference}&limit=1&offset=0`]: listOf(3, task),
  });
  const byId = await runCli(zone.url, ["tasks", "show", task.task_id]).done;
  expect(byId).toMatchObject({ code: 0, err: expect.stringMatching(/^Shown in part. Set CROSSZONE_VERIFICATION_URL/) });
  expect(byId.out.split("\n")).toEqual([
    "task         bc81fc9b-e33d-4ef0-9c4a-a27cc023bd3b",
    "agent        counter\\u001b[2J of very many words",
    "state        error after 8.5s",
    "error        Agent unavailable (agent_unavailable, -32010)",
    "caller       verification",
    "team         3WQmNkZ0y8mXo3n1m1Dq7g",
    "attempts     1",
    "created      2026-11-21T09:30:00.000Z",
    "ended        2026-11-21T09:30:08.500Z",
    `correlation  ${reference}`,
    "",
    "agent call  counter",
    "state       failed after 8.0s",
    "attempts    4",
    "error       127.0.0.1:4001 refuses connections: nothing listens there (unreachable)",
    "",
  ]);
  const byReference = await runCli(zone.url, ["tasks", "show", reference, "--json"]).done;
  expect(JSON.parse(byReference.out)).toEqual({ task: shown });
  expect(byReference.err).toContain(`The newest of 3. List all: crosszone tasks list --reference ${reference}\n`);
});

test("a task whose model failed shows the provider, the status, the attempts and the tokens", async () => {
  const detail =
    "anthropic/claude: unavailable: AI_APICallError (status 500, retryable), 3 attempts, no tokens\u001b[2J";
  const failed = { ...task, error: { kind: "agent_unavailable", code: -32_010, message: "Agent unavailable", detail } };
  const zone = await startFakeZone({
    [`GET /tasks/${task.task_id}`]: (response) => answerWith(response, 200, failed),
  });
  const { out } = await runCli(zone.url, ["tasks", "show", task.task_id]).done;
  expect(out).toContain(
    "error        Agent unavailable (agent_unavailable, -32010)\n" +
      "detail       anthropic/claude: unavailable: AI_APICallError (status 500, retryable), 3 attempts, no tokens\\u001b[2J\n",
  );
});

test("an open task shows its deadline, its agent's progress and its run", async () => {
  const { ended_at: _ended, error: _error, ...open } = task;
  const { ended_at: _end, error_kind: _kind, error_message: _why, attempts: _attempts, ...calling } = call;
  const agent_calls = [{ ...calling, state: "open", remote_id: "task-7", progress: "Counting\u001b[2J" }];
  const working = { ...open, state: "working", channel: "C1", user_id: "U1", run_id: task.task_id, agent_calls };
  const zone = await startFakeZone({
    [`GET /tasks/${task.task_id}`]: (response) => answerWith(response, 200, working),
  });
  const { out } = await runCli(zone.url, ["tasks", "show", task.task_id]).done;
  expect(out).toContain(`run          ${task.task_id} (crosszone runs show ${task.task_id})\n`);
  expect(out).toContain("user         U1\nchannel      C1\n");
  expect(out).toContain("deadline     2026-11-21T09:40:00.000Z\n");
  expect(out).toMatch(/state +open\nremote id +task-7\nprogress +Counting\\u001b\[2J\n$/);
});

test("an unknown id, the beginning of a reference and an unknown state get the nearest match as a suggestion", async () => {
  const zone = await startFakeZone({
    "GET /tasks/f8a53243": notFound,
    "GET /tasks?correlation_id=f8a53243&limit=1&offset=0": listOf(0),
    "GET /tasks/two%20words": notFound,
    "GET /tasks?limit=200&offset=0": listOf(1, task),
  });
  expect(await runCli(zone.url, ["tasks", "show", "f8a53243"]).done).toEqual({
    code: 3,
    out: "",
    err: `No task has the id or reference "f8a53243". Did you mean ${reference}?\n`,
  });
  expect((await runCli(zone.url, ["tasks", "show", "two words"]).done).err).toContain("crosszone tasks lists them.");
  expect(await runCli(zone.url, ["tasks", "--state", "eror"]).done).toMatchObject({
    code: 2,
    err: expect.stringContaining("Did you mean error?") as unknown,
  });
});

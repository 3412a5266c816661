import { expect, test } from "vitest";
import { answerWith, problem, startFakeZone, stream, runCli } from "../testing/fake-zone.ts";
import { endedRun, endEvent, graphWith, summary } from "../testing/run-fixture.ts";

const [first, second] = ["6122d929-1a2b-4c3d-8e4f-000000000001", "6122ffff-1a2b-4c3d-8e4f-000000000002"];
const page = (...runs: object[]) => ({ runs, total: runs.length, limit: 200, offset: 0 });
const listed = "GET /runs?limit=200&offset=0";
const task = {
  task_id: first,
  state: "error",
  caller: "verification",
  agent: "w",
  correlation_id: "c-1",
  attempts: 1,
  created_at: summary.created_at,
  deadline: summary.created_at,
};

test("a run is found by the beginning of its id, unless two runs begin with it", async () => {
  const zone = await startFakeZone({
    [listed]: (response) =>
      answerWith(response, 200, page({ ...summary, run_id: first }, { ...summary, run_id: second })),
    [`GET /runs/${first}`]: (response) => answerWith(response, 200, { ...endedRun, run_id: first }),
    "GET /runs/6122": (response) => problem(response, { kind: "run-not-found", status: 404, title: "Run not found" }),
  });
  expect((await runCli(zone.url, ["runs", "show", "6122d929"]).done).out).toContain(first);
  expect(await runCli(zone.url, ["runs", "show", "6122"]).done).toMatchObject({ code: 3, err: "Run not found.\n" });
});

test("an empty list of runs says so, instead of showing a header without rows", async () => {
  const zone = await startFakeZone({
    "GET /runs?limit=20&offset=0&state=failed": (response) => answerWith(response, 200, page()),
  });
  expect(await runCli(zone.url, ["runs", "list", "--state", "failed"]).done).toEqual({
    code: 0,
    out: "No runs.\n",
    err: "",
  });
});

test("a retry says that the answer will be posted only for a run that a person in Slack asked for", async () => {
  const zone = await startFakeZone({
    [`POST /runs/${first}/retry`]: (response) => answerWith(response, 200, { ...summary, run_id: first }),
    [`GET /tasks/${first}`]: (response, _asked, count) =>
      count === 0
        ? answerWith(response, 200, { ...task, team: "9JU5hUpU7" })
        : problem(response, { kind: "task-not-found", status: 404 }),
  });
  const line = `run ${first} of w is running`;
  expect((await runCli(zone.url, ["runs", "retry", first]).done).out).toBe(
    `${line}. The answer will be posted in its thread.\n`,
  );
  expect((await runCli(zone.url, ["runs", "retry", first]).done).out).toBe(`${line}\n`);
});

test("a retry with --watch shows the run until it ends, and a run that a retry can't fix says so", async () => {
  const failed = { ...endedRun, run_id: first, state: "failed", retryable: false, output: undefined };
  const zone = await startFakeZone({
    [`POST /runs/${first}/retry`]: (response) => answerWith(response, 200, { ...summary, run_id: first }),
    [`GET /runs/${first}/events`]: (response) => stream(response, [[{ ...endEvent, run_id: first }, 3]]),
    [`GET /runs/${first}/graph`]: (response) =>
      answerWith(response, 200, { ...graphWith("succeeded", 3), run_id: first }),
    [`GET /runs/${first}`]: (response, _asked, count) =>
      answerWith(response, 200, count === 0 ? { ...endedRun, run_id: first } : failed),
  });
  const watched = await runCli(zone.url, ["runs", "retry", first, "--watch"]).done;
  expect(watched).toMatchObject({ code: 0, out: "done \\u001b[31mred\n" });
  expect(watched.err).toContain("succeeded after 2.5s");
  const again = await runCli(zone.url, ["runs", "retry", first, "--watch"]).done;
  expect([again.code, again.err]).toEqual([1, expect.stringContaining("A retry would fail the same way")]);
});

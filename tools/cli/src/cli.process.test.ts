// suite: rest
import { expect, test } from "vitest";
import { answerWith, startFakeZone } from "./testing/fake-zone.ts";
import { startCliProcess } from "./testing/run-cli.ts";
import { endedRun, runningZone, summary } from "./testing/run-fixture.ts";

test("a run is only its id with --detach; of a version, with a key and the standard input", async () => {
  const zone = await runningZone();
  const argv = ["run", "w", "--detach", "--version", "1.0", "--idempotency-key", "k", "--input", "-"];
  const detached = await startCliProcess(zone.url, argv, '{"a":1}').done;
  expect(detached).toEqual({ code: 0, out: "run-1\n", err: "" });
  const asked = zone.requestsFor("POST /runs").map(({ body, headers }) => [body, headers["idempotency-key"]]);
  expect(asked).toEqual([[{ workflow_id: "w", version: "1.0", input: { a: 1 } }, "k"]]);
});

test("a run is canceled by the first Ctrl-C, and the command waits for it", async () => {
  const canceled = Promise.withResolvers<void>();
  const { output: _none, ...rest } = endedRun;
  const zone = await runningZone(
    {
      "POST /runs/run-1/cancel": (response) => {
        answerWith(response, 200, { ...summary, state: "canceled" });
        canceled.resolve();
      },
      "GET /runs/run-1": { ...rest, state: "canceled" },
    },
    canceled.promise,
  );
  const run = startCliProcess(zone.url, ["run", "w"]);
  await run.wrote(/running {4}Ask/);
  run.signal("SIGINT");
  const { code, out, err } = await run.done;
  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain("Canceling the run.");
  expect(err).toContain("canceled after 2.5s");
});

test("a run is left by the second Ctrl-C, and by the first one of runs watch", async () => {
  const zone = await runningZone({ "POST /runs/run-1/cancel": summary }, new Promise(() => undefined));
  const run = startCliProcess(zone.url, ["run", "w"]);
  await run.wrote(/running {4}Ask/);
  run.signal("SIGINT");
  await run.wrote(/Canceling/);
  run.signal("SIGINT");
  expect(await run.done).toMatchObject({
    code: 130,
    err: expect.stringContaining("may not have been canceled") as unknown,
  });
  const watch = startCliProcess(zone.url, ["runs", "watch", "run-1"]);
  await watch.wrote(/running {4}Ask/);
  watch.signal("SIGINT");
  expect(await watch.done).toMatchObject({
    code: 130,
    out: "",
    err: expect.stringContaining("the run continues") as unknown,
  });
  expect(zone.requestsFor("POST /runs/run-1/cancel")).toHaveLength(1);
});

test("a closed pipe ends the command without an error", async () => {
  const server = await startFakeZone({
    "GET /runs/run-1": { ...endedRun, output: "x".repeat(3_000_000) },
  });
  const run = startCliProcess(server.url, ["runs", "show", "run-1"]);
  run.stopReading();
  expect(await run.done).toMatchObject({ err: "" });
});

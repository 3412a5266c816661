import type { WaitStep } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { readWorkflow, validateWorkflow } from "../definition/read-workflow.ts";
import { startedRun } from "../testing/play-run.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";

const day = 86_400_000;

const waiting = (more: Partial<WaitStep>, input: unknown = {}) =>
  startedRun({
    definition: workflowOf([
      { id: "w", type: "wait", next_step: "then", ...more },
      agentStep("then", { input_mapping: "${w.output}", timeout_ms: 600_000 }),
    ]),
    input,
  });

test("a week's wait costs the run no time of its deadline, and ends on the millisecond, however the clock moves", () => {
  const run = waiting({ for_ms: 7 * day });
  const due = run.now() + 7 * day;
  expect(run.run()).toMatchObject({ state: "running", due_at: due, tasks: {} });
  run.pass(-3_600_000);
  run.pass(3_600_000 + 7 * day - 1);
  expect(run.tasks()).toEqual([]);
  run.pass(1);
  expect(run.taskOf("then").input).toEqual({ at: new Date(due).toISOString() });
  // Of 60 s, none has passed.
  expect(run.run().due_at).toBe(due + 60_000);
});

test.each([
  ["1970-01-01T00:01:00Z", 60_000],
  ["1970-01-01T01:00:30.5+00:59", 90_500],
  ["1970-01-01T00:00:00Z", 1_000],
])("a wait until %s ends at that time, or at once if it is over", (until, at) => {
  const run = waiting({ until: "${workflow.input.at}" }, { at: until });
  run.pass(Math.max(0, at - run.now() - 1));
  expect(run.tasks()).toHaveLength(at > 1_000 ? 0 : 1);
  run.pass(1);
  expect(run.taskOf("then").input).toMatchObject({ at: new Date(Math.max(at, 1_000)).toISOString() });
});

test("J35: the sentence names the time that was given, and the latest one or an example", () => {
  const said = (until: string) => {
    const { error, state } = waiting({ until }).run();
    expect([state, error?.kind, error?.path]).toEqual(["failed", "mapping_failed", "w"]);
    return error?.message;
  };
  expect(said("1971-02-06T00:00:00Z")).toBe(
    '`until` is "1971-02-06T00:00:00Z", which is more than 400 days away: the latest time is 1971-02-05T00:00:01.000Z.',
  );
  expect(said("tomorrow")).toBe(
    '`until` is "tomorrow", which is not an ISO 8601 time with an offset, such as 1970-01-01T09:00:00+01:00.',
  );
  for (const until of ["2027-01-01T09:00:00", "2027-13-01T09:00:00Z"])
    expect(said(until)).toContain("is not an ISO 8601 time with an offset");
});

const event = { name: "paid", key: "${workflow.input.no}", timeout_ms: day } as const;

test("a wait for an event dispatches its name and its key, and later steps see what arrived", () => {
  const run = waiting({ event }, { no: 7 });
  expect(run.taskOf("w")).toMatchObject({ input: { name: "paid", key: "7" } });
  expect(run.taskOf("w")).not.toHaveProperty("agent_name");
  run.pass(day - 1);
  run.succeed("w", { event: { sum: 3 }, at: "2027-01-01T00:00:00Z" });
  expect(run.taskOf("then").input).toEqual({ event: { sum: 3 }, at: "2027-01-01T00:00:00Z" });
});

test("of a timeout and an event at the same moment, the first one counts", () => {
  const run = waiting({ event: { ...event, on_timeout: "continue" } }, { no: 7 });
  const late = run.taskOf("w");
  run.pass(day);
  expect(run.canceled).toEqual([late.task_id]);
  expect(run.taskOf("then").input).toEqual({ timed_out: true });
  const result = { run_id: "run-1", task_id: late.task_id, status: "SUCCESS" as const, output_data: {} };
  const before = run.run();
  run.send({
    type: "result_received",
    at: run.now(),
    result: { ...result, correlation_id: "c", error_message: null, timestamp: "2027-01-01T00:00:00Z" },
  });
  expect(run.run()).toBe(before);
});

test("an event that does not arrive in time fails the step; a retry waits anew", () => {
  const run = waiting({ event }, { no: 7 });
  run.pass(day);
  expect(run.run()).toMatchObject({ state: "failed", error: { kind: "step_timed_out", path: "w" } });
  run.retry();
  expect(run.taskOf("w").task_id).toBe("run-1.w.2");
});

test.each([
  [{}, { pointer: "/steps/w", message: "needs one of for_ms, until, event" }],
  [
    { for_ms: 1, until: "x" },
    { pointer: "/steps/w/until", message: "is too much: the step has for_ms" },
  ],
  [
    { event: { name: "paid", key: "${workflow.inptu.no}" } },
    {
      pointer: "/steps/w/event/key",
      message: "${workflow.inptu.no} is unknown: workflow has only an input, ${workflow.input}",
    },
  ],
])("%j is refused", (more, problem) => {
  expect(validateWorkflow(workflowOf([{ id: "w", type: "wait", ...more }]))).toEqual([problem]);
});

test("a reference to a member that no wait has is refused, and a misspelled type is named", () => {
  const definition = workflowOf([
    { id: "w", type: "wait", for_ms: 1, next_step: "then" },
    agentStep("then", { input_mapping: "${w.output.payload}" }),
  ]);
  expect(readWorkflow(definition).problems[0]?.message).toContain("it has: at, event, timed_out");
  const misspelled = workflowOf([{ id: "w", type: "wiat", for_ms: 1 } as never]);
  expect(readWorkflow(misspelled).problems[0]?.message).toContain("did you mean wait?");
});

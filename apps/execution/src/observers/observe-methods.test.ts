import { expect, test, vi } from "vitest";
import { agentThat, echo, startZone, task } from "../testing/start-zone.ts";

test("Z13: request and answer are found by id, and all lines of one message by its correlation id", async () => {
  const zone = await startZone([echo]);
  await zone.call("execute_task", task({ correlation_id: "corr-1" }), "request-1");
  await vi.waitFor(() => expect(zone.log.some(({ event }) => event === "task_ended")).toBe(true));
  const ofMessage = zone.log.filter((line) => line["correlation_id"] === "corr-1");
  expect(new Set(ofMessage.map(({ event }) => event))).toEqual(new Set(["rpc_answered", "task_ended", "task_started"]));
  expect(zone.log.find((line) => line["request_id"] === "request-1")).toMatchObject({
    event: "rpc_answered",
    operation: "execute_task",
    zone: "execution",
  });
});

test("E5: a task's error is logged once, with task id, operation, kind, code and cause, however often it is returned", async () => {
  const zone = await startZone([agentThat(async () => Promise.reject(new Error("the cause")))]);
  await zone.call("execute_task", task(), "same");
  await zone.call("execute_task", task(), "same");
  const errors = zone.log.filter(({ level }) => level === "error");
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatchObject({
    event: "task_failed",
    operation: "run_task",
    kind: "internal",
    code: -32603,
    task_id: expect.any(String),
    cause: { message: "the cause" },
  });
});

test("E5: a request's own error is logged separately, with the task that it named", async () => {
  const zone = await startZone([echo]);
  const { result } = (await zone.call("execute_task", task())) as unknown as { result: { task_id: string } };
  await zone.call("cancel_task", { task_id: result.task_id });
  await zone.call("get_async_task_result", { task_id: "no-such-task" });
  expect(zone.log.filter(({ event }) => event === "rpc_failed")).toMatchObject([
    {
      level: "warn",
      operation: "cancel_task",
      kind: "invalid_state_transition",
      code: -32000,
      task_id: result.task_id,
    },
    { operation: "get_async_task_result", kind: "task_not_found", code: -32000, task_id: "no-such-task" },
  ]);
});

test("the logs of a task contain neither its text nor its handle", async () => {
  const zone = await startZone([echo]);
  await zone.call("execute_task", task({ text: "my private question", bot_token: "czh_secret_handle" }));
  await zone.call("execute_task", { text: "my private question" });
  expect(JSON.stringify(zone.log)).not.toMatch(/private question|secret_handle/);
  expect(zone.log.find(({ event }) => event === "rpc_failed")).toMatchObject({ kind: "invalid_params", code: -32602 });
});

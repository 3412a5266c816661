import { expect, expectTypeOf, test } from "vitest";
import {
  agentErrorTable,
  channels,
  errorTable,
  zoneMethods,
  type AgentErrorKind,
  type AgentTask,
  type Channels,
  type ErrorKind,
  type ExecuteTaskParams,
  type ExecuteTaskResult,
  type ZoneMethods,
} from "./index.ts";

/** The type check (`tsc -p .`) is the test here: an `@ts-expect-error` that expects nothing fails it. */

test("E1: a kind without a row or a decision, or a row without a kind, breaks the type check", () => {
  const { timeout: _timeout, ...incomplete } = errorTable;
  // @ts-expect-error the row of `timeout` is missing
  const table: typeof errorTable = incomplete;
  // @ts-expect-error no code for `timeout`
  const codes = incomplete satisfies Record<ErrorKind, unknown>;
  // @ts-expect-error `out_of_coffee` is no kind
  const more: typeof errorTable = { ...errorTable, out_of_coffee: errorTable.timeout };
  expect([table, codes]).toEqual([incomplete, incomplete]);
  expect(more).toHaveProperty("out_of_coffee");
});

test("E1: an agent error kind without a row, or without a decision, breaks the type check", () => {
  const { unreachable: _unreachable, ...incomplete } = agentErrorTable;
  // @ts-expect-error the row of `unreachable` is missing
  const table: typeof agentErrorTable = incomplete;
  // @ts-expect-error nothing is decided for `unreachable`
  const decisions = incomplete satisfies Record<AgentErrorKind, unknown>;
  expect([table, decisions]).toEqual([incomplete, incomplete]);
});

test("a channel with the messages of another channel breaks the type check", () => {
  // @ts-expect-error `agent_results` carries other messages
  const mixed: typeof channels = { ...channels, agent_tasks: channels.agent_results };
  expect(mixed.agent_tasks).toBe(channels.agent_results);
});

test("a channel narrows to its message, which has the key", () => {
  expectTypeOf<keyof Channels>().toEqualTypeOf<"agent_tasks" | "agent_results" | "agent_cancellations">();
  const value: unknown = {};
  if (channels.agent_tasks.message(value)) {
    expectTypeOf(value).toEqualTypeOf<AgentTask>();
    expectTypeOf(value[channels.agent_tasks.key]).toEqualTypeOf<string>();
  }
});

test("a method without validators, or with those of another, breaks the type check", () => {
  const { cancel_task: _cancel, ...incomplete } = zoneMethods;
  // @ts-expect-error the row of `cancel_task` is missing
  const methods: typeof zoneMethods = incomplete;
  // @ts-expect-error `get_async_task_result` takes other params
  const mixed: typeof zoneMethods = { ...zoneMethods, execute_task: zoneMethods.get_async_task_result };
  expect([methods, mixed.execute_task]).toEqual([incomplete, zoneMethods.get_async_task_result]);
});

test("a validator narrows to the type of its method", () => {
  expectTypeOf<"execute_task" | "get_async_task_result" | "cancel_task">().toExtend<keyof ZoneMethods>();
  const value: unknown = {};
  if (zoneMethods.execute_task.params(value)) expectTypeOf(value).toEqualTypeOf<ExecuteTaskParams>();
  if (zoneMethods.execute_task.result(value)) expectTypeOf(value).toEqualTypeOf<ExecuteTaskResult>();
});

test("a result is distinguished by its status", () => {
  const textOf = (result: ExecuteTaskResult): string =>
    result.status === "success" ? result.response_text : result.task_id;
  // @ts-expect-error a failure is an error, never a result
  const failed: ExecuteTaskResult = { status: "error", response_text: "Something went wrong." };
  expect(textOf(failed)).toBeUndefined();
});

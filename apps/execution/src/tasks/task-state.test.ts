import { expect, test } from "vitest";
import type { TaskState } from "@crosszone/contracts";
import { assertMove, isFinal, mayMove } from "./task-state.ts";

const states: TaskState[] = ["submitted", "working", "success", "error", "canceled", "timed_out"];

test("a task is submitted, works, and ends in exactly one of four ways", () => {
  const moves = states.flatMap((from) => states.filter((to) => mayMove(from, to)).map((to) => `${from} → ${to}`));
  expect(moves).toEqual([
    "submitted → working",
    "submitted → error",
    "submitted → canceled",
    "submitted → timed_out",
    "working → success",
    "working → error",
    "working → canceled",
    "working → timed_out",
  ]);
  expect(states.filter(isFinal)).toEqual(["success", "error", "canceled", "timed_out"]);
});

test("E2: an illegal move is an invalid_state_transition that names the task", () => {
  expect(() => assertMove("success", "working", "t-1")).toThrow(
    expect.objectContaining({ kind: "invalid_state_transition", data: { task_id: "t-1" } }),
  );
  expect(() => assertMove("working", "success", "t-1")).not.toThrow();
});

import { ZoneError, type TaskEvent } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { systemClock } from "@crosszone/service-kit/timing";
import { describe, expect, test, vi } from "vitest";
import { SlackCallError } from "../slack/slack-call-error.ts";
import { createScriptedZone, failing } from "../testing/scripted-zone.ts";
import { questionRecord } from "../testing/test-inbox.ts";
import { wideLimits } from "../testing/wide-limits.ts";
import { QuestionTask, TaskEnded } from "../inbox/running-tasks.ts";
import { zoneRetryAfter, createZoneLink } from "../link/zone-link.ts";
import type { QuestionAttempt } from "../showing/attempt.ts";
import { slackRetryAfter } from "../showing/send-once.ts";
import { runTask, type TaskViewer } from "./run-task.ts";

const record = questionRecord({ request_id: "3a1f0a52-6c1e-4f1a-9a68-0d1c2b3a4f5e", correlation_id: "corr-1" });
const asked = { channel: "C1", text: "hi", bot_token: "czh_x", correlation_id: "corr-1" };
const accepted = { status: "accepted", task_id: "task-12345678" } as const;
const limits = { ...wideLimits, EXECUTION_TIMEOUT_MS: 1_000, POLL_WAIT_MS: 25, EXECUTION_RETRY_BUDGET_MS: 3_000 };

/** Makes what runs a task, with a zone that accepts it. */
function setUp(clock = systemClock) {
  const zone = createScriptedZone();
  zone.on("execute_task", () => accepted);
  const seen: string[] = [];
  const link = createZoneLink(zone.zone, { limits, clock });
  const reports: Readonly<Record<string, (fields: Record<string, unknown>) => string>> = {
    task_accepted: ({ task_id: id }) => `accepted ${String(id)}`,
    task_retried: ({ error }) => `retry ${(error as ZoneError).kind}`,
    task_cancel_failed: ({ failure }) => `cancel ${(failure as ZoneError).kind}`,
  };
  const emit: QuestionAttempt["emit"] = (event, ...[fields]) => void seen.push(reports[event]?.(fields ?? {}) ?? event);
  const task = new QuestionTask([]);
  const attempt = { leased: { record, attempt: 1, progress: {} }, task, emit } as unknown as QuestionAttempt;
  const viewer: TaskViewer = {
    show: ({ revision }) => void seen.push(`progress ${revision}`),
    write: (text) => void seen.push(text),
  };
  return { zone, link, task, seen, run: () => runTask(link, attempt, { params: asked, viewer }) };
}

describe("runTask", () => {
  test("E4: a request whose error is not retryable is not repeated; the error comes from the execution zone", async () => {
    const { zone, run } = setUp();
    zone.on("execute_task", failing("timeout", { task_id: "task-12345678" }));
    const error = await run().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: "timeout", data: { correlation_id: "corr-1", task_id: "task-12345678" } });
    expect(zone.calls).toHaveLength(1);
  });

  test("a failed poll with a retryable error is repeated", async () => {
    const { zone, run } = setUp();
    zone.on("get_async_task_result", () => {
      if (zone.of("get_async_task_result").length === 1) throw new ZoneError("shutting_down");
      return { status: "success", response_text: "done" };
    });
    expect((await run()).response_text).toBe("done");
  });
});

describe("a task with steps", () => {
  /** Makes a zone that answers the polls with these revisions in order, then with the result. Undefined: no progress. Its clock only records sleeps. */
  function setUpWith(slept: number[], ...revisions: (number | undefined)[]) {
    const made = setUp({ now: () => 0, sleep: async (ms) => void slept.push(ms) });
    made.zone.on("get_async_task_result", ({ task_id }) => {
      if (revisions.length === 0) return { status: "success", response_text: "done" };
      const revision = revisions.shift();
      return { status: "working", task_id, ...(revision !== undefined && { progress: { revision, steps: [] } }) };
    });
    return made;
  }

  test("reports its progress, and each poll sends the last revision that was received", async () => {
    const { zone, seen, run } = setUpWith([], 1, undefined, 3, 4);
    await run();
    expect(seen.slice(1)).toEqual(["progress 1", "progress 3", "progress 4"]);
    expect(zone.of("get_async_task_result").map(({ params }) => params["seen_progress"])).toEqual([0, 1, 1, 3, 4]);
  });

  test("ignores progress that is not newer than the last one", async () => {
    const { zone, seen, run } = setUpWith([], 5, 4, 5, 1, 6);
    await run();
    expect(seen.slice(1)).toEqual(["progress 5", "progress 6"]);
    expect(zone.of("get_async_task_result").at(-1)?.params).toMatchObject({ seen_progress: 6 });
  });

  test("is polled with pauses, however often it has progress", async () => {
    const slept: number[] = [];
    const { run } = setUpWith(slept, ...Array.from({ length: 20 }, (_none, at) => at + 1), 1, 1, 1, 1, 1, 1);
    await run();
    expect(slept.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 500));
    expect(Math.min(...slept.slice(20))).toBeGreaterThanOrEqual(100);
    expect(slept.at(-1)).toBeGreaterThanOrEqual(1_000);
  });
});

describe("a task that the execution zone lost", () => {
  test("restarts its steps", async () => {
    const { zone, seen, run } = setUp();
    zone.on("execute_task", () => ({ status: "accepted", task_id: `task-1234567${zone.of("execute_task").length}` }));
    let polls = 0;
    zone.on("get_async_task_result", ({ task_id }) => {
      polls += 1;
      if (polls === 2) throw new ZoneError("task_not_found", { task_id });
      if (polls === 4) return { status: "success", response_text: "done" };
      return { status: "working", task_id, progress: { revision: polls === 1 ? 9 : 1, steps: [] } };
    });
    await run();
    expect(seen.filter((one) => one.startsWith("progress"))).toEqual(["progress 9", "progress 1"]);
  });

  test("Z9, L2: is sent again with the same id, and its new result is the answer", async () => {
    const { zone, run } = setUp();
    zone.on("execute_task", () => ({ status: "accepted", task_id: `task-1234567${zone.of("execute_task").length}` }));
    zone.on("get_async_task_result", ({ task_id }) => {
      if (task_id === "task-12345671") throw new ZoneError("task_not_found", { task_id });
      return { status: "success", response_text: `from ${task_id}` };
    });
    expect((await run()).response_text).toBe("from task-12345672");
    expect(zone.of("execute_task").map(({ id }) => id)).toEqual([record.request_id, record.request_id]);
  });

  test("is not sent again forever", async () => {
    const { zone, run } = setUp();
    zone.on("get_async_task_result", failing("task_not_found"));
    await expect(run()).rejects.toMatchObject({ kind: "task_not_found" });
    expect(zone.of("execute_task")).toHaveLength(3);
  });
});

describe("a task that is ended locally", () => {
  test("before its id is known: rejects at once, and is canceled when the id arrives", async () => {
    const { zone, link, task, run } = setUp();
    const { promise: answer, resolve } = Promise.withResolvers<typeof accepted>();
    zone.on("execute_task", () => answer);
    const running = run();
    await vi.waitFor(() => expect(zone.calls).toHaveLength(1));
    task.end("stopped");
    await expect(running).rejects.toThrow("stopped");
    expect(zone.of("cancel_task")).toEqual([]);
    resolve(accepted);
    await link.settled(1_000);
    expect(zone.of("cancel_task")).toHaveLength(1);
  });

  test("a failed cancel is reported and does no harm", async () => {
    const { zone, link, task, seen, run } = setUp();
    zone.on("cancel_task", failing("invalid_state_transition"));
    const running = run();
    await vi.waitFor(() => expect(zone.of("get_async_task_result").length).toBeGreaterThan(0));
    task.end("stopped");
    await expect(running).rejects.toThrow("stopped");
    await link.settled(1_000);
    expect(seen).toContain("cancel invalid_state_transition");
  });
});

const { task_id } = accepted;
const begun: TaskEvent = { type: "accepted", task_id, seq: 0 };
const text = (seq: number, offset: number, delta: string): TaskEvent => ({ type: "text", task_id, seq, offset, delta });

test("T1: text is reported as it grows, and polls continue after the last event", async () => {
  const { zone, seen, run } = setUp();
  zone.on("execute_task", (_, { show }) => {
    for (const event of [begun, text(1, 0, "One "), text(4, 4, "two ")]) show(event);
    return accepted;
  });
  zone.on("get_async_task_result", (_, { show }) => {
    show(text(5, 8, "three"));
    return { status: "success", response_text: "One two three" };
  });
  expect((await run()).response_text).toBe("One two three");
  expect(seen).toEqual([`accepted ${task_id}`, "One ", "One two ", "One two three"]);
  expect(zone.params("get_async_task_result")[0]).toMatchObject({ since_seq: 4 });
});

test("T3: a repeated event is shown once, and another run of the task restarts the text", async () => {
  const { zone, seen, run } = setUp();
  zone.on("execute_task", (_, { show }) => {
    for (const event of [begun, text(1, 0, "One two "), text(2, 4, "two three ")]) show(event);
    show(text(3, 99, "lost"));
    show(text(1_000_000_001, 0, "Again "));
    return { status: "success", response_text: "Again" };
  });
  await run();
  expect(seen.slice(1)).toEqual(["One two ", "One two three ", "Again "]);
});

test("T3: a broken stream is requested again with the same id", async () => {
  const { zone, seen, run } = setUp();
  let broken = false;
  zone.on("execute_task", (_, { show }) => {
    show(begun);
    show(text(1, 0, "One "));
    if (broken) return { status: "success", response_text: "One" };
    broken = true;
    throw new ZoneError("shutting_down", { retry_after_ms: 5 });
  });
  expect((await run()).response_text).toBe("One");
  expect(seen).toEqual([`accepted ${task_id}`, "One ", "retry shutting_down", `accepted ${task_id}`, "One "]);
  expect(new Set(zone.of("execute_task").map(({ id }) => id)).size).toBe(1);
});

test("T5: a stopped task is canceled by the id from its first event, before the answer", async () => {
  const { zone, task, seen, run } = setUp();
  zone.on("execute_task", (_, { show }) => {
    show(begun);
    return new Promise<never>(() => undefined);
  });
  const answer = run();
  await vi.waitFor(() => expect(seen).toHaveLength(1));
  task.end("stopped");
  await expect(answer).rejects.toThrow(TaskEnded);
  await vi.waitFor(() => expect(zone.params("cancel_task")[0]).toEqual({ task_id: task_id }));
});

describe("E4: only requests marked as retryable are sent again", () => {
  test.each([
    [new LinkError("unreachable", ""), 0],
    [new LinkError("timeout", ""), 0],
    [new LinkError("invalid_response", ""), undefined],
    [new LinkError("aborted", ""), undefined],
    [new LinkError("server_error", "", { retryable: true }), 0],
    [new ZoneError("rate_limited", { retry_after_ms: 700 }), 700],
    [new ZoneError("shutting_down"), 0],
    [new ZoneError("shutting_down", { task_id: "task-1" }), 0],
    [new ZoneError("agent_unavailable"), 0],
    [new ZoneError("agent_unavailable", { task_id: "task-1" }), undefined],
    [new ZoneError("internal"), undefined],
    [new ZoneError("timeout"), undefined],
    [new Error("bug"), undefined],
  ])("%s", (error, wait) => {
    expect(zoneRetryAfter(error)).toBe(wait);
  });

  test.each([
    ["refused", undefined],
    ["rate_limited", 2_000],
    ["unavailable", 0],
  ] as const)("a Slack call that was %s", (failure, wait) => {
    const detail = failure === "rate_limited" ? { retryAfterMs: 2_000 } : {};
    expect(slackRetryAfter(new SlackCallError("chat.update", { failure, code: "x", ...detail }))).toBe(wait);
  });
});

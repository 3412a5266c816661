import { expect, test, vi } from "vitest";
import { createHandles, type Handles } from "../link/handles.ts";
import { openTestDatabase } from "../testing/test-inbox.ts";
import { directMessage, startTestApp, type TestApp, type TestAppOptions } from "../testing/start-test-app.ts";

let app: TestApp;

const accepted = (): { status: "accepted"; task_id: string } => ({ status: "accepted", task_id: "task-12345678" });
const message = (): ReturnType<typeof directMessage> =>
  directMessage("look at this", { files: [{ id: "F1", name: "a.txt", mimetype: "text/plain" }] });

/** Starts an app, sends a message with a file; gives the status that its handle gets for that file, now or later. */
async function ask(
  answer: Parameters<TestApp["zone"]["on"]>[1],
  { prepare, ...overrides }: TestAppOptions & { readonly prepare?: (zone: TestApp["zone"]) => void } = {},
): Promise<{ thread: string; status: (id?: string) => Promise<number> }> {
  app = await startTestApp(overrides);
  prepare?.(app.zone);
  app.zone.on("execute_task", answer as never);
  const asked = message();
  await app.deliver(asked);
  await vi.waitFor(() => expect(app.zone.of("execute_task")).toHaveLength(1));
  const authorization = `Bearer ${String(app.zone.params("execute_task")[0]?.["bot_token"])}`;
  const status = async (id = "F1") => (await fetch(`${app.url}/files/${id}`, { headers: { authorization } })).status;
  return { thread: asked.ts, status };
}
const ended = (state: string): Promise<void> =>
  vi.waitFor(() => expect(app.slack.answers().map(({ mark }) => mark?.state)).toContain(state));

test("while a task runs, its handle opens the files of its message only", async () => {
  const { status } = await ask(accepted);
  // Slack's answer to the fake file is "file_not_found"; what matters is that it was asked.
  expect([await status("F1"), await status("F2"), app.slack.calls.includes("fileInfo")]).toEqual([404, 404, true]);
  app.slack.files.set("F1", {
    mime_type: "a/b",
    url: "https://files.slack.com/F1",
    shared_in: ["D1"],
  });
  expect(await status("F1")).toBe(415);
});

test("a handle ends at the deadline, even when it can't be revoked", async () => {
  const handles = createHandles(await openTestDatabase(), { now: Date.now, ttlMs: 300 });
  const revoke = vi.fn<Handles["revoke"]>(async () => Promise.reject(new Error("the store is down")));
  const { status } = await ask(accepted, { handles: { ...handles, revoke }, limits: { ANSWER_DEADLINE: 300 } });
  await ended("failed");
  await vi.waitFor(async () => expect(await status()).toBe(401));
  expect(revoke).toHaveBeenCalled();
  expect(app.logged("handle_not_revoked")).toHaveLength(1);
});

test("J39: the handle of a task that waits for people outlives the deadline, and ends with the task", async () => {
  const clock = { at: Date.now() };
  const handles = createHandles(await openTestDatabase(), { now: () => clock.at, ttlMs: 300 });
  const task_id = "task-12345678";
  let isEnded = false;
  const waits = {
    status: "input_required",
    task_id,
    input_requests: [],
    resumes_at: new Date(Date.now() + 1_000).toISOString(),
  };
  const { status } = await ask(() => waits, {
    handles,
    prepare: (zone) =>
      zone.on("get_async_task_result", () =>
        isEnded ? { status: "success", task_id, response_text: "done" } : (waits as never),
      ),
  });
  await vi.waitFor(() => expect(app.slack.answers()).not.toEqual([]));
  clock.at += 3 * 86_400_000;
  // Slack's answer to the fake file is "file_not_found".
  await vi.waitFor(async () => expect(await status()).toBe(404));
  isEnded = true;
  await vi.waitFor(async () => expect(await status()).toBe(401), { timeout: 15_000 });
  await ended("done");
});

test("a handle outlives a process that shuts down, because the next process continues the task", async () => {
  const handles = createHandles(await openTestDatabase(), { now: Date.now, ttlMs: 60_000 });
  const revoke = vi.spyOn(handles, "revoke");
  const { status } = await ask(accepted, { handles });
  expect(await status()).not.toBe(401);
  await app.close(0);
  expect(revoke).not.toHaveBeenCalled();
});

test("with token forwarding, a task gets the real token and no handle is created", async () => {
  const handles = createHandles(await openTestDatabase(), { now: Date.now, ttlMs: 60_000 });
  const issue = vi.spyOn(handles, "issue");
  const { status } = await ask(() => ({ status: "success", response_text: "done" }), {
    forwardedToken: () => "xoxb-real",
    handles,
  });
  expect(app.zone.params("execute_task")[0]).toMatchObject({ bot_token: "xoxb-real" });
  expect([issue.mock.calls, await status()]).toEqual([[], 401]);
  await ended("done");
});

test("file requests are counted and logged with the ids of their task; values from unknown clients are not logged", async () => {
  const { status } = await ask(accepted);
  await status("F1");
  await fetch(`${app.url}/files/F-secret-name`, { headers: { authorization: "Bearer czh_stranger" } });
  const [call] = app.zone.of("execute_task");
  expect(app.logged("file_refused")).toMatchObject([
    { reason: "not_shared", file_id: "F1", request_id: call?.id, correlation_id: call?.params["correlation_id"] },
    { reason: "unauthorized" },
  ]);
  expect(JSON.stringify(app.logs)).not.toMatch(/czh_|secret-name/);
  expect(await app.metrics()).toContain('file_requests_total{outcome="unauthorized"} 1');
});

import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { adminToken } from "../harness/runs-api.ts";
import { notices } from "../harness/slack-actions.ts";
import { startWithView, viewToken } from "../harness/start-with-view.ts";

vi.setConfig({ testTimeout: 90_000 });

const referenceIn = (text: string): string => /Reference: ([\da-f-]+)/.exec(text)?.[1] ?? "";

test("the reference under a denial led nowhere: the same command shows the rule that denied it", async () => {
  const { slack, write, show, view, env, url } = await startWithView();
  const askView = (path: string, token: string, method = "GET") =>
    fetch(`${view}${path}`, { method, headers: { authorization: `Bearer ${token}` } });
  write({ user: "gus", text: "what is the secret plan?" });
  const told = await vi.waitUntil(() => notices({ slack })[0], 20_000);
  const reference = referenceIn(told.text);
  const shown = await vi.waitUntil(async () => {
    const end = await show(reference);
    return end.code === 0 && end;
  }, 20_000);
  expect(shown.out).toMatch(/received +from U\w+ in D\w+/);
  expect(shown.out).toMatch(/denied +by the policy's rule no_guests: guest\n/);
  expect(shown.err).toBe("");
  const answered = await askView(`/api/v1/messages/${reference}`, viewToken);
  expect(answered.status).toBe(200);
  expect(await answered.text()).not.toContain("secret plan");

  const statuses = await Promise.all([
    askView(`/api/v1/messages/${reference}`, adminToken),
    askView(`/api/v1/messages/${reference}`, viewToken, "DELETE"),
    askView(`/api/v1/messages/${randomUUID()}`, viewToken),
    fetch(`${url}/api/v1/agents`, { headers: { authorization: `Bearer ${viewToken}` } }),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([401, 405, 404, 401]);
  const without = await show(reference, env.execution);
  expect([without.code, without.err]).toEqual([3, expect.stringContaining("No task has the id or reference")]);
});

test("the reference of a failed answer shows its way through both zones", async () => {
  const { agents, ask, show, env } = await startWithView();
  agents.control("proofreader").fault = "server_error";
  const reference = referenceIn(await ask("proofreader", "This is is secret."));
  const shown = await vi.waitUntil(async () => {
    const end = await show(reference);
    return /answered/.test(end.out) && end;
  }, 20_000);
  const stages = [...shown.out.matchAll(/^\+\S+ +(\w+)/gm)].map(([, stage]) => stage);
  expect(stages).toEqual(["received", "asked", "tried", "ended", "answered"]);
  expect(shown.out).not.toContain("secret");
  const json = JSON.parse((await show(reference, undefined, "--json")).out) as { message: object; task: object };
  expect(json).toMatchObject({ message: { state: "answered", attempts: 1 }, task: { correlation_id: reference } });
  const half = await show(reference, env.execution);
  expect(half).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^Shown in part. Set CROSSZONE_VERIFICATION_URL/),
  });
});

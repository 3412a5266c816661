import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { directMessage, signed, launchTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
const reasons = (): unknown[] => app.logged("slack_request_refused").map(({ reason }) => reason);

beforeAll(async () => {
  app = await launchTestApp();
  await app.started;
});
afterAll(() => app.close());

const eventBody = (): string =>
  JSON.stringify({
    type: "event_callback",
    api_app_id: "A1",
    team_id: "T1",
    event_id: "Ev1",
    event: directMessage("hi"),
  });

async function post(headers: Record<string, string>, body: string, method = "POST"): Promise<Response> {
  return fetch(`${app.url}/slack/events`, { method, headers, ...(method !== "GET" && { body }) });
}

const now = (): number => Math.floor(Date.now() / 1_000);

describe("the guard in front of Bolt", () => {
  test.each([
    [
      "S1: no signature headers",
      401,
      "headers",
      (): Record<string, string> => ({ "content-type": "application/json" }),
    ],
    ["S2: correctly signed, six minutes old", 401, "stale", (body: string) => signed(body, { timestamp: now() - 360 })],
    [
      "S2: correctly signed, six minutes ahead",
      401,
      "future",
      (body: string) => signed(body, { timestamp: now() + 360 }),
    ],
    [
      "a signature with something behind it",
      401,
      "signature_form",
      (body: string) => ({ ...signed(body), "x-slack-signature": `${signed(body)["x-slack-signature"]}0` }),
    ],
    [
      "signed with another secret",
      401,
      "signature",
      (body: string) => signed(body, { secret: "another-secret-of-32-characters!" }),
    ],
    [
      "JSON with the content type of a form",
      400,
      "no_command",
      (body: string) => ({ ...signed(body), "content-type": "application/x-www-form-urlencoded" }),
    ],
  ])("%s → %i", async (...[, status, reason, headersOf]) => {
    const body = eventBody();
    const response = await post(headersOf(body), body);
    expect(response.status).toBe(status);
    expect(await response.text()).toBe("");
    expect(reasons().at(-1)).toBe(reason);
  });

  test("W13: Slack's notice that it drops events is acknowledged, logged and counted", async () => {
    const body = { type: "app_rate_limited", team_id: "T1", api_app_id: "A1", minute_rate_limited: 1_518_467_820 };
    const said = JSON.stringify({ token: "unused", ...body });
    const response = await post(signed(said), said);
    expect([response.status, response.headers.get("x-slack-no-retry")]).toEqual([200, "1"]);
    const limited = app.logged("events_limited");
    expect(limited).toMatchObject([
      { level: "warn", team_id: "T1", api_app_id: "A1", since: "2018-02-12T20:37:00.000Z" },
    ]);
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics).toContain('slack_events_total{verdict="limited"} 1');
    for (const other of [{ ...body, team_id: 1 }, { ...body, minute_rate_limited: 1e300 }, { type: "unknown" }]) {
      const unread = JSON.stringify(other);
      expect((await post(signed(unread), unread)).status).toBe(404);
    }
    expect((await post(signed(said, { secret: "another-secret-of-32-characters!" }), said)).status).toBe(401);
    expect(app.logged("events_limited")).toHaveLength(1);
  });

  test("W33: a step of a workflow builder, which the app does not have, is acknowledged at once", async () => {
    const ids = { function_execution_id: "Fx1", workflow_execution_id: "Wx1", bot_access_token: "xwfp-x" };
    const called = { id: "Fn1", callback_id: "x", type: "app", app_id: "A1" };
    const event = { type: "function_executed", function: called, inputs: {}, ...ids, event_ts: "1795890000.000100" };
    const body = JSON.stringify({ ...(JSON.parse(eventBody()) as object), event });
    const handled = app.logs.length;
    expect((await post(signed(body), body)).status).toBe(200);
    const said = app.logs.slice(handled).map(({ event: name }) => name);
    expect([said.includes("slack_request_answered"), said.includes("slack_request_refused")]).toEqual([true, false]);
  });

  test("Slack's URL verification is echoed", async () => {
    const body = JSON.stringify({ type: "url_verification", challenge: "abc" });
    expect(await (await post(signed(body), body)).json()).toEqual({ challenge: "abc" });
  });
});

test("X22: strangers' bodies had no bound before their signature was checked; a good event has its turn among them", async () => {
  const head = Object.entries({ host: "localhost", ...signed("{}"), "content-length": "1000000" });
  const lines = ["POST /slack/events HTTP/1.1", ...head.map(([name, value]) => `${name}: ${value}`), "", ""];
  const strangers = Array.from({ length: 20 }, async () => {
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
    onTestFinished(() => void socket.on("error", () => undefined).destroy());
    await once(socket, "connect");
    socket.on("error", () => undefined).write(lines.join("\r\n") + "x".repeat(999_900));
  });
  await Promise.all(strangers);
  const body = eventBody();
  expect((await post(signed(body), body)).status).toBe(200);
  await expect.poll(reasons, { timeout: 30_000 }).toContain("busy");
});

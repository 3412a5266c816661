import { afterEach, describe, expect, test, vi } from "vitest";
import { createFakeSlack } from "../testing/fake-slack.ts";
import { directMessage, signed, startTestApp, type TestApp } from "../testing/start-test-app.ts";
import { createAppId } from "./workspace-context.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";

const refused = new SlackCallError("bots.info", { failure: "refused", code: "missing_scope" });
const unavailable = new SlackCallError("bots.info", { failure: "unavailable", code: "http_502" });

describe("the app id", () => {
  test("is fetched once", async () => {
    const ask = vi.fn<() => Promise<string>>(async () => "A1");
    const appId = createAppId(ask, () => expect.unreachable());
    expect(await Promise.all([appId(), appId()])).toEqual(["A1", "A1"]);
    expect(ask).toHaveBeenCalledOnce();
  });

  test("stays unknown when Slack refuses to return it, and the refusal is reported once", async () => {
    const ask = vi.fn<() => Promise<string>>(async () => Promise.reject(refused));
    const onUnknown = vi.fn<(error: unknown) => void>();
    const appId = createAppId(ask, onUnknown);
    expect([await appId(), await appId()]).toEqual([undefined, undefined]);
    expect(onUnknown).toHaveBeenCalledExactlyOnceWith(refused);
  });

  test("is fetched again after Slack was unreachable", async () => {
    const ask = vi.fn<() => Promise<string>>(async () => "A1").mockRejectedValueOnce(unavailable);
    const appId = createAppId(ask, () => expect.unreachable());
    await expect(appId()).rejects.toBe(unavailable);
    expect(await appId()).toBe("A1");
  });
});

describe("without SLACK_APP_ID", () => {
  let app: TestApp;
  afterEach(() => app.close());

  async function start(slack = createFakeSlack()): Promise<void> {
    app = await startTestApp({ slack, limits: { appId: undefined } });
    await app.started;
  }

  const endings = (): unknown[] =>
    app.logs.filter(({ event }) => event === "command_ended").map(({ level, verdict }) => [level, verdict]);

  async function command(api_app_id: string): Promise<void> {
    const body = new URLSearchParams({
      team_id: "T1",
      channel_id: "C1",
      user_id: "U1",
      command: "/agents",
      text: "",
      api_app_id,
      response_url: "https://hooks.slack.com/commands/T1/1/abc",
    }).toString();
    const headers = { ...signed(body), "content-type": "application/x-www-form-urlencoded" };
    await fetch(`${app.url}/slack/events`, { method: "POST", headers, body });
  }

  test("events and commands of another app are refused", async () => {
    await start();
    expect(await app.deliver(directMessage("hi"), { api_app_id: "A2" })).toBe(403);
    expect(await app.deliver(directMessage("hi"), { api_app_id: undefined })).toBe(403);
    expect(await app.deliver(directMessage("hi"))).toBe(200);
    await command("A2");
    await vi.waitFor(() => expect(endings()).toEqual([["warn", "wrong_app"]]));
    expect(app.commandReplies).toEqual([]);
    expect(app.slack.calls.filter((call) => call === "appOf")).toHaveLength(1);
  });

  test("events and commands are accepted if Slack refuses to return the app id, and one warning is logged", async () => {
    const slack = createFakeSlack();
    slack.failNext("appOf", "refused", { code: "missing_scope" });
    await start(slack);
    expect(await app.deliver(directMessage("hi"), { api_app_id: "A2" })).toBe(200);
    await command("A2");
    await vi.waitFor(() => expect(endings()).toEqual([["info", "answered"]]));
    const warnings = app.logs.filter(({ event }) => event === "slack_app_unknown");
    expect(warnings).toMatchObject([{ level: "warn", team_id: "T1", code: "missing_scope" }]);
  });

  test("a start waits for the app id while Slack is unreachable", async () => {
    const slack = createFakeSlack();
    slack.failNext("appOf", "unavailable");
    await start(slack);
    expect(app.logs.find(({ event }) => event === "slack_not_identified")).toMatchObject({ attempt: 1 });
    expect(await app.deliver(directMessage("hi"), { api_app_id: "A2" })).toBe(403);
  });
});

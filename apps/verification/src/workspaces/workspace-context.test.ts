import { afterEach, describe, expect, test, vi } from "vitest";
import { createFakeSlack } from "../testing/fake-slack.ts";
import { directMessage, startTestApp, type TestApp } from "../testing/start-test-app.ts";
import { createAppId } from "./workspace-context.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";

const refused = new SlackCallError("bots.info", { failure: "refused", code: "missing_scope" });
const unavailable = new SlackCallError("bots.info", { failure: "unavailable", code: "http_502" });

describe("the app id", () => {
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

  test("a start waits for the app id while Slack is unreachable", async () => {
    const slack = createFakeSlack();
    slack.failNext("appOf", "unavailable");
    await start(slack);
    expect(app.logs.find(({ event }) => event === "slack_not_identified")).toMatchObject({ attempt: 1 });
    expect(await app.deliver(directMessage("hi"), { api_app_id: "A2" })).toBe(403);
  });
});

import { expect, test } from "vitest";
import {
  devSlackForTest,
  eventOf,
  type ReceivedRequest,
  recordingApp,
  verdicts,
} from "../testing/dev-slack-for-test.ts";
import { slackSignature } from "./signed-request.ts";
import type { DevSlack } from "../server/dev-slack.ts";

test("a failing app gets four attempts, each freshly signed, with the retry's number and reason", async () => {
  const app = await recordingApp((response, count) => {
    if (count === 1) response.writeHead(500).end();
    if (count === 3) response.destroy();
    if (count === 4) response.end("ok");
  });
  const dev = await devSlackForTest({ eventsUrl: `${app.url}/slack/events`, ackTimeoutMs: 500 });
  dev.control.postMessage({ channel: "dm", text: "hello" });
  await dev.control.idle();
  expect(app.requests.map(({ headers }) => [headers["x-slack-retry-num"], headers["x-slack-retry-reason"]])).toEqual([
    [undefined, undefined],
    ["1", "http_error"],
    ["2", "http_timeout"],
    ["3", "connection_failed"],
  ]);
  expect(verdicts(dev)).toEqual([
    "refused: 500",
    "retry 1 after http_error: no answer: http_timeout",
    "retry 2 after http_timeout: no answer: connection_failed",
    "retry 3 after connection_failed: accepted",
  ]);
  expect(new Set(app.requests.map(({ body }) => body)).size).toBe(1);
  for (const { headers, body } of app.requests) {
    const timestamp = Number(headers["x-slack-request-timestamp"]);
    expect(Math.abs(Date.now() / 1000 - timestamp)).toBeLessThan(3);
    expect(headers["x-slack-signature"]).toBe(slackSignature(dev.signingSecret, timestamp, body));
    expect(headers["user-agent"]).toMatch(/^Slackbot 1\.0/);
    expect(headers["content-type"]).toBe("application/json");
  }
});

test("X-Slack-No-Retry: 1 on a refusal ends the retries", async () => {
  const app = await recordingApp((response) => response.writeHead(500, { "x-slack-no-retry": "1" }).end());
  const dev = await devSlackForTest({ eventsUrl: app.url });
  dev.control.postMessage({ channel: "dm", text: "hello" });
  await dev.control.idle();
  expect(app.requests).toHaveLength(1);
  expect(verdicts(dev)).toEqual(["refused: 500, no retry wanted"]);
});

test("an app over HTTPS with a bad certificate or none counts as ssl_error", async () => {
  const app = await recordingApp();
  const dev = await devSlackForTest({ eventsUrl: app.url.replace("http:", "https:"), retryScheduleMs: [] });
  dev.control.postMessage({ channel: "dm", text: "hello" });
  await dev.control.idle();
  expect(verdicts(dev)).toEqual(["no answer: ssl_error"]);
});

test("copies: the same event comes twice; drop_first: only its retries come", async () => {
  const app = await recordingApp();
  const dev = await devSlackForTest({ eventsUrl: app.url });
  expect(dev.control.setDelivery({ copies: 2 })).toEqual({ copies: 2, delay_ms: 0, drop_first: false });
  dev.control.postMessage({ channel: "dm", text: "twice" });
  await dev.control.idle();
  expect(app.requests).toHaveLength(2);
  expect(app.requests[0]?.body).toBe(app.requests[1]?.body);

  dev.control.setDelivery({ copies: 1, drop_first: true });
  dev.control.postMessage({ channel: "dm", text: "the first attempt never arrives" });
  await dev.control.idle();
  expect(app.requests).toHaveLength(3);
  expect(app.requests[2]?.headers).toMatchObject({
    "x-slack-retry-num": "1",
    "x-slack-retry-reason": "connection_failed",
  });
});

test("posting does not wait for the app, and close cancels pending deliveries", async () => {
  const app = await recordingApp((response) => response.writeHead(500).end());
  const dev = await devSlackForTest({ eventsUrl: app.url, retryScheduleMs: [600_000] });
  dev.control.postMessage({ channel: "dm", text: "hello" });
  expect(app.requests).toHaveLength(0);
  await expect.poll(() => app.requests.length).toBe(1);
  const started = Date.now();
  await dev.close();
  expect(Date.now() - started).toBeLessThan(1000);
});

async function devAndApp(): Promise<{ dev: DevSlack; requests: ReceivedRequest[] }> {
  const app = await recordingApp();
  return { dev: await devSlackForTest({ eventsUrl: app.url }), requests: app.requests };
}

/** The events since the last look, sorted by type so that their order on the wire does not matter. */
async function newEvents(dev: DevSlack, requests: ReceivedRequest[]): Promise<Record<string, unknown>[]> {
  await dev.control.idle();
  return requests
    .splice(0)
    .map(eventOf)
    .toSorted((a, b) => String(a["type"]).localeCompare(String(b["type"])));
}

test("the envelope is Slack's", async () => {
  const { dev, requests } = await devAndApp();
  const { ts, client_msg_id } = dev.control.postMessage({ channel: "dm", user: "bob", text: "hello" });
  await dev.control.idle();
  expect(JSON.parse(requests[0]?.body ?? "")).toEqual({
    token: expect.any(String),
    team_id: "T0CROSSZONE",
    context_team_id: "T0CROSSZONE",
    context_enterprise_id: null,
    api_app_id: "A0CROSSZONE",
    event: {
      user: "U0BOB000001",
      type: "message",
      ts,
      client_msg_id,
      text: "hello",
      team: "T0CROSSZONE",
      blocks: [
        {
          type: "rich_text",
          block_id: expect.any(String),
          elements: [{ type: "rich_text_section", elements: [{ type: "text", text: "hello" }] }],
        },
      ],
      channel: "D0BOB000001",
      event_ts: ts,
      channel_type: "im",
    },
    type: "event_callback",
    event_id: expect.stringMatching(/^Ev[0-9A-Z]{9}$/),
    event_time: expect.any(Number),
    authorizations: [
      {
        enterprise_id: null,
        team_id: "T0CROSSZONE",
        user_id: "U0CROSSZONE",
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: false,
    event_context: expect.stringMatching(/^4-/),
  });
});

test("a message with a file is a file_share; its app_mention twin has no files", async () => {
  const { dev, requests } = await devAndApp();
  const files = [{ name: "notes.txt", mimetype: "text/plain", content: "remember" }];
  dev.control.postMessage({ channel: "general", text: "@Crosszone read this", files });
  const [mention, message] = await newEvents(dev, requests);
  expect(mention).toMatchObject({ type: "app_mention", text: "<@U0CROSSZONE> read this", channel: "C0GENERAL01" });
  expect(mention).not.toHaveProperty("files");
  expect(mention).not.toHaveProperty("channel_type");
  expect(message).toMatchObject({ subtype: "file_share", channel_type: "channel", ts: mention?.["ts"] });
  expect(message?.["files"]).toMatchObject([{ name: "notes.txt", size: 8, channels: ["C0GENERAL01"], mode: "hosted" }]);
  dev.control.postMessage({ channel: "dm", text: "", files });
  expect(await newEvents(dev, requests)).toMatchObject([{ subtype: "file_share", text: "" }]);
});

test("an event of a Slack Connect channel says so, with the team of a partner", async () => {
  const { dev, requests } = await devAndApp();
  dev.control.postMessage({ channel: "partners", user: "paula", text: "hello" });
  await dev.control.idle();
  expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({
    team_id: "T0CROSSZONE",
    is_ext_shared_channel: true,
    event: { team: "T0PARTNERS1", user_team: "T0PARTNERS1", user: "U0PARTNER01" },
  });
});

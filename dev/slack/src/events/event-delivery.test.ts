import { expect, test } from "vitest";
import { devSlackForTest } from "../testing/dev-slack-for-test.ts";
import { recordingApp, verdicts } from "../testing/recording-app.ts";
import { slackSignature } from "./signed-request.ts";

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

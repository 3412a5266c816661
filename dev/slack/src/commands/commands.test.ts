import { describe, expect, test } from "vitest";
import type { Message } from "../protocol/workspace.ts";
import {
  answerAt,
  boltAppForTest,
  devSlackForTest,
  type ReceivedRequest,
  recordingApp,
  socketModeAppForTest,
} from "../testing/dev-slack-for-test.ts";
import { slackSignature } from "../events/signed-request.ts";
import type { DevSlack, DevSlackOptions } from "../server/dev-slack.ts";
import type { App } from "@slack/bolt";

type Answer = Parameters<typeof recordingApp>[0];

async function start(
  answer?: Answer,
  options: DevSlackOptions = {},
): Promise<{ dev: DevSlack; requests: ReceivedRequest[] }> {
  const dev = await devSlackForTest(options);
  const app = await recordingApp(answer);
  dev.setEventsUrl(`${app.url}/slack/events`);
  return { dev, requests: app.requests };
}

const type = (dev: DevSlack, text = "/agents", channel = "general"): ReturnType<DevSlack["control"]["runCommand"]> =>
  dev.control.runCommand({ channel, user: "alice", text });
const shown = (dev: DevSlack, channel = "C0GENERAL01"): Message[] => dev.control.messages({ channel });
const formOf = (request: ReceivedRequest | undefined): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(request?.body));

describe("a slash command", () => {
  test("is sent once, as a signed form with all of Slack's members", async () => {
    const { dev, requests } = await start();
    expect(await type(dev, "/agents  two words ")).toMatchObject({ status: 200, message: { user: "U0ALICE0001" } });
    const [request] = requests;
    expect(request?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    const timestamp = Number(request?.headers["x-slack-request-timestamp"]);
    const signature = slackSignature(dev.signingSecret, timestamp, request?.body ?? "");
    expect(request?.headers["x-slack-signature"]).toBe(signature);
    expect(formOf(request)).toEqual({
      token: expect.any(String),
      team_id: dev.workspace.team.id,
      team_domain: dev.workspace.team.domain,
      channel_id: "C0GENERAL01",
      channel_name: "general",
      user_id: "U0ALICE0001",
      user_name: "alice",
      command: "/agents",
      text: "two words",
      api_app_id: dev.workspace.app.app_id,
      is_enterprise_install: "false",
      response_url: expect.stringContaining(`${dev.url}/commands/${dev.workspace.team.id}/`),
      trigger_id: expect.any(String),
    });
    expect([requests.length, shown(dev)]).toEqual([1, []]);
  });

  test.each<[string, Answer, Partial<Message>]>([
    ["text", (response) => response.end("hi"), { text: "hi", ephemeral_for: "U0ALICE0001" }],
    [
      "JSON",
      (response) => response.setHeader("content-type", "application/json").end('{"text":"hi"}'),
      { text: "hi", ephemeral_for: "U0ALICE0001" },
    ],
    ["JSON for all", (response) => response.end('{"text":"hi","response_type":"in_channel"}'), { text: "hi" }],
  ])("that is answered at once with %s shows it", async (_what, answer, expected) => {
    const { dev } = await start(answer);
    await type(dev);
    expect(shown(dev)).toEqual([expect.objectContaining({ ...expected, user: "U0CROSSZONE" })]);
    expect(shown(dev)[0]?.ephemeral_for).toBe(expected.ephemeral_for);
  });

  test.each<[string, Answer, DevSlackOptions, string]>([
    [
      "does not answer in time",
      () => undefined,
      { ackTimeoutMs: 50 },
      '/agents failed with the error "operation_timeout"',
    ],
    ["refuses", (response) => response.writeHead(401).end(), {}, '/agents failed with the error "dispatch_failed"'],
    ["is not installed", undefined, { installed: false }, "/agents is not a valid command."],
    ["has no scope for it", undefined, { scopes: ["chat:write"] }, "/agents is not a valid command."],
  ])("to an app that %s fails, and is not retried", async (...[, answer, options, words]) => {
    const { dev, requests } = await start(answer, options);
    await type(dev);
    const [said, ...more] = shown(dev);
    expect(said).toMatchObject({
      user: "USLACKBOT",
      ephemeral_for: "U0ALICE0001",
      text: expect.stringContaining(words),
    });
    expect([more.length, requests.length <= 1]).toEqual([0, true]);
  });

  test("does not reach the app if it is unknown, or typed in a thread", async () => {
    const { dev, requests } = await start();
    await type(dev, "/weather Tokyo");
    const root = dev.control.postMessage({ channel: "general", text: "hi" });
    await dev.control.idle();
    await dev.control.runCommand({ channel: "general", user: "alice", text: "/agents", thread_ts: root.ts });
    expect(shown(dev).map(({ text }) => text)).toEqual([
      expect.stringContaining("/weather is not a valid command."),
      "hi",
      "/agents is not supported in threads. Sorry!",
    ]);
    expect(requests.filter(({ body }) => body.includes("command="))).toEqual([]);
  });

  test.each([
    ["no command", { text: "agents" }, 400],
    ["a lone slash", { text: "/ agents" }, 400],
    ["a place where the person is not", { channel: "D0CHIYO0001", user: "bob" }, 403],
  ])("is refused for %s", async (_what, members, status) => {
    const { dev } = await start();
    const run = dev.control.runCommand({ channel: "general", text: "/agents", ...members });
    await expect(run).rejects.toMatchObject({ status });
  });
});

describe("response_url", () => {
  async function url(options: DevSlackOptions = {}): Promise<{ dev: DevSlack; at: string }> {
    const { dev, requests } = await start(undefined, options);
    await type(dev);
    return { dev, at: formOf(requests[0])["response_url"] ?? "" };
  }

  test("takes five answers, each for who typed the command alone, and no sixth", async () => {
    const { dev, at } = await url();
    for (let count = 1; count <= 5; count += 1) expect(await answerAt(at, { text: `${count}` })).toEqual([200, "ok"]);
    expect(await answerAt(at, { text: "6" })).toEqual([404, '{"ok":false,"error":"used_url"}']);
    expect(shown(dev).map(({ text, ephemeral_for }) => [text, ephemeral_for])).toEqual(
      ["1", "2", "3", "4", "5"].map((text) => [text, "U0ALICE0001"]),
    );
  });

  test("accepts none after its lifetime, nor at an unknown URL", async () => {
    const { dev, at } = await url({ responseUrlLifetimeMs: 0 });
    expect(await answerAt(at, { text: "1" })).toEqual([404, '{"ok":false,"error":"expired_url"}']);
    expect((await answerAt(`${dev.url}/commands/T1/2/3`, { text: "1" }))[0]).toBe(404);
    expect(shown(dev)).toEqual([]);
  });

  test.each([
    ["no content", {}, "no_text"],
    ["a block that Slack does not know", { blocks: [{ type: "bogus" }] }, "invalid_blocks"],
  ])("refuses %s", async (_what, payload, error) => {
    const { dev, at } = await url();
    expect(await answerAt(at, payload)).toEqual([400, JSON.stringify({ ok: false, error })]);
    expect(shown(dev)).toEqual([]);
  });
});

async function answers(dev: DevSlack, app: App): Promise<(string | undefined)[]> {
  app.command("/agents", async ({ ack, command, respond }) => {
    await ack({ response_type: "ephemeral", text: `at once: ${command.text}` });
    await respond("later");
  });
  const { message } = await dev.control.runCommand({ channel: "dm", user: "chiyo", text: "/agents こんにちは" });
  await dev.control.waitForMessage(({ text }) => text === "later");
  return dev.control.messages({ channel: message.channel }).map(({ text }) => text);
}

test("a real Bolt app verifies a command over HTTP, and answers at once and later; and over a socket", async () => {
  const [http, socket] = [await devSlackForTest(), await devSlackForTest()];
  expect(await answers(http, await boltAppForTest(http))).toEqual(["at once: こんにちは", "later"]);
  expect(await answers(socket, (await socketModeAppForTest(socket)).app)).toEqual(["at once: こんにちは", "later"]);
});

import { writeFileSync } from "node:fs";
import { tempFile } from "@crosszone/testkit/temporary";
import { describe, expect, test, vi } from "vitest";
import {
  denials,
  eventStatuses,
  notices,
  waitForNotices,
  sendMention,
  shownText,
  tasksStarted,
} from "../harness/slack-actions.ts";
import { startCrosszone, type Crosszone } from "../harness/start-crosszone.ts";
import { withPolicy } from "../harness/temp-file.ts";
import { tune } from "@crosszone/testkit/tune";

const general = "C0GENERAL01";
const hello = "@Crosszone 2+2";

type Sending = (zones: Crosszone) => void;

describe("default denials are logged and acknowledged, and execution gets nothing", () => {
  test.each<[string, reason: string, Sending]>([
    ["a deactivated person", "deactivated", (zones) => zones.write({ user: "dana", text: "2+2" })],
    ["a stranger", "foreign_author", (zones) => zones.write({ user: "stranger", text: "2+2" })],
    [
      "a stranger whose event does not say so",
      "stranger",
      (zones) => sendMention(zones, { user: "U0STRANGER1", channel: general }),
    ],
    [
      "a user who does not exist",
      "unknown_user",
      (zones) => sendMention(zones, { user: "U0NOBODY001", channel: general }),
    ],
    [
      "a channel that does not exist",
      "unknown_channel",
      (zones) => sendMention(zones, { user: "U0ALICE0001", channel: "C0NOWHERE01" }),
    ],
    [
      "a team that did not install the app",
      "foreign_team",
      (zones) => sendMention(zones, { user: "U0ALICE0001", channel: general }, { team_id: "T0EVILTEAM1" }),
    ],
    ["an archived channel", "archived", (zones) => zones.write({ channel: "old-project", text: hello })],
    ["a bot that writes as a person", "bot", (zones) => sendMention(zones, { user: "U0DEPLOYBOT", channel: general })],
    [
      "people of a partner",
      "foreign_author",
      (zones) => zones.write({ channel: "partners", user: "paula", text: hello }),
    ],
  ])("%s gets no answer (%s)", async (_who, reason, send) => {
    const zones = await startCrosszone();
    send(zones);
    expect((await denials(zones))[0]).toMatchObject({ reason, correlation_id: expect.any(String) });
    await zones.slack.control.idle();
    expect(eventStatuses(zones)).toEqual([200]);
    expect(tasksStarted(zones)).toBe(0);
    expect(notices(zones)).toEqual([]);
    expect(zones.log.filter(({ event }) => event === "policy_allowed")).toEqual([]);
  });

  const shared = /shared with another/;
  test.each<{ who: string; reason: string; sentence: RegExp; send: Sending }>([
    {
      who: "a guest",
      reason: "guest",
      sentence: /guests/,
      send: (zones) => zones.write({ user: "gus", text: "2+2" }),
    },
    {
      who: "a guest of one channel",
      reason: "guest",
      sentence: /guests/,
      send: (zones) => {
        zones.slack.control.putUser({ id: "U0BOB000001", is_ultra_restricted: true });
        zones.write({ user: "bob", channel: "general", text: hello });
      },
    },
    {
      who: "a person in a Slack Connect channel",
      reason: "shared_channel",
      sentence: shared,
      send: (zones) => zones.write({ channel: "partners", text: hello }),
    },
    {
      who: "a person in a channel with an invited partner",
      reason: "shared_channel",
      sentence: shared,
      send: (zones) => {
        zones.slack.control.putChannel({ id: "C0PRIVATE01", is_pending_ext_shared: true });
        zones.write({ channel: "leads", text: hello });
      },
    },
  ])("S9: $who reads why, with the reference ($reason)", async ({ reason, sentence, send }) => {
    const zones = await startCrosszone();
    send(zones);
    const [denied] = await denials(zones);
    const [told] = await waitForNotices(zones);
    expect(denied).toMatchObject({ reason, user_id: told?.ephemeral_for });
    expect(told?.text).toMatch(sentence);
    expect(told?.text).toContain(`Reference: ${String(denied?.["correlation_id"])}`);
    await zones.slack.control.idle();
    expect(eventStatuses(zones)).toEqual([200]);
    expect(tasksStarted(zones)).toBe(0);
    expect(notices(zones)).toHaveLength(1);
  });

  test("a listed team that does not exist is denied", async () => {
    const zones = await startCrosszone({ env: withPolicy({ allowed_teams: ["T0EVILTEAM1"] }) });
    sendMention(zones, { user: "U0ALICE0001", channel: general }, { team_id: "T0EVILTEAM1" });
    expect((await denials(zones))[0]).toMatchObject({ rule: "team_exists", reason: "unknown_team" });
    expect(tasksStarted(zones)).toBe(0);
  });
});

describe("people who can ask", () => {
  test("two teams, when one is listed and shared channels are allowed; a third one is denied", async () => {
    const policy = { allowed_teams: ["T0PARTNERS1"], allow_shared_channels: true };
    const zones = await startCrosszone({ env: withPolicy(policy) });
    const asked = ["alice", "paula"].map((user) => zones.write({ channel: "partners", user, text: hello }));
    for (const root of asked) expect(shownText(await zones.answerTo(root))).toContain("4");
    sendMention(zones, { user: "U0STRANGER1", channel: "C0SHARED001", user_team: "T0OTHERTEAM" });
    expect((await denials(zones))[0]).toMatchObject({ reason: "foreign_author" });
    expect(tasksStarted(zones)).toBe(2);
    expect(notices(zones)).toEqual([]);
  });

  test("S10: empty lists allow nothing", async () => {
    const policy = { allowed_teams: [], allowed_channels: [], allowed_users: [], allow_shared_channels: true };
    const zones = await startCrosszone({ env: withPolicy(policy) });
    zones.write({ channel: "partners", user: "paula", text: hello });
    expect((await denials(zones))[0]).toMatchObject({ reason: "foreign_author" });
    expect((await zones.answerTo(zones.write({ text: "2+2" }))).markdown_text).toContain("4");
    expect(tasksStarted(zones)).toBe(1);
    const inForce = zones.log.find(({ event }) => event === "policy_in_force");
    expect(inForce?.["teams"]).toBe(
      "No other team is listed: only members of the team that installed the app can ask.",
    );
  });

  test("listed people and channels; others read why they are denied", async () => {
    const env = withPolicy({ allowed_users: ["U0ALICE0001", "U0BOB000001"], allowed_channels: [general] });
    const zones = await startCrosszone({ env });
    expect((await zones.answerTo(zones.write({ channel: "general", text: hello }))).markdown_text).toContain("4");
    zones.write({ channel: "general", user: "chiyo", text: hello });
    expect((await waitForNotices(zones))[0]?.text).toMatch(/^You are not on the list/);
    zones.write({ text: "2+2" });
    expect((await waitForNotices(zones, 2))[0]?.text).toBeDefined();
    expect((await denials(zones, 2)).map(({ reason }) => reason)).toEqual(["user_not_listed", "channel_not_listed"]);
    expect(tasksStarted(zones)).toBe(1);
  });

  test("a changed policy file takes effect while the app runs; an invalid version changes nothing", async () => {
    const file = tempFile("policy.json", JSON.stringify({ allowed_users: ["U0BOB000001"] }));
    const zones = await startCrosszone({ env: { POLICY_FILE: file } });
    zones.write({ text: "2+2" });
    await waitForNotices(zones);
    writeFileSync(file, '{"allowed_users": ["everybody"], "allowed": []}');
    await vi.waitUntil(() => zones.log.some(({ event }) => event === "policy_refused"), { timeout: 10_000 });
    expect(zones.log.find(({ event }) => event === "policy_refused")).toMatchObject({
      level: "error",
      problems: [expect.stringContaining("/allowed_users/0"), expect.stringContaining("allowed")],
    });
    zones.write({ text: "2+2" });
    await waitForNotices(zones, 2);
    writeFileSync(file, "{}");
    await vi.waitUntil(() => zones.log.filter(({ event }) => event === "policy_in_force").length === 2, {
      timeout: 10_000,
    });
    expect((await zones.answerTo(zones.write({ text: "2+2" }))).markdown_text).toContain("4");
    expect(tasksStarted(zones)).toBe(1);
  });

  test.each([[[]], [[{ name: "A.java", mimetype: "text/plain", content: "class A {}" }]]])(
    "S16: a question with the word override is answered, with %j",
    async (files) => {
      const zones = await startCrosszone();
      const text = "Ignore the interface: how do I override a method of the system class in Java?";
      const answer = await zones.answerTo(zones.write({ text, files }));
      expect(answer.metadata?.event_payload["state"]).toBe("done");
      expect(tasksStarted(zones)).toBe(1);
    },
  );
});

test("S7: the event is acknowledged before Slack has identified the person; without an answer the message is denied", async () => {
  const zones = await startCrosszone({ env: tune({ SLACK_LOOKUP_TIMEOUT_MS: 1_500 }) });
  for (const method of ["team.info", "users.info", "conversations.info"])
    zones.slack.control.setFault({ method, kind: "hang", times: 1 });
  zones.write({ text: "2+2" });
  await zones.slack.control.idle();
  expect(zones.slack.control.traffic().find(({ kind }) => kind === "event")).toMatchObject({ status: 200 });
  expect(zones.log.filter(({ event }) => String(event).startsWith("policy_d"))).toEqual([]);
  expect((await denials(zones))[0]).toMatchObject({ rule: "user_exists", reason: "check_failed" });
  expect((await waitForNotices(zones))[0]?.text).toMatch(/^I could not check whether I may answer this/);
  expect(tasksStarted(zones)).toBe(0);
  expect((await zones.answerTo(zones.write({ text: "2+2" }))).markdown_text).toContain("4");
});

test("an app that cannot look people up denies everyone, and the log names the missing scope", async () => {
  const scopes = ["app_mentions:read", "assistant:write", "chat:write", "im:history", "im:read", "team:read"];
  const zones = await startCrosszone({ slack: { scopes } });
  zones.write({ text: "2+2" });
  expect((await denials(zones))[0]).toMatchObject({ rule: "user_exists", level: "warn", code: "missing_scope" });
  expect((await waitForNotices(zones))[0]?.text).toMatch(/^I could not check/);
  expect(tasksStarted(zones)).toBe(0);
});

test("S15: a bot token that is replaced while the app runs is read from its file, and is in no log", async () => {
  const tokens = ["xoxb-the-first-token-of-this-test"];
  const file = tempFile("token", `${tokens[0]}\n`);
  const zones = await startCrosszone({
    slack: { secrets: { botToken: tokens[0] ?? "" } },
    env: { SLACK_BOT_TOKEN: "", SLACK_BOT_TOKEN_FILE: file },
  });
  expect((await zones.answerTo(zones.write({ text: "2+2" }))).markdown_text).toContain("4");
  zones.slack.rotateBotToken();
  tokens.push(zones.slack.botToken);
  writeFileSync(file, zones.slack.botToken);
  expect((await zones.answerTo(zones.write({ user: "bob", text: "3+3" }))).markdown_text).toContain("6");
  expect(zones.log.filter(({ event }) => event === "slack_token_renewed").length).toBe(1);
  for (const token of tokens) expect(JSON.stringify(zones.log)).not.toContain(token);
});

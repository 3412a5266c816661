// suite: rest
import { writeFileSync } from "node:fs";
import { tempFile } from "@crosszone/testkit/temporary";
import { describe, expect, test, vi } from "vitest";
import { tune } from "@crosszone/testkit/tune";
import {
  denials,
  eventStatuses,
  notices,
  sendMention,
  shownText,
  tasksStarted,
  waitForNotices,
} from "../harness/slack-actions.ts";
import { withPolicy } from "../harness/temp-file.ts";
import { startCrosszone } from "../harness/start-crosszone.ts";

const general = "C0GENERAL01";
const hello = "@Crosszone 2+2";

describe("default denials are logged and acknowledged, and execution gets nothing", () => {
  test("a stranger whose event does not say so gets no answer", async () => {
    const zones = await startCrosszone();
    sendMention(zones, { user: "U0STRANGER1", channel: general });
    expect((await denials(zones))[0]).toMatchObject({ reason: "stranger", correlation_id: expect.any(String) });
    await zones.slack.control.idle();
    expect(eventStatuses(zones)).toEqual([200]);
    expect(tasksStarted(zones)).toBe(0);
    expect(notices(zones)).toEqual([]);
    expect(zones.log.filter(({ event }) => event === "policy_allowed")).toEqual([]);
  });

  test("S9: a guest of one channel reads why, with the reference", async () => {
    const zones = await startCrosszone();
    zones.slack.control.putUser({ id: "U0BOB000001", is_ultra_restricted: true });
    zones.write({ user: "bob", channel: "general", text: hello });
    const [denied] = await denials(zones);
    const [told] = await waitForNotices(zones);
    expect(denied).toMatchObject({ reason: "guest", user_id: told?.ephemeral_for });
    expect(told?.text).toMatch(/guests/);
    expect(told?.text).toContain(`Reference: ${String(denied?.["correlation_id"])}`);
    await zones.slack.control.idle();
    expect(eventStatuses(zones)).toEqual([200]);
    expect(tasksStarted(zones)).toBe(0);
    expect(notices(zones)).toHaveLength(1);
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

  test("O36: a policy whose name is misspelt while the app runs opens nothing, and an empty one takes effect", async () => {
    const policy = { allowed_users: ["U0BOB000001"] };
    const file = tempFile("verification.yaml", JSON.stringify({ policy }));
    const zones = await startCrosszone({ env: { VERIFICATION_FILE: file } });
    zones.write({ text: "2+2" });
    await waitForNotices(zones);
    writeFileSync(file, JSON.stringify({ polcy: policy }));
    const about = (section: string) => zones.log.filter((line) => line["section"] === section);
    await vi.waitUntil(() => about("polcy").length === 1 && about("policy").length === 2);
    expect(about("policy")[1]).toMatchObject({ event: "settings_not_usable" });
    zones.write({ text: "2+3" });
    await vi.waitUntil(() => notices(zones).length === 2);
    writeFileSync(file, JSON.stringify({ policy: {} }));
    await vi.waitUntil(() => about("policy").length === 3);
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

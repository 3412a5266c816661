import { expect, test, vi } from "vitest";
import { questionRecord } from "../testing/test-inbox.ts";
import { createFakeSlack, member } from "../testing/fake-slack.ts";
import { createSlackDirectory, lookAhead } from "./slack-directory.ts";

test("all lookups of a judgment start at once, each once, and are cached for five minutes", async () => {
  const slack = createFakeSlack();
  let now = 0;
  const directory = createSlackDirectory({ slack, now: () => now, timeoutMs: 1_000 });
  lookAhead(directory, questionRecord({ teams: ["T1", "T2"] }));
  expect(slack.calls).toEqual(["team", "team", "user", "channel"]);
  for (const at of [0, 299_999]) {
    now = at;
    expect(await directory.user("U1")).toEqual(member);
    expect(await directory.channel("C1")).toBeDefined();
  }
  expect(slack.calls).toHaveLength(4);
  now = 300_000;
  await directory.user("U1");
  expect(slack.calls).toHaveLength(5);
});

test("a missing value is looked up again after a minute; a failed prefetch has no effect", async () => {
  const slack = createFakeSlack();
  slack.directory.users["UNOBODY"] = undefined;
  let now = 0;
  const directory = createSlackDirectory({ slack, now: () => now, timeoutMs: 1_000 });
  expect(await directory.user("UNOBODY")).toBeUndefined();
  slack.directory.users["UNOBODY"] = member;
  now = 59_999;
  expect(await directory.user("UNOBODY")).toBeUndefined();
  now = 60_000;
  expect(await directory.user("UNOBODY")).toEqual(member);

  slack.failNext("channel", "unavailable");
  lookAhead(directory, questionRecord());
  await vi.waitFor(async () => expect(await directory.channel("C1")).toBeDefined());
});

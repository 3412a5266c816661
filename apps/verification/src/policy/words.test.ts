import { expect, test } from "vitest";
import { closedPolicy } from "../testing/start-test-app.ts";
import { denialSentence, denyReasons, type DenyReason } from "./denials.ts";
import { policyInWords } from "./policy-in-words.ts";

const silent: readonly DenyReason[] = [
  ...(["foreign_team", "foreign_author", "unknown_team", "unknown_user", "unknown_channel"] as const),
  ...(["deactivated", "bot", "stranger", "archived"] as const),
];
const told = denyReasons.filter((reason) => !silent.includes(reason));

test.each(silent)("%s gets no notice", (reason) => {
  expect(denialSentence({ reason }, "ref-1")).toBeUndefined();
});

test.each(told)("S9: %s gets a notice that says what to do, with the reference", (reason) => {
  const text = denialSentence({ reason, limit: 3_000_000, retryAfterMs: 61_000 }, "ref-1");
  expect(text).toMatch(/^[A-Z][^_]*Please [^_]*\.\n_Reference: ref-1_$/);
  expect(text).not.toMatch(/undefined|NaN/);
});

test.each([
  [1_000, "1 second"],
  [40_000, "40 seconds"],
  [150_000, "3 minutes"],
])("a wait of %i ms is written as %s", (retryAfterMs, words) => {
  expect(denialSentence({ reason: "user_rate", retryAfterMs }, "r")).toContain(`in ${words}.`);
});

test("a policy is described in sentences, with the first names and the number of the others", () => {
  const allowed_users = new Set(Array.from({ length: 12 }, (_, index) => `U${index}`));
  const words = policyInWords({
    ...closedPolicy,
    allowed_teams: new Set(["T2"]),
    allowed_channels: new Set(["C1", "dm"]),
    allowed_users,
    allow_guests: true,
    allow_shared_channels: true,
    channel_agents: new Map([["C1", "scout"]]),
  });
  expect(words).toMatchObject({
    teams: "Members of the team that installed the app can ask, and members of T2.",
    channels: "The app answers only in C1, dm.",
    users: "Only U0, U1, U2, U3, U4, U5, U6, U7, U8, U9 and 2 more can ask.",
    guests: "Guests can ask.",
    shared_channels: "The app answers in channels that are shared with another organization.",
    channel_agents: "Agents of channels: C1 scout.",
  });
});

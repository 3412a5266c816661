import { mistakesIn, sectionIn } from "@crosszone/service-kit/testing";
import { expect, test } from "vitest";
import { closedPolicy } from "../testing/start-test-app.ts";
import { policyOf, verificationSections } from "./policy-section.ts";

const { policy: row } = verificationSections;
const read = (policy: object) => sectionIn("policy", row, JSON.stringify({ policy }));

test("S10: what the section omits is not allowed, nor is anything without it", async () => {
  expect(await read({})).toEqual(closedPolicy);
  expect(await sectionIn("policy", row, "{}")).toEqual(closedPolicy);
});

test("a section is read completely", async () => {
  const section = {
    allowed_teams: ["T2"],
    allowed_channels: ["C1", "dm"],
    allowed_users: ["U1", "U2"],
    allow_guests: true,
    channel_agents: { C1: "scout" },
    follow: "mentions",
    channel_follow: { C1: "everybody" },
    apps: ["A1", "U1"],
    reactions: { ticket: "case" },
    file_types: ["Text/CSV"],
  };
  expect(await read(section)).toMatchObject({
    written: section,
    allowed_teams: new Set(["T2"]),
    allowed_channels: new Set(["C1", "dm"]),
    allowed_users: new Set(["U1", "U2"]),
    allow_guests: true,
    allow_shared_channels: false,
    channel_agents: new Map([["C1", "scout"]]),
    follow: "mentions",
    channel_follow: new Map([["C1", "everybody"]]),
    apps: new Set(["A1", "U1"]),
    reactions: new Map([["ticket", "case"]]),
    file_types: ["text/csv"],
  });
});

test("another policy has another version in the audit log, and a default that is written out the same one", () => {
  expect(policyOf({ allow_guests: false }).digest).toBe(closedPolicy.digest);
  expect(policyOf({ allow_guests: true }).digest).not.toBe(closedPolicy.digest);
});

test("all mistakes are reported at once, by place, without the values", async () => {
  const text = `policy:
  allowed_teams: [T2, anyone]
  alowed_users: [U1]
  allowed_channels: C1
  allow_guests: "yes"
  follow: all
  channel_follow: { general: mentions }
  apps: [B1]
  file_types: [csv]
`;
  const found = await mistakesIn("policy", row, text);
  expect(found).toEqual([
    "2:23: /policy/allowed_teams/1 is not a team id, which starts with T",
    "3:3: /policy/alowed_users is not a known member. Did you mean allowed_users?",
    '4:3: /policy/allowed_channels must be a list: begin each item with "- "',
    "5:3: /policy/allow_guests must be true or false",
    "6:3: /policy/follow must be one of requester, everybody, mentions",
    expect.stringContaining("7:21: /policy/channel_follow/general is not a conversation id"),
    expect.stringContaining("8:10: /policy/apps/0 is not an app id"),
    expect.stringContaining("9:16: /policy/file_types/0 is not a media type"),
  ]);
  expect(found.join()).not.toContain("anyone");
});

test.each(["policy:", "policy: []", "policy: { allowed_users: ['*'] }"])("S10: %s is refused", async (text) => {
  expect(await mistakesIn("policy", row, text)).toHaveLength(1);
});

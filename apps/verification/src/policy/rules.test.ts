import { createTokenBuckets } from "@crosszone/service-kit";
import { describe, expect, test } from "vitest";
import type { InboxRecord, Question } from "../inbox/records.ts";
import type { SlackChannel, SlackUser } from "../slack/slack-api.ts";
import { identity, member, openChannel } from "../testing/fake-slack.ts";
import { questionRecord } from "../testing/test-inbox.ts";
import { closedPolicy } from "../testing/start-test-app.ts";
import type { DenyReason } from "./denials.ts";
import {
  type AccessPolicy,
  filesRule,
  makeRules,
  type PolicyRule,
  type PolicySubject,
  rateRule,
  type RuleName,
} from "./rules.ts";
import { wideLimits } from "../testing/wide-limits.ts";
import type { Limits } from "../limits.ts";

interface Case {
  record?: { [Member in keyof Question]?: Member extends "kind" ? InboxRecord["kind"] : Question[Member] };
  policy?: Partial<AccessPolicy>;
  user?: Partial<SlackUser> | "unknown";
  channel?: Partial<SlackChannel> | "unknown";
  teams?: readonly string[];
}

function subjectOf({ record, policy, user = {}, channel = {}, teams = ["T1"] }: Case): PolicySubject {
  return {
    record: { ...questionRecord(), ...record } as InboxRecord,
    policy: { ...closedPolicy, ...policy },
    identity: { ...identity, enterprise_id: "E1" },
    directory: {
      team: async (id) => (teams.includes(id) ? { id } : undefined),
      user: async () => (user === "unknown" ? undefined : { ...member, ...user }),
      channel: async () => (channel === "unknown" ? undefined : { ...openChannel, ...channel }),
      groupHandle: async () => undefined,
    },
  };
}

const judge = async (rule: PolicyRule, given: Case): Promise<string> => {
  const verdict = await rule(subjectOf(given), new AbortController().signal);
  return verdict === "allow" ? "allow" : verdict.reason;
};

const limits: Limits = {
  ...wideLimits,
  MESSAGES_PER_MINUTE: 1,
  THREAD_MESSAGES_PER_HOUR: 1,
  MAX_WAITING_PER_THREAD: 5,
  MAX_QUESTION_CHARACTERS: 5,
  MAX_FILES: 1,
  MAX_FILE: 1,
};

function ruleNamed(name: RuleName): PolicyRule {
  const rule = makeRules(limits).find((one) => one.name === name);
  if (rule === undefined) throw new Error(`there is no rule ${name}`);
  return rule.judge;
}

const T2 = new Set(["T2"]);
const cases: [RuleName, DenyReason | "allow", why: string, Case][] = [
  ["installer", "allow", "an installing team on the list", { policy: { allowed_teams: new Set(["T1"]) } }],
  [
    "installer",
    "allow",
    "an installing team whose organization is on the list",
    { policy: { allowed_teams: new Set(["E1"]) } },
  ],
  ["installer", "foreign_team", "an installing team that is not on the list", { policy: { allowed_teams: T2 } }],
  ["installer", "foreign_team", "an installing team with an empty list", {}],
  ["team_list", "allow", "the team that installed the app", {}],
  ["team_list", "allow", "its organization", { record: { teams: ["E1", "T1"] } }],
  ["team_list", "foreign_team", "another team", { record: { teams: ["T2"] } }],
  ["team_list", "foreign_team", "another team in addition to ours", { record: { teams: ["T1", "T2"] } }],
  ["team_list", "foreign_team", "an event that names no team", { record: { teams: [] } }],
  ["team_list", "allow", "a team on the list", { record: { teams: ["T1", "T2"] }, policy: { allowed_teams: T2 } }],
  ["author_team", "allow", "an author without a home team in the event", {}],
  ["author_team", "allow", "an author of our team", { record: { author_teams: ["T1"] } }],
  ["author_team", "foreign_author", "an author of another team", { record: { author_teams: ["T1", "T2"] } }],
  [
    "author_team",
    "allow",
    "an author of a team on the list",
    { record: { author_teams: ["T2"] }, policy: { allowed_teams: T2 } },
  ],
  ["team_exists", "allow", "a team that exists, in an organization", { record: { teams: ["T1", "E1"] } }],
  ["team_exists", "unknown_team", "one of two teams that does not exist", { record: { teams: ["T1", "T2"] } }],
  ["user_exists", "allow", "a person who exists", {}],
  ["user_exists", "unknown_user", "a person who does not exist", { user: "unknown" }],
  ["channel_exists", "allow", "a conversation that exists", {}],
  ["channel_exists", "unknown_channel", "a conversation that does not exist", { channel: "unknown" }],
  ["active_user", "allow", "an account in use", {}],
  ["active_user", "deactivated", "a deactivated account", { user: { deleted: true } }],
  ["no_bots", "allow", "a person", {}],
  ["no_bots", "bot", "a bot that wrote like a person", { user: { bot: true } }],
  ["no_strangers", "allow", "a member", {}],
  ["no_strangers", "stranger", "a member of another team", { user: { team_id: "T2" } }],
  [
    "no_strangers",
    "allow",
    "an author of a team on the list",
    { user: { team_id: "T2" }, policy: { allowed_teams: T2 } },
  ],
  [
    "no_strangers",
    "stranger",
    "a stranger of a team on the list",
    { user: { team_id: "T2", stranger: true }, policy: { allowed_teams: T2 } },
  ],
  ["no_guests", "allow", "a full member", {}],
  ["no_guests", "guest", "a guest", { user: { guest: true } }],
  ["no_guests", "allow", "a guest, if guests are allowed", { user: { guest: true }, policy: { allow_guests: true } }],
  [
    "no_guests",
    "guest",
    "an unknown person, even if guests are allowed",
    { user: "unknown", policy: { allow_guests: true } },
  ],
  ["not_archived", "allow", "a channel in use", {}],
  ["not_archived", "archived", "an archived channel", { channel: { archived: true } }],
  ["not_shared", "allow", "a channel of our own", {}],
  ["not_shared", "shared_channel", "a shared channel", { channel: { shared: true } }],
  [
    "not_shared",
    "allow",
    "a shared channel, if those are allowed",
    { channel: { shared: true }, policy: { allow_shared_channels: true } },
  ],
  [
    "not_shared",
    "shared_channel",
    "an unknown channel, even if shared channels are allowed",
    { channel: "unknown", policy: { allow_shared_channels: true } },
  ],
  ["user_list", "allow", "an empty list, because other rules decide", {}],
  ["user_list", "allow", "a person on the list", { policy: { allowed_users: new Set(["U1"]) } }],
  ["user_list", "user_not_listed", "a person who is not on the list", { policy: { allowed_users: new Set(["U2"]) } }],
  ["channel_list", "allow", "an empty list", {}],
  ["channel_list", "allow", "a channel on the list", { policy: { allowed_channels: new Set(["C1"]) } }],
  [
    "channel_list",
    "channel_not_listed",
    "a channel that is not on the list",
    { policy: { allowed_channels: new Set(["C2", "dm"]) } },
  ],
  [
    "channel_list",
    "allow",
    "a direct message, if dm is on the list",
    { record: { channel: "D7" }, policy: { allowed_channels: new Set(["C2", "dm"]) } },
  ],
  ["thread_queue", "allow", "an accepted question", {}],
  ["thread_queue", "thread_busy", "a question beyond the limit", { record: { kind: "turned_away" } }],
  ["text_length", "allow", "a text that fits", { record: { text: "12345" } }],
  ["text_length", "text_too_long", "a text that is too long", { record: { text: "123456" } }],
  ["text_length", "allow", "a stop", { record: { kind: "stop", text: "123456" } }],
];

test.each(cases.map(([name, expected, why, given]) => ({ name, expected, why, given })))(
  "$name: $expected for $why",
  async ({ name, expected, given }) => expect(await judge(ruleNamed(name), given)).toBe(expected),
);

test.each((["active_user", "no_bots", "no_strangers", "no_guests"] as const).map((name) => ({ name })))(
  "$name alone denies a person whom Slack does not know",
  async ({ name }) => expect(await judge(ruleNamed(name), { user: "unknown" })).not.toBe("allow"),
);

describe("files", () => {
  const rule = filesRule({ ...limits, MAX_FILES: 2, MAX_FILE: 10 });
  test.each<[string, object[]]>([
    ["allow", []],
    ["allow", [{ size: 10 }, { name: "of unknown size" }]],
    ["too_many_files", [{}, {}, {}]],
    ["file_too_large", [{ size: 1 }, { size: 11 }]],
  ])("%s: %j", async (expected, files) => {
    expect(await judge(rule, { record: { files } })).toBe(expected);
  });
});

describe("rates", () => {
  test.each<["thread" | "user" | "channel" | "team", Case]>([
    ["thread", { record: { thread_ts: "9.9" } }],
    ["user", { record: { user_id: "U2" } }],
    ["channel", { record: { channel: "C2" } }],
    ["team", { user: { team_id: "T2" } }],
  ])(
    "each %s has a bucket; over its rate the denial has a wait, and other buckets are not affected",
    async (of, other) => {
      let now = 0;
      const rule = rateRule(of, createTokenBuckets({ capacity: 1, perMinute: 1, now: () => now }));
      const verdict = async (given: Case = {}): Promise<unknown> =>
        rule(subjectOf(given), new AbortController().signal);
      expect(await verdict()).toBe("allow");
      now = 20_000;
      expect(await verdict()).toEqual({ reason: `${of}_rate`, retryAfterMs: 40_000 });
      expect(await verdict(other)).toBe("allow");
      expect(await verdict({ record: { kind: "stop" } })).toBe("allow");
      now = 60_000;
      expect(await verdict()).toBe("allow");
    },
  );
});

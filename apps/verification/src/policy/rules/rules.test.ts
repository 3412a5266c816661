import { createTokenBuckets } from "@crosszone/service-kit";
import { describe, expect, test } from "vitest";
import type { AskRecord, InboxRecord } from "../../inbox/inbox.ts";
import type { SlackChannel, SlackUser } from "../../slack/slack-api.ts";
import { identity, member, openChannel } from "../../testing/fake-slack.ts";
import { askRecord } from "../../testing/ask-record.ts";
import { closedPolicy } from "../../testing/start-test-app.ts";
import type { AccessPolicy } from "../access-policy.ts";
import type { DenyReason } from "../denial.ts";
import type { PolicyRule, PolicySubject } from "../policy-rule.ts";
import { activeUserRule } from "./active-user-rule.ts";
import { authorTeamRule } from "./author-team-rule.ts";
import { channelExistsRule } from "./channel-exists-rule.ts";
import { channelListRule } from "./channel-list-rule.ts";
import { createFilesRule } from "./files-rule.ts";
import { installerRule } from "./installer-rule.ts";
import { noBotsRule } from "./no-bots-rule.ts";
import { noGuestsRule } from "./no-guests-rule.ts";
import { noStrangersRule } from "./no-strangers-rule.ts";
import { notArchivedRule } from "./not-archived-rule.ts";
import { notSharedRule } from "./not-shared-rule.ts";
import { createRateRule } from "./rate-rule.ts";
import { teamExistsRule } from "./team-exists-rule.ts";
import { teamListRule } from "./team-list-rule.ts";
import { createTextLengthRule } from "./text-length-rule.ts";
import { createThreadQueueRule } from "./thread-queue-rule.ts";
import { userExistsRule } from "./user-exists-rule.ts";
import { userListRule } from "./user-list-rule.ts";

interface Case {
  record?: { [Member in keyof AskRecord]?: Member extends "kind" ? InboxRecord["kind"] : AskRecord[Member] };
  policy?: Partial<AccessPolicy>;
  user?: Partial<SlackUser> | "unknown";
  channel?: Partial<SlackChannel> | "unknown";
  teams?: readonly string[];
}

function subjectOf({ record, policy, user = {}, channel = {}, teams = ["T1"] }: Case): PolicySubject {
  return {
    record: { ...askRecord(), ...record } as InboxRecord,
    policy: { ...closedPolicy, ...policy },
    identity: { ...identity, enterprise_id: "E1" },
    directory: {
      team: async (id) => (teams.includes(id) ? { id } : undefined),
      user: async () => (user === "unknown" ? undefined : { ...member, ...user }),
      channel: async () => (channel === "unknown" ? undefined : { ...openChannel, ...channel }),
    },
  };
}

const judge = async (rule: PolicyRule, given: Case): Promise<string> => {
  const verdict = await rule.judge(subjectOf(given), new AbortController().signal);
  return verdict === "allow" ? "allow" : verdict.reason;
};

const T2 = new Set(["T2"]);
const cases: [PolicyRule, DenyReason | "allow", why: string, Case][] = [
  [installerRule, "allow", "an installer that is named", { policy: { allowed_teams: new Set(["T1"]) } }],
  [installerRule, "allow", "an installer whose organisation is", { policy: { allowed_teams: new Set(["E1"]) } }],
  [installerRule, "foreign_team", "an installer where others are named", { policy: { allowed_teams: T2 } }],
  [installerRule, "foreign_team", "an installer where nobody is named", {}],
  [teamListRule, "allow", "the team that installed the app", {}],
  [teamListRule, "allow", "its organisation", { record: { teams: ["E1", "T1"] } }],
  [teamListRule, "foreign_team", "another team", { record: { teams: ["T2"] } }],
  [teamListRule, "foreign_team", "another team beside ours", { record: { teams: ["T1", "T2"] } }],
  [teamListRule, "foreign_team", "an event that names no team", { record: { teams: [] } }],
  [teamListRule, "allow", "a team on the list", { record: { teams: ["T1", "T2"] }, policy: { allowed_teams: T2 } }],
  [authorTeamRule, "allow", "an author of whom the event names no home", {}],
  [authorTeamRule, "allow", "an author of ours", { record: { author_teams: ["T1"] } }],
  [authorTeamRule, "foreign_author", "an author of another team", { record: { author_teams: ["T1", "T2"] } }],
  [
    authorTeamRule,
    "allow",
    "of a team on the list",
    { record: { author_teams: ["T2"] }, policy: { allowed_teams: T2 } },
  ],
  [teamExistsRule, "allow", "a team that exists, in an organisation", { record: { teams: ["T1", "E1"] } }],
  [teamExistsRule, "unknown_team", "one of two that does not exist", { record: { teams: ["T1", "T2"] } }],
  [userExistsRule, "allow", "a person who exists", {}],
  [userExistsRule, "unknown_user", "nobody", { user: "unknown" }],
  [channelExistsRule, "allow", "a conversation that exists", {}],
  [channelExistsRule, "unknown_channel", "no conversation", { channel: "unknown" }],
  [activeUserRule, "allow", "an account in use", {}],
  [activeUserRule, "deactivated", "a deactivated account", { user: { deleted: true } }],
  [noBotsRule, "allow", "a person", {}],
  [noBotsRule, "bot", "a bot that wrote like a person", { user: { bot: true } }],
  [noStrangersRule, "allow", "a member", {}],
  [noStrangersRule, "stranger", "a member of another team", { user: { team_id: "T2" } }],
  [noStrangersRule, "allow", "of a team on the list", { user: { team_id: "T2" }, policy: { allowed_teams: T2 } }],
  [
    noStrangersRule,
    "stranger",
    "a stranger, whatever the list says",
    { user: { team_id: "T2", stranger: true }, policy: { allowed_teams: T2 } },
  ],
  [noGuestsRule, "allow", "a full member", {}],
  [noGuestsRule, "guest", "a guest", { user: { guest: true } }],
  [noGuestsRule, "allow", "a guest who is let in", { user: { guest: true }, policy: { allow_guests: true } }],
  [noGuestsRule, "guest", "nobody, though guests are let in", { user: "unknown", policy: { allow_guests: true } }],
  [notArchivedRule, "allow", "a channel in use", {}],
  [notArchivedRule, "archived", "an archived channel", { channel: { archived: true } }],
  [notSharedRule, "allow", "a channel of ours", {}],
  [notSharedRule, "shared_channel", "a shared channel", { channel: { shared: true } }],
  [
    notSharedRule,
    "allow",
    "one that is let in",
    { channel: { shared: true }, policy: { allow_shared_channels: true } },
  ],
  [
    notSharedRule,
    "shared_channel",
    "no channel, though shared ones are let in",
    { channel: "unknown", policy: { allow_shared_channels: true } },
  ],
  [userListRule, "allow", "an empty list, for whose member one is was judged already", {}],
  [userListRule, "allow", "a person on the list", { policy: { allowed_users: new Set(["U1"]) } }],
  [userListRule, "user_not_listed", "a person who is not", { policy: { allowed_users: new Set(["U2"]) } }],
  [channelListRule, "allow", "an empty list", {}],
  [channelListRule, "allow", "a channel on the list", { policy: { allowed_channels: new Set(["C1"]) } }],
  [channelListRule, "channel_not_listed", "one that is not", { policy: { allowed_channels: new Set(["C2", "dm"]) } }],
  [
    channelListRule,
    "allow",
    "a direct message, where those are listed",
    { record: { channel: "D7" }, policy: { allowed_channels: new Set(["C2", "dm"]) } },
  ],
  [createThreadQueueRule(5), "allow", "a question that was taken", {}],
  [createThreadQueueRule(5), "thread_busy", "one that was turned away", { record: { kind: "turned_away" } }],
  [createTextLengthRule(5), "allow", "a text that fits", { record: { text: "12345" } }],
  [createTextLengthRule(5), "text_too_long", "one that does not", { record: { text: "123456" } }],
  [createTextLengthRule(0), "allow", "a stop", { record: { kind: "stop" } }],
];

test.each(cases.map(([rule, expected, why, given]) => ({ name: rule.name, expected, why, rule, given })))(
  "$name: $expected for $why",
  async ({ rule, expected, given }) => expect(await judge(rule, given)).toBe(expected),
);

test.each([activeUserRule, noBotsRule, noStrangersRule, noGuestsRule])(
  "$name alone denies somebody whom Slack does not know",
  async (rule) => expect(await judge(rule, { user: "unknown" })).not.toBe("allow"),
);

describe("files", () => {
  const rule = createFilesRule({ mostFiles: 2, mostBytes: 10 });
  test.each<[string, object[]]>([
    ["allow", []],
    ["allow", [{ size: 10 }, { name: "of a size that nobody said" }]],
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
  ])("each %s has a bucket; over it the wait is told, another one is not held up", async (of, other) => {
    let now = 0;
    const rule = createRateRule({ of, buckets: createTokenBuckets({ capacity: 1, perMinute: 1, now: () => now }) });
    const verdict = async (given: Case = {}): Promise<unknown> =>
      rule.judge(subjectOf(given), new AbortController().signal);
    expect(await verdict()).toBe("allow");
    now = 20_000;
    expect(await verdict()).toEqual({ reason: `${of}_rate`, retryAfterMs: 40_000 });
    expect(await verdict(other)).toBe("allow");
    expect(await verdict({ record: { kind: "stop" } })).toBe("allow");
    now = 60_000;
    expect(await verdict()).toBe("allow");
  });
});

import { z } from "zod";
import type { SlackIdentity } from "../slack/slack-api.ts";

/** The ids that each list accepts. Wildcards are not supported; everything else is denied. */
const teamId: z.ZodType<string, string> = id(/^[TE][A-Z0-9]{1,30}$/, "a team id, which starts with T");
const userId: z.ZodType<string, string> = id(/^[UW][A-Z0-9]{1,30}$/, "a user id, which starts with U or W");
const channelId: z.ZodType<string, string> = id(
  /^(?:dm|[CGD][A-Z0-9]{1,30})$/,
  "a conversation id, which starts with C, G or D, or dm for every direct message",
);

const appOrUserId = id(/^[AUW][A-Z0-9]{1,30}$/, "an app id, which starts with A, or a user id");

/** A switch of the policy: its default, its name in the log, and the sentences for its two positions there. */
interface Switch {
  readonly default: boolean;
  readonly logged: string;
  readonly on: string;
  readonly off: string;
}

/** Every switch of the policy. The policy file and the log contain all of them. */
export const switches = {
  allow_guests: { default: false, logged: "guests", on: "Guests can ask.", off: "Guests cannot ask." },
  allow_shared_channels: {
    default: false,
    logged: "shared_channels",
    on: "The app answers in channels that are shared with another organization.",
    off: "The app does not answer in channels that are shared with another organization.",
  },
} satisfies Record<string, Switch>;

type Switches = { readonly [Name in keyof typeof switches]: boolean };

/** Whose replies in a thread of the app are for the app without a mention. */
const followModes = ["requester", "everybody", "mentions"] as const;

/** Who can ask, and where. An empty list allows only members of the team that installed the app. */
export interface AccessPolicy extends Switches {
  /** Teams in addition to the one that installed the app. */
  readonly allowed_teams: ReadonlySet<string>;
  /** Allowed conversations; empty allows all conversations of the app. `dm` means all direct messages. */
  readonly allowed_channels: ReadonlySet<string>;
  /** Allowed people; empty allows every member of an allowed team. */
  readonly allowed_users: ReadonlySet<string>;
  /** The agent for messages that name none, by channel id. */
  readonly channel_agents: ReadonlyMap<string, string>;
  /** Whose replies are for the app without a mention, in threads where it answers: only its requesters', everybody's, or nobody's. */
  readonly follow: (typeof followModes)[number];
  /** `follow` by channel id. */
  readonly channel_follow: ReadonlyMap<string, AccessPolicy["follow"]>;
  /** Apps that can post questions with a person's own token, by id, and people for whom every app can. */
  readonly apps: ReadonlySet<string>;
  /** The agent or workflow that is asked about a message with a reaction, by the reaction's name. */
  readonly reactions: ReadonlyMap<string, string>;
  /** Media types of files that execution can read: `text/csv`, or `text/*` for a whole kind. HTML is never allowed. */
  readonly file_types: readonly string[];
}

/** Provides the current policy. */
export interface PolicySource {
  readonly current: () => AccessPolicy;
  /** Stops following changes; the current policy stays in force. */
  readonly close: () => void;
}

/** What each member of the policy file sets, its values and its default, in words. */
export const policyMembers: readonly (readonly [name: string, value: string, initial: string, sets: string])[] = [
  ["allowed_teams", "team ids", "none", "Workspaces in addition to the one that installed the app."],
  ["allowed_channels", "channel ids, `dm`", "all", "Where the app answers; `dm` means direct messages."],
  ["allowed_users", "user ids", "all", "People who can ask."],
  ...Object.entries<Switch>(switches).map(
    ([name, { default: position, on }]) => [name, "`true`, `false`", `\`${position}\``, on] as const,
  ),
  ["channel_agents", "agents by channel id", "none", "The agent of a channel, for messages that name none."],
  [
    "follow",
    followModes.map((mode) => `\`${mode}\``).join(", "),
    "`requester`",
    "Whose replies in a thread are questions without a mention: those of people who asked there, everybody's, or none.",
  ],
  ["channel_follow", "`follow` by channel id", "none", "The same for one channel."],
  ["apps", "app ids, user ids", "none", "Apps whose posts as a person are questions; for a person, any app's."],
  [
    "reactions",
    "agents by reaction",
    "none",
    "Who answers a message, in its thread, when a person adds this reaction.",
  ],
  ["file_types", "media types", "text, JSON, PDF, PNG, JPEG, GIF, WebP", "Files that agents can read. Never HTML."],
];

const mediaType = z
  .string()
  .regex(/^[\w.+-]+\/([\w.+-]+|\*)$/, { error: "it is not a media type such as text/csv, or text/* for all of a kind" })
  .transform((type) => type.toLowerCase());

const images = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** The policy file. Every member is optional; an unknown member is an error, because it is likely misspelled. */
export const policySchema: z.ZodType<AccessPolicy> = z.strictObject({
  allowed_teams: set(teamId),
  allowed_channels: set(channelId),
  allowed_users: set(userId),
  ...switchSchemas(),
  channel_agents: z
    .record(channelId, z.string().trim().min(1).max(255))
    .default({})
    .transform((agents) => new Map(Object.entries(agents))),
  follow: z.enum(followModes).default("requester"),
  channel_follow: z
    .record(channelId, z.enum(followModes))
    .default({})
    .transform((modes) => new Map(Object.entries(modes))),
  apps: set(appOrUserId),
  reactions: z
    .record(z.string().regex(/^[\p{L}\p{N}_'+-]{1,100}$/u), z.string().trim().min(1).max(255))
    .default({})
    .transform((names) => new Map(Object.entries(names))),
  file_types: z.array(mediaType).default(["text/*", "application/json", "application/pdf", ...images]),
});

/** Returns true if what this app posts with the person's own token is the person's. */
export const postsForPerson = (
  { apps }: AccessPolicy,
  { user = "", app_id = "" }: { readonly user?: string | undefined; readonly app_id?: string | undefined },
): boolean => user !== "" && (apps.has(user) || apps.has(app_id));

/** Returns whose replies are for the app in this channel. */
export const followsIn = ({ follow, channel_follow }: AccessPolicy, channel: string): AccessPolicy["follow"] =>
  channel_follow.get(channel) ?? follow;

/** Returns true if the list names the workspace or its organization, so that it can install the app. An empty list allows none. */
export function mayInstall(
  policy: AccessPolicy,
  { team_id, enterprise_id }: { readonly team_id?: string | undefined; readonly enterprise_id?: string | undefined },
): boolean {
  return [team_id, enterprise_id].some((one) => one !== undefined && policy.allowed_teams.has(one));
}

/** Returns true if a team installed the app, or is on the list. */
export function isAllowedTeam(
  team: string,
  { policy, identity }: { readonly policy: AccessPolicy; readonly identity: SlackIdentity },
): boolean {
  return team === identity.team_id || team === identity.enterprise_id || policy.allowed_teams.has(team);
}

function switchSchemas(): { readonly [Name in keyof Switches]: z.ZodDefault<z.ZodBoolean> } {
  const all = Object.entries<Switch>(switches).map(([name, { default: position }]) => [
    name,
    z.boolean().default(position),
  ]);
  return Object.fromEntries(all) as ReturnType<typeof switchSchemas>;
}

function set(item: z.ZodType<string, string>): z.ZodType<ReadonlySet<string>> {
  return z
    .array(item)
    .default([])
    .transform((items) => new Set(items));
}

function id(pattern: RegExp, words: string): z.ZodType<string, string> {
  return z
    .string()
    .regex(pattern, { error: `it is not ${words}` })
    .describe(words);
}

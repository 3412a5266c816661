import type { InboxRecord, RecordHead } from "../inbox/records.ts";
import type { SlackIdentity } from "../slack/slack-api.ts";
import type { AccessPolicy } from "./access-policy.ts";
import type { Denial } from "./denials.ts";
import type { SlackDirectory } from "./slack-directory.ts";

/** Who typed a slash command, and where. A command has no thread and is not stored: Slack sends it once. */
export interface CommandRecord extends Omit<RecordHead, "thread_ts" | "in_thread" | "claims"> {
  readonly kind: "command";
  readonly thread_ts?: undefined;
}

/** A message or a slash command for the policy to judge. */
export type JudgedRecord = InboxRecord | CommandRecord;

/** The input of a rule. */
export interface PolicySubject {
  readonly record: JudgedRecord;
  /** The policy at the start of the judgment. */
  readonly policy: AccessPolicy;
  readonly identity: SlackIdentity;
  /** Slack's data about the people and places in the record. */
  readonly directory: SlackDirectory;
}

/** `allow`, or a denial with its reason. */
export type Verdict = "allow" | Denial;

/**
 * One requirement that must hold before a message is answered. A rule allows only what it has verified and denies what is unknown, so no
 * rule depends on an earlier one. An exception counts as a denial. `signal` aborts when the verdict is no longer needed.
 */
export type PolicyRule = (subject: PolicySubject, signal: AbortSignal) => Verdict | Promise<Verdict>;

/** A rule with its name in logs and metrics. */
export interface NamedRule {
  readonly name: string;
  readonly judge: PolicyRule;
}

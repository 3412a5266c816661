import type { SlackIdentity } from "../slack/slack-api.ts";
import type { AccessPolicy } from "./access-policy.ts";
import type { Denial } from "./denial.ts";
import type { JudgedRecord } from "./judged-record.ts";
import type { SlackDirectory } from "./slack-directory.ts";

/** The input of a rule. */
export interface PolicySubject {
  readonly record: JudgedRecord;
  /** The policy at the start of the judgement. */
  readonly policy: AccessPolicy;
  readonly identity: SlackIdentity;
  /** Slack's data about the people and places in the record. */
  readonly directory: SlackDirectory;
}

/** `allow`, or a denial with its reason. */
export type Verdict = "allow" | Denial;

/**
 * One requirement that must hold before a message is answered. A rule allows only what it has verified and denies what is unknown, so no
 * rule depends on an earlier one. An exception counts as a denial.
 */
export interface PolicyRule {
  /** Used as a label in metrics and log lines. */
  readonly name: string;
  /** `signal` aborts when the verdict is no longer needed. */
  readonly judge: (subject: PolicySubject, signal: AbortSignal) => Verdict | Promise<Verdict>;
}

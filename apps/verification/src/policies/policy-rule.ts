import type { SlackIdentity } from "../slack/slack-api.ts";
import type { AccessPolicy } from "./access-policy.ts";
import type { Denial } from "./denial.ts";
import type { JudgedRecord } from "./judged-record.ts";
import type { SlackDirectory } from "./slack-directory.ts";

/** What a rule judges. */
export interface PolicySubject {
  readonly record: JudgedRecord;
  /** As it was when the judgement began. */
  readonly policy: AccessPolicy;
  readonly identity: SlackIdentity;
  /** What Slack knows of the people and places in the record. */
  readonly directory: SlackDirectory;
}

/** `allow`, or a no with its reason. */
export type Verdict = "allow" | Denial;

/**
 * One thing that must hold before a message is answered. A rule allows only what it has seen to be good: what is not known is
 * denied, so that no rule depends on one before it. A throw counts as a denial.
 */
export interface PolicyRule {
  /** A label of metrics and log lines. */
  readonly name: string;
  /** `signal` aborts when nobody waits for the verdict any more. */
  readonly judge: (subject: PolicySubject, signal: AbortSignal) => Verdict | Promise<Verdict>;
}

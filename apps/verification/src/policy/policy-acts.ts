import { hash, randomUUID } from "node:crypto";
import { type NewAuditEvent, zoneAct } from "@crosszone/audit";
import type { AccessPolicy } from "./access-policy.ts";
import type { JudgedRecord } from "./policy-rule.ts";

const digests = new WeakMap<AccessPolicy, string>();
const asJson = (_name: string, value: unknown): unknown =>
  value instanceof Set ? [...value] : value instanceof Map ? Object.fromEntries(value) : value;

/** Returns the version of a policy in the audit log: SHA-256 in hex. */
const policyDigest = (policy: AccessPolicy): string =>
  digests.getOrInsertComputed(policy, () => hash("sha256", JSON.stringify(policy, asJson)));

/** Returns the event of a policy that is in force from now on. */
export const loadedPolicy = (policy: AccessPolicy, file = "default"): NewAuditEvent =>
  zoneAct("verification", {
    action: "policy.load",
    target: { type: "policy", id: "access" },
    policy: policyDigest(policy),
    details: { file },
  });

/** Returns the event of an act in Slack that was rejected now. */
export const rejectedAct = ({
  id = randomUUID(),
  user_id = "?",
  team,
  isBot = false,
  ...act
}: Pick<NewAuditEvent, "action" | "target" | "correlation_id" | "policy" | "details"> & {
  readonly id?: string | undefined;
  readonly user_id: string | undefined;
  /** The person's own team. */
  readonly team: string | undefined;
  readonly isBot?: boolean;
}): NewAuditEvent => ({
  ...act,
  id,
  outcome: "rejected",
  actor: { type: isBot ? "bot" : "person", id: user_id, team },
  surface: "slack",
  at: Date.now(),
});

/** Returns the event of a message or command that the policy rejected. Two events with one claim are the same. */
export function rejectedQuestion(
  { kind, user_id, author_teams, team_id, correlation_id }: JudgedRecord,
  { rule, reason, claim }: { readonly rule: string; readonly reason: string; readonly claim: string | undefined },
  policy: AccessPolicy,
): NewAuditEvent {
  return rejectedAct({
    id: claim && hash("sha256", claim),
    action: "question.reject",
    user_id,
    team: author_teams[0] ?? team_id,
    isBot: reason === "bot",
    target: { type: kind === "command" ? kind : "message", id: correlation_id },
    correlation_id,
    policy: policyDigest(policy),
    details: { rule, reason, kind },
  });
}

import type { AuditEvent, HookRefusals } from "@crosszone/contracts";
import { isoTime } from "@crosszone/service-kit/text";
import { columnText, retryBriefly } from "@crosszone/sql";
import type { ExecutionDatabase } from "../store/open-execution-database.ts";

/** How far back refusals are looked for, milliseconds. */
const recentMs = 86_400_000;
/** The most refusals of one hook that are read. */
const mostRefusals = 1_000;

/**
 * Returns which deliveries of a hook were refused in the last 24 hours, and why, as the audit log has them: at most sixty a minute. Undefined
 * if none was.
 */
export async function readRefusals({ db }: ExecutionDatabase, name: string): Promise<HookRefusals | undefined> {
  const refused = db
    .selectFrom("audit_event")
    .select(["at", "event"])
    .where("target", "=", columnText(`hook:${name}`))
    .where("action", "=", "hook.deliver")
    .where("outcome", "=", "rejected")
    .where("at", ">=", Date.now() - recentMs);
  const rows = await retryBriefly(() => refused.orderBy("id", "desc").limit(mostRefusals).execute());
  const [latest] = rows;
  if (latest === undefined) return undefined;
  const reasons = new Map<string, number>();
  for (const { event } of rows) {
    const { details } = JSON.parse(event) as AuditEvent;
    const reason = String(details?.["because"]);
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const counted = Array.from(reasons, ([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count);
  return { count: rows.length, last_at: isoTime(latest.at), reasons: counted };
}

/** What an operator can do about a reason. */
const advice: Readonly<Record<string, string>> = {
  signature_missing: "Let its sender sign, or correct its `sign`.",
  signature_wrong: "Compare its secret with the sender's, and its `sign` with docs/hooks.md.",
  timestamp_wrong: "Correct the clock of this machine, or that of the sender.",
  secret_unavailable: "Set its secret.",
  too_many: "Raise its `per_minute`.",
  cap_used: "Raise its `cap`.",
  too_large: "Raise its `max_bytes`.",
  schema_mismatch: "Correct its `schema`, or what its sender sends.",
  mapping_failed: "Correct its `if` or its template: the answer to its sender says where.",
};

/** Returns what the refusals of a hook are, for operators, and what to do about the most frequent. */
export function describeRefusals(
  name: string,
  { count, reasons }: HookRefusals,
): readonly [says: string, todo: string] {
  const all = reasons.map((one) => `${one.reason} ${one.count}`).join(", ");
  const todo = advice[reasons[0]?.reason ?? ""] ?? "The log has each: hook_refused.";
  const deliveries = count === 1 ? "a delivery" : `${count} deliveries`;
  return [`${name} refused ${deliveries} in 24 hours (${all})`, `${name}: ${todo}`];
}

import type { InputRequest } from "@crosszone/contracts";
import { closed, elapsed, type Moment } from "./elapse.ts";
import { type ActionCall, digestOf, type InputRecord } from "./input-record.ts";

/**
 * Whether an approved action may run. `allowed`: now, and never again by this approval. `again`: it began before its process crashed.
 * Otherwise why not: other arguments than were approved, too late, or no approval.
 */
export type UseVerdict = "allowed" | "again" | "changed" | "void" | "not_approved";

/** Judges a call that is about to run. `policy`: digest of the rule in force. Returns the request to store when it changes. */
export function judgeUse(
  record: InputRecord,
  moment: Moment,
  { call, policy }: { readonly call: ActionCall; readonly policy: string },
): { readonly result: UseVerdict; readonly next?: InputRequest } {
  const { request } = record;
  const { state, action } = request;
  if (state === "void") return { result: "void" };
  if (action === undefined || (state !== "approved" && state !== "used")) return { result: "not_approved" };
  const isSame = digestOf(call, request, policy) === action.digest;
  if (state === "used") return { result: isSame ? "again" : "changed" };
  const over = elapsed(record, moment);
  if (over !== undefined) return { result: "void", next: over };
  if (isSame) return { result: "allowed", next: { ...request, state: "used" } };
  const because = "The action is not the one that was approved.";
  return { result: "changed", next: closed(request, "withdrawn", { now: moment.now, because }) };
}

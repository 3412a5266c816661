import type { ApiRefusal } from "@crosszone/admin-api";
import { createTokenBuckets } from "@crosszone/service-kit";
import { authorAct } from "./author-act.ts";
import type { RecordAct } from "./open-zone-audit.ts";

/** Refused acts of one actor that are recorded per minute, and of all strangers together: they must not be able to fill the log. */
const perMinute = 60;

/** Returns a function that returns true if another refused act of an actor is to be recorded. */
export function createActLimit(): (actor: string) => boolean {
  const buckets = createTokenBuckets({ capacity: perMinute, perMinute });
  return (actor) => buckets.take(actor) === 0;
}

/**
 * Returns a function that records each refused request of a token that lacks a right, and each refused change. Requests without a valid
 * token are limited by the token that was once valid, or together.
 */
export function createRecordRefusal(record: RecordAct) {
  const isWithin = createActLimit();
  return async ({ kind, method, act }: ApiRefusal): Promise<void> => {
    const { actor, operationId = "none", scope, status, params } = act;
    if (status !== 401 && status !== 403 && ["GET", "HEAD"].includes(method)) return;
    if (status === 401 && !isWithin(actor)) return;
    const target = { type: "api", id: [operationId, ...Object.values(params)].join(" ") };
    const details = { kind, status, scope };
    const refused = authorAct(act, { action: "api.request", target, details });
    await record({ ...refused, outcome: "rejected" });
  };
}

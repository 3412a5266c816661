import { isAuditEventList, isAuditHead } from "@crosszone/contracts";
import type { CallApi } from "./agents-api.ts";
import { queryOf, send, type ZoneAddress } from "./send.ts";

export interface AuditQuery {
  readonly limit: number;
  /** `type:id`. */
  readonly actor: string | undefined;
  readonly action: string | undefined;
  /** RFC 3339. */
  readonly since: string | undefined;
}

/** The audit methods of a zone's API client. Every method rejects with `RefusedError` or `UnreachableError`. */
export type AuditApi = ReturnType<typeof createAuditApi>;

export function createAuditApi(zone: ZoneAddress, retried: CallApi) {
  return {
    list: (query: AuditQuery) => retried(isAuditEventList, { path: `audit/events${queryOf({ ...query })}` }),
    head: () => retried(isAuditHead, { path: "audit/checkpoint" }),
    /** The body of the response is read as it comes. */
    export: (format: string, signal: AbortSignal) => send(zone, { path: `audit/export${queryOf({ format })}`, signal }),
  };
}

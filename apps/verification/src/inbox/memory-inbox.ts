import { createClaims, type ClaimsOptions } from "./claims.ts";
import {
  InboxFullError,
  type Inbox,
  type InboxEntry,
  type InboxRecord,
  type Progress,
  type StopTarget,
} from "./inbox.ts";

export interface MemoryInboxOptions {
  /** How many records may be open. */
  readonly most: number;
  readonly claims: ClaimsOptions;
}

interface OpenRecord {
  readonly record: InboxRecord;
  attempt: number;
  inWork: boolean;
  stopped: boolean;
  progress: Progress;
}

/** An inbox that ends with the process: what is open then is lost. */
export function createMemoryInbox({ most, claims: claimsOptions }: MemoryInboxOptions): Inbox {
  const claims = createClaims(claimsOptions);
  const open = new Map<string, OpenRecord>();
  const busy = new Set<string>();

  function remove(requestId: string): void {
    const entry = open.get(requestId);
    if (entry?.inWork) busy.delete(laneOf(entry.record));
    open.delete(requestId);
  }

  return {
    accept: async (record) => {
      if (open.size >= most) throw new InboxFullError(`the inbox holds ${most} records and takes no more`);
      if (!claims.claim(record.claims)) return "duplicate";
      open.set(record.request_id, { record, attempt: 0, inWork: false, stopped: false, progress: {} });
      return "accepted";
    },

    take: async <K extends InboxRecord["kind"]>(kind: K) => {
      const next = open
        .values()
        .find(({ record, inWork }) => record.kind === kind && !inWork && !busy.has(laneOf(record)));
      if (next === undefined) return undefined;
      next.inWork = true;
      next.attempt += 1;
      busy.add(laneOf(next.record));
      const { record, attempt, progress } = next;
      return { record, attempt, progress } as InboxEntry<K>;
    },

    renew: async () => [],
    note: async ({ record }, progress) => {
      const entry = open.get(record.request_id);
      if (entry !== undefined) entry.progress = { ...entry.progress, ...progress };
    },
    complete: async ({ record }) => remove(record.request_id),
    retryLater: async ({ record }) => remove(record.request_id),
    handBack: async ({ record }) => remove(record.request_id),
    park: async ({ record }) => remove(record.request_id),

    stop: async (target) => {
      const meant = [...open.values()].filter(({ record, stopped }) => !stopped && isMeant(record, target));
      for (const entry of meant) entry.stopped = true;
      return meant.length;
    },
    isStopped: async (requestId) => open.get(requestId)?.stopped ?? false,
    load: async () => ({
      waiting: [...open.values()].filter(({ inWork }) => !inWork).length,
      parked: 0,
      oldestMs: 0,
    }),
    waitingIn: async (thread) =>
      open.values().reduce((count, { record, inWork }) => count + Number(!inWork && isMeant(record, thread)), 0),
  };
}

/** Records of one lane are worked on one after the other. */
function laneOf({ kind, team_id, channel, thread_ts }: InboxRecord): string {
  return [kind, team_id, channel, thread_ts].join(" ");
}

function isMeant(record: InboxRecord, target: StopTarget): boolean {
  const { kind, team_id, channel, thread_ts } = record;
  const sameThread = target.thread_ts === undefined || target.thread_ts === thread_ts;
  return kind === "ask" && team_id === target.team_id && channel === target.channel && sameThread;
}

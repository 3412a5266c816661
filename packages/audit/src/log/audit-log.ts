import { setTimeout as delay } from "node:timers/promises";
import type { Emit, RecordCodec } from "@crosszone/service-kit";
import type { ProcessEvent } from "@crosszone/telemetry";
import { publicKeyText } from "../tree/checkpoint.ts";
import { type AppendAudit, createAppendAudit } from "./append-audit.ts";
import { openLog, type OpenLogOptions } from "./open-log.ts";
import { retainEvents } from "./retain.ts";
import { sequence, type StoredCheckpoint } from "./sequence.ts";

export interface AuditLogOptions extends Omit<OpenLogOptions, "append"> {
  /** Seals the content of events. */
  readonly codec: RecordCodec;
  readonly emit: Emit<ProcessEvent>;
  /** Longest time until an event is signed, milliseconds (default a minute). */
  readonly everyMs?: number;
}

/** The audit log of a process. */
export interface AuditLog {
  readonly append: AppendAudit;
  /** Signs all waiting events now. */
  readonly sign: () => Promise<void>;
  /** Removes the oldest events, see `retainEvents`. For `startRetention`. */
  readonly retain: (before: number) => Promise<number>;
  /** The public key, base64. */
  readonly publicKey: string;
  /** Signs what waits, and signs no more. */
  readonly stop: () => Promise<void>;
}

const usualMs = 60_000;

/** So many events of this process are signed without waiting for the minute. */
const mostWaiting = 1_000;

/** Opens the log, and signs its events each minute, or earlier when 1,000 wait. */
export async function openAuditLog({ codec, emit, everyMs = usualMs, ...deps }: AuditLogOptions): Promise<AuditLog> {
  const appending = createAppendAudit({ engine: deps.database.engine, codec });
  const options = { ...deps, append: appending };
  await openLog(options);
  const publicKey = publicKeyText(deps.key);
  const { origin } = await deps.database.db.selectFrom("audit_log").select("origin").executeTakeFirstOrThrow();
  emit("audit_opened", { origin, public_key: publicKey });

  const anchor = createAnchorWriter(options, emit);
  let [waiting, signing] = [0, Promise.resolve()];
  const signAll = async (): Promise<void> => {
    waiting = 0;
    try {
      for (let head = await sequence(options); head !== undefined; head = await sequence(options)) {
        emit("audit_checkpoint", { origin: head.origin, size: head.size, note: head.note });
        await anchor(head);
      }
      await anchor();
    } catch (cause) {
      emit("audit_failed", { cause });
    }
  };
  const sign = (): Promise<void> => (signing = signing.then(signAll));
  const stopping = new AbortController();
  const ended = repeat(sign, everyMs, stopping.signal);
  /** The caller's transaction is not committed yet: soon it is. */
  const count = (events: number): void => {
    waiting += events;
    if (waiting < mostWaiting) return;
    waiting = 0;
    setTimeout(() => void sign(), 100).unref();
  };
  const append = Object.assign(
    async (...[tx, events]: Parameters<AppendAudit>) => {
      count(events.length);
      return appending(tx, events);
    },
    {
      queries: (...[events]: Parameters<AppendAudit["queries"]>) => {
        count(events.length);
        return appending.queries(events);
      },
    },
  );
  return {
    append,
    sign,
    retain: (before) => retainEvents(options, before),
    publicKey,
    stop: async () => {
      stopping.abort();
      await ended;
      await sign();
    },
  };
}

async function repeat(run: () => Promise<void>, everyMs: number, signal: AbortSignal): Promise<void> {
  const waited = (): Promise<boolean> => delay(everyMs, true, { signal, ref: false }).catch(() => false);
  while (await waited()) await run();
}

/** Returns a function that writes a checkpoint to the anchor, or the last one that was not written. A later one covers earlier ones. */
function createAnchorWriter({ anchor }: OpenLogOptions, emit: Emit<ProcessEvent>) {
  let left: StoredCheckpoint | undefined;
  return async (head: StoredCheckpoint | undefined = left): Promise<void> => {
    if (anchor === undefined || head === undefined) return;
    left = head;
    try {
      await anchor.write(head.origin, head.note);
      left = undefined;
    } catch (cause) {
      emit("audit_anchor_failed", { cause });
    }
  };
}

import type { Emit, RecordCodec } from "@crosszone/service-kit";
import { repeat } from "@crosszone/service-kit/timing";
import type { ProcessEvent } from "@crosszone/telemetry";
import { Frontier, publicKeyText } from "../tree.ts";
import { type AppendAudit, createAppendAudit } from "./append-audit.ts";
import {
  lockLog,
  logEvent,
  openLog,
  type OpenLogOptions,
  sequence,
  sequenceIn,
  storeCheckpoint,
  type StoredCheckpoint,
  tileWidth,
} from "./open-log.ts";

export interface AuditLogOptions extends OpenLogOptions {
  /** Seals the content of events. */
  readonly codec: RecordCodec;
  readonly emit: Emit<ProcessEvent>;
  /** Longest time until an event is signed, milliseconds (default a minute). */
  readonly everyMs?: number;
}

const usualMs = 60_000;

/** So many events of this process are signed without waiting for the minute. */
const mostWaiting = 1_000;

/** Opens the log, and signs its events each minute, or earlier when 1,000 wait. */
export async function openAuditLog(options: AuditLogOptions) {
  const { codec, emit, everyMs = usualMs } = options;
  let [waiting, signing] = [0, Promise.resolve()];
  const onAppend = (events: number): void => {
    waiting += events;
    if (waiting < mostWaiting) return;
    waiting = 0;
    // Soon the transaction is committed.
    setTimeout(() => void sign(), 100).unref();
  };
  const append = createAppendAudit({ engine: options.database.engine, codec, onAppend });
  const renewals = await openLog(options, append);
  const publicKey = publicKeyText(options.key);
  const { origin } = await options.database.db.selectFrom("audit_log").select("origin").executeTakeFirstOrThrow();
  emit("audit_opened", { origin, public_key: publicKey });
  for (const [found, details] of renewals) emit(found === "restore" ? "audit_restored" : "audit_rekeyed", details);

  const anchor = createAnchorWriter(options, emit);
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
  const ended = repeat(sign, () => everyMs, stopping.signal);
  return {
    append,
    /** Signs all waiting events now. */
    sign,
    /** Removes the oldest events, see `retainEvents`. For `startRetention`. */
    retain: (before: number): Promise<number> => retainEvents(options, append, before),
    /** base64. */
    publicKey,
    /** Signs what waits, and signs no more. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await ended;
      await sign();
    },
  };
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

/** Maximum number of events that one transaction removes. */
const mostRemoved = 256 * tileWidth;

/**
 * Removes the oldest events that happened before `before`, Unix milliseconds: whole tiles, so that the others keep their proofs. Signs the
 * head of what it removed, and appends `audit.retain`. Returns the number of events.
 */
async function retainEvents(options: OpenLogOptions, append: AppendAudit, before: number): Promise<number> {
  const { database, zone } = options;
  return database.transaction(async (tx) => {
    const log = await lockLog(tx, options);
    if (log === undefined) return 0;
    const removable = tx.selectFrom("audit_event").where("position", ">=", log.base_size).orderBy("position");
    const kept = await removable.select("position").where("at", ">=", before).limit(1).executeTakeFirst();
    const most = Math.min(kept?.position ?? log.size, log.size, log.base_size + mostRemoved);
    const to = most - (most % tileWidth);
    const events = to - log.base_size;
    if (events <= 0) return 0;
    const leaves = await removable.select("leaf").where("position", "<", to).execute();
    const tree = Frontier.of(log.base_size, log.base_frontier);
    for (const { leaf } of leaves) tree.append(Buffer.from(leaf, "base64"));
    await storeCheckpoint(tx, options, { origin: log.origin, tree });
    const removed = tx.selectFrom("audit_event").select("event_id").where("position", "<", to);
    await tx.deleteFrom("audit_content").where("event_id", "in", removed).execute();
    await tx.deleteFrom("audit_event").where("position", "<", to).execute();
    await tx.deleteFrom("audit_checkpoint").where("size", "<", to).execute();
    await tx.updateTable("audit_log").set({ base_size: to, base_frontier: tree.toString() }).execute();
    await append(tx, [logEvent(zone, "retain", { events, to })]);
    // In the same transaction, so that every export has the event that says where its events begin.
    while ((await sequenceIn(tx, options)) !== undefined);
    return events;
  });
}

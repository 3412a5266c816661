import { HandBackError } from "./endings.ts";
import type { Inbox, InboxEntry, InboxRecord } from "./inbox.ts";

export interface InboxWorkerOptions<K extends InboxRecord["kind"]> {
  readonly inbox: Inbox;
  readonly kind: K;
  /** How many records are worked on at the same time. */
  readonly concurrency: number;
  /** Answers a record. `lease` aborts with a `LeaseLostError` when somebody else has it. A rejection ends the record as failed. */
  readonly handle: (entry: InboxEntry<K>, lease: AbortSignal) => Promise<void>;
  /** Told of a rejection of `handle`, or of the inbox itself. */
  readonly onError: (error: unknown, record?: InboxRecord) => void;
}

export interface InboxWorker {
  /** Looks for work now. Call it when a record was accepted. */
  wake(): void;
  /** Resolves when nothing is left to do: no record waits, none is in work. */
  idle(): Promise<void>;
}

/** Works through the records of one kind: the oldest first, some at a time, in order within a thread. */
export function createInboxWorker<K extends InboxRecord["kind"]>(options: InboxWorkerOptions<K>): InboxWorker {
  const { inbox, kind, concurrency, handle, onError } = options;
  const inWork = new Set<Promise<void>>();
  const lease = new AbortController().signal;
  let looking: Promise<void> | undefined;
  let again = false;

  async function work(entry: InboxEntry<K>): Promise<void> {
    try {
      await handle(entry, lease);
      await inbox.complete(entry);
    } catch (error) {
      if (error instanceof HandBackError) return inbox.handBack(entry);
      onError(error, entry.record);
      await inbox.complete(entry).catch((failure: unknown) => onError(failure, entry.record));
    }
  }

  async function look(): Promise<void> {
    do {
      again = false;
      while (inWork.size < concurrency) {
        const entry = await inbox.take(kind);
        if (entry === undefined) break;
        const working = work(entry).finally(() => {
          inWork.delete(working);
          wake();
        });
        inWork.add(working);
      }
    } while (again);
  }

  function wake(): void {
    again = true;
    looking ??= look()
      .catch((error: unknown) => onError(error))
      .finally(() => {
        looking = undefined;
        if (again) wake();
      });
  }

  async function idle(): Promise<void> {
    await looking;
    if (inWork.size > 0) await Promise.race(inWork);
    return looking === undefined && inWork.size === 0 ? undefined : idle();
  }

  return { wake, idle };
}

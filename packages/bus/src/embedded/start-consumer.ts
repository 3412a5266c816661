import { setTimeout as delay } from "node:timers/promises";
import { createAlarm } from "../alarm.ts";
import type { ChannelName } from "../bus-message.ts";
import type { Subscription } from "../message-bus.ts";
import { handleMessage, type HandleDeps } from "./handle-message.ts";
import type { MessageStore } from "./message-store.ts";
import type { TakenRow } from "./take-messages.ts";

export interface ConsumerDeps<Name extends ChannelName> extends HandleDeps<Name> {
  readonly store: MessageStore;
  readonly concurrency: number;
  readonly leaseMs: number;
  /** The longest poll interval while no message is found, milliseconds. */
  readonly idlePollMs: number;
}

export interface Consumer extends Subscription {
  readonly channel: ChannelName;
  readonly isFor: (row: { readonly channel: string; readonly consumer_group: string }) => boolean;
  /** There may be messages to take. */
  readonly wake: () => void;
  /** A message of this key waits. */
  readonly waits: (key: string) => void;
  /** Reserves room for one message that needs no polling. Returns false when there is no room or an older message may wait. */
  readonly reserve: () => boolean;
  /** Hands over a message with a started lease, for reserved room. */
  readonly handOver: (row: TakenRow) => void;
  /** Releases reserved room. */
  readonly giveUp: () => void;
}

interface Held {
  readonly row: TakenRow;
  readonly controller: AbortController;
}

const shortestPollMs = 20;
const mostKnown = 10_000;
const defaultGraceMs = 5_000;

/** Leases messages of a group while it has room, and renews their leases while they are handled. */
export function startConsumer<Name extends ChannelName>(deps: ConsumerDeps<Name>): Consumer {
  const { place, store, observer, concurrency, leaseMs, idlePollMs } = deps;
  const running = new Map<Held, Promise<void>>();
  /** The message of each key that is handled here. */
  const current = new Map<string, Promise<void>>();
  /** Number of messages of each key that are handled here or are known to wait. */
  const known = new Map<string, number>();
  /** Room reserved for messages handed over, and for messages being leased. */
  let [reserved, asked] = [0, 0];
  /** Whether unleased messages may exist. */
  let mayWait = true;
  const alarm = createAlarm();
  const closing = new AbortController();
  let pollMs = shortestPollMs;
  let isAway = false;
  let soon: NodeJS.Timeout | undefined;
  const room = (): number => concurrency - running.size - reserved - asked;

  function wake(): void {
    mayWait = true;
    alarm.wake();
  }

  /** Reports each outage once. */
  function away(error: unknown): void {
    if (!isAway) observer.unreachable?.({ ...place, error });
    isAway = true;
  }

  function start(row: TakenRow): void {
    const held: Held = { row, controller: new AbortController() };
    if (!known.has(row.key)) isKnown(row.key);
    const before = current.get(row.key);
    // Overlapping transactions can each hand over a message of the same key: the second waits until the first has ended.
    const handled = before?.then(() => handBack([row], 1)) ?? handleMessage(deps, row, held.controller.signal);
    const ending = handled.finally(() => {
      running.delete(held);
      if (current.get(row.key) === ending) current.delete(row.key);
      ended(row.key);
    });
    running.set(held, ending);
    if (before === undefined) current.set(row.key, ending);
  }

  function isKnown(key: string): void {
    // Other processes may have leased the waiting messages.
    if (known.size >= mostKnown) known.clear();
    known.set(key, (known.get(key) ?? 0) + 1);
  }

  /** After the end of a message, takes the next one of its key. A message from another process is found a little later by polling. */
  function ended(key: string): void {
    const left = (known.get(key) ?? 1) - 1;
    if (left > 0) known.set(key, left);
    else known.delete(key);
    if (left > 0) wake();
    else if (mayWait) alarm.wake();
    else
      soon ??= setTimeout(() => {
        soon = undefined;
        alarm.wake();
      }, shortestPollMs);
  }

  const handBack = (rows: readonly TakenRow[], undelivered: 0 | 1): Promise<void> =>
    store
      .release(rows.map((row) => ({ row, afterMs: 0, attempt: row.attempt - undelivered })))
      // They are delivered again when their leases expire.
      .catch(away);

  async function takeSome(): Promise<void> {
    mayWait = false;
    asked = room();
    const most = asked;
    const rows = await store.take(place, most).finally(() => (asked = 0));
    isAway = false;
    if (closing.signal.aborted) return handBack(rows, 1);
    if (rows.length === most) mayWait = true;
    if (rows.length === 0 && running.size + reserved === 0 && !mayWait) known.clear();
    pollMs = rows.length > 0 ? shortestPollMs : Math.min(idlePollMs, pollMs * 2);
    for (const row of rows) start(row);
  }

  async function work(): Promise<void> {
    while (!closing.signal.aborted) {
      if (room() > 0)
        await takeSome().catch((error: unknown) => {
          mayWait = true;
          pollMs = idlePollMs;
          away(error);
        });
      // A full consumer waits until a message ends.
      await alarm.sleep(room() > 0 ? pollMs : undefined);
    }
  }

  async function keepLeases(): Promise<void> {
    const held = [...running.keys()];
    if (held.length === 0) return;
    const lost = new Set(await store.renew(held.map(({ row }) => row)));
    // Messages that have ended meanwhile no longer exist.
    for (const one of held) if (lost.has(one.row) && running.has(one)) one.controller.abort();
  }

  const working = work();
  const renewing = setInterval(() => {
    keepLeases().catch(away);
  }, leaseMs / 3);

  async function end(graceMs: number): Promise<void> {
    closing.abort();
    alarm.wake();
    await working;
    clearTimeout(soon);
    await Promise.race([Promise.all(running.values()), delay(graceMs, undefined, { ref: false })]);
    clearInterval(renewing);
    const left = [...running.keys()];
    for (const { controller } of left) controller.abort();
    await handBack(
      left.map(({ row }) => row),
      0,
    );
  }
  let closed: Promise<void> | undefined;

  return {
    channel: place.channel,
    isFor: ({ channel, consumer_group }) => channel === place.channel && consumer_group === place.group,
    wake,
    waits: (key) => {
      isKnown(key);
      wake();
    },
    reserve: () => {
      if (mayWait || closing.signal.aborted || room() <= 0) return false;
      reserved += 1;
      return true;
    },
    handOver: (row) => {
      reserved -= 1;
      if (closing.signal.aborted) void handBack([row], 1);
      else {
        isKnown(row.key);
        start(row);
      }
    },
    giveUp: () => {
      reserved -= 1;
      alarm.wake();
    },
    close: (graceMs = defaultGraceMs) => (closed ??= end(graceMs)),
  };
}

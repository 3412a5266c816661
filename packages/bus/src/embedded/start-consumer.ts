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
  /** The longest wait between two looks at the table while nothing is found, milliseconds. */
  readonly idlePollMs: number;
}

export interface Consumer extends Subscription {
  readonly channel: ChannelName;
  readonly isFor: (row: { readonly channel: string; readonly consumer_group: string }) => boolean;
  /** There may be something to take. */
  readonly wake: () => void;
  /** Something of that key waits to be taken. */
  readonly waits: (key: string) => void;
  /** Keeps room for one message that need not be looked for; false when there is none, or when something older may wait. */
  readonly reserve: () => boolean;
  /** A message that room was kept for; its lease has begun. */
  readonly handOver: (row: TakenRow) => void;
  /** None comes that room was kept for. */
  readonly giveUp: () => void;
}

interface Held {
  readonly row: TakenRow;
  readonly controller: AbortController;
}

const shortestPollMs = 20;
const mostKnown = 10_000;
const defaultGraceMs = 5_000;

/** Takes messages of a group as long as it has room, and keeps their leases while they are handled. */
export function startConsumer<Name extends ChannelName>(deps: ConsumerDeps<Name>): Consumer {
  const { place, store, observer, concurrency, leaseMs, idlePollMs } = deps;
  const running = new Map<Held, Promise<void>>();
  /** The message of a key that is handled here. */
  const current = new Map<string, Promise<void>>();
  /** How many messages of a key are handled here or were said to wait. */
  const known = new Map<string, number>();
  /** Room for messages that are handed over, and for those that are being taken. */
  let [reserved, asked] = [0, 0];
  /** Something may wait that nobody has. */
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

  /** Says once of an outage that there is one. */
  function away(error: unknown): void {
    if (!isAway) observer.unreachable?.({ ...place, error });
    isAway = true;
  }

  function start(row: TakenRow): void {
    const held: Held = { row, controller: new AbortController() };
    if (!known.has(row.key)) isKnown(row.key);
    const before = current.get(row.key);
    // Transactions that overlap may each give one of the same key: it is held until the other has ended, then taken in its turn.
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
    // Others may have taken what was said to wait.
    if (known.size >= mostKnown) known.clear();
    known.set(key, (known.get(key) ?? 0) + 1);
  }

  /** There is room, and what stood behind a message may be taken: what another process published is found a little later. */
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
      // They are taken again when their leases have run out.
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
      // Who is full waits for an end.
      await alarm.sleep(room() > 0 ? pollMs : undefined);
    }
  }

  async function keepLeases(): Promise<void> {
    const held = [...running.keys()];
    if (held.length === 0) return;
    const lost = new Set(await store.renew(held.map(({ row }) => row)));
    // What has ended meanwhile is not there any more either.
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

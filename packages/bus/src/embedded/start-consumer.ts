import { setTimeout as delay } from "node:timers/promises";
import { createAlarm } from "../alarm.ts";
import type { ChannelName } from "../bus-message.ts";
import type { Subscription } from "../message-bus.ts";
import { handleMessage, type HandleDeps } from "./handle-message.ts";
import type { MessageStore, TakenRow } from "./message-store.ts";

export interface ConsumerDeps<Name extends ChannelName> extends HandleDeps<Name> {
  readonly store: MessageStore;
  readonly concurrency: number;
  readonly leaseMs: number;
  /** The longest wait between two looks at the table while nothing is found, milliseconds. */
  readonly idlePollMs: number;
}

export interface Consumer extends Subscription {
  /** There may be something to take. */
  readonly wake: () => void;
}

interface Held {
  readonly row: TakenRow;
  readonly controller: AbortController;
}

const shortestPollMs = 20;
const defaultGraceMs = 5_000;

/** Takes messages of a group as long as it has room, and keeps their leases while they are handled. */
export function startConsumer<Name extends ChannelName>(deps: ConsumerDeps<Name>): Consumer {
  const { place, store, observer, concurrency, leaseMs, idlePollMs } = deps;
  const running = new Map<Held, Promise<void>>();
  const alarm = createAlarm();
  const closing = new AbortController();
  let pollMs = shortestPollMs;
  let isAway = false;

  /** Says once of an outage that there is one. */
  function away(error: unknown): void {
    if (!isAway) observer.unreachable?.({ ...place, error });
    isAway = true;
  }

  function start(row: TakenRow): void {
    const held: Held = { row, controller: new AbortController() };
    const ending = handleMessage(deps, row, held.controller.signal).finally(() => {
      running.delete(held);
      // There is room, and what stood behind it may be taken.
      alarm.wake();
    });
    running.set(held, ending);
  }

  const handBack = (rows: readonly TakenRow[], undelivered: 0 | 1): Promise<void> =>
    store
      .release(rows.map((row) => ({ row, afterMs: 0, attempt: row.attempt - undelivered })))
      // They are taken again when their leases have run out.
      .catch(away);

  async function takeSome(): Promise<void> {
    const rows = await store.take(place, concurrency - running.size);
    isAway = false;
    if (closing.signal.aborted) return handBack(rows, 1);
    pollMs = rows.length > 0 ? shortestPollMs : Math.min(idlePollMs, pollMs * 2);
    for (const row of rows) start(row);
  }

  async function work(): Promise<void> {
    while (!closing.signal.aborted) {
      const hasRoom = running.size < concurrency;
      if (hasRoom)
        await takeSome().catch((error: unknown) => {
          pollMs = idlePollMs;
          away(error);
        });
      // Who is full waits for an end.
      await alarm.sleep(running.size < concurrency ? pollMs : undefined);
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
    await Promise.race([Promise.all(running.values()), delay(graceMs, undefined, { ref: false })]);
    clearInterval(renewing);
    const left = [...running.keys()];
    for (const { controller } of left) controller.abort();
    await handBack(
      left.map(({ row }) => row),
      0,
    );
  }
  let ended: Promise<void> | undefined;

  return { wake: alarm.wake, close: (graceMs = defaultGraceMs) => (ended ??= end(graceMs)) };
}

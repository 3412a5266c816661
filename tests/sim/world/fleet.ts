import { agenda } from "../time/virtual-time.ts";
import { beginLife, DeadProcessError, runIn, type Life } from "../time/life.ts";

/** A running process of a zone. */
export interface Running<Handle> {
  readonly life: Life;
  /** The handle by which others call it. Undefined while it starts. */
  handle?: Handle;
  /** Stops it cleanly. Undefined while it starts. */
  stop?: () => Promise<void>;
  isStopping?: boolean;
}

export interface FleetOptions<Handle> {
  readonly zone: Life["zone"];
  readonly note: (what: string) => void;
  readonly pauseMs: () => number;
  /** Starts a process. It may publish its handle before it has started. */
  readonly start: (life: Life, publish: (handle: Handle) => void) => Promise<() => Promise<void>>;
}

/** The processes of a zone: one, or two during a redeploy. A process that ends is replaced. */
export interface Fleet<Handle> {
  readonly running: readonly Running<Handle>[];
  readonly start: () => void;
  /** Replaces the oldest process by a new one. Both run during the overlap. */
  readonly redeploy: (overlapMs: number) => void;
  /** Stops all processes cleanly. Resolves when they have ended. */
  readonly stop: () => Promise<void>;
}

export function createFleet<Handle>({ zone, note, pauseMs, start }: FleetOptions<Handle>): Fleet<Handle> {
  const running: Running<Handle>[] = [];
  let number = 0;
  let isOver = false;

  function begin(): void {
    if (isOver) return;
    const life = beginLife(`${zone} ${(number += 1)}`, zone);
    const one: Running<Handle> = { life };
    running.push(one);
    note(`${life.name} starts`);
    life.onDeath(() => {
      running.splice(running.indexOf(one), 1);
      note(`${life.name} is dead`);
      if (running.every(({ isStopping }) => isStopping)) agenda.plan(pauseMs(), begin);
    });
    void runIn(life, () => boot(one));
  }

  async function boot(one: Running<Handle>): Promise<void> {
    const { life } = one;
    try {
      one.stop = await start(life, (handle) => (one.handle = handle));
    } catch (error) {
      if (!life.isAlive || error instanceof DeadProcessError) return;
      note(`${life.name} did not start: ${String(error)}`);
      life.die();
    }
  }

  async function end(one: Running<Handle>): Promise<void> {
    const { life, stop } = one;
    one.isStopping = true;
    note(`${life.name} is told to stop`);
    const ended = Promise.withResolvers<void>();
    life.onDeath(ended.resolve);
    if (stop === undefined) life.die();
    else void runIn(life, () => stop().finally(() => agenda.plan(0, life.die)));
    await ended.promise;
  }

  return {
    running,
    start: begin,
    redeploy: (overlapMs) => {
      const [old] = running;
      begin();
      if (old !== undefined) agenda.plan(overlapMs, () => old.life.isAlive && void end(old));
    },
    stop: async () => {
      isOver = true;
      await Promise.all(running.map(end));
    },
  };
}

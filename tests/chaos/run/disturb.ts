import { setTimeout as wait } from "node:timers/promises";
import type { Journal } from "../journal.ts";
import type { Disturbance, PlannedKill, Victim } from "../plan/disturbance-plan.ts";
import type { ChaosSystem } from "../system/start-system.ts";

/** Counts of the disturbances. */
export interface Damage {
  readonly killed: Record<Victim, number>;
  /** Number of kills that took two at once. */
  together: number;
  redeploys: number;
  freezes: number;
  /** Number of troubles of the wires, by kind. */
  readonly wires: Map<string, number>;
  /** Number of faults of Slack's Web API, by kind. */
  readonly slack: Map<string, number>;
}

export const noDamage = (): Damage => ({
  killed: { verification: 0, execution: 0, database: 0, broker: 0 },
  together: 0,
  redeploys: 0,
  freezes: 0,
  wires: new Map(),
  slack: new Map(),
});

const replacedAfterMs = 3_000;

/** Begins each disturbance at its time. Resolves when all are over. */
export async function disturb(
  system: ChaosSystem,
  disturbances: readonly Disturbance[],
  { journal, damage }: { readonly journal: Journal; readonly damage: Damage },
): Promise<void> {
  const healing: Promise<unknown>[] = [];
  for (const one of disturbances) {
    await wait(Math.max(0, one.at - journal.now()));
    healing.push(begin(one));
  }
  await Promise.all(healing);

  async function begin(one: Disturbance): Promise<void> {
    switch (one.kind) {
      case "kill": {
        const killing = one.victims.map((victim) => kill(victim, one));
        if (killing.length > 1) damage.together += 1;
        await Promise.all(killing);
        return;
      }
      case "redeploy":
        damage.redeploys += 1;
        journal.note("chaos", `redeploys ${one.zone}, ${one.politely ? "with SIGTERM" : "with SIGKILL"}`);
        return system[one.zone].redeploy(one.overlapMs, one.politely);
      case "freeze":
        journal.note("chaos", `${one.zone} stands still for ${one.forMs} ms`);
        if (!system[one.zone].freeze(one.which, one.forMs)) return;
        damage.freezes += 1;
        // A platform replaces a process that is suspended this long. It wakes up next to its successor.
        if (one.forMs > replacedAfterMs) await system[one.zone].redeploy(one.forMs, true);
        else await wait(one.forMs);
        return;
      case "wire": {
        const wires = { ...system.wires, database: system.engine.server?.wire };
        journal.note("chaos", `${one.trouble} on the ${one.wire} wire for ${one.forMs} ms`);
        count(damage.wires, one.trouble);
        wires[one.wire]?.trouble(one.trouble, one.forMs);
        return;
      }
      case "slack":
        journal.note("chaos", `Slack will fail`, { ...one.fault });
        count(damage.slack, one.fault.takes_effect === true ? `${one.fault.kind} after it was done` : one.fault.kind);
        system.slack.control.setFault(one.fault);
    }
  }

  async function kill(victim: Victim, planned: PlannedKill): Promise<void> {
    const { server, broker } = system.engine;
    const servers = { database: server, broker };
    const isDone =
      victim === "database" || victim === "broker"
        ? ((await servers[victim]?.kill(planned.pauseMs)) ?? false)
        : await whenPossible(() => system[victim].kill(planned));
    journal.note("chaos", `killed ${victim}: ${isDone ? `pauses ${planned.pauseMs} ms` : "there was none"}`);
    if (isDone) damage.killed[victim] += 1;
  }
}

/** Retries a kill while the zone is starting, so that it can work between kills on a slow machine. */
async function whenPossible(kill: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 25; tries++) {
    if (kill()) return true;
    await wait(100);
  }
  return false;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

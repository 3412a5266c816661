import { setTimeout as wait } from "node:timers/promises";
import { add, type Counts } from "../resist/counts.ts";
import type { Journal } from "./journal.ts";
import type { Disturbance, PlannedCycle, PlannedKill, Victim } from "./plan.ts";
import type { ChaosSystem } from "./system/start-system.ts";
import type { People } from "./watch-slack.ts";

const longestStartMs = 30_000;

interface Killing {
  readonly journal: Journal;
  readonly damage: Counts;
  readonly people: People;
}

/** Asks questions and kills both zones, which start again on one data folder, in cycles. */
export async function killInCycles(
  { verification, execution }: ChaosSystem,
  cycles: readonly PlannedCycle[],
  { journal, damage, people }: Killing,
): Promise<void> {
  const zones = [verification, execution];
  for (const [number, { messages, early, killAfterMs }] of cycles.entries()) {
    for (const message of messages) people.write(message);
    if (!early) await Promise.all(zones.map((zone) => zone.working(longestStartMs)));
    await wait(killAfterMs);
    journal.note("chaos", `kills both zones, for the ${number + 1}. time`);
    for (const zone of zones) zone.kill({ which: 0, pauseMs: 0, early: true });
    add(damage, "both zones killed");
  }
}

const replacedAfterMs = 3_000;

/** Begins each disturbance at its time. Resolves when all are over. */
export async function disturb(
  system: ChaosSystem,
  disturbances: readonly Disturbance[],
  { journal, damage }: { readonly journal: Journal; readonly damage: Counts },
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
        if (killing.length > 1) add(damage, "two at once");
        await Promise.all(killing);
        return;
      }
      case "redeploy":
        add(damage, `${one.zone} redeployed`);
        journal.note("chaos", `redeploys ${one.zone}, ${one.politely ? "with SIGTERM" : "with SIGKILL"}`);
        return system[one.zone].redeploy(one.overlapMs, one.politely);
      case "freeze":
        journal.note("chaos", `${one.zone} stands still for ${one.forMs} ms`);
        if (!system[one.zone].freeze(one.which, one.forMs)) return;
        add(damage, `${one.zone} frozen`);
        // A platform replaces a process that is suspended this long. It wakes up next to its successor.
        if (one.forMs > replacedAfterMs) await system[one.zone].redeploy(one.forMs, true);
        else await wait(one.forMs);
        return;
      case "wire": {
        journal.note("chaos", `${one.trouble} on the ${one.wire} wire for ${one.forMs} ms`);
        add(damage, `${one.wire} wire ${one.trouble}`);
        system.wires[one.wire]?.trouble(one.trouble, one.forMs);
        return;
      }
      case "slack":
        journal.note("chaos", `Slack will fail`, { ...one.fault });
        add(damage, `Slack ${one.fault.kind}${one.fault.takes_effect === true ? " after it was done" : ""}`);
        system.slack.control.setFault(one.fault);
    }
  }

  async function kill(victim: Victim, planned: PlannedKill): Promise<void> {
    const { server, broker } = system.engine;
    const servers = { database: server, broker };
    const isDone =
      victim === "database" || victim === "broker"
        ? ((await servers[victim]?.kill(planned.pauseMs)) ?? false)
        : await whenPossible(() => system[victim].kill(planned), planned.patientMs);
    journal.note("chaos", `killed ${victim}: ${isDone ? `pauses ${planned.pauseMs} ms` : "there was none"}`);
    if (isDone) add(damage, `${victim} killed`);
  }
}

/** Retries a kill while the zone is starting, so that it can work between kills on a slow machine. */
async function whenPossible(kill: () => boolean, patientMs = 2_500): Promise<boolean> {
  for (let ms = 0; ms < patientMs; ms += 100) {
    if (kill()) return true;
    await wait(100);
  }
  return false;
}

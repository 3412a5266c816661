import { type Check, passed, warned } from "@crosszone/service-kit/doctor";
import { describeZoneFailure } from "./zone-check.ts";
import type { ZoneCheck } from "./zone-check.ts";

/** Makes a real `list_agents` call, to check that execution accepts this zone and that its response matches the contract. */
export function checkExecutionAnswers(check: Omit<Check, "run" | "name">, { connect, ...way }: ZoneCheck): Check {
  return {
    ...check,
    name: "execution answers",
    run: async () => {
      const zone = await connect();
      try {
        const { agents } = await zone.listAgents();
        if (agents.length === 0) return warned("it accepts this zone, but has no agents", "Add an agent to execution.");
        const names = agents.slice(0, 5).map(({ name }) => name);
        const more = agents.length > names.length ? ` and ${agents.length - names.length} more` : "";
        return passed(`it accepts this zone and its response matches the contract; agents: ${names.join(", ")}${more}`);
      } catch (error) {
        return describeZoneFailure(error, way);
      } finally {
        await zone.close();
      }
    },
  };
}

const calls = 5;
/** A slower round trip is noticeable: a question makes at least two calls. Milliseconds. */
const slowMs = 500;

/** Measures a call that does no work, over an open connection. */
export function checkRoundTrip({ connect, ...way }: ZoneCheck, now: () => number = () => performance.now()): Check {
  return {
    name: "execution round trip",
    needs: ["execution answers"],
    run: async () => {
      const times: number[] = [];
      const zone = await connect();
      try {
        await zone.listAgents();
        for (let call = 0; call < calls; call += 1) {
          const startedAt = now();
          await zone.listAgents();
          times.push(now() - startedAt);
        }
      } catch (error) {
        return describeZoneFailure(error, way);
      } finally {
        await zone.close();
      }
      const [shortest = 0, , median = 0, , longest = 0] = times
        .toSorted((a, b) => a - b)
        .map((ms) => Math.round(ms * 10) / 10);
      const says = `median ${median} ms of ${calls} calls (${shortest} to ${longest})`;
      return median < slowMs
        ? passed(says)
        : warned(says, "Check the network between the zones, and the load of execution.");
    },
  };
}

import { passed, warned, type Check } from "@crosszone/service-kit/doctor";
import { describeZoneFailure } from "./describe-zone-failure.ts";
import type { ZoneCheck } from "./zone-check.ts";

const calls = 5;
/** Slower than this is noticed by whoever waits: a question makes two calls at least. Milliseconds. */
const slowMs = 500;

/** How long a call takes that does nothing, over a connection that is open already. */
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
      const says = `${median} ms in the middle of ${calls} calls (${shortest} to ${longest})`;
      return median < slowMs
        ? passed(says)
        : warned(says, "Look at the way between the zones, and at the load of the execution zone.");
    },
  };
}

import { passed, warned, type Check } from "@crosszone/service-kit/doctor";
import { describeZoneFailure } from "./describe-zone-failure.ts";
import type { ZoneCheck } from "./zone-check.ts";

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

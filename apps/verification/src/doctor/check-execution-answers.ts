import { passed, warned, type Check } from "@crosszone/service-kit/doctor";
import { describeZoneFailure } from "./describe-zone-failure.ts";
import type { ZoneCheck } from "./zone-check.ts";

/** A real `list_agents`: that the execution zone knows this one, and that its answer keeps the contract. */
export function checkExecutionAnswers(check: Omit<Check, "run" | "name">, { connect, ...way }: ZoneCheck): Check {
  return {
    ...check,
    name: "execution answers",
    run: async () => {
      const zone = await connect();
      try {
        const { agents } = await zone.listAgents();
        if (agents.length === 0)
          return warned("it knows this zone, and has no agent", "Give the execution zone an agent.");
        const names = agents.slice(0, 5).map(({ name }) => name);
        const more = agents.length > names.length ? ` and ${agents.length - names.length} more` : "";
        return passed(`it knows this zone, and keeps the contract; agents: ${names.join(", ")}${more}`);
      } catch (error) {
        return describeZoneFailure(error, way);
      } finally {
        await zone.close();
      }
    },
  };
}

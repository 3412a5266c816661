import { passed, warned, type Check } from "@crosszone/service-kit/doctor";
import { describeZoneFailure } from "./describe-zone-failure.ts";
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

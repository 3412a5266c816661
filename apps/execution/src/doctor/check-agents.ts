import type { ListAgentsResult } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { failed, passed, type Check } from "@crosszone/service-kit/doctor";

/** Checks that the zone, with its real agents, can answer `list_agents`. Runs no task. */
export function checkAgents(listAgents: () => Promise<ListAgentsResult>): Check {
  return {
    name: "agents",
    run: async () => {
      try {
        const { agents } = await listAgents();
        const names = agents.map(({ name, skills }) => `${name} (${skills.length} skills)`);
        return names.length === 0
          ? failed("the zone has no agents", "Add an agent to the zone.")
          : passed(names.join(", "));
      } catch (error) {
        if (!(error instanceof LinkError)) throw error;
        return failed(
          `list_agents: ${error.message}`,
          "Check the name, description and skills of the agent that was added last.",
        );
      }
    },
  };
}

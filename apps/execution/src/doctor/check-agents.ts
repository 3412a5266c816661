import type { ListAgentsResult } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { failed, passed, type Check } from "@crosszone/service-kit/doctor";

/** Whether the zone, put together as it will be, can tell who its agents are. Runs no task. */
export function checkAgents(listAgents: () => Promise<ListAgentsResult>): Check {
  return {
    name: "agents",
    run: async () => {
      try {
        const { agents } = await listAgents();
        const names = agents.map(({ name, skills }) => `${name} (${skills.length} skills)`);
        return names.length === 0 ? failed("there is none", "Give the zone an agent.") : passed(names.join(", "));
      } catch (error) {
        if (!(error instanceof LinkError)) throw error;
        return failed(
          `list_agents: ${error.message}`,
          "Look at the name, description and skills of the agent that was added last.",
        );
      }
    },
  };
}

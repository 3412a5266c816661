import type { AgentsApi } from "../api/agents-api.ts";
import { RefusedError } from "../api/api-failure.ts";
import { didYouMean } from "../arguments/near-names.ts";

/** How many names are searched for the one that was meant. */
const mostNames = 200;

/** For a request that names an agent: an unknown name is reported with the names that are near. */
export function orNearAgent(agents: AgentsApi, name: string): (error: unknown) => Promise<never> {
  return async (error) => {
    if (error instanceof RefusedError && error.kind === "agent-not-found")
      error.message = await unknownAgent(agents, name);
    throw error;
  };
}

/** The sentence for an agent that isn't registered, or that is off. */
export async function unknownAgent(agents: AgentsApi, name: string): Promise<string> {
  const { agents: known } = await agents.list({ limit: mostNames, offset: 0 });
  if (known.some((agent) => agent.name === name)) return `${name} is off. Turn it on: crosszone agents enable ${name}`;
  const near = didYouMean(
    name,
    known.map((agent) => agent.name),
  );
  return `No agent is called "${name}".${near || " crosszone agents lists them."}`;
}

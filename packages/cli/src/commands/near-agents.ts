import type { AgentsApi } from "../api/agents-api.ts";
import { RefusedError } from "../api/api-failure.ts";
import { didYouMean } from "../arguments/near-names.ts";

/** Number of names that are searched for similar ones. */
const mostNames = 200;

/** Returns an error handler for a request that names an agent: it reports an unknown name with similar names. */
export function orNearAgent(agents: AgentsApi, name: string): (error: unknown) => Promise<never> {
  return async (error) => {
    if (error instanceof RefusedError && error.kind === "agent-not-found")
      error.message = await unknownAgent(agents, name);
    throw error;
  };
}

/** Returns the error text for an agent that isn't registered or is off. */
export async function unknownAgent(agents: AgentsApi, name: string): Promise<string> {
  const { agents: known } = await agents.list({ limit: mostNames, offset: 0 });
  if (known.some((agent) => agent.name === name)) return `${name} is off. Turn it on: crosszone agents enable ${name}`;
  const near = didYouMean(
    name,
    known.map((agent) => agent.name),
  );
  return `No agent is called "${name}".${near || " crosszone agents lists them."}`;
}

import { openDatabase, type Database } from "@crosszone/sql";
import { onTestFinished } from "vitest";
import { agentMovesStep, agentsStep, type AgentTables } from "../registry/agent-table.ts";

/** Opens the registry's tables. Closes them with the test. */
export async function openAgents(url: string): Promise<Database<AgentTables>> {
  const migrations = { "0003_agents": agentsStep, "0019_add_agent_moves": agentMovesStep };
  const database = await openDatabase<AgentTables>({ url, schema: "execution", migrations });
  onTestFinished(() => database.close());
  return database;
}

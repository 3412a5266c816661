import { executionJobsStep, type ExecutionJobTables } from "@crosszone/jobs";
import { openDatabase, type Database } from "@crosszone/sql";
import { agentMovesStep, agentsStep, type AgentTables } from "../registry/agent-table.ts";

export type BridgeTables = ExecutionJobTables & AgentTables;

const bridgeMigrations = {
  "0003_agents": agentsStep,
  "0019_add_agent_moves": agentMovesStep,
  "0021_jobs": executionJobsStep,
};

/** Opens a database with only the tables of a bridge and its agents. */
export function openBridgeDatabase(url: string): Promise<Database<BridgeTables>> {
  return openDatabase<BridgeTables>({ url, schema: "bridge", migrations: bridgeMigrations });
}

import { busLanesStep, busStep, type BusTables } from "@crosszone/bus";
import { openDatabase, type Database } from "@crosszone/sql";
import {
  agentCallEndsStep,
  agentCallFilesStep,
  agentCallsStep,
  agentCallWaysStep,
  type AgentCallTables,
} from "../calls/store/agent-call-table.ts";
import { agentMovesStep, agentsStep, type AgentTables } from "../registry/agent-table.ts";

export type BridgeTables = BusTables & AgentCallTables & AgentTables;

const bridgeMigrations = {
  "0002_bus": busStep,
  "0003_agents": agentsStep,
  "0004_agent_calls": agentCallsStep,
  "0007_agent_call_files": agentCallFilesStep,
  "0010_agent_call_ends": agentCallEndsStep,
  "0013_bus_lanes": busLanesStep,
  "0019_add_agent_moves": agentMovesStep,
  "0020_add_agent_call_ways": agentCallWaysStep,
};

/** Opens a database with only the tables of a bridge, its agents and its bus. */
export function openBridgeDatabase(url: string): Promise<Database<BridgeTables>> {
  return openDatabase<BridgeTables>({ url, schema: "bridge", migrations: bridgeMigrations });
}

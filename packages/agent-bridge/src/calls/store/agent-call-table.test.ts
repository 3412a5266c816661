import { migrationsContract } from "@crosszone/sql/testing";
import { agentCallsStep } from "./agent-call-table.ts";

migrationsContract({ "0004_agent_calls": agentCallsStep });

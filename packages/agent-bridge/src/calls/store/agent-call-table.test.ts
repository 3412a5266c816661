import { migrationsContract } from "@crosszone/sql/testing";
import { agentCallEndsStep, agentCallFilesStep, agentCallsStep, agentCallWaysStep } from "./agent-call-table.ts";

migrationsContract({
  "0004_agent_calls": agentCallsStep,
  "0007_agent_call_files": agentCallFilesStep,
  "0010_agent_call_ends": agentCallEndsStep,
  "0020_add_agent_call_ways": agentCallWaysStep,
});

import type { Transport } from "@crosszone/jsonrpc";
import type { VerificationConfig } from "../../config.ts";
import { createAgentCoreTransport } from "./agentcore-transport.ts";

/** The transport that the variables describe. */
export function connectAgentCore(config: VerificationConfig): Transport {
  const { AGENTCORE_RUNTIME_ARN: runtimeArn = "", AGENTCORE_QUALIFIER: qualifier } = config;
  const { AGENTCORE_ACCOUNT_ID: accountId, AGENTCORE_REGION: region, AGENTCORE_ENDPOINT: endpoint } = config;
  return createAgentCoreTransport({
    runtimeArn,
    ...(qualifier !== undefined && { qualifier }),
    ...(accountId !== undefined && { accountId }),
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
    retryBudgetMs: config.EXECUTION_RETRY_BUDGET_MS,
  });
}

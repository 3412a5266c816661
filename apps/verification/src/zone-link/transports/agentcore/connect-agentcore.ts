import type { Transport } from "@crosszone/jsonrpc";
import type { LinkSettings } from "../../link-variables.ts";
import type { ZoneLinkObserver } from "../../observed-zone.ts";
import { createAgentCoreTransport } from "./agentcore-transport.ts";

/** Makes the configured AgentCore transport. */
export function connectAgentCore(
  settings: LinkSettings,
  { callRetried }: Pick<ZoneLinkObserver, "callRetried">,
): Transport {
  const { AGENTCORE_RUNTIME_ARN: runtimeArn = "", AGENTCORE_QUALIFIER: qualifier } = settings;
  const { AGENTCORE_ACCOUNT_ID: accountId, AGENTCORE_REGION: region, AGENTCORE_ENDPOINT: endpoint } = settings;
  return createAgentCoreTransport({
    runtimeArn,
    ...(qualifier !== undefined && { qualifier }),
    ...(accountId !== undefined && { accountId }),
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
    retryBudgetMs: settings.EXECUTION_RETRY_BUDGET,
    onRetry: callRetried,
  });
}

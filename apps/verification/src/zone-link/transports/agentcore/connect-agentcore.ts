import type { Transport } from "@crosszone/jsonrpc";
import type { Logger } from "@crosszone/service-kit";
import type { VerificationConfig } from "../../../config/config.ts";
import type { VerificationEvent } from "../../../ops/observers/log-events.ts";
import { errorFields } from "../../../ops/observers/error-fields.ts";
import { createAgentCoreTransport } from "./agentcore-transport.ts";

/** Makes the configured AgentCore transport, which logs its retries. */
export function connectAgentCore(config: VerificationConfig, logger: Logger<VerificationEvent>): Transport {
  const { AGENTCORE_RUNTIME_ARN: runtimeArn = "", AGENTCORE_QUALIFIER: qualifier } = config;
  const { AGENTCORE_ACCOUNT_ID: accountId, AGENTCORE_REGION: region, AGENTCORE_ENDPOINT: endpoint } = config;
  return createAgentCoreTransport({
    runtimeArn,
    ...(qualifier !== undefined && { qualifier }),
    ...(accountId !== undefined && { accountId }),
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
    retryBudgetMs: config.EXECUTION_RETRY_BUDGET,
    onRepeat: ({ error, attempt, waitMs, correlationId }) =>
      logger.warn("call_repeated", {
        correlation_id: correlationId,
        ...errorFields(error),
        attempt,
        wait_ms: Math.round(waitMs),
        cause: error,
      }),
  });
}

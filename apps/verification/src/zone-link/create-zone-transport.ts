import type { Transport } from "@crosszone/jsonrpc";
import type { LoadedConfig, Logger } from "@crosszone/service-kit";
import type { verificationConfig, VerificationConfig } from "../config/config.ts";
import type { VerificationEvent } from "../ops/observers/log-events.ts";
import { createCredentials, type LinkProof } from "./credentials/create-credentials.ts";
import { createHttpsTransport } from "./transports/https-transport.ts";

/** What a transport needs besides its configuration. */
export interface TransportTools {
  readonly logger: Logger<VerificationEvent>;
  /** Files of the secrets that were read from files. */
  readonly files: LoadedConfig<typeof verificationConfig>["files"];
}

/** The transports to execution, by configuration value. */
const transports = {
  https: (config, tools) => {
    const { EXECUTION_URL: url, EXECUTION_HEADERS: headers, EXECUTION_SESSION_QUERY: sessionQuery } = config;
    // Each question uses a connection while its answer is streamed or polled; the others are for lists and cancellations.
    const connections = config.MAX_QUESTIONS + 28;
    return createHttpsTransport({
      url,
      headers: Object.fromEntries(headers ?? []),
      sessionQuery,
      connections,
      ...prove(config, tools),
    });
  },
  // The AWS SDK is loaded only when used.
  agentcore: async (config, { logger }) =>
    (await import("./transports/agentcore/connect-agentcore.ts")).connectAgentCore(config, logger),
} satisfies Record<
  VerificationConfig["EXECUTION_TRANSPORT"],
  (config: VerificationConfig, tools: TransportTools) => Transport | Promise<Transport>
>;

/** Makes the configured transport. */
export async function createZoneTransport(config: VerificationConfig, tools: TransportTools): Promise<Transport> {
  return transports[config.EXECUTION_TRANSPORT](config, tools);
}

function prove(values: VerificationConfig, { logger, files }: TransportTools): LinkProof {
  return createCredentials({ values, files, onFileFailure: (cause) => logger.error("file_not_usable", { cause }) });
}

import type { Transport } from "@crosszone/jsonrpc";
import type { LoadedConfig, Logger } from "@crosszone/service-kit";
import type { verificationConfig, VerificationConfig } from "../config.ts";
import type { VerificationEvent } from "../log-events.ts";
import { createCredentials, type LinkProof } from "./credentials/create-credentials.ts";
import { createHttpsTransport } from "./https-transport.ts";

/** What a transport is made with, beside its configuration. */
export interface TransportTools {
  readonly logger: Logger<VerificationEvent>;
  /** Where secrets were read from, of those that came from a file. */
  readonly files: LoadedConfig<typeof verificationConfig>["files"];
}

/** The ways to the execution zone, by the name that selects one. */
const transports = {
  https: (config, tools) => {
    const { EXECUTION_URL: url, EXECUTION_HEADERS: headers, EXECUTION_SESSION_QUERY: sessionQuery } = config;
    // Each question holds one while its answer is streamed or polled for; the others are for lists and cancellations.
    const connections = config.MAX_QUESTIONS + 28;
    return createHttpsTransport({
      url,
      headers: Object.fromEntries(headers ?? []),
      sessionQuery,
      connections,
      ...prove(config, tools),
    });
  },
  // The AWS SDK is loaded by those who use it only.
  agentcore: async (config, { logger }) =>
    (await import("./agentcore/connect-agentcore.ts")).connectAgentCore(config, logger),
} satisfies Record<
  VerificationConfig["EXECUTION_TRANSPORT"],
  (config: VerificationConfig, tools: TransportTools) => Transport | Promise<Transport>
>;

/** The transport that the configuration asks for. */
export async function createZoneTransport(config: VerificationConfig, tools: TransportTools): Promise<Transport> {
  return transports[config.EXECUTION_TRANSPORT](config, tools);
}

function prove(values: VerificationConfig, { logger, files }: TransportTools): LinkProof {
  return createCredentials({ values, files, onFileFailure: (cause) => logger.error("file_not_usable", { cause }) });
}

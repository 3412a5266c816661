import type { Transport } from "@crosszone/jsonrpc";
import { brokenRules, type ConfigProblem, type Emit, isReadableOnTheWay } from "@crosszone/service-kit";
import type { VerificationEvent } from "@crosszone/telemetry";
import { type AuthSettings, checkAuth, unsafeUrl } from "./auth-variables.ts";
import { createCredentials, type SecretFiles } from "./credentials/create-credentials.ts";
import { type LinkSettings, type TransportName, transportTo } from "./link-variables.ts";
import { createHttpsTransport } from "./transports/https-transport.ts";

/** The settings of the link between the zones. */
export interface TransportSettings extends LinkSettings, AuthSettings {
  /** Number of questions that can use the link at the same time. */
  readonly MAX_QUESTIONS: number;
  readonly SLACK_TOKEN_FORWARDING: "handle" | "real";
  readonly EXECUTION_RETRY_BUDGET_MS: number;
}

/** What a transport needs besides its settings. */
export interface TransportTools {
  readonly emit: Emit<VerificationEvent>;
  /** Files of the secrets that were read from files. */
  readonly files: SecretFiles;
}

interface TransportKind {
  /** Returns what is wrong with the settings. Settings that could not be read are absent. */
  readonly problems: (settings: Partial<TransportSettings>) => ConfigProblem[];
  readonly create: (settings: TransportSettings, tools: TransportTools) => Transport | Promise<Transport>;
}

/** The transports to execution. */
const transports = {
  https: { problems: httpsProblems, create: createHttps },
  // The AWS SDK is loaded only when used.
  agentcore: {
    // AWS credentials sign the calls, so no token is needed.
    problems: ({ AWS_ENDPOINT_URL_BEDROCK_AGENTCORE: endpoint }) =>
      brokenRules([
        [endpoint !== undefined && isReadableOnTheWay(endpoint), "AWS_ENDPOINT_URL_BEDROCK_AGENTCORE", ...unsafeUrl],
      ]),
    create: async (settings, { emit }) =>
      (await import("./transports/agentcore/agentcore-transport.ts")).connectAgentCore(settings, emit),
  },
} satisfies Record<TransportName, TransportKind>;

/** Makes the transport that the settings select. */
export async function createZoneTransport(settings: TransportSettings, tools: TransportTools): Promise<Transport> {
  return transports[transportTo(settings.EXECUTION_URL)].create(settings, tools);
}

/** Returns what is wrong with the settings of the selected transport. Settings that could not be read are absent. */
export function checkLink(settings: Partial<TransportSettings>): ConfigProblem[] {
  return transports[transportTo(settings.EXECUTION_URL)].problems(settings);
}

function createHttps(settings: TransportSettings, { emit, files }: TransportTools): Transport {
  const { EXECUTION_URL: url, EXECUTION_HEADERS: headers } = settings;
  return createHttpsTransport({
    url,
    headers: Object.fromEntries(headers ?? []),
    // Each question uses a connection while its answer is streamed or polled; the others are for lists and cancellations.
    connections: settings.MAX_QUESTIONS + 28,
    ...createCredentials({ values: settings, files, onFileFailure: (cause) => emit("file_not_usable", { cause }) }),
  });
}

function httpsProblems(settings: Partial<TransportSettings>): ConfigProblem[] {
  const { EXECUTION_URL: url, SLACK_TOKEN_FORWARDING: forwarding } = settings;
  const isForwardedInClear = forwarding === "real" && url !== undefined && isReadableOnTheWay(url);
  const wrong = "is real, but EXECUTION_URL is not encrypted";
  const expected = "handle, or an EXECUTION_URL with https: or on this machine";
  return [...checkAuth(settings), ...brokenRules([[isForwardedInClear, "SLACK_TOKEN_FORWARDING", wrong, expected]])];
}

import type { Transport } from "@crosszone/jsonrpc";
import {
  brokenRules,
  type ConfigProblem,
  type Emit,
  encryptedRule,
  isReadableOnTheWay,
  type LiveFiles,
  openLiveFiles,
} from "@crosszone/service-kit";
import type { VerificationEvent } from "@crosszone/telemetry";
import {
  type ClientTls,
  createClientCertificate,
  createEntraToken,
  createGoogleIdToken,
  createHmacSigner,
  createNoCredentials,
  createStaticBearer,
  type LinkCredentials,
  openClientTls,
} from "./credentials.ts";
import { createHttpsTransport } from "./https-transport.ts";
import {
  type LinkAuthKind,
  linkAuthOf,
  type AuthSettings,
  checkAuth,
  type LinkSettings,
  linkVariables,
  type TransportName,
  transportTo,
} from "./link-variables.ts";

/** The paths of secrets that were read from files. */
type SecretFiles = Readonly<Partial<Record<"EXECUTION_TOKEN", string>>>;

export interface CredentialsOptions {
  readonly values: AuthSettings & LinkSettings;
  readonly files: SecretFiles;
  /** Called if a replaced file is invalid; its previous content stays in use. */
  readonly onFileFailure: (error: unknown) => void;
}

export interface LinkProof {
  readonly credentials: LinkCredentials;
  /** Absent if the default certificate authorities are used. */
  readonly tls: LiveFiles<ClientTls> | undefined;
}

/** Makes the configured authentication of this zone to execution, and of execution to this zone. */
export function createCredentials(options: CredentialsOptions): LinkProof {
  const { values, onFileFailure } = options;
  const named = [values.EXECUTION_CA_FILE, values.EXECUTION_CLIENT_CERT_FILE];
  const tls = named.every((path) => path === undefined)
    ? undefined
    : openClientTls(
        {
          ca: values.EXECUTION_CA_FILE,
          cert: values.EXECUTION_CLIENT_CERT_FILE,
          key: values.EXECUTION_CLIENT_KEY_FILE,
        },
        onFileFailure,
      );
  return { credentials: kinds[linkAuthOf(values)](options, tls), tls };
}

const now = (): number => Date.now();

const kinds: Record<
  LinkAuthKind,
  (options: CredentialsOptions, tls: LiveFiles<ClientTls> | undefined) => LinkCredentials
> = {
  none: createNoCredentials,
  bearer: (options) => createStaticBearer(tokenOf(options)),
  google: ({ values }) =>
    createGoogleIdToken({
      audience: values.EXECUTION_AUDIENCE ?? new URL(values.EXECUTION_URL).origin,
      metadataHost: values.GCE_METADATA_HOST,
      now,
    }),
  entra: ({ values }) => {
    const { IDENTITY_ENDPOINT: endpoint, IDENTITY_HEADER: header } = values;
    const instanceMetadata = values.AZURE_POD_IDENTITY_AUTHORITY_HOST;
    return createEntraToken({
      scope: values.EXECUTION_AUDIENCE ?? "",
      clientId: values.AZURE_CLIENT_ID,
      source: endpoint !== undefined && header !== undefined ? { endpoint, header } : { instanceMetadata },
      now,
    });
  },
  hmac: (options) => createHmacSigner(tokenOf(options), now),
  mtls: (_options, tls) => (tls === undefined ? createNoCredentials() : createClientCertificate(tls)),
};

/** Provides the first token of EXECUTION_TOKEN; one from a file follows the file's current content. */
function tokenOf({ values, files, onFileFailure }: CredentialsOptions): LiveFiles<string> {
  const path = files.EXECUTION_TOKEN;
  const given = values.EXECUTION_TOKEN?.[0] ?? "";
  if (path === undefined) return { current: () => given, reread: () => given };
  const parse = ([text = ""]: readonly string[]): string => {
    const [first] = linkVariables.EXECUTION_TOKEN.schema.safeParse(text).data ?? [];
    if (first === undefined)
      throw new TypeError("the file of EXECUTION_TOKEN no longer contains a secret of 32 characters");
    return first;
  };
  return openLiveFiles({ paths: { EXECUTION_TOKEN_FILE: path }, parse, first: given, onFailure: onFileFailure });
}

/** The settings of the link between the zones. */
interface TransportSettings extends LinkSettings, AuthSettings {
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

/** The transports to execution. `problems` returns what is wrong with the settings, of which those that could not be read are absent. */
const transports = {
  https: { problems: httpsProblems, create: createHttps },
  // The AWS SDK is loaded only when used.
  agentcore: {
    // AWS credentials sign the calls, so no token is needed.
    problems: ({ AWS_ENDPOINT_URL_BEDROCK_AGENTCORE: endpoint }) =>
      brokenRules([encryptedRule("AWS_ENDPOINT_URL_BEDROCK_AGENTCORE", endpoint)]),
    create: async (settings, { emit }) => (await import("./agentcore-transport.ts")).connectAgentCore(settings, emit),
  },
} satisfies Record<
  TransportName,
  {
    readonly problems: (settings: Partial<TransportSettings>) => ConfigProblem[];
    readonly create: (settings: TransportSettings, tools: TransportTools) => Transport | Promise<Transport>;
  }
>;

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
  const isForwardedInClear = forwarding === "real" && isReadableOnTheWay(url);
  const wrong = "is real, but EXECUTION_URL is not encrypted";
  const expected = "handle, or an EXECUTION_URL with https: or on this machine";
  return [...checkAuth(settings), ...brokenRules([[isForwardedInClear, "SLACK_TOKEN_FORWARDING", wrong, expected]])];
}

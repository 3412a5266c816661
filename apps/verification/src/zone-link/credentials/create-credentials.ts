import { type LiveFiles, openLiveFiles } from "@crosszone/service-kit";
import { type AuthKind, authKindOf, type AuthSettings } from "../auth-variables.ts";
import { type LinkSettings, linkVariables } from "../link-variables.ts";
import {
  type ClientTls,
  createClientCertificate,
  createHmacSigner,
  createNoCredentials,
  createStaticBearer,
  type Credentials,
  openClientTls,
} from "./credentials.ts";
import { createEntraToken, createGoogleIdToken } from "./cloud-tokens.ts";

/** The paths of secrets that were read from files. */
export type SecretFiles = Readonly<Partial<Record<"EXECUTION_TOKEN", string>>>;

export interface CredentialsOptions {
  readonly values: AuthSettings & LinkSettings;
  readonly files: SecretFiles;
  /** Called if a replaced file is invalid; its previous content stays in use. */
  readonly onFileFailure: (error: unknown) => void;
}

export interface LinkProof {
  readonly credentials: Credentials;
  /** Absent if the default certificate authorities are used. */
  readonly tls: LiveFiles<ClientTls> | undefined;
}

/** Makes the configured authentication of this zone to execution, and of execution to this zone. */
export function createCredentials(options: CredentialsOptions): LinkProof {
  const { values, onFileFailure } = options;
  const named = [values.EXECUTION_CA_FILE, values.EXECUTION_CLIENT_CERT_FILE];
  const tls = named.every((path) => path === undefined)
    ? undefined
    : openClientTls({
        ca: values.EXECUTION_CA_FILE,
        cert: values.EXECUTION_CLIENT_CERT_FILE,
        key: values.EXECUTION_CLIENT_KEY_FILE,
        onFailure: onFileFailure,
      });
  return { credentials: kinds[authKindOf(values)](options, tls), tls };
}

const now = (): number => Date.now();

const kinds: Record<AuthKind, (options: CredentialsOptions, tls: LiveFiles<ClientTls> | undefined) => Credentials> = {
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
  hmac: (options) => createHmacSigner({ secret: tokenOf(options), now }),
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

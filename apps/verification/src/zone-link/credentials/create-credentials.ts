import { type LiveFiles, openLiveFiles } from "@crosszone/service-kit";
import { type AuthKind, type AuthSettings, authVariables } from "../auth-variables.ts";
import { authKindOf } from "../check-auth.ts";
import { type LinkSettings, linkVariables } from "../link-variables.ts";
import { type ClientTls, createClientCertificate, openClientTls } from "./client-certificate.ts";
import { createEntraToken, createGoogleIdToken } from "./cloud-tokens.ts";
import type { Credentials } from "./credentials.ts";
import { createHmacSigner, createNoCredentials, createStaticBearer } from "./shared-secrets.ts";

/** The paths of secrets that were read from files. */
export type SecretFiles = Readonly<Partial<Record<"EXECUTION_TOKEN" | "EXECUTION_HMAC_SECRET", string>>>;

export interface CredentialsOptions {
  readonly values: AuthSettings & Pick<LinkSettings, "EXECUTION_TOKEN" | "EXECUTION_URL">;
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
  bearer: (options) => createStaticBearer(firstSecretOf("EXECUTION_TOKEN", options)),
  google: ({ values }) =>
    createGoogleIdToken({
      audience: values.EXECUTION_GOOGLE_AUDIENCE ?? new URL(values.EXECUTION_URL).origin,
      metadataHost: values.GCE_METADATA_HOST,
      now,
    }),
  entra: ({ values }) => {
    const { IDENTITY_ENDPOINT: endpoint, IDENTITY_HEADER: header } = values;
    const instanceMetadata = values.AZURE_POD_IDENTITY_AUTHORITY_HOST;
    return createEntraToken({
      scope: values.EXECUTION_ENTRA_SCOPE ?? "",
      clientId: values.AZURE_CLIENT_ID,
      source: endpoint !== undefined && header !== undefined ? { endpoint, header } : { instanceMetadata },
      now,
    });
  },
  hmac: (options) => createHmacSigner({ secret: firstSecretOf("EXECUTION_HMAC_SECRET", options), now }),
  mtls: (_options, tls) => (tls === undefined ? createNoCredentials() : createClientCertificate(tls)),
};

const schemas = {
  EXECUTION_TOKEN: linkVariables.EXECUTION_TOKEN.schema,
  EXECUTION_HMAC_SECRET: authVariables.EXECUTION_HMAC_SECRET.schema,
};

/** Returns the first secret of a variable; a secret from a file follows the file's current content. */
function firstSecretOf(
  name: keyof typeof schemas,
  { values, files, onFileFailure }: CredentialsOptions,
): string | LiveFiles<string> {
  const path = files[name];
  const given = values[name]?.[0] ?? "";
  if (path === undefined) return given;
  const parse = ([text = ""]: readonly string[]): string => {
    const [first] = schemas[name].safeParse(text).data ?? [];
    if (first === undefined) throw new TypeError(`the file of ${name} no longer contains a secret of 32 characters`);
    return first;
  };
  return openLiveFiles({ paths: { [`${name}_FILE`]: path }, parse, first: given, onFailure: onFileFailure });
}

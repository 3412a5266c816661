import {
  type ConfigValues,
  constant,
  filePath,
  groupOf,
  nonEmpty,
  oneOf,
  secret,
  url,
  variable,
} from "@crosszone/service-kit";

/** Where a process gets its own identity from. */
export const identityServices = {
  GCE_METADATA_HOST: constant("metadata.google.internal", "host")`Google's metadata server, the same on every VM.`,
  AZURE_POD_IDENTITY_AUTHORITY_HOST: constant("http://169.254.169.254", "URL")`
    Azure's instance metadata service, the same on every VM. Only used without IDENTITY_ENDPOINT.`,
};

/** The credentials that verification sends to execution, and the certificates that it trusts. */
export const authVariables = {
  ...groupOf("Authenticate to execution", {
    EXECUTION_CREDENTIALS: variable(oneOf(["none", "bearer", "google", "entra", "hmac", "mtls"]).optional())`
      Credentials that verification sends; they must match CALLER_AUTH of execution. If unset: bearer with
      EXECUTION_TOKEN, otherwise none.`,
    EXECUTION_AUDIENCE: variable(nonEmpty("an audience").optional(), {
      example: "api://00000000-0000-0000-0000-000000000000/.default",
    })`
      Whom a token of google or entra is for. google: the audience; if unset, the origin of EXECUTION_URL. entra: the
      scope, which ends with /.default.`,
    AZURE_CLIENT_ID: variable(nonEmpty("a client id").optional())`
      Client ID of a user-assigned managed identity. If unset, verification uses the system-assigned identity.`,
    IDENTITY_ENDPOINT: variable(url().optional())`
      URL of the managed identity service. Azure App Service and Container Apps set it.`,
    IDENTITY_HEADER: variable(secret(1).optional(), { secret: true })`
      Secret for IDENTITY_ENDPOINT. Azure App Service and Container Apps set it.`,
    EXECUTION_CA_FILE: variable(filePath().optional(), { example: "/etc/crosszone/ca.crt" })`
      PEM file of the authority that signed execution's certificate. It replaces the public authorities. Verification
      rereads it on a change.`,
    EXECUTION_CLIENT_CERT_FILE: variable(filePath().optional(), { example: "/etc/crosszone/tls.crt" })`
      PEM file of the client certificate and its chain, for EXECUTION_CREDENTIALS=mtls. Verification rereads it on a
      change.`,
    EXECUTION_CLIENT_KEY_FILE: variable(filePath().optional(), { example: "/etc/crosszone/tls.key" })`
      PEM file of the private key of EXECUTION_CLIENT_CERT_FILE.`,
  }),
  ...identityServices,
};

export type AuthSettings = ConfigValues<typeof authVariables>;

export type AuthKind = NonNullable<AuthSettings["EXECUTION_CREDENTIALS"]>;

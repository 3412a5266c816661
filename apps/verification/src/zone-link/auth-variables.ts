import { constant, defineConfig, list, secret, url, type ConfigValues } from "@crosszone/service-kit";
import { z } from "zod";

const group = "Authenticate to execution";
const file = (): z.ZodOptional<z.ZodString> => z.string().min(1).optional().describe("the path of a file");

/** The credentials that verification sends to execution, and the certificates that it trusts. */
export const authVariables = defineConfig({
  EXECUTION_CREDENTIALS: {
    schema: z
      .enum(["none", "bearer", "google", "entra", "hmac", "mtls"])
      .describe("none, bearer, google, entra, hmac or mtls")
      .optional(),
    description:
      "Credentials that verification sends; they must match CALLER_AUTH of execution. If unset: bearer with EXECUTION_TOKEN, otherwise none.",
    group,
    formerly: "EXECUTION_AUTH",
  },
  EXECUTION_HMAC_SECRET: {
    schema: list(secret(32)).optional(),
    secret: true,
    description:
      "Secret that signs each request; the same value as in execution. Verification uses the first of several.",
    group,
  },
  EXECUTION_GOOGLE_AUDIENCE: {
    schema: url().optional(),
    description: "Audience of the Google ID token. If unset, it is the origin of EXECUTION_URL.",
    example: "https://execution-abc123-ew.a.run.app",
    group,
  },
  EXECUTION_ENTRA_SCOPE: {
    schema: z.string().min(1).optional().describe("a scope that ends with /.default"),
    description: "Scope of the Microsoft Entra token. Required with EXECUTION_CREDENTIALS=entra.",
    example: "api://00000000-0000-0000-0000-000000000000/.default",
    group,
  },
  AZURE_CLIENT_ID: {
    schema: z.string().min(1).optional().describe("a client id"),
    description:
      "Client ID of a user-assigned managed identity. If unset, verification uses the system-assigned identity.",
    group,
  },
  IDENTITY_ENDPOINT: {
    schema: url().optional(),
    description: "URL of the managed identity service. Azure App Service and Container Apps set it.",
    group,
  },
  IDENTITY_HEADER: {
    schema: secret(1).optional(),
    secret: true,
    description: "Secret for IDENTITY_ENDPOINT. Azure App Service and Container Apps set it.",
    group,
  },
  EXECUTION_CA_FILE: {
    schema: file(),
    description:
      "PEM file of the authority that signed execution's certificate. It replaces the public authorities. Verification rereads it on a change.",
    example: "/etc/crosszone/ca.crt",
    group,
    formerly: "EXECUTION_TLS_CA_FILE",
  },
  EXECUTION_CLIENT_CERT_FILE: {
    schema: file(),
    description:
      "PEM file of the client certificate and its chain, for EXECUTION_CREDENTIALS=mtls. Verification rereads it on a change.",
    example: "/etc/crosszone/tls.crt",
    group,
    formerly: "EXECUTION_TLS_CERT_FILE",
  },
  EXECUTION_CLIENT_KEY_FILE: {
    schema: file(),
    description: "PEM file of the private key of EXECUTION_CLIENT_CERT_FILE.",
    example: "/etc/crosszone/tls.key",
    group,
    formerly: "EXECUTION_TLS_KEY_FILE",
  },
  EXECUTION_CLIENT_KEY_PASSPHRASE: {
    schema: secret(1).optional(),
    secret: true,
    description: "Passphrase of EXECUTION_CLIENT_KEY_FILE, if it has one.",
    group,
    formerly: "EXECUTION_TLS_KEY_PASSPHRASE",
  },
  GCE_METADATA_HOST: constant("metadata.google.internal", "host", "Google's metadata server, the same on every VM."),
  AZURE_POD_IDENTITY_AUTHORITY_HOST: constant(
    "http://169.254.169.254",
    "URL",
    "Azure's instance metadata service, the same on every VM. Only used without IDENTITY_ENDPOINT.",
  ),
});

export type AuthSettings = ConfigValues<typeof authVariables>;

export type AuthKind = NonNullable<AuthSettings["EXECUTION_CREDENTIALS"]>;

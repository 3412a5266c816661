import { defineConfig, list, secret, url } from "@crosszone/service-kit";
import { z } from "zod";

const group = "Proof to the execution zone";
const file = (): z.ZodOptional<z.ZodString> => z.string().min(1).optional().describe("the path of a file");

/** How this zone proves to the execution zone who it is, and which certificates it trusts. */
export const executionAuthVariables = defineConfig({
  EXECUTION_CREDENTIALS: {
    schema: z
      .enum(["none", "bearer", "google", "entra", "hmac", "mtls"])
      .describe("none, bearer, google, entra, hmac or mtls")
      .optional(),
    description:
      "How this zone proves who it is. When it is not set: bearer with EXECUTION_TOKEN, else none, which is for this machine only.",
    group,
    formerly: "EXECUTION_AUTH",
  },
  EXECUTION_HMAC_SECRET: {
    schema: list(secret(32)).optional(),
    secret: true,
    description: "Secret that requests are signed with; of several, the first.",
    group,
  },
  EXECUTION_GOOGLE_AUDIENCE: {
    schema: url().optional(),
    description: "Audience of Google ID tokens. When it is not set: scheme and host of EXECUTION_URL.",
    example: "https://execution-abc123-ew.a.run.app",
    group,
  },
  EXECUTION_ENTRA_SCOPE: {
    schema: z.string().min(1).optional().describe("a scope that ends with /.default"),
    description: "What Microsoft Entra tokens are for.",
    example: "api://00000000-0000-0000-0000-000000000000/.default",
    group,
  },
  AZURE_CLIENT_ID: {
    schema: z.string().min(1).optional().describe("a client id"),
    description: "Client id of a user-assigned managed identity. When it is not set: the system-assigned one.",
    group,
  },
  IDENTITY_ENDPOINT: {
    schema: url().optional(),
    description: "Where managed identity answers; App Service and Container Apps set it themselves.",
    group,
  },
  IDENTITY_HEADER: {
    schema: secret(1).optional(),
    secret: true,
    description: "What IDENTITY_ENDPOINT wants to be told; set together with it.",
    group,
  },
  EXECUTION_CA_FILE: {
    schema: file(),
    description:
      "Authority that is trusted for the execution zone, PEM; instead of the public ones. Read again when it changes.",
    example: "/etc/crosszone/ca.crt",
    group,
    formerly: "EXECUTION_TLS_CA_FILE",
  },
  EXECUTION_CLIENT_CERT_FILE: {
    schema: file(),
    description: "Client certificate and its chain, PEM, for EXECUTION_CREDENTIALS=mtls. Read again when it changes.",
    example: "/etc/crosszone/tls.crt",
    group,
    formerly: "EXECUTION_TLS_CERT_FILE",
  },
  EXECUTION_CLIENT_KEY_FILE: {
    schema: file(),
    description: "Private key of EXECUTION_CLIENT_CERT_FILE, PEM.",
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
});

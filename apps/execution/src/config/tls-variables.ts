import { defineConfig, list, secret } from "@crosszone/service-kit";
import { z } from "zod";

const file = (): z.ZodOptional<z.ZodString> => z.string().min(1).optional().describe("the path of a file");
/** How the zone serves HTTPS without a proxy. */
export const tlsVariables = defineConfig({
  TLS_CERT_FILE: {
    schema: file(),
    description:
      "PEM file of the server certificate and its chain. With it, the zone serves HTTPS only. It rereads the file on a change.",
    example: "/etc/crosszone/tls.crt",
    group: "Serve HTTPS",
  },
  TLS_KEY_FILE: {
    schema: file(),
    description: "PEM file of the private key of TLS_CERT_FILE.",
    example: "/etc/crosszone/tls.key",
    group: "Serve HTTPS",
  },
  TLS_KEY_PASSPHRASE: {
    schema: secret(1).optional(),
    secret: true,
    description: "Passphrase of TLS_KEY_FILE, if it has one.",
    group: "Serve HTTPS",
  },
  CALLER_TLS_CA_FILE: {
    schema: file(),
    description: "PEM file of the authority that signed client certificates, for CALLER_AUTH=mtls.",
    example: "/etc/crosszone/ca.crt",
    group: "Authenticate callers",
    formerly: "TLS_CA_FILE",
  },
  CALLER_TLS_ALLOWED: {
    schema: list(
      z
        .string()
        .regex(/^(CN=|(DNS|URI|email|IP Address):)./)
        .describe("CN=…, DNS:…, URI:…, email:… or IP Address:…"),
    ).optional(),
    description: "Names in client certificates that execution accepts, for CALLER_AUTH=mtls.",
    example: "CN=verification,URI:spiffe://example.com/verification",
    group: "Authenticate callers",
    formerly: "TLS_CLIENTS",
  },
});

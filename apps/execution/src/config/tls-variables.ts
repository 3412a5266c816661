import { defineConfig, list, secret } from "@crosszone/service-kit";
import { z } from "zod";

const file = (): z.ZodOptional<z.ZodString> => z.string().min(1).optional().describe("the path of a file");
const group = "TLS";

/** How the zone serves HTTPS itself, where no proxy does it. */
export const tlsVariables = defineConfig({
  TLS_CERT_FILE: {
    schema: file(),
    description:
      "Certificate of this zone and its chain, PEM. With it the zone serves HTTPS only. Read again when it changes.",
    example: "/etc/crosszone/tls.crt",
    group,
  },
  TLS_KEY_FILE: {
    schema: file(),
    description: "Private key of TLS_CERT_FILE, PEM.",
    example: "/etc/crosszone/tls.key",
    group,
  },
  TLS_KEY_PASSPHRASE: {
    schema: secret(1).optional(),
    secret: true,
    description: "Passphrase of TLS_KEY_FILE, if it has one.",
    group,
  },
  CALLER_TLS_CA_FILE: {
    schema: file(),
    description: "Authority whose client certificates are good, PEM. For CALLER_AUTH=mtls.",
    example: "/etc/crosszone/ca.crt",
    group,
    formerly: "TLS_CA_FILE",
  },
  CALLER_TLS_ALLOWED: {
    schema: list(
      z
        .string()
        .regex(/^(CN=|(DNS|URI|email|IP Address):)./)
        .describe("CN=…, DNS:…, URI:…, email:… or IP Address:…"),
    ).optional(),
    description: "Names in client certificates that may ask, with commas. For CALLER_AUTH=mtls.",
    example: "CN=verification,URI:spiffe://example.com/verification",
    group,
    formerly: "TLS_CLIENTS",
  },
});

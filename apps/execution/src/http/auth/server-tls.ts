import { createSecureContext } from "node:tls";
import { openLiveFiles, type ServerTls, type TlsMaterial } from "@crosszone/service-kit";
import type { ExecutionConfig } from "../../config.ts";
import { authKindOf } from "../../config/check-security.ts";

/**
 * Returns the certificate and key for HTTPS, from files that can be replaced at any time; undefined when the zone
 * serves HTTP.
 */
export function serverTls(config: ExecutionConfig, onFileFailure: (error: unknown) => void): ServerTls | undefined {
  const { TLS_CERT_FILE: cert, TLS_KEY_FILE: key, CALLER_TLS_CA_FILE: ca, TLS_KEY_PASSPHRASE: passphrase } = config;
  if (cert === undefined || key === undefined) return undefined;
  const parse = ([certText = "", keyText = "", caText]: readonly string[]): TlsMaterial => {
    const material = { cert: certText, key: keyText, ca: caText, passphrase };
    // Throws unless certificate and key match. During a replacement one file may be newer than the other.
    createSecureContext(material);
    return material;
  };
  const paths = { TLS_CERT_FILE: cert, TLS_KEY_FILE: key, ...(ca !== undefined && { CALLER_TLS_CA_FILE: ca }) };
  const files = openLiveFiles({ paths, parse, onFailure: onFileFailure });
  return { material: files.current, askClients: authKindOf(config) === "mtls" };
}

import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } from "@peculiar/x509";

/** A certificate with its key, PEM. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const dayMs = 86_400_000;

/** A certificate that nobody but itself vouches for, for the names of this machine or another one, made for this test only. */
export async function createTestCertificate({
  days = 365,
  host,
}: {
  /** When it ends, from now; below zero it has ended. */
  readonly days?: number;
  readonly host?: string;
}): Promise<TestCertificate> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const names = [
    { type: "dns" as const, value: host ?? "localhost" },
    ...(host ? [] : [{ type: "ip" as const, value: "127.0.0.1" }]),
  ];
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: "CN=Crosszone test",
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - 400 * dayMs),
    notAfter: new Date(Date.now() + days * dayMs),
    extensions: [new BasicConstraintsExtension(true, undefined, true), new SubjectAlternativeNameExtension(names)],
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  return { cert: certificate.toString("pem"), key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n` };
}

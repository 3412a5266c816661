import "reflect-metadata";
import {
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type JsonGeneralName,
} from "@peculiar/x509";

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** The subject, as in `CN=verification`. */
  readonly subject: string;
  readonly names?: readonly JsonGeneralName[];
  /** Default: an hour ago, and in an hour. */
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

export type PrivateCa = Awaited<ReturnType<typeof createPrivateCa>>;

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const hourMs = 3_600_000;

/** A certificate authority of a test's own, as an operator would have a private one. */
export async function createPrivateCa(name = "CN=Test authority") {
  cryptoProvider.set(crypto);
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const period = (options: Partial<CertificateOptions>): { notBefore: Date; notAfter: Date } => ({
    notBefore: options.notBefore ?? new Date(Date.now() - hourMs),
    notAfter: options.notAfter ?? new Date(Date.now() + hourMs),
  });
  const root = await X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    signingAlgorithm: algorithm,
    ...period({}),
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  return {
    /** The authority's own certificate, PEM. */
    ca: root.toString("pem"),
    /** Makes a certificate that is good for servers and clients. */
    issue: async (options: CertificateOptions): Promise<Certificate> => {
      const own = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
      const issued = await X509CertificateGenerator.create({
        subject: options.subject,
        issuer: root.subject,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        ...period(options),
        extensions: [
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
          new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
          new SubjectAlternativeNameExtension([...(options.names ?? loopback)]),
        ],
      });
      const key = await crypto.subtle.exportKey("pkcs8", own.privateKey);
      return { cert: issued.toString("pem"), key: PemConverter.encode(key, "PRIVATE KEY") };
    },
  };
}

const loopback: readonly JsonGeneralName[] = [
  { type: "dns", value: "localhost" },
  { type: "ip", value: "127.0.0.1" },
];

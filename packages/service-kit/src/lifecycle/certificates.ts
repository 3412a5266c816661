import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { ProcessEvent } from "@crosszone/telemetry";
import type { Emit } from "../metrics/emit.ts";
import { createGauge, type MetricsRegistry } from "../metrics/instruments.ts";

/** What is wrong with a certificate, by the codes of OpenSSL and Node. The first matching row applies. */
const problems: readonly (readonly [RegExp, string])[] = [
  [/ALERT_CERTIFICATE_EXPIRED/, "it refuses the certificate of this side, which has expired"],
  [/ALERT_UNKNOWN_CA/, "it does not know the authority of this side's certificate"],
  [/ALERT_(BAD_CERTIFICATE|CERTIFICATE|NO_CERTIFICATE|UNSUPPORTED_CERT)/, "it refuses the certificate of this side"],
  [/^CERT_HAS_EXPIRED$/, "its certificate has expired"],
  [/^CERT_NOT_YET_VALID$/, "its certificate is not valid yet"],
  [/ALTNAME_INVALID$|^HOSTNAME_MISMATCH$/, "its certificate is for another host name"],
  [
    /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE)/,
    "the authority of its certificate is unknown here",
  ],
];

/** Returns why TLS refused a certificate, as a clause about the other side; undefined if it is not about that. Reads the causes too. */
export function certificateProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  const found = typeof code === "string" ? problems.find(([form]) => form.test(code)) : undefined;
  return found?.[1] ?? certificateProblem(error.cause);
}

/** The files of certificates that a process uses, PEM, by the variable that names each. */
type CertificateFiles = Readonly<Record<string, string | undefined>>;

const dayMs = 86_400_000;
/** From when on a certificate is logged, and as an error, milliseconds before its end. */
const [soonMs, urgentMs] = [30 * dayMs, 14 * dayMs];

const pem = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * Returns when a file's certificates end, Unix milliseconds: the first of a chain, the last of authorities, of which old ones may have ended.
 * Undefined without one, and for a file that can't be read: its reader reports that.
 */
function endOf(name: string, path: string): number | undefined {
  try {
    const found = statSync(path).isFile() ? (readFileSync(path, "utf8").match(pem) ?? []) : [];
    const ends = found.map((one) => new X509Certificate(one).validToDate.getTime());
    return ends.length === 0 ? undefined : (name.endsWith("_CA_FILE") ? Math.max : Math.min)(...ends);
  } catch {
    return undefined;
  }
}

/** Measures how long certificates are still valid, and logs once a day those that end soon, while the process runs. */
export function watchCertificates(
  files: CertificateFiles,
  {
    registry,
    emit,
    everyMs = dayMs,
  }: { readonly registry: MetricsRegistry; readonly emit: Emit<ProcessEvent>; readonly everyMs?: number },
): void {
  const left = (): { readonly certificate: string; readonly ms: number }[] =>
    Object.entries(files).flatMap(([certificate, path]) => {
      const end = path === undefined ? undefined : endOf(certificate, path);
      return end === undefined ? [] : [{ certificate, ms: end - Date.now() }];
    });
  createGauge(registry, "certificate_seconds_left", {
    labels: { certificate: () => true },
    read: () => left().map(({ certificate, ms }) => ({ labels: { certificate }, value: ms / 1_000 })),
  });
  const look = (): void => {
    for (const { certificate, ms } of left())
      if (ms < soonMs)
        emit("certificate_ends", { certificate, days_left: Math.floor(ms / dayMs), is_urgent: ms < urgentMs });
  };
  look();
  setInterval(look, everyMs).unref();
}

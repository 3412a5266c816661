import type { X509Certificate } from "node:crypto";

/**
 * Returns the names in a certificate in the operator's notation: `CN=verification` of the subject, and `DNS:…`,
 * `URI:…`, `email:…` or `IP Address:…` of the subject's alternative names. Node quotes ambiguous names. Text that can't
 * be parsed completely yields no alternative names. https://nodejs.org/api/crypto.html#x509subjectaltname
 */
export function certificateNames({ subject, subjectAltName }: Pick<X509Certificate, "subject" | "subjectAltName">) {
  const common = (subject ?? "").split("\n").filter((line) => line.startsWith("CN="));
  return [...common, ...alternativeNames(subjectAltName ?? "")];
}

function alternativeNames(text: string): string[] {
  const names: string[] = [];
  const entry = /(?:^|, )([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^",]*)/gy;
  let end = 0;
  for (const [all, type = "", name = ""] of text.matchAll(entry)) {
    end += all.length;
    names.push(`${type}:${name.startsWith('"') ? (JSON.parse(name) as string) : name}`);
  }
  return end === text.length ? names : [];
}

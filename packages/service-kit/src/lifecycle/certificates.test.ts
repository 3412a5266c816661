import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPrivateCa } from "@crosszone/testkit";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test, vi } from "vitest";
import { createMetrics } from "../metrics/registry.ts";
import { certificateProblem, watchCertificates } from "./certificates.ts";

const dayMs = 86_400_000;
const authority = await createPrivateCa();
const issueIn = async (folder: string, name: string, leftMs: number): Promise<string> => {
  const path = join(folder, name);
  const { cert } = await authority.issue({ subject: "CN=zone", notAfter: new Date(Date.now() + leftMs) });
  writeFileSync(path, cert + authority.ca);
  return path;
};

test("O24: a certificate that ends soon is measured, and logged once a day until its file is renewed", async () => {
  const folder = tempFolder();
  const issue = (name: string, leftMs: number) => issueIn(folder, name, leftMs);
  const [late, ended] = [await issue("late", 20 * dayMs), await issue("ended", -1_000)];
  // Of authorities, an old one may have ended.
  const files = {
    TLS_CERT_FILE: await issue("chain", 2_000),
    CALLER_TLS_CA_FILE: ended,
    LATE_FILE: late,
    NONE: undefined,
  };
  const { registry, render } = createMetrics();
  const emit = vi.fn<(event: string, fields?: unknown) => void>();
  vi.useFakeTimers({ toFake: ["setInterval"] });
  watchCertificates({ ...files, GONE_FILE: join(folder, "gone") }, { registry, emit });
  const told = () => emit.mock.calls.splice(0).map(([, fields]) => fields);
  const urgent = { certificate: "TLS_CERT_FILE", days_left: 0, is_urgent: true };
  const authorities = { certificate: "CALLER_TLS_CA_FILE", days_left: 0, is_urgent: true };
  expect(told()).toMatchObject([urgent, authorities, { certificate: "LATE_FILE" }]);
  const { body } = await render();
  const seconds = Number(/certificate_seconds_left\{certificate="TLS_CERT_FILE"\} (\S+)/.exec(body)?.[1]);
  expect(seconds).toBeLessThan(2);
  expect(body).not.toContain("GONE_FILE");
  await issue("chain", 100 * dayMs);
  vi.advanceTimersByTime(dayMs);
  // The authority in the chain's file ends in an hour.
  expect(told()).toMatchObject([urgent, authorities, { certificate: "LATE_FILE" }]);
  vi.useRealTimers();
});

test.each([
  ["CERT_HAS_EXPIRED", "its certificate has expired"],
  ["CERT_NOT_YET_VALID", "its certificate is not valid yet"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another host name"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "the authority of its certificate is unknown here"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "the authority of its certificate is unknown here"],
  ["ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED", "it refuses the certificate of this side, which has expired"],
  ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", "it does not know the authority of this side's certificate"],
  ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "it refuses the certificate of this side"],
  ["ECONNREFUSED", undefined],
])("O24: %s, within another error: %s", (code, problem) => {
  const cause = Object.assign(new Error("refused"), { code });
  expect(certificateProblem(new TypeError("fetch failed", { cause }))).toBe(problem);
});

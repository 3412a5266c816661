import { expect, test } from "vitest";
import { describeProbe, describeProbeError } from "./describe-probe.ts";
import { ProbeError, type ProbeStep } from "./probe.ts";

const peer = { url: "https://peer.example.com/rpc", variable: "PEER_URL", whenDown: "Start the peer" };
const validTo = new Date("2030-01-31T00:00:00Z");
const receivedAt = Date.UTC(2029, 0, 1);

test.each([
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "it is self-signed"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "its certificate authority is unknown here"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "it is for another host name"],
  ["CERT_NOT_YET_VALID", "it is not valid yet"],
  ["CERT_HAS_EXPIRED", "it expired on 2030-01-31"],
  ["SOMETHING_NEW", "SOMETHING_NEW"],
])("a certificate that is refused with %s: %s", (untrusted, words) => {
  const reached = {
    address: "192.0.2.1:443",
    certificate: { untrusted, validTo, protocol: "TLSv1.3" },
    sentAt: 0,
    receivedAt,
  };
  const { status, says, todo } = describeProbe(reached, peer);
  expect([status, says]).toEqual(["failed", `192.0.2.1:443 has a certificate that is not trusted: ${words}`]);
  expect(todo).toHaveLength(1);
});

test("for a certificate of an unknown authority, the peer's own variable for its file is named, else Node's", () => {
  const certificate = { untrusted: "SELF_SIGNED_CERT_IN_CHAIN", validTo, protocol: "TLSv1.3" };
  const reached = { address: "192.0.2.1:443", certificate, sentAt: 0, receivedAt };
  expect(describeProbe(reached, { ...peer, authorityVariable: "PEER_CA_FILE" }).todo).toEqual([
    "Set PEER_CA_FILE to the file of its certificate authority. Never turn verification off.",
  ]);
  expect(describeProbe(reached, peer).todo[0]).toContain("NODE_EXTRA_CA_CERTS");
});

test.each<[ProbeStep, string, RegExp]>([
  ["dns", "ENOTFOUND", /peer\.example\.com cannot be resolved.*PEER_URL/],
  ["tcp", "ECONNREFUSED", /connection to peer\.example\.com.*Start the peer/],
  ["tcp", "EHOSTUNREACH", /no connection.*firewalls/],
  ["tls", "EPROTO", /TLS handshake with .* failed.*http:/],
  ["http", "TIMEOUT", /does not respond \(TIMEOUT\).*port/],
])("%s, %s has an explanation", (step, code, words) => {
  const { status, says, todo } = describeProbeError(new ProbeError(step, code), peer);
  expect(status).toBe("failed");
  expect([says, ...todo].join(" ")).toMatch(words);
});

import type { RequestListener } from "node:http";
import type { HandleMessage } from "@crosszone/jsonrpc";
import { type Finding, reachableRow } from "@crosszone/ops/doctor";
import { createPrivateCa, type CertificateOptions } from "@crosszone/testkit";
import { tempFile } from "@crosszone/testkit/temporary";
import { describe, expect, onTestFinished, test } from "vitest";
import { startRoute } from "../harness/connect-https.ts";
import { advice, consultAboutLink, linkToken, startPeer } from "../harness/consult-doctor.ts";
import { startExecution } from "../harness/start-execution.ts";

async function execution(): Promise<string> {
  const zone = await startExecution({ token: linkToken, log: [] });
  onTestFinished(() => zone.stop());
  return zone.url;
}

describe("certificates", () => {
  const never: RequestListener = () => expect.unreachable("nothing is asked of a peer that is not trusted");

  test("one of an unknown authority is not trusted, and nothing is requested", async () => {
    const url = await startPeer(never, await (await createPrivateCa()).issue({ subject: "CN=peer" }));
    const found = await consultAboutLink(`${url}/rpc`);
    expect(found["execution reachable"]).toMatchObject({ status: "failed" });
    expect(advice(found["execution reachable"])).toMatch(
      /its certificate authority is unknown here.*EXECUTION_CA_FILE/,
    );
    expect(found["execution answers"]).toMatchObject({ status: "skipped" });
  });

  /** Returns the check of a server whose authority is trusted. */
  async function reaching(options: Partial<CertificateOptions>, ask = never): Promise<Finding> {
    const authority = await createPrivateCa();
    const certificate = await authority.issue({ subject: "CN=peer", ...options });
    const peer = { url: await startPeer(ask, certificate), variable: "EXECUTION_URL", whenDown: "Start it" };
    const { row } = reachableRow({ name: "peer" }, () => ({ ...peer, tls: { ca: authority.ca } }));
    return row.probe(new AbortController().signal);
  }
  const inDays = (days: number): { notBefore: Date; notAfter: Date } => ({
    notBefore: new Date(Date.now() - 400 * 86_400_000),
    notAfter: new Date(Date.now() + days * 86_400_000),
  });
  const answer: RequestListener = (_request, response) => void response.end("{}");

  test("an expired one says when it expired, one for another name says so, and nothing is requested", async () => {
    expect(await reaching(inDays(-3))).toMatchObject({ status: "failed", todo: ["Renew the certificate."] });
    expect((await reaching(inDays(-3))).says).toMatch(/not trusted: it has expired$/);
    expect(await reaching({ names: [{ type: "dns", value: "elsewhere.example.com" }] })).toMatchObject({
      status: "failed",
    });
    expect((await reaching({ names: [{ type: "dns", value: "elsewhere.example.com" }] })).says).toContain(
      "it is for another host name",
    );
  });

  test("one that expires soon is a warning, another one passes", async () => {
    expect(await reaching(inDays(10), answer)).toMatchObject({ status: "warned" });
    expect(await reaching(inDays(200), answer)).toMatchObject({ status: "passed" });
    expect((await reaching(inDays(200), answer)).says).toMatch(
      /answers over TLSv1\.3 in \d+ ms; its certificate is valid until/,
    );
  });

  test("plain HTTP to a TLS port, and TLS to a plain port", async () => {
    const plain = await execution();
    const found = await consultAboutLink(`${plain.replace("http:", "https:")}/rpc`);
    expect(advice(found["execution reachable"])).toMatch(
      /the TLS handshake with .* failed.*Check EXECUTION_URL: http:/,
    );
  });
});

describe("with every kind of caller authentication", () => {
  const secret = "a-shared-secret-0123456789-abcdefghij";
  const answering: HandleMessage = async (message) => {
    const { id } = JSON.parse(Buffer.from(message).toString()) as { id: string };
    return JSON.stringify({ jsonrpc: "2.0", id, result: { agents: [] } });
  };
  async function route(env: Record<string, string>): Promise<string> {
    const started = await startRoute(answering, env);
    onTestFinished(() => started.stop());
    return started.url;
  }
  test("hmac: the same secret passes; another one says what to compare", async () => {
    const url = await route({ CALLER_AUTH: "hmac", EXECUTION_TOKEN: secret });
    const env = { EXECUTION_CREDENTIALS: "hmac", EXECUTION_TOKEN: secret };
    const right = await consultAboutLink(url, env);
    expect(right["execution proof"]).toMatchObject({ status: "passed", says: "EXECUTION_CREDENTIALS is hmac" });
    expect(right["execution locked"]).toMatchObject({ status: "passed" });
    expect(right["execution answers"]?.says).toContain("it accepts this zone");
    const wrong = await consultAboutLink(url, { ...env, EXECUTION_TOKEN: `${secret}-other` });
    expect(advice(wrong["execution answers"])).toMatch(/unauthorized.*EXECUTION_TOKEN.*http_refused/);
  });

  test("mtls: the authority and the certificates come from files; without them, every problem is reported", async () => {
    const authority = await createPrivateCa();
    const [server, client] = [await authority.issue({ subject: "CN=e" }), await authority.issue({ subject: "CN=v" })];
    const ca = tempFile("ca.crt", authority.ca);
    const url = await route({
      CALLER_AUTH: "mtls",
      TLS_CERT_FILE: tempFile("tls.crt", server.cert),
      TLS_KEY_FILE: tempFile("tls.key", server.key),
      CALLER_TLS_CA_FILE: ca,
      CALLER_ALLOWED: "CN=v",
    });
    const env = {
      EXECUTION_CREDENTIALS: "mtls",
      EXECUTION_TOKEN: "",
      EXECUTION_CA_FILE: ca,
      EXECUTION_CLIENT_CERT_FILE: tempFile("tls.crt", client.cert),
      EXECUTION_CLIENT_KEY_FILE: tempFile("tls.key", client.key),
    };
    const right = await consultAboutLink(url, env);
    expect(right["execution proof"]).toMatchObject({ status: "warned" });
    expect(advice(right["execution proof"])).toContain("EXECUTION_CLIENT_CERT_FILE expires on");
    for (const name of ["execution reachable", "execution locked"])
      expect(right[name]).toMatchObject({ name, status: expect.stringMatching(/passed|warned/) });
    expect(right["execution answers"]?.says).toContain("it accepts this zone");

    const mixed = await consultAboutLink(url, { ...env, EXECUTION_CLIENT_KEY_FILE: tempFile("tls.key", server.key) });
    expect(mixed["execution proof"]).toMatchObject({ status: "failed", says: "the zone can't start" });
    const missing = await consultAboutLink(url, { ...env, EXECUTION_CA_FILE: "/nowhere/ca.crt" });
    expect(advice(missing["execution proof"])).toContain("EXECUTION_CA_FILE names a file that cannot be read (ENOENT)");
    expect(missing["execution reachable"]).toMatchObject({ status: "skipped" });
  });
});

// suite: rest
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect as connectTcp } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { close, createHttpServer, listen } from "@crosszone/service-kit";
import type { Certificate, CertificateOptions } from "@crosszone/testkit";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  accepted,
  openLink,
  postTo,
  refusedBy,
  startAnswering,
  type Posted,
  type Route,
} from "../harness/connect-https.ts";
import { certificateFiles, startTestClouds } from "../harness/test-clouds.ts";

const clouds = await startTestClouds();
const server = await clouds.authority.issue({ subject: "CN=execution" });
const client = await clouds.authority.issue({ subject: "CN=verification, O=Crosszone" });

const hour = 3_600_000;

const start = (variables: Record<string, string> = {}): Promise<Route> =>
  startAnswering({
    CALLER_AUTH: "mtls",
    CALLER_TLS_CA_FILE: clouds.file("ca.crt", clouds.authority.ca),
    CALLER_ALLOWED: "CN=verification",
    ...certificateFiles(clouds, "TLS", server),
    ...variables,
  });
const send = (route: Route, certificate?: Partial<Certificate>): Promise<Posted> =>
  postTo(route, { connect: { ca: clouds.authority.ca, ...certificate } });

const refusedFor = refusedBy("Mutual-TLS");

describe("a client certificate is refused that is", () => {
  const wrong: [what: string, reason: string, make: () => Promise<Certificate>][] = [
    [
      "of another authority",
      "certificate_untrusted",
      () => clouds.otherAuthority.issue({ subject: "CN=verification" }),
    ],
    ["expired", "certificate_expired", () => issue(-2 * hour, -hour)],
    ["not yet valid", "certificate_not_yet_valid", () => issue(hour, 2 * hour)],
    ["of another name", "caller_not_allowed", () => clouds.authority.issue({ subject: "CN=verification2" })],
    [
      "of that name, but as another kind of name",
      "caller_not_allowed",
      () => clouds.authority.issue({ subject: "O=verification" }),
    ],
  ];
  const issue = (from: number, to: number): Promise<Certificate> =>
    clouds.authority.issue({
      subject: "CN=verification",
      notBefore: new Date(Date.now() + from),
      notAfter: new Date(Date.now() + to),
    });

  test.each(wrong)("%s: %s", async (_what, reason, make) => {
    const route = await start();
    expect(await send(route, await make())).toEqual(refusedFor(reason));
    expect(await send(route, client)).toEqual(accepted);
  });

  test("missing: the answer says what to send", async () => {
    const message = "connect with a client certificate of the zone's authority";
    const reason = "credentials_missing";
    expect(await send(await start())).toEqual({ status: 401, challenge: "Mutual-TLS", message, reason });
  });

  test("expired meanwhile, on a connection that began in time", async () => {
    const route = await start();
    const brief = await clouds.authority.issue({ subject: "CN=verification", notAfter: new Date(Date.now() + 3_000) });
    const url = new URL(route.url);
    const socket = connectTls({ host: url.hostname, port: Number(url.port), ca: clouds.authority.ca, ...brief });
    onTestFinished(() => void socket.destroy());
    const ask = async (): Promise<string> => {
      socket.write("POST /rpc HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
      return String((await once(socket, "data"))[0]);
    };
    expect(await ask()).toMatch(/^HTTP\/1\.1 200 /);
    await delay(4_000);
    expect(await ask()).toMatch(/^HTTP\/1\.1 401 /);
    expect(route.refusals.map(({ reason }) => reason)).toEqual(["certificate_expired"]);
  });
});

test("a client may be allowed by a subject alternative name, but not by a part of it", async () => {
  const route = await start({ CALLER_ALLOWED: "URI:spiffe://example.com/verification" });
  const named = (value: string): Promise<Certificate> =>
    clouds.authority.issue({ subject: "CN=x", names: [{ type: "url", value }] });
  expect(await send(route, await named("spiffe://example.com/verification"))).toEqual(accepted);
  const tricks = [
    "spiffe://example.com/x, URI:spiffe://example.com/verification, DNS:y",
    "spiffe://example.com/verification/2",
  ];
  for (const trick of tricks) expect(await send(route, await named(trick))).toEqual(refusedFor("caller_not_allowed"));
});

describe("TLS", () => {
  const sendingTo = (url: string, variables: Record<string, string>): Promise<unknown> =>
    openLink(url, variables)().catch((error: unknown) => error);

  test("plain HTTP to a TLS port is cut off, and the port keeps working", async () => {
    const route = await start();
    const { port } = new URL(route.url);
    const error = await sendingTo(`http://127.0.0.1:${port}/rpc`, {});
    expect(error).toMatchObject({ name: "LinkError", kind: "unreachable" });
    expect(await send(route, client)).toEqual(accepted);
  });

  test("a server with a certificate of another authority gets no request", async () => {
    const stranger = await clouds.otherAuthority.issue({ subject: "CN=execution" });
    const route = await start(certificateFiles(clouds, "TLS", stranger));
    const variables = { EXECUTION_TOKEN: "a-token-that-is-long-enough-for-this" };
    const trusting = { ...variables, EXECUTION_CA_FILE: clouds.file("ca.crt", clouds.authority.ca) };
    for (const known of [variables, trusting])
      expect(await sendingTo(route.url, known)).toMatchObject({ name: "LinkError", kind: "unreachable" });
    expect(route.refusals).toEqual([]);
  });

  test("O24: the link says what is wrong with the certificate of execution, also when it ends meanwhile", async () => {
    const trusting = {
      EXECUTION_TOKEN: "a-token-that-is-long-enough-for-this",
      EXECUTION_CA_FILE: clouds.file("ca.crt", clouds.authority.ca),
    };
    const says = async (options: Partial<CertificateOptions>, of = clouds.authority, waitMs = 0): Promise<unknown> => {
      const { url } = await start(
        certificateFiles(clouds, "TLS", await of.issue({ subject: "CN=execution", ...options })),
      );
      await delay(waitMs);
      return sendingTo(url, trusting);
    };
    const untrusted = (why: string) => ({ kind: "unreachable", message: `execution is not trusted: ${why}` });
    const after = (ms: number): Date => new Date(Date.now() + ms);
    expect(await says({ notAfter: after(2_000) }, undefined, 3_000)).toMatchObject(
      untrusted("its certificate has expired"),
    );
    expect(await says({ notBefore: after(hour), notAfter: after(2 * hour) })).toMatchObject(
      untrusted("its certificate is not valid yet"),
    );
    const names = [{ type: "dns", value: "elsewhere.example" }] as const;
    expect(await says({ names })).toMatchObject(untrusted("its certificate is for another host name"));
    expect(await says({}, clouds.otherAuthority)).toMatchObject(
      untrusted("the authority of its certificate is unknown here"),
    );
  });

  test("older than 1.2 is refused", async () => {
    const { hostname, port } = new URL((await start()).url);
    const old = connectTls({
      host: hostname,
      port: Number(port),
      ca: clouds.authority.ca,
      maxVersion: "TLSv1.1",
      minVersion: "TLSv1",
      ciphers: "DEFAULT@SECLEVEL=0",
    });
    await expect(once(old, "secureConnect")).rejects.toThrow(/protocol version/);
  });

  test("an endless handshake is cut; a stop does not wait for idle connections, and counts each busy one once", async () => {
    const busy = Promise.withResolvers<void>();
    const material = { cert: server.cert, key: server.key };
    const listening = createHttpServer(
      ({ url }, response) => (url === "/busy" ? busy.resolve() : void response.end("idle")),
      { headersTimeoutMs: 300, tls: { material: () => material } },
    );
    const { port } = await listen(listening, { host: "127.0.0.1", port: 0 });
    const silent = connectTcp(port, "127.0.0.1");
    await once(silent, "close");
    const ask = (path: string): TLSSocket => {
      const socket = connectTls({ host: "127.0.0.1", port, ca: clouds.authority.ca });
      socket.on("error", () => undefined).write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      return socket;
    };
    const idle = ask("/idle");
    await once(idle, "data");
    ask("/busy");
    await busy.promise;
    const gone = once(idle, "close");
    const closed = close(listening, { deadlineMs: 500 });
    await gone;
    expect(await closed).toEqual({ destroyed: 1 });
  });

  test("S15: certificates of both zones are replaced without a restart", async () => {
    const issueServer = (): Promise<Certificate> => clouds.authority.issue({ subject: "CN=execution" });
    const files = certificateFiles(clouds, "TLS", await issueServer());
    const route = await start(files);
    const own = certificateFiles(clouds, "EXECUTION_CLIENT", await clouds.authority.issue({ subject: "CN=old-name" }));
    const call = openLink(route.url, {
      EXECUTION_CREDENTIALS: "mtls",
      EXECUTION_CA_FILE: clouds.file("ca.crt", clouds.authority.ca),
      ...own,
    });
    expect(await call()).toContain("Unauthorized");
    write(own, "EXECUTION_CLIENT", client);
    expect(await call()).toContain('"result"');

    const { hostname, port } = new URL(route.url);
    const shown = async (): Promise<string> => {
      const socket = connectTls({ host: hostname, port: Number(port), ca: clouds.authority.ca });
      await once(socket, "secureConnect");
      const { serialNumber } = socket.getPeerCertificate();
      socket.destroy();
      return serialNumber;
    };
    const before = await shown();
    write(files, "TLS", await issueServer());
    await expect.poll(shown).not.toBe(before);
    expect(await call()).toContain('"result"');
  });
});

function write(files: Record<string, string>, prefix: string, { cert, key }: Certificate): void {
  writeFileSync(files[`${prefix}_CERT_FILE`] ?? "", cert);
  writeFileSync(files[`${prefix}_KEY_FILE`] ?? "", key);
}

import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { adminToken } from "@crosszone/admin-api/testing";
import type { AuditEvent } from "@crosszone/contracts";
import { freePort, startSignInProvider } from "@crosszone/testkit";
import { tempFile } from "@crosszone/testkit/temporary";
import { onTestFinished } from "vitest";
import { startZone } from "./start-zone.ts";

/** Which roles the groups of the tests have. */
const roles = { viewer: ["viewers"], operator: ["ops"], admin: ["admins"], auditor: ["auditors"] };

/** The people of the provider. */
const people = {
  vera: { name: "Vera Viewer", groups: ["viewers"] },
  olga: {
    name: "Olga Ops",
    groups: ["ops", "readers"],
    "https://slack.com/user_id": "U0OLGA",
    "https://slack.com/team_id": "T0TEAM",
  },
  adam: { name: "Adam Admin", groups: ["admins", "viewers"] },
  aude: { name: "Aude Auditor", groups: ["auditors"] },
  noah: { name: "Noah Nobody", groups: ["guests", "others"] },
  gill: { name: "Gill Groupless" },
  otto: { name: "Otto Overage", hasgroups: true },
};

export type Sub = keyof typeof people;

export type StartedSignIn = Awaited<ReturnType<typeof startSignIn>>;

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The address that it is sent from. */
  readonly localAddress?: string;
  /** Called when the response begins. */
  readonly onOpen?: () => void;
}

/** Sends a request to loopback with any headers, and follows no redirect. */
async function send(address: string, { method = "GET", headers = {}, body, localAddress, onOpen }: Sent = {}) {
  const { hostname, port, pathname, search } = new URL(address);
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  const path = address.includes("#") ? pathname + search : address.slice(new URL(address).origin.length);
  const asked = {
    hostname: hostname.replace("localhost", "127.0.0.1"),
    port,
    path,
    method,
    localAddress,
    agent: false as const,
  };
  const sent = httpRequest({ ...asked, headers: { host: `${hostname}:${port}`, ...headers, ...length } });
  sent.on("error", () => undefined).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  onOpen?.();
  let said = "";
  response.setEncoding("utf8").on("data", (part: string) => (said += part));
  // A stream that is cut has an error.
  await new Promise((resolve) => response.on("error", resolve).once("close", resolve));
  const { statusCode: status = 0, headers: got } = response;
  return { status, location: got.location ?? "", cookies: got["set-cookie"] ?? [], headers: got, body: said };
}

let browsers = 0;

/** A browser with its cookies, on a machine of its own. */
export class TestBrowser {
  readonly jar = new Map<string, string>();
  readonly #localAddress = `127.0.1.${(browsers = (browsers % 250) + 1)}`;
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** The cookies of the zone, or of the provider, whose names differ. */
  cookie(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async ask(address: string, { headers = {}, ...more }: Sent = {}) {
    const url = address.startsWith("/") ? this.#url + address : address;
    const answered = await send(url, {
      localAddress: this.#localAddress,
      ...more,
      headers: { cookie: this.cookie(), ...headers },
    });
    for (const line of answered.cookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") this.jar.delete(name);
      else this.jar.set(name, value);
    }
    return answered;
  }

  /** Does what a page of the console does: sends JSON to its own origin. */
  act(path: string, body: unknown = {}, headers: Readonly<Record<string, string>> = {}) {
    const own = { "sec-fetch-site": "same-origin", origin: this.#url, "content-type": "application/json" };
    return this.ask(path, { method: "POST", body: JSON.stringify(body), headers: { ...own, ...headers } });
  }

  /** Follows redirects until one leads back to the zone, which it returns without opening it. */
  async through(address: string): Promise<string> {
    const { location, status, body } = await this.ask(address);
    if (location === "") throw new Error(`${address} answers ${status}: ${body}`);
    const next = new URL(location, address).href;
    return next.startsWith(this.#url) ? next : this.through(next);
  }

  /** Signs in at the provider. Resolves with the address of the callback. */
  async begin(path = "/auth/login"): Promise<string> {
    return this.through((await this.ask(path)).location);
  }
}

/** Starts a zone that people can sign in to, and the provider. Both end with the test. */
export async function startSignIn(
  database?: string,
  settings: object = {},
  env: Readonly<Record<string, string>> = {},
) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const provider = await startSignInProvider(url);
  onTestFinished(provider.stop);
  Object.assign(provider.people, people);
  const content = { issuer: provider.issuer, client_id: "console", roles, content: ["readers"], ...settings };
  const file = tempFile("console.yaml", JSON.stringify(content));
  const variables = {
    CONSOLE_FILE: file,
    CONSOLE_URL: url,
    CONSOLE_CLIENT_SECRET: provider.clientSecret,
    ADMIN_TOKENS: adminToken,
  };
  const zone = await startZone(undefined, {
    ...(database !== undefined && { database }),
    port,
    env: { ...variables, ...env },
  });
  const browser = (): TestBrowser => new TestBrowser(url);
  return {
    zone,
    url,
    provider,
    send,
    browser,
    variables: { ...variables, ...env },
    /** Changes CONSOLE_FILE. */
    edit: (changed: object) => writeFileSync(file, JSON.stringify({ ...content, ...changed })),
    /** Signs in as a person, in a new browser. */
    as: async (sub: Sub, own = browser()): Promise<TestBrowser> => {
      provider.sub = sub;
      const { status, body } = await own.ask(await own.begin());
      if (status !== 302) throw new Error(`${sub} can't sign in: ${body}`);
      return own;
    },
    /** Returns the rejected acts of the audit log, oldest first. */
    rejections: async (): Promise<AuditEvent[]> => (await zone.acts()).filter(({ outcome }) => outcome === "rejected"),
  };
}

/** Returns what the session says of the person, with the status of the answer. */
export async function sessionOf(browser: TestBrowser): Promise<Record<string, unknown>> {
  const { status, body } = await browser.ask("/api/v1/session");
  return { status, ...(JSON.parse(body) as object) };
}

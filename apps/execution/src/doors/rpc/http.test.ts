import { extname } from "node:path";
import { once } from "node:events";
import { type IncomingMessage, request, type RequestOptions } from "node:http";
import { createBuiltinAgent } from "@crosszone/builtin-agent";
import { type A2AAgentCardV1, isA2AAgentCardV1, problemsOf } from "@crosszone/contracts";
import { createHealth, createMetrics } from "@crosszone/service-kit";
import { serve } from "@crosszone/testkit/temporary";
import { describe, expect, test } from "vitest";
import { agentCardPath, zoneLinkBinding } from "./describe-zone.ts";
import { agentThat, echo, startZone, task, token } from "../../testing/start-zone.ts";
import { createHttpApp, type HttpAppDeps } from "../create-http-app.ts";
import { chooseListening, type HostProfile, type HostProfileName, hostProfiles } from "../host-profile.ts";

const names = Object.keys(hostProfiles) as HostProfileName[];

/** Uses `request`, because `fetch` sets the host itself, and normalizes the path. */
async function ask(url: string, { path = agentCardPath, ...options }: RequestOptions = {}) {
  const sent = request(url, { path, ...options }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return Object.assign(response, { text: Buffer.concat(await response.toArray()).toString() });
}

const urlIn = (text: string) => (JSON.parse(text) as A2AAgentCardV1).supportedInterfaces[0]?.url;

const mediaTypes: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

/** Starts a server with the API and thus the page. */
const startPage = (api: HttpAppDeps["api"] = (_request, response) => void response.writeHead(204).end()) =>
  serve(
    createHttpApp({
      api,
      health: createHealth(),
      metrics: createMetrics(),
      emit: (event, ..._fields) => expect(event).not.toBe("http_failed"),
    }),
  );

describe("http", () => {
  test("Q16: `/` says where things are: a page for a browser, JSON for a program, without data of the zone", async () => {
    const url = await startPage((_request, _response, next) => next());
    const home = await fetch(url, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } });
    expect([home.status, home.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const page = await home.text();
    expect(page).not.toMatch(/<script|<style|style=|\son[a-z]+=/);
    const other = await fetch(url, { headers: { accept: "*/*" } });
    const { links } = (await other.json()) as { readonly links: Readonly<Record<string, string>> };
    expect([other.status, Object.keys(links)]).toEqual([200, ["console", "api", "health", "readiness", "metrics"]]);
    const assets = [...page.matchAll(/<link rel="\w+" href="([^"]+)"/g)].map(([, path = ""]) => path);
    for (const path of [...assets, links["console"], links["health"]])
      expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
    for (const path of Object.values(links)) expect(page).toContain(`href="${path}"`);
    const posted = await fetch(url, { method: "POST" });
    expect([posted.status, await posted.json()]).toMatchObject([404, { error: { code: -32_600 } }]);
  });

  describe("host profile", () => {
    describe("where a host has the zone listen", () => {
      test("each profile has its own address, and explicit settings take precedence", () => {
        const places = names.map((name) => [name, chooseListening(name, { hostPort: 9000 })]);
        const portVariable = "EXECUTION_PORT";
        expect(Object.fromEntries(places)).toEqual({
          plain: { host: "127.0.0.1", port: 4000, portVariable },
          agentcore: { host: "0.0.0.0", port: 8080, portVariable },
          "cloud-run": { host: "0.0.0.0", port: 9000, portVariable: "PORT" },
          "container-apps": { host: "0.0.0.0", port: 8080, portVariable },
          foundry: { host: "0.0.0.0", port: 8088, portVariable },
        });
        for (const name of names)
          expect(chooseListening(name, { host: "::1", port: 0, hostPort: 9000 })).toEqual({
            host: "::1",
            port: 0,
            portVariable,
          });
      });
    });

    describe("Z11: requests of a host", () => {
      test.each(names)(
        "Z11: %s gets JSON-RPC at its path and nowhere else, through the same dispatch",
        async (name) => {
          const profile: HostProfile = hostProfiles[name];
          const zone = await startZone([echo], { profile });
          expect(await zone.call("execute_task", task())).toMatchObject({ result: { response_text: "hello" } });
          expect(await zone.call("nope", {})).toMatchObject({ error: { code: -32601 } });
          const other = profile.rpcPath === "/rpc" ? "/invocations" : "/rpc";
          const lost = await fetch(zone.url + other, { method: "POST" });
          expect(lost.status).toBe(404);
          expect(await lost.text()).toContain(`POST ${profile.rpcPath}`);
          expect((await fetch(`${zone.url}/ping`)).status).toBe(profile.ping ? 200 : 404);
          expect((await fetch(`${zone.url}/readiness`)).status).toBe(profile.readiness ? 200 : 404);
          expect((await fetch(`${zone.url}/readyz`)).status).toBe(200);
        },
      );
    });
  });
});

describe("card route", () => {
  test("the card is the same at the well-known path, without credentials, and as a method", async () => {
    const zone = await startZone([createBuiltinAgent()], { tokens: [token], card: { version: "1.2.3" } });
    const { statusCode, headers, text } = await ask(zone.url);
    expect([statusCode, headers["content-type"]]).toEqual([200, "application/json"]);
    const card = JSON.parse(text) as A2AAgentCardV1;
    expect(problemsOf(isA2AAgentCardV1, card)).toEqual([]);
    expect(await zone.call("get_agent_card", {})).toMatchObject({ result: card });
    expect(card).toMatchObject({
      version: "1.2.3",
      supportedInterfaces: [{ url: `${zone.url}/rpc`, protocolBinding: zoneLinkBinding }],
      capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    });
    expect(card.skills.map(({ id }) => id)).toEqual(createBuiltinAgent().skills.map(({ id }) => id));
  });

  test("the card does not list registered agents, and asks for no credentials where the zone asks for none", async () => {
    const secret = { ...agentThat(async () => ({ response_text: "" }), "secret"), description: "A secret project." };
    const registered = [{ find: async () => secret, list: async () => [secret] }];
    const zone = await startZone([echo], { registered, profile: hostProfiles.agentcore });
    const { text } = await ask(zone.url);
    expect(text).not.toContain("secret");
    expect(JSON.parse(text)).not.toHaveProperty("securitySchemes");
    expect(urlIn(text)).toBe(`${zone.url}/invocations`);
  });

  test("a configured URL takes precedence over the request's host, and only then shared caches can keep the card", async () => {
    const configured = await startZone([echo], { card: { url: "https://zone.example.com/deep/" } });
    const card = await ask(configured.url, { headers: { host: "evil.example" } });
    expect(card.headers["cache-control"]).toBe("public, max-age=3600");
    expect(urlIn(card.text)).toBe("https://zone.example.com/deep/rpc");
    const { url } = await startZone([echo]);
    const named = await ask(url, { headers: { host: "execution.internal:8080" } });
    expect(named.headers["cache-control"]).toBe("private, max-age=3600");
    expect(urlIn(named.text)).toBe("http://execution.internal:8080/rpc");
  });

  test.each(["evil.example/x?", "user@evil.example", "a b", 'a"b', "evil.example:99999", "[::1", "<script>", ""])(
    "the host %j is not a plain host: the card names the address of the socket instead",
    async (host) => {
      const { url } = await startZone([echo]);
      const { text } = await ask(url, {
        headers: { host, "x-forwarded-host": "evil.example", forwarded: "host=evil.example" },
      });
      expect(urlIn(text)).toBe(`${url}/rpc`);
    },
  );

  test("a client that has the card is answered 304", async () => {
    const { url } = await startZone([echo]);
    const first = await ask(url);
    const { etag = "" } = first.headers;
    const again = await ask(url, { headers: { "if-none-match": `"other", W/${etag}` } });
    expect([again.statusCode, again.text, again.headers.etag]).toEqual([304, "", etag]);
    expect(await ask(url, { headers: { "if-none-match": '"other"' } })).toMatchObject({
      statusCode: 200,
      text: first.text,
    });
  });
});

/** Examples in comments import by name. */
const withoutComments = (script: string): string => script.replaceAll(/\/\*[^]*?\*\//g, "");

describe("console", () => {
  test("the page is one shell at every path, without data, and only its own code can run", async () => {
    const url = await startPage();
    const shell = await ask(url, { path: "/console" });
    expect(shell.statusCode).toBe(200);
    expect(shell.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    expect(shell.text).not.toMatch(/<script(?![^>]* src=)|<style|style=|\son[a-z]+=/);
    for (const path of ["/console/", "/console/runs/run-1", "/console/assets", "/console/runs?state=failed"]) {
      const other = await ask(url, { path });
      expect([path, other.statusCode, other.text]).toEqual([path, 200, shell.text]);
    }
  });

  test("the former addresses of runs lead to the console", async () => {
    const url = await startPage();
    for (const path of ["/runs?state=failed", "/runs/run-1"]) {
      const { headers, statusCode } = await ask(url, { path });
      expect([statusCode, headers.location]).toEqual([302, `/console${path}`]);
    }
  });

  test("every asset of the page is served with its media type, without TypeScript types", async () => {
    const url = await startPage();
    const seen = new Set(["/console"]);
    for (const path of seen) {
      const { headers, statusCode, text } = await ask(url, { path });
      expect([path, statusCode]).toEqual([path, 200]);
      const type = mediaTypes[extname(path)] ?? "text/html";
      expect(headers["content-type"]).toBe(`${type}; charset=utf-8`);
      const pattern =
        path === "/console"
          ? /(?:src|href)="(\/console\/[^"]+)"/g
          : /^(?:import|export|\}) ?.*?from ?["']([^"']+)["'];?$/gm;
      for (const [, target = ""] of withoutComments(text).matchAll(pattern))
        seen.add(new URL(target, url + path).pathname);
      expect(text).not.toMatch(/^(import|export) (type|interface) /m);
    }
    expect([...seen]).toEqual(
      expect.arrayContaining([
        "/console/assets/dagre.js",
        "/console/assets/eventsource-parser/parse.js",
        "/console/assets/main.js",
      ]),
    );
    expect(seen.size).toBeGreaterThan(25);
  });

  test.each([
    "/console/assets/../create-console.ts",
    "/console/assets/..%2fcreate-console.js",
    "/console/assets/%2e%2e/page-assets.js",
    "/console/assets/..\\page-assets.js",
    "/console/assets//etc/passwd",
    "/console/assets/main.js%00.css",
    "/console/assets/main.ts",
    "/console/assets/main.js/",
    "/console/assets/tsconfig.json",
    "/console/assets/toString",
    "/console/assets/nothing-here.js",
    "/runs/run-1/more",
  ])("only the page's own files are served: %s", async (path) => {
    const { headers, statusCode, text } = await ask(await startPage(), { path });
    expect([statusCode, headers["content-type"]]).toEqual([404, "application/json"]);
    expect(text).not.toContain("passwd");
  });

  test("HEAD returns only the headers, and other methods get 405 with the path of the API", async () => {
    const url = await startPage();
    const head = await ask(url, { path: "/console/runs/run-1", method: "HEAD" });
    expect([head.statusCode, head.text]).toEqual([200, ""]);
    expect(Number(head.headers["content-length"])).toBeGreaterThan(500);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const { headers, statusCode, text } = await ask(url, { path: "/console/runs/run-1", method });
      expect([method, statusCode, headers.allow]).toEqual([method, 405, "GET, HEAD"]);
      expect(JSON.parse(text)).toMatchObject({
        error: { data: { problems: [{ message: expect.stringContaining("/api/v1") }] } },
      });
    }
  });
});

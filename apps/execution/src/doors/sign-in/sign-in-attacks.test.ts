import { hash } from "node:crypto";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { decodeJwt, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { expect, test } from "vitest";
import { type StartedSignIn, startSignIn, type Sub, type TestBrowser } from "../../testing/start-sign-in.ts";

type Answer = Awaited<ReturnType<TestBrowser["ask"]>>;
type Attack = (zone: StartedSignIn) => Promise<Answer>;

/** Signs in with an ID token whose claims are changed and signed again. */
const withClaims =
  (change: JWTPayload): Attack =>
  (zone) =>
    withToken(({ provider }, claims) => provider.sign({ ...claims, ...change }))(zone);

const withToken =
  (make: (zone: StartedSignIn, claims: JWTPayload) => string | Promise<string>): Attack =>
  async (zone) => {
    zone.provider.tamper = (token) => make(zone, decodeJwt(token));
    const browser = zone.browser();
    const answer = await browser.ask(await browser.begin());
    zone.provider.tamper = undefined;
    return answer;
  };

/** Changes the response of the provider on its way. */
const withResponse =
  (change: (parameters: URLSearchParams) => void): Attack =>
  async ({ browser }) => {
    const own = browser();
    const callback = new URL(await own.begin());
    change(callback.searchParams);
    return own.ask(callback.href);
  };

const asPerson =
  (sub: Sub): Attack =>
  async ({ provider, browser }) => {
    const own = browser();
    provider.sub = sub;
    return own.ask(await own.begin());
  };

const returningTo =
  (path: string): Attack =>
  ({ browser }) =>
    browser().ask(`/auth/login?return_to=${encodeURIComponent(path)}`);

/** Signs in with a cookie that the attacker made, as the zone makes them, with this end. */
const withOwnCookie =
  (end: () => number, change = (cookie: string) => cookie): Attack =>
  async ({ browser, url, provider }) => {
    const own = browser();
    const cookie = ["x".repeat(43), end(), Buffer.from("/console").toString("base64url")].join(".");
    const derive = (what: string): string => hash("sha256", `${what} ${cookie}`, "base64url");
    const parameters = {
      client_id: "console",
      response_type: "code",
      scope: "openid",
      redirect_uri: `${url}/auth/callback`,
      state: derive("state"),
      nonce: derive("nonce"),
      code_challenge: hash("sha256", derive("verifier"), "base64url"),
      code_challenge_method: "S256",
    };
    const callback = await own.through(`${provider.issuer}/auth?${new URLSearchParams(parameters)}`);
    own.jar.set(`__Host-crosszone-${derive("state").slice(0, 16)}`, change(cookie));
    return own.ask(callback);
  };

const unknown = { type: "token", id: "?" };

/** Attacks on the way to a session: the status, and the reason in the audit log. */
const attacks: Readonly<Record<string, readonly [status: number, because: RegExp, attack: Attack]>> = {
  "the response of another issuer (mix-up)": [
    403,
    /"iss"/,
    withResponse((to) => to.set("iss", "https://evil.example")),
  ],
  "a response without an issuer": [403, /"iss"/, withResponse((to) => to.delete("iss"))],
  "a response that was sent before": [
    400,
    /state was used/,
    async ({ browser }) => {
      const own = browser();
      const callback = await own.begin();
      const kept = new Map(own.jar);
      await own.ask(callback);
      for (const [name, value] of kept) own.jar.set(name, value);
      return own.ask(callback);
    },
  ],
  "the code of a response that was used": [
    403,
    /invalid_grant/,
    async ({ browser }) => {
      const [one, other] = [browser(), browser()];
      const [used, callback] = [new URL(await one.begin()), new URL(await other.begin())];
      await one.ask(used.href);
      callback.searchParams.set("code", used.searchParams.get("code") ?? "");
      return other.ask(callback.href);
    },
  ],
  "the code of another browser": [
    403,
    /invalid_grant/,
    async ({ browser }) => {
      const [victim, attacker] = [browser(), browser()];
      const [callback, stolen] = [new URL(await attacker.begin()), new URL(await victim.begin())];
      callback.searchParams.set("code", stolen.searchParams.get("code") ?? "");
      return attacker.ask(callback.href);
    },
  ],
  "the whole response in another browser (login CSRF)": [
    400,
    /no such sign-in/,
    async ({ browser }) => browser().ask(await browser().begin()),
  ],
  "another state": [400, /no such sign-in/, withResponse((to) => to.set("state", "A".repeat(43)))],
  "a state that only begins like its own": [
    400,
    /no such sign-in/,
    withResponse((to) => to.set("state", `${to.get("state")?.slice(0, 40)}AAA`)),
  ],
  "two states": [403, /"state"/, withResponse((to) => to.append("state", "x"))],
  "no state": [400, /no such sign-in/, withResponse((to) => to.delete("state"))],
  "an error in place of a code": [
    403,
    /access_denied/,
    withResponse((to) => {
      to.delete("code");
      to.set("error", "access_denied");
    }),
  ],
  "markup as the error": [
    403,
    /^the provider reports an error$/,
    withResponse((to) => {
      to.delete("code");
      to.set("error", "<script>alert(1)</script>");
    }),
  ],
  "a sign-in that began too long ago": [400, /no such sign-in/, withOwnCookie(() => Date.now() - 1_000)],
  "a sign-in that would last for days": [400, /no such sign-in/, withOwnCookie(() => Date.now() + 86_400_000)],
  "a changed page to return to": [
    400,
    /no such sign-in/,
    withOwnCookie(
      () => Date.now() + 60_000,
      (cookie) => cookie.replace(/[^.]+$/, Buffer.from("//evil.example").toString("base64url")),
    ),
  ],
  "an own cookie with another page to return to": [
    200,
    /./,
    async (zone) => {
      // Control: the same way works when nothing is wrong, so the attacks above fail for their own reason.
      const answer = await withOwnCookie(() => Date.now() + 60_000)(zone);
      expect([answer.status, answer.location]).toEqual([302, "/console"]);
      return { ...answer, status: 200 };
    },
  ],
  "an ID token without a nonce": [
    403,
    /nonce/,
    withToken(({ provider }, { nonce: _nonce, ...claims }) => provider.sign(claims)),
  ],
  "an ID token with another nonce": [403, /nonce/, withClaims({ nonce: "other" })],
  "an ID token for another audience": [403, /aud/, withClaims({ aud: "other" })],
  "an ID token for a second audience too": [403, /azp|aud/, withClaims({ aud: ["console", "other"] })],
  "an ID token of another issuer": [403, /iss/, withClaims({ iss: "https://evil.example" })],
  "an ID token that has expired": [403, /exp/, withClaims({ exp: Math.floor(Date.now() / 1_000) - 60 })],
  "an ID token from the future": [403, /iat|nbf/, withClaims({ nbf: Math.floor(Date.now() / 1_000) + 600 })],
  "an ID token without a signature": [403, /alg/, withToken((_zone, claims) => new UnsecuredJWT(claims).encode())],
  "an ID token signed with the client secret": [
    403,
    /alg/,
    withToken(({ provider }, claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(provider.clientSecret)),
    ),
  ],
  "an ID token of a foreign key with the same name": [
    403,
    /signature_wrong/,
    withToken(({ provider }, claims) => provider.sign(claims, {}, true)),
  ],
  "a changed ID token": [
    403,
    /signature_wrong/,
    withToken(async ({ provider }, claims) => {
      const [header, , signature] = (await provider.sign(claims)).split(".");
      return [
        header,
        Buffer.from(JSON.stringify({ ...claims, groups: ["admins"] })).toString("base64url"),
        signature,
      ].join(".");
    }),
  ],
  "another person at UserInfo than in the ID token": [403, /sub/, withClaims({ sub: "adam" })],
  "no groups claim": [403, /^no_groups$/, asPerson("gill")],
  "groups that the provider left out": [403, /^overage$/, asPerson("otto")],
  "groups without a role": [403, /^no_role$/, asPerson("noah")],
  "groups that are no list": [403, /^no_groups$/, withClaims({ groups: { admins: true, 0: "admins", length: 1 } })],
  ...Object.fromEntries(
    [
      "//evil.example",
      "/\\evil.example",
      "https://evil.example/console",
      "https:evil.example",
      "javascript:alert(1)",
      "/\t/evil.example",
      "/console/..//evil.example",
      "/console/../api/v1/tokens",
      "/consoles",
      "/console@evil.example",
      "\\\\evil.example/console",
      "console",
      "",
    ].map((path) => [`return_to=${JSON.stringify(path)}`, [400, /return_to/, returningTo(path)]] as const),
  ),
  "another host": [
    403,
    /another host/,
    ({ browser }) => browser().ask("/auth/login", { headers: { host: "evil.example" } }),
  ],
  "another port of the host": [
    403,
    /another host/,
    ({ browser }) => browser().ask("/auth/login", { headers: { host: "localhost:1" } }),
  ],
};

onBothEngines("sign-in", (newDatabase) => {
  test("W16: each attack on the way to a session is rejected, with an event", async () => {
    const zone = await startSignIn(await newDatabase());
    const got: Record<string, unknown> = {};
    for (const [name, [status, because, attack]] of Object.entries(attacks)) {
      const before = (await zone.rejections()).length;
      zone.provider.sub = "olga";
      const answer = await attack(zone);
      const events = (await zone.rejections()).slice(before);
      const isSignedIn = answer.cookies.some((line) => /^__Host-crosszone=[^;]/.test(line));
      const reason = String(events[0]?.details?.["because"]);
      const wrong = [
        answer.status !== status && `status ${answer.status}`,
        status !== 200 && isSignedIn && "it got a session",
        status !== 200 && events.length !== 1 && `${events.length} events`,
        status !== 200 && !because.test(reason) && `because ${reason}`,
        answer.body.includes("<script") && "markup on the page",
        answer.location.includes("evil") && `leads to ${answer.location}`,
      ].filter((one) => one !== false);
      if (wrong.length > 0) got[name] = wrong;
    }
    expect(got).toEqual({});
    const named = (await zone.rejections()).filter(({ details }) => /^no_/.test(String(details?.["because"])));
    expect(named[0]).toMatchObject({
      action: "session.start",
      actor: { type: "person", id: `${zone.provider.issuer} gill` },
    });
    expect((await zone.rejections())[0]).toMatchObject({ actor: unknown, surface: "api", outcome: "rejected" });
  });
});

test("W16: a session's cookie is always new, and the one before ends", async () => {
  const { browser, as, url, send } = await startSignIn();
  const planted = browser();
  planted.jar.set("__Host-crosszone", "planted-by-an-attacker-0000000000000000000");
  await as("olga", planted);
  const first = planted.jar.get("__Host-crosszone") ?? "";
  expect(first).toMatch(/^[\w-]{43}$/);
  const session = async (cookie: string) =>
    (await send(`${url}/auth/session`, { headers: { cookie: `__Host-crosszone=${cookie}` } })).status;
  expect([await session("planted-by-an-attacker-0000000000000000000"), await session(first)]).toEqual([401, 200]);
  await as("olga", planted);
  expect([await session(first), await session(planted.jar.get("__Host-crosszone") ?? "")]).toEqual([401, 200]);
});

test("an address that starts too many sign-ins waits", async () => {
  const { url, send } = await startSignIn();
  const statuses = await Promise.all(Array.from({ length: 80 }, async () => (await send(`${url}/auth/login`)).status));
  expect([...new Set(statuses)].toSorted()).toEqual([302, 429]);
});

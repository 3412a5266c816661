import { canonicalJson } from "@crosszone/service-kit/json";
import { CompactSign, exportJWK, generateKeyPair, base64url, FlattenedSign, type JWK } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "./check.ts";
import { signCard, type CardKey, verifyCard, type VerifyCardOptions } from "./signatures.ts";
import { cards } from "./testing/cards.ts";

const { card, both, only03, sparse } = cards;
const now = Date.UTC(2026, 10, 25);
type Alg = "ES256" | "RS256" | "EdDSA";
const privateKeys = {} as Record<Alg, JWK>;
const publicKeys: CardKey[] = [];

async function makeKeys(): Promise<void> {
  for (const alg of ["ES256", "RS256", "EdDSA"] as const) {
    const pair = await generateKeyPair(alg, { extractable: true });
    privateKeys[alg] = await exportJWK(pair.privateKey);
    publicKeys.push({ ...(await exportJWK(pair.publicKey)), kid: alg });
  }
}

const sign = (whole: JsonObject = card, alg: Alg = "ES256", kid: string = alg): Promise<JsonObject> =>
  signCard(whole, { key: privateKeys[alg], kid, canonicalJson });

const verify = (whole: JsonObject, own: Partial<VerifyCardOptions> = {}): Promise<JsonObject> =>
  verifyCard(whole, { mode: "require", keys: publicKeys, now, canonicalJson, ...own });

const signaturesOf = (whole: JsonObject) => whole["signatures"] as readonly Record<string, unknown>[];
const withEntry = (whole: JsonObject, change: object): JsonObject => ({
  ...whole,
  signatures: [{ ...signaturesOf(whole)[0], ...change }],
});
/** Signs the true content with a protected header of choice. */
async function signWith(header: JsonObject, key: JWK | Uint8Array, whole: JsonObject = card): Promise<JsonObject> {
  const { signatures: _signatures, ...content } = whole;
  const made = new FlattenedSign(Buffer.from(canonicalJson(content))).setProtectedHeader(header);
  const { protected: head, signature } = await made.sign(key, { crit: { extra: true } });
  return { ...whole, signatures: [{ protected: head, signature }] };
}
const encoded = (header: JsonObject): string => base64url.encode(JSON.stringify(header));

type Make = () => Promise<JsonObject>;
/** How a card is verified. */
type Own = () => Partial<VerifyCardOptions>;

beforeAll(makeKeys);

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member)]),
  );
};

const good: readonly [name: string, make: Make, own?: Own][] = [
  ["ES256", () => sign(card, "ES256")],
  ["RS256", () => sign(card, "RS256")],
  ["EdDSA", () => sign(card, "EdDSA")],
  ["two signatures", async () => sign(await sign(card, "RS256"), "EdDSA")],
  ["one of two keys is unknown", async () => sign(await sign(card, "RS256", "gone"), "EdDSA")],
  [
    "one of two signatures is broken",
    async () => {
      const whole = await sign(await sign(card, "RS256"));
      const [first, second] = signaturesOf(whole);
      return { ...whole, signatures: [{ ...first, signature: "AAAA" }, second] };
    },
  ],
  [
    "the same signature twice",
    async () => {
      const whole = await sign();
      return { ...whole, signatures: [...signaturesOf(whole), ...signaturesOf(whole)] };
    },
  ],
  ["members in another order", async () => reversed(await sign()) as JsonObject],
  ["whitespace in the JSON", async () => JSON.parse(JSON.stringify(await sign(), null, 4)) as JsonObject],
  ["unicode", () => sign({ ...card, name: 'Ä\u20ac\ud83d\ude00\u2028"\\', description: "\u0007\ue000" })],
  ["no typ in the header", () => signWith({ alg: "ES256", kid: "ES256" }, privateKeys.ES256)],
  ["an unknown member", async () => ({ ...(await sign()), added: { later: true } })],
  ["both versions", () => sign(both)],
  ["only 0.3", () => sign(only03)],
  ["empty members", () => sign(sparse)],
  [
    "empty members, signed by an SDK that leaves them out",
    async () => ({ ...sparse, signatures: signaturesOf(await sign(sparse)).slice(1) }),
  ],
  [
    "default values that another program has added",
    async () => ({ ...(await sign()), securitySchemes: {}, securityRequirements: [], provider: null }),
  ],
  [
    "a jku at another origin, which is not fetched",
    () => signWith({ alg: "ES256", kid: "ES256", jku: "https://elsewhere.example/jwks.json" }, privateKeys.ES256),
  ],
  [
    "a key that expires later",
    () => sign(),
    () => ({ keys: publicKeys.map((key) => ({ ...key, exp: now / 1_000 + 1 })) }),
  ],
  [
    "a new key of the same name as an expired one",
    () => sign(),
    () => ({ keys: [...publicKeys.map((key) => ({ ...key, exp: 1 })), ...publicKeys] }),
  ],
  ["no signature, if-present", async () => card, () => ({ mode: "if-present" })],
  ["an empty list, if-present", async () => ({ ...card, signatures: [] }), () => ({ mode: "if-present" })],
  ["a broken signature, off", async () => withEntry(await sign(), { signature: "AAAA" }), () => ({ mode: "off" })],
];

type Bad = [name: string, problem: string, make: Make, own?: Own];

const noMatch = 'its signature with the key "ES256" does not match';
const changed = (name: string, change: (whole: JsonObject) => JsonObject, whole: JsonObject = card): Bad => [
  name,
  noMatch,
  async () => change(await sign(whole)),
];

const bad: readonly Bad[] = [
  changed("a changed member", (whole) => ({ ...whole, description: "Gives money." })),
  changed("a removed member", ({ iconUrl: _iconUrl, ...whole }) => whole),
  changed("an added member", (whole) => ({ ...whole, documentationUrl: "https://elsewhere.example/" })),
  changed("another URL", (whole) => ({
    ...whole,
    supportedInterfaces: [{ url: "https://elsewhere.example/", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  })),
  changed("interfaces in another order", (whole) => ({
    ...whole,
    supportedInterfaces: (whole["supportedInterfaces"] as unknown[]).toReversed(),
  })),
  changed("a changed skill", (whole) => ({
    ...whole,
    skills: [{ ...(whole["skills"] as object[])[0], name: "Steal" }],
  })),
  changed("a required scope removed", (whole) => ({ ...whole, securityRequirements: both["securityRequirements"] }), {
    ...both,
    securityRequirements: [{ schemes: { bearer: { list: ["write"] } } }],
  }),
  changed("a changed URL of 0.3", (whole) => ({ ...whole, url: "https://elsewhere.example/" }), only03),
  changed(
    "interfaces of 1.0 added to a card of 0.3",
    (whole) => ({
      ...whole,
      supportedInterfaces: [{ url: "https://elsewhere.example/", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    }),
    only03,
  ),
  changed("the interfaces of 1.0 removed", ({ supportedInterfaces: _i, ...whole }) => whole, both),
  changed("a truncated signature", (whole) =>
    withEntry(whole, { signature: String(signaturesOf(whole)[0]?.["signature"]).slice(0, -4) }),
  ),
  changed("another header than the signed one", (whole) =>
    withEntry(whole, { protected: encoded({ kid: "ES256", alg: "ES256" }) }),
  ),
  ["no signature", "it has no signature", async () => card],
  ["an empty list", "it has no signature", async () => ({ ...card, signatures: [] })],
  ["no list", "its signatures are not a list", async () => ({ ...card, signatures: {} })],
  [
    "alg none",
    'its signature has the algorithm "none", but the key "ES256" needs ES256',
    async () => withEntry(await sign(), { protected: encoded({ alg: "none", kid: "ES256" }), signature: "AAAA" }),
  ],
  [
    "an empty signature",
    "its signature is not a JWS",
    async () => withEntry(await sign(), { protected: encoded({ alg: "none", kid: "ES256" }), signature: "" }),
  ],
  [
    "HS256 with the public key as secret",
    'its signature has the algorithm "HS256", but the key "RS256" needs RS256',
    () => signWith({ alg: "HS256", kid: "RS256" }, Buffer.from(JSON.stringify(publicKeys[1]))),
  ],
  [
    "PS256, which A2A does not need",
    'its signature has the algorithm "PS256", but the key "RS256" needs RS256',
    () => signWith({ alg: "PS256", kid: "RS256" }, { ...privateKeys.RS256, alg: "PS256" }),
  ],
  ["the kid of another key", '"RS256", but the key "ES256" needs', () => sign(card, "RS256", "ES256")],
  ["an unknown kid", 'its signature has the unknown key "gone"', () => sign(card, "ES256", "gone")],
  ["no kid", "its signature does not name its key (kid)", () => signWith({ alg: "ES256" }, privateKeys.ES256)],
  [
    "a kid in the header that is not signed",
    "its signature does not name its key (kid)",
    async () => {
      const whole = await signWith({ alg: "ES256" }, privateKeys.ES256);
      return withEntry(whole, { header: { kid: "ES256" } });
    },
  ],
  [
    "an expired key",
    'the key "ES256" has expired',
    () => sign(),
    () => ({ keys: publicKeys.map((key) => ({ ...key, exp: now / 1_000 })) }),
  ],
  [
    "a key for encryption",
    'its signature has the unknown key "ES256"',
    () => sign(),
    () => ({ keys: publicKeys.map((key) => ({ ...key, use: "enc" })) }),
  ],
  ["no trusted key", 'the unknown key "ES256"', () => sign(), () => ({ keys: [] })],
  [
    "a key that only its jku has",
    'its signature has the unknown key "new"',
    () => signWith({ alg: "ES256", kid: "new", jku: "http://127.0.0.1:9/jwks.json" }, privateKeys.ES256),
  ],
  [
    "whitespace in the signature",
    "its signature is not a JWS",
    async () => {
      const whole = await sign();
      return withEntry(whole, { signature: `${String(signaturesOf(whole)[0]?.["signature"])}\n` });
    },
  ],
  [
    "a critical extension that is not known",
    noMatch,
    () => signWith({ alg: "ES256", kid: "ES256", crit: ["extra"], extra: 1 }, privateKeys.ES256),
  ],
  [
    "a signature of something else by the same key",
    noMatch,
    async () => {
      const jws = await new CompactSign(Buffer.from("{}"))
        .setProtectedHeader({ alg: "ES256", kid: "ES256" })
        .sign(privateKeys.ES256);
      const [head, , signature] = jws.split(".");
      return { ...card, signatures: [{ protected: head, signature }] };
    },
  ],
  [
    "a signature after eight others",
    'the unknown key "gone"',
    async () => {
      const [gone, own] = [signaturesOf(await sign(card, "ES256", "gone")), signaturesOf(await sign())];
      return { ...card, signatures: [...Array.from({ length: 8 }, () => gone[0]), ...own] };
    },
  ],
  [
    "a broken signature, if-present",
    noMatch,
    async () => withEntry(await sign(), { signature: "AAAA" }),
    () => ({ mode: "if-present" }),
  ],
];

describe("A7, A1: signatures of agent cards (CARD-SIGN-002 CARD-SIGN-003 CARD-SIGN-004)", () => {
  test.each(good)("are valid: %s", async (_name, make, own) => {
    const verified = await verify(await make(), own?.());
    expect(verified).toMatchObject({ version: "1.0.0" });
  });

  test("a verified card has only the members that are signed", async () => {
    const verified = await verify({ ...(await sign(both)), url: "https://elsewhere.example/", added: 1 });
    expect(verified).not.toHaveProperty("url");
    expect(verified).not.toHaveProperty("added");
    expect(verified).not.toHaveProperty("signatures");
    expect(verified).toHaveProperty("supportedInterfaces", both["supportedInterfaces"]);
    expect(await verify(await sign(only03))).toEqual(only03);
  });

  test("a private key of another kind is refused", async () => {
    const pair = await generateKeyPair("ES384", { extractable: true });
    const key = await exportJWK(pair.privateKey);
    await expect(signCard(card, { key, kid: "1", canonicalJson })).rejects.toThrow("got EC P-384");
  });
});

test.each(bad)("a card is not trusted: %s", async (...[, problem, make, own]) => {
  await expect(verify(await make(), own?.())).rejects.toThrow(problem);
});

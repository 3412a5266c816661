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

/** A card, and how it is verified. */
interface Vector {
  readonly name: string;
  readonly make: () => Promise<JsonObject>;
  readonly own?: () => Partial<VerifyCardOptions>;
}

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

const good: readonly Vector[] = [
  { name: "ES256", make: () => sign(card, "ES256") },
  { name: "RS256", make: () => sign(card, "RS256") },
  { name: "EdDSA", make: () => sign(card, "EdDSA") },
  { name: "two signatures", make: async () => sign(await sign(card, "RS256"), "EdDSA") },
  { name: "one of two keys is unknown", make: async () => sign(await sign(card, "RS256", "gone"), "EdDSA") },
  {
    name: "one of two signatures is broken",
    make: async () => {
      const whole = await sign(await sign(card, "RS256"));
      const [first, second] = signaturesOf(whole);
      return { ...whole, signatures: [{ ...first, signature: "AAAA" }, second] };
    },
  },
  {
    name: "the same signature twice",
    make: async () => {
      const whole = await sign();
      return { ...whole, signatures: [...signaturesOf(whole), ...signaturesOf(whole)] };
    },
  },
  { name: "members in another order", make: async () => reversed(await sign()) as JsonObject },
  { name: "whitespace in the JSON", make: async () => JSON.parse(JSON.stringify(await sign(), null, 4)) as JsonObject },
  { name: "unicode", make: () => sign({ ...card, name: 'Ä\u20ac\ud83d\ude00\u2028"\\', description: "\u0007\ue000" }) },
  { name: "no typ in the header", make: () => signWith({ alg: "ES256", kid: "ES256" }, privateKeys.ES256) },
  { name: "an unknown member", make: async () => ({ ...(await sign()), added: { later: true } }) },
  { name: "both versions", make: () => sign(both) },
  { name: "only 0.3", make: () => sign(only03) },
  { name: "empty members", make: () => sign(sparse) },
  {
    name: "empty members, signed by an SDK that leaves them out",
    make: async () => ({ ...sparse, signatures: signaturesOf(await sign(sparse)).slice(1) }),
  },
  {
    name: "default values that another program has added",
    make: async () => ({ ...(await sign()), securitySchemes: {}, securityRequirements: [], provider: null }),
  },
  {
    name: "a jku at another origin, which is not fetched",
    make: () =>
      signCard(card, {
        key: privateKeys.ES256,
        kid: "ES256",
        jku: "https://elsewhere.example/jwks.json",
        canonicalJson,
      }),
  },
  {
    name: "a key that expires later",
    make: () => sign(),
    own: () => ({ keys: publicKeys.map((key) => ({ ...key, exp: now / 1_000 + 1 })) }),
  },
  {
    name: "a new key of the same name as an expired one",
    make: () => sign(),
    own: () => ({ keys: [...publicKeys.map((key) => ({ ...key, exp: 1 })), ...publicKeys] }),
  },
  { name: "no signature, if-present", make: async () => card, own: () => ({ mode: "if-present" }) },
  {
    name: "an empty list, if-present",
    make: async () => ({ ...card, signatures: [] }),
    own: () => ({ mode: "if-present" }),
  },
  {
    name: "a broken signature, off",
    make: async () => withEntry(await sign(), { signature: "AAAA" }),
    own: () => ({ mode: "off" }),
  },
];

interface Bad extends Vector {
  readonly problem: string;
}

const noMatch = 'its signature with the key "ES256" does not match';
const changed = (name: string, change: (whole: JsonObject) => JsonObject, whole: JsonObject = card): Bad => ({
  name,
  make: async () => change(await sign(whole)),
  problem: noMatch,
});

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
  { name: "no signature", make: async () => card, problem: "it has no signature" },
  { name: "an empty list", make: async () => ({ ...card, signatures: [] }), problem: "it has no signature" },
  { name: "no list", make: async () => ({ ...card, signatures: {} }), problem: "its signatures are not a list" },
  {
    name: "alg none",
    make: async () => withEntry(await sign(), { protected: encoded({ alg: "none", kid: "ES256" }), signature: "AAAA" }),
    problem: 'its signature has the algorithm "none", but the key "ES256" needs ES256',
  },
  {
    name: "an empty signature",
    make: async () => withEntry(await sign(), { protected: encoded({ alg: "none", kid: "ES256" }), signature: "" }),
    problem: "its signature is not a JWS",
  },
  {
    name: "HS256 with the public key as secret",
    make: () => signWith({ alg: "HS256", kid: "RS256" }, Buffer.from(JSON.stringify(publicKeys[1]))),
    problem: 'its signature has the algorithm "HS256", but the key "RS256" needs RS256',
  },
  {
    name: "PS256, which A2A does not need",
    make: () => signWith({ alg: "PS256", kid: "RS256" }, { ...privateKeys.RS256, alg: "PS256" }),
    problem: 'its signature has the algorithm "PS256", but the key "RS256" needs RS256',
  },
  {
    name: "the kid of another key",
    make: () => sign(card, "RS256", "ES256"),
    problem: '"RS256", but the key "ES256" needs',
  },
  {
    name: "an unknown kid",
    make: () => sign(card, "ES256", "gone"),
    problem: 'its signature has the unknown key "gone"',
  },
  {
    name: "no kid",
    make: () => signWith({ alg: "ES256" }, privateKeys.ES256),
    problem: "its signature does not name its key (kid)",
  },
  {
    name: "a kid in the header that is not signed",
    make: async () => {
      const whole = await signWith({ alg: "ES256" }, privateKeys.ES256);
      return withEntry(whole, { header: { kid: "ES256" } });
    },
    problem: "its signature does not name its key (kid)",
  },
  {
    name: "an expired key",
    make: () => sign(),
    own: () => ({ keys: publicKeys.map((key) => ({ ...key, exp: now / 1_000 })) }),
    problem: 'the key "ES256" has expired',
  },
  {
    name: "a key for encryption",
    make: () => sign(),
    own: () => ({ keys: publicKeys.map((key) => ({ ...key, use: "enc" })) }),
    problem: 'its signature has the unknown key "ES256"',
  },
  { name: "no trusted key", make: () => sign(), own: () => ({ keys: [] }), problem: 'the unknown key "ES256"' },
  {
    name: "a key that only its jku has",
    make: () =>
      signCard(card, { key: privateKeys.ES256, kid: "new", jku: "http://127.0.0.1:9/jwks.json", canonicalJson }),
    problem: 'its signature has the unknown key "new"',
  },
  {
    name: "whitespace in the signature",
    make: async () => {
      const whole = await sign();
      return withEntry(whole, { signature: `${String(signaturesOf(whole)[0]?.["signature"])}\n` });
    },
    problem: "its signature is not a JWS",
  },
  {
    name: "a critical extension that is not known",
    make: () => signWith({ alg: "ES256", kid: "ES256", crit: ["extra"], extra: 1 }, privateKeys.ES256),
    problem: noMatch,
  },
  {
    name: "a signature of something else by the same key",
    make: async () => {
      const jws = await new CompactSign(Buffer.from("{}"))
        .setProtectedHeader({ alg: "ES256", kid: "ES256" })
        .sign(privateKeys.ES256);
      const [head, , signature] = jws.split(".");
      return { ...card, signatures: [{ protected: head, signature }] };
    },
    problem: noMatch,
  },
  {
    name: "a signature after eight others",
    make: async () => {
      const [gone, own] = [signaturesOf(await sign(card, "ES256", "gone")), signaturesOf(await sign())];
      return { ...card, signatures: [...Array.from({ length: 8 }, () => gone[0]), ...own] };
    },
    problem: 'the unknown key "gone"',
  },
  {
    name: "a broken signature, if-present",
    make: async () => withEntry(await sign(), { signature: "AAAA" }),
    own: () => ({ mode: "if-present" }),
    problem: noMatch,
  },
];

describe("A7, A1: signatures of agent cards (CARD-SIGN-002 CARD-SIGN-003 CARD-SIGN-004)", () => {
  test.each(good)("are valid: $name", async ({ make, own }) => {
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

test.each(bad)("a card is not trusted: $name", async ({ make, own, problem }) => {
  await expect(verify(await make(), own?.())).rejects.toThrow(problem);
});

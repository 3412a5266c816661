import { AgentCard, canonicalizeAgentCard, generateAgentCardSignature, verifyAgentCardSignature } from "@a2a-js/sdk";
import { canonicalJson } from "@crosszone/service-kit/json";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { expect, test, vi } from "vitest";
import { canonicalCard, signCard, verifyCard } from "./signatures.ts";
import { cards } from "./testing/cards.ts";

const algs = ["ES256", "RS256", "EdDSA"] as const;
const kinds = ["card", "both", "sparse"] as const;
const cases = algs.flatMap((alg) => kinds.map((kind) => [alg, kind] as const));

async function keysOf(alg: (typeof algs)[number]): Promise<{ readonly secret: JWK; readonly open: JWK }> {
  const pair = await generateKeyPair(alg, { extractable: true });
  const [secret, open] = await Promise.all([pair.privateKey, pair.publicKey].map(exportJWK));
  return { secret: { ...secret, alg }, open: { ...open, alg, kid: "k" } };
}

test.each(cases)("the SDK verifies what is signed here: %s, %s", async (alg, kind) => {
  vi.spyOn(console, "debug").mockReturnValue();
  const { secret, open } = await keysOf(alg);
  const signed = await signCard(cards[kind], { key: secret, kid: "k", canonicalJson });
  const verifier = verifyAgentCardSignature(async (kid) => {
    expect(kid).toBe("k");
    return open;
  });
  await verifier(AgentCard.fromJSON(signed));
  await verifier(signed as unknown as AgentCard);
  await expect(verifier(AgentCard.fromJSON({ ...signed, version: "2" }))).rejects.toThrow("No valid signatures");
});

test.each(cases)("what the SDK signs is verified here: %s, %s", async (alg, kind) => {
  const { secret, open } = await keysOf(alg);
  const sign = generateAgentCardSignature(secret, { alg, kid: "k", typ: "JOSE" });
  const options = { mode: "require", keys: [open], now: 0, canonicalJson } as const;
  for (const given of [AgentCard.fromJSON(cards[kind]), cards[kind] as unknown as AgentCard]) {
    const signed = { ...cards[kind], signatures: (await sign(given)).signatures };
    expect(await verifyCard(signed, options)).toHaveProperty("name", "Counter");
    await expect(verifyCard({ ...signed, version: "2" }, options)).rejects.toThrow("does not match");
  }
});

test("a card without empty members has the SDK's canonical form", () => {
  expect(canonicalJson(canonicalCard(cards.card))).toBe(canonicalizeAgentCard(AgentCard.fromJSON(cards.card)));
});

test("the canonical form is that of the specification's example", () => {
  const { name, description, capabilities, skills } = canonicalCard(cards.sparse);
  expect(canonicalJson({ name, description, capabilities, skills })).toBe(
    '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Counter","skills":[]}',
  );
});

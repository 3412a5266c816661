import type { AgentCardWords, AgentRecord } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { agentOf } from "../testing/agent-record.ts";
import { clientOf } from "../testing/start-call.ts";
import { startServer } from "../testing/http-agents.ts";
import { startRegistry } from "../testing/start-registry.ts";
import { keepingCards, wordsOfCard } from "./card-words.ts";

const skill = { id: "count", name: "Count", description: "Counts words.", examples: ["How many words are here?"] };
const whole = {
  name: "Word counter",
  description: "Counts words.",
  url: "/",
  protocolVersion: "0.3.0",
  skills: [skill],
};
const kept: AgentCardWords = { name: "Word counter", description: "Counts words.", skills: [skill] };

test("Q19: a card's name, description, skills and examples are kept", () => {
  expect(wordsOfCard(whole)).toEqual(kept);
  expect(wordsOfCard({ description: "Only this." })).toEqual({ name: "", description: "Only this.", skills: [] });
  expect(wordsOfCard({ url: "/" })).toBeUndefined();
  expect(wordsOfCard(undefined)).toBeUndefined();
});

test.each<[what: string, card: object, words: Partial<AgentCardWords>]>([
  [
    "controls and line breaks",
    { description: "Counts\u0000\u001b[2J\r\n words.\u2028" },
    { description: "Counts[2J words." },
  ],
  [
    "text that runs backwards",
    { description: "Pays \u202e001\u202c you \u2066x\u2069" },
    { description: "Pays 001 you x" },
  ],
  ["text that can't be seen", { name: "W\u200bo\u2060r\u00add\u{e0041}" }, { name: "Word" }],
  ["half a surrogate pair", { name: "W\ud83d" }, { name: "W\ufffd" }],
  ["a secret", { description: "Use Bearer abcdefghijklmnopqrstuvwxyz012345 here" }, {}],
  ["members of other types", { name: 7, description: ["no"], skills: "none" }, {}],
])("Q19: of a card with %s, only what people can read is kept", (_, card, words) => {
  const found = wordsOfCard({ skills: [skill], ...card });
  expect(found ?? {}).toMatchObject(words);
  expect(JSON.stringify(found ?? {})).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u200b]|abcdefghijklmnop/u);
});

test("Q19: a card of any size is kept in 6,000 characters, and half of an example is none", () => {
  const long = "word ".repeat(100_000);
  const skills = Array.from({ length: 1_000 }, (_, n) => ({
    ...skill,
    name: `Skill ${n}`,
    description: long,
    examples: [long, 7, "", ...Array.from({ length: 100 }, () => "x".repeat(250))],
  }));
  const found = wordsOfCard({ name: long, description: long, skills });
  expect(JSON.stringify(found).length).toBeLessThan(6_000);
  expect(found?.description).toMatch(/^word word .*word…$/);
  expect(found?.skills.length).toBeGreaterThan(2);
  for (const { examples } of found?.skills ?? [])
    expect(examples).toEqual(Array.from({ length: 3 }, () => "x".repeat(250)));
});

test("Q19: odd members of a card lose nothing but themselves", () => {
  const found = wordsOfCard({
    ...whole,
    skills: [null, 7, { examples: "no" }, { ...skill, tags: [{}], examples: [null, "Why?"] }],
  });
  expect(found?.skills.at(-1)).toEqual({ ...skill, examples: ["Why?"] });
  const hidden = { id: "", name: "", description: "", examples: [] };
  expect(found?.skills.slice(0, -1)).toEqual([hidden, hidden, hidden]);
});

/** A registry whose agent serves what `served` has, as an API client sees it. */
async function start(served: { card: object | number }) {
  let gets = 0;
  const url = await startServer((_request, response) => {
    gets += 1;
    const { card } = served;
    response.writeHead(typeof card === "number" ? card : 200).end(JSON.stringify(card));
  });
  let keep: (agent: AgentRecord, words: AgentCardWords | null) => Promise<void> = async () => undefined;
  const client = keepingCards(clientOf({ origins: [url] }), (...given) => keep(...given));
  const registry = await startRegistry({ client });
  const writes: unknown[] = [];
  keep = async (agent, words) => {
    writes.push(words);
    await registry.store.keepCard(agent, words);
  };
  await registry.ask("POST /agents", { name: "words", url });
  const check = async () => {
    await registry.ask("POST /agents/words/health");
    return (await registry.ask("GET /agents/words")).body?.["card"];
  };
  return { ...registry, check, writes, gets: () => gets };
}

test("Q19: each health check reads the card again, writes only what is new, and keeps the revision", async () => {
  const served: { card: object | number } = { card: whole };
  const { ask, check, writes } = await start(served);
  expect(await check()).toEqual(kept);
  expect(await check()).toEqual(kept);
  expect(writes).toHaveLength(1);
  served.card = { ...whole, description: "Counts letters." };
  expect(await check()).toMatchObject({ description: "Counts letters." });
  // An agent that is down has said nothing new.
  served.card = 503;
  expect(await check()).toMatchObject({ description: "Counts letters." });
  expect((await ask("GET /agents?q=letters")).body).toMatchObject({ total: 1, agents: [{ revision: 1 }] });
  served.card = 404;
  expect(await check()).toBeUndefined();
  expect(writes).toHaveLength(3);
});

test("Q19: an agent that moves is described by its new card, and a broken column loses no agent", async () => {
  const { ask, check, database, store } = await start({ card: whole });
  expect(await check()).toEqual(kept);
  const before = await store.get("words");
  await ask("PATCH /agents/words", { url: "http://127.0.0.1:1/" });
  expect((await ask("GET /agents/words")).body).not.toHaveProperty("card");
  // A card that was asked for at the former address comes late.
  await store.keepCard(before as AgentRecord, kept);
  expect((await ask("GET /agents/words")).body).not.toHaveProperty("card");
  await database.db.updateTable("agent").set({ card: '{"name":7}' }).execute();
  expect(await ask("GET /agents/words")).toMatchObject({ status: 200, body: { name: "words" } });
});

test("Q19: an agent without a card costs a health check no more requests, and a huge one no more than its limit", async () => {
  const plain = await start({ card: 404 });
  const before = plain.gets();
  await plain.check();
  expect(plain.gets() - before).toBe(3);
  const huge = await start({ card: { ...whole, x: "x".repeat(5_000_000) } });
  const { body } = await huge.ask("POST /agents/words/health");
  expect(body).toMatchObject({
    status: "unhealthy",
    problem: expect.stringMatching(/more than|too large|larger|bytes/),
  });
  expect(agentOf({ url: "http://a/" }).card).toBeUndefined();
});

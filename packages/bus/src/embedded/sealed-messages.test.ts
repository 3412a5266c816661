import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import type { ColumnCodec } from "../codec/column-codec.ts";
import { taskMessage } from "../testing/bus-under-test.ts";
import { consume, drained } from "../testing/consume.ts";
import { openEmbedded } from "../testing/open-embedded.ts";

/** A codec that seals with a word and checks the row. */
function sealedWith(word: string): ColumnCodec {
  const form = (context: string): string => `sealed.${Buffer.from(`${word} ${context}`).toString("base64url")}.`;
  return {
    toColumn: (record, context) => `${form(context)}${Buffer.from(JSON.stringify(record)).toString("base64url")}`,
    fromColumn: (text, context) => {
      if (!text.startsWith(form(context))) throw new Error("sealed with another key, or for another row");
      return JSON.parse(Buffer.from(text.slice(form(context).length), "base64url").toString()) as unknown;
    },
  };
}

onBothEngines("messages at rest", (newDatabase) => {
  test("are sealed in every table; without the key they are dead letters, and with it they are delivered again", async () => {
    const url = await newDatabase();
    const { bus, database } = await openEmbedded(url, { codec: sealedWith("today") });
    const stored = async (): Promise<string> =>
      JSON.stringify([
        await database.db.selectFrom("bus_message").selectAll().execute(),
        await database.db.selectFrom("bus_dead_letter").selectAll().execute(),
      ]);
    await bus.publish([taskMessage("a-key", "what she wrote")]);
    await database.transaction((tx) => bus.outbox.add(tx, [taskMessage("b-key", "what she wrote")]));
    expect(await stored()).not.toMatch(/what she wrote|a-key|b-key/);
    expect(await stored()).toMatch(/"team":"team"/);

    const { bus: keyless } = await openEmbedded(url, { codec: sealedWith("another") });
    const letters: unknown[] = [];
    const helpless = await consume(keyless, "agent_tasks", {
      onDeadLetter: async ({ json, reason }) => void letters.push([json, reason]),
    });
    await drained(keyless, "agent_tasks");
    await helpless.subscription.close();
    expect(letters).toEqual([1, 2].map(() => [undefined, "the message cannot be unsealed"]));
    expect(await stored()).not.toMatch(/what she wrote/);
    expect((await keyless.deadLetters.list("agent_tasks", 10)).map(({ bytes }) => bytes.length > 0)).toEqual([
      true,
      true,
    ]);

    const consumed = await consume(bus, "agent_tasks");
    expect(await bus.deadLetters.replay("agent_tasks", "all")).toBe(2);
    await consumed.until(2);
    expect(consumed.inputs()).toEqual(["what she wrote", "what she wrote"]);
  }, 60_000);
});

// suite: rest
// @module-tag judge
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { run } from "./testing/ask-builtin.ts";

describe("arbitrary input", { timeout: 240_000 }, () => {
  const pieces = fc.constantFrom(
    ..."2|+|-|*|/|(|)|%| of |,|.|!| in words|files|echo |help |and |'|?|1/0".split("|"),
    ...'what is |0x|e9|５|日本|"|\n|```'.split("|"),
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join("")),
    fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(" ")),
  );
  const attachment = fc.record(
    {
      name: fc.string({ unit: "binary" }),
      mime_type: fc.string(),
      size: fc.double({ noNaN: true }),
      text: fc.string(),
    },
    { requiredKeys: [] },
  );
  const message = fc.record(
    { text: fc.string({ unit: "binary" }), user: fc.string(), ts: fc.string(), bot: fc.boolean() },
    { requiredKeys: ["text"] },
  );

  const leaks = /undefined|NaN|\[object|Error:|\bat .*\.ts:\d/g;
  test("any message, thread and attachments get an answer, never an exception", async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(attachment, { maxLength: 3 }),
        fc.array(message, { maxLength: 4 }),
        async (asked, attachments, thread) => {
          const { response_text } = await run(asked, { attachments, thread });
          expect(response_text.trim()).not.toBe("");
          expect(response_text.isWellFormed()).toBe(true);
          // An answer may repeat what it was given: a file whose type is the text "NaN" is not a number gone wrong.
          const given = [asked, ...[...attachments, ...thread].flatMap((part) => Object.values(part))].join("\n");
          for (const [leak] of response_text.matchAll(leaks)) expect(given).toContain(leak);
        },
      ),
      { numRuns: 3000 },
    );
  });

  const units = [
    ...' |9|(|)|()|1+|-|"|`|```|and |?|1,|1.|9%|% of |a|word |👩‍👩‍👧|今日は良い。|\n|:|\\| in| in words|5/7*|a?\n'.split(
      "|",
    ),
    ..."'|?'|e\u0301|\u200d|\ud800".split("|"),
  ];
  const openings = "|echo |help |what is |files ".split("|");
  test.each(units)("1 kB and 100 kB of %j are answered in little CPU time, whatever precedes them", async (unit) => {
    const slowOnes: string[] = [];
    for (const opening of openings)
      for (const length of [1_000, 100_000]) {
        const asked = (opening + unit.repeat(Math.ceil(length / unit.length))).slice(0, length);
        const spent = await cpuMilliseconds(200, asked);
        if (spent >= 200) slowOnes.push(`${opening}, ${length}: ${spent} ms`);
      }
    expect(slowOnes).toEqual([]);
  });
});

/** CPU time of this thread alone, in ms. A slow answer is slow each time; a collection of garbage is not: at most three tries. */
async function cpuMilliseconds(limit: number, ...asked: Parameters<typeof run>): Promise<number> {
  let least = Infinity;
  for (let tries = 0; tries < 3 && least >= limit; tries++) {
    const before = process.threadCpuUsage();
    expect((await run(...asked)).response_text).not.toBe("");
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

import { beforeAll, expect, test } from "vitest";
import { receiptOf } from "../index.ts";
import { fill, keyOf, openAuditDatabase, openTestLog } from "../testing/open-audit.ts";
import { leafOf, publicKeyText, readPublicKey, rootOf, signCheckpoint, splitNotes } from "../tree.ts";
import type { AuditFinding } from "./export-reader.ts";
import { verifyAudit } from "./verify-audit.ts";

interface Line {
  position: number;
  leaf: string;
  event: { id: string; action: string; target: { id: string }; content: Record<string, string> };
  content?: { salt: string; members: Record<string, unknown> };
  checkpoint?: string;
  origin: string;
  base: { size: number; frontier: string };
}

/** Ten events, with checkpoints after 4, 8 and 10: lines 1–4, 5; 6–9, 10; 11–12, 13. */
let clean: string[] = [];
let receipt = "";
const [key, otherKey] = [keyOf(1), keyOf(2)];
const keys = [readPublicKey(publicKeyText(key))];

beforeAll(async () => {
  const database = await openAuditDatabase("sqlite::memory:");
  const log = await openTestLog(database, { key });
  for (const [from, count] of [
    [0, 4],
    [4, 4],
    [8, 2],
  ] as const)
    await fill(log, from, count);
  clean = await log.lines();
  const { event } = JSON.parse(clean[3] as string) as Line;
  receipt = JSON.stringify(await receiptOf(log.deps, event.id));
  await database.close();
});

const read = (lines: readonly string[]): Line[] => lines.map((line) => JSON.parse(line) as Line);
const written = (lines: readonly unknown[]): string[] => lines.map((line) => JSON.stringify(line));
const change = (at: number, by: (line: Line) => void) => (lines: string[]) => {
  const all = read(lines);
  by(all[at] as Line);
  return written(all);
};
const flipBit = (base64: string): string => {
  const bytes = Buffer.from(base64, "base64");
  bytes[9] = (bytes[9] ?? 0) ^ 1;
  return bytes.toString("base64");
};
const remove =
  (...at: number[]) =>
  (lines: string[]) =>
    lines.filter((_, index) => !at.includes(index));

/** Gives the events consecutive positions and their hashes, and signs all checkpoints again with a key, if one is given. */
const rewritten = (by: (lines: Line[]) => Line[], signer?: typeof key, origin?: string) => (lines: string[]) => {
  const leaves: Buffer[] = [];
  const all = by(read(lines)).map((line) => {
    if (line.event !== undefined) {
      leaves.push(leafOf(line.event));
      return { ...line, position: leaves.length - 1, leaf: leaves.at(-1)?.toString("base64") };
    }
    if (line.checkpoint === undefined || signer === undefined) return line;
    const head = { origin: line.checkpoint.split("\n")[0] ?? "", size: leaves.length };
    return {
      checkpoint: signCheckpoint(
        { ...head, origin: origin ?? head.origin, root: rootOf(leaves).toString("base64") },
        signer,
      ),
    };
  });
  return written(all);
};
const renamed = (lines: Line[]): Line[] =>
  lines.map((line) => (line.position === 6 ? { ...line, event: { ...line.event, action: "test.other" } } : line));
const dayBefore = new Date(Date.now() - 86_400_000).toISOString();
const newKey = keyOf(3);
const rekeyed = { action: "audit.rekey", details: { new_key: publicKeyText(newKey) } };
const without6 = (lines: Line[]): Line[] => lines.filter(({ position }) => position !== 6);

test.each<[string, (lines: string[]) => string[], Pick<AuditFinding, "kind" | "position">]>([
  ["a changed action", change(3, ({ event }) => void (event.action = "test.other")), { kind: "changed", position: 2 }],
  ["one bit of an event", change(3, ({ event }) => void (event.target.id = "3")), { kind: "changed", position: 2 }],
  ["one bit of a leaf", change(3, (line) => void (line.leaf = flipBit(line.leaf))), { kind: "changed", position: 2 }],
  [
    "changed content",
    change(3, ({ content }) => void (content && (content.members["reason"] = "no"))),
    { kind: "changed", position: 2 },
  ],
  [
    "content that was added",
    change(3, ({ content }) => void (content && (content.members["more"] = 1))),
    { kind: "changed", position: 2 },
  ],
  [
    "another salt",
    change(3, ({ content }) => void (content && (content.salt = flipBit(content.salt)))),
    { kind: "changed", position: 2 },
  ],
  [
    "a changed root",
    change(10, (line) => void (line.checkpoint = String(line.checkpoint).replace(/\n\n/, "=\n\n"))),
    { kind: "bad_signature", position: 4 },
  ],
  [
    "one bit of a signature",
    change(10, (line) => void (line.checkpoint = String(line.checkpoint).replace(/.{8}\n$/, "AAAAAAA=\n"))),
    { kind: "bad_signature", position: 4 },
  ],
  [
    "no signature",
    change(10, (line) => void (line.checkpoint = `${line.checkpoint?.split("\n\n")[0]}\n\n`)),
    { kind: "bad_signature", position: 4 },
  ],
  ["the first event deleted", remove(1), { kind: "missing", position: 0 }],
  ["a middle event deleted", remove(7), { kind: "missing", position: 5 }],
  ["the last event deleted", remove(12), { kind: "missing", position: 8 }],
  ["a middle event deleted, the others renumbered", rewritten(without6), { kind: "missing", position: 4 }],
  [
    "two events swapped",
    (lines) => lines.with(6, lines[7] as string).with(7, lines[6] as string),
    { kind: "reordered", position: 4 },
  ],
  [
    "two events swapped and renumbered",
    rewritten((all) => all.with(6, all[7] as Line).with(7, all[6] as Line)),
    { kind: "changed", position: 4 },
  ],
  ["an event twice", (lines) => lines.toSpliced(4, 0, lines[3] as string), { kind: "reordered", position: 2 }],
  [
    "an event inserted, the others renumbered",
    rewritten((all) => all.toSpliced(7, 0, all[7] as Line)),
    { kind: "changed", position: 4 },
  ],
  ["a rewritten event without the key", rewritten(renamed), { kind: "changed", position: 4 }],
  ["a rewritten log, signed by another key", rewritten(renamed, otherKey), { kind: "bad_signature", position: 0 }],
  [
    "checkpoints of another log",
    rewritten((all) => all, key, "crosszone-audit/test/other"),
    { kind: "bad_signature", position: 0 },
  ],
  [
    "a checkpoint before its last event",
    (lines) => lines.with(9, lines[10] as string).with(10, lines[9] as string),
    { kind: "missing", position: 4 },
  ],
  ["the last checkpoint dropped", (lines) => lines.slice(0, -1), { kind: "cut", position: 8 }],
  ["an older head at the end", (lines) => lines.with(13, lines[10] as string), { kind: "cut", position: 8 }],
  [
    "two different heads of one size",
    (lines) => [...lines, rewritten(renamed, key)(lines).at(-1) as string],
    { kind: "forked", position: 10 },
  ],
  ["an end that is cut off between checkpoints", (lines) => lines.slice(0, 8), { kind: "cut", position: 4 }],
  [
    "a member that is there twice",
    (lines) => lines.with(3, String(lines[3]).replace('"action":', '"action":"test.harmless","\\u0061ction":')),
    { kind: "duplicate_member", position: 0 },
  ],
  [
    "a member that is there twice in the header",
    (lines) => lines.with(0, String(lines[0]).replace('"origin":', '"origin":"crosszone-audit/other","origin":')),
    { kind: "duplicate_member", position: 0 },
  ],
  [
    "a member beside the event",
    change(3, (line) => void Object.assign(line, { approved_by: "U2" })),
    { kind: "unsigned_member", position: 2 },
  ],
  [
    "a member beside the content",
    change(3, ({ content }) => void Object.assign(content ?? {}, { reason: "no" })),
    { kind: "unsigned_member", position: 2 },
  ],
  [
    "a member of the header",
    change(0, (line) => void Object.assign(line, { note: "complete" })),
    { kind: "unsigned_member", position: 0 },
  ],
  [
    "a member beside a checkpoint",
    change(10, (line) => void Object.assign(line, { at: "2026-11-26" })),
    { kind: "unsigned_member", position: 8 },
  ],
  [
    "an event long before the one that it follows, signed with the key",
    rewritten(
      (all) => all.map((line) => (line.position === 6 ? { ...line, event: { ...line.event, at: dayBefore } } : line)),
      key,
    ),
    { kind: "time_reversed", position: 6 },
  ],
  ["a header alone", (lines) => lines.slice(0, 1), { kind: "empty", position: 0 }],
  [
    "a head of the former key after a change of the key",
    rewritten(
      (all) => all.map((line) => (line.position === 6 ? { ...line, event: { ...line.event, ...rekeyed } } : line)),
      key,
    ),
    { kind: "old_key", position: 4 },
  ],
])("V2: %s is found", async (_, tamper, expected) => {
  const { finding } = await verifyAudit(tamper(clean), { keys: [...keys, readPublicKey(publicKeyText(newKey))] });
  expect(finding).toMatchObject(expected);
});

test.each<[string, (lines: string[]) => string[], Pick<AuditFinding, "kind" | "position">]>([
  ["a log that ends at an earlier checkpoint", (lines) => lines.slice(0, 11), { kind: "cut", position: 8 }],
  [
    "an event that was deleted and the rest signed again with the key",
    rewritten(without6, key),
    { kind: "cut", position: 9 },
  ],
  [
    "an event that was changed and the rest signed again with the key",
    rewritten(renamed, key),
    { kind: "forked", position: 7 },
  ],
])("V2: only earlier checkpoints show %s", async (_, tamper, { kind, position }) => {
  const lines = tamper(clean);
  expect((await verifyAudit(lines, { keys })).finding).toBeUndefined();
  const since = read(clean)
    .flatMap(({ checkpoint = "" }) => checkpoint)
    .filter((note) => kind !== "cut" || note.includes("\n10\n"))
    .join("");
  const { finding } = await verifyAudit(lines, { keys, since });
  expect(finding).toMatchObject({ kind });
  expect(finding?.to ?? finding?.position).toBeGreaterThanOrEqual(position);
});

test("V2, V3: a clean log is clean, with erased content, a dropped middle checkpoint and all earlier checkpoints", async () => {
  const erased = change(3, (line) => void delete line.content)(clean);
  const since = read(clean)
    .flatMap(({ checkpoint = "" }) => checkpoint)
    .join("");
  expect(splitNotes(since)).toHaveLength(3);
  const verdict = await verifyAudit(remove(5)(erased), { keys, since });
  expect(verdict).toEqual({ origin: verdict.origin, events: 10, erased: 1, checkpoints: 2, uncompared: 0 });
});

test.each<[string, { readonly lines: string[]; readonly since?: string }, string]>([
  ["nothing", { lines: [] }, "empty"],
  ["a truncated line", { lines: ['{"format":'] }, "Line 1 is not a JSON object"],
  ["another file", { lines: ['{"a":1}'] }, "not the header"],
  ["earlier checkpoints that are none", { lines: ["{}"], since: "notes" }, "must have signed notes"],
])("V2: %s is not usable", async (_, { lines, since }, why) => {
  await expect(verifyAudit(lines, { keys, since })).rejects.toThrow(why);
});

test("V2: an altered base is found or not usable", async () => {
  const altered = change(0, ({ base }) => void (base.frontier = "AAAA"))(clean);
  await expect(verifyAudit(altered, { keys })).rejects.toThrow("base in the header is malformed");
  const moved = change(
    0,
    (line) => void (line.base = { size: 1, frontier: Buffer.alloc(32).toString("base64") }),
  )(clean);
  expect((await verifyAudit(remove(1)(moved), { keys })).finding).toMatchObject({ kind: "changed", position: 0 });
});

test("V2: a receipt proves its event and no other", async () => {
  expect((await verifyAudit([receipt], { keys })).finding).toBeUndefined();
  const changed = change(0, ({ event }) => void (event.action = "test.other"))([receipt]);
  expect((await verifyAudit(changed, { keys })).finding).toMatchObject({ kind: "changed", position: 2 });
  expect((await verifyAudit([receipt], { keys: [readPublicKey(publicKeyText(otherKey))] })).finding?.kind).toBe(
    "bad_signature",
  );
  const content = change(0, ({ content: of }) => void (of && (of.members["reason"] = "no")))([receipt]);
  expect((await verifyAudit(content, { keys })).finding?.kind).toBe("changed");
  const unsigned = change(0, (line) => void Object.assign(line, { approved_by: "U2" }))([receipt]);
  expect((await verifyAudit(unsigned, { keys })).finding?.kind).toBe("unsigned_member");
  const twice = receipt.replace('"event":', '"event":{},"event":');
  expect((await verifyAudit([twice], { keys })).finding?.kind).toBe("duplicate_member");
});

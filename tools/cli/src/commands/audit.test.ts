import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { AuditRecord } from "@crosszone/contracts";
import { tempFile } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { startFakeZone } from "../testing/fake-zone.ts";
import { runCli, testCommands } from "../testing/run-cli.ts";

/** Two events of a real log, with a checkpoint after each. */
const file = fileURLToPath(new URL("../testing/audit-export.jsonl", import.meta.url));
const exported = await readFile(file, "utf8");
const lines = exported.split("\n").slice(0, -1);
const key = "iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w=";
const noZone = "http://127.0.0.1:1";

const verify = (path: string, ...more: readonly string[]) =>
  runCli(noZone, ["audit", "verify", path, "--key", key, ...more]);

test("V2: audit verify ends with 0 for an intact log, without a zone", async () => {
  const { out, err, code } = await verify(file);
  expect([code, out, err]).toEqual([0, "The audit log is intact: 2 events, 2 checkpoints.\n", ""]);
  const keyFile = tempFile("audit.pub", `${key}\n`);
  const json = await runCli(noZone, ["audit", "verify", file, "--key", keyFile, "--json"]);
  expect(JSON.parse(json.out)).toMatchObject({ events: 2, erased: 0 });
});

test("V2: audit verify ends with 1 and names what was changed, and with 2 for what it can't read", async () => {
  const changed = await verify(tempFile("audit.jsonl", exported.replace('"id":"2"', '"id":"3"')));
  expect([changed.code, changed.out]).toEqual([
    1,
    "CHANGED at event 1 (940790e4-e9cf-42d4-a5a9-cec6b8026693): The event does not have its hash.\n",
  ]);
  const { checkpoint } = JSON.parse(lines[4] as string) as { checkpoint: string };
  const cut = await verify(
    tempFile("cut.jsonl", `${lines.slice(0, 3).join("\n")}\n`),
    "--since",
    tempFile("anchor.txt", checkpoint),
  );
  expect([cut.code, cut.out]).toEqual([1, "CUT at event 1: An earlier checkpoint covers 2 events.\n"]);
  for (const [path, words] of [
    [tempFile("torn.jsonl", exported.slice(0, -5)), "Line 5 is not a JSON object"],
    ["/nowhere/audit.jsonl", "no such file"],
  ] as const)
    expect(await verify(path)).toMatchObject({ code: 2, err: expect.stringContaining(words) as string });
  expect((await runCli(noZone, ["audit", "verify", file])).err).toContain("--key is missing");
});

const record = JSON.parse(lines[1] as string) as AuditRecord;
const hostile = { ...record, position: null, event: { ...record.event, actor: { type: "bot", id: "B\u001b[2J" } } };
const byToken = { ...record.event, actor: { type: "token", id: "ci" }, details: { token: "revoked" } };
const erased = { ...record, event: byToken };
const leftOut = "Reads of content are left out: --reads shows them too.\n";
const content = { salt: "c2FsdA==", members: { address: "203.0.113.7", client: "curl/8" } };

testCommands(
  {
    "GET /audit/events?limit=20&actor=person%3AU1&reads=false": { events: [hostile, record] },
    "GET /audit/events?limit=20&actor=token%3Aci&reads=true": { events: [erased] },
    "GET /audit/events?limit=20&action=content.read&reads=true": { events: [] },
    "GET /audit/events?limit=20&reads=false": { events: [{ ...erased, content }, erased] },
    "GET /audit/export?format=jsonl": (response) => void response.writeHead(200).end(exported),
    "GET /audit/checkpoint": { origin: "o", public_key: key, size: 2, waiting: 0 },
  },
  [
    [
      "audit list is a table",
      "audit list --actor person:U1",
      { err: leftOut, out: /\nwaits +\S+ +bot:B\\u001b\[2J +input\.decide +input:1 +done/ },
    ],
    [
      "O3, Q33: audit list had no address, and a revoked token no name; reads are left out, and that is said",
      "audit list",
      { err: leftOut, out: /OUTCOME +FROM\n.* token:ci \(revoked\) .* 203\.0\.113\.7\n(?!.*203)/ },
    ],
    [
      "Q33: reads are shown to whoever asks for them",
      "audit list --actor token:ci --reads",
      { out: [/token:ci/], err: "" },
    ],
    ["Q33: and to whoever names them", "audit list --action content.read", { out: "No audit events.\n" }],
    ["audit export streams", "audit export", { out: exported }],
    ["audit key prints the key", "audit key", { out: `${key}\n` }],
    ["an unknown zone has no key", "audit key --zone other", { code: 2, err: /./ }],
  ],
);

test("audit list merges both zones by time; with --zone it shows one", async () => {
  const listOf = (action: string, ...seconds: readonly number[]) => ({
    events: seconds.map((s) => ({
      ...record,
      event: { ...record.event, action, at: `2026-11-21T00:00:0${s}.000Z` },
    })),
    next: 1,
  });
  const line = "GET /audit/events?limit=3&reads=false";
  const [execution, verification] = await Promise.all([
    startFakeZone({ [line]: listOf("input.decide", 5, 2) }),
    startFakeZone({ [line]: listOf("question.reject", 4, 3) }),
  ]);
  const list = (...more: readonly string[]) =>
    runCli(execution.url, ["audit", "list", "--limit", "3", ...more], {
      env: { CROSSZONE_VERIFICATION_URL: verification.url },
    });
  const { out } = await list();
  expect(out.split("\n").map((row) => row.split(/ +/)[0])).toEqual([
    "ZONE",
    "execution",
    "verification",
    "verification",
    "",
  ]);
  expect((await list("--zone", "execution")).out).not.toMatch(/ZONE|verification/);
  const { events } = JSON.parse((await list("--json")).out) as { events: { zone: string; event: { at: string } }[] };
  expect(events.map(({ zone, event }) => [zone, event.at.at(-6)])).toEqual([
    ["execution", "5"],
    ["verification", "4"],
    ["verification", "3"],
  ]);
});

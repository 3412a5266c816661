import { createPublicKey, type KeyObject } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { AuditInputError, linesOf, readPublicKey, verdictText, verifyAudit } from "@crosszone/audit/verify";
import type { AuditEvent } from "@crosszone/contracts";
import { shortId } from "@crosszone/service-kit/text";
import { type ApiClient, createApiClient } from "../api/api-client.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { narrowOptions, pageOptions, readPage, readRange } from "../program/options.ts";
import { exitCodes, type Session, UsageError, viewHint } from "../program/session.ts";
import { harmlessLine, momentText, ownName } from "../text/terminal-text.ts";
import { personIn } from "../program/unknown-names.ts";

const zoneOption = { flags: "--zone <zone>", help: "execution or verification (default: execution)" } as const;

/** Returns the client of the zone that the option names. */
function auditOf({ api, verification }: Session, zone = "execution"): ApiClient["audit"] {
  if (zone === "execution") return api().audit;
  if (zone !== "verification") throw new UsageError(`--zone must be execution or verification, got "${zone}".`);
  const address = verification();
  if (address !== undefined) return createApiClient(address).audit;
  throw new UsageError(`--zone verification needs ${viewHint}`);
}

export const auditListCommand: Command = defineCommand({
  name: "audit list",
  summary: "Lists audit events, latest first: who did what, when and where.",
  options: {
    actor: { flags: "--actor <actor>", help: "only events of this actor, such as person:U1" },
    action: { flags: "--action <action>", help: "only events of this action, such as input.decide" },
    person: { ...narrowOptions.person, help: "only acts of this person or program" },
    reads: { flags: "--reads", help: "also reads of content" },
    since: narrowOptions.since,
    until: narrowOptions.until,
    limit: pageOptions.limit,
    zone: { ...zoneOption, help: "execution or verification (default: both if CROSSZONE_VERIFICATION_URL is set)" },
    json: jsonOption,
  },
  examples: [
    ["crosszone audit list --person U0ALICE0001 --since 7d", "what a person did in the last seven days"],
    ["crosszone audit list --actor token:ci --since 10m --reads", "what a token did and read just now"],
  ],
  run: async ({ values }, session) => {
    const { person, action, zone } = values;
    if (person !== undefined && values.actor !== undefined)
      throw new UsageError("--person can't be combined with --actor.");
    const range = readRange({ since: values.since, until: values.until });
    const who = person === undefined ? undefined : await personIn(person, session);
    const actor = who === undefined ? values.actor : who.includes(":") ? who : `person:${who}`;
    const { limit } = readPage(values);
    // Whoever names reads sees them.
    const reads = values.reads === true || action === "content.read";
    const isBoth = zone === undefined && session.verification() !== undefined;
    const names: Record<string, string | undefined> = {};
    const lists = await Promise.all(
      (isBoth ? ["execution", "verification"] : [zone]).map(async (of) => {
        const list = await auditOf(session, of).list({ limit, actor, action, reads, ...range });
        Object.assign(names, list.names);
        return { ...list, events: list.events.map((one) => (isBoth ? { zone: of, ...one } : one)) };
      }),
    );
    const merged = lists.flatMap(({ events }) => events);
    const events = merged
      .toSorted((one, other) => Date.parse(other.event.at) - Date.parse(one.event.at))
      .slice(0, limit);
    const rows = events.map(({ position, event, content, ...of }) => [
      ...("zone" in of ? [String(of.zone)] : []),
      position === null ? "waits" : String(position),
      momentText(event.at, session.stdout),
      harmlessLine(actorText(event, names)),
      harmlessLine(event.action),
      harmlessLine(`${event.target.type}:${shortId(event.target.id)}`),
      event.outcome,
      harmlessLine(addressIn(content?.members)),
    ]);
    const head = [...(isBoth ? ["ZONE"] : []), "POSITION", "TIME", "ACTOR", "ACTION", "TARGET", "OUTCOME", "FROM"];
    const json = isBoth ? { events } : lists[0];
    const notice = reads ? "" : "Reads of content are left out: --reads shows them too.\n";
    return { json, text: { head, rows, none: "No audit events." }, notice };
  },
});

const addressIn = ({ address }: Readonly<Record<string, unknown>> = {}): string =>
  typeof address === "string" ? address : "";

/** Tells a token that was revoked or has expired from a live one. */
function actorText({ actor, details }: AuditEvent, names: Readonly<Record<string, string | undefined>>): string {
  const ended = details?.["token"];
  return `${names[actor.id] ?? `${actor.type}:${actor.id}`}${typeof ended === "string" ? ` (${ended})` : ""}`;
}

export const auditExportCommand: Command = defineCommand({
  name: "audit export",
  summary: "Exports the audit log, one JSON object a line, for audit verify or, as OCSF, for a SIEM.",
  options: { format: { flags: "--format <format>", help: "jsonl or ocsf (default: jsonl)" }, zone: zoneOption },
  examples: [
    ["crosszone audit export > audit.jsonl", "the log of the execution zone"],
    ["crosszone audit export --format ocsf", "its events as OCSF API Activity"],
  ],
  run: async ({ values: { format = "jsonl", zone } }, session) => {
    const stop = new AbortController();
    const release = session.onInterrupt(() => stop.abort());
    try {
      const { body } = await auditOf(session, zone).export(format, stop.signal);
      if (body !== null) await pipeline(body, session.stdout, { end: false });
      return exitCodes.done;
    } catch (error) {
      if (stop.signal.aborted) return exitCodes.interrupted;
      throw error;
    } finally {
      release();
    }
  },
});

export const auditKey: Command = defineCommand({
  name: "audit key",
  summary: "Prints the public key that verifies the audit log. Keep it where the zone can't change it.",
  options: { zone: zoneOption, json: jsonOption },
  examples: [["crosszone audit key > audit.pub", "the key of the execution zone"]],
  run: async ({ values: { zone } }, session) => {
    const head = await auditOf(session, zone).head();
    return { json: head, text: `${harmlessLine(head.public_key)}\n` };
  },
});

export const verifyCommand: Command = defineCommand({
  name: "audit verify",
  summary: "Verifies an export or a receipt, and names the first event that was changed. Needs no zone.",
  operands: ["<file>"],
  options: {
    key: { flags: "--key <key>", help: "the public key, or a file with one or several" },
    since: { flags: "--since <file>", help: "earlier checkpoints, which were kept elsewhere" },
    json: jsonOption,
  },
  examples: [
    ["crosszone audit verify audit.jsonl --key audit.pub", "is the log as it was signed?"],
    [
      "crosszone audit verify audit.jsonl --key audit.pub --since anchor.txt",
      "does it still have all of these checkpoints?",
    ],
  ],
  run: async ({ values: { key, since }, operands: [file = ""] }) => {
    if (key === undefined) throw new UsageError(`--key is missing: the output of ${ownName} audit key, or its file.`);
    const keys = await readKeys(key);
    const earlier = since === undefined ? undefined : await readFile(since, "utf8").catch(unreadable);
    try {
      const verdict = await verifyAudit(linesOf(createReadStream(file)), { keys, since: earlier });
      return { json: verdict, text: `${harmlessLine(verdictText(verdict))}\n`, isDone: verdict.finding === undefined };
    } catch (error) {
      if (error instanceof AuditInputError) throw new UsageError(error.message, { cause: error });
      return unreadable(error);
    }
  },
});

/** Reads a key in base64, or a file with such keys, one a line, or one in PEM. */
async function readKeys(text: string): Promise<readonly KeyObject[]> {
  if (/^[\w+/]{43}=$/.test(text)) return [readPublicKey(text)];
  const content = await readFile(text, "utf8").catch(unreadable);
  try {
    if (content.startsWith("-----BEGIN")) return [createPublicKey(content)];
    return content.trim().split(/\s+/).map(readPublicKey);
  } catch (error) {
    throw new UsageError(`--key: ${(error as Error).message}`, { cause: error });
  }
}

function unreadable(error: unknown): never {
  if ((error as NodeJS.ErrnoException).path === undefined) throw error;
  throw new UsageError((error as Error).message, { cause: error });
}

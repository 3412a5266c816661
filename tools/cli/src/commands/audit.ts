import { createPublicKey, type KeyObject } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { AuditInputError, linesOf, readPublicKey, verdictText, verifyAudit } from "@crosszone/audit/verify";
import type { AuditEvent, Names } from "@crosszone/contracts";
import { shortId } from "@crosszone/service-kit/text";
import { type ApiClient, createApiClient } from "../api/api-client.ts";
import { operationFacts } from "../generated/operations.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { nextNotice, nextOf, readName } from "../program/options.ts";
import { optionsOf, readParameters } from "../program/parameter-options.ts";
import { actRow } from "../program/row.ts";
import { exitCodes, type Session, UsageError, viewHint } from "../program/session.ts";
import { harmlessLine, momentText, ownName } from "../text/terminal-text.ts";
import { personIn } from "./ask/tasks.ts";

const formats = ["jsonl", "ocsf"] as const;
const zoneOption = { flags: "--zone <zone>", help: "execution or verification (default: execution)" } as const;

/** Returns the client of the zone that the option names. */
function auditOf({ api, verification }: Session, zone = "execution"): ApiClient {
  if (zone === "execution") return api();
  if (zone !== "verification") throw new UsageError(`--zone must be execution or verification, got "${zone}".`);
  const address = verification();
  if (address !== undefined) return createApiClient(address);
  throw new UsageError(`--zone verification needs ${viewHint}`);
}

const events = operationFacts.listAuditEvents.parameters.filter(({ name }) => name !== "reads");

const auditList: Command = defineCommand({
  name: "audit list",
  summary: "Lists audit events, latest first: who did what, when and where.",
  options: {
    person: { flags: "--person <person>", help: "only acts of this person or program" },
    reads: { flags: "--reads", help: "also reads of content" },
    zone: { ...zoneOption, help: "execution or verification (default: both if CROSSZONE_VERIFICATION_URL is set)" },
    ...optionsOf(events),
    json: jsonOption,
  },
  examples: [
    ["crosszone audit list --person U0ALICE0001 --since 7d", "what a person did in the last seven days"],
    ["crosszone audit list --actor token:ci --since 10m --reads", "what a token did and read just now"],
  ],
  run: async ({ values: { person, zone, reads: hasReads, ...values } }, session) => {
    const asked = await readParameters(events, { command: "audit list", operands: new Map(), values }, session);
    if (person !== undefined && asked["actor"] !== undefined)
      throw new UsageError("--person can't be combined with --actor.");
    const who = person === undefined ? undefined : await personIn(person, session);
    const actor = who === undefined ? asked["actor"] : who.includes(":") ? who : `person:${who}`;
    // Whoever names reads sees them.
    const reads = hasReads === true || asked["action"] === "content.read";
    const isBoth = zone === undefined && session.verification() !== undefined;
    if (isBoth && asked["cursor"] !== undefined) throw new UsageError("--cursor is of one zone: name it with --zone.");
    const lists = await Promise.all(
      (isBoth ? ["execution", "verification"] : [zone]).map(async (of) => {
        const list = await auditOf(session, of).callWith("listAuditEvents", { ...asked, actor, reads });
        return { ...list, of: isBoth ? of : undefined };
      }),
    );
    const names: Names = Object.assign({}, ...lists.map((list) => list.names));
    const found = lists
      .flatMap(({ events: each, of }) => each.map((one) => ({ ...(of !== undefined && { zone: of }), ...one })))
      .toSorted((one, other) => Date.parse(other.event.at) - Date.parse(one.event.at))
      .slice(0, Number(asked["limit"]));
    const rows = found.map(({ position, event, content, ...of }) => [
      ...("zone" in of ? [of.zone ?? ""] : []),
      position === null ? "waits" : String(position),
      momentText(event.at, session.stdout),
      actorText(event, names),
      event.action,
      `${event.target.type}:${shortId(event.target.id)}`,
      event.outcome,
      addressIn(content?.members),
    ]);
    const head = [...(isBoth ? ["ZONE"] : []), "POSITION", "TIME", "ACTOR", "ACTION", "TARGET", "OUTCOME", "FROM"];
    const { of: _, ...only } = lists[0] ?? { of: undefined };
    const leftOut = reads ? "" : "Reads of content are left out: --reads shows them too.\n";
    const notice = leftOut + (isBoth ? "" : nextNotice(nextOf(only)));
    return { json: isBoth ? { events: found } : only, text: { head, rows, none: "No audit events." }, notice };
  },
});

const addressIn = ({ address }: Readonly<Record<string, unknown>> = {}): string =>
  typeof address === "string" ? address : "";

/** Tells a token that was revoked or has expired from a live one. */
function actorText({ actor, details }: AuditEvent, names: Readonly<Record<string, string | undefined>>): string {
  const ended = details?.["token"];
  return `${names[actor.id] ?? `${actor.type}:${actor.id}`}${typeof ended === "string" ? ` (${ended})` : ""}`;
}

const auditExport: Command = defineCommand({
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
      const { body } = await auditOf(session, zone).open(
        "exportAudit",
        { format: readName("--format", format, formats) },
        stop.signal,
      );
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

const auditKey = actRow({
  name: "audit key",
  operation: "getAuditCheckpoint",
  summary: "Prints the public key that verifies the audit log. Keep it where the zone can't change it.",
  options: { zone: zoneOption },
  examples: [["crosszone audit key > audit.pub", "the key of the execution zone"]],
  zone: (session, { values: { zone } }) => auditOf(session, zone),
  show: (head) => `${harmlessLine(head.public_key)}\n`,
});

const auditVerify: Command = defineCommand({
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

/** In the order of the help. */
export const auditCommands: readonly Command[] = [auditList, auditExport, auditKey, auditVerify];

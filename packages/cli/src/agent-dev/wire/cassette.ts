import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hideSecrets } from "@crosszone/service-kit";
import { UsageError } from "../../program/errors.ts";
import { readJson } from "../../text/read-json.ts";
import type { AgentAnswer } from "../talk/agent-answer.ts";
import type { UserMessage } from "../talk/converse.ts";
import type { Turn } from "./conversations.ts";
import type { WireExchange } from "./wire-exchange.ts";

/** A recorded conversation with an agent: what people wrote, what it answered last, and everything that went over the wire. */
export interface Cassette {
  readonly name: string;
  /** RFC 3339. */
  readonly recorded_at: string;
  readonly messages: readonly UserMessage[];
  /** The answer to the last message. */
  readonly answer: AgentAnswer;
  readonly wire: readonly WireExchange[];
}

/** Returns a conversation as a cassette. Throws a `UsageError` when it has no answer. */
export function cassetteOf(path: string, turns: readonly Turn[]): Cassette {
  const answer = turns.at(-1)?.answer;
  if (answer === undefined)
    throw new UsageError("There is no answered conversation to save. Ask a question first, and wait for its answer.");
  const wire = turns.flatMap(({ exchanges }) => exchanges);
  const messages = turns.map(({ message }) => message);
  return { name: path.replace(/^.*\/|\.json$/g, ""), recorded_at: wire[0]?.at ?? "", messages, answer, wire };
}

/** Returns the file of a cassette: `cassettes/<name>.json`, or the name itself when it is a path of a .json file. */
export function cassettePath(name: string): string {
  if (name.endsWith(".json")) return name;
  if (!/^[\w][\w .-]*$/.test(name))
    throw new UsageError(`A cassette's name has letters, digits, "-", "_" and ".", got "${name}".`);
  return join("cassettes", `${name}.json`);
}

/** Writes a cassette without these secrets and without everything that looks like one. */
export function writeCassette(path: string, cassette: Cassette, secrets: readonly string[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(cleaned(cassette, secrets), undefined, 2)}\n`);
}

/** Reads the messages and the answer of a cassette. Throws a `UsageError` when it has none. */
export function readCassette(path: string): Cassette {
  const read = readJson(textOf(path));
  if ("problem" in read) throw new UsageError(`${path} is not JSON: ${read.problem}`);
  const { messages = [], answer = {}, recorded_at, wire = [] } = (read.value ?? {}) as WrittenCassette;
  const { state = "completed", text, data = [], files = [] } = answer;
  const isUsable = Array.isArray(messages) && messages.length > 0 && messages.every(({ text: said }) => isText(said));
  if (!isUsable || !isText(text))
    throw new UsageError(`${path} is not a cassette. Record one: crosszone agent dev <file>, then /save <name>.`);
  const at = recorded_at ?? new Date().toISOString();
  return { name: path, recorded_at: at, messages, answer: { state, text, data, files }, wire };
}

/** A cassette as it stands in a file, which a person can edit. */
type WrittenCassette = Partial<Omit<Cassette, "answer">> & { readonly answer?: Partial<AgentAnswer> };

const isText = (value: unknown): value is string => typeof value === "string";

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new UsageError(`${path} can't be read. Name a cassette.`);
  }
}

/** Each text is checked separately: as a whole, JSON about tokens would look like a secret. */
function cleaned(value: unknown, secrets: readonly string[]): unknown {
  const forms = secrets.filter((secret) => secret.length >= 8).flatMap(formsOf);
  const known = [...new Set(forms)].toSorted((a, b) => b.length - a.length);
  const hide = (text: string): string => known.reduce((rest, form) => rest.replaceAll(form, "[hidden]"), text);
  const clean = (part: unknown): unknown => {
    if (typeof part === "string") return hideSecrets(hide(part));
    if (Array.isArray(part)) return part.map(clean);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [hide(name), clean(member)]));
  };
  return clean(value);
}

/** Returns a secret as texts contain it: as it is, within JSON, within JSON in a JSON text, and in a URL. */
function formsOf(secret: string): readonly string[] {
  const quoted = JSON.stringify(secret).slice(1, -1);
  return [secret, quoted, JSON.stringify(quoted).slice(1, -1), encodeURIComponent(secret)];
}

const credentialName =
  /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|DSN)S?(_|$)|(^|_)(PAT|PASS|CREDS)(_|$)|_(PWD|AUTH)$/i;

/** Returns the values of the environment that are credentials by their names, and the members of lists of them. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    const isSecret = credentialName.test(name) && !/_(FILE|DIR|PATH|URL|ORIGINS|SOCK)$/i.test(name);
    return isSecret ? [value, value.trim(), ...value.split(",").map((member) => member.trim())] : [];
  });
}

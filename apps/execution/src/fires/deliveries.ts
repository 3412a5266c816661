import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import {
  type AuditEvent,
  type FireState,
  type HookRefusals,
  type HookSettings,
  type ParamProblem,
  ZoneError,
} from "@crosszone/contracts";
import { JsonTextError, parseExactJson, pointerStep } from "@crosszone/contracts/json";
import { ownMember } from "@crosszone/service-kit/json";
import { isoTime } from "@crosszone/service-kit/text";
import { columnText, retryBriefly } from "@crosszone/sql";
import { PlanFault, WorkflowFault, type Workflows } from "@crosszone/workflow";
import type { ExecutionDatabase } from "../store/open-execution-database.ts";
import type { Fires } from "./fire-store.ts";
import { type Hook, type HookContent, valueAt } from "./hook-settings.ts";

/** A request whose sender has proved itself. */
interface HookDelivery {
  readonly headers: NodeJS.ReadOnlyDict<readonly string[]>;
  /** As it arrived. */
  readonly bytes: Buffer;
  readonly isForm: boolean;
  /** The delivery's id, if it is signed. */
  readonly signedId: string | undefined;
}

/** What a delivery started, now or before, as its sender reads it. */
type AcceptedDelivery =
  | { readonly fire_id: string; readonly state: FireState; readonly url: string; readonly isNew: boolean }
  | { readonly event_id: string; readonly isNew: boolean }
  | { readonly ignored: string; readonly isNew?: undefined }
  /** Slack checks with it that the URL is the hook's. */
  | { readonly challenge: string; readonly isNew?: undefined };

export interface RefusedDelivery {
  readonly refused: "body_invalid" | "schema_mismatch" | "mapping_failed" | "cap_used" | "busy";
  readonly problems?: readonly ParamProblem[];
  readonly retryAfterMs?: number;
}

/** A repeated delivery is the same fire for this long, milliseconds. */
const knownMs = 7 * 86_400_000;

/** When a delivery can be sent again that waited too long for its check, milliseconds. */
const busyMs = 5_000;

/** As in `Fire` and in the step that waits, characters. */
const longestText = 100_000;
const longestKey = 1_000;
const longestTitle = 100;

/** Where senders say what happened: the first counts. */
const eventPlaces = ["x-github-event", "x-gitlab-event", "/event/type", "/event/event_type", "/type", "/status"];

/** Returns what happened, such as `issues opened`: what looks like a name in the usual places, and in those of `only`. */
function eventOf({ only = {} }: HookSettings, content: HookContent): string {
  const isName = (value: unknown): boolean => typeof value === "string" && /^\w[\w .:/-]{0,63}$/.test(value);
  const named = (places: readonly string[]) => places.map((place) => valueAt(place, content)).filter(isName);
  return [...new Set([...named(eventPlaces).slice(0, 1), ...named(["/action", ...Object.keys(only)])])].join(" ");
}

/** Where a delivery goes. */
export interface AcceptDeliveryDeps {
  readonly fires: Fires;
  readonly workflows: { readonly publish: Workflows["publish"] };
  readonly maxDepth: number;
}

/** Returns a function that stores what a delivery starts, once for all its repetitions and all processes. It waits for nothing that it starts. */
export function createAcceptDelivery({ fires, workflows, maxDepth }: AcceptDeliveryDeps) {
  /** Returns the id of a delivery's fire, and the fire if it is stored. After seven days the same delivery has another. */
  async function find(name: string, occasion: string) {
    for (let id = idOf(name, occasion); ; id = idOf(id, occasion)) {
      const known = await fires.find(id);
      if (known === undefined || known.created_at > Date.now() - knownMs) return { id, known };
    }
  }

  async function start({ settings, fill }: Hook, content: HookContent, occasion: string) {
    const { name, title, owner, agent = "", input, channel, thread_ts, event, cap = {} } = settings;
    if (event !== undefined) {
      const id = idOf(name, occasion);
      const key = textOf(fill(content), longestKey);
      const { is_new } = await workflows.publish({ name: event.name, key, id, payload: content.body });
      return { event_id: id, isNew: is_new };
    }
    const { id, known } = await find(name, occasion);
    const accepted = { fire_id: id, url: `/api/v1/fires?source=hook&name=${name}` };
    if (known !== undefined) return { ...accepted, state: known.state, isNew: false };
    const text = textOf(input === undefined ? fill(content) : JSON.stringify(fill(content)), longestText);
    const occurred = [title ?? name, eventOf(settings, content)].filter((part) => part !== "").join(": ");
    const asked = {
      title: occurred.slice(0, longestTitle).toWellFormed(),
      owner,
      agent,
      text,
      channel,
      thread_ts,
      cap,
    };
    const stored = await fires.add({ fire_id: id, source: "hook", name, scheduledAt: Date.now(), ...asked });
    if (stored === "cap") return { refused: "cap_used" } as const;
    return { ...accepted, state: "due" as const, isNew: stored === "added" };
  }

  return async (hook: Hook, delivery: HookDelivery): Promise<AcceptedDelivery | RefusedDelivery> => {
    try {
      const body = readDeliveryBody(delivery, { maxDepth, areTexts: (pointer) => !hook.needsNumber(pointer) });
      const challenge = challengeIn(hook.settings, body);
      if (challenge !== undefined) return { challenge };
      const content = { headers: readableHeaders(hook.settings, delivery), body };
      const unwanted = hook.whyUnwanted(content);
      if (unwanted !== undefined) return { ignored: unwanted };
      const problems = await hook.check(body);
      if (problems.length > 0) return { refused: "schema_mismatch", problems };
      return await start(hook, content, occasionOf(hook.settings, content, delivery));
    } catch (error) {
      if (error instanceof JsonTextError) return { refused: "body_invalid", problems: error.problems };
      const isLate = error instanceof DOMException && error.name === "TimeoutError";
      if (isLate || (error instanceof ZoneError && error.kind === "rate_limited"))
        return { refused: "busy", retryAfterMs: busyMs };
      if (!(error instanceof WorkflowFault || error instanceof PlanFault)) throw error;
      const pointer = error instanceof WorkflowFault ? error.pointer : "";
      return { refused: "mapping_failed", problems: [{ pointer, message: error.message }] };
    }
  };
}

export type AcceptDelivery = ReturnType<typeof createAcceptDelivery>;

/** Returns what identifies a delivery: its id, or else its bytes. An id outside the signature could be replaced, so it must be configured. */
function occasionOf({ id: where }: HookSettings, content: HookContent, { signedId, bytes }: HookDelivery): string {
  const given = where === undefined ? signedId : valueAt(where, content);
  const isId = (typeof given === "string" && given !== "") || typeof given === "number";
  return isId ? `id ${String(given)}` : `body ${hash("sha256", bytes)}`;
}

/** Returns a UUID of a digest. https://www.rfc-editor.org/rfc/rfc9562#section-5.8 */
function idOf(...names: readonly string[]): string {
  const hex = hash("sha256", JSON.stringify(names));
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}

function textOf(filled: unknown, longest: number): string {
  const text = typeof filled === "string" ? filled : JSON.stringify(filled);
  if (text !== "" && text.length <= longest) return text;
  throw new WorkflowFault("mapping_failed", `The result has ${text.length} characters, expected 1 to ${longest}.`);
}

/** Returns what Slack sends, and wants back, before it uses a URL. https://docs.slack.dev/reference/events/url_verification */
function challengeIn({ sign }: HookSettings, body: unknown): string | undefined {
  const challenge = ownMember(body, "challenge");
  const isCheck = sign.kind === "slack" && ownMember(body, "type") === "url_verification";
  return isCheck && typeof challenge === "string" ? challenge : undefined;
}

/** The most fields of a form, as in PHP, and the most of its problems that are named. */
const [mostFields, mostProblems] = [1_000, 20];

const repeatedProblem = (name: string): ParamProblem => ({
  pointer: pointerStep(name),
  message: "is there twice: keep one",
});

/**
 * Returns JSON, the JSON in the field `payload` of a form, or else the form's fields. A number that would change, and is not needed as one,
 * becomes its text: its sender can't send it otherwise. Throws a `JsonTextError`.
 */
function readDeliveryBody({ bytes, isForm }: HookDelivery, exact: Parameters<typeof parseExactJson>[1]): unknown {
  if (!isForm) return parseExactJson(bytes, exact);
  // Old senders write Latin-1.
  const text = bytes.toString(isUtf8(bytes) ? "utf8" : "latin1");
  const count = text.split("&", mostFields + 1).length;
  if (count > mostFields) throw new JsonTextError("not_json", `has more than ${mostFields} fields`);
  const body = new Map<string, string>();
  const twice = new Set<string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (body.has(name)) twice.add(name);
    body.set(name, value);
  }
  if (twice.size > 0) throw new JsonTextError("duplicate", [...twice].map(repeatedProblem).slice(0, mostProblems));
  const payload = body.get("payload");
  return payload === undefined ? Object.fromEntries(body) : parseExactJson(payload, exact);
}

/** Headers that a template must not repeat. */
const credentials = ["authorization", "proxy-authorization", "cookie"];

/** Returns the headers that are there once. */
function readableHeaders({ sign }: HookSettings, { headers }: HookDelivery): HookContent["headers"] {
  const hidden = [...credentials, sign.header];
  const all = Object.entries(headers).filter(([name]) => !hidden.includes(name));
  return Object.fromEntries(all.flatMap(([name, values]) => (values?.length === 1 ? [[name, values[0]]] : [])));
}

/** How far back refusals are looked for, milliseconds. */
const recentMs = 86_400_000;
/** The most refusals of one hook that are read. */
const mostRefusals = 1_000;

/**
 * Returns which deliveries of a hook were refused in the last 24 hours, and why, as the audit log has them: at most sixty a minute. Undefined
 * if none was.
 */
export async function readRefusals({ db }: ExecutionDatabase, name: string): Promise<HookRefusals | undefined> {
  const refused = db
    .selectFrom("audit_event")
    .select(["at", "event"])
    .where("target", "=", columnText(`hook:${name}`))
    .where("action", "=", "hook.deliver")
    .where("outcome", "=", "rejected")
    .where("at", ">=", Date.now() - recentMs);
  const rows = await retryBriefly(() => refused.orderBy("id", "desc").limit(mostRefusals).execute());
  const [latest] = rows;
  if (latest === undefined) return undefined;
  const reasons = new Map<string, number>();
  for (const { event } of rows) {
    const { details } = JSON.parse(event) as AuditEvent;
    const reason = String(details?.["because"]);
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const counted = Array.from(reasons, ([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count);
  return { count: rows.length, last_at: isoTime(latest.at), reasons: counted };
}

/** What an operator can do about a reason. */
const advice: Readonly<Record<string, string>> = {
  signature_missing: "Let its sender sign, or correct its `sign`.",
  signature_wrong: "Compare its secret with the sender's, and its `sign` with docs/hooks.md.",
  timestamp_wrong: "Correct the clock of this machine, or that of the sender.",
  secret_unavailable: "Set its secret.",
  too_many: "Raise its `per_minute`.",
  cap_used: "Raise its `cap`.",
  too_large: "Raise its `max_bytes`.",
  busy: "Make its `schema` faster to check: its deliveries wait for each other.",
  schema_mismatch: "Correct its `schema`, or what its sender sends.",
  mapping_failed: "Correct its `if` or its template: the answer to its sender says where.",
};

/** Returns what the refusals of a hook are, for operators, and what to do about the most frequent. */
export function describeRefusals(
  name: string,
  { count, reasons }: HookRefusals,
): readonly [says: string, todo: string] {
  const all = reasons.map((one) => `${one.reason} ${one.count}`).join(", ");
  const todo = advice[reasons[0]?.reason ?? ""] ?? "The log has each: hook_refused.";
  const deliveries = count === 1 ? "a delivery" : `${count} deliveries`;
  return [`${name} refused ${deliveries} in 24 hours (${all})`, `${name}: ${todo}`];
}

import { cardUrls, isCardLike, parseCard } from "@crosszone/agent-bridge/wire";
import type { AgentSettings } from "@crosszone/contracts";
import type { ApiClient } from "../api/api-client.ts";
import { RefusedError } from "../api/send.ts";
import { harmless, harmlessLine, ownName } from "../text/terminal-text.ts";
import type { DevZone } from "./dev-zone.ts";

/** What the command line says about the agent in Slack. */
export interface PresenceRequest {
  /** Overrides the card's name. */
  readonly name?: string;
  readonly protocol?: string;
}

/** The agent at a zone, and so in Slack. */
export class Presence {
  readonly #request: PresenceRequest & { readonly fallback: string };
  readonly #zone: Promise<DevZone | undefined>;
  readonly #write: (line: string) => void;
  #last: Promise<unknown> = Promise.resolve();
  #registered: { readonly as: string; readonly remove: () => Promise<void> } | undefined;

  /** `fallback`: the name of an agent whose card has none. */
  constructor(
    request: PresenceRequest & { readonly fallback: string },
    zone: Promise<DevZone>,
    write: (line: string) => void,
  ) {
    this.#request = request;
    this.#zone = zone.catch(() => undefined);
    this.#write = write;
  }

  /** Registers the agent once there is a zone; again when its card changed, because the zone keeps cards for minutes. Reports problems, never rejects. */
  async show(url: string): Promise<void> {
    this.#last = this.#last.then(() => this.#register(url)).catch((error: unknown) => this.#report(error as Error));
    await this.#last;
  }

  async #register(url: string): Promise<void> {
    const zone = await this.#zone;
    if (zone === undefined) return;
    const card = await findCard(url);
    const as = JSON.stringify([url, card]);
    if (this.#registered?.as === as) return;
    await this.#registered?.remove();
    this.#registered = undefined;
    const { name: given, protocol, fallback } = this.#request;
    const name = given ?? agentName(card["name"], fallback);
    const description = typeof card["description"] === "string" ? card["description"] : "";
    const remove = await register(zone.api, { name, url, description, protocol });
    this.#registered = { as, remove };
    const { status, problem = "It can't be reached." } = await zone.api.call("checkAgent", { name });
    const lines = status === "unhealthy" ? [`${name} can't be asked. ${problem}`] : placesOf(name, zone.slackUrl);
    for (const line of lines) this.#write(harmlessLine(line));
  }

  #report(error: Error): void {
    const { kind, problems } = error instanceof RefusedError ? error : { kind: "", problems: [] };
    const advice = kind === "name-taken" ? ["Choose another name with --name."] : [];
    this.#write(
      harmless(["Not in Slack:", error.message, ...problems.map(({ message }) => message), ...advice].join(" ")),
    );
  }

  /** Removes the agent from the zone, and ends the zone if it was started for it. */
  readonly close = async (): Promise<void> => {
    const zone = await this.#zone;
    await this.#last;
    await this.#registered
      ?.remove()
      .catch((error: Error) => this.#write(`The agent could not be removed from the zone. ${harmless(error.message)}`));
    await zone?.stop();
  };
}

/** Returns where to ask an agent, and where its requests and responses are shown. */
function placesOf(name: string, slackUrl: string | undefined): readonly string[] {
  if (slackUrl === undefined)
    return [`In Slack: ask ${name}: …`, `With its request and response: ${ownName} agents test ${name}`];
  const at = slackUrl.endsWith(":3100") ? "" : ` --url ${slackUrl}`;
  return [
    `In ${slackUrl}: ask ${name}: …`,
    `In a terminal: ${ownName} chat${at} "ask ${name}: …"`,
    `Each request and response: ${slackUrl}/#/traffic`,
  ];
}

/** How long each place has to show the card, milliseconds. A GET of the agent's own URL can open a stream that never ends. */
const cardMs = 2_000;

/** Returns the card of an agent, from where the zone looks for it; an empty object without one. */
async function findCard(url: string): Promise<Readonly<Record<string, unknown>>> {
  for (const place of cardUrls(url)) {
    const found = await fetch(place, { signal: AbortSignal.timeout(cardMs), redirect: "manual" })
      .then(async (reply) => ({ status: reply.status, body: new Uint8Array(await reply.arrayBuffer()) }))
      .catch(() => undefined);
    if (found !== undefined && isCardLike(found, place)) return parseCard(found.body) as Record<string, unknown>;
  }
  return {};
}

/** Marks agents that this command registered, so that one left behind by a crash is replaced and no other. */
const mark = "(crosszone agents dev)";

/**
 * Registers an agent under development: repeats bridge a restart, and failures don't open its circuit. Replaces a registration that this
 * command left behind; rejects with a `RefusedError` when an agent of the same name exists. Returns a function that removes it.
 */
async function register(api: ApiClient, { description = "", ...agent }: AgentSettings): Promise<() => Promise<void>> {
  const { name } = agent;
  const settings = {
    ...agent,
    description: `${description.slice(0, 200)} ${mark}`.trim(),
    retry: { max_retries: 4, base_ms: 500, max_ms: 2_000 },
    breaker: { failures: 1_000, open_ms: 100 },
  };
  const remove = (): Promise<undefined> => api.call("deleteAgent", { name });
  try {
    await api.call("createAgent", { body: settings });
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const known = await api.call("getAgent", { name }).catch(() => undefined);
    if (known?.description.endsWith(mark) !== true) throw error;
    await remove();
    await api.call("createAgent", { body: settings });
  }
  return remove;
}

/** `Word counter` as `word-counter`; the fallback for a name without letters and digits. */
function agentName(cardName: unknown, fallback: string): string {
  const slug = (typeof cardName === "string" ? cardName : "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
  return slug === "" ? fallback : slug.slice(0, 100);
}

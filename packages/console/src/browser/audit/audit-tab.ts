import { linesOf, readPublicKey, verdictText, verifyAudit } from "@crosszone/audit/verify";
import type { AuditEventList, AuditHead, AuditReceipt, AuditRecord } from "@crosszone/contracts";
import { shortId, showUnseen, visibleLine } from "@crosszone/service-kit/text";
import { type ComponentChild, h } from "preact";
import { type ApiFault, isHopeless } from "../api.ts";
import { byId, copyable, factList, muted, showContent, stateChip, timeMark, wayBack } from "../frame.ts";
import { type List, openList, rowLink } from "../list.ts";
import type { Place, Tab } from "../navigation.ts";
import { JsonView } from "../values.ts";
import { fullTime, type NameOf, personText, type ShownState } from "../words.ts";

/** Lists the audit log, shows an event with its proof, and verifies the whole log in the browser. */
export const auditTab: Tab = {
  name: "Audit",
  segments: ["audit"],
  scope: "audit:read",
  open: (place) => {
    const [, part] = place.parts;
    if (part === undefined) openList(place, auditList(place));
    else if (part === "verify") openVerification(place);
    else void openEvent(place, part);
  },
};

const looks: Readonly<Record<AuditRecord["event"]["outcome"], readonly [ShownState, string]>> = {
  done: ["succeeded", "Done"],
  rejected: ["failed", "Rejected"],
};

/** The kinds of events as the picker has them: what was done, in words. Others have their own names. */
const actionWords: ReadonlyMap<string, string> = new Map(
  `input.ask Decision requested, input.vote Vote counted, input.decide Decision made, input.use Approved call ran,
    input.expire Decision expired, input.withdraw Request withdrawn, input.void Approved call too late, input_request.withdraw Request withdrawn in bulk,
    question.reject Question denied, press.reject Press rejected, message.replay Message replayed, message.discard Message discarded,
    run.start Run started, run.cancel Run canceled, run.retry Run retried, workflow.create Workflow saved,
    event.publish Event published, schedule.create Schedule created, schedule.change Schedule changed, schedule.pause Schedule paused,
    schedule.resume Schedule resumed, schedule.fire Schedule fired by hand, schedule.remove Schedule deleted, schedule.allow Schedule allowed by its owner,
    hook.deliver Webhook delivered, agent.created Agent added, agent.updated Agent changed, agent.enabled Agent enabled,
    agent.disabled Agent disabled, agent.deleted Agent deleted, agents.migrate Agents migrated, agents.roll_back Migration rolled back,
    mcp.approve MCP tools approved, policy.load Policy loaded, bulk.start Bulk action started, bulk.stop Bulk action stopped,
    dead_letter.replay Dead letter replayed, dead_letter.discard Dead letter discarded, token.create Token created, token.revoke Token revoked,
    token.use Token used from a new place, session.start Signed in, session.end Signed out, api.request API request rejected,
    ask.authenticate Program rejected, workspace.install Workspace installed, workspace.remove Workspace removed, content.read Content read,
    audit.export Audit log exported, audit.retain Old events removed, audit.rekey Signing key changed, audit.restore Log restored,
    data.export Data exported, data.purge Data of a team deleted, data.reseal Data encrypted again, ask.agent Agent not allowed,
    ask.tool Unknown tool, agent.migrated Agent migrated, agent.rolled_back Agent rolled back`
    .split(/,\s+/)
    .map((one) => [one.slice(0, one.indexOf(" ")), one.slice(one.indexOf(" ") + 1)]),
);

const wordsOf = (action: string): string => actionWords.get(action) ?? visibleLine(action);

/** The page of what an act was about, by its type. */
const pages: Readonly<Record<string, string>> = {
  agent: "/agents/",
  bulk_action: "/bulk/",
  input_request: "/approvals/",
  message: "/messages/",
  person: "?find=",
  run: "/runs/",
  task: "/messages/",
};

/** Names an actor or a target: a person by name, anything else by its type and the beginning of its id. */
function partyText({ id, type }: AuditRecord["event"]["target"], names?: NameOf): string {
  if (type === "person") return personText(id, names);
  const words = type === "input_request" ? "approval" : type.replaceAll("_", " ");
  if (id === "*" || id === type) return words;
  // A file or a hook acts as the zone.
  return type === "zone" && id.includes(":") ? visibleLine(id) : `${words} ${visibleLine(shortId(id))}`;
}

/** The same, with a link to its page. */
function partyLink(party: AuditRecord["event"]["target"], names?: NameOf): ComponentChild {
  const page = party.id === "*" ? undefined : pages[party.type];
  const href = page && `/console${page}${encodeURIComponent(party.id)}`;
  const text = partyText(party, names);
  return h("span", { class: "muted path row-thread" }, href === undefined ? text : h("a", { href }, text));
}

function auditList({ api, signal }: Place): List<AuditRecord & Pick<AuditEventList, "names">> {
  return {
    title: "Audit log",
    fields: [
      { name: "actor", label: "Actor", placeholder: "Name or token:ci" },
      { name: "action", label: "Action", options: [["", "All"], ...actionWords] },
      { name: "target", label: "Target", placeholder: "run:7c9e…" },
      { name: "reads", label: "Reads", options: Object.entries({ "": "Hidden", true: "Shown" }) },
      { name: "since", label: "Since", isTime: true },
      { name: "until", label: "Until", isTime: true },
    ],
    columns: [
      { head: "Outcome", area: "state", cell: ({ event: { outcome } }) => stateChip(...looks[outcome]) },
      {
        head: "Action",
        area: "name",
        cell: ({ event: { action, id, target }, names }) => [
          rowLink(`/console/audit/${encodeURIComponent(id)}`, wordsOf(action)),
          partyLink(target, names),
        ],
      },
      {
        head: "Actor",
        area: "more",
        cell: ({ content, event: { actor, surface }, names }) => [
          h("span", null, partyText(actor, names)),
          h("span", { class: "muted row-thread" }, [surface, textOf(content?.members["address"])].join(" ")),
        ],
      },
      { head: "Time", area: "when", cell: ({ event: { at } }, now) => timeMark(at, now) },
      {
        head: "Event",
        area: "end",
        cell: ({ position }) => (position === null ? "not signed yet" : `#${String(position)}`),
      },
    ],
    read: async (filter) => {
      // Whoever picks reads sees them.
      const reads = filter["reads"] === "true" || filter["action"] === "content.read";
      const query = { ...filter, reads, limit: 50 };
      const { events, names, next_cursor } = await api.get<AuditEventList>("/audit/events", query, signal);
      return { rows: events.map((one) => ({ ...one, names })), next: next_cursor };
    },
    keyOf: ({ event: { id } }) => id,
    empty: "No audit events yet.",
    acts: () => [
      h("a", { class: "button", href: "/console/audit/verify" }, "Verify"),
      h("button", { type: "button", onClick: () => void download(api, signal) }, "Export"),
    ],
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? showUnseen(value) : "");

/** Saves the whole log as a file that `crosszone audit verify` reads. */
async function download(api: Place["api"], signal: AbortSignal): Promise<void> {
  const response = await api.open("/audit/export", { signal });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = `audit-${new Date().toISOString().slice(0, 10)}.jsonl`;
  link.click();
  URL.revokeObjectURL(link.href);
}

const back = wayBack("/console/audit", "Audit log");

/** Shows an event, and whether the signed log has it: the browser verifies its receipt. */
async function openEvent({ api, refused, signal }: Place, eventId: string): Promise<void> {
  try {
    const receipt = await api.get<AuditReceipt>(`/audit/events/${encodeURIComponent(eventId)}/receipt`, {}, signal);
    const { finding } = await verifyAudit([JSON.stringify(receipt)], { keys: [readPublicKey(receipt.public_key)] });
    const { content, event, position } = receipt;
    // A receipt has nothing that is not signed.
    const ofActor = { actor: `${event.actor.type}:${event.actor.id}`, limit: 1 };
    const { names } = await api.get<AuditEventList>("/audit/events", ofActor, signal);
    showContent([
      back,
      h(
        "section",
        { class: "surface event" },
        h("h1", null, wordsOf(event.action)),
        h("p", null, stateChip(...looks[event.outcome])),
        factList(
          [
            ["Actor", partyText(event.actor, names)],
            ["Target", partyLink(event.target, names)],
            ["Action", h("span", { class: "path" }, visibleLine(event.action))],
            ["Time", fullTime(event.at)],
            ["Where", event.surface],
            ["Id", copyable(event.id)],
            ["Proof", finding === undefined ? proven(position) : finding.message],
          ],
          "facts",
        ),
        h(JsonView, { value: { ...event, content: content?.members } }),
      ),
    ]);
  } catch (error) {
    if (!signal.aborted) refused(error as ApiFault);
  }
}

const proven = (position: number): ComponentChild =>
  stateChip("succeeded", `Event ${String(position)} of the signed log`);

/** A read of a body's chunks that every browser has. */
async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return;
    bytes += value.length;
    onRead(bytes);
    yield value;
  }
}

const verdictMark = (text: string, isGood: boolean): ComponentChild =>
  h("span", { class: "verdict", "data-state": isGood ? "succeeded" : "failed" }, text);

/** Verifies the whole log as `crosszone audit verify` does. The zone only sends it. */
function openVerification({ api, refused, signal }: Place): void {
  let verdict: ComponentChild;
  let isBusy = false;

  function show(key: string): void {
    if (signal.aborted) return;
    showContent([
      back,
      h(
        "form",
        { class: "surface event", onSubmit: verify },
        h("h1", null, "Verify the audit log"),
        muted(
          "Your browser reads the whole log and checks every event and signature, as crosszone audit verify does. Use the key that you keep where the zone can't change it: crosszone audit key prints it.",
        ),
        h("label", { for: "key" }, "Public key"),
        h("input", {
          id: "key",
          class: "path",
          defaultValue: key,
          spellcheck: false,
          autocomplete: "off",
          required: true,
        }),
        h("div", { class: "choices" }, h("button", { type: "submit", class: "primary", disabled: isBusy }, "Verify")),
        h("p", { role: "status", "data-testid": "verdict" }, verdict),
      ),
    ]);
  }

  async function verify(event: Event): Promise<void> {
    event.preventDefault();
    const key = (byId("key") as HTMLInputElement).value.trim();
    [isBusy, verdict] = [true, undefined];
    show(key);
    try {
      const keys = [readPublicKey(key)];
      const { body } = await api.open("/audit/export", { signal });
      const read = (bytes: number): void => {
        verdict = `Read ${(bytes / 1_000_000).toFixed(1)} MB…`;
        show(key);
      };
      const found = body === null ? undefined : await verifyAudit(linesOf(chunksOf(body, read)), { keys });
      verdict = found && verdictMark(visibleLine(verdictText(found)), found.finding === undefined);
    } catch (error) {
      if (isHopeless(error)) return refused(error);
      verdict = verdictMark((error as Error).message, false);
    }
    isBusy = false;
    show(key);
  }

  api.get<AuditHead>("/audit/checkpoint", {}, signal).then(({ public_key: key }) => show(key), refused);
}

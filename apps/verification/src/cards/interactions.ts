import { randomUUID } from "node:crypto";
import type { RecordAct } from "@crosszone/audit";
import type { Emit } from "@crosszone/service-kit";
import { withTimeout } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { Inbox } from "../inbox/inbox.ts";
import { createStoreRetry, type StoreRetry } from "../inbox/record-ends.ts";
import { keptMessageId, type PressRecord } from "../inbox/records.ts";
import type { ZoneLink } from "../link/zone-link.ts";
import { rejectedAct } from "../policy/policies.ts";
import {
  type Interaction,
  messageShortcut,
  type ModalData,
  type ModalErrors,
  type PassedMessage,
} from "../slack/interaction.ts";
import type { IsForApp, Workspaces } from "../workspaces/workspaces.ts";
import { modalErrors, type ModalParts, modalView } from "./input-modals.ts";
import type { Pressers } from "./press-flow.ts";
import type { Acted } from "./press-acts.ts";
import { handleText, pressOf, pressToStore, readHandle } from "./presses.ts";

/** What accepts presses on cards and under answers, and the modals that they open. */
interface InteractionsDeps {
  readonly link: ZoneLink;
  readonly emit: Emit<VerificationEvent>;
  readonly recordAct: RecordAct;
  readonly inbox: Inbox;
  readonly findWorkspace: Workspaces["find"];
  readonly isForApp: IsForApp;
  readonly pressers: Pressers;
}

/** Times for the database, and then for the outcome of an answer or for opening a modal; together below three seconds. Milliseconds. */
const [storeMs, outcomeMs, modalMs] = [1_000, 1_500, 1_800];

const closed = "This is not open any more.";
const otherRelease = "This is no longer in use, because I was updated since. Please ask again in a new message.";
const notOpened = "I could not open the form. Please press again.";

/**
 * Stores a press, or opens the modal that it asks for; a stored one is worked on afterwards. Resolves within Slack's three seconds with what is
 * wrong in a submitted modal, by block. Rejects if it was not stored: Slack then shows the person a warning. What is not for this app has no
 * effect.
 */
export async function takeInteraction(
  deps: InteractionsDeps,
  given: Interaction | undefined,
  { traceparent }: { readonly traceparent?: string | undefined },
): Promise<ModalErrors | undefined> {
  const arrival: Arrival = { given, traceparent, retryStore: createStoreRetry(storeMs) };
  const press = await readPress(deps, arrival);
  if (typeof press === "string") {
    await reportRefused(deps, arrival, press);
    return press === "unknown_element" ? answerUnknown(deps, arrival) : undefined;
  }
  const { row, handle, taken } = press;
  if (given?.message !== undefined) await keepMessage(deps, press, given.message);
  const modal = taken.values === undefined && row.modal?.(taken);
  if (!modal || row.isDoneAtOnce === true) {
    const stored = pressToStore(row, handle, taken);
    if (stored === undefined) {
      await reportRefused(deps, arrival, "closed");
      return modalErrors({ text: closed });
    }
    const done = await storePress(deps, press, stored);
    if (done?.isRejected === true) return row.reply?.(done, taken.request);
  }
  if (modal) await openModal(deps, press, modal);
  return undefined;
}

/** How an interaction arrived. */
interface Arrival {
  readonly given: Interaction | undefined;
  readonly traceparent: string | undefined;
  readonly retryStore: StoreRetry;
}
type Press = Exclude<Awaited<ReturnType<typeof readPress>>, string>;

/** Returns what an interaction means, or why it has no effect. `input`, the record of a request, is undefined once that is closed. */
async function readPress({ isForApp, findWorkspace, inbox, link }: InteractionsDeps, arrival: Arrival) {
  const { given, retryStore } = arrival;
  if (given === undefined) return "unreadable";
  const { user_id, place, entered: values, shortcut } = given;
  // Slack does not say for which app a shortcut is; the submit of its modal does.
  const isNamed = shortcut === undefined || given.api_app_id !== undefined;
  if (isNamed && !(await isForApp(given, retryStore))) return "wrong_app";
  const isAbout = shortcut === messageShortcut;
  const handle = isAbout ? ({ of: "answer", verb: "about", id: randomUUID() } as const) : readHandle(given.element);
  const row = pressOf(handle?.verb ?? "");
  if (handle === undefined || row === undefined || place === undefined) return "unknown_element";
  const workspace = await retryStore(() => findWorkspace(given.workspace));
  if (workspace === undefined) return "not_installed";
  const input = row.of === "input" ? await retryStore(() => inbox.findInput(handle.id)) : undefined;
  const { channel, thread_ts = "" } = place;
  const asker = { channel, thread_ts, in_thread: thread_ts !== "", user_id };
  const value = values === undefined ? given.value : place.value;
  const [digest] = /^[0-9a-f]{64}$/.exec(place.digest ?? value ?? "") ?? [];
  const opener = { link, workspace, user_id, channel };
  const taken = { element: handleText(handle), value, digest, values, request: input?.request, ...opener };
  return { ...arrival, given, row, handle, workspace, input, asker, taken };
}

async function reportRefused(
  { emit, recordAct }: InteractionsDeps,
  { given, traceparent, retryStore }: Arrival,
  reason: string,
): Promise<undefined> {
  const { user_id, user_team: team_id, api_app_id, element = "", workspace } = given ?? {};
  emit("interaction_refused", { reason, user_id, team_id, api_app_id, traceparent });
  const { of = "unknown", verb, id = "?" } = readHandle(element) ?? {};
  const [team, details] = [team_id ?? workspace?.team_id, { reason, of, verb: verb ?? null }];
  const act = rejectedAct({ action: "press.reject", user_id, team, target: { type: "press", id }, details });
  await retryStore(() => recordAct(act));
}

/**
 * Answers a press of something that this release does not have, such as a button of another one: its person reads so. A modal stays open, with
 * what was entered. What belongs to another app never gets here.
 */
async function answerUnknown(deps: InteractionsDeps, { given, retryStore }: Arrival): Promise<ModalErrors | undefined> {
  const workspace = given && (await retryStore(() => deps.findWorkspace(given.workspace)));
  if (given === undefined || workspace === undefined || given.isLink) return undefined;
  const [block] = given.blocks;
  if (block !== undefined) return { [block]: otherRelease };
  const { user_id, place, response_url: url } = given;
  const telling = async (): Promise<void> => {
    const { channel = await workspace.slack.openDirect(user_id), thread_ts = "" } = place ?? {};
    const asker = { channel, thread_ts, in_thread: thread_ts !== "", user_id };
    await deps.pressers.tell(workspace.slack, asker, { url, text: otherRelease });
  };
  void telling().catch((failure: unknown) =>
    deps.emit("notice_lost", { operation: "chat.postEphemeral", failure, user_id }),
  );
  return undefined;
}

/** Keeps the message of a shortcut for the form that opens: Slack passes it on only once, and the app may not be able to read it. */
async function keepMessage(
  { inbox, link, pressers }: InteractionsDeps,
  press: Press,
  message: PassedMessage,
): Promise<void> {
  const request_id = keptMessageId(press.handle.id);
  const head = { ...headOfPress(press), request_id, correlation_id: press.handle.id, claims: [request_id] };
  if (!pressers.mayKeep(head)) return;
  const record = { ...head, received_at: link.clock.now(), kind: "kept_message" as const, message };
  await press.retryStore(() => inbox.accept(record));
}

/** Returns what records of a press have in common. */
function headOfPress({ given, workspace, asker, traceparent }: Press) {
  const { team_id } = workspace.identity;
  const author_teams = [given.user_team ?? team_id];
  return { team_id, org_id: given.workspace.org_id, teams: [team_id], author_teams, ...asker, traceparent };
}

/** Stores a press. Resolves with what becomes of a submitted modal that waits; undefined if that takes longer. */
async function storePress(
  deps: InteractionsDeps,
  press: Press,
  content: PressRecord["press"],
): Promise<Acted | undefined> {
  const { inbox, pressers, link } = deps;
  const { given, row, input, retryStore } = press;
  const { user_team, trigger_id, response_url: url } = given;
  const on_home = given.place?.on_home;
  const request_id = randomUUID();
  const isAwaited = row.reply !== undefined && given.entered !== undefined;
  const outcome = pressers.pressed(request_id, { url, isAwaited });
  const ids = { request_id, correlation_id: input?.correlation_id ?? randomUUID(), claims: [`press ${trigger_id}`] };
  const record = { ...headOfPress(press), ...ids, received_at: link.clock.now(), user_team };
  const stored = await retryStore(() => inbox.accept({ ...record, kind: "press", press: content, on_home }));
  if (stored === "duplicate") await reportRefused(deps, press, "duplicate");
  return isAwaited ? outcome(outcomeMs) : undefined;
}

/** Opens a modal, or shows another page of one. If that fails, the person reads why. Never rejects. */
async function openModal(deps: InteractionsDeps, press: Press, made: Promise<ModalParts | undefined>): Promise<void> {
  const { pressers, emit } = deps;
  const { given, taken, workspace, asker } = press;
  const { slack } = workspace;
  const { response_url: url, trigger_id, modal_id, user_id } = given;
  const data: Partial<ModalData> = { ...given.place, value: taken.value, digest: taken.digest };
  const tell = (text: string): Promise<void> => pressers.tell(slack, asker, { url, text });
  const opening = async (): Promise<void> => {
    const parts = await made;
    if (parts === undefined) {
      await reportRefused(deps, press, "closed");
      return tell(closed);
    }
    const modal = modalView(parts, taken.element, data);
    return modal_id === undefined ? slack.openModal(trigger_id, modal) : slack.updateModal(modal_id, modal);
  };
  await withTimeout(modalMs, opening).catch((failure: unknown) => {
    emit("modal_not_opened", { operation: "views.open", failure, user_id });
    void tell(notOpened).catch(() => undefined);
  });
}

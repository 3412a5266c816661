import type { InputAnswer } from "@crosszone/contracts";
import { withTimeout } from "@crosszone/service-kit/timing";
import type { Inbox } from "../../inbox/inbox.ts";
import { createStoreRetry, type StoreRetry } from "../../inbox/store-retry.ts";
import type { Interaction, ModalErrors } from "../../slack/interaction.ts";
import type { SlackAsker } from "../../slack/slack-api.ts";
import type { IsForApp, Workspaces } from "../../workspaces/workspaces.ts";
import type { ZoneParts } from "../../workspaces/zone-parts.ts";
import type { Pressers } from "../posting/pressers.ts";
import { type ModalData, readHandle, readModalData } from "./input-handles.ts";
import { answerModal, argumentsModal, denyModal, modalErrors, readAnswer } from "./input-modals.ts";

/** Presses on cards, and modals of input requests. */
export interface Interactions {
  /**
   * Stores an answer, or opens the modal that a press asks for. Resolves within Slack's three seconds with what is wrong in a submitted modal,
   * by block. Rejects if an answer was not stored: Slack then shows the person a warning. What is not for this app has no effect.
   */
  readonly take: (
    interaction: Interaction | undefined,
    delivered: { readonly traceparent?: string | undefined },
  ) => Promise<ModalErrors | undefined>;
}

interface InteractionsDeps extends Pick<ZoneParts, "clock" | "newId" | "emit"> {
  readonly inbox: Pick<Inbox, "accept" | "findInput">;
  readonly findWorkspace: Workspaces["find"];
  readonly isForApp: IsForApp;
  readonly pressers: Pressers;
}

/** Times for the database, and then for the outcome of an answer or for opening a modal; together below three seconds. Milliseconds. */
const [storeMs, outcomeMs, modalMs] = [1_000, 1_500, 1_800];

const closed = "This is not open any more.";
const notOpened = "I could not open the form. Please press again.";

/** Makes what accepts interactions. A press is stored before it is acknowledged, and worked on afterwards. */
export function createInteractions(deps: InteractionsDeps): Interactions {
  return {
    take: async (given, { traceparent }) => {
      const retryStore = createStoreRetry(storeMs);
      const press = given && (await readPress(deps, given, retryStore));
      if (press === undefined || typeof press === "string") {
        reportRefused(deps, { given, traceparent }, press ?? "unreadable");
        return undefined;
      }
      const { handle, input, given: seen, place } = press;
      const { value } = seen.action ?? {};
      const store = (answer: InputAnswer, digest: string | undefined): Promise<Wait> =>
        storeAnswer(deps, press, { answer, digest, traceparent, retryStore });
      if (seen.type === "view_submission") {
        if (input === undefined) {
          reportRefused(deps, { given, traceparent }, "closed");
          return modalErrors(undefined, { text: closed });
        }
        const outcome = await store(readAnswer(input.request, handle.verb, seen.modal?.values ?? {}), place.digest);
        const reply = await outcome(outcomeMs);
        const request = handle.verb === "deny" ? undefined : input.request;
        return reply?.isRejected === true ? modalErrors(request, reply) : undefined;
      }
      if (handle.verb === "approve") await store({ verdict: "approve" }, value);
      else if (handle.verb === "choose") await store({ verdict: "answer", value }, undefined);
      else await openModal(deps, press, traceparent);
      return undefined;
    },
  };
}

interface Refused {
  readonly given: Interaction | undefined;
  readonly traceparent: string | undefined;
}

function reportRefused(
  { emit }: Pick<InteractionsDeps, "emit">,
  { given, traceparent }: Refused,
  reason: string,
): void {
  const { user_id, user_team: team_id, api_app_id } = given ?? {};
  emit("interaction_refused", { reason, user_id, team_id, api_app_id, traceparent });
}

type Press = Exclude<Awaited<ReturnType<typeof readPress>>, string>;
type Wait = ReturnType<Pressers["pressed"]>;

/** Returns what an interaction means, or why it has no effect. The request's record is undefined once the request is closed. */
async function readPress(
  { isForApp, findWorkspace, inbox }: InteractionsDeps,
  given: Interaction,
  retryStore: StoreRetry,
) {
  const { type, modal, action } = given;
  if (!(await isForApp(given, retryStore))) return "wrong_app";
  const handle = readHandle((type === "view_submission" ? modal?.callback_id : action?.id) ?? "");
  const place: ModalData | undefined = given.place ?? readModalData(modal?.private_metadata ?? "");
  if (handle === undefined || place === undefined) return "unknown_element";
  const workspace = await retryStore(() => findWorkspace(given.workspace));
  if (workspace === undefined) return "not_installed";
  const input = await retryStore(() => inbox.findInput(handle.inputId));
  const { channel, thread_ts = "" } = place;
  const asker: SlackAsker = { channel, thread_ts, in_thread: thread_ts !== "", user_id: given.user_id };
  return { given, handle, workspace, input, place, asker };
}

interface Stored {
  readonly answer: InputAnswer;
  readonly digest: string | undefined;
  readonly traceparent: string | undefined;
  readonly retryStore: StoreRetry;
}

/** Stores an answer. Resolves with a wait for what becomes of it. */
async function storeAnswer(
  deps: InteractionsDeps,
  { given, handle, workspace, input, asker }: Press,
  { answer, digest = "", traceparent, retryStore }: Stored,
): Promise<Wait> {
  const { inbox, pressers, clock, newId } = deps;
  const { user_team, trigger_id, response_url } = given;
  const { team_id } = workspace.identity;
  const request_id = newId();
  const outcome = pressers.pressed(request_id, { url: response_url, isModal: given.type === "view_submission" });
  const ids = { request_id, correlation_id: input?.correlation_id ?? newId(), claims: [`press ${trigger_id}`] };
  const teams = { team_id, org_id: given.workspace.org_id, teams: [team_id], author_teams: [user_team ?? team_id] };
  const seen = /^[0-9a-f]{64}$/.test(digest) ? { digest } : {};
  const record = { ...ids, ...teams, ...asker, received_at: clock.now(), traceparent };
  const said = { kind: "decision", input_id: handle.inputId, answer, user_team, ...seen } as const;
  const stored = await retryStore(() => inbox.accept({ ...record, ...said }));
  if (stored === "duplicate") reportRefused(deps, { given, traceparent }, "duplicate");
  return outcome;
}

/** Opens a modal, or shows another page of one. A person whose modal can't be opened is told so. Never rejects. */
async function openModal(
  deps: InteractionsDeps,
  { given, handle, workspace, input, place, asker }: Press,
  traceparent: string | undefined,
): Promise<void> {
  const { pressers, emit } = deps;
  const { slack } = workspace;
  const { response_url: url, action, trigger_id, modal: open, user_id } = given;
  const tell = (text: string): Promise<void> => pressers.tell(slack, asker, { url, text });
  const opening = async (): Promise<void> => {
    if (input === undefined) {
      reportRefused(deps, { given, traceparent }, "closed");
      return tell(closed);
    }
    const { request } = input;
    const data = { ...place, digest: place.digest ?? (request.action && action?.value) };
    const modals = { deny: denyModal, open: answerModal, show: argumentsModal } as const;
    const page = open === undefined ? 0 : Number(action?.value);
    const modal = modals[handle.verb as keyof typeof modals](request, data, Number.isInteger(page) ? page : 0);
    return open === undefined ? slack.openModal(trigger_id, modal) : slack.updateModal(open.id, modal);
  };
  await withTimeout(modalMs, opening).catch((failure: unknown) => {
    emit("modal_not_opened", { operation: "views.open", failure, user_id });
    void tell(notOpened).catch(() => undefined);
  });
}

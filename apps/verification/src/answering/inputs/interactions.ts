import type { InputAnswer } from "@crosszone/contracts";
import { withTimeout } from "@crosszone/service-kit/timing";
import type { ModalErrors } from "../../edge/events/bolt-app.ts";
import type { Inbox } from "../../inbox/inbox.ts";
import type { DecisionRecord, InputRecord } from "../../inbox/records.ts";
import { createStoreRetry, type StoreRetry } from "../../inbox/store-retry.ts";
import type { Interaction } from "../../slack/interaction.ts";
import type { WorkspaceContext } from "../../workspaces/workspace-context.ts";
import type { IsForApp, Workspaces } from "../../workspaces/workspaces.ts";
import type { ZoneParts } from "../../workspaces/zone-parts.ts";
import { type InputHandle, type ModalData, readHandle, readModalData } from "./input-handles.ts";
import { answerModal, argumentsModal, denyModal, modalErrors, readAnswer } from "./input-modals.ts";
import type { Pressers } from "./pressers.ts";

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

/** Slack waits three seconds for all of these together, milliseconds. */
const [storeBudgetMs, modalBudgetMs, outcomeWaitMs] = [1_000, 1_800, 1_500];

const closed = "This is not open any more.";
const notOpened = "I could not open the form. Please press again.";

/** An interaction of a known workspace with an input request. */
interface Press {
  readonly given: Interaction;
  readonly handle: InputHandle;
  readonly workspace: WorkspaceContext;
  /** The request's record; undefined once it is closed. */
  readonly input: InputRecord | undefined;
  readonly place: ModalData;
  readonly traceparent: string | undefined;
}

/** Makes what accepts interactions. A press is stored before it is acknowledged, and worked on afterwards. */
export function createInteractions(deps: InteractionsDeps): Interactions {
  const { inbox, findWorkspace, isForApp, pressers, emit, clock, newId } = deps;

  return {
    take: async (given, { traceparent }) => {
      const retryStore = createStoreRetry(storeBudgetMs);
      const press = await read(given, retryStore, traceparent);
      if (typeof press === "string") {
        const { user_id, user_team: team_id, api_app_id } = given ?? {};
        emit("interaction_refused", { reason: press, user_id, team_id, api_app_id, traceparent });
        return undefined;
      }
      const { modal } = press.given;
      if (modal !== undefined && press.given.type === "view_submission") return submit(press, modal, retryStore);
      const answer = pressedAnswer(press);
      if (answer === undefined) return openModal(press);
      await store(press, { answer, digest: press.given.action?.value }, retryStore);
      return undefined;
    },
  };

  /** Returns what the interaction means, or why it has no effect. */
  async function read(given: Interaction | undefined, retryStore: StoreRetry, traceparent: string | undefined): Promise<Press | string> {
    if (given === undefined) return "unreadable";
    if (!(await isForApp(given, retryStore))) return "wrong_app";
    const handle = readHandle((given.type === "view_submission" ? given.modal?.callback_id : given.action?.id) ?? "");
    if (handle === undefined) return "unknown_element";
    const workspace = await retryStore(() => findWorkspace(given.workspace));
    if (workspace === undefined) return "not_installed";
    const place = given.place ?? readModalData(given.modal?.private_metadata ?? "");
    if (place === undefined) return "unknown_element";
    const input = await retryStore(() => inbox.findInput(handle.inputId));
    return { given, handle, workspace, input, place, traceparent };
  }

  /** Stores the answer of a modal, and waits a moment for what becomes of it, so that a rejected one stays open. */
  async function submit(
    press: Press,
    modal: NonNullable<Interaction["modal"]>,
    retryStore: StoreRetry,
  ): Promise<ModalErrors | undefined> {
    const { handle, input, place } = press;
    const request = input?.request ?? { request_id: handle.inputId, kind: "approve", title: closed };
    if (input === undefined && handle.verb !== "deny") return modalErrors(request, "deny", { text: closed });
    const answer = readAnswer(request, handle.verb, modal);
    const requestId = newId();
    const outcome = pressers.expect(requestId);
    await store(press, { answer, digest: place.digest, requestId }, retryStore);
    const reply = await outcome(outcomeWaitMs);
    return reply?.isRejected === true ? modalErrors(request, handle.verb, reply) : undefined;
  }

  async function store(
    { given, handle, workspace, input, place, traceparent }: Press,
    { answer, digest, requestId = newId() }: Stored,
    retryStore: StoreRetry,
  ): Promise<void> {
    const { user_id, user_team, trigger_id, response_url } = given;
    const { team_id } = workspace.identity;
    const isDigest = digest !== undefined && /^[0-9a-f]{64}$/.test(digest);
    const record: DecisionRecord = {
      kind: "decision",
      request_id: requestId,
      correlation_id: input?.correlation_id ?? newId(),
      traceparent,
      claims: [`press ${trigger_id}`],
      team_id,
      org_id: given.workspace.org_id,
      teams: [team_id],
      author_teams: user_team === undefined ? [] : [user_team],
      channel: place.channel,
      thread_ts: place.thread_ts ?? "",
      in_thread: place.thread_ts !== undefined,
      received_at: clock.now(),
      user_id,
      user_team,
      input_id: handle.inputId,
      answer,
      digest: isDigest ? digest : undefined,
    };
    pressers.pressed(requestId, { response_url, thread_ts: place.thread_ts });
    await retryStore(() => inbox.accept(record));
  }

  /** Opens a modal, or shows another page of one. A person whose modal can't be opened is told so. */
  async function openModal({ given, handle, workspace, input, place }: Press): Promise<undefined> {
    const { slack } = workspace;
    const { user_id, response_url, action, trigger_id } = given;
    const asker = { channel: place.channel, thread_ts: place.thread_ts ?? "", in_thread: place.thread_ts !== undefined, user_id };
    const tell = async (text: string): Promise<void> =>
      pressers.tell(slack, asker, { at: { response_url, thread_ts: place.thread_ts }, text }).catch(() => undefined);
    if (input === undefined) return void (await withTimeout(modalBudgetMs, () => tell(closed)).catch(() => undefined));
    const { request } = input;
    const digest = place.digest ?? (request.action && action?.value);
    const data: ModalData = { channel: place.channel, thread_ts: place.thread_ts, ...(digest !== undefined && { digest }) };
    const page = given.modal === undefined ? 0 : Number(action?.value);
    const modals = { deny: denyModal, open: answerModal, show: argumentsModal } as const;
    const modal = modals[handle.verb as keyof typeof modals](request, data, Number.isInteger(page) ? page : 0);
    const opening = (): Promise<void> =>
      given.modal === undefined ? slack.openModal(trigger_id, modal) : slack.updateModal(given.modal.id, modal);
    await withTimeout(modalBudgetMs, opening).catch((failure: unknown) => {
      emit("modal_not_opened", { operation: "views.open", failure, user_id });
      void tell(notOpened);
    });
    return undefined;
  }
}

interface Stored {
  readonly answer: InputAnswer;
  readonly digest?: string | undefined;
  readonly requestId?: string;
}

/** Returns the answer that a press gives at once; undefined if it opens a modal. */
function pressedAnswer({ handle, given }: Press): InputAnswer | undefined {
  if (handle.verb === "approve") return { verdict: "approve" };
  return handle.verb === "choose" ? { verdict: "answer", value: given.action?.value ?? "" } : undefined;
}

import type { InputAnswer } from "@crosszone/contracts";
import { withTimeout } from "@crosszone/service-kit/timing";
import type { ModalErrors } from "../../edge/events/bolt-app.ts";
import type { Inbox } from "../../inbox/inbox.ts";
import type { InputRecord } from "../../inbox/records.ts";
import { createStoreRetry, type StoreRetry } from "../../inbox/store-retry.ts";
import type { Interaction } from "../../slack/interaction.ts";
import type { SlackAsker } from "../../slack/slack-api.ts";
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
      const press = given && (await read(given, traceparent, retryStore));
      if (press === undefined || typeof press === "string") {
        const { user_id, user_team: team_id, api_app_id } = given ?? {};
        const reason = press ?? "unreadable";
        emit("interaction_refused", { reason, user_id, team_id, api_app_id, traceparent });
        return undefined;
      }
      if (press.given.type === "view_submission") return submit(press, retryStore);
      const { verb } = press.handle;
      const { value } = press.given.action ?? {};
      if (verb === "approve") await store(press, { answer: { verdict: "approve" }, digest: value }, retryStore);
      else if (verb === "choose") await store(press, { answer: { verdict: "answer", value: value ?? "" } }, retryStore);
      else await openModal(press);
      return undefined;
    },
  };

  /** Returns what the interaction means, or why it has no effect. */
  async function read(
    given: Interaction,
    traceparent: string | undefined,
    retryStore: StoreRetry,
  ): Promise<Press | "wrong_app" | "unknown_element" | "not_installed"> {
    const { type, modal, action } = given;
    if (!(await isForApp(given, retryStore))) return "wrong_app";
    const handle = readHandle((type === "view_submission" ? modal?.callback_id : action?.id) ?? "");
    const place = given.place ?? readModalData(modal?.private_metadata ?? "");
    if (handle === undefined || place === undefined) return "unknown_element";
    const workspace = await retryStore(() => findWorkspace(given.workspace));
    if (workspace === undefined) return "not_installed";
    const input = await retryStore(() => inbox.findInput(handle.inputId));
    return { given, handle, workspace, input, place, traceparent };
  }

  /** Stores the answer of a modal, and waits a moment for what becomes of it, so that a rejected one stays open. */
  async function submit(press: Press, retryStore: StoreRetry): Promise<ModalErrors | undefined> {
    const { handle, input, place, given } = press;
    if (input === undefined) return modalErrors(undefined, { text: closed });
    const answer = readAnswer(input.request, handle.verb, given.modal?.values ?? {});
    const requestId = newId();
    const outcome = pressers.expect(requestId);
    await store(press, { answer, digest: place.digest, requestId }, retryStore);
    const reply = await outcome(outcomeWaitMs);
    return reply?.isRejected === true
      ? modalErrors(handle.verb === "deny" ? undefined : input.request, reply)
      : undefined;
  }

  async function store(
    { given, handle, workspace, input, place, traceparent }: Press,
    { answer, digest, requestId: request_id = newId() }: Stored,
    retryStore: StoreRetry,
  ): Promise<void> {
    const { user_team, trigger_id, response_url } = given;
    const { team_id } = workspace.identity;
    pressers.pressed(request_id, { response_url, thread_ts: place.thread_ts });
    const ids = { request_id, correlation_id: input?.correlation_id ?? newId(), claims: [`press ${trigger_id}`] };
    const from = {
      team_id,
      org_id: given.workspace.org_id,
      teams: [team_id],
      author_teams: user_team ? [user_team] : [],
    };
    const said = { input_id: handle.inputId, answer, digest: /^[0-9a-f]{64}$/.test(digest ?? "") ? digest : undefined };
    const at = { ...askerOf(given, place), received_at: clock.now(), traceparent };
    await retryStore(() => inbox.accept({ kind: "decision", ...ids, ...from, ...at, ...said, user_team }));
  }

  /** Opens a modal, or shows another page of one. A person whose modal can't be opened is told so. */
  async function openModal({ given, handle, workspace, input, place }: Press): Promise<void> {
    const { slack } = workspace;
    const { response_url, action, trigger_id, modal: open, user_id } = given;
    const tell = (text: string): Promise<void> =>
      pressers.tell(slack, askerOf(given, place), { at: { response_url, thread_ts: place.thread_ts }, text });
    const opening = async (): Promise<void> => {
      if (input === undefined) return tell(closed);
      const { request } = input;
      const data = { ...place, digest: place.digest ?? (request.action && action?.value) };
      const modals = { deny: denyModal, open: answerModal, show: argumentsModal } as const;
      const page = open === undefined ? 0 : Number(action?.value);
      const modal = modals[handle.verb as keyof typeof modals](request, data, Number.isInteger(page) ? page : 0);
      return open === undefined ? slack.openModal(trigger_id, modal) : slack.updateModal(open.id, modal);
    };
    await withTimeout(modalBudgetMs, opening).catch((failure: unknown) => {
      emit("modal_not_opened", { operation: "views.open", failure, user_id });
      void tell(notOpened).catch(() => undefined);
    });
  }
}

interface Stored {
  readonly answer: InputAnswer;
  readonly digest?: string | undefined;
  readonly requestId?: string;
}

function askerOf({ user_id }: Interaction, { channel, thread_ts = "" }: ModalData): SlackAsker {
  return { channel, thread_ts, in_thread: thread_ts !== "", user_id };
}

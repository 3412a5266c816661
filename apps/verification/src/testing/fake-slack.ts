import type { SlackApi } from "../slack/slack-api.ts";
import { SlackCallError, type SlackCallFailure } from "../slack/slack-call-error.ts";
import {
  identity,
  member,
  messageMethods,
  newTs,
  openChannel,
  threadMethods,
  type FakeMessage,
  type FakeState,
} from "./fake-messages.ts";

export { identity, member, newTs, openChannel, type FakeMessage };

export interface FakeSlack extends SlackApi, FakeState {
  /** Adds a person's message. */
  say(message: Partial<FakeMessage> & { ts: string; text: string }): void;
  /** Makes the next call of a method fail; with `anyway` it takes effect and only its response is lost. */
  failNext(
    method: keyof SlackApi,
    failure: SlackCallFailure,
    detail?: { code?: string; anyway?: boolean; retryAfterMs?: number },
  ): void;
  /** The app's own messages in a thread, without those that carry a file. */
  answers(thread_ts?: string): FakeMessage[];
}

/** Runs something before each call of a method, with its arguments. */
export function before<M extends keyof SlackApi>(
  slack: SlackApi,
  method: M,
  run: (...given: Parameters<SlackApi[M]>) => void,
): void {
  const call = slack[method] as (...given: Parameters<SlackApi[M]>) => unknown;
  Object.assign(slack, {
    [method]: (...given: Parameters<SlackApi[M]>) => {
      run(...given);
      return call(...given);
    },
  });
}

/** Makes an in-memory Slack without HTTP: messages, replies, and failures that tests request. */
export function createFakeSlack(): FakeSlack {
  const state: FakeState = {
    messages: [],
    uploads: [],
    statuses: [],
    files: new Map(),
    notices: [],
    directory: { teams: {}, users: {}, channels: {} },
    groups: {},
    handles: new Map(),
    modals: [],
    calls: [],
    live: new Set(),
  };
  const { messages, statuses, notices, directory, groups, handles, modals } = state;
  const faults: { method: keyof SlackApi; error: SlackCallError; anyway: boolean }[] = [];

  async function call<T>(method: keyof SlackApi, work: () => T): Promise<T> {
    state.calls.push(method);
    await Promise.resolve();
    const index = faults.findIndex((fault) => fault.method === method);
    const [fault] = index < 0 ? [] : faults.splice(index, 1);
    if (fault === undefined) return work();
    if (fault.anyway) work();
    throw fault.error;
  }

  return {
    ...state,
    say: (message) => messages.push({ channel: "C1", thread_ts: message.ts, user: "U1", files: [], ...message }),
    failNext: (method, failure, { code = failure, anyway = false, retryAfterMs } = {}) => {
      faults.push({ method, anyway, error: new SlackCallError(method, { failure, code, retryAfterMs }) });
    },
    answers: (thread_ts) =>
      messages.filter((one) => one.mark !== undefined && (thread_ts === undefined || one.thread_ts === thread_ts)),

    identity: () => call("identity", () => identity),
    appOf: () => call("appOf", () => "A1"),
    ...messageMethods(state, call),
    ...threadMethods(state, call),
    setSessionStatus: (_thread, status) => call("setSessionStatus", () => void statuses.push(status)),
    team: (id) => call("team", () => (id === "T1" ? { id } : directory.teams[id])),
    user: (id) => call("user", () => (id in directory.users ? directory.users[id] : member)),
    channel: (id) => call("channel", () => (id in directory.channels ? directory.channels[id] : openChannel)),
    tell: ({ channel, thread_ts, user_id, in_thread }, text) =>
      call("tell", () => void notices.push({ channel, thread_ts, user_id, in_thread, text })),
    permalink: ({ channel, ts }) =>
      call("permalink", () => `https://acme.slack.example/archives/${channel}/p${ts.replace(".", "")}`),
    openDirect: (user) => call("openDirect", () => `D${user}`),
    groupMembers: (group) =>
      call("groupMembers", () => {
        const members = groups[group];
        if (members !== undefined) return members;
        throw new SlackCallError("usergroups.users.list", { failure: "refused", code: "no_such_subteam" });
      }),
    groupHandles: () => call("groupHandles", () => handles),
    openModal: (by, modal) => call("openModal", () => void modals.push({ by, modal })),
    updateModal: (by, modal) => call("updateModal", () => void modals.push({ by, modal })),
  };
}

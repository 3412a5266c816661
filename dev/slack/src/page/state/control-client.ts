import type {
  CommandRun,
  DeleteMessage,
  EditMessage,
  PostMessage,
  PutUser,
  React,
  RunCommand,
  RunShortcut,
  StopRun,
  TrafficEntry,
} from "../../protocol/control-api.ts";
import type { GuideSection } from "../../protocol/guide.ts";
import type { Outage } from "../../protocol/faults.ts";
import type { Act, Interaction, ViewPlace } from "../../protocol/interactivity.ts";
import type { AgentView, Message, OpenView, Workspace } from "../../protocol/workspace.ts";

/** Sends a request of the control API, a `POST` if it has a body, and resolves with the answer. */
export type ControlRequest = <T>(path: string, body?: object) => Promise<T>;

/** Makes the requests of the control API that the page and the terminal client use. */
export const controlClient = (request: ControlRequest) => ({
  workspace: (): Promise<Workspace> => request("/control/workspace"),
  /** Reads a thread, or the whole channel with its replies. */
  messages: async (channel: string, thread?: string): Promise<Message[]> => {
    const query = new URLSearchParams({ channel, ...(thread !== undefined && { thread_ts: thread }) });
    return (await request<{ messages: Message[] }>(`/control/messages?${query.toString()}`)).messages;
  },
  agentView: (): Promise<AgentView> => request("/control/agent"),
  traffic: async (): Promise<TrafficEntry[]> =>
    (await request<{ traffic: TrafficEntry[] }>("/control/traffic")).traffic,
  guide: async (): Promise<GuideSection[]> => (await request<{ sections: GuideSection[] }>("/control/guide")).sections,
  post: async (message: PostMessage): Promise<Message> =>
    (await request<{ message: Message }>("/control/messages", message)).message,
  edit: (edit: EditMessage): Promise<unknown> => request("/control/messages/edit", edit),
  delete: (message: DeleteMessage): Promise<unknown> => request("/control/messages/delete", message),
  react: (reaction: React): Promise<unknown> => request("/control/reactions", reaction),
  runCommand: (typed: RunCommand): Promise<CommandRun> => request("/control/commands", typed),
  stop: (run: StopRun): Promise<unknown> => request("/control/stop", run),
  /** Uses an element of a message; resolves when the app has acknowledged it, or Slack has given up. */
  act: (what: Act): Promise<Interaction> => request("/control/act", what),
  submitView: (view: ViewPlace): Promise<Interaction> => request("/control/views/submit", view),
  closeView: (view: ViewPlace): Promise<Interaction> => request("/control/views/close", view),
  runShortcut: (run: RunShortcut): Promise<Interaction> => request("/control/shortcuts", run),
  setOutage: (outage: Outage): Promise<Outage> => request("/control/outage", outage),
  putUser: (user: PutUser): Promise<unknown> => request("/control/people", user),
  addApp: (channel: string): Promise<unknown> => request("/control/channels/app", { channel }),
  openHome: (user: string): Promise<unknown> => request("/control/home", { user }),
  views: (user: string): Promise<{ views: OpenView[]; home?: OpenView }> =>
    request(`/control/views?user=${encodeURIComponent(user)}`),
});

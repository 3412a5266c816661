import type { CommandRun, PostMessage, RunCommand, TrafficEntry } from "../../protocol/control-api.ts";
import type { Delivery, Fault, Forgery } from "../../protocol/faults.ts";
import type { AgentView, Message, Workspace } from "../../protocol/workspace.ts";

/** The app's response to a request that it must refuse. `status` is 0 without a response. */
export interface TrialAnswer {
  status: number;
  ms: number;
}

/** The requests of the control API. Each rejects with an `Error` whose message is readable for a person. */
export const controlApi = {
  workspace: (): Promise<Workspace> => request("/control/workspace"),
  messages: async (channel: string): Promise<Message[]> =>
    (await request<{ messages: Message[] }>(`/control/messages?channel=${encodeURIComponent(channel)}`)).messages,
  agentView: (): Promise<AgentView> => request("/control/agent"),
  traffic: async (): Promise<TrafficEntry[]> =>
    (await request<{ traffic: TrafficEntry[] }>("/control/traffic")).traffic,
  post: async (message: PostMessage): Promise<Message> =>
    (await request<{ message: Message }>("/control/messages", message)).message,
  runCommand: (typed: RunCommand): Promise<CommandRun> => request("/control/commands", typed),
  stop: (thread: { channel: string; thread_ts: string; user: string }): Promise<unknown> =>
    request("/control/stop", thread),
  openApp: (user: string): Promise<unknown> => request("/control/home", { user, tab: "messages" }),
  forge: (forgery: Forgery): Promise<TrialAnswer> => request("/control/forge", forgery),
  replay: (): Promise<TrialAnswer> => request("/control/replay", {}),
  fault: (fault: Fault): Promise<unknown> => request("/control/faults", fault),
  delivery: async (change: Partial<Delivery>): Promise<Delivery> =>
    (await request<{ delivery: Delivery }>("/control/delivery", change)).delivery,
} as const;

async function request<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(
    path,
    body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
  ).catch(() => undefined);
  if (!response) throw new Error("The local Slack does not respond. Is it still running?");
  const answer = (await response.json().catch(() => undefined)) as { error?: { message?: string } } | undefined;
  if (response.ok && answer !== undefined) return answer as T;
  throw new Error(answer?.error?.message ?? `The local Slack responded with HTTP ${response.status}.`);
}

import { result, startCardedAgent, type CardedOptions } from "./start-carded-agent.ts";

export const card = { protocolVersion: "0.3.0", url: "/", capabilities: { streaming: true } };
export const card10 = {
  supportedInterfaces: [{ url: "/", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: { streaming: true },
};
export const ids = { taskId: "remote-1", contextId: "ctx-1" };
export const says = (text: string) => ({ message: { role: "agent", messageId: "m", parts: [{ kind: "text", text }] } });
export const status = (state: string, members: object = {}) =>
  result({ kind: "status-update", ...ids, status: { state, ...members }, final: state !== "working" });
export const chunk = (text: string, append: boolean) =>
  result({ kind: "artifact-update", ...ids, artifact: { artifactId: "a", parts: [{ kind: "text", text }] }, append });

/** The same in A2A 1.0, where a stream can be resumed. */
export const stateOf10 = (state: string) => `TASK_STATE_${state.toUpperCase().replace("-", "_")}`;
export const said10 = (text: string) => ({ message: { role: "ROLE_AGENT", messageId: "m", parts: [{ text }] } });
export const task10 = (state: string, members: object = {}) => ({
  id: "remote-1",
  contextId: "ctx-1",
  status: { state: stateOf10(state), ...members },
});
export const showing10 = (state: string, members: object = {}) => result({ task: task10(state, members) });
export const status10 = (state: string, members: object = {}) =>
  result({ statusUpdate: { ...ids, status: { state: stateOf10(state), ...members } } });
export const done10 = (text: string) => ({
  ...task10("completed"),
  artifacts: [{ artifactId: "a", parts: [{ text }] }],
});

/** Starts a streaming agent. Its `call` records the reported progress. */
export async function streaming(answers: CardedOptions["answers"], own: { card?: object; timeout_ms?: number } = {}) {
  const agent = await startCardedAgent({ card: own.card ?? card, answers });
  const progress: string[] = [];
  const remoteIds: string[] = [];
  const call = (options: object = {}, task: object = {}) =>
    agent.start({
      agent: { timeout_ms: own.timeout_ms ?? 60_000 },
      task,
      options: {
        onProgress: (text) => progress.push(text),
        onRemoteId: async (id) => void remoteIds.push(id),
        ...options,
      },
    });
  return { agent, call, progress, remoteIds };
}

import { randomUUID } from "node:crypto";
import { Role, TaskState, type Message, type Part } from "@a2a-js/sdk";
import { duplicateInterfacesForLegacy } from "@a2a-js/sdk/compat/v0_3";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore, type AgentExecutor } from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import { cancelScenario, playScenario, serveAgent, type OutPart, type State, type Turn } from "./play-scenario.ts";

const states: Readonly<Record<State, TaskState>> = {
  working: TaskState.TASK_STATE_WORKING,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  rejected: TaskState.TASK_STATE_REJECTED,
  "input-required": TaskState.TASK_STATE_INPUT_REQUIRED,
  "auth-required": TaskState.TASK_STATE_AUTH_REQUIRED,
  canceled: TaskState.TASK_STATE_CANCELED,
};

const outPart = ({ text = "", data, file }: OutPart): Part => ({
  content: data
    ? { $case: "data", value: data }
    : file
      ? { $case: "raw", value: Buffer.from(file.text) }
      : { $case: "text", value: text },
  metadata: undefined,
  filename: file?.name ?? "",
  mediaType: file?.type ?? "",
});

const textOf = ({ parts }: Message): string =>
  parts.flatMap(({ content }) => (content?.$case === "text" ? [content.value] : []))[0] ?? "";

const filesOf = ({ parts }: Message): Turn["files"] =>
  parts.flatMap(({ content, filename, mediaType }) =>
    content?.$case === "raw" ? [{ name: filename, type: mediaType, bytes: content.value }] : [],
  );

const executor: AgentExecutor = {
  execute: async ({ taskId, contextId, userMessage, task }, bus) => {
    const ids = { taskId, contextId };
    const plain = { metadata: undefined };
    const said = (text: string): Message => ({
      ...ids,
      ...plain,
      messageId: randomUUID(),
      role: Role.ROLE_AGENT,
      parts: [outPart({ text })],
      extensions: [],
      referenceTaskIds: [],
    });
    const turn = { ...ids, text: textOf(userMessage), files: filesOf(userMessage), continued: task !== undefined };
    const status = (state: TaskState, says?: string) => ({
      state,
      message: says === undefined ? undefined : said(says),
      timestamp: new Date().toISOString(),
    });
    await playScenario(turn, {
      message: (text) => bus.publish(AgentEvent.message({ ...said(text), taskId: "" })),
      begin: () =>
        bus.publish(
          AgentEvent.task({
            ...plain,
            id: taskId,
            contextId,
            status: status(TaskState.TASK_STATE_SUBMITTED),
            artifacts: [],
            history: [userMessage],
          }),
        ),
      status: (state, says) =>
        bus.publish(AgentEvent.statusUpdate({ ...ids, ...plain, status: status(states[state], says) })),
      artifact: ({ id, name = "", parts, append = false, last = false }) =>
        bus.publish(
          AgentEvent.artifactUpdate({
            ...ids,
            ...plain,
            artifact: { ...plain, artifactId: id, name, description: "", parts: parts.map(outPart), extensions: [] },
            append,
            lastChunk: last,
          }),
        ),
    });
    bus.finished();
  },
  cancelTask: async (taskId, bus) => {
    const contextId = cancelScenario(taskId);
    bus.publish(
      AgentEvent.statusUpdate({
        taskId,
        contextId,
        metadata: undefined,
        status: { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: new Date().toISOString() },
      }),
    );
    bus.finished();
  },
};

serveAgent((app, url) => {
  const legacyCompat = { enabled: process.env["INTEROP_COMPAT"] === "1" };
  const own = [{ url: `${url}/a2a`, protocolBinding: "JSONRPC", tenant: "", protocolVersion: "1.0" }];
  const handler = new DefaultRequestHandler(
    {
      name: "js1",
      description: "Plays scenarios on @a2a-js/sdk 1.x.",
      version: "1.0.0",
      provider: undefined,
      supportedInterfaces: legacyCompat.enabled ? duplicateInterfacesForLegacy(own, ["JSONRPC"]) : own,
      capabilities: { streaming: true, extensions: [] },
      securitySchemes: {},
      securityRequirements: [],
      signatures: [],
      defaultInputModes: ["text/plain", "text/csv"],
      defaultOutputModes: ["text/plain", "application/json", "text/csv"],
      skills: [
        {
          id: "play",
          name: "Play",
          description: "Plays a scenario.",
          tags: ["test"],
          examples: [],
          inputModes: [],
          outputModes: [],
          securityRequirements: [],
        },
      ],
    },
    new InMemoryTaskStore(),
    executor,
  );
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: handler, legacyCompat }));
  app.use("/a2a", jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication, legacyCompat }));
});

export { askAssistant, createMemory, toolThat, type AskOutcome, type AskOptions } from "./ask-assistant.ts";
export { startBreakingServer, type Breaking } from "./breaking-server.ts";
export { frames, type ModelReply, type ModelRequest, named, sse, startModelServer } from "./model-server.ts";
export {
  call,
  finish,
  scriptedModel,
  text,
  wireModels,
  wireProviders,
  type Script,
  type ScriptedModel,
} from "./test-models.ts";

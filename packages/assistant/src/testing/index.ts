export { askAssistant, createMemory, toolThat, type Asked, type Asking } from "./ask-assistant.ts";
export { startBreakingServer, type Breaking, type BreakingServer } from "./breaking-server.ts";
export { call, finish, scriptedModel, text, type Script, type ScriptedModel } from "./scripted-model.ts";
export { wireModels, wireProviders } from "./wire-models.ts";

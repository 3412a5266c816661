/** Loads the AI SDK. Import this only when a model is connected. */
export { createAssistant, type AssistantDeps } from "./create-assistant.ts";
export { createPrompter, type Prompter } from "./create-prompter.ts";
export { tryModel } from "./calls/bounded-model.ts";
export { listModels } from "./models/model-choice.ts";
export { accessOf, openModel, type AccessSettings, type OpenModel, type ProviderAccess } from "./models/open-model.ts";

// The SDK would write its warnings to the console.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

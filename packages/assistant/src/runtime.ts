/** Loads the AI SDK. Import this only when a model is connected. */
export { createAssistant, type AssistantDeps } from "./create-assistant.ts";
export { accessOf, type AccessSettings } from "./models/access-of.ts";
export { listModels } from "./models/list-models.ts";
export { openModel, type OpenModel, type ProviderAccess } from "./models/open-model.ts";
export { tryModel } from "./models/try-model.ts";

// The SDK would write its warnings to the console.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

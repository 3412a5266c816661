export { askAssistant, toolThat, type Asked, type Asking } from "./ask-assistant.ts";
export { call, finish, scriptedModel, text, type Script, type ScriptedModel } from "./scripted-model.ts";

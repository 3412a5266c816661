export { loadOptions, type LoadOptions } from "./options.ts";
export { isFlawless } from "./report.ts";
export { runLoad } from "./run-load.ts";

/** The console: workflow runs in the browser. */
export { createRunPage } from "./create-run-page.ts";

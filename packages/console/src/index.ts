/** The console: the operators' pages in the browser, and plain pages that look like it. */
export { createConsole, homePage, plainPage, redirectRuns } from "./create-console.ts";

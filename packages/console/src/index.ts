/** The console: the operators' pages in the browser, and the page that says where things are. */
export { createConsole, homePage, redirectRuns } from "./create-console.ts";

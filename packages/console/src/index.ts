/** The console: workflow runs in the browser, and the page that says where things are. */
export { homePage, createRunPage } from "./create-run-page.ts";

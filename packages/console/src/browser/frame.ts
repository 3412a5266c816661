import { h, render, type ComponentChildren } from "preact";
import type { ApiFault } from "./api/run-api.ts";
import { keepToken } from "./api/session-token.ts";
import type { Connection } from "./api/watch-run.ts";

/** Returns the element of `index.html` with this id. Throws when it is missing. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no element #${id}`);
  return element;
}

/** Shows the page's content. What stays the same keeps its elements, with their focus and open details. */
export const showContent = (content: ComponentChildren): void => render(content, byId("content"));

const connectionWords: Readonly<Record<Connection, string>> = {
  live: "Live",
  reconnecting: "Reconnecting…",
  at_rest: "Up to date",
};

/** Shows whether the page is up to date. */
export function showConnection(connection: Connection): void {
  const mark = byId("connection");
  mark.dataset["connection"] = connection;
  render([h("span", { class: "connection-dot", "aria-hidden": "true" }), connectionWords[connection]], mark);
}

const noticeTitles: Readonly<Record<string, string>> = {
  "api-off": "The API is off",
  "run-not-found": "Run not found",
};

/** Replaces the content with an explanation. */
export function showNotice({ kind, message }: ApiFault): void {
  const text =
    kind === "api-off"
      ? "Set ADMIN_TOKENS for the execution zone (each token has at least 32 characters) and restart it. The API always requires a token."
      : message;
  showContent(
    h(
      "section",
      { class: "notice", role: "alert" },
      h("h1", null, noticeTitles[kind] ?? "This page can't be shown"),
      h("p", null, text),
      h("p", null, h("a", { href: "/runs" }, "All runs")),
    ),
  );
}

/** Replaces the content with a form for the token. `why` says what was wrong with the previous token. */
export function showTokenForm(why: string | undefined, onKept: () => void): void {
  function submit(event: Event): void {
    event.preventDefault();
    const token = (byId("token") as HTMLInputElement).value.trim();
    if (token === "") return;
    keepToken(token);
    onKept();
  }

  showContent(
    h(
      "form",
      { class: "notice", onSubmit: submit },
      h("h1", null, "Sign in"),
      h(
        "p",
        { id: "token-where" },
        "Paste a token with the scopes runs:read and content:read, and runs:act to cancel and retry runs. The token stays in this tab until you close it.",
      ),
      h("p", { id: "token-why", class: "said", role: "alert" }, why),
      h("label", { for: "token" }, "Token"),
      h("input", {
        type: "password",
        id: "token",
        name: "token",
        required: true,
        autocomplete: "off",
        spellcheck: false,
        "aria-describedby": "token-why token-where",
      }),
      h("button", { type: "submit", class: "primary" }, "View runs"),
    ),
  );
  byId("token").focus();
}

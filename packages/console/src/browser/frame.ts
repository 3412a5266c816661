import { shortId, visibleLine } from "@crosszone/service-kit/text";
import { type ComponentChild, type ComponentChildren, h, render } from "preact";
import { useState } from "preact/hooks";
import { keepToken } from "./session.ts";
import { fromNowText, fullTime, type ShownState, stateWords } from "./words.ts";

/** Returns the element of `index.html` with this id. Throws when it is missing. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no element #${id}`);
  return element;
}

/** Shows the page's content. What stays the same keeps its elements, with their focus and open details. */
export const showContent = (content: ComponentChildren): void => render(content, byId("content"));

/**
 * Whether changes arrive live. What has ended is `at_rest`: the page polls it now and then, because someone may change it.
 */
export type Connection = "live" | "reconnecting" | "at_rest";

const connectionWords: Readonly<Record<Connection, string>> = {
  live: "Live",
  reconnecting: "Reconnecting…",
  at_rest: "Up to date",
};

/** Shows whether the page is up to date; nothing before it has read anything. */
export function showConnection(connection: Connection | undefined): void {
  const mark = byId("connection");
  mark.hidden = connection === undefined;
  if (connection === undefined) return;
  mark.dataset["connection"] = connection;
  render([h("span", { class: "connection-dot", "aria-hidden": "true" }), connectionWords[connection]], mark);
}

const noticeTitles: Readonly<Record<string, string>> = {
  "api-off": "The API is off",
  "run-not-found": "Run not found",
  "page-not-found": "Page not found",
  "missing-scope": "Your role can't see this",
};

/** Replaces the content with an explanation. */
export function showNotice({ kind, message }: { readonly kind: string; readonly message: string }): void {
  const text =
    kind === "api-off"
      ? "Set ADMIN_TOKENS for the execution zone (each token has at least 32 characters) and restart it. The API always requires a token."
      : message;
  showConnection(undefined);
  showContent(
    h(
      "section",
      { class: "notice", role: "alert" },
      h("h1", null, noticeTitles[kind] ?? "This page can't be shown"),
      h("p", null, text),
      h("p", null, h("a", { href: "/console" }, "To the start")),
    ),
  );
}

/** What the page for signing in shows: what was wrong before, and where to sign in when the zone has a sign-in. */
interface SignIn {
  readonly why: string | undefined;
  /** Empty without a sign-in. */
  readonly signIn: string;
}

/** Replaces the content with the ways to sign in. */
export function showSignIn({ signIn, why }: SignIn, onKept: () => void): void {
  showConnection(undefined);
  function submit(event: Event): void {
    event.preventDefault();
    const token = (byId("token") as HTMLInputElement).value.trim();
    if (token === "") return;
    keepToken(token);
    onKept();
  }

  const back = encodeURIComponent(location.pathname + location.search);
  showContent(
    h(
      "form",
      { class: "notice", onSubmit: submit },
      h("h1", null, "Sign in"),
      h("p", { id: "token-why", class: "said", role: "alert" }, why),
      signIn !== "" && [
        h("a", { class: "button primary", href: `${signIn}?return_to=${back}` }, "Sign in with your organization"),
        muted("Or with a token:"),
      ],
      h(
        "p",
        { id: "token-where" },
        "Paste a token with the scopes runs:read and content:read, and runs:act to cancel and retry runs. The token stays in this tab until you close it.",
      ),
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
      h("button", { type: "submit", class: signIn === "" ? "primary" : "" }, "Open the console"),
    ),
  );
  byId("token").focus();
}

/** A name, its value, and a title for the pointer. */
type Fact = readonly [name: string, value: ComponentChildren, title?: string | undefined];

/** Names and values in a row, or in two columns (`facts`); one without a value is left out. */
export const factList = (facts: readonly Fact[], look: "run-facts" | "facts" = "run-facts"): ComponentChild =>
  h(
    "dl",
    { class: look },
    facts
      .filter(([, value]) => value !== undefined && value !== false)
      .map(([name, value, title]) => h("div", { key: name }, h("dt", null, name), h("dd", { title }, value))),
  );

/** A part of a page below its heading. */
export const section = (title: string, ...content: ComponentChildren[]): ComponentChild =>
  h("section", { class: "surface", key: title, "aria-label": title }, h("h2", null, title), ...content);

/** Why the latest act or request failed; empty when it did not. Screen readers read it at once. */
export const saidLine = (text: ComponentChildren): ComponentChild => h("p", { class: "said", role: "alert" }, text);

export const muted = (...text: ComponentChildren[]): ComponentChild => h("p", { class: "muted" }, ...text);

/** The link from a page to its list. */
export const wayBack = (href: string, words: string): ComponentChild =>
  h("p", { class: "way" }, h("a", { href }, words));

/** Resolves with why an act failed, as a sentence for the user; empty when it did not. */
export const whyFailed = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => "",
    (error: unknown) => (error as Error).message,
  );

/** A button that copies a text. `of` says what. */
export function CopyButton({ of, text }: { readonly of: string; readonly text: string }): ComponentChild {
  const [words, setWords] = useState("Copy");
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => setWords("Copied"),
      () => setWords("Copying is blocked"),
    );
  return h("button", { type: "button", class: "quiet", "aria-label": `Copy ${of}`, onClick: copy }, words);
}

/** A time as its distance from now; exact when the pointer rests on it. `now`: Unix milliseconds. */
export const timeMark = (at: string, now: number): ComponentChild =>
  h("time", { datetime: at, title: fullTime(at) }, fromNowText(at, now));

/** A link to a thread in Slack, in the browser or the app; its channel as text when the team is not known. */
export function threadLink(place: SlackPlace): ComponentChild {
  const { channel, team_id, thread_ts } = place;
  if (channel === undefined) return undefined;
  const ids = [team_id, channel, thread_ts].map((id) => encodeURIComponent(id ?? ""));
  const href = `https://app.slack.com/client/${ids[0]}/${ids[1]}${thread_ts === undefined ? "" : `/thread/${ids[1]}-${ids[2]}`}`;
  return team_id === undefined ? channel : h("a", { href, target: "_blank", rel: "noreferrer" }, "Open in Slack");
}

interface SlackPlace {
  readonly team_id?: string;
  readonly channel?: string;
  readonly thread_ts?: string;
}

/** The beginning of an id, which is enough to find it. The pointer shows all of it. */
export const idChip = (id: string): ComponentChild => h("span", { class: "path", title: id }, shortId(id));

/** A link to the page of an agent, which lists its calls. */
export const agentLink = (name: string): ComponentChild =>
  h("a", { href: `/console/agents/${encodeURIComponent(name)}` }, visibleLine(name));

/** An id to read and copy. */
export const copyable = (id: string): ComponentChild =>
  h("span", { class: "copyable" }, idChip(id), h(CopyButton, { of: id, text: id }));

/** The icon of each state on a 16 by 16 grid. Each has its own shape, so color is not needed to tell them apart. */
const shapes: Readonly<Record<ShownState, string>> = {
  pending: "M8 3a5 5 0 1 0 0 10A5 5 0 1 0 8 3",
  running: "M8 2.5A5.5 5.5 0 0 1 13.5 8",
  waiting: "M4.5 2.5h7M4.5 13.5h7M5.5 2.5v2.5l5 6v2.5M10.5 2.5v2.5l-5 6v2.5",
  succeeded: "M3.5 8.5l3 3 6-7",
  failed: "M4 4l8 8M12 4l-8 8",
  canceled: "M4.5 4.5h7v7h-7z",
  skipped: "M4 8h8",
  timed_out: "M8 3a5 5 0 1 0 0 10A5 5 0 1 0 8 3M8 5.5V8l2 1.5",
};

/** The icon of a state. Hidden from screen readers, because the state's name always follows. */
export function stateMark(state: ShownState, size = 16): ComponentChild {
  return h(
    "svg",
    { class: "mark", "data-state": state, viewBox: "0 0 16 16", width: size, height: size, "aria-hidden": "true" },
    state === "running" && h("path", { class: "mark-track", d: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11" }),
    h("path", { class: state === "running" ? "mark-turning" : "mark-line", d: shapes[state] }),
  );
}

/** A state as icon and name. */
export const stateChip = (state: ShownState, words = stateWords[state]): ComponentChild =>
  h("span", { class: "chip", "data-state": state }, stateMark(state), words);

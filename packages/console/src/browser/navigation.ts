import type { TokenScope } from "@crosszone/contracts";
import { type ApiQuery, queryText } from "@crosszone/contracts/operations";
import { h, render } from "preact";
import type { Api, ApiFault } from "./api.ts";
import { byId, showConnection, showNotice } from "./frame.ts";
import { may, type User } from "./session.ts";

/** One of the console's tabs. `main.ts` lists them. */
export interface Tab {
  readonly name: string;
  /** The first parts of the paths below `/console` that it serves, its own first: `runs`. Empty for `/console` itself. */
  readonly segments: readonly [string, ...string[]];
  /** What the user needs to see it. */
  readonly scope: TokenScope;
  /** Shows the place in the content. Called again for every address of the tab. */
  open(place: Place): void;
}

/** An address of the console, and what a tab needs to show it. */
export interface Place {
  /** The parts of the path below `/console`: `["runs", "<run_id>"]`. */
  readonly parts: readonly string[];
  /** The values of the query. */
  readonly query: Readonly<Record<string, string>>;
  readonly api: Api;
  readonly session: User;
  /** Aborts when another place opens: every request, stream, timer and listener of this one ends. */
  readonly signal: AbortSignal;
  /** Replaces the query in the address, without an entry in the browser's history. */
  readonly setQuery: (query: ApiQuery) => void;
  /** Opens another page of the console, as a link does; `replaces` this one in the browser's history. */
  readonly go: (path: string, how?: "replaces") => void;
  /** Ends this place with an explanation: the API no longer allows access. */
  readonly refused: (fault: ApiFault) => void;
}

const root = "/console";
const hrefOf = ({ segments: [own] }: Tab): string => (own === "" ? root : `${root}/${own}`);
const addressNow = (): string => location.pathname + location.search;

interface NavigationDeps {
  readonly api: Api;
  readonly session: User;
  readonly refused: (fault: ApiFault) => void;
}

/** Shows the tabs and opens the one of the address, now and whenever the address changes. Links of the console open without a reload. */
export function startNavigation(all: readonly Tab[], { api, refused, session }: NavigationDeps): void {
  const tabs = all.filter(({ scope }) => may(session, scope));
  let closing = new AbortController();
  let shown: string | undefined;

  function open(): void {
    shown = addressNow();
    closing.abort();
    closing = new AbortController();
    const parts = location.pathname.slice(root.length).split("/").filter(Boolean).map(decoded);
    const tab = tabs.find(({ segments }) => segments.includes(parts[0] ?? ""));
    const [first] = tabs;
    if (tab === undefined && parts.length === 0 && first !== undefined) {
      history.replaceState(null, "", hrefOf(first) + location.search + location.hash);
      return open();
    }
    showTabs(tabs, tab);
    render(null, byId("content"));
    showConnection(undefined);
    document.title = `${tab?.name ?? "Not found"} · Crosszone`;
    if (tab === undefined) return showNotice(whyNoTab(all.find(({ segments }) => segments.includes(parts[0] ?? ""))));
    const end = closing;
    tab.open({
      parts,
      query: Object.fromEntries(new URLSearchParams(location.search)),
      api,
      session,
      signal: end.signal,
      setQuery: (query) => {
        history.replaceState(null, "", location.pathname + queryText(query));
        shown = addressNow();
      },
      go: (path, how) => {
        if (!end.signal.aborted) go(path, how);
      },
      refused: (fault) => {
        if (end.signal.aborted) return;
        end.abort();
        refused(fault);
      },
    });
  }

  const whyNoTab = (hidden: Tab | undefined) => {
    if (hidden === undefined) return { kind: "page-not-found", message: "The console has no such page." };
    const message = `${hidden.name} needs the scope ${hidden.scope}, and you are ${session.name}. Ask an administrator.`;
    return { kind: "missing-scope", message };
  };

  function go(path: string, how?: "replaces"): void {
    if (how === undefined) history.pushState(null, "", path);
    else history.replaceState(null, "", path);
    open();
    byId("content").focus();
  }

  addEventListener("popstate", () => {
    // The fragment belongs to the tab.
    if (addressNow() !== shown) open();
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a");
    if (link === null || !opensHere(link, event)) return;
    event.preventDefault();
    go(link.href);
  });
  open();
}

/** Whether a click on a link opens a page of the console in this tab of the browser. */
function opensHere(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const isOurs = link.origin === location.origin && `${link.pathname}/`.startsWith(`${root}/`);
  const isFragment = link.hash !== "" && link.pathname + link.search === addressNow();
  return isPlain && isOurs && !isFragment && !event.defaultPrevented && link.target === "" && !link.download;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function showTabs(tabs: readonly Tab[], current: Tab | undefined): void {
  const links = tabs.map((tab) =>
    h("a", { href: hrefOf(tab), "aria-current": tab === current ? "page" : undefined, key: tab.name }, tab.name),
  );
  render(links, byId("tabs"));
  byId("tabs").hidden = false;
  byId("tabs").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

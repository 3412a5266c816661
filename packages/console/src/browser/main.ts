/** The console: it reads `/api/v1` with the token of this tab, or with the session of this browser. */
import { options } from "preact";
import { showUnseen } from "@crosszone/service-kit/text";
import { agentsTab } from "./agents-tab.ts";
import { ApiFault, createApi } from "./api.ts";
import { approvalsTab } from "./approvals/approvals-tab.ts";
import { auditTab } from "./audit/audit-tab.ts";
import { confirmed, listenForKeys } from "./dialog.ts";
import { findTab } from "./find/find-tab.ts";
import { byId, showNotice, showSignIn } from "./frame.ts";
import { startNavigation } from "./navigation.ts";
import { runsTab } from "./run/runs-tab.ts";
import { schedulesTab } from "./run/schedules-tab.ts";
import { keepToken, readToken, readSignedIn, signInPath, signOut, takeToken, type User } from "./session.ts";
import { usageTab } from "./usage-tab.ts";

/** In their order. `/console` opens the first. */
const tabs = [findTab, runsTab, approvalsTab, schedulesTab, agentsTab, usageTab, auditTab];

const shown = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shown);
  return typeof value === "string" ? showUnseen(value) : value;
};
// Names, titles and answers come from others: characters that people can't see are shown, as on cards.
options.vnode = ({ type, props }) => {
  const own = props as Record<string, unknown>;
  const read = typeof type === "string" ? ["children", "title", "aria-label"] : [];
  for (const name of read) if (name in own) own[name] = shown(own[name]);
};

const token = await chooseToken();
const api = createApi(token);

/**
 * Returns the token to use: that of this tab, or one of the address, which is kept. A user who is signed in is asked first, because whoever sent
 * the link sees what is done with its token.
 */
async function chooseToken(): Promise<string | undefined> {
  const [given, own] = [takeToken(), readToken()];
  if (given === undefined || given === own) return own;
  const mayBeSignedIn = own !== undefined || signInPath() !== "";
  const user = mayBeSignedIn ? await readSignedIn(createApi(own)).catch((error: unknown) => error) : undefined;
  const isSignedOut = user === undefined || (user instanceof ApiFault && user.status === 401);
  const holder = isSignedOut ? undefined : await readSignedIn(createApi(given)).catch(() => undefined);
  if (!isSignedOut && (holder === undefined || user instanceof Error || !(await isWanted(user as User, holder))))
    return own;
  keepToken(given);
  return given;
}

async function isWanted(user: User, holder: User): Promise<boolean> {
  const text = `You are signed in as ${user.name}. The link that you opened has a token of ${holder.name}. With it, this tab acts in that name, and its holder sees what you do.`;
  const words = { title: "Use this token instead?", text, yes: "Use the token", no: "Stay signed in" };
  let is = false;
  await confirmed({ ...words, look: "dangerous" }, async () => void (is = true));
  return is;
}

/** What the next page for signing in says first: it is another page. */
const leftKey = "crosszone-left";
let isSignedIn = false;

/** A reload drops all data of the previous user. */
const startAgain = (): void => location.reload();

const leave = async (): Promise<void> => {
  const next = await signOut();
  sessionStorage.setItem(leftKey, "You are signed out.");
  if (next === undefined) startAgain();
  else location.assign(next);
};

function refused(fault: ApiFault): void {
  if (fault.status !== 401) return showNotice(fault);
  byId("who").hidden = true;
  byId("tabs").hidden = true;
  if (token !== undefined) void signOut();
  const left = sessionStorage.getItem(leftKey) ?? undefined;
  sessionStorage.removeItem(leftKey);
  const ended =
    isSignedIn || fault.message.includes("session has ended") ? "Your session has ended. Sign in again." : left;
  const why = token === undefined ? ended : "This token is not valid. It is unknown, expired or revoked.";
  document.title = "Sign in · Crosszone";
  showSignIn({ why, signIn: signInPath() }, startAgain);
}

async function start(): Promise<void> {
  try {
    const session = await readSignedIn(api);
    isSignedIn = true;
    byId("who").hidden = false;
    byId("who-name").textContent = session.name;
    byId("sign-out").addEventListener("click", () => void leave());
    listenForKeys();
    startNavigation(tabs, { api, session, refused });
  } catch (error) {
    // Without a token too, the API says whether it is on.
    if (!(error instanceof ApiFault)) throw error;
    refused(error);
  }
}

// Changing the fragment in an open tab doesn't reload the page.
addEventListener("hashchange", () => void chooseToken().then((chosen) => chosen === token || startAgain()));
void start();

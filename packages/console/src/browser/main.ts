/** The console: it reads `/api/v1` with the token of this tab, or with the session of this browser. */
import { agentsTab } from "./agents-tab.ts";
import { ApiFault, createApi } from "./api.ts";
import { approvalsTab } from "./approvals/approvals-tab.ts";
import { auditTab } from "./audit/audit-tab.ts";
import { listenForKeys } from "./dialog.ts";
import { findTab } from "./find/find-tab.ts";
import { byId, showNotice, showSignIn } from "./frame.ts";
import { startNavigation } from "./navigation.ts";
import { runsTab } from "./run/runs-tab.ts";
import { readToken, readSignedIn, signInPath, signOut } from "./session.ts";
import { usageTab } from "./usage-tab.ts";

/** In their order. `/console` opens the first. */
const tabs = [findTab, runsTab, approvalsTab, agentsTab, usageTab, auditTab];
const token = readToken();
const api = createApi(token);

/** A reload drops all data of the previous user. */
const startAgain = (): void => location.reload();

const leave = async (): Promise<void> => {
  const next = await signOut();
  if (next === undefined) startAgain();
  else location.assign(next);
};

function refused(fault: ApiFault): void {
  if (fault.status !== 401) return showNotice(fault);
  byId("who").hidden = true;
  byId("tabs").hidden = true;
  if (token !== undefined) void signOut();
  const why = token === undefined ? undefined : "This token is not valid. It is unknown, expired or revoked.";
  showSignIn({ why, signIn: signInPath() }, startAgain);
}

async function start(): Promise<void> {
  try {
    const session = await readSignedIn(api);
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
addEventListener("hashchange", () => {
  if (readToken() !== token) startAgain();
});
void start();

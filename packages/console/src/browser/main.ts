/** The console: it reads `/api/v1` with the token of this tab, or with the session of this browser. */
import { ApiFault, createApi } from "./api.ts";
import { byId, showNotice, showSignIn } from "./frame.ts";
import { listenForKeys } from "./keys.ts";
import { startNavigation } from "./navigation.ts";
import { readHolder, readSignIn, readToken, signOut } from "./session.ts";
import { tabs } from "./tabs.ts";

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
  void askToSignIn("This token is not valid. It is unknown, expired or revoked.");
}

async function askToSignIn(why?: string): Promise<void> {
  byId("who").hidden = true;
  byId("tabs").hidden = true;
  if (token !== undefined) await signOut();
  const { signIn } = await readSignIn();
  showSignIn({ why: token === undefined ? undefined : why, signIn }, startAgain);
}

async function start(): Promise<void> {
  try {
    const { session = await readHolder(api) } = token === undefined ? await readSignIn() : {};
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

/** The runs page: `/runs` lists runs, `/runs/{run_id}` shows one. It reads `/api/v1` with the user's token. */
import { byId, forgetToken, readToken, showNotice, showTokenForm } from "./frame.ts";
import { type ApiFault, createRunApi } from "./run-api.ts";
import { openRunList } from "./run-list.ts";
import { openRunView } from "./run/run-view.ts";

const [, runId] = /^\/runs\/([^/]+)\/?$/.exec(location.pathname) ?? [];
const token = readToken();
const api = createRunApi(token);

function refused(fault: ApiFault): void {
  byId("sign-out").hidden = true;
  if (fault.status !== 401) return showNotice(fault);
  forgetToken();
  const why = token === undefined ? undefined : "This token is not valid. It is unknown, expired or revoked.";
  showTokenForm(why, startAgain);
}

/** A reload drops all data of the previous user. */
const startAgain = (): void => location.reload();

byId("sign-out").hidden = token === undefined;
byId("sign-out").addEventListener("click", () => {
  forgetToken();
  startAgain();
});
// Changing the fragment in an open tab doesn't reload the page.
addEventListener("hashchange", () => {
  if (readToken() !== token) startAgain();
});
// A request without a token returns whether the API is on and needs one.
if (token === undefined) api.list({}).catch(refused);
else if (runId === undefined) openRunList(api, refused);
else openRunView(api, runId, refused);

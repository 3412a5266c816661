/** The page of runs: `/runs` lists them, `/runs/{run_id}` shows one. What it shows it asks of `/api/v1`, with the token of who looks. */
import type { ApiFault } from "./api/api-fault.ts";
import { createRunApi } from "./api/run-api.ts";
import { forgetToken, readToken } from "./api/session-token.ts";
import { byId } from "./element.ts";
import { openRunList } from "./list/run-list.ts";
import { showNotice } from "./notice.ts";
import { openRunView } from "./run/run-view.ts";
import { showTokenForm } from "./token-form.ts";

const [, runId] = /^\/runs\/([^/]+)\/?$/.exec(location.pathname) ?? [];
const token = readToken();
const api = createRunApi(token);

function refused(fault: ApiFault): void {
  byId("sign-out").hidden = true;
  if (fault.status !== 401) return showNotice(fault);
  forgetToken();
  const why =
    token === undefined ? undefined : "This token is not valid. Is it one of AGENT_VIEW_TOKENS or AGENT_ADMIN_TOKENS?";
  showTokenForm(why, startAgain);
}

/** Nothing of what was shown, and of who looked, is left over. */
const startAgain = (): void => location.reload();

byId("sign-out").hidden = token === undefined;
byId("sign-out").addEventListener("click", () => {
  forgetToken();
  startAgain();
});
// An address that is put into an open tab loads nothing anew.
addEventListener("hashchange", () => {
  if (readToken() !== token) startAgain();
});
// Without a token the API still says whether it is one that is missing.
if (token === undefined) api.list({}).catch(refused);
else if (runId === undefined) openRunList(api, refused);
else openRunView(api, runId, refused);

import { startSignIn } from "@crosszone/execution/testing";
import { serve } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { lookEverywhere, seriousProblems, useBrowser } from "./use-browser.ts";

const open = useBrowser({ expectsRefusals: true });

test("W16: in a real browser, a person signs in on localhost, and a page of another site can't use the session", async () => {
  const { zone, url, provider } = await startSignIn();
  provider.sub = "adam";
  const page = await open(`${url}/auth/login?return_to=/console`);
  expect(page.url()).toBe(`${url}/console`);
  expect(await page.context().cookies(url)).toEqual([
    expect.objectContaining({ name: "__Host-crosszone", httpOnly: true, secure: true, sameSite: "Lax", path: "/" }),
  ]);
  await page.goto(`${url}/runs`);
  const ask = (path: string, method = "GET") =>
    page.evaluate(
      async ([to = "", how = ""]) => {
        const response = await fetch(to, { method: how, headers: { "content-type": "application/json" } });
        return [response.status, (await response.json()) as Record<string, unknown>] as const;
      },
      [path, method],
    );
  expect(await ask("/api/v1/session")).toEqual([
    200,
    expect.objectContaining({ name: "Adam Admin", roles: ["admin"] }),
  ]);
  expect((await ask("/api/v1/tokens"))[0]).toBe(200);

  const evil = await serve((_request, response) => {
    const form = `<form method="post" action="${url}/auth/logout" enctype="text/plain"><button>Win</button></form>`;
    response.writeHead(200, { "content-type": "text/html" }).end(form);
  });
  await page.goto(evil);
  await page.getByRole("button").click();
  await page.waitForURL(`${url}/auth/logout`);
  await page.goto(`${url}/runs`);
  expect((await ask("/api/v1/session"))[0]).toBe(200);
  const rejected = (await zone.acts()).filter(
    ({ outcome, action }) => outcome === "rejected" && action === "session.end",
  );
  expect(rejected).toHaveLength(1);

  const [status, { redirect_to }] = await ask("/auth/logout", "POST");
  expect([status, String(redirect_to).startsWith(provider.issuer)]).toEqual([200, true]);
  expect((await ask("/api/v1/session"))[0]).toBe(401);
  expect(await page.context().cookies(url)).toEqual([]);
});

test("Q40: a person reads why the console shows nothing: another role's page, a session that ended, a sign-out, a provider that is away", async () => {
  const { url, provider } = await startSignIn();
  provider.sub = "vera";
  const page = await open(`${url}/auth/login?return_to=/console/audit`);
  const isUpToDate = () => page.getByText("Up to date").isVisible();
  await page.getByRole("heading", { name: "Your role can't see this" }).waitFor();
  await page.getByText("Audit needs the scope audit:read, and you are Vera Viewer. Ask an administrator.").waitFor();
  expect(await isUpToDate()).toBe(false);
  await lookEverywhere(page, "truth-no-role");
  await page.goto(`${url}/console/nowhere`);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  const refused = await page.evaluate<{ readonly title: string; readonly detail: string }>(
    `fetch("/api/v1/tokens").then((response) => response.json())`,
  );
  expect([refused.title, refused.detail]).toEqual([
    "A scope is missing",
    "Your role does not have the scope tokens:write.",
  ]);

  await page.goto(`${url}/console/approvals`);
  await page.getByText("Up to date").waitFor();
  // Another tab ends the session: the next reading of this one says so.
  const headers = { "content-type": "application/json" };
  await page.evaluate(async (init) => void (await fetch("/auth/logout", init)), {
    method: "POST",
    headers,
    body: "{}",
  });
  await page.getByText("Your session has ended. Sign in again.").waitFor();
  expect(await isUpToDate()).toBe(false);
  await lookEverywhere(page, "truth-session-ended");

  await page.getByRole("link", { name: "Sign in with your organization" }).click();
  await page.getByText("Vera Viewer").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL((to) => to.origin === provider.issuer);
  await page.goto(`${url}/console`);
  await page.getByText("You are signed out.").waitFor();
  expect(await isUpToDate()).toBe(false);
  await page.reload();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await page.getByText("You are signed out.").count()).toBe(0);

  provider.isDown = true;
  await page.getByRole("link", { name: "Sign in with your organization" }).click();
  await page.getByRole("heading", { name: "Sign-in is not possible right now" }).waitFor();
  expect(page.url().startsWith(url)).toBe(true);
  await lookEverywhere(page, "truth-provider-away");
});

test("X25: a link with another's token replaced who was signed in: the person is asked first", async () => {
  const { url, provider, variables } = await startSignIn();
  provider.sub = "olga";
  const page = await open(`${url}/auth/login?return_to=/console`);
  const name = () => page.locator("#who-name").textContent();
  await page.getByText("Olga Ops").waitFor();
  const evil = `${url}/console/runs#token=${variables.ADMIN_TOKENS}`;
  const dialog = page.getByRole("dialog", { name: "Use this token instead?" });
  // The link is opened, or only the fragment of an open tab changes.
  for (const openLink of [
    () => page.goto(evil),
    () => page.evaluate(`void (location.href = ${JSON.stringify(evil)})`),
  ]) {
    await page.goto(`${url}/console/runs`);
    await openLink();
    await dialog
      .getByText("You are signed in as Olga Ops. The link that you opened has a token of bootstrap.")
      .waitFor();
    expect([page.url(), await page.evaluate("sessionStorage.length")]).toEqual([`${url}/console/runs`, 0]);
    expect(await seriousProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Runs" }).waitFor();
    await page.reload();
    await page.getByText("Olga Ops").waitFor();
    expect(await name()).toBe("Olga Ops");
  }
  // A token that is not valid changes nothing, and needs no question.
  await page.goto(`${url}/console#token=not-a-token-of-anybody`);
  await page.reload();
  await page.getByText("Olga Ops").waitFor();

  await page.goto("about:blank");
  await page.goto(evil);
  await dialog.getByRole("button", { name: "Use the token" }).click();
  await page.getByText("bootstrap").waitFor();
  // The same token again is no change, and the tab's token is replaced as little as a session.
  await page.goto(evil);
  await page.reload();
  await page.getByText("bootstrap").waitFor();
  expect(await dialog.count()).toBe(0);
});

import { startSignIn } from "@crosszone/execution/testing";
import { serve } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { useBrowser } from "./use-browser.ts";

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

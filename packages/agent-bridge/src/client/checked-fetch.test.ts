import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createAddressRules } from "../addresses/address-rules.ts";
import { createCheckedFetch } from "./agent-fetch.ts";

test("fetches only from allowed origins, and ends when it is closed", async () => {
  const server = createServer((request, response) => {
    if (request.url === "/slow") return;
    response.end("ok");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => void server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { fetch, close } = createCheckedFetch({ rules: createAddressRules({ origins: [url] }) });
  expect(await (await fetch(`${url}/x`)).text()).toBe("ok");
  for (const other of ["http://127.0.0.1:9/", "http://169.254.169.254/latest", "https://example.com/"])
    await expect(fetch(other)).rejects.toMatchObject({ kind: "address_refused" });
  const slow = fetch(`${url}/slow`);
  slow.catch(() => undefined);
  await close();
  await expect(slow).rejects.toThrow("fetch failed");
});

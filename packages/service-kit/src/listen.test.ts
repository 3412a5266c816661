import { networkInterfaces } from "node:os";
import { afterEach, expect, test } from "vitest";
import { close } from "./close.ts";
import { createHttpServer } from "./http-server.ts";
import { listen, ListenError, type ListenOptions } from "./listen.ts";

const servers: ReturnType<typeof createHttpServer>[] = [];
const server = () => {
  const created = createHttpServer((_request, response) => response.end("hello"));
  servers.push(created);
  return created;
};
afterEach(() => Promise.all(servers.splice(0).map((each) => close(each, { deadlineMs: 0 }))));

const failure = async (options: ListenOptions): Promise<unknown> =>
  listen(server(), options).then(
    () => undefined,
    (error: unknown) => error,
  );

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === "IPv6"));

test.each(["127.0.0.1", "0.0.0.0", "localhost", ...(hasIpv6 ? ["::1", "::"] : [])])(
  "the URL for %s reaches the server",
  async (host) => {
    const { url, port } = await listen(server(), { port: 0, host });
    expect(port).toBeGreaterThan(0);
    expect(await (await fetch(url)).text()).toBe("hello");
  },
);

test("a port in use is one clear line that names the variable, and the server may try again", async () => {
  const { port } = await listen(server(), { port: 0, host: "127.0.0.1" });
  const second = server();
  const listeners = second.listenerCount("error") + second.listenerCount("listening");
  const attempt = listen(second, { port, host: "127.0.0.1", portVariable: "EXECUTION_PORT" });
  await expect(attempt).rejects.toThrow(ListenError);
  await expect(attempt).rejects.toMatchObject({
    code: "EADDRINUSE",
    message: `port ${port} is in use; free it or set EXECUTION_PORT`,
  });
  expect(await failure({ port, host: "127.0.0.1" })).toMatchObject({
    message: `port ${port} is in use; free it or take another one`,
  });
  const again = await listen(second, { port: 0, host: "127.0.0.1" });
  expect(again.port).not.toBe(port);
  expect(second.listenerCount("error") + second.listenerCount("listening")).toBe(listeners);
});

test("other reasons are clear too", async () => {
  expect(await failure({ port: 70_000, host: "127.0.0.1", portVariable: "P" })).toMatchObject({
    message: "port 70000 does not exist; set P (0 to 65535)",
  });
  expect(await failure({ port: 0, host: "192.0.2.1" })).toMatchObject({
    message: "192.0.2.1 is not an address of this machine",
  });
});

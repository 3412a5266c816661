import { createInProcessTransport } from "@crosszone/jsonrpc";
import { transportContract } from "./transport.contract.ts";

transportContract("the in-process transport", async (handle) => {
  const transport = createInProcessTransport(handle);
  return { transport, stop: () => transport.close() };
});

// inputs: tests/full/interop/** apps/execution/src/doors/a2a/** packages/{a2a,contracts,jsonrpc}/** packages/service-kit/src/http/**
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ClientFactory, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { calledAnswers as answers, startCalledZone } from "../../harness/start-called-zone.ts";
import { installTimeout, pythonEnv, pythonOf } from "../../harness/install-once.ts";
import { fetchWithToken as fetchImpl, request, textsOf } from "../../harness/sdk-messages.ts";

const run = promisify(execFile);
const agents = join(import.meta.dirname, "agents");
const clients = join(import.meta.dirname, "clients");

test.each([
  ["03", answers],
  // Lists are new in 1.0.
  ["1", { ...answers, listed: [true] }],
])("A1, A2, A6: the official client for Python, %s, calls every operation", async (version, expected) => {
  const [url, python] = [await startCalledZone(), await pythonOf(join(agents, `requirements-${version}.txt`))];
  const { stdout } = await run(python, [join(clients, `ask_${version}.py`), url], {
    env: { ...process.env, ...pythonEnv },
  });
  expect(JSON.parse(stdout)).toEqual(expected);
});

test("A2, A6: the official client for Go calls every operation", { timeout: installTimeout }, async () => {
  const url = await startCalledZone();
  const program = join(tempFolder({}), "ask");
  await run("go", ["build", "-o", program, "."], { cwd: join(clients, "go") });
  expect(JSON.parse((await run(program, [url])).stdout)).toEqual(answers);
});

test("A1: the official client for JavaScript reads a held answer", async () => {
  const url = await startCalledZone();
  const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })] });
  const task = await (await factory.createFromUrl(`${url}echo/`)).sendMessage(request("hold"));
  expect("artifacts" in task && textsOf(task)).toEqual(["hold ended"]);
});

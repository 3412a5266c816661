import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readContract } from "../scripts/read-contract.ts";
import * as contracts from "./index.ts";

/** Removing or renaming one of these is a breaking change of the published package. */
const values = `
  ZoneError errorTable isAttachment isCancelTaskParams isCancelTaskResult isCorrelationId isErrorKind isExecuteTaskParams
  isExecuteTaskResult isGetAsyncTaskResultParams isGetAsyncTaskResultResult isJsonRpcError isJsonRpcId isJsonRpcRequest
  isJsonRpcResponse isListAgentsParams isListAgentsResult isRequestId isTaskAccepted isTaskId isTaskState isTaskSucceeded
  isTaskWorking isThreadMessage isZoneErrorData isZoneRequest problemsOf zoneMethods
`;
const types = `
  AgentSkill AgentSummary Attachment CancelTaskParams CancelTaskResult CorrelationId ErrorKind ErrorRow ExecuteTaskParams
  ExecuteTaskResult GetAsyncTaskResultParams GetAsyncTaskResultResult JsonRpcError JsonRpcFailure JsonRpcId JsonRpcRequest
  JsonRpcResponse JsonRpcSuccess ListAgentsParams ListAgentsResult ParamProblem RequestId TaskAccepted TaskId TaskState
  TaskSucceeded TaskWorking ThreadMessage ValidationFailure Validator ZoneErrorData ZoneErrorDetail ZoneMethods ZoneRequest
`;
const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : 1);
const names = (text: string): string[] => text.trim().split(/\s+/);

test("the package exports exactly these values", () => {
  expect(Object.keys(contracts).toSorted(byCodeUnit)).toEqual(names(values));
});

test("the package exports exactly these types", () => {
  const source = readFileSync(join(import.meta.dirname, "index.ts"), "utf8");
  const exported = [...source.matchAll(/^export (type )?\{([^}]*)\} from/gm)].flatMap(([, allTypes, list = ""]) =>
    list
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name && (allTypes || name.startsWith("type ")))
      .map((name) => name.replace("type ", "")),
  );
  expect(exported.toSorted(byCodeUnit)).toEqual(names(types));
  expect(source.match(/^export\b/gm)).toHaveLength(source.match(/^export (type )?\{/gm)?.length ?? 0);
});

test("every type of the contract is exported, with its validator", () => {
  for (const { title } of readContract().types) {
    expect(names(types)).toContain(title);
    expect(names(values)).toContain(`is${title}`);
  }
});

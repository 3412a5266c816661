import { RpcError } from "@crosszone/a2a";
import type { InputRequest } from "@crosszone/contracts";

const forms: Readonly<Record<InputRequest["kind"], string>> = {
  approve: '"verdict": "approve" or "deny"',
  choose: '"value": one of its options',
  text: '"value": a text',
  form: '"values": an object with its fields',
};

/** Returns the error for a message that answers no open request. It says what to send. */
export function badReply(problem: string, open: readonly InputRequest[]): RpcError {
  const wanted = open.map(({ request_id, kind }) => `{"request_id": "${request_id}", ${forms[kind]}}`);
  return new RpcError(
    "INVALID_PARAMS",
    `Invalid params: ${problem}. Send a data part for each request that you answer: ${wanted.join("; ")}.`,
    { field: "message.parts" },
  );
}

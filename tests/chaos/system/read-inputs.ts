import type { InputRequest, ListInputRequestsResult } from "@crosszone/contracts";

const pageSize = 200;

/** Returns all input requests of an execution process, as verification sees them. */
export async function readInputs(url: string, token: string): Promise<readonly InputRequest[]> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const found: InputRequest[] = [];
  for (let after_seq = 0; ;) {
    const params = { after_seq, limit: pageSize };
    const body = JSON.stringify({ jsonrpc: "2.0", id: `inputs-${after_seq}`, method: "list_input_requests", params });
    const answer = (await (await fetch(url, { method: "POST", headers, body })).json()) as {
      readonly result: ListInputRequestsResult;
    };
    found.push(...answer.result.input_requests);
    if (answer.result.input_requests.length < pageSize) return found;
    after_seq = answer.result.last_seq;
  }
}

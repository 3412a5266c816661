import { ZoneError, type ErrorKind } from "@crosszone/contracts";
import { LinkError, type LinkErrorKind } from "@crosszone/jsonrpc";
import { failed, type Finding } from "@crosszone/service-kit/doctor";

const tryLater = "Try again; if it stays so, look at the log of the execution zone.";
const wrongPlace = "Look at EXECUTION_URL: its path is /rpc, unless a proxy puts it elsewhere.";

const saidCures: Partial<Record<ErrorKind, string>> = {
  unauthorized: "Put the same EXECUTION_TOKEN into both zones; while one is replaced, execution takes several.",
  invalid_request: wrongPlace,
  parse_error: "Something on the way changes the body: look at the proxies.",
  method_not_found: "The execution zone is too old: put the same release into both zones.",
  invalid_params: "The execution zone is another release: put the same one into both zones.",
};

const linkCures: Record<LinkErrorKind, string> = {
  unreachable: "Look whether the execution zone runs, and at the proxies on the way.",
  timeout: "Look at the load of the execution zone, and at proxies that hold answers back.",
  aborted: tryLater,
  invalid_response: `What answers is not the execution zone of this release. ${wrongPlace}`,
  server_error: `What answers speaks JSON-RPC, but is not the execution zone. ${wrongPlace}`,
};

/** Tells in words why the execution zone gave no list of agents. What is wrong with credentials needs no more words of the peer. */
export function describeZoneFailure(error: unknown): Finding {
  if (error instanceof ZoneError) {
    const told = error.kind === "unauthorized" ? [] : (error.data.problems ?? []);
    const problems = told.map(({ pointer, message }) => `${pointer} ${message}`.trim().slice(0, 200));
    const says = [`the execution zone answers ${error.kind}`, ...problems].join(": ");
    return failed(says, saidCures[error.kind] ?? tryLater);
  }
  if (error instanceof LinkError) {
    const what =
      error.kind === "server_error"
        ? `an error of an unknown kind (code ${error.code ?? "?"})`
        : `${error.kind}: ${error.message}`;
    return failed(what, linkCures[error.kind]);
  }
  throw error;
}

import { checkUpdate, conflict, formed, invalid, notFound } from "./runtime-rules.ts";

type Body = Readonly<Record<string, unknown>>;

/** The outcome of a new version, or of a move of the endpoint: after a few reads, or never. */
export type Course = "ends well" | "never ends" | { readonly fails: string };

interface Version {
  readonly settings: Body;
  readonly course: Course;
  status: string;
  failureReason?: string;
  reads: number;
}

export const runtimeId = "crosszone_execution-A1b2C3d4E5";
export const runtimeArn: string = `arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/${runtimeId}`;
const times = { createdAt: "2026-01-01T00:00:00Z", lastUpdatedAt: "2026-01-01T00:00:00Z" };
/** Reads after which something that is under way ends. */
const readsToEnd = 2;

/** A runtime of AgentCore and its endpoint `prod`. Its first version is live. An update replaces all settings. */
export class FakeRuntime {
  readonly versions: Version[];
  readonly endpoint: { liveVersion: string; targetVersion: string; status: string; description?: string } = {
    liveVersion: "1",
    targetVersion: "1",
    status: "READY",
    description: "for verification",
  };
  /** What happens to the next versions and moves, one each; after those, all end well. */
  readonly nextVersions: Course[] = [];
  readonly nextMoves: Course[] = [];
  #move: { readonly course: Course; reads: number } | undefined;

  constructor(settings: Body) {
    this.versions = [{ settings, status: "READY", reads: 0, course: "ends well" }];
  }

  update(body: Body): unknown {
    checkUpdate(body);
    const settings: Record<string, unknown> = { ...body };
    delete settings["clientToken"];
    if (this.versions.some(({ status }) => status === "UPDATING")) throw conflict("The runtime is being updated");
    const version = { settings, status: "UPDATING", reads: 0, course: this.nextVersions.shift() ?? "ends well" };
    this.versions.push(version);
    return this.#describe(version);
  }

  /** A version as `GetAgentRuntime` tells it; the read may bring it to its end. */
  read(number: string | null): unknown {
    const version = number === null ? this.versions.at(-1) : this.#version(number);
    if (version === undefined) throw notFound(`no version ${number}`);
    if (version.status === "UPDATING" && version.course !== "never ends" && ++version.reads >= readsToEnd) {
      version.status = version.course === "ends well" ? "READY" : "UPDATE_FAILED";
      if (typeof version.course === "object") version.failureReason = version.course.fails;
    }
    const { settings, failureReason } = version;
    return { ...settings, ...this.#describe(version), workloadIdentityDetails: {}, failureReason };
  }

  /** Two versions a page, newest first. */
  list(nextToken: string | null): unknown {
    const offset = Number(nextToken ?? 0);
    const agentRuntimes = this.versions.toReversed().slice(offset, offset + 2);
    const isLast = offset + 2 >= this.versions.length;
    return {
      agentRuntimes: agentRuntimes.map((version) => this.#describe(version)),
      ...(!isLast && { nextToken: String(offset + 2) }),
    };
  }

  readEndpoint(): unknown {
    const move = this.#move;
    if (move === undefined || move.course === "never ends" || ++move.reads < readsToEnd)
      return this.#describeEndpoint();
    this.#move = undefined;
    const failureReason = typeof move.course === "object" ? move.course.fails : undefined;
    this.endpoint.status = failureReason === undefined ? "READY" : "UPDATE_FAILED";
    if (failureReason === undefined) this.endpoint.liveVersion = this.endpoint.targetVersion;
    return { ...this.#describeEndpoint(), failureReason };
  }

  moveEndpoint({ agentRuntimeVersion, description }: Body): unknown {
    const targetVersion = formed("agentRuntimeVersion", agentRuntimeVersion);
    const version = this.#version(targetVersion);
    if (version === undefined) throw notFound(`no version ${targetVersion}`);
    if (version.status !== "READY") throw invalid("agentRuntimeVersion", `the version is ${version.status}`);
    if (this.endpoint.status === "UPDATING") throw conflict("The endpoint is being updated");
    delete this.endpoint.description;
    if (description !== undefined) this.endpoint.description = formed("description", description);
    Object.assign(this.endpoint, { status: "UPDATING", targetVersion });
    this.#move = { course: this.nextMoves.shift() ?? "ends well", reads: 0 };
    return this.#describeEndpoint();
  }

  #version(number: string): Version | undefined {
    return this.versions[Number(formed("agentRuntimeVersion", number)) - 1];
  }

  #describe(version: Version): Body {
    const agentRuntimeVersion = String(this.versions.indexOf(version) + 1);
    const names = { agentRuntimeArn: runtimeArn, agentRuntimeId: runtimeId, agentRuntimeName: "crosszone_execution" };
    return { ...names, ...times, agentRuntimeVersion, status: version.status };
  }

  #describeEndpoint(): Body {
    const agentRuntimeEndpointArn = `${runtimeArn}/runtime-endpoint/prod`;
    return {
      ...this.endpoint,
      ...times,
      agentRuntimeArn: runtimeArn,
      agentRuntimeEndpointArn,
      id: "prod",
      name: "prod",
    };
  }
}

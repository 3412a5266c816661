import { randomUUID } from "node:crypto";
import {
  type BedrockAgentCoreControlClient,
  GetAgentRuntimeCommand,
  GetAgentRuntimeEndpointCommand,
  type GetAgentRuntimeEndpointCommandOutput,
  ListAgentRuntimeVersionsCommand,
  UpdateAgentRuntimeCommand,
  UpdateAgentRuntimeEndpointCommand,
} from "@aws-sdk/client-bedrock-agentcore-control";
import { type Waiting, retryBusy } from "../wait-until.ts";
import { type Json, keepJson, sendJson, without } from "../raw-json.ts";

/** The endpoint that verification calls. */
export const endpointName = "prod";

export interface RuntimeVersion {
  readonly version: string;
  readonly status: string;
  readonly failureReason: string | undefined;
  readonly image: string;
  /** The whole answer of the service. */
  readonly json: Json;
}

/** What `GetAgentRuntime` tells and `UpdateAgentRuntime` does not take. */
const outputOnly = new Set([
  "agentRuntimeArn",
  "agentRuntimeId",
  "agentRuntimeName",
  "agentRuntimeVersion",
  "createdAt",
  "failureReason",
  "lastUpdatedAt",
  "status",
  "workloadIdentityDetails",
]);

/** The calls of AgentCore's control plane that a deploy needs, for one runtime. */
export class RuntimeCalls {
  readonly #client: BedrockAgentCoreControlClient;
  readonly #id: string;

  constructor(client: BedrockAgentCoreControlClient, agentRuntimeId: string) {
    this.#client = client;
    this.#id = agentRuntimeId;
  }

  /** One version; the newest when none is named. */
  async readVersion(version?: string): Promise<RuntimeVersion> {
    const command = new GetAgentRuntimeCommand({ agentRuntimeId: this.#id, agentRuntimeVersion: version });
    const kept = keepJson(command);
    const runtime = await this.#client.send(command);
    return {
      version: runtime.agentRuntimeVersion ?? "",
      status: runtime.status ?? "",
      failureReason: runtime.failureReason,
      image: runtime.agentRuntimeArtifact?.containerConfiguration?.containerUri ?? "",
      json: kept(),
    };
  }

  /**
   * Creates a version: `base` with another image. The update replaces all settings, so everything that was read goes along, also
   * what this program does not know. Returns the number of the version.
   */
  async addVersion(base: RuntimeVersion, image: string, waiting: Waiting): Promise<string> {
    const agentRuntimeArtifact = { containerConfiguration: { containerUri: image } };
    // One token for all attempts: an update whose answer was lost is not done twice.
    const clientToken = randomUUID();
    const body = { ...without(base.json, outputOnly), agentRuntimeArtifact, clientToken };
    const { agentRuntimeVersion = "" } = await retryBusy(() => {
      const roleArn = String(base.json["roleArn"]);
      const input = { agentRuntimeId: this.#id, agentRuntimeArtifact, roleArn, clientToken };
      const command = new UpdateAgentRuntimeCommand(input);
      sendJson(command, body);
      return this.#client.send(command);
    }, waiting);
    return agentRuntimeVersion;
  }

  readEndpoint(): Promise<GetAgentRuntimeEndpointCommandOutput> {
    return this.#client.send(new GetAgentRuntimeEndpointCommand({ agentRuntimeId: this.#id, endpointName }));
  }

  /** The update also replaces the description, so it sends the current one. */
  async moveEndpoint(
    { version, description }: { readonly version: string; readonly description: string | undefined },
    waiting: Waiting,
  ): Promise<void> {
    const target = { agentRuntimeId: this.#id, endpointName, agentRuntimeVersion: version };
    const input = { ...target, description, clientToken: randomUUID() };
    await retryBusy(() => this.#client.send(new UpdateAgentRuntimeEndpointCommand(input)), waiting);
  }

  /** Number and status of every version. */
  async listVersions(waiting: Waiting): Promise<{ version: number; status: string }[]> {
    const versions: { version: number; status: string }[] = [];
    let nextToken: string | undefined;
    do {
      const command = new ListAgentRuntimeVersionsCommand({ agentRuntimeId: this.#id, maxResults: 100, nextToken });
      const page = await retryBusy(() => this.#client.send(command), waiting);
      for (const { agentRuntimeVersion, status = "" } of page.agentRuntimes ?? [])
        versions.push({ version: Number(agentRuntimeVersion), status });
      ({ nextToken } = page);
    } while (nextToken !== undefined);
    return versions;
  }
}

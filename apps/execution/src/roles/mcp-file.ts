import { isSecretReference } from "@crosszone/agent-bridge";
import type { ParamProblem } from "@crosszone/contracts";
import { duration } from "@crosszone/service-kit";
import { FileProblemsError, readYamlFile } from "@crosszone/service-kit/yaml";
import { z } from "zod";

const text = z.string().min(1).max(1_000);
const texts = z.array(text).max(100);

/** Never repeats the text, which may be the secret itself. */
const secret = z.string().refine(isSecretReference, {
  error: "must name a secret, not contain it: write env:AGENT_SECRET_… or file:…",
});

const address = z.string().refine(isAddress, {
  error: "must be a URL that starts with http:// or https://, without a user or password",
});

const oauth = z
  .strictObject({
    issuer: address,
    client_id: text,
    client_secret: secret.optional(),
    private_key: secret.optional(),
    scopes: texts.default([]),
  })
  .refine(({ client_secret, private_key }) => (client_secret === undefined) !== (private_key === undefined), {
    error: "needs one of client_secret and private_key",
  });

const server = z
  .strictObject({
    name: z.string().regex(/^[A-Za-z][A-Za-z\d-]{0,31}$/, {
      error: "must begin with a letter and have 32 letters, digits and - at most",
    }),
    url: address.optional(),
    token: secret.optional(),
    oauth: oauth.optional(),
    command: text.optional(),
    args: z.array(z.string().max(10_000)).max(100).optional(),
    env: z.array(z.string().regex(/^[A-Za-z_]\w*$/, { error: "must be the name of a variable" })).optional(),
    read_only: z.boolean().default(false),
    timeout: duration({ min: 100 }).prefault("60s"),
    agents: texts.optional(),
    channels: texts.optional(),
  })
  .refine(({ url, command }) => (url === undefined) !== (command === undefined), {
    error: "needs one of url and command",
  })
  .refine(({ token, oauth: grant }) => token === undefined || grant === undefined, {
    error: "has both token and oauth: keep one",
  })
  .refine(({ url, token, oauth: grant }) => url !== undefined || (token ?? grant) === undefined, {
    error: "has a command: token and oauth are for a url",
  })
  .refine(({ command, args, env }) => command !== undefined || (args ?? env) === undefined, {
    error: "has a url: args and env are for a command",
  });

/** The content of MCP_FILE. Unknown members are rejected, because they are likely typos. */
const file = z.strictObject({ servers: z.array(server).max(50) });

/** A server of MCP_FILE. */
export type DeclaredMcpServer = z.output<typeof server>;

/**
 * Reads MCP_FILE; no servers when it is not set. Rejects with a `FileProblemsError` that names each mistake by line,
 * without its value.
 */
export async function readMcpFile(path: string | undefined): Promise<readonly DeclaredMcpServer[]> {
  if (path === undefined) return [];
  const { value, problemAt } = await readYamlFile(path, "file of MCP servers");
  const read = file.safeParse(value);
  const problems = read.success ? repeatedNames(read.data.servers) : problemsIn(read.error);
  if (!read.success || problems.length > 0) throw new FileProblemsError(problems.map(problemAt));
  return read.data.servers;
}

function problemsIn({ issues }: z.ZodError): ParamProblem[] {
  return issues.flatMap((issue): ParamProblem[] => {
    const pointer = issue.path.map((part) => `/${String(part)}`).join("");
    const message = issue.message.endsWith("received undefined") ? "is missing" : issue.message;
    if (issue.code !== "unrecognized_keys") return [{ pointer, message }];
    return issue.keys.map((key) => ({ pointer: `${pointer}/${key}`, message: "is not a known member" }));
  });
}

/** Names become names of tools, which models tell apart without case. */
function repeatedNames(servers: readonly DeclaredMcpServer[]): ParamProblem[] {
  const names = servers.map(({ name }) => name.toLowerCase());
  return names.flatMap((name, at) =>
    names.indexOf(name) === at
      ? []
      : [{ pointer: `/servers/${at}/name`, message: "is also the name of another server" }],
  );
}

function isAddress(given: string): boolean {
  const url = URL.parse(given);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

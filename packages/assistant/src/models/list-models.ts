/** Timeout of listing models, milliseconds. */
const timeoutMs = 5_000;

/** The longest list, bytes. */
const mostBytes = 1_000_000;

/** Returns the models of a server with OpenAI's API. Rejects when it can't be reached or answers something else. */
export async function listModels(baseUrl: string, apiKey: string | undefined): Promise<string[]> {
  const response = await fetch(`${baseUrl.replace(/\/$/, "")}/models`, {
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`it answered HTTP ${response.status}`);
  }
  const text = await response.text();
  if (text.length > mostBytes) throw new Error("its list of models is too long");
  const { data } = JSON.parse(text) as { readonly data?: readonly { readonly id?: unknown }[] };
  return (data ?? []).flatMap(({ id }) => (typeof id === "string" ? [id] : []));
}

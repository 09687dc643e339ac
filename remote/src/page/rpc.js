// Requests to the server: JSON-RPC by POST, and watches as streams of events.

const token = new URLSearchParams(location.hash.slice(1)).get("token");
const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
/** Milliseconds until a request is given up. */
const PATIENCE = 20_000;
let last = 0;

/** Reads JSON. A whole number that JavaScript would round, and a zero with a sign, stay as they were written. */
export const read = (text) => JSON.parse(text, (_, value, context) => {
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value) && !Object.is(value, -0);
  return isExact ? value : JSON.rawJSON?.(context.source) ?? value;
});

const request = ([method, params]) => ({ jsonrpc: "2.0", id: ++last, method, params: params ?? {} });

async function post(body, signal = AbortSignal.timeout(PATIENCE)) {
  const response = await fetch("/", { method: "POST", headers, body: JSON.stringify(body), signal }).catch((error) => {
    throw error.name === "AbortError" ? error : new Error("no connection");
  });
  if (!response.ok) throw new Error(await response.text());
  return response;
}

/** Calls several methods at once. Returns an answer each, with a `result` or an `error`. */
export const batch = async (calls) => read(await (await post(calls.map(request))).text());

/** Calls a method, and returns its result. An error that the server answers has a `code`. */
export async function call(method, params) {
  const [{ result, error }] = await batch([[method, params]]);
  if (error) throw Object.assign(new Error(error.message), error);
  return result;
}

/** Yields the results of a watch until the signal or the server ends it. */
export async function* watch(method, params, signal) {
  const reader = (await post(request([method, params]), signal)).body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (rest + value).split("\n\n");
    rest = events.pop();
    for (const event of events.filter((event) => event.startsWith("data: "))) {
      const { result, error } = read(event.slice(6));
      if (error) throw new Error(error.message);
      yield result;
    }
  }
}

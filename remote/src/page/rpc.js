// Requests to the server: JSON-RPC by POST, and watches as streams of events.

const token = new URLSearchParams(location.hash.slice(1)).get("token");
const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
let last = 0;
export const traffic = { bytes: 0 };

const request = ([method, params]) => ({ jsonrpc: "2.0", id: ++last, method, params: params ?? {} });

async function post(body, signal) {
  const response = await fetch("/", { method: "POST", headers, body: JSON.stringify(body), signal });
  if (!response.ok) throw new Error(await response.text());
  return response;
}

/** Calls several methods at once. Returns an answer each, with a `result` or an `error`. */
export async function batch(calls) {
  const text = await (await post(calls.map(request))).text();
  traffic.bytes = text.length;
  return JSON.parse(text);
}

/** Calls a method, and returns its result. */
export async function call(method, params) {
  const answer = await (await post(request([method, params]))).json();
  if (answer.error) throw new Error(answer.error.message);
  return answer.result;
}

/** Yields the results of a watch until the signal ends it. */
export async function* watch(method, params, signal) {
  const reader = (await post(request([method, params]), signal)).body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (rest + value).split("\n\n");
    rest = events.pop();
    for (const event of events.filter((event) => event.startsWith("data: "))) {
      const answer = JSON.parse(event.slice(6));
      if (answer.error) throw new Error(answer.error.message);
      yield answer.result;
    }
  }
}

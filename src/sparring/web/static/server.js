// Requests to the server, which fail with one sentence, and sockets that reconnect.

export const LOST = "Connection to the server lost; reconnecting…";

export class Refused extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

/** The server's response; a request with a body is a POST: of a file, or of values as JSON. */
export async function call(path, body) {
  const json = () => ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const options = body === undefined ? {} : body instanceof Blob ? { method: "POST", body } : json();
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Refused("No response from the server. Is it running?", 0);
  }
  const read = await response.json().catch(() => null);
  if (!response.ok || read === null) throw new Refused(read?.error ?? `The server responded with status ${response.status}.`, response.status);
  return read;
}

/** A relative path, escaped for an address. */
export function inside(name) {
  return name.split("/").map(encodeURIComponent).join("/");
}

const GONE = new Set([1008, 4403, 4404]); // refused for good: do not reconnect

/** Receive messages until `signal` aborts: `heard` gets each as JSON, `online` whether the socket is connected. */
export function listen(path, signal, heard, online = () => {}) {
  let wait = 500;
  let socket = null;
  let timer = 0;
  const open = () => {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(`${scheme}//${location.host}${path}`);
    socket.onopen = () => {
      wait = 500;
      online(true);
    };
    socket.onmessage = (event) => heard(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (signal.aborted) return;
      online(false);
      if (GONE.has(event.code)) return;
      timer = setTimeout(open, wait * (0.75 + Math.random() / 2));
      wait = Math.min(wait * 2, 15000);
    };
  };
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    // Closing a socket while it connects is logged as an error.
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket?.close();
  });
  open();
}

// Talking to the server: requests that fail with one sentence, and sockets that come back.

export class Refused extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

/** What the server answers; with a body, it is asked to do something. */
export async function call(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Refused("The server does not answer. Is it still running?", 0);
  }
  let read = null;
  try {
    read = await answer.json();
  } catch {
    // Read below: an answer that is no JSON is refused too.
  }
  if (!answer.ok || read === null) throw new Refused(read?.error ?? `The server answered ${answer.status}.`, answer.status);
  return read;
}

/** A path inside a folder, each of its names written safely. */
export function inside(name) {
  return name.split("/").map(encodeURIComponent).join("/");
}

const GONE = new Set([1008, 4403, 4404]); // closed for good: asking again would be refused again

/** Hear what the server sends until `signal` aborts; `heard` gets the JSON, `online` whether the line stands. */
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
    // A line closed before it stands is an error in the browser's eyes.
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket?.close();
  });
  open();
}

// A runtime in one file: it shows a member their data, keeps it up to date, and sends
// their actions. It needs Node 20.3 or later and no packages.
//
//   TOKEN=… node runtime.mjs https://home.example.org
//
// The argument is the base URL of the server, TOKEN the token.access_token in the response
// of POST /identity/login. The program reads commands from its input:
//
//   objects                the objects, one per line
//   actions ID             the actions on an object, or all without an id
//   do ACTION_ID [VALUES]  performs an action; VALUES is a JSON object: control → value
//   confirm ACTION_ID      performs an action that needs a confirmation
//   panel SERVICE          the panel of a service, such as messages, or of today; it is then kept
//   sync                   reads what has changed, and counts the responses so far
//   json                   the dataset as JSON
//   quit
//
// How it works: the first request returns the whole dataset, all others only what has
// changed since (see Runtime.readDataset). A stream of events says when to ask, and for
// what (see Runtime.listen); if the server has none, the program asks at intervals. The
// program never builds a URL: it takes each one from the server, and only puts the address
// of the server before it (see Runtime.address).

import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const NAME = "example/1.0"; // the name and the version of this runtime, which the server requires
const SILENCE = 60; // seconds after which a silent stream is given up: the server sends a comment every 25 seconds
const SHOWN = { today: ["time", "social", "messages"], settings: ["identity", "time", "social"] }; // services that a panel shows

// KEYS names the sections of which an answer may contain only changes, with the field
// that identifies a record.
const KEYS = { objects: "world_object_id", contexts: "context_id", actions: "action_id", findings: "finding_id" };

// applyList returns a list with its changes: without the records that are gone, and with
// the changed ones, each directly after the record that `after` names.
function applyList(list, records, key, changed, gone, after) {
  const removed = new Set([...changed, ...gone]);
  const result = list.filter((record) => !removed.has(record[key]));
  for (const record of records) {
    const at = result.findIndex((other) => other[key] === after[record[key]]);
    result.splice(at + 1, 0, record); // at is -1 if `after` is null: the record is the first
  }
  return result;
}

// applyChanges returns the dataset that results from an answer with changes. Sections that
// are not in KEYS are complete in each answer.
function applyChanges(dataset, answer) {
  const { delta, ...result } = answer;
  const items = new Map(dataset.contexts.map((context) => [context.context_id, context.items]));
  result.contexts = answer.contexts.map((context) => {
    const id = context.context_id;
    const { changed, gone, after } = delta.items[id];
    return { ...context, items: applyList(items.get(id) ?? [], context.items, "item_id", changed, gone, after) };
  });
  for (const [section, key] of Object.entries(KEYS)) {
    result[section] = applyList(dataset[section], result[section], key, delta.changed[section], delta.gone[section], delta.after[section]);
  }
  return result;
}

// RequestError is a response with an error. Its message can be shown to the member.
class RequestError extends Error {
  constructor(status, error, retryAfter) {
    super(error?.message ?? `The server responds with status ${status}.`);
    this.status = status;
    this.retryAfter = retryAfter; // seconds, or 0
  }
}

// isTemporary reports whether the same request can succeed later: there was no response,
// there were too many requests, or the server is stopping.
function isTemporary(error) {
  return !(error instanceof RequestError) || error.status === 429 || error.status >= 500;
}

// Runtime is the data of one member, with the connection to the server.
class Runtime {
  constructor(baseURL, token, { pollSeconds = 30, maxWaitSeconds = 60 } = {}) {
    this.baseURL = baseURL.replace(/\/+$/, "");
    this.token = token;
    this.pollSeconds = pollSeconds; // between two reads, if there is no stream
    this.maxWaitSeconds = maxWaitSeconds; // limit of the wait after repeated failures
    this.basePath = new URL(this.baseURL).pathname.replace(/\/$/, "");
    this.dataset = null; // the current dataset
    this.etag = ""; // of the latest response that contained a dataset
    this.panels = new Map(); // panels that are kept, by service: { url, etag, content }
    this.due = new Set(); // what is to be read: "dataset", or the service of a panel
    this.lastEvent = ""; // id of the latest event of the stream
    this.retrySeconds = 3; // wait after the end of a stream; the server sets it
    this.count = { datasets: 0, changes: 0, unchanged: 0, panels: 0, events: 0, streams: 0 }; // responses and events, by kind
    this.onchange = () => {}; // called with "dataset" or a service after each change
    this.onproblem = () => {}; // called with an error after which the runtime continues
    this.closed = new AbortController();
  }

  // address returns the URL of a path that the server publishes. Published paths are
  // relative to the base URL, also if that has a path itself.
  address(path) {
    return new URL(this.baseURL).origin + this.basePath + path;
  }

  // send sends a request and returns the response. It throws a RequestError for a status
  // that is an error. A body that is not bytes is sent as JSON.
  async send(method, path, { body, headers, signal = this.closed.signal } = {}) {
    const isFile = body instanceof Uint8Array;
    const response = await fetch(this.address(path), {
      method,
      signal,
      headers: {
        Authorization: `Bearer ${this.token}`,
        "X-Service-Runtime": NAME,
        ...(body !== undefined && !isFile && { "Content-Type": "application/json" }),
        ...headers,
      },
      body: body === undefined || isFile ? body : JSON.stringify(body),
    });
    if (response.ok || response.status === 304) return response;
    const { error } = await response.json().catch(() => ({}));
    throw new RequestError(response.status, error, Number(response.headers.get("Retry-After") ?? 0));
  }

  // open reads the session, which says where the published paths begin and which panels
  // there are, and the whole dataset.
  async open() {
    this.session = await (await this.send("GET", "/world/session")).json();
    this.basePath = this.session.capabilities.base_path;
    await this.sync();
  }

  // keepPanel reads the panel of a service, or of today, and keeps it up to date from then on.
  async keepPanel(service) {
    const url = service === "today" ? this.session.shell.today : this.session.services.find((other) => other.id === service)?.content_source;
    if (!url) throw new Error(`There is no service ${service}.`);
    if (!this.panels.has(service)) this.panels.set(service, { url, etag: "", content: null });
    await this.read([service]);
    return this.panels.get(service)?.content;
  }

  // sync makes the dataset and the panels current.
  sync() {
    return this.read(["dataset", ...this.panels.keys()]);
  }

  // read makes parts of the data current: "dataset", or services whose panel is kept. All
  // calls share one loop: a part that becomes due while it is being read, because of a
  // later event, is read once more, however many events there were.
  async read(parts) {
    for (const part of parts) this.due.add(part);
    this.reading ??= this.readDue().finally(() => (this.reading = null));
    await this.reading;
  }

  // readDue reads what is due until nothing is. What has failed stays due.
  async readDue() {
    for (let failures = 0; this.due.size > 0; ) {
      const [part] = this.due;
      this.due.delete(part);
      try {
        await (part === "dataset" ? this.readDataset() : this.readPanel(part));
        failures = 0;
      } catch (error) {
        this.closed.signal.throwIfAborted();
        if (error.status === 401 || (part === "dataset" && !isTemporary(error))) throw error;
        this.onproblem(error);
        if (!isTemporary(error)) {
          this.panels.delete(part); // such as the panel of a service that has been switched off
          continue;
        }
        this.due.add(part);
        await this.pause(1, failures++, error);
      }
    }
  }

  // readDataset sends one request for the changes, or for the whole dataset at first. The
  // server also answers with the whole dataset if it does not know the revision any more.
  async readDataset() {
    const path = this.dataset?.capabilities.changes.url ?? "/world/runtime";
    const response = await this.send("GET", path, { headers: this.etag ? { "If-None-Match": this.etag } : {} });
    if (response.status === 304) return void this.count.unchanged++;
    const answer = await response.json();
    this.count[answer.delta ? "changes" : "datasets"]++;
    this.dataset = answer.delta ? applyChanges(this.dataset, answer) : answer;
    this.etag = response.headers.get("ETag");
    this.onchange("dataset");
  }

  // readPanel reads a panel, unless it has not changed.
  async readPanel(service) {
    const kept = this.panels.get(service);
    const response = await this.send("GET", kept.url, { headers: kept.etag ? { "If-None-Match": kept.etag } : {} });
    if (response.status === 304) return;
    kept.content = await response.json();
    kept.etag = response.headers.get("ETag");
    this.count.panels++;
    this.onchange(service);
  }

  // pause waits before the next attempt: twice as long after each failure, and at least as
  // long as the server demands. The random part keeps clients from returning all at once.
  async pause(seconds, failures, error) {
    const wait = Math.min(seconds * 2 ** failures * (0.75 + Math.random() / 2), this.maxWaitSeconds);
    await sleep(1000 * Math.max(wait, error?.retryAfter ?? 0), undefined, { signal: this.closed.signal });
  }

  // live keeps the data current: it reads the stream again and again or, if there is none,
  // polls. It ends with an error: the session has ended, or the runtime is closed.
  async live() {
    for (let failures = 0; ; failures++) {
      const { stream } = this.dataset.capabilities;
      let problem;
      try {
        await (stream ? this.listen(stream.url, () => (failures = 0)) : this.sync());
      } catch (error) {
        this.closed.signal.throwIfAborted();
        if (!isTemporary(error)) throw error; // such as 401: the session has ended
        this.onproblem((problem = error));
      }
      if (problem?.status === 429) await this.sync(); // too many streams: poll meanwhile
      await (stream ? this.pause(this.retrySeconds, failures, problem) : this.pause(this.pollSeconds, 0));
    }
  }

  // listen reads the stream until it ends, and what each event names. With the id of the
  // latest event, the server reports at once what has changed while there was no
  // connection; without one, it reports only what changes from now on.
  async listen(path, connected) {
    const broken = new AbortController();
    const timer = setTimeout(() => broken.abort(), SILENCE * 1000);
    // The loop does not wait for reads, because the server disconnects slow clients. The
    // reason for a read that cannot succeed is that of the next request for the stream.
    const read = (parts) => this.read(parts).catch(() => broken.abort());
    try {
      const response = await this.send("GET", path, {
        headers: { Accept: "text/event-stream", ...(this.lastEvent && { "Last-Event-ID": this.lastEvent }) },
        signal: AbortSignal.any([this.closed.signal, broken.signal]),
      });
      connected();
      this.count.streams++;
      if (!this.lastEvent) read(["dataset", ...this.panels.keys()]);
      for await (const event of events(response.body, () => timer.refresh())) {
        if (event.id) this.lastEvent = event.id;
        if (event.retry) this.retrySeconds = event.retry / 1000;
        if (event.type !== "changed" || !event.data) continue;
        this.count.events++;
        const { sections, services } = JSON.parse(event.data);
        const shows = (panel) => (SHOWN[panel] ?? [panel]).some((service) => services.includes(service));
        read([...(sections.length > 0 ? ["dataset"] : []), ...[...this.panels.keys()].filter(shows)]);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  // dispatch performs an action: it sends the command of the action with the values of its
  // controls, and then reads what has changed. It returns the response, or first a question.
  async dispatch(id, values = {}, isConfirmed = false) {
    const action = this.dataset.actions.find((other) => other.action_id === id);
    if (!action) throw new Error(`There is no action ${id}.`);
    if (action.availability !== "enabled") {
      const reason = this.dataset.fallbacks.find((fallback) => fallback.fallback_id === action.fallback);
      throw new Error(reason?.message ?? `The action ${action.label} is not available.`);
    }
    if (action.confirm && !isConfirmed) return { message: `${action.confirm} To perform the action, enter: confirm ${id}` };
    const body = { ...action.command.body, ...controlValues(action, values) };
    const { method, url } = action.command;
    // The key makes it safe to send the request again if there was no response.
    const options = { headers: { "Idempotency-Key": randomUUID() } };
    const file = action.controls.find((control) => control.type === "file");
    if (file) {
      options.body = await readFile(body[file.id]);
      options.headers["Content-Type"] = file.accept.find((type) => type.endsWith(extname(body[file.id]).slice(1))) ?? file.accept[0];
      delete body[file.id];
    } else if (method !== "GET") {
      options.body = body;
    }
    const path = file || method === "GET" ? withQuery(url, body) : url;
    let response;
    for (let failures = 0; !response; failures++) {
      response = await this.send(method, path, options).catch((error) => {
        if (error instanceof RequestError || failures === 3) throw error;
      });
      if (!response) await this.pause(1, failures);
    }
    const result = response.headers.get("Content-Type")?.startsWith("application/json") ? await response.json() : {};
    await this.sync();
    return result;
  }
}

// controlValues returns the value of each control of an action: the given one, or the
// default. Controls that have neither are left out.
function controlValues(action, values) {
  const unknown = Object.keys(values).find((id) => !action.controls.some((control) => control.id === id));
  if (unknown) throw new Error(`${action.label} has no control ${unknown}.`);
  const result = {};
  for (const { id, label, required, default: value } of action.controls) {
    if (id in values) result[id] = values[id];
    else if (value !== null && value !== "") result[id] = value;
    else if (required) throw new Error(`Set ${id} (${label}).`);
  }
  return result;
}

// withQuery returns a URL with values added to its query, as an HTML form with the method
// GET does.
function withQuery(url, values) {
  const [path, query] = url.split("?");
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) parameters.set(name, value);
  return parameters.size ? `${path}?${parameters}` : path;
}

// events parses a stream of the type text/event-stream, as the HTML standard defines it.
// It also returns blocks without data, which can set the id. alive is called for all that
// arrives, also for comments.
async function* events(body, alive = () => {}) {
  const decoder = new TextDecoder();
  let text = "";
  let event = { type: "message", data: "" };
  for await (const chunk of body) {
    alive();
    text += decoder.decode(chunk, { stream: true });
    const lines = text.split(/\r\n|\n|\r(?!$)/); // a CR at the end may be the first half of a line end
    text = lines.pop();
    for (const line of lines) {
      if (line === "") {
        yield { ...event, data: event.data.slice(0, -1) };
        event = { type: "message", data: "" };
        continue;
      }
      const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line); // a comment has an empty field
      if (field === "event") event.type = value;
      if (field === "data") event.data += value + "\n";
      if (field === "id") event.id = value;
      if (field === "retry" && /^\d+$/.test(value)) event.retry = Number(value);
    }
  }
}

// run performs one command of the member and returns the text to show.
async function run(runtime, line) {
  const [, command, rest] = /^(\S*)\s*(.*)$/.exec(line);
  switch (command) {
    case "objects":
      return runtime.dataset.objects.map((o) => `${o.world_object_id}  ${o.object_type}  ${o.title}`).join("\n");
    case "actions":
      return runtime.dataset.actions.filter((a) => !rest || a.target.world_object_id === rest)
        .map((a) => `${a.action_id}  ${a.label}${a.controls.map((c) => ` [${c.id}]`).join("")}`).join("\n");
    case "do": case "confirm": {
      const [, id, values] = /^(\S*)\s*(.*)$/.exec(rest);
      return (await runtime.dispatch(id, values ? JSON.parse(values) : {}, command === "confirm")).message ?? "Done.";
    }
    case "panel":
      return JSON.stringify(await runtime.keepPanel(rest));
    case "sync":
      await runtime.sync();
      return JSON.stringify(runtime.count);
    case "json":
      return JSON.stringify(runtime.dataset);
    default:
      return "Commands: objects, actions [ID], do ACTION_ID [VALUES], confirm ACTION_ID, panel SERVICE, sync, json, quit";
  }
}

async function main() {
  const [baseURL] = process.argv.slice(2);
  const { TOKEN, POLL_SECONDS = 30, MAX_WAIT_SECONDS = 60 } = process.env;
  if (!baseURL || !TOKEN) {
    console.error("Usage: TOKEN=… node runtime.mjs BASE_URL");
    process.exit(2);
  }
  const runtime = new Runtime(baseURL, TOKEN, { pollSeconds: Number(POLL_SECONDS), maxWaitSeconds: Number(MAX_WAIT_SECONDS) });
  runtime.onproblem = (error) => console.error(`problem: ${error.message}`);
  await runtime.open();
  console.log(`${runtime.dataset.member.display_name}: ${runtime.dataset.objects.length} objects`);
  runtime.onchange = (what) => console.error(`changed: ${what}`);
  const living = runtime.live().catch((error) => {
    if (runtime.closed.signal.aborted) return;
    console.error(error.message);
    process.exit(1);
  });
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === "quit") break;
    console.log(await run(runtime, line).catch((error) => `Error: ${error.message}`));
  }
  process.stdin.destroy(); // an open input would keep the program running
  runtime.closed.abort();
  await living;
}

await main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});

// A runtime in one file: it shows a member their data, keeps it up to date, and sends
// their actions. It needs Node 20 or later and no packages.
//
//   TOKEN=… node runtime.mjs https://home.example.org
//
// The argument is the base URL of the server, the variable TOKEN the access token of the
// member: token.access_token in the response of POST /identity/login.
//
// The program reads commands from its input:
//
//   objects                the objects, one per line
//   actions ID             the actions on an object, or all without an id
//   do ACTION_ID [VALUES]  performs an action; VALUES is a JSON object: control → value
//   sync                   reads what has changed
//   json                   the dataset as JSON
//   quit
//
// How it works: the first request returns the whole dataset, all others only what has
// changed since (see Runtime.sync). A stream says when to ask; where there is none, the
// program asks at intervals. The program never builds a URL: it takes each one from the
// dataset, and only puts the address of the server before it (see Runtime.address).

import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

// NAME is the name and the version of this runtime, which the server requires.
const NAME = "example/1.0";

// KEYS names the sections of which an answer may contain only changes, with the field
// that identifies a record.
const KEYS = { objects: "world_object_id", contexts: "context_id", actions: "action_id", findings: "finding_id" };

// applyList returns a list with its changes: without the records that are gone, and with
// the changed ones, each directly after the record that `after` names.
export function applyList(list, records, key, changed, gone, after) {
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
export function applyChanges(dataset, answer) {
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
export class RequestError extends Error {
  constructor(status, error, retryAfter) {
    super(error?.message ?? `The server responds with status ${status}.`);
    this.status = status;
    this.code = error?.code;
    this.retryAfter = retryAfter; // seconds, or 0
  }
}

// Runtime is the data of one member, with the connection to the server.
export class Runtime {
  constructor(baseURL, token, { pollSeconds = 30 } = {}) {
    this.baseURL = baseURL.replace(/\/+$/, "");
    this.token = token;
    this.pollSeconds = pollSeconds;
    this.basePath = new URL(this.baseURL).pathname.replace(/\/$/, "");
    this.dataset = null; // the current dataset
    this.etag = ""; // of the latest response that contained a dataset
    this.count = { datasets: 0, changes: 0, unchanged: 0, events: 0 }; // responses and events, by kind
    this.onchange = () => {}; // called after each change
    this.closed = new AbortController();
  }

  // address returns the URL of a path that the server publishes. Published paths are
  // relative to the base URL, also if that has a path itself.
  address(path) {
    return new URL(this.baseURL).origin + this.basePath + path;
  }

  // send sends a request and returns the response. It throws a RequestError for a status
  // that is an error.
  async send(method, path, { body, headers, signal = this.closed.signal } = {}) {
    const response = await fetch(this.address(path), {
      method,
      signal,
      headers: {
        Authorization: `Bearer ${this.token}`,
        "X-Service-Runtime": NAME,
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (response.ok || response.status === 304) return response;
    const { error } = await response.json().catch(() => ({}));
    throw new RequestError(response.status, error, Number(response.headers.get("Retry-After") ?? 0));
  }

  // open reads the session, which says where the published paths begin, and the whole
  // dataset.
  async open() {
    const session = await (await this.send("GET", "/world/session")).json();
    this.basePath = session.capabilities.base_path;
    await this.sync();
  }

  // sync makes the dataset current. Calls during a request share one further request,
  // because the running one may have been answered before the change that they are about.
  sync() {
    this.waiting ??= (this.running ?? Promise.resolve()).catch(() => {}).then(() => {
      this.waiting = null;
      this.running = this.read().finally(() => (this.running = null));
      return this.running;
    });
    return this.waiting;
  }

  // read sends one request for the changes, or for the whole dataset at first. The server
  // also answers with the whole dataset if it does not know the revision any more.
  async read() {
    const path = this.dataset?.capabilities.changes.url ?? "/world/runtime";
    const response = await this.send("GET", path, { headers: this.etag ? { "If-None-Match": this.etag } : {} });
    if (response.status === 304) {
      this.count.unchanged++;
      return;
    }
    const answer = await response.json();
    this.count[answer.delta ? "changes" : "datasets"]++;
    this.dataset = answer.delta ? applyChanges(this.dataset, answer) : answer;
    this.etag = response.headers.get("ETag");
    this.onchange(answer.delta);
  }

  // live keeps the dataset current until the runtime is closed or the session ends. After
  // a failure it waits, twice as long each time, up to a minute.
  async live() {
    let delay = 1;
    while (!this.closed.signal.aborted) {
      try {
        if (this.dataset.capabilities.stream) {
          await this.listen(this.dataset.capabilities.stream.url, () => (delay = 1));
        } else {
          await sleep(this.pollSeconds * 1000, undefined, { signal: this.closed.signal });
          await this.sync();
          delay = 1;
          continue;
        }
      } catch (error) {
        if (this.closed.signal.aborted) return;
        if (error.status === 401) throw error; // the session has ended
        delay = Math.max(delay, error.retryAfter ?? 0);
      }
      await sleep(delay * 1000, undefined, { signal: this.closed.signal }).catch(() => {});
      delay = Math.min(delay * 2, 60);
    }
  }

  // listen reads the stream until it ends, and synchronizes at each event. With the id of
  // the latest event, the server reports at once what has changed while there was no
  // connection.
  async listen(path, connected) {
    const headers = { Accept: "text/event-stream", ...(this.lastEvent && { "Last-Event-ID": this.lastEvent }) };
    const response = await this.send("GET", path, { headers });
    connected();
    await this.sync(); // what has changed before the first event
    for await (const event of events(response.body)) {
      if (event.id) this.lastEvent = event.id;
      if (event.type !== "changed") continue;
      this.count.events++;
      await this.sync();
    }
  }

  // close ends all requests.
  close() {
    this.closed.abort();
  }

  // action returns an action of the dataset by its id.
  action(id) {
    const action = this.dataset.actions.find((other) => other.action_id === id);
    if (!action) throw new Error(`There is no action ${id}.`);
    return action;
  }

  // actionsOn returns the actions on an object.
  actionsOn(objectID) {
    const object = this.dataset.objects.find((other) => other.world_object_id === objectID);
    if (!object) throw new Error(`There is no object ${objectID}.`);
    return object.actions.map((id) => this.action(id));
  }

  // dispatch performs an action: it sends the command of the action with the values of its
  // controls, and then reads what has changed. It returns the response.
  async dispatch(id, values = {}) {
    const action = this.action(id);
    if (action.availability !== "enabled") {
      const reason = this.dataset.fallbacks.find((fallback) => fallback.fallback_id === action.fallback);
      throw new Error(reason?.message ?? `The action ${action.label} is not available.`);
    }
    const body = { ...action.command.body, ...controlValues(action, values) };
    const { method, url } = action.command;
    const response = await (method === "GET"
      ? this.send(method, withQuery(url, body))
      : // The key makes it safe to send the request again after a failure of the network.
        this.send(method, url, { body, headers: { "Idempotency-Key": randomUUID() } }));
    const result = response.status === 204 ? {} : await response.json();
    await this.sync();
    return result;
  }
}

// controlValues returns the value of each control of an action: the given one, or the
// default. Controls that are not required and have neither are left out.
function controlValues(action, values) {
  const known = new Set(action.controls.map((control) => control.id));
  for (const id of Object.keys(values)) {
    if (!known.has(id)) throw new Error(`${action.label} has no control ${id}. It has: ${[...known].join(", ") || "none"}.`);
  }
  const result = {};
  for (const control of action.controls) {
    if (control.id in values) {
      result[control.id] = values[control.id];
    } else if (control.required && (control.default === null || control.default === "")) {
      throw new Error(`Set ${control.id} (${control.label}).`);
    } else if (control.required || control.type === "hidden") {
      result[control.id] = control.default;
    }
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
export async function* events(body) {
  const decoder = new TextDecoder();
  let text = "";
  let event = { type: "message", data: [], id: "" };
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const lines = text.split(/\r\n|\n|\r(?!$)/); // a CR at the end may be the first half of a line end
    text = lines.pop();
    for (const line of lines) {
      if (line === "") {
        if (event.data.length > 0) yield { ...event, data: event.data.join("\n") };
        event = { type: "message", data: [], id: "" };
        continue;
      }
      const [, field, value] = /^([^:]*)(?:: ?(.*))?$/s.exec(line); // a comment has an empty field
      if (field === "event") event.type = value ?? "";
      if (field === "data") event.data.push(value ?? "");
      if (field === "id") event.id = value ?? "";
    }
  }
}

// The program.

// run performs one command of the member and returns the text to show.
async function run(runtime, line) {
  const [, command, rest] = /^(\S*)\s*(.*)$/.exec(line);
  switch (command) {
    case "objects":
      return runtime.dataset.objects.map((o) => `${o.world_object_id}  ${o.object_type}  ${o.title}`).join("\n");
    case "actions": {
      const list = rest ? runtime.actionsOn(rest) : runtime.dataset.actions;
      return list.map((a) => `${a.action_id}  ${a.label}${a.controls.map((c) => ` [${c.id}]`).join("")}`).join("\n");
    }
    case "do": {
      const [, id, values] = /^(\S*)\s*(.*)$/.exec(rest);
      const result = await runtime.dispatch(id, values ? JSON.parse(values) : {});
      return result.message ?? "Done.";
    }
    case "sync":
      await runtime.sync();
      return JSON.stringify(runtime.count);
    case "json":
      return JSON.stringify(runtime.dataset);
    default:
      return "Commands: objects, actions [ID], do ACTION_ID [VALUES], sync, json, quit";
  }
}

async function main() {
  const [baseURL] = process.argv.slice(2);
  if (!baseURL || !process.env.TOKEN) {
    console.error("Usage: TOKEN=… node runtime.mjs BASE_URL");
    process.exit(2);
  }
  const runtime = new Runtime(baseURL, process.env.TOKEN, { pollSeconds: Number(process.env.POLL_SECONDS ?? 30) });
  await runtime.open();
  console.log(`${runtime.dataset.member.display_name}: ${runtime.dataset.objects.length} objects`);
  runtime.onchange = (delta) => {
    const changed = delta?.changed.objects.length ?? runtime.dataset.objects.length;
    console.error(`changed: ${changed} objects, gone: ${delta?.gone.objects.length ?? 0}`);
  };
  const living = runtime.live().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === "quit") break;
    console.log(await run(runtime, line).catch((error) => `Error: ${error.message}`));
  }
  process.stdin.destroy(); // an open input would keep the program running
  runtime.close();
  await living;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await main().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}

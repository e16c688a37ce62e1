// A stand-in for the App of app.js, with which tests open views in a page of dom.js.

import { openPage } from "./dom.js";
import { Actions } from "../../assets/web/frame/actions.js";
import { Scope } from "../../assets/web/frame/scope.js";
import { formatRoute } from "../../assets/web/frame/routes.js";
import { loadWords } from "./words.js";

// openApp opens a page and returns { app, document, shown, writes, update(url) }. shown has the texts of
// the toasts and the errors, and writes the requests that actions have sent, as { action, values, fields, ordered }.
// update reads a panel again and passes it to its views, and app.reader.fail passes them an error. Options:
//
//   locale, zone, areas  those of loadWords
//   isPhone              that of openPage
//   read(url)            returns a panel, or throws; it may return a promise
//   perform(action, values, options)  returns the data of the response to a write, or throws
//   dataset, session     those of the store
export async function openApp({
	locale = "en-GB", zone = "Europe/Berlin", areas = [], isPhone = false, now, read = () => ({}), perform = () => ({}),
	dataset = {}, session = {},
} = {}) {
	const document = openPage({ isPhone });
	const words = await loadWords({ locale, zone, areas: ["frame", ...areas], ...(now && { now }) });
	const kept = new Map(); // path → listeners
	const shown = [];
	const writes = [];
	const main = document.createElement("main");
	document.body.append(main);
	const store = {
		dataset: { objects: [], actions: [], member: { member_id: 1 }, ...dataset }, session: { services: [], ...session }, memberId: 1,
		subscribers: new Set(), subscribe: (sections, listener) => (store.subscribers.add(listener), () => store.subscribers.delete(listener)),
		service: (id) => ({ content_source: `/panels/${id}` }),
		objectOfRecord: (id) => store.dataset.objects.find(({ source }) => source?.resource_id === id),
		actions: (ids = []) => store.dataset.actions.filter(({ action_id: id }) => ids.includes(id)),
		actionOn: (id, type) => store.dataset.actions.find((action) => action.on === id && action.type === type),
		actionsOn: (id) => store.dataset.actions.filter((action) => action.on === id),
	};
	const send = async (action, values = {}, { fields = {}, ordered = false } = {}) => {
		writes.push({ action, values, fields, ordered });
		return perform(action, values, fields);
	};
	const drafts = new Map();
	const queue = {
		list: [], listeners: new Set(), subscribe: (listener) => (queue.listeners.add(listener), () => queue.listeners.delete(listener)),
		entriesOf: ({ command, url }) => queue.list.filter(({ path }) => path === (command?.url ?? url)), perform: send,
		set: (list) => { queue.list = list; for (const listener of queue.listeners) listener(list); }, retry() {}, drop() {},
	};
	const app = {
		words, store, queue, drafts: {
			name: "drafts", getItem: (key) => drafts.get(key) ?? null, setItem: (key, text) => drafts.set(key, text),
			removeItem: (key) => drafts.delete(key),
		},
		paths: { base: "" }, scope: () => new Scope(app), signedInMember: () => ({ name: "Ann", id: 1, color: "sea" }), weekStart: () => 1,
		reader: {
			isCurrent: () => true,
			read: async (url) => {
				const data = await read(url);
				for (const listener of kept.get(url) ?? []) listener(data);
				return data;
			},
			fail: (url, error) => { for (const listener of kept.get(url) ?? []) listener(null, error); },
			watch(url, services, listener) {
				if (!kept.has(url)) kept.set(url, new Set());
				kept.get(url).add(listener);
				return { ready: app.reader.read(url), release: () => kept.get(url).delete(listener) };
			},
		},
		client: { read: async (url) => ({ data: await read(url) }), request: async (_, url) => ({ data: await read(url) }) },
		dispatcher: { perform: send, post: (url, fields, options) => send({ method: "POST", url }, {}, { fields, ...options }) },
		actions: {
			showError: (error) => shown.push(error.message), announce: () => {}, items: (actions) => actions, openForm: async () => null,
			isTicked: (action, allAction) => Actions.prototype.isTicked.call({ app }, action, allAction),
			tickAction: (...options) => Actions.prototype.tickAction.apply({ app }, options),
			perform: (action, { values, ordered } = {}) => send(action, values, { ordered }).catch((error) => (shown.push(error.message), null)),
			button: (action) => document.createElement("button"), offerReload: () => null,
			async tickBox(action, box) {
				const data = await app.actions.perform(action, {});
				if (data === null) box.checked = !box.checked;
				return data;
			},
		},
		frame: { view: null, refresh() {}, showTitle() {}, focusTitle: () => main.querySelector("h1")?.focus(), main },
		toasts: { show: (text) => shown.push(text) }, connection: { state: "online" },
		router: { route: {}, set() {}, back() {}, go() {} }, go(route) { app.wentTo = route; },
		show() { app.showCount = (app.showCount ?? 0) + 1; }, href: (route) => `/app${formatRoute(route ?? { kind: "today" })}`,
		say: (text) => shown.push(text), notificationsRoute: () => ({ kind: "today" }),
	};
	return { app, document, main, shown, writes, update: (url) => app.reader.read(url) };
}
